"""Trilithen Knallen as a search sees it."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from rules.core import Actor, Move
from rules.games.trilithen_knallen.state import Phase, TrilithenState
from rules.players.craft import Craft
from rules.players.crafts.open_loop import OpenLoop
from rules.players.crafts.trilithen_knallen.promise import candidates

TURNS = 4
"""Number of turns that begin before a playout ends."""


class Race(OpenLoop):
    """A position in which cards are turned as a matter of course: a ramming player turns a card
    that fits if they remember one, and else one they have never seen."""

    __slots__ = ()

    def __init__(self, craft: Craft[TrilithenState], state: TrilithenState, seat: int) -> None:
        super().__init__(craft, state, seat)

    def clone(self) -> Race:
        return Race(self._craft, self._state.clone(), self._seat)

    def play(self, key: Move) -> None:
        super().play(key)
        while True:
            moves = self._legal()
            if not moves or moves[0].actor is not Actor.PLAYER:
                return
            few = candidates(self._state, moves)
            if len(few) > 1:
                return
            super().play(few[0])

    def playout(self, random: Random) -> Sequence[float]:
        craft, state = self._craft, self._state
        turns = TURNS
        moves = self._legal()
        while moves:
            if state.phase is Phase.PLACE and not state.placed:
                if not turns:
                    return craft.estimate(state)
                turns -= 1
            if len(moves) == 1:
                move = moves[0]
            elif moves[0].actor is Actor.PLAYER:
                move = craft.carry_on(state, moves, random)
            else:
                move = moves[int(random.random() * len(moves))]
            state.apply(move)
            moves = state.legal_moves()
        outcome = state.outcome()
        assert outcome is not None
        return craft.payoff(state, outcome)
