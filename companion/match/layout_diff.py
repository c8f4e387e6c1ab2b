"""Differences between layouts: the sites that a reading changes, and those that a move names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.match.view import TableView
from rules.box import Box
from rules.core import Actor, Item, Move

if TYPE_CHECKING:
    from rules.reading.reading import Candidate


@dataclass(frozen=True, slots=True)
class Change:
    """Change that one explanation would make, as far as it can be seen."""

    gained: Counter[Item]
    lost: Counter[Item]
    own: Counter[Item]
    """Part of ``gained`` that not all explanations have in common."""
    sites: tuple[str, ...]
    """Sites where it differs from the others. If nothing would look different: the places that its
    moves name."""

    @property
    def visible(self) -> bool:
        """True if anything would look different."""
        return bool(self.gained or self.lost)


def changes_of(view: TableView, box: Box) -> tuple[Change, ...]:
    """The changes for the candidates of ``view``, in their order."""
    before = _visible(view.items, box)
    after = [_visible(items, box) for items in view.previews]
    gained, lost = [there - before for there in after], [before - there for there in after]
    same_gained, same_lost = _shared(gained), _shared(lost)
    found = []
    for number, (come, gone) in enumerate(zip(gained, lost, strict=True)):
        own, left = come - same_gained, gone - same_lost
        sites = dict.fromkeys(item.site for item in (*own, *left))
        sites = sites or dict.fromkeys(item.site for item in (*come, *gone))
        found.append(Change(come, gone, own, tuple(sites) or _named(view, box, number)))
    return tuple(found)


def own_places(changes: Sequence[Change]) -> tuple[str, ...]:
    """For each of several changes a place that no other touches; empty texts if one has none."""
    found = []
    for number, change in enumerate(changes):
        others = {s for other in (*changes[:number], *changes[number + 1 :]) for s in other.sites}
        places = (*(item.site for item in change.own), *change.sites)
        found.append(next((site for site in places if site not in others), ""))
    return tuple(found) if all(found) and len(found) > 1 else ("",) * len(found)


def _visible(items: Iterable[Item], box: Box) -> Counter[Item]:
    return Counter(item for item in items if item.seen and item.site in box.sites)


def _shared(every: Sequence[Counter[Item]]) -> Counter[Item]:
    """Changes that several explanations have in common; none if there is only one."""
    if len(every) < 2:
        return Counter()
    shared = every[0]
    for other in every[1:]:
        shared = shared & other
    return shared


def _named(view: TableView, box: Box, number: int) -> tuple[str, ...]:
    candidate = view.candidates[number]
    sites = dict.fromkeys(s for move in told_moves(candidate) for s in sites_of(move, box))
    if candidate.takeback:
        sites |= dict.fromkeys(site for site in view.last_sites if site in box.sites)
    return tuple(sites)


def told_moves(candidate: Candidate) -> tuple[Move, ...]:
    """The moves of an explanation that are worth a word: unseen cards are drawn without one."""
    shown = tuple(
        move for move in candidate.moves if not (move.actor is Actor.DEALER and "?" in move.args)
    )
    return shown or candidate.moves


def sites_of(move: Move, box: Box) -> tuple[str, ...]:
    """The sites among the arguments of ``move``, in order: ``A``, ``from=A`` or ``A,B``."""
    sites, found = box.sites, []
    # Asked of every legal move, several times for each view.
    for arg in move.args:
        value = arg.partition("=")[2] or arg
        if value in sites:
            found.append(value)
        elif "," in value:
            found += [part for part in value.split(",") if part in sites]
    return tuple(found)
