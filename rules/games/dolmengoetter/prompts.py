"""The decision that is due, its legal answers, and everything that hands could try."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import compress

from rules.core import Actor, Move, Prompt
from rules.games.dolmengoetter.components import DRUIDS_EACH, LEVELS, VALUES
from rules.games.dolmengoetter.legality import violations
from rules.games.dolmengoetter.state import (
    ACTION,
    DRUID,
    DRUIDS,
    LYING,
    OVER,
    RIGHTS,
    SHOW,
    START,
    STONE,
    DolmenState,
)


def prompt(state: DolmenState) -> Prompt | None:
    """The decision that is due; None after the end."""
    board, seat, phase = state.board, state.turn, state.phase
    if phase == START:
        return Prompt(Actor.DEALER, None, "start", "DG18")
    if phase == DRUIDS:
        number = len(state.druids[seat]) + 1
        return Prompt(Actor.PLAYER, seat, "druid", "7.4", (("number", number),))
    if phase == ACTION:
        if state.last is not None:
            return Prompt(Actor.PLAYER, seat, "last_action", "7.8")
        return Prompt(Actor.PLAYER, seat, "action", "7.5")
    if phase == STONE:
        site = board.places[state.left]
        return Prompt(Actor.PLAYER, seat, "stone", "7.5", (("site", site),))
    if phase == RIGHTS:
        asked = state.rights[0][2]
        own = [(c, level) for _, c, owner, level in state.rights if owner == asked]
        code = "dolmen_choice" if len(own) > 1 else f"dolmen_{LEVELS[own[0][1]]}"
        names = ",".join(board.circle_ids[c] for c, _ in own)
        return Prompt(Actor.PLAYER, asked, code, "7.6", (("circles", names),))
    if phase == SHOW:
        circle, level, owner = state.next_hidden()
        params = (("circle", board.circle_ids[circle]), ("level", level + 1))
        return Prompt(Actor.TABLE, owner, "show", "DG21", params)
    return None


def legal_moves(state: DolmenState) -> list[Move]:
    """The right answers: every legal move."""
    tables = state.tables
    seat, phase = state.turn, state.phase
    if phase == ACTION:
        occ, free = state.occ, state.free
        herbs = tables.herbs[seat]
        found: list[Move] = []
        for place in state.druids[seat]:
            if occ[place] >= LYING:
                found += compress(tables.flights(seat, place), free)
                continue
            found.append(herbs[place])
            near: list[Move] = []
            for to, move in tables.steps(seat, place):
                if free[to]:
                    near.append(move)
                elif occ[to] >= DRUID:
                    row = tables.walks(seat, place)
                    near = [row[to] for to in state.reach(place)]
                    break
            found += near
        return found
    if phase == STONE:
        return [tables.stone[seat][state.left], tables.keep[seat][state.left]]
    if phase == RIGHTS:
        return _right_moves(state)
    if phase == DRUIDS:
        return list(compress(tables.druid[seat], state.free))
    if phase == START:
        return list(tables.start[: state.players])
    if phase == SHOW:
        return [move for move in _shows(state) if not violations(state, move)]
    return []


def _right_moves(state: DolmenState) -> list[Move]:
    """DG6: all rights of the player asked; each distinct value in their supply."""
    asked = state.rights[0][2]
    dolmen, refuse = state.tables.dolmen[asked], state.tables.refuse[asked]
    values = state.offered(asked)
    found = []
    for _, circle, owner, level in state.rights:
        if owner == asked:
            row = dolmen[circle][level]
            found += [row[value] for value in values]
            found.append(refuse[circle])
    return found


def _shows(state: DolmenState) -> list[Move]:
    """SHOW: the values that the dolmen asked for could have if all were still unseen."""
    circle, level, _ = state.next_hidden()
    name = state.board.circle_ids[circle]
    return [Move.of(Actor.TABLE, "show", name, level + 1, value) for value in VALUES]


def pseudo_moves(state: DolmenState) -> Iterable[Move]:
    """Any druid to any free place, stones and dolmens anywhere; holds every legal move."""
    tables = state.tables
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
        for seat in seats:
            for place in state.druids[seat]:
                yield from compress(tables.walks(seat, place), state.free)
    elif state.phase == SHOW:
        yield from _shows(state)
    elif state.phase != OVER:
        for seat in seats:
            yield from _druid_hands(state, seat)
            if state.stones[seat]:
                yield from compress(tables.stone[seat], state.free)
            yield from _dolmen_hands(state, seat)
        keep = tables.keep[state.turn]
        if state.phase == STONE:
            yield keep[state.left]
        elif state.phase == ACTION:
            yield from (keep[place] for place in state.druids[state.turn])


def _druid_hands(state: DolmenState, seat: int) -> Iterable[Move]:
    """A player moves their own druids and, by mistake, those of others: a stone that is left tells
    who it was."""
    for owner in range(state.players):
        for place in state.druids[owner]:
            yield from ways_of_druid(state, seat, owner, place)


def ways_of_druid(state: DolmenState, seat: int, owner: int, place: int) -> Iterable[Move]:
    """Moves that the hands of ``seat`` can make with a druid. One that lies where it may not be
    laid down has fallen over."""
    tables, free = state.tables, state.free
    lying = state.occ[place] >= LYING
    if lying:
        yield from compress(tables.flights(seat, place), free)
        yield tables.flights(seat, place)[place]
    else:
        yield from compress(tables.walks(seat, place), free)
    if seat == owner == state.turn and state.phase == ACTION:
        if not lying:
            yield tables.herbs[seat][place]
        other = tables.walks if lying else tables.flights
        yield from compress(other(seat, place), free)


def _dolmen_hands(state: DolmenState, seat: int) -> Iterable[Move]:
    """One dolmen in any circle; where the player has a right, each of them."""
    values = state.offered(seat)
    own = {c for _, c, owner, _ in state.rights if owner == seat}
    for circle, rows in enumerate(state.tables.dolmen[seat]):
        for row in rows:
            yield from (row[value] for value in (values if circle in own else values[-1:]))
    if state.phase == RIGHTS:
        for circle in state.board.circles_of[state.stone]:
            yield state.tables.refuse[seat][circle]
