"""Tasks of one turn, solved by following every way through the turn to its end.

Such a puzzle asks for no chances: the gain of a turn is certain, and the turn that brings most is
found by trying all. Later decisions of others play no part in it.
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
    """The part that chance within a turn plays for its task."""

    ENDS = "ends"
    """All that counts is over by then."""
    WORST = "worst"
    """A gain counts only if it comes about whatever chance brings."""
    ANY = "any"
    """Chance cannot matter any more in this turn."""


class Task(ABC, Generic[S]):
    """An aim of a turn, and how much of it is reached."""

    name: ClassVar[str]
    """Key of the section ``puzzles`` of the game's texts; ``NAME_less`` is said of a wrong move."""
    luck: ClassVar[Luck] = Luck.ENDS
    fewest: ClassVar[int] = 1
    """Amount that a turn must bring more than at first sight to be worth a puzzle."""

    most: ClassVar[int] = MOST_POSITIONS
    """A turn that leads to more positions is not followed to its end."""

    @abstractmethod
    def begins(self, state: S, seat: int, moves: Sequence[Move]) -> bool:
        """True if the task may be set at this decision of ``seat``."""

    @abstractmethod
    def reached(self, state: S, seat: int) -> int:
        """The amount reached if nothing is done any more but ``settle``."""

    def before(self, state: S, seat: int) -> int:
        """The amount before the turn; the rest is what the turn brings."""
        return 0

    def settle(self, state: S, seat: int) -> Sequence[Move]:
        """Moves that go without saying then, up to what is ``reached``."""
        return ()

    def worth_a_look(self, state: S, seat: int, moves: Sequence[Move]) -> Sequence[Move]:
        """The ``moves`` that may bring more than is ``reached``."""
        return moves

    def ends(self, state: S, move: Move) -> bool:
        """True if nothing is left to decide after ``move`` that could bring more."""
        return False

    def first_idea(self, state: S, seat: int, moves: Sequence[Move]) -> Move | None:
        """The move of a player who does not look twice, and it must fail; None: what is ``reached``
        at the beginning."""
        return None

    @abstractmethod
    def reason(self, state: S, turn: Sequence[Move]) -> Reason:
        """The reason why ``turn`` solves it."""

    def played(self, state: S, moves: Sequence[Move], random: Random) -> Move | None:
        """The move of people in whose matches such turns come up; None: the usual one."""
        return None

    def same(self, state: S) -> Hashable:
        """Positions that are the same for this task have the same key."""
        return json.dumps(state.to_json(), sort_keys=True)
