"""The clock that a match is played with, if its players want one: which kind, and how much time."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from math import ceil
from typing import Final, Self


class ClockKind(StrEnum):
    """The time that is measured."""

    PLAYER = "player"
    """All the time that a player thinks in the whole match."""
    TURN = "turn"
    """A sand timer: what a player thinks in one turn."""


@dataclass(frozen=True, slots=True)
class ClockPlan:
    """A clock as it was chosen before a match; its text is ``player 900+10`` or ``turn 60``."""

    kind: ClockKind
    seconds: int
    """Time that there is: for the match, or for each turn."""
    increment_s: int = 0
    """Time that a player gets back at the end of each of their turns; 0 with a sand timer."""

    def __str__(self) -> str:
        plus = f"+{self.increment_s}" if self.increment_s else ""
        return f"{self.kind} {self.seconds}{plus}"

    @classmethod
    def first(cls, kind: ClockKind) -> Self:
        """The plan that is offered before any times have been chosen."""
        return cls(kind, 900, 10) if kind is ClockKind.PLAYER else cls(kind, 60)


TIMES_S: Final = {
    ClockKind.PLAYER: (300, 600, 900, 1200, 1800, 2700, 3600),
    ClockKind.TURN: (30, 60, 90, 120, 180, 300),
}
"""The times that can be chosen."""
INCREMENTS_S: Final = (0, 5, 10, 30)
"""Increments that can be chosen."""

LONGEST_S: Final = 24 * 3600
_TEXT = re.compile(r"(player|turn) ([1-9][0-9]{0,4})(?:\+([0-9]{1,3}))?")


def clock_plan(text: str) -> ClockPlan | None:
    """The clock of a text; None if it is empty, or says nothing that can be played with."""
    found = _TEXT.fullmatch(text)
    if found is None or int(found[2]) > LONGEST_S:
        return None
    kind = ClockKind(found[1])
    if kind is ClockKind.TURN and found[3] is not None:
        return None
    return ClockPlan(kind, int(found[2]), int(found[3] or 0))


def clock_figures(seconds: float) -> str:
    """Minutes and seconds, ``9:41``; 0:00 only when none is left."""
    minutes, rest = divmod(ceil(max(seconds, 0.0)), 60)
    return f"{minutes}:{rest:02d}"
