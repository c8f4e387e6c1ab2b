"""SparkFun Serial7Segment and OpenSegment: four digits on a serial line, 9600 baud.

Commands after the Serial7Segment special commands page of SparkFun, tried against its firmware:
a byte from 0x76 on is a command, everything below it a letter at the cursor. An unknown byte above
0x79 swallows the next one, so nothing but what is listed here is ever sent. After the fourth digit
the cursor starts again.
"""

from __future__ import annotations

from collections.abc import Sequence

from hardware.displays.score import LinkedDisplay, Mute
from hardware.displays.segments import Digits, DigitText, digit_text
from hardware.ports.link import Link
from hardware.ports.serial_port import SerialPort
from hardware.settings import USUAL, ScoreSettings
from hardware.status import Listener, Report
from hardware.wiring import Wiring

CLEAR = b"\x76"
DOTS = 0x77
"""One byte follows: bits 0 to 3 are the dots of the digits, bit 4 is the colon."""
CURSOR_HOME = b"\x79\x00"
BRIGHTNESS = 0x7A
"""One byte follows, in percent. The device writes it into its EEPROM each time."""
BRIGHTNESS_TRIES = 3
FIRST_DIGIT = 0x7B
"""0x7B to 0x7E: one byte with the segments of a digit follows, a in bit 0."""
COLON = 0x10
DIGITS = 4
PLAIN = frozenset("0123456789- ")
"""Characters that the device's own font draws as `SHAPES`; all others are sent as segments."""


def connect(wiring: Wiring, tell: Listener) -> Serial7SegmentDisplay:
    """The display of the settings. Raises HardwareError."""
    score = wiring.settings.score
    return Serial7SegmentDisplay(wiring.take_port("score", score.port, tell), tell, score)


class Serial7SegmentDisplay(LinkedDisplay):
    """Four digits with a colon. What they can say is decided by `hardware.displays.segments`.

    The brightness (`backlight` of the settings) is sent once after the start, again only if the
    device was pulled at that very moment, and three times at most: the device keeps it without
    power, and its memory withstands 100,000 changes.
    """

    columns = DIGITS
    rows = 1
    digits = Digits(DIGITS, colon=True)

    def __init__(
        self,
        url: str,
        listener: Listener,
        score: ScoreSettings = USUAL,
        *,
        first_wait_s: float = 0.25,
    ) -> None:
        driver, baud = _Digits(url, score.backlight), score.baud or 9600
        self._link = Link("score", url, driver, listener, baud=baud, first_wait_s=first_wait_s)

    def show(self, lines: Sequence[str]) -> None:
        """Shows the first line; see `ScoreDisplay.show`."""
        self._link.put(digit_text(lines[0] if lines else "", DIGITS))


def wire(text: DigitText) -> bytes:
    """The bytes that show `text`, wherever the cursor stands."""
    dots = sum(1 << place for place in text.dots) | (COLON if text.colon else 0)
    tail = bytes((DOTS, dots))
    if PLAIN.issuperset(text.letters):
        return CURSOR_HOME + text.letters.encode("ascii") + tail
    digits = zip(range(FIRST_DIGIT, FIRST_DIGIT + DIGITS), text.segments, strict=True)
    return bytes(byte for pair in digits for byte in pair) + tail


class _Digits(Mute):
    """The driver."""

    def __init__(self, url: str, backlight: int) -> None:
        super().__init__(url, "Serial7Segment")
        self._backlight = backlight
        self._tries = BRIGHTNESS_TRIES
        self._shown: bytes | None = None

    def greet(self, port: SerialPort) -> None:
        # Cut off in the middle of a command, the device takes our first byte for its argument.
        super().greet(port)
        port.write(CLEAR + CLEAR)
        self._shown = None
        if self._tries:
            self._tries -= 1
            port.write(bytes((BRIGHTNESS, self._backlight)))

    def send(self, port: SerialPort, value: DigitText) -> Report | None:
        data = wire(value)
        if data != self._shown:
            port.write(data)
            self._shown = data
        # The connection outlived the greeting, so the brightness has arrived.
        self._tries = 0
        return self.trouble
