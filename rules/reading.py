"""Reading: which legal moves explain what the camera saw.

Every explanation of a sighting is a layout the rules would want after some moves. It is scored
by the sighting's own likelihoods plus a small cost per step (people make legal moves often, take
moves back seldom, and break rules rarely), and the best one counts if it leads by a clear margin.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rules.core import Move, Objection
from rules.sighting import Look

__all__ = ["Candidate", "Fix", "Reading", "Status"]


class Status(StrEnum):
    """What a sighting means for a match."""

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
    """What hands should do at one site."""

    site: str
    seen: Look
    wanted: Look


@dataclass(frozen=True, slots=True)
class Reading:
    """What a sighting means for a match."""

    status: Status
    moves: tuple[Move, ...] = ()
    """MOVE: the moves to commit."""
    candidates: tuple[Candidate, ...] = ()
    """Explanations in order of likelihood; for AMBIGUOUS those to ask about."""
    objections: tuple[Objection, ...] = ()
    """ILLEGAL: why."""
    refused: Move | None = None
    """ILLEGAL: the pseudo-move that explains the sighting, if one does."""
    fixes: tuple[Fix, ...] = ()
    """PENDING, ILLEGAL: the way to what the record says."""
    doubt: str = ""
    """UNCLEAR: ``hand``, ``occluded``, ``board_lost`` or ``unexplained``."""
