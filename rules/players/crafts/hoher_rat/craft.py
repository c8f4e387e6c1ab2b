"""How Der Hohe Rat is played well."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import ClassVar

from rules.core import Game, Move
from rules.core.matches import Outcome
from rules.games.hoher_rat.components import faction_of
from rules.games.hoher_rat.state import RatState
from rules.players.craft import Craft
from rules.players.crafts.hoher_rat.dealing import dealt_anew, hand_is_known
from rules.players.crafts.hoher_rat.position import Debate
from rules.players.crafts.hoher_rat.promise import looks, weighed, worth_a_look
from rules.players.crafts.hoher_rat.reasons import CODES, why
from rules.players.crafts.hoher_rat.standing import FULL, Weights, hope_of_pro, won_by
from rules.players.crafts.hoher_rat.tasks import TASKS
from rules.players.player import Reason
from rules.players.position import Worlds
from rules.players.tasks import Task
from rules.players.view import SeatView

__all__ = ["Council"]

NOISE = 0.1
"""Logits by which people in a playout misjudge a move."""


KNOWN_BY = {"apprentice": Weights(group=0.1), "druid": Weights(group=0.2)}
"""What counts for players of a level."""


class Council(Craft[RatState]):
    """Extend one's own blocks in large groups, break those of the others where it is cheap."""

    reasons: ClassVar = CODES

    def __init__(self, game: Game[RatState], weights: Weights = FULL) -> None:
        super().__init__(game)
        self.weights = weights

    # -- what is hidden -------------------------------------------------------------------

    def sees(self, view: SeatView) -> bool:
        return hand_is_known(view)

    def states(self, view: SeatView) -> Callable[[Random], RatState]:
        return dealt_anew(self.game, view)

    def worlds(self, view: SeatView) -> Worlds:
        states = self.states(view)
        return lambda random: Debate(self, states(random), view.seat, self.weights)

    # -- what is promising ----------------------------------------------------------------

    def candidates(self, state: RatState, moves: Sequence[Move]) -> Sequence[Move]:
        return worth_a_look(state, moves, self.weights)[0]

    def priors(self, state: RatState, moves: Sequence[Move]) -> Sequence[float]:
        return weighed(looks(state, moves, self.weights))

    def carry_on(self, state: RatState, moves: Sequence[Move], random: Random) -> Move:
        best, chosen = -99.0, moves[0]
        for move, score in zip(moves, looks(state, moves, self.weights), strict=True):
            score += NOISE * random.random()
            if score > best:
                best, chosen = score, move
        return chosen

    # -- what it is worth -----------------------------------------------------------------

    def estimate(self, state: RatState) -> Sequence[float]:
        pro = hope_of_pro(state, self.weights)
        return [1 - pro if faction_of(seat) else pro for seat in range(state.players)]

    def payoff(self, state: RatState, outcome: Outcome) -> Sequence[float]:
        """Partners win and lose together."""
        return won_by(faction_of(outcome.ranking[0][0]), state.players)

    # -- how much is known ----------------------------------------------------------------

    def as_known_by(self, level: str) -> Council:
        """Weaker players think too little of keeping a colour together."""
        return Council(self.game, KNOWN_BY.get(level, FULL))

    def tasks(self) -> Sequence[type[Task[RatState]]]:
        return TASKS

    # -- why ------------------------------------------------------------------------------

    def reason(self, view: SeatView, state: RatState, move: Move) -> Reason | None:
        return why(state, move)
