"""A simulated SparkFun Serial7Segment: four digits, a colon, and an EEPROM that wears out."""

from __future__ import annotations

from hardware.simulated.picture import Picture, digits_picture, read_segments
from hardware.simulated.pty import PtyTwin

DIGITS = 4

FONT: dict[int, int] = {
    0x20: 0x00, 0x2D: 0x40, 0x5F: 0x08,
    **dict(zip(range(0x30, 0x3A),
               (0x3F, 0x06, 0x5B, 0x4F, 0x66, 0x6D, 0x7D, 0x07, 0x7F, 0x6F), strict=True)),
}  # fmt: skip
"""The device's own shapes, as far as they are certain: blank, minus, underline and digits."""
HEX_SHAPES = (
    0x3F, 0x06, 0x5B, 0x4F, 0x66, 0x6D, 0x7D, 0x07, 0x7F, 0x6F, 0x77, 0x7C, 0x39, 0x5E, 0x79, 0x71,
)  # fmt: skip
"""Segments that the device shows for the bytes 0x00 to 0x0F."""
ARGUMENT = {
    0x77: "dots", 0x79: "cursor", 0x7A: "brightness", 0x7B: "digit", 0x7C: "digit", 0x7D: "digit",
    0x7E: "digit", 0x7F: "baud", 0x80: "address", 0x82: "mode",
}  # fmt: skip
"""Commands that one more byte belongs to."""


class Serial7SegmentTwin(PtyTwin):
    """A simulated display; shows `rows()`, `segments`, `dots`, `colon`, `brightness`.

    `eeprom_writes` counts what wears the device out; brightness survives unplugging.
    """

    def __init__(self) -> None:
        self.brightness = 100
        self.eeprom_writes = 0
        super().__init__()

    def boot(self) -> None:
        self.segments = [0x00] * DIGITS
        self.dots: set[int] = set()
        self.colon = False
        self.cursor = 0
        self._command: int | None = None

    def rows(self) -> list[str]:
        """The digits as text, with dots and colon: ["07:05"]."""
        with self._news:
            text = ""
            for place, mask in enumerate(self.segments):
                text += read_segments(mask) + ("." if place in self.dots else "")
                text += ":" if self.colon and place == 1 else ""
            return [text]

    @property
    def picture(self) -> Picture:
        """The digits as they shine."""
        with self._news:
            return digits_picture(
                self.segments,
                self.dots,
                self.colon,
                light=self.brightness / 100,
                color=(255, 64, 48),
            )

    def take(self, data: bytes) -> None:
        for byte in data:
            command, self._command = self._command, None
            if command is not None:
                self._obey(command, byte)
            elif byte in ARGUMENT:
                self._command = byte
            elif byte == 0x76:
                self.segments = [0x00] * DIGITS
                self.dots, self.colon, self.cursor = set(), False, 0
            elif byte > 0x79:
                self.errors.append(f"There is no command 0x{byte:02X}; the next byte is swallowed.")
                self._command = byte
            else:
                self._letter(byte)

    def _letter(self, byte: int) -> None:
        if byte < 0x10:
            shape = HEX_SHAPES[byte]
        else:
            if byte not in FONT:
                self.errors.append(f"Letter 0x{byte:02X} looks different on different devices.")
            shape = FONT.get(byte, 0x00)
        self.segments[self.cursor] = shape
        self.cursor = (self.cursor + 1) % DIGITS

    def _obey(self, command: int, byte: int) -> None:
        what = ARGUMENT.get(command)
        if what == "dots":
            if byte & 0xC0:
                self.errors.append(f"Dots 0x{byte:02X} are not on this display.")
            self.dots = {place for place in range(DIGITS) if byte >> place & 1}
            self.colon = bool(byte & 0x10)
        elif what == "cursor":
            if byte < DIGITS:
                self.cursor = byte
            else:
                self.errors.append(f"The cursor cannot go to digit {byte}.")
        elif what == "digit":
            if byte & 0x80:
                self.errors.append(f"Segments 0x{byte:02X} are not on a digit.")
            self.segments[command - 0x7B] = byte & 0x7F
        elif what == "brightness":
            self.eeprom_writes += 1
            if byte > 100:
                self.errors.append(f"The brightness {byte} is more than 100 percent.")
            self.brightness = min(byte, 100)
        elif what is not None:
            self.eeprom_writes += 1
            self.errors.append(f"The setting '{what}' was changed to {byte}.")
