"""What a table and its session are told: what a camera saw, what a finger asks for, what fails."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Event

from companion.journal.events import Source
from companion.match.state import Heard
from companion.match.view import Intent, MachineNote, SightNote
from rules.reading.sighting import Sighting

__all__ = [
    "NO_CAMERA",
    "CameraGone",
    "DeviceTold",
    "Letter",
    "MachineTold",
    "Message",
    "OtherTold",
    "Posted",
    "ProposedRoll",
    "RolledDisc",
    "Seen",
    "Settle",
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
    """What else there is to say about how it is seen."""


@dataclass(frozen=True, slots=True)
class CameraGone:
    """The camera does not deliver pictures."""

    reason: str = NO_CAMERA
    mistake: bool = False
    """Whether nobody expects of a camera what it did; what that was is in the log."""


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
    """The camera followed a disc: what it did is asked, never recorded automatically."""

    results: tuple[RolledDisc, ...]
    """Likeliest first."""


Message = Intent | Seen | CameraGone | Tick | ProposedRoll
"""Anything that a table can be told."""


@dataclass(frozen=True, slots=True)
class Posted:
    """Something for the table."""

    message: Message
    src: Source


@dataclass(frozen=True, slots=True)
class DeviceTold:
    """A device is in trouble, or well again."""

    name: str
    trouble: str
    """A code; empty: it is well."""


@dataclass(frozen=True, slots=True)
class MachineTold:
    """Everything that is wrong with the computer now."""

    notes: tuple[MachineNote, ...]


@dataclass(frozen=True, slots=True)
class OtherTold:
    """Whether the other table of the match is there."""

    heard: Heard


@dataclass(frozen=True, slots=True)
class Settle:
    """Somebody waits until everything before this has been dealt with."""

    done: Event


Letter = Posted | DeviceTold | MachineTold | OtherTold | Settle
"""Anything that can lie in the inbox of a session."""
