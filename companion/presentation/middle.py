"""The middle of a board: the aim of the game where nothing lies, and how far each side has come."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from companion.match.view import TableView
from companion.presentation.boxes import box_of, free_middle
from companion.presentation.words.sentences import teller_of
from rules.core import Move
from rules.games import find_game


@dataclass(frozen=True, slots=True)
class Middle:
    """The aim of a game in the middle of its ring."""

    aim: str
    part: tuple[float, float, float, float]
    """Left, bottom, right, top of where nothing lies, mm."""


@dataclass(frozen=True, slots=True)
class Arc:
    """Places side by side that are the points of one side."""

    sites: tuple[str, ...]
    told: str
    """The points."""
    active: bool
    """True if it is the turn of this side."""
    added: tuple[str, ...] = ()
    """Places that the move in the hand would add."""


def middle_of(view: TableView, lang: str) -> Middle | None:
    """The aim for the middle of the board; None where something lies there."""
    part = free_middle(box_of(view))
    return None if part is None else Middle(teller_of(view, lang).tagline, part)


def arcs_of(view: TableView) -> tuple[Arc, ...]:
    """The points of each side that are seen on the board."""
    if not any(view.standings):
        return ()
    sides = find_game(view.game).sides(view.players, view.options)
    return tuple(
        Arc(view.standings[side[0]], str(view.scores[side[0]]), view.asked in side)
        for side in sides
        if view.standings[side[0]]
    )


def arcs_after(arcs: Iterable[Arc], view: TableView, moves: Iterable[Move]) -> Iterator[Arc]:
    """The same arcs, with the places that ``moves`` of the player asked would add to theirs."""
    then = [view.ahead.standing(move) for move in moves] if view.ahead is not None else []
    for arc in arcs:
        grown = [sites for sites in then if arc.active and len(sites) > len(arc.sites)]
        added = dict.fromkeys(site for sites in grown for site in sites if site not in arc.sites)
        yield replace(arc, added=tuple(added))
