"""How Trilithen Knallen is played well."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp
from random import Random
from typing import ClassVar

from rules.core import Move
from rules.games.trilithen_knallen.components import POINTS
from rules.games.trilithen_knallen.state import GONE, TrilithenState
from rules.players.craft import Craft
from rules.players.crafts.trilithen_knallen.dealing import dealt_anew, hand_is_known
from rules.players.crafts.trilithen_knallen.memory import forgetful
from rules.players.crafts.trilithen_knallen.position import Race
from rules.players.crafts.trilithen_knallen.promise import candidates, looks
from rules.players.crafts.trilithen_knallen.reasons import CODES, why
from rules.players.crafts.trilithen_knallen.tasks import TASKS
from rules.players.player import Reason
from rules.players.position import Worlds
from rules.players.tasks import Task
from rules.players.view import SeatView

__all__ = ["Demolition"]

TEMPER = 2.0
"""Points by which a move must look better to seem e times as promising."""
FLOOR = 0.02
"""How promising even the worst move seems, compared with the best."""
NOISE = 0.5
"""Points by which people in a playout misjudge a move."""

# In logits: fitted by logistic regression to matches that ``Demolition`` played against itself.
POINT = 0.2
"""What a structure point of one's own is worth."""
TRILITHON = 1.1
"""What a trilithon is worth besides its points."""
TURN = 0.2
"""What it is worth to be at turn."""


class Demolition(Craft[TrilithenState]):
    """Stand where a ram reaches somebody whose colours are remembered."""

    reasons: ClassVar = CODES

    # -- what is hidden -------------------------------------------------------------------

    def sees(self, view: SeatView) -> bool:
        return hand_is_known(view)

    def states(self, view: SeatView) -> Callable[[Random], TrilithenState]:
        return dealt_anew(self.game, view)

    def worlds(self, view: SeatView) -> Worlds:
        states = self.states(view)
        return lambda random: Race(self, states(random), view.seat)

    def forgetful(self, view: SeatView, memory: float, random: Random) -> SeatView:
        return forgetful(view, memory)

    # -- what is promising ----------------------------------------------------------------

    def candidates(self, state: TrilithenState, moves: Sequence[Move]) -> Sequence[Move]:
        return candidates(state, moves)

    def obvious(self, state: TrilithenState, moves: Sequence[Move]) -> Move | None:
        """The card to be turned up or looked at: all that might be turned are alike."""
        few = candidates(state, moves)
        return few[0] if len(few) == 1 else None

    def priors(self, state: TrilithenState, moves: Sequence[Move]) -> Sequence[float]:
        scores = looks(state, moves)
        best = max(scores)
        return [FLOOR + exp((score - best) / TEMPER) for score in scores]

    def carry_on(self, state: TrilithenState, moves: Sequence[Move], random: Random) -> Move:
        few = candidates(state, moves)
        if len(few) == 1:
            return few[0]
        best, chosen = -1.0, few[0]
        for move, score in zip(few, looks(state, few), strict=True):
            score += NOISE * random.random()
            if score > best:
                best, chosen = score, move
        return chosen

    # -- what it is worth -----------------------------------------------------------------

    def estimate(self, state: TrilithenState) -> Sequence[float]:
        """By what everybody has left to lose."""
        strong = []
        for seat, colours in enumerate(state.own):
            points, left = state.points[seat], 0.0
            for colour in colours:
                if state.place_of[colour] != GONE:
                    left += TRILITHON + POINT * points[colour]
            if left:
                left += state.lives[seat] * (TRILITHON + POINT * POINTS)
                left += TURN * (seat == state.turn)
            strong.append(exp(left) if left else 0.0)
        total = sum(strong)
        return [one / total for one in strong]

    def tasks(self) -> Sequence[type[Task[TrilithenState]]]:
        return TASKS

    # -- why ------------------------------------------------------------------------------

    def reason(self, view: SeatView, state: TrilithenState, move: Move) -> Reason | None:
        return why(state, move)
