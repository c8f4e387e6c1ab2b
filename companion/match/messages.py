"""Messages to a table and its session: from cameras, fingers, computer players and devices."""

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
    """True if the picture counts as settled (a folder of pictures): nothing needs to hold still."""
    blind: str = ""
    """Code of why the board is not seen; empty if it is."""
    notes: tuple[SightNote, ...] = ()
    """Further notes on how it is seen."""


@dataclass(frozen=True, slots=True)
class CameraGone:
    """The camera does not deliver pictures."""

    reason: str = NO_CAMERA
    mistake: bool = False
    """True for an unexpected error of the camera, which is in the log."""


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed."""


@dataclass(frozen=True, slots=True)
class RolledDisc:
    """One thing that a rolling disc may have done."""

    crossed: bool
    """True if it got across the run-up zone."""
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
    """Makes the record follow the other table at which the same match is played."""

    since: int
    """Length of the record's ``told``; if it is longer by now, nothing happens."""
    told: tuple[Told, ...]
    """The moves that followed there."""


@dataclass(frozen=True, slots=True)
class RemoteUndo:
    """Take back what the other table asks to be allowed to take back."""

    since: int
    """Length of the record's ``told``; if it is longer by now, nothing happens."""
    moves: int
    """Number of moves."""


@dataclass(frozen=True, slots=True)
class ComputerPlays:
    """A computer player has chosen."""

    moves: tuple[Move, ...]
    """One after the other; all of them its own."""
    why: Reason
    since: int
    """Length of the record's ``told`` when it was asked; if it is longer by now, nothing
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
"""Any message to a table."""


@dataclass(frozen=True, slots=True)
class MessagePosted:
    """A message for the table."""

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
    """All present problems of the computer."""

    notes: tuple[MachineNote, ...]


@dataclass(frozen=True, slots=True)
class OtherTableChanged:
    """News of whether the other table of the match is there."""

    heard: Heard


@dataclass(frozen=True, slots=True)
class Settle:
    """Sets ``done`` when everything before it has been dealt with."""

    done: Event


InboxItem = MessagePosted | DeviceChanged | MachineChanged | OtherTableChanged | Settle
"""Any item in the inbox of a session."""
