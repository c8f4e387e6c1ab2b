"""The answer of a reading: its kind, its moves, and the way to what the record says."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from rules.core import Move, Objection
from rules.reading.sighting import Left, Look

MISSING = "missing"


class Status(StrEnum):
    """The kind of an answer."""

    SETTLED = "settled"
    PENDING = "pending"
    MOVE = "move"
    AMBIGUOUS = "ambiguous"
    ILLEGAL = "illegal"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class Candidate:
    """One explanation: take back ``takeback`` moves, then play ``moves``."""

    moves: tuple[Move, ...]
    takeback: int = 0
    score: float = 0.0
    """Log posterior, relative to the best."""


@dataclass(frozen=True, slots=True)
class Fix:
    """A thing that hands should do at one site."""

    site: str
    seen: Look
    wanted: Look


@dataclass(frozen=True, slots=True)
class Reading:
    """The meaning of a sighting for a match."""

    status: Status
    moves: tuple[Move, ...] = ()
    """MOVE: the moves to commit …"""
    takeback: int = 0
    """… after this number of moves of the record are taken back, because the camera concluded them
    wrongly."""
    candidates: tuple[Candidate, ...] = ()
    """Explanations in order of likelihood; for AMBIGUOUS those to ask about, for PENDING those of
    which what follows, or people, will tell one."""
    objections: tuple[Objection, ...] = ()
    """ILLEGAL: why; UNCLEAR because something differs: what does."""
    refused: Move | None = None
    """ILLEGAL: the pseudo-move that explains the sighting, if one does."""
    anyway: tuple[Move, ...] = ()
    """ILLEGAL: moves that lead to what was seen, if it is played against the rules."""
    owed: bool = False
    """ILLEGAL: it is legal if something that hands still owe comes late."""
    fixes: tuple[Fix, ...] = ()
    """PENDING, ILLEGAL, UNCLEAR: the way to what the record says."""
    left: Left = field(default_factory=dict)
    """SETTLED: what lies otherwise than the record has it, and stays there."""
    against: float = 0.0
    """MOVE, AMBIGUOUS: what speaks against the best explanation (natural-log odds)."""
    doubt: str = ""
    """PENDING: ``missing`` if hands did something that the record lacks. UNCLEAR: ``hand``,
    ``board_lost``, ``stray``, ``match_over``, ``differs`` (something was moved that no move moves)
    or ``unexplained``."""
