"""Why a move of Opferroulette is good, in words that give away nothing hidden."""

from __future__ import annotations

from rules.core import Move
from rules.games.opferroulette.components import CARD, CARDS, COLOUR, FIELDS, NEXT, PIT
from rules.games.opferroulette.state import OpferrouletteState, Phase
from rules.players.crafts.opferroulette.turns import Turn
from rules.players.player import Reason

__all__ = ["CODES", "why"]

CODES = (
    "fall_others", "fall_both", "fall_own", "fall_nothing", "leads_to", "rolls_away", "new_cards",
    "turns_round", "stops", "waits", "shared_pit", "far_pit",
)  # fmt: skip
_DANGER = 6
"""A ball may fall on any of the next fields, one for each colour."""


def why(state: OpferrouletteState, move: Move) -> Reason | None:
    """The reason for a move of the player asked; only pits, ball and own hand are looked at."""
    seat, verb = state.turn, move.verb
    if state.phase is Phase.TRILITHON:
        return _shelter(state, seat, PIT[move.args[0]])
    if verb == "done":
        return Reason.of("stops", field=state.ball) if state.played else Reason.of("waits")
    if verb == "fall":
        return _fall(state, seat, state.ball)
    facing, turn = state.facing, Turn(state, seat, pile=_unseen(state, seat))
    if verb == "reverse":
        goal = turn.goal(state.ball, 1 - facing)
        return Reason.of("turns_round", field=goal) if goal else None
    field = NEXT[facing][state.ball][COLOUR[CARD[move.args[0]]]]
    if verb == "roll-fall":
        return _fall(state, seat, field)
    goal = turn.goal_after(CARD[move.args[0]])
    if goal:
        return Reason.of("leads_to", field=goal)
    if _endangered(state, seat, state.ball) > _endangered(state, seat, field):
        return Reason.of("rolls_away", field=field)
    if state.played or turn.goal(state.ball, facing):
        return None
    return Reason.of("new_cards", field=field)


def _unseen(state: OpferrouletteState, seat: int) -> list[int]:
    """What a card of the pile may be, for all that the seat can see."""
    if not state.deck.pile:
        return state.deck.discards
    seen = {*state.deck.hands[seat], *state.deck.discards}
    return [card for card in range(len(CARDS)) if card not in seen]


def _fall(state: OpferrouletteState, seat: int, field: int) -> Reason:
    owners = [*state.pits[2 * field - 2], *state.pits[2 * field - 1]]
    own = owners.count(seat)
    others = len(owners) - own
    if not owners:
        return Reason.of("fall_nothing", field=field)
    code = "fall_both" if own and others else "fall_own" if own else "fall_others"
    return Reason.of(code, field=field, number=others)


def _shelter(state: OpferrouletteState, seat: int, pit: int) -> Reason | None:
    others = [owner for owner in state.pits[pit] if owner not in (seat, state.players)]
    if others:
        return Reason.of("shared_pit", other=others[-1])
    return (
        None if state.pits[pit] or state.pits[pit ^ 1] else Reason.of("far_pit", field=pit // 2 + 1)
    )


def _endangered(state: OpferrouletteState, seat: int, ball: int) -> int:
    """Own offerings on the fields that the ball can roll to next, the way it faces."""
    step = -1 if state.facing else 1
    fields = [(ball - 1 + step * n) % FIELDS + 1 for n in range(1, _DANGER + 1)]
    return sum(
        state.pits[2 * field - half].count(seat) for field in fields for half in (1, 2)
    )  # fmt: skip
