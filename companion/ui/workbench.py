"""What the workshop needs of the program around it.

``companion.workshop.workbench`` implements this protocol; the pages import nothing of session,
journal, vision or hardware.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from companion.outputs.lamp_sites import Places
from companion.settings.preferences import Preferences
from companion.ui.board_desk import BoardDesk
from hardware.displays.segments import DigitText

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Picture = npt.NDArray[np.uint8]

__all__ = [
    "About",
    "CameraLook",
    "DeviceLine",
    "DisplayFace",
    "LensLook",
    "Pixel",
    "Workbench",
]

Pixel = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class CameraLook:
    """What the camera sees at this moment."""

    source: str
    """The camera as the settings name it; empty: none is set up."""
    game: str
    """Whose board is looked for."""
    number: int = 0
    """Of the picture; the same number means the same picture."""
    picture: Picture | None = None
    """Height × width × 3, blue-green-red, with everything drawn in that was read."""
    board: str = "none"
    """``found``, ``lost``, or ``none`` as long as there was no picture."""
    hand: bool = False
    light: float = 0.0
    """0 (black) to 1 (white)."""
    sharpness: float = 0.0
    px_per_module: float = 0.0
    error_px: float = 0.0
    ms: float = 0.0
    """What reading the picture took."""
    beliefs: tuple[tuple[str, str], ...] = ()
    """Fields that are not bare, and what lies there, in words."""
    advice: tuple[str, ...] = ()
    """What would make the camera see better, as sentences."""


@dataclass(frozen=True, slots=True)
class DeviceLine:
    """How one part of the rig is doing."""

    part: str
    """``lamps``, ``score``, ``sound`` or ``buttons``."""
    kind: str
    ok: bool
    code: str
    """A code of ``hardware.status``."""
    params: Mapping[str, str] = field(default_factory=dict)
    """What the code is about: a pin, a button."""


@dataclass(frozen=True, slots=True)
class DisplayFace:
    """What stands on the score display."""

    columns: int
    rows: tuple[str, ...]
    """Exactly what a person reads, row by row; empty without a display."""
    kind: str = ""
    real: bool = False
    """Whether it is a real device, of which only what was sent is known."""
    digits: DigitText | None = None
    """What digits of seven segments show; None for displays of letters."""


@dataclass(frozen=True, slots=True)
class LensLook:
    """How the lens calibration stands."""

    picture: Picture | None = None
    """The newest picture, with the corners of the sheet that were found."""
    share: float = 0.0
    """How much of what is needed is there, 0 to 1."""
    sentence: str = ""
    """What became of the picture; at the end: of the whole."""
    want: str = ""
    """Where the sheet should be held next, as a sentence."""
    reckoning: bool = False
    """The lens is being worked out, which takes some seconds."""
    done: str = ""
    """``passed`` or ``failed`` at the end, else empty."""


@dataclass(frozen=True, slots=True)
class About:
    """This Heelstone and where it keeps things."""

    version: str
    packages: Mapping[str, str]
    journal_bytes: int
    matches: int
    free_bytes: int
    voice_bytes: int
    reports: int
    notes: tuple[str, ...] = field(default_factory=tuple)
    """What was wrong with files of the state folder, as sentences."""


class Workbench(Protocol):
    """Devices, camera, reports and preferences, for people who look after a table."""

    # -- preferences ------------------------------------------------------------------------

    @property
    def preferences(self) -> Preferences:
        """What was chosen."""

    def choose(self, **changes: Any) -> None:
        """Change preferences; they count at once and are kept."""

    # -- the camera -------------------------------------------------------------------------

    def watch(self, game: str = "") -> None:
        """Begin to look for the board of a game; a match under way looks for its own."""

    def look(self) -> CameraLook:
        """What is seen now."""

    def unwatch(self) -> None:
        """Stop looking, unless a match needs the camera."""

    # -- the devices ------------------------------------------------------------------------

    def devices(self) -> Sequence[DeviceLine]:
        """How every part of the rig is doing."""

    @property
    def lamp_count(self) -> int:
        """Lamps of the table."""

    @property
    def button_names(self) -> Sequence[str]:
        """Names of the players' buttons."""

    @property
    def speaks(self) -> bool:
        """Whether the table has a voice."""

    @property
    def buzzes(self) -> bool:
        """Whether the table has a buzzer."""

    def borrow(self) -> None:
        """Take lamps, score display and buttons; a match goes on without them."""

    def give_back(self) -> None:
        """End the loan; lamps and display show what the match wants."""

    def light(self, lamps: Sequence[int], cue: str) -> None:
        """Light these lamps and no others: ``ok``, ``ask``, ``stop``, ``dawn`` or ``off``."""

    def write(self, lines: Sequence[str]) -> None:
        """Show lines on the score display."""

    def say(self, text: str) -> None:
        """Say a sentence."""

    def buzz(self, cue: str) -> None:
        """Sound the buzzer once: ``ok``, ``ask`` or ``stop``."""

    def pressed(self) -> frozenset[str]:
        """The buttons that were pressed since they were borrowed."""

    def down(self) -> frozenset[str]:
        """The buttons that are pressed now."""

    # -- what the devices show --------------------------------------------------------------

    def lamp_colours(self) -> Sequence[Pixel]:
        """Red, green and blue of every lamp as people see it, 0 to 255."""

    def display(self) -> DisplayFace:
        """What stands on the score display."""

    def can_push(self, button: str) -> bool:
        """Whether the button is simulated, so that a touch on its drawing can push it."""

    def push(self, button: str, pressed: bool) -> None:
        """Push a simulated button, or let go of it."""

    # -- where the lamps stand --------------------------------------------------------------

    def games(self) -> Sequence[str]:
        """All games; the one that is played, or was last, comes first."""

    def lamp_places(self, game: str) -> Places:
        """Site to the lamps that stand there."""

    def places_found(self, game: str) -> bool:
        """Whether they were shown on the screen, and not only taken from settings or box."""

    def keep_lamp_places(self, game: str, places: Places, asked: int | None = None) -> str:
        """Keep them; gives what went wrong, as a sentence, or nothing.

        ``asked``: only the first so many lamps were asked about; the others stay where they are.
        """

    def forget_lamp_places(self, game: str) -> None:
        """Back to settings or box."""

    def lamp_walk(self, game: str) -> list[str | None]:
        """What was shown of the lamps before somebody stopped: the field of each, or None."""

    def keep_lamp_walk(self, game: str, steps: Sequence[str | None]) -> str:
        """Keep that, over a power cut too; gives what went wrong, or nothing."""

    # -- the lens ---------------------------------------------------------------------------

    @property
    def can_measure_lens(self) -> bool:
        """Whether there is a camera whose lens can be measured."""

    def measure_lens(self) -> None:
        """Begin to measure it."""

    def lens(self) -> LensLook:
        """How far it is."""

    def stop_lens(self) -> None:
        """End it; the camera is free."""

    # -- boards of one's own ----------------------------------------------------------------

    @property
    def boards(self) -> BoardDesk:
        """Where the fields of one's own board are mapped."""

    # -- reports ----------------------------------------------------------------------------

    def remember_moment(self) -> str:
        """Keep what is seen and believed now for a report; gives what went wrong, or nothing."""

    def moments(self) -> Sequence[str]:
        """Names of the moments kept, the newest first."""

    def write_report(self) -> Path:
        """Write the problem report. Raises OSError, JournalError. Takes a second or two."""

    # -- the rest ---------------------------------------------------------------------------

    def about(self) -> About:
        """This Heelstone."""
