"""A screen: drawings of the courses, and news of a disc."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rules.core import Block, Build, Move, Options, Result, Touch
from rules.games.rollende_steine.components import GATES, STEP
from rules.games.rollende_steine.moves import ROLL_DISC
from rules.games.rollende_steine.state import RollendeSteineState

# The book's drawings of the courses are lost (4.3), so these are suggestions by name, and say so.
_BUILDS = {
    "podest": ("front", ((-1.5, 0), (-0.5, 0), (0.5, 0), (1.5, 0), (0, 1))),
    "pyramide": ("front", ((-1, 0), (0, 0), (1, 0), (-0.5, 1), (0.5, 1))),
    "mauer": ("front", ((-2, 0), (-1, 0), (0, 0), (1, 0), (2, 0))),
    "dach": ("top", ((-1.4, -0.7, 35), (-0.7, 0, 35), (0, 0.4), (0.7, 0, -35), (1.4, -0.7, -35))),
    "keil": ("top", ((0, -0.9), (-0.8, -0.1), (0.8, -0.1), (-1.6, 0.7), (1.6, 0.7))),
    "treppe": ("top", ((-1.8, -1), (-0.9, -0.5), (0, 0), (0.9, 0.5), (1.8, 1))),
    "mann": (
        "top", ((0, 1.2), (-0.8, 0.4, 20), (0.8, 0.4, -20), (-0.4, -0.8, 75), (0.4, -0.8, -75)),
    ),
    "wasserlaeufer": (
        "top", ((0, 0), (-1.1, 0.8, -40), (1.1, 0.8, 40), (-1.1, -0.8, 40), (1.1, -0.8, -40)),
    ),
}  # fmt: skip


class RollendeSteineTouch(Touch[RollendeSteineState]):
    """The game at a screen: touches and pictures."""

    beside = frozenset({"board"})
    signs: ClassVar = {"miss": "✕", "short": "↩"}

    def build(self, options: Options) -> Build | None:
        if options["course"] not in _BUILDS:
            return None
        seen, places = _BUILDS[options["course"]]
        return Build(seen, tuple(Block("trilithon", *place) for place in places))

    def usual(self, state: RollendeSteineState, moves: Sequence[Move]) -> Move | None:
        """A turn is a roll; the result of the disc is not known beforehand."""
        return ROLL_DISC[state.turn] if moves and state.phase == STEP else None

    def result(
        self, before: RollendeSteineState, move: Move, after: RollendeSteineState
    ) -> Result | None:
        """A gate that was passed; of a miss its player has just told."""
        if move.verb != "score":
            return None
        gates = len(GATES) - after.left.bit_count()
        wheels = sum(after.own) + sum(after.neutral)
        params = (("gates", move.args[0]), ("player", before.turn), ("next", after.turn))
        code = "through" if after.left else "all_through"
        facts = (("passed", gates), ("wheels", wheels))
        return Result(code, True, "", move.args[0].split(",")[0], params, facts)
