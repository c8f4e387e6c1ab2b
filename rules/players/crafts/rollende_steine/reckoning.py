"""Lessons from the rolls of a match: how well gates are met, and where the cushions lie.

The record names neither the gate that a disc was meant for nor the place of a cushion (4.7). Both
are reckoned as if all players had followed the advice given here: a cushion lies beside the way to
the gate then aimed at, and a roll counts for or against that gate. The chance of a gate is the mean
of a Beta distribution: ``TRUST`` imagined rolls that went as the model says, and the real ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rules.core import Game, Move
from rules.games.rollende_steine.components import GATES, MOST_RELOCATED
from rules.games.rollende_steine.game import RollendeSteinePosition
from rules.players.crafts.rollende_steine.accuracy import SHORT, STRAYS_ON, Shot, gates_of, shots_at
from rules.players.view import SeatView

TRUST = 8.0
"""Rolls at a gate that count as much as the model."""
MOST_USEFUL = 8
"""Most cushions beside one way that help (assumed)."""
STEADY = 0.03
"""Gates a roll by which staying with a gate is better for each cushion that lies beside the way to
it: to begin elsewhere would part the cushions."""
_ROLLS_SHORT = 2.0
"""Imagined rolls behind ``SHORT``."""


@dataclass(frozen=True, slots=True)
class Skill:
    """An adviser's knowledge of shots."""

    lines: bool = True
    """If set, one roll may pass several gates in a line."""
    cushions: bool = True
    """If set, cushions are put together beside one way."""
    learns: bool = True
    """If set, the results of the rolls in this match count."""


@dataclass(slots=True)
class Reckoning:
    """The knowledge of the shots in one match."""

    shots: tuple[tuple[Shot, ...], ...]
    skill: Skill
    beside: list[int] = field(default_factory=lambda: [0] * len(GATES))
    """Cushions beside the way to each gate."""
    met: list[float] = field(default_factory=lambda: [0.0] * len(GATES))
    missed: list[float] = field(default_factory=lambda: [0.0] * len(GATES))
    """Rolls at each gate that passed it, or did not."""
    short: list[float] = field(default_factory=lambda: [0.0, 0.0])
    """Rolls that got across the run-up zone, and that did not."""

    @classmethod
    def of(cls, game: Game[RollendeSteinePosition], view: SeatView, skill: Skill) -> Reckoning:
        """The reckoning from all moves of a match so far."""
        course = view.options["course"]
        found = cls(shots_at(gates_of(course, game.touch.build(view.options))), skill)
        state = game.setup(view.players, game.complete_options(view.players, view.options), False)
        step, aimed = "roll", None
        for move in view.moves:
            if move.player is not None:
                step = move.verb
                aimed = found.aim(state.left, step)
                found.lay(step, aimed.aim, state.left)
            elif aimed is not None:
                found.heed(move, aimed)
            state.apply(move)
        return found

    def with_cushions(self) -> Reckoning:
        """A copy whose cushions may be moved; what was seen is shared."""
        return Reckoning(
            self.shots, self.skill, self.beside[:], self.met, self.missed, self.short
        )  # fmt: skip

    # -- choosing -------------------------------------------------------------------------

    def aim(self, left: int, step: str = "roll", form: Sequence[float] | None = None) -> Shot:
        """The shot that passes most of the gates ``left`` on the average, after a step."""
        form = form or self.form()
        best, chosen = -1.0, None
        for gate, shots in enumerate(self.shots):
            if not left >> gate & 1:
                continue
            beside = self.laid(step, gate, left)
            for shot in shots if self.skill.lines else shots[:1]:
                value = self.hoped(shot, left, beside, form[gate]) + STEADY * beside
                if value > best:
                    best, chosen = value, shot
        assert chosen is not None
        return chosen

    def hoped(self, shot: Shot, left: int, beside: int, form: float) -> float:
        """Number of the gates ``left`` that a shot passes on the average."""
        if not self.skill.lines:
            met = form * shot.chance(shot.aim)
            return met + (1 - met) * (1 - STRAYS_ON**beside)
        met, gates = 0.0, 0.0
        for bits, part in shot.passes:
            passed = bits & left
            if passed:
                met += part
                gates += part * passed.bit_count()
        return form * gates + max(0.0, 1 - form * met) * (1 - STRAYS_ON**beside)

    def laid(self, step: str, gate: int, left: int) -> int:
        """Cushions beside the way to a gate after a step for it."""
        if not self.skill.cushions:
            return 0
        beside = self.beside[gate] + (step == "cushion")
        if step == "relocate":
            beside += min(MOST_RELOCATED, self.idle(gate, left))
        return min(MOST_USEFUL, beside)

    def idle(self, gate: int, left: int) -> int:
        """Cushions that help no gate still to be passed, or one other than ``gate``."""
        passed = sum(n for g, n in enumerate(self.beside) if not left >> g & 1)
        return passed or sum(self.beside) - self.beside[gate]

    def form(self) -> list[float]:
        """Factor by which each gate is met more often than the model says."""
        if not self.skill.learns:
            return [1.0] * len(GATES)
        return [mean / self.model(gate) for gate, mean in enumerate(map(self.mean, range(5)))]

    def model(self, gate: int) -> float:
        """Chance of the surest shot at a gate to pass it, by the model."""
        return max(0.01, self.shots[gate][0].chance(gate))

    def mean(self, gate: int) -> float:
        """The same, by the model and the rolls of this match."""
        a, b = self.beta(gate)
        return a / (a + b)

    def beta(self, gate: int) -> tuple[float, float]:
        """The two parameters of the Beta distribution of a gate's chance."""
        model = self.model(gate)
        return TRUST * model + self.met[gate], TRUST * (1 - model) + self.missed[gate]

    @property
    def stops_short(self) -> float:
        """Part of the rolls that do not get across the run-up zone."""
        across, short = self.short if self.skill.learns else (0.0, 0.0)
        return (SHORT * _ROLLS_SHORT + short) / (_ROLLS_SHORT + across + short)

    # -- watching -------------------------------------------------------------------------

    def lay(self, step: str, gate: int, left: int) -> None:
        """A cushion step for the way to a gate was carried out."""
        if step == "cushion":
            self.beside[gate] += 1
        elif step == "relocate":
            self.move(gate, left)

    def move(self, gate: int, left: int) -> None:
        """Cushions of gates that are passed already, or else of others, go to ``gate``."""
        passed = [g for g in range(len(GATES)) if not left >> g & 1 and g != gate]
        others = passed if any(self.beside[g] for g in passed) else range(len(GATES))
        for _ in range(MOST_RELOCATED):
            source = max((g for g in others if g != gate), key=self.beside.__getitem__)
            if self.beside[source]:
                self.beside[source] -= 1
                self.beside[gate] += 1

    def heed(self, move: Move, shot: Shot) -> None:
        """Take account of what a disc did that was rolled as ``shot``."""
        if move.verb == "short":
            self.short[1] += 1
            return
        self.short[0] += 1
        passed = move.args[0].split(",") if move.verb == "score" else []
        # A cushion's part in it is taken out, so that the gate itself is judged.
        beside = min(MOST_USEFUL, self.beside[shot.aim])
        met = self.hoped(shot, 1 << shot.aim, 0, 1.0)
        guided = met + (1 - met) * (1 - STRAYS_ON**beside)
        if GATES[shot.aim] in passed:
            self.met[shot.aim] += met / guided if guided else 1.0
        else:
            self.missed[shot.aim] += 1.0
