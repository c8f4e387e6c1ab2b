"""What a table and its session are told: what a camera saw, what a finger asks for, what fails."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Event
from typing import TYPE_CHECKING

from companion.journal.events import Source
from companion.match.state import Heard
from companion.match.view import Intent, MachineNote, SightNote
from rules.reading.sighting import Sighting

if TYPE_CHECKING:
    from companion.journal.events import Told
    from rules.core import Move
    from rules.players.player import Choice, Reason

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


@dataclass(frozen=True, slots=True)
class RemoteSync:
    """Let the record say what was decided at the other table where the same match is played."""

    since: int
    """So much made the record what it is; if it is more by now, nothing happens."""
    told: tuple[Told, ...]
    """The moves that followed there."""


@dataclass(frozen=True, slots=True)
class RemoteUndo:
    """Take back what the other table asks to be allowed to take back."""

    since: int
    """So much made the record what it is; if it is more by now, nothing happens."""
    moves: int
    """How many moves."""


@dataclass(frozen=True, slots=True)
class ComputerPlays:
    """A computer player has chosen."""

    moves: tuple[Move, ...]
    """One after the other; all of them its own."""
    why: Reason
    since: int
    """So much made the record what it is when it was asked; if it is more by now, nothing
    happens."""


@dataclass(frozen=True, slots=True)
class ComputerFails:
    """A computer player cannot choose: people play for it until it is asked again."""

    seat: int
    since: int
    """As in ``ComputerPlays``."""


@dataclass(frozen=True, slots=True)
class GiveTip:
    """Here is the tip that was asked for; None: nothing came of it."""

    choice: Choice | None
    since: int
    """As in ``ComputerPlays``."""


Message = (
    Intent | RemoteSync | RemoteUndo | ComputerPlays | ComputerFails | GiveTip
    | Seen | CameraGone | Tick | ProposedRoll
)  # fmt: skip
"""Anything that a table can be told."""


@dataclass(frozen=True, slots=True)
class MessagePosted:
    """Something for the table."""

    message: Message
    src: Source


@dataclass(frozen=True, slots=True)
class DeviceChanged:
    """A device is in trouble, or well again."""

    name: str
    trouble: str
    """A code; empty: it is well."""


@dataclass(frozen=True, slots=True)
class MachineChanged:
    """Everything that is wrong with the computer now."""

    notes: tuple[MachineNote, ...]


@dataclass(frozen=True, slots=True)
class OtherTableChanged:
    """Whether the other table of the match is there."""

    heard: Heard


@dataclass(frozen=True, slots=True)
class Settle:
    """Somebody waits until everything before this has been dealt with."""

    done: Event


InboxItem = MessagePosted | DeviceChanged | MachineChanged | OtherTableChanged | Settle
"""Anything that can lie in the inbox of a session."""
