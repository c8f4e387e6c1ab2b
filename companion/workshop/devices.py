"""Trying out the devices of a table: lamps, display, voice, buzzer and buttons, one by one.

They are borrowed: while a test runs the match goes on without lamps, display and buttons, and
afterwards they show what the match wants. Voice and buzzer stay with the match.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from companion.match.view import TableView
from companion.outputs.cues import ASK, DAWN, OK, STOP, CueDirector
from hardware.displays.segments import DigitText, digit_text
from hardware.lamps.lamps import Light
from hardware.rhythm import Rhythm
from hardware.rig import Rig

Pixel = tuple[int, int, int]
"""Red, green and blue, 0 to 255."""

CUES: dict[str, Light] = {
    "ok": Light(OK, Rhythm.STEADY),
    "ask": Light(ASK, Rhythm.SLOW_PULSE),
    "stop": Light(STOP, Rhythm.DOUBLE_BLINK),
    "dawn": Light(DAWN, Rhythm.STEADY),
    "off": Light((0, 0, 0), Rhythm.OFF),
}
"""Cues of a match's lamps, by name."""


@dataclass(frozen=True, slots=True)
class DisplayFace:
    """Contents of the score display."""

    columns: int
    rows: tuple[str, ...]
    """Exactly what a person reads, row by row; empty without a display."""
    kind: str = ""
    real: bool = False
    """True for a real device, where only what was sent is known."""
    digits: DigitText | None = None
    """Contents of seven-segment digits; None for displays of letters."""


class DeviceBench:
    """The devices of ``rig`` while they are tried out."""

    def __init__(
        self, rig: Rig, director: CueDirector, played: Callable[[], TableView | None]
    ) -> None:
        """``played``: the match under way, which goes on without the devices meanwhile."""
        self.rig, self._director, self._played = rig, director, played
        self._give_back: Callable[[], None] | None = None
        self._pressed: frozenset[str] = frozenset()
        self._turn = threading.Lock()

    def borrow(self) -> None:
        """Take lamps, display and buttons; all lamps go dark."""
        if self._give_back is not None:
            return
        self._director.lend()
        self._pressed = frozenset()
        self._give_back = self.rig.buttons.borrow(self._button)
        self.rig.lamps.idle()

    def give_back(self) -> None:
        """End the test; lamps and display show what the match wants, or nothing without one."""
        if self._give_back is None:
            return
        self._give_back()
        self._give_back = None
        self._director.take_back()
        if self._played() is None:
            self.rig.lamps.idle()
            self.rig.score.clear()

    def light(self, lamps: Sequence[int], cue: str) -> None:
        """Light these lamps and no others. Raises KeyError for an unknown cue."""
        self.rig.lamps.show(dict.fromkeys(lamps, CUES[cue]))

    def buzz(self, cue: str) -> None:
        """Sound a cue's rhythm once. Raises KeyError."""
        self.rig.sound.buzz(CUES[cue].rhythm)

    def pressed(self) -> frozenset[str]:
        """The buttons that were pressed since they were borrowed."""
        return self._pressed

    def _button(self, name: str, pressed: bool) -> None:
        with self._turn:
            if pressed:
                self._pressed |= {name}

    # -- what the devices show --------------------------------------------------------------

    def lamp_colours(self) -> Sequence[Pixel]:
        """Colours of all lamps, as people see them: a twin's own state, else what was sent last."""
        twin = self.rig.twins.get("lamps")
        sent: Sequence[Pixel] = getattr(twin, "pixels", self.rig.lamps.frame)
        return [self._seen(pixel) for pixel in sent]

    def _seen(self, pixel: Pixel) -> Pixel:
        """Undo what was done for LEDs: to the eye a little light is a lot."""
        most = 255 * max(self.rig.lamps.brightness, 0.01)
        gamma = self.rig.settings.lamps.gamma
        red, green, blue = (round(255 * min(part / most, 1.0) ** (1 / gamma)) for part in pixel)
        return red, green, blue

    def display(self) -> DisplayFace:
        """Contents of the score display: a twin's own state, else what was sent last."""
        shown, kind = self.rig.score, self.rig.settings.score.kind
        if shown.columns == 0:
            return DisplayFace(0, (), kind)
        twin = self.rig.twins.get("score")
        if twin is not None:
            rows = tuple(twin.rows())
            return DisplayFace(max(map(len, rows), default=0), rows, kind)
        if shown.digits is not None:
            line = shown.lines[0] if shown.lines else ""
            digits = digit_text(line, shown.columns, colon=shown.digits.colon)
            return DisplayFace(shown.columns, (digits.letters,), kind, real=True, digits=digits)
        return DisplayFace(shown.columns, shown.read(), kind, real=True)

    def can_push(self, button: str) -> bool:
        """True if the button is simulated."""
        return self._pusher(button) is not None

    def push(self, button: str, pressed: bool) -> None:
        """Push a simulated button, or release it; nothing happens to a real one."""
        pusher = self._pusher(button)
        if pusher is not None:
            press, release = pusher
            (press if pressed else release)()

    def _pusher(self, button: str) -> tuple[Callable[[], None], Callable[[], None]] | None:
        key = self.rig.settings.buttons.get(button)
        if key is None:
            return None
        twin = self.rig.twins.get("gpio" if isinstance(key, int) else "score")
        press, release = getattr(twin, "press", None), getattr(twin, "release", None)
        if press is None or release is None:
            return None
        return (lambda: press(key), lambda: release(key))
