"""The craft of Opferroulette: good play, and reasons for it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from math import exp, sqrt
from random import Random
from typing import ClassVar

from rules.core import Game, Move
from rules.games.opferroulette.components import CARD, CARDS, COLOUR, FIELDS, NEXT, NUMBER, PIT
from rules.games.opferroulette.state import OpferrouletteState, Phase
from rules.players.crafts.opferroulette.hidden import sees_own_hand, worlds_of
from rules.players.crafts.opferroulette.position import Grasp, TurnByTurn, TurnCraft
from rules.players.crafts.opferroulette.turns import Insight, Turn
from rules.players.player import Budget, Reason
from rules.players.position import Key, Worlds
from rules.players.search import Found
from rules.players.view import SeatView

# Reasons why a move of Opferroulette is good, in words that give away nothing hidden.

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
    """Cards that one of the pile may be, for all that the seat can see."""
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


TEMPER = 0.8
"""Points by which a move must look better to seem e times as promising."""
NOISE = 0.4
"""Points by which people in a playout misjudge a move."""


_GRASP = {
    "apprentice": Grasp(Insight(False, False, False), turns=1),
    "druid": Grasp(Insight(counts_cards=False), turns=1, playouts=60),
}
"""Weaker players do not ask what others will do with the ball, do not count cards, and weigh few
ways on."""


class OpferrouletteCraft(TurnCraft):
    """Look for turns whose fall hits much and spares one's own offerings."""

    horizon: ClassVar[int] = 60
    reasons: ClassVar[tuple[str, ...]] = CODES
    noise = NOISE

    def __init__(self, game: Game[OpferrouletteState], grasp: Grasp | None = None) -> None:
        super().__init__(game)
        self.grasp = grasp or Grasp()

    def as_known_by(self, level: str) -> OpferrouletteCraft:
        return OpferrouletteCraft(self.game, _GRASP.get(level, self.grasp))

    def look_ahead(
        self, worlds: Worlds, budget: Budget, random: Random, only: Collection[Key],
        depth: int | None,
    ) -> Found:  # fmt: skip
        return super().look_ahead(worlds, budget.at_most(self.grasp.playouts), random, only, depth)

    def states(self, view: SeatView) -> Callable[[Random], OpferrouletteState]:
        return worlds_of(self.game, view)

    def worlds(self, view: SeatView) -> Worlds:
        states = self.states(view)
        return lambda random: TurnByTurn(self, states(random), view.seat)

    def sees(self, view: SeatView) -> bool:
        return sees_own_hand(view)

    # -- what is promising ----------------------------------------------------------------

    def candidates(self, state: OpferrouletteState, moves: Sequence[Move]) -> Sequence[Move]:
        """Of moves that do the same with cards of one number, or fall with any card, one."""
        if state.phase is not Phase.TURN:
            return moves
        found: dict[object, Move] = {}
        for move in moves:
            verb = move.verb
            if verb in ("fall", "reverse", "done"):
                found.setdefault(verb, move)
            else:
                found.setdefault((verb, NUMBER[CARD[move.args[0]]]), move)
        return list(found.values())

    def priors(self, state: OpferrouletteState, moves: Sequence[Move]) -> Sequence[float]:
        if state.phase is not Phase.TURN:
            return _shelters(state, moves)
        outlook = Turn(state, state.turn, self.grasp.insight).outlook(moves)
        best = max(outlook)
        return [exp((one - best) / TEMPER) for one in outlook]

    def carry_on(self, state: OpferrouletteState, moves: Sequence[Move], random: Random) -> Move:
        if state.phase is not Phase.TURN:
            return random.choices(moves, weights=_shelters(state, moves))[0]
        outlook = Turn(state, state.turn, self.grasp.insight).outlook(moves)
        best, chosen = -99.0, moves[0]
        for move, value in zip(moves, outlook, strict=True):
            value += NOISE * random.random()
            if value > best:
                best, chosen = value, move
        return chosen

    def estimate(self, state: OpferrouletteState) -> Sequence[float]:
        """By the lead in points, which counts the more the fewer turns are left."""
        scores = state.scores()
        left = len(state.deck.pile) + 45 * (state.last_through - 1 - state.through)
        spread = 1.0 + 0.5 * sqrt(max(0, left))
        weights = [exp(2 * score / spread) for score in scores]
        total = sum(weights)
        return [weight / total for weight in weights]

    # -- why ------------------------------------------------------------------------------

    def reason(self, view: SeatView, state: OpferrouletteState, move: Move) -> Reason | None:
        return why(state, move)


def _shelters(state: OpferrouletteState, moves: Sequence[Move]) -> list[float]:
    """6.2 item 3: an offering is best off beside one that others would rather spare."""
    found = []
    for move in moves:
        pit = PIT.get(move.args[0]) if move.verb == "offer" else None
        if pit is None:
            found.append(1.0)
            continue
        here, beside = state.pits[pit], state.pits[pit ^ 1]
        weight = 1.0
        if here:
            weight = 0.3 if state.turn in here else 3.0
        if state.turn in beside:
            weight *= 0.7
        found.append(weight)
    return found
