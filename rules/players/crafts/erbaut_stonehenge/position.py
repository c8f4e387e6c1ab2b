"""A match of Erbaut Stonehenge! played on turn by turn."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import cast

from rules.core import Actor, Move
from rules.games.erbaut_stonehenge.moves import (
    DISCARD_UNSEEN,
    OP_DISCARD,
    OP_PLAY,
    PLAY_UNSEEN,
    step_of,
)
from rules.games.erbaut_stonehenge.state import ErbautState
from rules.players.craft import Craft
from rules.players.crafts.erbaut_stonehenge.prospects import ALL, Insight, Prospects
from rules.players.crafts.open_loop import OpenLoop
from rules.players.position import Key

TURNS = 6
"""Number of turns that a playout thinks of."""


@dataclass(frozen=True, slots=True)
class Grasp:
    """Experience with the game."""

    insight: Insight = ALL
    turns: int = TURNS
    """Number of turns that a playout thinks of, before it ends with an estimate."""
    playouts: int | None = None
    """Most ways on that are weighed; None: as many as the level does."""


class TurnCraft(Craft[ErbautState]):
    """The part of a craft that a playout needs."""

    grasp: Grasp

    @abstractmethod
    def picked(self, prospects: Prospects, moves: Sequence[Move], random: Random) -> Move:
        """The move that looks best, give or take what people misjudge."""


class TurnByTurn(OpenLoop):
    """A position whose playouts end after a few turns."""

    __slots__ = ()

    def clone(self) -> TurnByTurn:
        return type(self)(self._craft, self._state.clone(), self._seat, open=self.open)

    def playout(self, random: Random) -> Sequence[float]:
        craft = self._craft
        assert isinstance(craft, TurnCraft)
        state: ErbautState = self._state
        turns, turn, moves = craft.grasp.turns, state.turn, self._legal()
        prospects, standing = Prospects(state, craft.grasp.insight), state.to_build
        while moves:
            if len(moves) == 1:
                move = moves[0]
            elif moves[0].actor is not Actor.PLAYER:
                move = moves[int(random.random() * len(moves))]
            else:
                if state.to_build != standing:
                    # The worth of sites changes only when something is built.
                    prospects, standing = Prospects(state, craft.grasp.insight), state.to_build
                move = craft.picked(prospects, moves, random)
            state.apply(move)
            if state.turn != turn:
                turn = state.turn
                turns -= 1
                if not turns:
                    break
            moves = state.legal_moves()
        outcome = state.outcome()
        return craft.estimate(state) if outcome is None else craft.payoff(state, outcome)


class RealTable(TurnByTurn):
    """At a real table it is not seen which card is laid face down."""

    __slots__ = ()

    def move(self, key: Key) -> Move:
        move = super().move(key)
        step, state = step_of(move), cast("ErbautState", self._state)
        if step.op == OP_PLAY and not step.a & 1:
            return PLAY_UNSEEN[step.seat]
        if step.op == OP_DISCARD and state.yard[step.seat] != step.a:
            return DISCARD_UNSEEN[step.seat]
        return move
