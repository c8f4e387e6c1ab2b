"""Numbers that people enter, and the sheet on which they stand: what a pad of keys needs to know.

Nothing of it is tied to one game: a game whose legal moves end in a number answers ``Touch.pad``,
and the screen, phones and onlookers show the same sheet.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from rules.core.moves import Move


class Field(NamedTuple):
    """A field of the sheet into which a player who is asked may enter a number now."""

    row: str
    """A word of the game."""
    seat: int
    verb: str
    numbers: range
    """The numbers that are allowed, ascending."""
    factors: tuple[int, ...] = ()
    """Factors by which a number may count besides once."""

    def move(self, number: int, factor: int = 1) -> Move:
        """The move that enters ``number``; legal if it is one of ``numbers``."""
        by = (f"by={factor}",) if factor != 1 else ()
        return Move.of(self.seat, self.verb, self.row, number, *by)


class Line(NamedTuple):
    """A line of the sheet: what was entered for each seat."""

    row: str
    """A word of the game; empty: the round says all."""
    round: int
    """Number of the round; 0: the line belongs to none."""
    cells: tuple[int | None, ...]
    """By seat; None: nothing yet."""
    due: bool = False
    """True if the player asked may enter something here now."""


@dataclass(frozen=True, slots=True)
class Pad:
    """The sheet as everybody may see it, and what may be entered."""

    lines: tuple[Line, ...]
    fields: tuple[Field, ...]
    leads: tuple[int, ...] = ()
    """The seats that are ahead; empty while nobody or everybody is."""
    round: int = 0
    """Number of the round; 0: there are none."""
    rounds: int = 0
    """Number of rounds; 0: that is open."""
