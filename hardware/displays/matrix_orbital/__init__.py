"""Matrix Orbital LK and LCD, Adafruit USB and serial backpack, of any size, at USB or serial.

Commands are 0xFE, a letter and arguments; everything else is text at the cursor. Bytes after the
Matrix Orbital LK204-25 manual and the Adafruit backpack's command list.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from hardware.displays.lettering import ASCII_ROM, HD44780_A00_ROM, fit
from hardware.displays.score import Fittings, ScoreDisplay, changed_span
from hardware.ports.link import Link
from hardware.ports.serial_port import SerialPort
from hardware.settings import RigSettings
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
NOISE = 3
"""Up to this many strange bytes are noise of the plug."""
COMMAND_PAUSE_S = 0.01
"""The backpack loses bytes that come sooner than this after a command."""


def fittings(_rig: RigSettings) -> Fittings:
    """Letters only."""
    return Fittings()


def connect(wiring: Wiring, tell: Listener) -> MatrixOrbitalDisplay:
    """The display of the settings. Raises HardwareError."""
    score = wiring.settings.score
    return MatrixOrbitalDisplay(
        wiring.take_port("score", score.port, tell),
        tell,
        columns=score.columns,
        rows=score.rows,
        baud=score.baud or 19200,
        backlight=score.backlight,
        contrast=score.contrast or None,
        color=None if score.color is None else (score.color[0], score.color[1], score.color[2]),
        umlauts=score.umlauts,
    )


def go_to(column: int, row: int) -> bytes:
    """The command that moves the cursor; columns and rows count from 1 on the wire."""
    return bytes((0xFE, 0x47, column, row))


class MatrixOrbitalDisplay(ScoreDisplay):
    """A display of `columns` × `rows` letters.

    `backlight` is in percent, `contrast` from 0 to 255, None for what suits most. `color` (red,
    green, blue, 0 to 255) is for Adafruit backpacks, which are also told their size; None is for
    everything else.
    `umlauts`: whether the display has the ROM of the HD44780 (code A00).
    """

    def __init__(
        self,
        url: str,
        listener: Listener,
        *,
        columns: int = 20,
        rows: int = 4,
        baud: int = 19200,
        backlight: int = 100,
        contrast: int | None = None,
        color: tuple[int, int, int] | None = None,
        umlauts: bool = True,
        first_wait_s: float = 0.25,
    ) -> None:
        self.columns = columns
        self.rows = rows
        self.rom = HD44780_A00_ROM if umlauts else ASCII_ROM
        if contrast is None:
            contrast = CONTRAST if color is None else BACKPACK_CONTRAST
        setup = [
            SCROLL_OFF,
            UNDERLINE_OFF,
            BLINK_OFF,
            bytes((0xFE, 0x50, contrast)),
            bytes((0xFE, 0x99, round(backlight * 255 / 100))),
            BACKLIGHT_ON_FOREVER,
            CLEAR,
        ]
        if color is None:
            setup.insert(0, WRAP_OFF)
        else:
            # The backpack has no command for line wrap.
            setup[:0] = [bytes((0xFE, 0xD1, columns, rows)), bytes((0xFE, 0xD0, *color))]
        blank = (b" " * columns,) * rows
        self._link: Link[tuple[bytes, ...]] = Link(
            "score",
            url,
            _Commands(url, setup, blank),
            listener,
            baud=baud,
            first_wait_s=first_wait_s,
        )

    def show(self, lines: Sequence[str]) -> None:
        fitted = fit(lines, self.columns, self.rows, self.rom)
        self._link.put(tuple(self.rom.encode(line) for line in fitted))

    def close(self) -> None:
        """Clears the display if it can still be reached, and releases it."""
        self.clear()
        self._link.close()


class _Commands:
    """The driver. The device never answers, so an open port is all that can be known; but whatever
    answers is something else. A keypad at the display sends single letters."""

    def __init__(self, url: str, setup: Sequence[bytes], blank: tuple[bytes, ...]) -> None:
        self._url = url
        self._heard = 0
        self._setup = setup
        self._blank = blank
        self._shown = blank

    def greet(self, port: SerialPort) -> None:
        self._heard = 0
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
        if self._heard <= NOISE:
            return None
        return Report("talks_back", {"port": self._url, "device": "Matrix Orbital"})

    def received(self, data: bytes) -> None:
        strange = sum(not chr(byte).isalpha() or byte > 0x7F for byte in data)
        self._heard = min(self._heard + strange, NOISE + 1)

    def lost(self) -> None:
        pass
