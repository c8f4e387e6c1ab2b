"""The decision that is due, its legal answers, and everything that hands could try."""

from __future__ import annotations

from collections.abc import Iterable

from rules.core import Actor, Move, Prompt
from rules.games.knizia_stonehenge.components import FIELDS, MEGALITHS, VALUES
from rules.games.knizia_stonehenge.control import claims, controls
from rules.games.knizia_stonehenge.legality import violations
from rules.games.knizia_stonehenge.moves import CLAIM, DONE, PLACE, PLACE_UNSEEN, SHOW
from rules.games.knizia_stonehenge.state import KniziaState


def prompt(state: KniziaState) -> Prompt | None:
    """The decision that is due; None after the end."""
    if state.pending:
        field = state.pending[0]
        return Prompt(Actor.TABLE, state.owner[field], "show", "1.7", (("site", FIELDS[field]),))
    if state.winner is not None:
        return None
    seat = state.turn
    if not state.placed and state.stones_left(seat):
        return Prompt(Actor.PLAYER, seat, "place", "1.4")
    if not state.empty and any(controls(state, seat, line) for line in state.open_lines):
        return Prompt(Actor.PLAYER, seat, "must_claim", "KN3")
    return Prompt(Actor.PLAYER, seat, "claim_or_done", "1.4")


def legal_moves(state: KniziaState) -> list[Move]:
    """The right answers: every legal move."""
    if state.pending:
        return [move for move in SHOW[state.pending[0]].values() if not violations(state, move)]
    if state.megaliths[0] == MEGALITHS or state.megaliths[1] == MEGALITHS:
        return []
    seat = state.turn
    found: list[Move] = []
    can_place = not state.placed and state.stones_left(seat) > 0
    if can_place:
        empty = state.empty
        if state.zones is not None:
            found = [PLACE_UNSEEN[seat][f] for f in empty]
        else:
            count, rows = state.count[seat], PLACE[seat]
            for value in VALUES:
                if count[value]:
                    row = rows[value]
                    found += [row[f] for f in empty]
    claimable = claims(state, seat)
    found += claimable
    if not can_place and (state.empty or not claimable):
        found.append(DONE[seat])
    return found


def pseudo_moves(state: KniziaState) -> Iterable[Move]:
    """All that either player could lay on a field or line end now, and ``done``. An open stone may
    also be laid upon another one, where it is all that shows."""
    if state.pending:
        yield from SHOW[state.pending[0]].values()
        return
    if state.winner is not None:
        return
    for seat in (0, 1):
        if state.zones is not None:
            if state.stones_left(seat):
                yield from (PLACE_UNSEEN[seat][f] for f in state.empty)
        else:
            taken = () if state.hidden else state.order
            for value in VALUES:
                if state.count[seat][value]:
                    yield from (PLACE[seat][value][f] for f in (*state.empty, *taken))
        yield from (CLAIM[seat][line] for line in state.open_lines)
        yield DONE[seat]
