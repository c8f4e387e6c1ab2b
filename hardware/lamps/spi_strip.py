"""A WS2812 strip on the SPI bus of a Raspberry Pi, without a controller and without root.

At 2.4 MHz three bits of the bus make one bit of the strip: 100 is a short pulse (0), 110 a long one
(1), after the WS2812B data sheet. Colours go green, red, blue. Silence of 300 µs, which is 90 bytes
of zeros, ends a frame; the same before it lets the line settle.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hardware.fittings import FIRST_BUS
from hardware.lamps.lamps import Frame
from hardware.status import HardwareError, Listener, Report
from hardware.wiring import Wiring

CLOCK_HZ = 2_400_000
SILENCE = bytes(90)
BYTES_A_LAMP = 9
BUFFER_SIZE = Path("/sys/module/spidev/parameters/bufsiz")
USUAL_BUFFER = 4096


def connect(wiring: Wiring, tell: Listener) -> SpiStrip:
    """The strip of the settings. Raises HardwareError."""
    wiring.take_pins("lamps")
    return SpiStrip(wiring.settings.lamps.port or FIRST_BUS, wiring.lamp_count(), tell)


def _three_for_one(value: int) -> bytes:
    bits = "".join("110" if value >> bit & 1 else "100" for bit in range(7, -1, -1))
    return int(bits, 2).to_bytes(3, "big")


PULSES = tuple(_three_for_one(value) for value in range(256))
"""Each byte of a colour as three bytes of the bus; 255 is DB 6D B6."""


def spi_frame(frame: Frame) -> bytes:
    """One frame as the bytes on the bus."""
    pulses = b"".join(PULSES[part] for red, green, blue in frame for part in (green, red, blue))
    return SILENCE + pulses + SILENCE


def open_spi(path: str) -> Any:
    """The bus at "/dev/spidev0.0". Raises HardwareError with what to do."""
    place = re.fullmatch(r"/dev/spidev(\d+)\.(\d+)", path)
    if place is None:
        raise HardwareError("spi_failed", port=path, reason="its name is not like /dev/spidev0.0")
    try:
        # Imported here because it exists only on a Raspberry Pi.
        spidev = importlib.import_module("spidev")
    except ImportError as error:
        raise HardwareError("spi_missing", port=path) from error
    try:
        bus = spidev.SpiDev()
        bus.open(int(place[1]), int(place[2]))
        bus.max_speed_hz = CLOCK_HZ
        bus.mode = 0
    except OSError as error:
        reason = error.strerror or str(error)
        raise HardwareError("spi_failed", port=path, reason=reason) from error
    return bus


class SpiStrip:
    """The strip as a lamp backend; `count` is its length.

    A frame of 100 lamps takes 4 ms, in the thread of the lamps. A bus that fails is reported once
    and opened again with the next frame. Raises HardwareError when the strip is too long for the
    bus, or the bus cannot be opened at the start.
    """

    is_strip = True

    def __init__(
        self,
        path: str,
        count: int,
        listener: Listener,
        *,
        opener: Callable[[str], Any] = open_spi,
    ) -> None:
        room = _buffer_size()
        if len(SILENCE) * 2 + count * BYTES_A_LAMP > room:
            # Split in two, the frame would have a pause in it, and the strip would start over.
            raise HardwareError("strip_too_long", count=count, buffer=room)
        self.count = count
        self._path = path
        self._listener = listener
        self._opener = opener
        self._bus: Any = opener(path)
        self._report = Report("connected", {"port": path})
        listener(self._report)

    def show(self, frame: Frame) -> None:
        try:
            if self._bus is None:
                self._bus = self._opener(self._path)
            self._bus.writebytes2(spi_frame(frame))
        except HardwareError as error:
            self._tell(error.report)
        except OSError as error:
            self._let_go()
            reason = error.strerror or str(error)
            self._tell(Report("spi_failed", {"port": self._path, "reason": reason}))
        else:
            self._tell(Report("connected", {"port": self._path}))

    def close(self) -> None:
        self._let_go()

    def _let_go(self) -> None:
        bus, self._bus = self._bus, None
        if bus is not None:
            bus.close()

    def _tell(self, report: Report) -> None:
        if report != self._report:
            self._report = report
            self._listener(report)


def _buffer_size() -> int:
    """Bytes that leave the bus without a pause."""
    try:
        return int(BUFFER_SIZE.read_text())
    except (OSError, ValueError):
        return USUAL_BUFFER
