"""What hands could try on the table, allowed or not."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import compress

from rules.core import Actor, Move
from rules.games.dolmengoetter.state import (
    ACTION,
    DRUIDS,
    DRUIDS_EACH,
    LYING,
    OVER,
    RIGHTS,
    SHOW,
    START,
    STONE,
    VALUES,
    DolmenState,
)
from rules.games.dolmengoetter.tables import MoveTables

__all__ = ["hands_could", "shows"]


def shows(state: DolmenState) -> list[Move]:
    """SHOW: the values that the dolmen asked for could have, were all still unseen."""
    circle, level, _ = state.next_hidden()
    name = state.board.circle_ids[circle]
    return [Move.of(Actor.TABLE, "show", name, level + 1, value) for value in VALUES]


def hands_could(state: DolmenState, tables: MoveTables) -> Iterable[Move]:
    """Any druid to any free place, stones and dolmens anywhere; holds every legal move."""
    seats = range(state.players)
    if state.phase == START:
        yield from tables.start[: state.players]
        for seat in seats:
            yield from compress(tables.druid[seat], state.free)
    elif state.phase == DRUIDS:
        if not any(state.druids):
            yield from tables.start[: state.players]
        for seat in seats:
            if len(state.druids[seat]) < DRUIDS_EACH:
                yield from compress(tables.druid[seat], state.free)
        for place in state.druids[state.turn]:
            yield from compress(tables.walks(state.turn, place), state.free)
    elif state.phase == SHOW:
        yield from shows(state)
    elif state.phase != OVER:
        for seat in seats:
            yield from _druid_hands(state, tables, seat)
            if state.stones[seat]:
                yield from compress(tables.stone[seat], state.free)
            yield from _dolmen_hands(state, tables, seat)
        keep = tables.keep[state.turn]
        if state.phase == STONE:
            yield keep[state.left]
        elif state.phase == ACTION:
            yield from (keep[place] for place in state.druids[state.turn])


def _druid_hands(state: DolmenState, tables: MoveTables, seat: int) -> Iterable[Move]:
    """A player moves his own druids, and in his turn by mistake those of others."""
    occ, free = state.occ, state.free
    in_turn = seat == state.turn and state.phase == ACTION
    for owner in range(state.players):
        if owner != seat and not in_turn:
            continue
        for place in state.druids[owner]:
            lying = occ[place] >= LYING
            if lying:
                yield from compress(tables.flights(seat, place), free)
                yield tables.flights(seat, place)[place]
            else:
                yield tables.herbs[seat][place]
                yield from compress(tables.walks(seat, place), free)
            if in_turn and owner == seat:
                other = tables.walks if lying else tables.flights
                yield from compress(other(seat, place), free)


def _dolmen_hands(state: DolmenState, tables: MoveTables, seat: int) -> Iterable[Move]:
    """One dolmen in any circle; where the player has a right, each of them."""
    values = state.offered(seat)
    own = {c for _, c, owner, _ in state.rights if owner == seat}
    for circle, rows in enumerate(tables.dolmen[seat]):
        for row in rows:
            yield from (row[value] for value in (values if circle in own else values[-1:]))
    if state.phase == RIGHTS:
        for circle in state.board.circles_of[state.stone]:
            yield tables.refuse[seat][circle]
