"""The pieces at each site, those in front of players, and the sites that a move changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from functools import lru_cache

from rules.core import Item, Layout, Move
from rules.games.dolmengoetter.board import DolmenBoard
from rules.games.dolmengoetter.components import COLOURS, DRUIDS_EACH
from rules.games.dolmengoetter.state import DRUID, LYING, DolmenState

Places = tuple[Item, ...]
"""A piece at every place of a board."""


def layout(state: DolmenState, at: Iterable[str] | None = None) -> Layout:
    """The pieces at each site, or ``at`` some. DG22: no score markers, no supplies."""
    board = state.board
    stones, druids = _pieces_on(board)
    items: list[Item] = []
    places, circles = board.place, board.circle
    sites = (*places, *circles) if at is None else at
    for place in (places[site] for site in sites if site in places):
        if standing := state.occ[place]:
            if standing < DRUID:
                items.append(stones[standing - 1][place])
            else:
                items.append(druids[standing & 7][standing >= LYING][place])
    names = board.circle_ids
    for circle in (circles[site] for site in sites if site in circles):
        if not (pile := state.piles[circle]):
            continue
        # A dolmen that the table has just shown is put aside.
        gone = state.next_hidden()[1] if state.pending and circle == state.pending[0] else 0
        lowest = len(pile) - 1
        items += [
            Item(
                names[circle], f"dolmen {COLOURS[owner]} back", owner, lowest - level,
                face="down", seen=level == gone,
            )
            for level, (owner, _) in enumerate(pile)
            if level >= gone
        ]  # fmt: skip
    return Counter(items)


@lru_cache(maxsize=8)
def _pieces_on(board: DolmenBoard) -> tuple[tuple[Places, ...], tuple[tuple[Places, ...], ...]]:
    """Stones by seat and place, and druids by seat, standing or lying, and place."""
    stones = tuple(
        tuple(Item(p, f"stone {colour}", s) for p in board.places)
        for s, colour in enumerate(COLOURS)
    )
    druids = tuple(
        tuple(
            tuple(Item(p, f"druid {colour}", s, pose=pose) for p in board.places)
            for pose in ("standing", "lying")
        )
        for s, colour in enumerate(COLOURS)
    )
    return stones, druids


def supply(state: DolmenState, seat: int) -> Counter[str]:
    """Druids not yet placed, stones, and dolmens face down."""
    colour = COLOURS[seat]
    return +Counter(
        {
            f"druid {colour}": DRUIDS_EACH - len(state.druids[seat]),
            f"stone {colour}": state.stones[seat],
            f"dolmen {colour} back": state.dolmens[seat],
        }
    )


def touches(state: DolmenState, move: Move) -> Collection[str] | None:
    """Sites that ``move`` changes, found without trying it; None if it must be tried."""
    verb, args, seat = move.verb, move.args, move.player
    if seat is None:
        return () if verb == "start" else None
    if verb == "druid":
        return args
    if verb == "keep" and args[0] in state.board.place:
        return () if state.last != [] else None
    if verb in ("dolmen", "keep"):
        circle = state.board.circle[args[0]]
        if any(right[1] == circle and right[2] == seat for right in state.rights):
            return None
        return args[:1] if verb == "dolmen" else ()
    names, stones = state.board.circle_ids, 0
    also: list[str] = []
    if verb == "stone" or (verb != "herbs" and state.stones[seat] and state.points[seat] == 1):
        stones = 1
        for circle in state.board.circles_of[state.board.place[args[0]]]:
            if state.piles[circle] and state.filled[circle] == state.board.size[circle] - 1:
                also.append(names[circle])
    if state.last == [] or state.stones_left == stones:
        also += [names[circle] for circle, pile in enumerate(state.piles) if pile]
    if also:
        return {*args, *also}
    return args[:1] if args[0] == args[-1] else args
