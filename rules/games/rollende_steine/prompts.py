"""4.4 Turn: a step, then the roll; who must do what, and what hands could do."""

from __future__ import annotations

from collections.abc import Iterable

from rules.core import Actor, Move, Prompt
from rules.games.rollende_steine.components import ALL_GATES, ROLL
from rules.games.rollende_steine.moves import CUSHION, RELOCATE, RESULTS, ROLL_DISC, STEP_MOVES
from rules.games.rollende_steine.state import RollendeSteineState


def prompt(state: RollendeSteineState) -> Prompt | None:
    if state.over:
        return None
    seat = state.turn
    if state.phase == ROLL:
        return Prompt(Actor.TABLE, seat, "result", "4.4")
    return Prompt(Actor.PLAYER, seat, "step", "4.4")


def legal_moves(state: RollendeSteineState) -> list[Move]:
    if state.phase == ROLL:
        return list(RESULTS[state.left])
    if state.over:
        return []
    seat = state.turn
    choice = (1 if state.cushions[seat] else 0) + (2 if state.lying else 0)
    return list(STEP_MOVES[seat][choice])


def pseudo_moves(state: RollendeSteineState) -> Iterable[Move]:
    """Cushions and discs of any player, and every result there is."""
    if state.over:
        return
    if state.phase == ROLL:
        yield from RESULTS[ALL_GATES]
    for seat in range(len(state.own)):
        yield from (CUSHION[seat], RELOCATE[seat], ROLL_DISC[seat])
