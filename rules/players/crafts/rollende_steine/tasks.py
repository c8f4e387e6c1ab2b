"""What a roll of Rollende Steine can be meant for; which gates it passes is touched."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import ClassVar

from rules.core import Move
from rules.games.rollende_steine import ROLL, RollendeSteineState
from rules.players.player import Reason
from rules.players.tasks import Task

__all__ = ["TASKS", "FilledHollows", "LastDisc"]


class LastDisc(Task[RollendeSteineState]):
    """The last disc must pass everything that is left (4.5, RS7)."""

    name: ClassVar[str] = "last_disc"

    def begins(self, state: RollendeSteineState, seat: int, moves: Sequence[Move]) -> bool:
        return state.phase == ROLL and _discs(state) == 1 and state.left.bit_count() > 1

    def reached(self, state: RollendeSteineState, seat: int) -> int:
        return int(not state.left)

    def ends(self, state: RollendeSteineState, move: Move) -> bool:
        return True

    def first_idea(self, state: RollendeSteineState, seat: int, moves: Sequence[Move]) -> Move:
        """One gate."""
        return next(move for move in moves if move.verb == "score" and "," not in move.args[0])

    def reason(self, state: RollendeSteineState, turn: Sequence[Move]) -> Reason:
        return Reason.of("all_at_once", gates=turn[0].args[0])

    def same(self, state: RollendeSteineState) -> Hashable:
        return state.left, tuple(state.marked), tuple(state.scorer), state.used, state.phase


class FilledHollows(LastDisc):
    """Discs in the hollows, and none left empty: there are only so many to mark gates with (RS2,
    RS16)."""

    name: ClassVar[str] = "filled_hollows"
    fewest: ClassVar[int] = 2

    def begins(self, state: RollendeSteineState, seat: int, moves: Sequence[Move]) -> bool:
        return state.phase == ROLL and state.left.bit_count() > 2

    def before(self, state: RollendeSteineState, seat: int) -> int:
        return self.reached(state, seat)

    def reached(self, state: RollendeSteineState, seat: int) -> int:
        own = [gate for gate, scorer in enumerate(state.scorer) if scorer == seat]
        return sum(1 if state.marked[gate] else -1 for gate in own)

    def first_idea(self, state: RollendeSteineState, seat: int, moves: Sequence[Move]) -> Move:
        """All that are left."""
        scored = [move for move in moves if move.verb == "score"]
        return max(scored, key=lambda move: len(move.args[0]))

    def reason(self, state: RollendeSteineState, turn: Sequence[Move]) -> Reason:
        seat = state.turn
        code = "own_disc_and_marks" if state.own[seat] else "marks_alone"
        return Reason.of(code, number=state.out[seat])


TASKS = (LastDisc, FilledHollows)


def _discs(state: RollendeSteineState) -> int:
    return sum(state.own) + sum(state.neutral)
