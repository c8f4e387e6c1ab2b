"""A simulated Pico and its wires: the modules `machine`, `micropython`, `neopixel` and `utime` of
MicroPython for CPython, in front of the chips of `hardware.displays.pico.chips`.
"""

from __future__ import annotations

import builtins
import time
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from hardware.displays.pico.chips import Hd44780, Max7219Chip, Tm1637Chip

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
        """Which character was to stop the program, in turn: 3 is Ctrl-C, -1 none."""

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
        """What the firmware reads at a pin."""
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
