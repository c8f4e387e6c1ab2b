"""The craft of Rollende Steine: a player gives advice about shots.

A move of the rules only says if a cushion is laid, relocated or left alone; the gate to roll at,
and from where, is in the reason.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from random import Random
from typing import ClassVar

from rules.core import Game, Move
from rules.games.rollende_steine.components import GATES, ROLL
from rules.games.rollende_steine.game import RollendeSteinePosition
from rules.players.craft import Craft
from rules.players.crafts.rollende_steine.accuracy import Shot
from rules.players.crafts.rollende_steine.position import RollingPosition, worth
from rules.players.crafts.rollende_steine.reckoning import Reckoning, Skill
from rules.players.player import Reason
from rules.players.position import Worlds
from rules.players.tasks import Task
from rules.players.view import SeatView

# Tasks for a roll of Rollende Steine; the gates that it passes are touched.


class LastDisc(Task[RollendeSteinePosition]):
    """The last disc must pass everything that is left (4.5, RS7)."""

    name: ClassVar[str] = "last_disc"

    def begins(self, state: RollendeSteinePosition, seat: int, moves: Sequence[Move]) -> bool:
        return state.phase == ROLL and _discs(state) == 1 and state.left.bit_count() > 1

    def reached(self, state: RollendeSteinePosition, seat: int) -> int:
        return int(not state.left)

    def ends(self, state: RollendeSteinePosition, move: Move) -> bool:
        return True

    def first_idea(self, state: RollendeSteinePosition, seat: int, moves: Sequence[Move]) -> Move:
        """One gate."""
        return next(move for move in moves if move.verb == "score" and "," not in move.args[0])

    def reason(self, state: RollendeSteinePosition, turn: Sequence[Move]) -> Reason:
        return Reason.of("all_at_once", gates=turn[0].args[0])

    def same(self, state: RollendeSteinePosition) -> Hashable:
        return state.left, tuple(state.marked), tuple(state.scorer), state.used, state.phase


class FilledHollows(LastDisc):
    """Discs in the hollows, and none left empty: the number to mark gates with is limited (RS2,
    RS16)."""

    name: ClassVar[str] = "filled_hollows"
    fewest: ClassVar[int] = 2

    def begins(self, state: RollendeSteinePosition, seat: int, moves: Sequence[Move]) -> bool:
        return state.phase == ROLL and state.left.bit_count() > 2

    def before(self, state: RollendeSteinePosition, seat: int) -> int:
        return self.reached(state, seat)

    def reached(self, state: RollendeSteinePosition, seat: int) -> int:
        own = [gate for gate, scorer in enumerate(state.scorer) if scorer == seat]
        return sum(1 if state.marked[gate] else -1 for gate in own)

    def first_idea(self, state: RollendeSteinePosition, seat: int, moves: Sequence[Move]) -> Move:
        """All that are left."""
        scored = [move for move in moves if move.verb == "score"]
        return max(scored, key=lambda move: len(move.args[0]))

    def reason(self, state: RollendeSteinePosition, turn: Sequence[Move]) -> Reason:
        seat = state.turn
        code = "own_disc_and_marks" if state.own[seat] else "marks_alone"
        return Reason.of(code, number=state.out[seat])


TASKS = (LastDisc, FilledHollows)


def _discs(state: RollendeSteinePosition) -> int:
    return sum(state.own) + sum(state.neutral)


_SKILLS = {
    "apprentice": Skill(lines=False, cushions=False, learns=False),
    "druid": Skill(lines=False),
}
_ASIDE = 60.0
"""Distance in mm from the middle of the edge from which a start is called left or right."""
_BETTER = 1.25
"""Factor by which a gate was met more often than expected that is worth a word."""
_FEW = 5
"""Number of discs left from which it is said that they are few."""


class RollendeSteineCraft(Craft[RollendeSteinePosition]):
    """Aim where most gates are passed on the average; put the cushions beside one way."""

    reasons: ClassVar[tuple[str, ...]] = (
        "aim_last", "aim_line", "aim_met_well", "aim_few_discs", "aim_surest", "cushion_first",
        "cushion_more", "relocate_idle", "relocate_here",
    )  # fmt: skip

    def __init__(self, game: Game[RollendeSteinePosition], skill: Skill | None = None) -> None:
        super().__init__(game)
        self.skill = skill or Skill()

    def as_known_by(self, level: str) -> RollendeSteineCraft:
        return RollendeSteineCraft(self.game, _SKILLS.get(level))

    def hides(self, view: SeatView) -> bool:
        """True: the chances to meet the gates are not known for certain."""
        return True

    def worlds(self, view: SeatView) -> Worlds:
        state = self.game.from_json(view.state)
        reckoning = Reckoning.of(self.game, view, self.skill)
        discs = state.used + sum(state.own) + sum(state.neutral)

        def world(random: Random) -> RollingPosition:
            form = [1.0] * len(GATES)
            if self.skill.learns:
                form = [
                    random.betavariate(*reckoning.beta(gate)) / reckoning.model(gate)
                    for gate in range(len(GATES))
                ]
            return RollingPosition(state, reckoning.with_cushions(), form, discs)

        return world

    def estimate(self, state: RollendeSteinePosition) -> tuple[float, ...]:
        discs = state.used + sum(state.own) + sum(state.neutral)
        return (worth(state.left, state.used, discs),) * len(state.own)

    def shot(self, view: SeatView, step: str) -> Shot:
        """The shot to be rolled after ``step``: ``roll``, ``cushion`` or ``relocate``."""
        left = self.game.from_json(view.state).left
        return Reckoning.of(self.game, view, self.skill).aim(left, step)

    def tasks(self) -> Sequence[type[Task[RollendeSteinePosition]]]:
        return TASKS

    # -- why ------------------------------------------------------------------------------

    def reason(self, view: SeatView, state: RollendeSteinePosition, move: Move) -> Reason | None:
        if move.player is None:
            return None
        reckoning = Reckoning.of(self.game, view, self.skill)
        shot = reckoning.aim(state.left, move.verb)
        gate, number = GATES[shot.aim], reckoning.laid(move.verb, shot.aim, state.left)
        start = _named(shot.start)
        if move.verb == "cushion":
            code = "cushion_more" if number > 1 else "cushion_first"
            return Reason.of(code, gate=gate, start=start, number=number)
        if move.verb == "relocate":
            passed = any(n and not state.left >> g & 1 for g, n in enumerate(reckoning.beside))
            return Reason.of("relocate_idle" if passed else "relocate_here", gate=gate, start=start)
        return self._aimed(reckoning, state, shot, start)

    def _aimed(
        self, reckoning: Reckoning, state: RollendeSteinePosition, shot: Shot, start: str
    ) -> Reason:
        gate, left = GATES[shot.aim], state.left
        if left == 1 << shot.aim:
            return Reason.of("aim_last", gate=gate, start=start)
        behind = [g for g in range(len(GATES)) if left >> g & 1 and shot.chance(g) > 0.1]
        if len(behind) > 1 and self.skill.lines:
            gates = ",".join(GATES[g] for g in behind)
            return Reason.of("aim_line", gate=gate, start=start, gates=gates)
        if self.skill.learns and reckoning.mean(shot.aim) > _BETTER * reckoning.model(shot.aim):
            return Reason.of("aim_met_well", gate=gate, start=start)
        discs = sum(state.own) + sum(state.neutral)
        code = "aim_few_discs" if discs <= _FEW else "aim_surest"
        return Reason.of(code, gate=gate, start=start, number=discs)


def _named(start: float) -> str:
    """The place from which to roll, as a word of the texts."""
    return "from_middle" if abs(start) < _ASIDE else "from_left" if start < 0 else "from_right"
