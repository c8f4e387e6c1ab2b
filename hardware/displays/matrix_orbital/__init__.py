"""Matrix Orbital LK and LCD, Adafruit USB and serial backpack, of any size, at USB or serial.

Commands are 0xFE, a letter and arguments; everything else is text at the cursor. Bytes after the
Matrix Orbital LK204-25 manual and the Adafruit backpack's command list.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Annotated

import msgspec

from hardware.displays.lettering import ASCII_ROM, HD44780_A00_ROM
from hardware.displays.score import LinkedDisplay, Mute, changed_span
from hardware.ports.link import Link
from hardware.ports.serial_port import SerialPort
from hardware.settings import USUAL, Byte, DisplayOptions, ScoreSettings
from hardware.status import Listener, Report
from hardware.wiring import Wiring

CLEAR = b"\xfe\x58"
WRAP_OFF = b"\xfe\x44"
SCROLL_OFF = b"\xfe\x52"
UNDERLINE_OFF = b"\xfe\x4b"
BLINK_OFF = b"\xfe\x54"
BACKLIGHT_ON_FOREVER = b"\xfe\x42\x00"

CONTRAST = 140
BACKPACK_CONTRAST = 200
"""Adafruit: "200 is a good place to start"; with 140 its letters can hardly be seen."""
LETTERS = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
"""A keypad at the display sends single letters."""
COMMAND_PAUSE_S = 0.01
"""The backpack loses bytes that come sooner than this after a command."""


class Options(DisplayOptions, frozen=True):
    """The make of a display that never says what it is."""

    color: Annotated[list[Byte], msgspec.Meta(min_length=3, max_length=3)] | None = None
    """Red, green and blue of an Adafruit backpack's background; absent for other displays."""
    umlauts: bool = True
    """True if it has the usual ROM with umlauts."""


PLAIN = Options()


def connect(wiring: Wiring, tell: Listener) -> MatrixOrbitalDisplay:
    """The display of the settings. Raises HardwareError."""
    score = wiring.settings.score
    port = wiring.take_port("score", score.port, tell)
    return MatrixOrbitalDisplay(port, tell, score, wiring.options(Options))


def go_to(column: int, row: int) -> bytes:
    """The command that moves the cursor; columns and rows count from 1 on the wire."""
    return bytes((0xFE, 0x47, column, row))


class MatrixOrbitalDisplay(LinkedDisplay):
    """A display of letters. Only Adafruit backpacks have a `color`; they are also told their
    size."""

    def __init__(
        self,
        url: str,
        listener: Listener,
        score: ScoreSettings = USUAL,
        options: Options = PLAIN,
        *,
        first_wait_s: float = 0.25,
    ) -> None:
        self.columns, self.rows, color = score.columns, score.rows, options.color
        self.rom = HD44780_A00_ROM if options.umlauts else ASCII_ROM
        contrast = score.contrast or (CONTRAST if color is None else BACKPACK_CONTRAST)
        setup = [
            SCROLL_OFF,
            UNDERLINE_OFF,
            BLINK_OFF,
            bytes((0xFE, 0x50, contrast)),
            bytes((0xFE, 0x99, round(score.backlight * 255 / 100))),
            BACKLIGHT_ON_FOREVER,
            CLEAR,
        ]
        if color is None:
            setup.insert(0, WRAP_OFF)
        else:
            # The backpack has no command for line wrap.
            size = bytes((0xFE, 0xD1, self.columns, self.rows))
            setup[:0] = [size, bytes((0xFE, 0xD0, *color))]
        driver = _Commands(url, setup, (b" " * self.columns,) * self.rows)
        self._link = Link(
            "score", url, driver, listener, baud=score.baud or 19200, first_wait_s=first_wait_s
        )


class _Commands(Mute):
    """The driver."""

    def __init__(self, url: str, setup: Sequence[bytes], blank: tuple[bytes, ...]) -> None:
        super().__init__(url, "Matrix Orbital", LETTERS)
        self._setup = setup
        self._blank = blank
        self._shown = blank

    def greet(self, port: SerialPort) -> None:
        super().greet(port)
        for command in self._setup:
            port.write(command)
            time.sleep(COMMAND_PAUSE_S)
        self._shown = self._blank

    def send(self, port: SerialPort, value: tuple[bytes, ...]) -> Report | None:
        for row, (old, new) in enumerate(zip(self._shown, value, strict=True)):
            span = changed_span(old, new)
            if span is not None:
                start, end = span
                port.write(go_to(start + 1, row + 1) + new[start:end])
                time.sleep(COMMAND_PAUSE_S)
        self._shown = value
        return self.trouble
