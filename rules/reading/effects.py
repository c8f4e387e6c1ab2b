"""Effects of moves, learnt from those that were carried out in one look.

A kind of moves is a player's verb, the number of its words, and whose pieces these name; words of
the move in sites and pieces are holes, so that one roll with a card tells where every other card of
a roll will lie.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Protocol

from rules.core import Move
from rules.reading.sighting import EMPTY, Glimpse, Look


class Supposed(Protocol):
    """A move that is thought of and has not been carried out."""

    move: Move
    further: int
    """Number of things more than before that are expected to lie otherwise behind it: the least …
    """
    effects: int
    """… by this number of known effects of its kind."""


class Effects:
    """The known effects of kinds of moves from one position of a match."""

    def __init__(self, state: Any) -> None:
        self._learnt: dict[_Kind, list[frozenset[Change]]] = {}
        self._against: dict[_Kind, float] = {}
        self._kinds: dict[Move, _Kind] = {}
        self._owners: dict[str, set[int | None]] = {}
        for item in state.layout():
            for word in _WORD.findall(item.kind):
                self._owners.setdefault(word, set()).add(item.owner)

    def learn(
        self, move: Move, before: Mapping[str, Look], after: Mapping[str, Look], against: float
    ) -> None:
        """``move`` was carried out, and what should lie there was ``before`` and is ``after``; its
        pieces speak ``against`` its player."""
        words, kind = _words(move), self._kind_of(move)
        self._against[kind] = min(against, self._against.get(kind, against))
        changes: list[Change] = []
        for site in {site for site, _ in before.items() ^ after.items()}:
            old, new = Counter(before.get(site, EMPTY)), Counter(after.get(site, EMPTY))
            for put, things in ((True, new - old), (False, old - new)):
                place = _with_holes(site, words)
                changes += [(put, place, _with_holes(g.kind, words), g.pose) for g in things]
        if not changes:
            return  # What it covers may look the same.
        learnt, effect = self._learnt.setdefault(kind, []), frozenset(changes)
        if effect not in learnt:
            learnt.append(effect)

    def of(self, move: Move) -> frozenset[frozenset[Change]]:
        """The effects that ``move`` may have, by what is known of its kind."""
        words = _words(move)
        return frozenset(
            frozenset((put, _filled(place, words), _filled(kind, words), pose)
                      for put, place, kind, pose in effect)
            for effect in self._learnt.get(self._kind_of(move), ())
        )  # fmt: skip

    def against(self, move: Move) -> float:
        """The least that pieces spoke against the player of such a move (natural-log odds)."""
        return self._against.get(self._kind_of(move), 0.0)

    def compare(self, act: Supposed, wanted: Mapping[str, Look], seen: Mapping[str, Look]) -> None:
        """Work out how many things lie otherwise behind ``act``, by what was learnt since it was
        last compared; ``wanted``: what should lie there before it."""
        learnt = self._learnt.get(self._kind_of(act.move), ())
        if len(learnt) > act.effects:
            words = _words(act.move)
            rest = [_further(effect, words, wanted, seen) for effect in learnt[act.effects :]]
            act.further = min(rest if act.effects == 0 else [act.further, *rest])
            act.effects = len(learnt)

    def leads_away(self, move: Move, wanted: Mapping[str, Look], seen: Mapping[str, Look]) -> bool:
        """True if ``move`` leads away from what is ``seen``, as far as its kind is known."""
        learnt, words = self._learnt.get(self._kind_of(move), ()), _words(move)
        return bool(learnt) and all(_further(one, words, wanted, seen) > 0 for one in learnt)

    def _kind_of(self, move: Move) -> _Kind:
        kind = self._kinds.get(move)
        if kind is None:
            named = (self._owners[word] for word in _words(move) if word in self._owners)
            whose = frozenset(owner for owners in named if len(owners) == 1 for owner in owners)
            kind = self._kinds[move] = (move.player, move.verb, len(move.args), whose)
        return kind


_Kind = tuple[int | None, str, int, frozenset[int | None]]
Change = tuple[bool, str, str, str]
"""Put down or taken up, where, kind and pose, with holes."""
_WORD = re.compile("[a-z]+|[0-9]+")


@lru_cache(maxsize=1 << 14)
def _words(move: Move) -> Sequence[str]:
    return (*move.args, *_WORD.findall(" ".join(move.args)))


def _with_holes(text: str, words: Sequence[str]) -> str:
    """``text`` with the numbers of ``words`` in place of those words, as a whole if it is one."""
    if text in words:
        return f"{{{words.index(text)}}}"
    return _WORD.sub(
        lambda found: f"{{{words.index(found[0])}}}" if found[0] in words else found[0], text
    )


def _filled(text: str, words: Sequence[str]) -> str:
    """``text`` with ``words`` in place of its holes; itself if one is missing."""
    try:
        return text.format(*words)
    except IndexError:
        return text


def _further(
    effect: Iterable[Change],
    words: Sequence[str],
    wanted: Mapping[str, Look],
    seen: Mapping[str, Look],
) -> int:
    """By how much an effect with these words leads away from what is seen."""
    further = 0
    for put, place, kind, pose in effect:
        try:
            site = place.format(*words) if "{" in place else place
            thing = Glimpse(kind.format(*words) if "{" in kind else kind, pose)
        except IndexError:
            further += 1
            continue
        if (lies := seen.get(site)) is not None:
            lacks = lies.count(thing) - wanted.get(site, EMPTY).count(thing)
            further += -1 if (lacks > 0 if put else lacks < 0) else 1
    return further
