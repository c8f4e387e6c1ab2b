"""What a table is told: what a camera saw, that time has passed, what a finger asks for."""

from __future__ import annotations

from dataclasses import dataclass

from companion.match.view import Intent, SightNote
from rules.reading.sighting import Sighting

__all__ = [
    "NO_CAMERA",
    "CameraGone",
    "Message",
    "ProposedRoll",
    "RolledDisc",
    "Seen",
    "Tick",
]

NO_CAMERA = "no_camera"


@dataclass(frozen=True, slots=True)
class Seen:
    """A still look at the table."""

    sighting: Sighting
    settled: bool = False
    """The picture counts as settled (a folder of pictures): nothing needs to hold still."""
    blind: str = ""
    """Why the board is not seen, as a code; empty if it is."""
    notes: tuple[SightNote, ...] = ()
    """What else is to be said about how it is seen."""


@dataclass(frozen=True, slots=True)
class CameraGone:
    """The camera does not deliver pictures."""

    reason: str = NO_CAMERA


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed."""


@dataclass(frozen=True, slots=True)
class RolledDisc:
    """One thing that a rolling disc may have done."""

    crossed: bool
    """It got across the run-up zone."""
    gates: tuple[str, ...]
    """Gates it passed, in order."""
    likely: float
    """Probability, 0 to 1."""


@dataclass(frozen=True, slots=True)
class ProposedRoll:
    """The camera followed a disc: what it did is asked, never taken into the record by itself."""

    results: tuple[RolledDisc, ...]
    """Likeliest first."""


Message = Intent | Seen | CameraGone | Tick | ProposedRoll
"""Anything that a table can be told."""
