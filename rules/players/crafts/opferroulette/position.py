"""A match of Opferroulette played on turn by turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from rules.games.opferroulette.moves import DRAW, TURN
from rules.games.opferroulette.state import NO_COLOUR, OpferrouletteState, Phase
from rules.players.craft import Craft
from rules.players.crafts.open_loop import OpenLoop
from rules.players.crafts.opferroulette.turns import ALL, Insight, Turn

TURNS = 4
"""Number of turns that a playout thinks of."""


@dataclass(frozen=True, slots=True)
class Grasp:
    """Experience with the game."""

    insight: Insight = ALL
    turns: int = TURNS
    """Number of turns that a playout thinks of, before it ends with an estimate."""
    playouts: int | None = None
    """Most ways on that are weighed; None: as many as the level does."""


class TurnCraft(Craft[OpferrouletteState]):
    """The part of a craft that a playout needs."""

    grasp: Grasp
    noise: ClassVar[float]
    """Points by which a move is misjudged."""


class TurnByTurn(OpenLoop):
    """A position in which a playout plans whole turns, and ends after a few of them."""

    __slots__ = ()

    def clone(self) -> TurnByTurn:
        return TurnByTurn(self._craft, self._state.clone(), self._seat, open=self.open)

    def playout(self, random: Random) -> Sequence[float]:
        craft = self._craft
        assert isinstance(craft, TurnCraft)
        state: OpferrouletteState = self._state
        turns = craft.grasp.turns
        while turns:
            phase = state.phase
            if phase is Phase.TURN:
                if state.played or state.colour != NO_COLOUR:
                    moves = state.legal_moves()
                    state.apply(craft.carry_on(state, moves, random))
                    continue
                for move in Turn(state, state.turn, craft.grasp.insight).plan(random, craft.noise):
                    state.apply(move)
                turns -= 1
            elif phase is Phase.FALL:
                state.apply(TURN[random.choice(state.deck.pile or state.deck.discards)])
            elif phase is Phase.REFILL:
                cards = state.deck.pile or state.deck.discards
                state.apply(DRAW[state.turn][random.choice(cards)])
            else:
                return super().playout(random)
        while state.phase in (Phase.FALL, Phase.REFILL):
            cards = state.deck.pile or state.deck.discards
            table = TURN if state.phase is Phase.FALL else DRAW[state.turn]
            state.apply(table[random.choice(cards)])
        outcome = state.outcome()
        return craft.estimate(state) if outcome is None else craft.payoff(state, outcome)
