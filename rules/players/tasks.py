"""Tasks of one turn, solved by following every way through the turn to its end.

Such a puzzle asks for no chances: a turn brings so much and no more, and the one that brings most
is found by trying all. What somebody else decides later plays no part in it.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from enum import Enum
from random import Random
from typing import ClassVar, Generic

from rules.core import Move, S
from rules.players.player import Reason

MOST_POSITIONS = 20_000


class Luck(Enum):
    """What chance within a turn means for its task."""

    ENDS = "ends"
    """What counts is over by then."""
    WORST = "worst"
    """Only what comes about whatever chance brings counts."""
    ANY = "any"
    """What chance brings cannot matter any more in this turn."""


class Task(ABC, Generic[S]):
    """What a turn can be played for, and how much of it is reached."""

    name: ClassVar[str]
    """Key of the section ``puzzles`` of the game's texts; ``NAME_less`` is said of a wrong move."""
    luck: ClassVar[Luck] = Luck.ENDS
    fewest: ClassVar[int] = 1
    """So much more than at first sight a turn must bring to be worth a puzzle."""

    most: ClassVar[int] = MOST_POSITIONS
    """A turn that leads to more positions is not followed to its end."""

    @abstractmethod
    def begins(self, state: S, seat: int, moves: Sequence[Move]) -> bool:
        """Whether the task may be set at this decision of ``seat``."""

    @abstractmethod
    def reached(self, state: S, seat: int) -> int:
        """How much is reached if nothing is done any more but ``settle``."""

    def before(self, state: S, seat: int) -> int:
        """How much of it there was before the turn; the rest is what the turn brings."""
        return 0

    def settle(self, state: S, seat: int) -> Sequence[Move]:
        """What goes without saying then, up to what is ``reached``."""
        return ()

    def worth_a_look(self, state: S, seat: int, moves: Sequence[Move]) -> Sequence[Move]:
        """Those of ``moves`` that may bring more than is ``reached``."""
        return moves

    def ends(self, state: S, move: Move) -> bool:
        """Whether nothing is left to decide after ``move`` that could bring more."""
        return False

    def first_idea(self, state: S, seat: int, moves: Sequence[Move]) -> Move | None:
        """What somebody does who does not look twice, and it must fail; None: that is ``reached``
        at the beginning."""
        return None

    @abstractmethod
    def reason(self, state: S, turn: Sequence[Move]) -> Reason:
        """Why ``turn`` solves it."""

    def played(self, state: S, moves: Sequence[Move], random: Random) -> Move | None:
        """How people play in whose matches such turns come up; None: as everybody does."""
        return None

    def same(self, state: S) -> Hashable:
        """Positions that are the same for this task have the same key."""
        return json.dumps(state.to_json(), sort_keys=True)
