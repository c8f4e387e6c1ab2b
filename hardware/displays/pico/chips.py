"""The chips connected to a simulated Pico.

They read their wires as the data sheets say: HD44780 behind a PCF8574, TM1637, MAX7219. What they
cannot make sense of is a sentence in `errors`.
"""

from __future__ import annotations

from collections.abc import Callable

from hardware.displays.lettering import HD44780_A00_ROM

RISE_US = 20
"""Rise time of a TM1637's lines on modules with capacitors and resistors of 10 kΩ."""

Clock = Callable[[], int]
"""Microseconds that the firmware has let pass, by sleeping or on a bus."""


class Hd44780:
    """A character display in four-bit mode behind a PCF8574 I²C expander."""

    def __init__(self, errors: list[str], clock: Clock) -> None:
        self.errors = errors
        self.memory = bytearray(b" " * 0x68)
        self.backlight = False
        self.on = False
        self._clock = clock
        self._busy_until = 40_000
        self._drawing = False
        self._wakes = 0
        self._place = 0
        self._latched = 0
        self._four_bits = False
        self._high: int | None = None

    def take(self, data: bytes) -> None:
        """Bytes on the outputs of the expander; a nibble counts when E falls."""
        for byte in data:
            self.backlight = bool(byte & 0x08)
            if self._latched & 0x04 and not byte & 0x04:
                self._nibble(self._latched >> 4, bool(self._latched & 0x01))
            self._latched = byte

    def text(self, columns: int, rows: int, *, halves: bool = False) -> list[str]:
        """What a person reads on a display of this size; `halves` for a row of two halves."""
        shown = bytes(self.memory if self.on else b" " * 0x68)
        if halves:
            half = columns // 2
            return [HD44780_A00_ROM.decode(shown[:half] + shown[0x40 : 0x40 + half])]
        starts = (0x00, 0x40, columns, 0x40 + columns)[:rows]
        return [HD44780_A00_ROM.decode(shown[start : start + columns]) for start in starts]

    def _nibble(self, nibble: int, letter: bool) -> None:
        if self._high is None and self._clock() < self._busy_until:
            self.errors.append(f"The display was still busy when 0x{nibble:X} came.")
        if not self._four_bits:
            # The first command of waking up takes 4.1 ms, those after it 100 µs.
            self._busy_for(4100 if not self._wakes else 100)
            self._wakes += 1
            if nibble == 0x2:
                self._four_bits = True
            elif nibble != 0x3:
                self.errors.append(f"The display got 0x{nibble:X}0 before it was woken.")
            return
        if self._high is None:
            self._high = nibble
            return
        byte, self._high = self._high << 4 | nibble, None
        self._busy_for(1520 if not letter and byte == 0x01 else 37)
        if letter:
            self._write(byte)
        elif byte & 0x80:
            self._place, self._drawing = byte & 0x7F, False
        elif byte & 0x40:
            self._drawing = True
        elif byte == 0x01:
            self.memory = bytearray(b" " * 0x68)
            self._place = 0
        elif byte & 0xF0 == 0x30:
            # Back to eight bits: how a display whose nibbles may be out of step is woken.
            self._four_bits, self._wakes = False, 1
        elif byte & 0xF8 == 0x08:
            self.on = bool(byte & 0x04)
        elif byte not in (0x28, 0x06):
            self.errors.append(f"The display got the unknown command 0x{byte:02X}.")

    def _busy_for(self, us: int) -> None:
        self._busy_until = self._clock() + us

    def _write(self, byte: int) -> None:
        if self._drawing:
            self.errors.append(f"0x{byte:02X} went into a letter of its own, not on the display.")
        elif self._place % 0x40 >= 0x28:
            self.errors.append(f"There is no letter at 0x{self._place:02X}.")
        else:
            self.memory[self._place] = byte
        self._place += 1


class Tm1637Chip:
    """Four digits on two wires. It answers each byte by pulling the data line low."""

    def __init__(self, errors: list[str], clock: Clock) -> None:
        self.errors = errors
        self._clock = clock
        self._risen = {"clock": -RISE_US, "data": -RISE_US}
        self.digits = bytearray(4)
        self.brightness = 0
        self.on = False
        self.answering = False
        self._clk = self._dio = 1
        self._bits: list[int] | None = None
        self._bytes = bytearray()

    def wires(self, clk: int, dio: int) -> None:
        """The lines are at these levels now."""
        before, self._clk = self._clk, clk
        self._watch_edges(before, clk, dio)
        if before and clk and dio != self._dio:
            if dio:
                self._finish()
            else:
                self._bits, self._bytes = [], bytearray()
        elif clk and not before and self._bits is not None:
            if len(self._bits) < 8:
                self._bits.append(dio)
        elif before and not clk and self._bits is not None:
            if self.answering:
                self.answering, self._bits = False, []
            elif len(self._bits) == 8:
                self._bytes.append(sum(bit << place for place, bit in enumerate(self._bits)))
                self.answering = True
        self._dio = dio

    def _watch_edges(self, before: int, clk: int, dio: int) -> None:
        """Names a line that was read before it could rise, or pulled down again too soon."""
        now = self._clock()
        if before and not clk and now - self._risen["clock"] < RISE_US:
            self.errors.append("The clock of the TM1637 fell before it had risen.")
        if not before and clk:
            self._risen["clock"] = now
            if dio and now - self._risen["data"] < RISE_US:
                self.errors.append("The data line of the TM1637 was read before it had risen.")
        if dio and not self._dio:
            self._risen["data"] = now

    def _finish(self) -> None:
        if self._bits is None:
            return
        data, self._bits = bytes(self._bytes), None
        if not data:
            self.errors.append("The TM1637 was spoken to without a word.")
        elif data[0] & 0xC0 == 0x80 and len(data) == 1:
            self.on, self.brightness = bool(data[0] & 8), data[0] & 7
        elif data[0] & 0xC0 == 0xC0 and data[0] & 0x3F < 4:
            place = data[0] & 0x3F
            if place + len(data) - 1 > 4:
                self.errors.append("More digits were sent than the TM1637 has.")
            self.digits[place : place + len(data) - 1] = data[1 : 5 - place]
        elif data != b"\x40":
            self.errors.append(f"The TM1637 does not know {data.hex(' ')}.")


class Max7219Chip:
    """Eight digits on an SPI bus; bit 7 is the dot, bits 6 to 0 are a to g."""

    def __init__(self, errors: list[str]) -> None:
        self.errors = errors
        self.registers = bytearray(16)
        self.selected = False
        self._shift = b""

    def select(self, level: int) -> None:
        """The chip select line; what was shifted in counts when it rises."""
        if level and self.selected:
            if len(self._shift) != 2 or self._shift[0] > 15:
                self.errors.append(f"The MAX7219 does not know {self._shift.hex(' ')}.")
            else:
                self.registers[self._shift[0]] = self._shift[1]
        self.selected, self._shift = not level, b""

    def write(self, data: bytes) -> None:
        """Bytes on the bus."""
        if self.selected:
            self._shift += data

    @property
    def digits(self) -> list[int]:
        """Segments from the left, bit 0 is a, bit 7 the dot; dark while shut down."""
        if not self.registers[0x0C] & 1:
            return [0] * 8
        return [_turned(self.registers[8 - place]) for place in range(8)]


def _turned(byte: int) -> int:
    return byte & 0x80 | sum((byte >> bit & 1) << (6 - bit) for bit in range(7))
