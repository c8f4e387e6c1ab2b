"""Der Hohe Rat as a search sees it."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from rules.core import Actor, Move
from rules.games.hoher_rat.components import NONE
from rules.games.hoher_rat.state import RatState
from rules.players.craft import Craft
from rules.players.crafts.hoher_rat.promise import weighed, worth_a_look
from rules.players.crafts.hoher_rat.standing import FULL, Weights, hope_of_pro, won_by
from rules.players.crafts.open_loop import OpenLoop

TURNS = 3
"""Number of turns that end before a playout does."""


class Debate(OpenLoop):
    """A position whose playouts end after a few turns: there the standing tells more than chance
    would."""

    __slots__ = ("_looked_at", "_weights")

    def __init__(
        self, craft: Craft[RatState], state: RatState, seat: int, weights: Weights = FULL
    ) -> None:
        super().__init__(craft, state, seat)
        self._weights = weights
        self._looked_at: tuple[Sequence[Move], Sequence[float]] | None = None

    def clone(self) -> Debate:
        return Debate(self._craft, self._state.clone(), self._seat, self._weights)

    def keys(self) -> Sequence[Move]:
        self._looked_at = worth_a_look(self._state, self._legal(), self._weights)
        return self._looked_at[0]

    def priors(self, keys: Sequence[Move]) -> Sequence[float]:
        if self._looked_at is None or len(self._looked_at[0]) != len(keys):
            weights = self._craft.priors(self._state, keys)
        else:
            weights = weighed(self._looked_at[1])
        total = sum(weights)
        return [weight / total for weight in weights]

    def playout(self, random: Random) -> Sequence[float]:
        craft, state = self._craft, self._state
        turns = TURNS
        moves = self._legal()
        while moves:
            if len(moves) == 1:
                move = moves[0]
            elif moves[0].actor is Actor.PLAYER:
                move = craft.carry_on(state, moves, random)
            else:
                move = moves[int(random.random() * len(moves))]
            state.apply(move)
            if move.verb == "done":
                turns -= 1
                if not turns:
                    break
            moves = state.legal_moves()
        if state.winner == NONE:
            pro = hope_of_pro(state, self._weights)
            return [1 - pro if seat & 1 else pro for seat in range(state.players)]
        return won_by(state.winner, state.players)
