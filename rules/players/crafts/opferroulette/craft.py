"""How Opferroulette is played well."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from math import exp, sqrt
from random import Random
from typing import ClassVar

from rules.core import Game, Move
from rules.games.opferroulette.components import CARD, NUMBER, PIT
from rules.games.opferroulette.state import OpferrouletteState, Phase
from rules.players.crafts.opferroulette.hidden import sees_own_hand, worlds_of
from rules.players.crafts.opferroulette.position import Grasp, TurnByTurn, TurnCraft
from rules.players.crafts.opferroulette.reasons import CODES, why
from rules.players.crafts.opferroulette.turns import Insight, Turn
from rules.players.player import Budget, Reason
from rules.players.position import Key, Worlds
from rules.players.search import Found
from rules.players.view import SeatView

__all__ = ["OpferrouletteCraft"]

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
