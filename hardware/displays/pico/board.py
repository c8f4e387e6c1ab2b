"""A simulated Pico and its wires: the modules `machine`, `micropython`, `neopixel` and `utime` of
MicroPython for CPython, in front of the chips of `hardware.displays.pico.board`.
"""

from __future__ import annotations

import builtins
import time
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from hardware.displays.lettering import HD44780_A00_ROM

# The chips connected to a simulated Pico.
#
# They read their wires as the data sheets say: HD44780 behind a PCF8574, TM1637, MAX7219. What they
# cannot make sense of is a sentence in `errors`.

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
        """The text on a display of this size; `halves` for a row of two halves."""
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


FIRMWARE = Path(__file__).parents[2] / "firmware" / "pico" / "main.py"
"""The program that runs on the real Pico, too."""

I2C_BYTE_US = 90
"""Nine bits at 100 kHz."""
LCD_ADDRESS = 0x27
TM1637_CLK, TM1637_DIO, MAX7219_CS = 10, 11, 17

Pixel = tuple[int, int, int]


class Board:
    """A Pico and its wires. `has` names the displays that are connected."""

    def __init__(self, has: tuple[str, ...] = ("lcd", "tm1637", "max7219")) -> None:
        self.has = has
        self.errors: list[str] = []
        self.clock: Callable[[], float] = time.monotonic
        """Seconds, for what the firmware does by itself; may be replaced by tests."""
        self.passed_us = 0
        self.lcd = Hd44780(self.errors, lambda: self.passed_us)
        self.tm1637 = Tm1637Chip(self.errors, lambda: self.passed_us)
        self.max7219 = Max7219Chip(self.errors)
        self.pixels: list[Pixel] = []
        self.levels: dict[int, int] = {}
        self.pressed: set[int] = set()
        self.taken: set[int] = set()
        self.interrupts: list[int] = []
        """Characters passed to `kbd_intr`, in order: 3 is Ctrl-C, -1 none."""

    def load(self) -> dict[str, Any]:
        """The names of the firmware, run on this board and not as the main program."""
        fakes = self.modules()

        def importing(name: str, *args: Any, **options: Any) -> Any:
            return fakes.get(name) or builtins.__import__(name, *args, **options)

        names: dict[str, Any] = {
            "__name__": "firmware",
            "__builtins__": {**vars(builtins), "__import__": importing},
        }
        exec(_compiled(FIRMWARE), names)
        return names

    def modules(self) -> Mapping[str, ModuleType]:
        """`machine`, `micropython`, `neopixel`, `utime`, as the firmware imports them."""
        return {
            "machine": _module(
                "machine", Pin=_at(self, _Pin), I2C=_at(self, _I2C), SPI=_at(self, _SPI)
            ),
            "micropython": _module("micropython", kbd_intr=self.interrupts.append),
            "neopixel": _module("neopixel", NeoPixel=_at(self, _NeoPixel)),
            "utime": _module(
                "utime",
                ticks_ms=lambda: int(self.clock() * 1000) & 0x3FFFFFFF,
                ticks_diff=lambda a, b: (a - b + 0x20000000 & 0x3FFFFFFF) - 0x20000000,
                sleep_ms=lambda ms: self._sleep(1000 * ms),
                sleep_us=self._sleep,
            ),
        }

    def _sleep(self, us: int) -> None:
        self.passed_us += us

    def level(self, pin: int) -> int:
        """The level that the firmware reads at a pin."""
        if pin == TM1637_DIO and "tm1637" in self.has and self.tm1637.answering:
            return 0
        return 0 if pin in self.pressed else self.levels.get(pin, 1)

    def drive(self, pin: int, level: int) -> None:
        """The firmware sets a pin."""
        self.levels[pin] = level
        if pin in (TM1637_CLK, TM1637_DIO) and "tm1637" in self.has:
            self.tm1637.wires(self.levels.get(TM1637_CLK, 1), self.levels.get(TM1637_DIO, 1))
        elif pin == MAX7219_CS and "max7219" in self.has:
            self.max7219.select(level)


class _Pin:
    board: Board

    IN, OUT, OPEN_DRAIN, PULL_UP = 0, 1, 2, 1

    def __init__(self, number: int, mode: int = 0, pull: int | None = None, value: int = 1) -> None:
        self.number = number
        if mode != _Pin.IN:
            self(value)

    def __call__(self, level: int | None = None) -> int:
        if level is None:
            return self.board.level(self.number)
        self.board.drive(self.number, level)
        return level


class _I2C:
    board: Board

    def __init__(self, bus: int, *, sda: _Pin, scl: _Pin, freq: int) -> None:
        if (sda.number % 4, scl.number % 4) != (2 * bus, 2 * bus + 1):
            self.board.errors.append(f"I²C {bus} is not at pins {sda.number}, {scl.number}.")

    def scan(self) -> list[int]:
        return [LCD_ADDRESS] if "lcd" in self.board.has else []

    def writeto(self, address: int, data: bytes) -> None:
        if address != LCD_ADDRESS or "lcd" not in self.board.has:
            raise OSError(5, "EIO")
        for byte in data:
            self.board.passed_us += I2C_BYTE_US
            self.board.lcd.take(bytes((byte,)))


class _SPI:
    board: Board

    def __init__(self, bus: int, *, baudrate: int, sck: _Pin, mosi: _Pin) -> None:
        if (sck.number, mosi.number) not in ((2, 3), (6, 7), (18, 19)) or bus != 0:
            self.board.errors.append(f"SPI {bus} is not at pins {sck.number}, {mosi.number}.")

        self.board.taken = {16, sck.number, mosi.number}

    def write(self, data: bytes) -> None:
        if "max7219" in self.board.has:
            self.board.max7219.write(data)


class _NeoPixel:
    board: Board

    def __init__(self, pin: _Pin, count: int) -> None:
        self.next: list[Pixel] = [(0, 0, 0)] * count
        if pin.number in self.board.taken:
            self.board.errors.append(f"Pin {pin.number} belongs to the SPI bus.")

    def __len__(self) -> int:
        return len(self.next)

    def __setitem__(self, place: int, pixel: Pixel) -> None:
        self.next[place] = pixel

    def fill(self, pixel: Pixel) -> None:
        self.next = [pixel] * len(self.next)

    def write(self) -> None:
        self.board.pixels = list(self.next)


def _at(board: Board, part: type) -> type:
    """A class of MicroPython whose objects are those of one board."""
    return type(part.__name__.removeprefix("_"), (part,), {"board": board})


@cache
def _compiled(path: Path) -> CodeType:
    return compile(path.read_text(encoding="utf-8"), str(path), "exec")


def _module(name: str, **parts: type | Callable[..., Any]) -> ModuleType:
    module = ModuleType(name)
    for part, value in parts.items():
        setattr(module, part, value)
    return module
