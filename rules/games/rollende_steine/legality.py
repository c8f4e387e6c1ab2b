"""4.4, 4.5 Why a move is not allowed."""

from __future__ import annotations

from rules.core import Actor, Move, Objection
from rules.games.rollende_steine.components import ROLL
from rules.games.rollende_steine.moves import BITS_OF, SCORE
from rules.games.rollende_steine.state import RollendeSteineState

CODES = (
    "match_over", "wrong_player", "unknown_move", "result_first", "roll_first",
    "no_cushion", "nothing_to_relocate", "already_scored",
)  # fmt: skip
"""Codes of all objections."""


def violations(state: RollendeSteineState, move: Move) -> list[Objection]:
    if state.over:
        return [Objection.of("4.5", "match_over")]
    seat = move.player
    match move.verb, move.args:
        case (("cushion" | "relocate" | "roll"), ()) if seat is not None and seat < len(state.own):
            pass
        case (("short" | "miss"), ()) if move.actor is Actor.TABLE:
            pass
        case "score", (gates,) if move.actor is Actor.TABLE and gates in BITS_OF:
            pass
        case _:
            return [Objection.of("4.4", "unknown_move", move=move.text)]
    if seat is None:
        return _check_result(state, move)
    if seat != state.turn:
        return [Objection.of("4.4", "wrong_player", player=state.turn, other=seat)]
    if state.phase == ROLL:
        # RS4: one step per turn, and not another before the disc is rolled again.
        return [Objection.of("RS4", "result_first", player=seat)]
    if move.verb == "cushion" and not state.cushions[seat]:
        return [Objection.of("4.4", "no_cushion", player=seat)]
    if move.verb == "relocate" and not state.lying:
        return [Objection.of("RS11", "nothing_to_relocate", player=seat)]
    return []


def _check_result(state: RollendeSteineState, move: Move) -> list[Objection]:
    if state.phase != ROLL:
        return [Objection.of("4.4", "roll_first", player=state.turn)]
    if move.verb == "score" and (again := BITS_OF[move.args[0]] & ~state.left):
        # RS3: passing gates that are scored already does not score.
        gates = SCORE[again].args[0]
        return [Objection.of("RS3", "already_scored", gates=gates)]
    return []
