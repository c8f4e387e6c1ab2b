"""Simulated Crystalfontz displays, with a reply to every command: the CFA635 of 20 × 4 letters, six
keys and four LEDs, and the CFA631 of 20 × 2 letters and four keys.

It has its own packet and CRC code on purpose: were it shared with the driver, a mistake in it
would cancel out.
"""

from __future__ import annotations

from hardware.displays.cfa635 import ROM
from hardware.simulated.picture import Picture, letters_picture
from hardware.simulated.pty import PtyTwin

COLUMNS = 20

Pixel = tuple[int, int, int]

LENGTHS: dict[int, range] = {
    0x00: range(0, 17),  # ping, up to 16 bytes come back
    0x01: range(0, 1),  # hardware and firmware version
    0x02: range(16, 17),  # write user flash
    0x03: range(0, 1),  # read user flash
    0x04: range(0, 1),  # store as boot state
    0x05: range(3, 4),  # reboot
    0x06: range(0, 1),  # clear
    0x09: range(9, 10),  # special character
    0x0A: range(1, 2),  # read 8 bytes of the controller's memory
    0x0B: range(2, 3),  # cursor position
    0x0C: range(1, 2),  # cursor style
    0x0D: range(1, 2),  # contrast
    0x0E: range(1, 3),  # backlight of display, of keys
    0x17: range(2, 3),  # key reporting
    0x18: range(0, 1),  # poll keys
    0x1E: range(0, 1),  # reporting status
    0x1F: range(3, 23),  # text
    0x21: range(1, 2),  # baud rate
    0x22: range(2, 4),  # outputs, among them the LEDs
    0x23: range(1, 2),  # read an output
}
"""Commands of the CFA635 data sheet, and how many bytes of data each may have."""


class Cfa635Twin(PtyTwin):
    """A simulated CFA635; shows `rows()`, `leds`, `backlight`, `contrast`, `cursor_style`.

    `bad_bytes` counts bytes that belonged to no packet, `refused` the commands it would not do.
    """

    row_count = 4
    version = b"CFA635:h1.5,f1.3"
    greeting = b"Crystalfontz 635"
    lengths = LENGTHS
    keys: dict[str, tuple[int, int, int]] = {
        "up": (1, 7, 0x01), "down": (2, 8, 0x20), "left": (3, 9, 0x08), "right": (4, 10, 0x10),
        "enter": (5, 11, 0x02), "exit": (6, 12, 0x04),
    }  # fmt: skip
    """Key to its report when pressed, its report when released, and its bit in the key masks."""

    def __init__(self) -> None:
        self.bad_bytes = 0
        self.packets: list[tuple[int, bytes]] = []
        self.refused: list[tuple[int, bytes]] = []
        super().__init__()

    def boot(self) -> None:
        self.text = [bytearray(b" " * COLUMNS) for _ in range(self.row_count)]
        self.text[0][: len(self.greeting)] = self.greeting
        self.outputs = [0] * 13
        self.backlight = 100
        self.contrast = 95
        self.cursor_style = 1
        self.cursor = (0, 0)
        self.down: set[str] = set()
        self._memory = bytearray(256)
        self._flash = bytes(16)
        self._all_keys = sum(bit for _, _, bit in self.keys.values())
        self._press_mask = self._release_mask = self._all_keys
        self._wire = bytearray()

    def rows(self) -> list[str]:
        """The text on the glass, one string of 20 letters for each row."""
        with self._news:
            return [ROM.decode(bytes(row)) for row in self.text]

    @property
    def leds(self) -> list[tuple[int, int]]:
        """Green and red brightness in percent of each LED, from the top one down."""
        with self._news:
            return [(self.outputs[gpo], self.outputs[gpo + 1]) for gpo in (11, 9, 7, 5)]

    @property
    def pixels(self) -> list[Pixel]:
        """The LEDs as colours, 0 to 255."""
        return [(round(red * 2.55), round(green * 2.55), 0) for green, red in self.leds]

    @property
    def picture(self) -> Picture:
        """The display as it shines, with its four LEDs."""
        return letters_picture(self.rows(), light=self.backlight / 100, leds=self.pixels)

    def press(self, key: str) -> None:
        """A finger pushes a key: "up", "down", "left", "right", "enter" or "exit"."""
        self._report_key(key, True)

    def release(self, key: str) -> None:
        """The finger lets go."""
        self._report_key(key, False)

    def take(self, data: bytes) -> None:
        self._wire += data
        while len(self._wire) >= 4:
            length = self._wire[1]
            if length > 22 or self._wire[0] & 0xC0:
                self._skip("no command begins so")
                continue
            if len(self._wire) < length + 4:
                return
            body = bytes(self._wire[: length + 2])
            if _crc(body) != self._wire[length + 2] | self._wire[length + 3] << 8:
                self._skip("wrong CRC")
                continue
            del self._wire[: length + 4]
            self.packets.append((body[0], body[2:]))
            del self.packets[:-1000]
            self._obey(body[0], body[2:])

    def _skip(self, reason: str) -> None:
        self.errors.append(f"Byte 0x{self._wire[0]:02X} was skipped: {reason}.")
        self.bad_bytes += 1
        del self._wire[0]

    def _obey(self, command: int, data: bytes) -> None:
        answer = (
            self._do(command, data) if len(data) in self.lengths.get(command, range(0)) else None
        )
        if answer is None:
            self.refused.append((command, data))
            self.send(_packet(0xC0 | command, b""))
        else:
            self.send(_packet(0x40 | command, answer))

    def _do(self, command: int, data: bytes) -> bytes | None:
        """Carries out a command; the data of the reply, or None where an argument is wrong."""
        if command == 0x00:
            return data
        if command == 0x01:
            return self.version
        if command == 0x02:
            self._flash = data
        elif command == 0x03:
            return self._flash
        elif command == 0x05:
            if data != bytes((8, 18, 99)):
                return None
            self.boot()
        elif command == 0x06:
            self.text = [bytearray(b" " * COLUMNS) for _ in range(self.row_count)]
            self.cursor = (0, 0)
        elif command == 0x09:
            if data[0] > 7:
                return None
            self._memory[8 * data[0] : 8 * data[0] + 8] = data[1:]
        elif command == 0x0A:
            return data + bytes(self._memory[data[0] : data[0] + 8]).ljust(8, b"\0")
        elif command == 0x18:
            return bytes((self._down_mask(), 0, 0))
        elif command == 0x1E:
            return bytes((0, 0, 0, 0, self._press_mask, self._release_mask)).ljust(15, b"\0")
        elif command == 0x1F:
            return self._write(data[0], data[1], data[2:])
        elif command == 0x23:
            return bytes((data[0], 0, self.outputs[data[0]], 0)) if data[0] < 13 else None
        elif command not in (0x04, 0x15, 0x21):
            return self._set(command, data)
        return b""

    def _set(self, command: int, data: bytes) -> bytes | None:
        if command == 0x0B and data[0] < COLUMNS and data[1] < self.row_count:
            self.cursor = (data[0], data[1])
        elif command == 0x0C and data[0] <= 4:
            self.cursor_style = data[0]
        elif command == 0x0D and data[0] <= 254:
            self.contrast = data[0]
        elif command == 0x0E and max(data) <= 100:
            self.backlight = data[0]
        elif command == 0x17 and max(data) <= self._all_keys:
            self._press_mask, self._release_mask = data
        elif command == 0x22 and data[0] < 13 and data[1] <= 100:
            self.outputs[data[0]] = data[1]
        else:
            return None
        return b""

    def _write(self, column: int, row: int, text: bytes) -> bytes | None:
        if column >= COLUMNS or row >= self.row_count or column + len(text) > COLUMNS:
            return None
        self.text[row][column : column + len(text)] = text
        return b""

    def _report_key(self, key: str, pressed: bool) -> None:
        press, release, bit = self.keys[key]
        with self._news:
            if pressed:
                self.down.add(key)
            else:
                self.down.discard(key)
            if (self._press_mask if pressed else self._release_mask) & bit:
                self.send(_packet(0x80, bytes((press if pressed else release,))))

    def _down_mask(self) -> int:
        return sum(bit for key, (_, _, bit) in self.keys.items() if key in self.down)


class Cfa631Twin(Cfa635Twin):
    """The smaller one: a key in each corner, and no LEDs."""

    row_count = 2
    version = b"CFA631:h1.0,f1.3"
    greeting = b"Crystalfontz 631"
    lengths = {
        **{command: lengths for command, lengths in LENGTHS.items() if command < 0x22},
        0x15: range(2, 8),  # live display of fans and temperatures, of which it has none
    }
    keys = {
        "up": (13, 17, 0x01), "enter": (14, 18, 0x02), "down": (15, 19, 0x04),
        "exit": (16, 20, 0x08),
    }  # fmt: skip

    @property
    def leds(self) -> list[tuple[int, int]]:
        """None."""
        return []


_CRC_TABLE = []
for _value in range(256):
    for _ in range(8):
        _value = _value >> 1 ^ (0x8408 if _value & 1 else 0)
    _CRC_TABLE.append(_value)


def _crc(data: bytes) -> int:
    value = 0xFFFF
    for byte in data:
        value = value >> 8 ^ _CRC_TABLE[(value ^ byte) & 0xFF]
    return ~value & 0xFFFF


def _packet(kind: int, data: bytes) -> bytes:
    body = bytes((kind, len(data))) + data
    crc = _crc(body)
    return body + bytes((crc & 0xFF, crc >> 8))
