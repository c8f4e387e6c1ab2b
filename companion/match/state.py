"""Types shared by the start screen and the table, without the rest of ``companion.match.view``."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from rules.core import Move


class Heard(StrEnum):
    """Presence of the other table of a match."""

    NOT = "not"
    """Nothing is heard of it."""
    THERE = "there"
    """It has the match on the table."""
    RESTS = "rests"
    """It has put the match away for later."""
    GONE = "gone"
    """It does not play this match any more."""
    MISFIT = "misfit"
    """Its record and the one here cannot both be right."""


class TableState(StrEnum):
    """The one visible state of a table; never two at a time."""

    SETTLED = "settled"
    """Board and record agree; the next move may come."""
    PENDING = "pending"
    """The record is ahead: hands must still put down what ``fixes`` says."""
    HAND = "hand"
    """A hand is over the board; nothing is concluded."""
    PROPOSED = "proposed"
    """One move was recognised and waits for stillness or for the button."""
    AMBIGUOUS = "ambiguous"
    """Several explanations; ``candidates`` are offered."""
    ILLEGAL = "illegal"
    """Not allowed: ``objections`` say why, ``fixes`` the way back."""
    DESYNC = "desync"
    """Board and record differ and no move explains it; ``fixes`` guide back."""
    BLIND = "blind"
    """No camera, or it does not see the board; everything can be tapped."""


PLAYING = (TableState.SETTLED, TableState.HAND, TableState.BLIND)
"""States in which moves may be entered, and nothing else is asked."""


class LastTurn(NamedTuple):
    """A turn as far as it has come."""

    seat: int
    moves: tuple[Move, ...]
    """Its moves as everybody may know them, chance and others' answers among them."""
    over: bool
    """True if it is another player's turn by now, or nobody's."""


@dataclass(frozen=True, slots=True)
class MachineNote:
    """A problem of the table's computer, for players."""

    code: str
    """``storage_low``, ``storage_reserve``, ``storage_full``, ``storage_read_only``: room to write
    is short, only what the journal has kept, gone, or may only be read; ``power_low``: the supply
    was too weak; ``heat_high``: it slows down; ``mistake``: something in the program failed and was
    begun anew."""
