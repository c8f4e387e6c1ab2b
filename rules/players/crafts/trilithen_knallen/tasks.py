"""What a turn of Trilithen Knallen can be played for: the ram that brings most, if every card that
is turned up is right."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import ClassVar

from rules.core import Move
from rules.games.trilithen_knallen.components import COLOURS
from rules.games.trilithen_knallen.moves import MEANING
from rules.games.trilithen_knallen.ramming import strike
from rules.games.trilithen_knallen.state import Phase, TrilithenState
from rules.players.crafts.trilithen_knallen.promise import aim
from rules.players.player import Reason
from rules.players.tasks import Task

__all__ = ["TASKS", "BestRam"]


class BestRam(Task[TrilithenState]):
    """The place and the direction whose ram, and all that bounces off (5.4), brings most."""

    name: ClassVar[str] = "best_ram"
    fewest: ClassVar[int] = 4

    def begins(self, state: TrilithenState, seat: int, moves: Sequence[Move]) -> bool:
        return all(move.verb == "place" for move in moves) and not state.placed

    def before(self, state: TrilithenState, seat: int) -> int:
        return _captured(state, seat)

    def reached(self, state: TrilithenState, seat: int) -> int:
        if state.phase is not Phase.FLIP or state.turn != seat:
            return _captured(state, seat)
        trial = state.clone()
        trial.right = len(trial.needed)
        strike(trial)
        return _captured(trial, seat)

    def worth_a_look(
        self, state: TrilithenState, seat: int, moves: Sequence[Move]
    ) -> Sequence[Move]:
        return [move for move in moves if move.verb in ("place", "ram")]

    def first_idea(self, state: TrilithenState, seat: int, moves: Sequence[Move]) -> Move:
        """From where the way is longest."""

        def distance(move: Move) -> int:
            trial = state.clone()
            trial.apply(move)
            return max((one[3] for one in trial.rams), default=0)

        return max(moves, key=lambda move: (distance(move), move.text))

    def reason(self, state: TrilithenState, turn: Sequence[Move]) -> Reason:
        trial = state.clone()
        trial.apply(turn[0])
        _, colour, direction = MEANING[turn[1].text]
        one = aim(trial, colour, trial.place_of[colour], direction)
        assert one is not None
        direct = min(one.distance, trial.points[trial.owners[one.target]][one.target])
        trial.apply(turn[1])
        number = self.reached(trial, state.turn) - _captured(state, state.turn)
        if number > direct:
            return Reason.of("bounce_pays", target=COLOURS[one.target], number=number - direct)
        if one.distance > direct:
            return Reason.of("throws_off", target=COLOURS[one.target])
        return Reason.of("rams_far", target=COLOURS[one.target], number=direct)

    def same(self, state: TrilithenState) -> Hashable:
        return (
            tuple(state.place_of), state.phase, state.turn, state.placed, state.rammer,
            state.direction,
        )  # fmt: skip


TASKS = (BestRam,)


def _captured(state: TrilithenState, seat: int) -> int:
    """Points of others that a player holds."""
    return sum(
        points for colour, points in enumerate(state.points[seat]) if colour not in state.own[seat]
    )
