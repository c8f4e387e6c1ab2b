"""A simulated Matrix Orbital LCD, with the Adafruit backpack's additions."""

from __future__ import annotations

from hardware.displays.lettering import HD44780_A00_ROM
from hardware.simulated.picture import Picture, letters_picture
from hardware.simulated.pty import PtyTwin

ARGUMENTS: dict[int, int] = {
    0x23: 2, 0x24: 1, 0x26: 0, 0x33: 1, 0x34: 2, 0x35: 0, 0x36: 0, 0x37: 0, 0x39: 1, 0x3A: 2,
    0x3B: 0, 0x3D: 3, 0x41: 0, 0x42: 1, 0x43: 0, 0x44: 0, 0x45: 0, 0x46: 0, 0x47: 2, 0x48: 0,
    0x4A: 0, 0x4B: 0, 0x4C: 0, 0x4D: 0, 0x4E: 9, 0x4F: 0, 0x50: 1, 0x51: 0, 0x52: 0, 0x53: 0,
    0x54: 0, 0x55: 1, 0x56: 1, 0x57: 1, 0x58: 0, 0x59: 1, 0x60: 0, 0x68: 0, 0x6D: 0, 0x6E: 0,
    0x73: 0, 0x76: 0, 0x7C: 4, 0x7E: 1, 0x91: 1, 0x98: 1, 0x99: 1, 0xC0: 1, 0xC1: 10, 0xC2: 9,
}  # fmt: skip
"""Commands after 0xFE, and how many argument bytes follow (LK204-25 manual, appendix)."""
BACKPACK_ARGUMENTS: dict[int, int] = {
    0x39: 1, 0x42: 1, 0x46: 0, 0x47: 2, 0x48: 0, 0x4A: 0, 0x4B: 0, 0x4C: 0, 0x4D: 0, 0x4E: 9,
    0x50: 1, 0x51: 0, 0x52: 0, 0x53: 0, 0x54: 0, 0x56: 1, 0x57: 1, 0x58: 0, 0x91: 1, 0x98: 1,
    0x99: 1, 0xC0: 1, 0xC1: 10, 0xD0: 3, 0xD1: 2,
}  # fmt: skip
"""Commands of the Adafruit backpack: no line wrap, no keypad, no bars, but colour and size."""


class MatrixOrbitalTwin(PtyTwin):
    """A simulated display with `rows()`, `backlight`, `brightness`, `contrast`, `color`, `cursor`.

    `one_output` is for models whose output commands 0x56 and 0x57 take no number, `adafruit` for
    the backpack.
    """

    def __init__(
        self,
        columns: int = 20,
        rows: int = 4,
        *,
        one_output: bool = False,
        adafruit: bool = False,
    ) -> None:
        self.columns = columns
        self.row_count = rows
        # The text shown at the start fills the display.
        self._arguments = {**(BACKPACK_ARGUMENTS if adafruit else ARGUMENTS), 0x40: columns * rows}
        if one_output:
            self._arguments |= {0x56: 0, 0x57: 0}
        self.commands: list[bytes] = []
        super().__init__()

    def boot(self) -> None:
        self.text = [bytearray(b" " * self.columns) for _ in range(self.row_count)]
        self.text[0][:14] = b"Matrix Orbital"[: self.columns]
        self.cursor = (1, 1)
        self.backlight = True
        self.brightness = 255
        self.contrast = 128
        self.color = (255, 255, 255)
        self.wrap = self.scroll = True
        self.underline = self.blink = False
        self._command: bytearray | None = None

    def rows(self) -> list[str]:
        """The text on the glass, one string for each row."""
        with self._news:
            return [HD44780_A00_ROM.decode(bytes(row)) for row in self.text]

    @property
    def pixels(self) -> list[tuple[int, int, int]]:
        """The background as one colour, dark when the backlight is off."""
        scale = self.brightness / 255 if self.backlight else 0.0
        red, green, blue = (round(part * scale) for part in self.color)
        return [(red, green, blue)]

    @property
    def picture(self) -> Picture:
        """The display as it shines."""
        light = self.brightness / 255 if self.backlight else 0.0
        return letters_picture(self.rows(), light=light, color=self.color)

    def take(self, data: bytes) -> None:
        for byte in data:
            if self._command is None:
                if byte == 0xFE:
                    self._command = bytearray()
                else:
                    self._write(byte)
                continue
            self._command.append(byte)
            wanted = self._arguments.get(self._command[0])
            if wanted is None:
                self.errors.append(f"There is no command 0x{self._command[0]:02X}.")
                self._command = None
            elif len(self._command) == 1 + wanted:
                command, self._command = bytes(self._command), None
                self.commands.append(command)
                del self.commands[:-1000]
                self._obey(command[0], command[1:])

    def _obey(self, command: int, data: bytes) -> None:
        if command in _ANSWERS:
            self.send(_ANSWERS[command])
        elif command in _SWITCHES:
            name, value = _SWITCHES[command]
            setattr(self, name, value)
        elif command in (0x98, 0x99):
            self.brightness = data[0]
        elif command in (0x50, 0x91):
            self.contrast = data[0]
        elif command == 0xD0:
            self.color = (data[0], data[1], data[2])
        elif command == 0xD1 and (data[0], data[1]) != (self.columns, self.row_count):
            self.errors.append(f"The size {data[0]} × {data[1]} is not this display's.")
        elif command == 0x58:
            self.text = [bytearray(b" " * self.columns) for _ in range(self.row_count)]
            self.cursor = (1, 1)
        elif command in (0x47, 0x48, 0x4C, 0x4D):
            self._move(command, data)

    def _move(self, command: int, data: bytes) -> None:
        column, row = self.cursor
        if command == 0x48:
            self.cursor = (1, 1)
        elif command == 0x4C:
            self.cursor = (max(1, column - 1), row)
        elif command == 0x4D:
            self.cursor = (min(self.columns, column + 1), row)
        elif 1 <= data[0] <= self.columns and 1 <= data[1] <= self.row_count:
            self.cursor = (data[0], data[1])
        else:
            self.errors.append(f"Column {data[0]}, row {data[1]} is not on the display.")

    def _write(self, letter: int) -> None:
        # Below 8 are custom letters; the rest of these have no shape in any ROM.
        if 0x08 <= letter < 0x20 or 0x80 <= letter < 0xA0:
            self.errors.append(f"There is no letter 0x{letter:02X}.")
        column, row = self.cursor
        if column > self.columns:
            if not self.wrap:
                self.errors.append(f"Letter 0x{letter:02X} is beyond the end of row {row}.")
                return
            column, row = 1, row + 1
            if row > self.row_count:
                row = self._past_the_last_row()
        self.text[row - 1][column - 1] = letter
        self.cursor = (column + 1, row)

    def _past_the_last_row(self) -> int:
        if not self.scroll:
            return 1
        self.text = [*self.text[1:], bytearray(b" " * self.columns)]
        return self.row_count


_ANSWERS = {0x35: b"\x12\x34", 0x36: b"\x54", 0x37: b"\x09", 0x26: b"\x00"}
"""Serial number, version, type (LK204-25) and "no key"."""

_SWITCHES: dict[int, tuple[str, bool]] = {
    0x42: ("backlight", True),
    0x46: ("backlight", False),
    0x43: ("wrap", True),
    0x44: ("wrap", False),
    0x51: ("scroll", True),
    0x52: ("scroll", False),
    0x4A: ("underline", True),
    0x4B: ("underline", False),
    0x53: ("blink", True),
    0x54: ("blink", False),
}
