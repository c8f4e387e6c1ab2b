"""What devices may send: every driver, on a line without a device that answers with given bytes."""

from __future__ import annotations

import binascii
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from types import ModuleType
from typing import Any
from unittest.mock import patch

from hardware.displays import crystalfontz, lcdproc, matrix_orbital, pico, serial7segment
from hardware.lamps import adalight, wled
from hardware.status import HardwareError
from hardware.twin.pico_board import Board

__all__ = ["WIRES", "converse", "firmware"]


class _Line:
    """Stands in for ``hardware.ports.link.Link``: it keeps the driver and opens nothing."""

    newest: _Line

    def __init__(self, name: str, url: str, driver: Any, listener: Any, **rest: Any) -> None:
        self.driver, self.value = driver, None
        _Line.newest = self

    def put(self, value: Any) -> None:
        self.value = value

    def close(self) -> None:
        """Nothing was opened."""


class _Port:
    """Takes everything; each thing written is answered by the next piece."""

    def __init__(self, driver: Any, pieces: Iterator[bytes]) -> None:
        self._driver, self._pieces = driver, pieces

    def write(self, data: bytes) -> None:
        self._driver.received(next(self._pieces, b""))

    def read(self) -> bytes:
        return b""

    def wake(self) -> None:
        """Nobody waits."""

    def close(self) -> None:
        """Nothing is open."""


def _nobody(*_: Any) -> None:
    """Hears of everything."""


PAUSE = b"\x00\xff"
"""Between two of these comes what a device says at once."""


def _told(number: int, *fields: str) -> bytes:
    """A line as the Pico says it."""
    body = ",".join((f"{number:02X}", *fields)).encode()
    return b"$" + body + b"*%04X\r\n" % binascii.crc_hqx(body, 0xFFFF)


WIRES: dict[str, tuple[ModuleType, Callable[[], Any], tuple[bytes, ...]]] = {
    "crystalfontz": (
        crystalfontz,
        lambda: crystalfontz.CrystalfontzDisplay("wire", _nobody, on_key=_nobody),
        (
            PAUSE.join(crystalfontz.packet(0x40 | kind) for kind in (0, 6, 12, 13, 14, 23, 31, 34)),
            PAUSE.join(crystalfontz.packet(0x80, bytes((key,))) for key in range(1, 13)),
            crystalfontz.packet(0xC0, b"0123456789abcdef") * 6,
        ),
    ),
    "matrix_orbital": (
        matrix_orbital,
        lambda: matrix_orbital.MatrixOrbitalDisplay("wire", _nobody),
        (PAUSE.join((b"A", b"BCD", b"EFGH")),),
    ),
    "lcdproc": (
        lcdproc,
        lambda: lcdproc.LcddDisplay("wire", _nobody, on_key=_nobody),
        (
            b"connect LCDproc 0.5.9 protocol 0.3 lcd wid 20 hgt 4 cellwid 5 cellhgt 8\n"
            + PAUSE
            + b"success\n" * 20
            + PAUSE
            + b"listen table\nkey Up\nignore table\nhuh? what\n",
        ),
    ),
    "pico": (
        pico,
        lambda: pico.PicoTable("wire", _nobody, lamps=8, on_key=_nobody),
        (
            PAUSE.join(
                (
                    _told(1, "A", pico.NAME, pico.PROTOCOL),
                    *(_told(number, "A") for number in range(2, 9)),
                )
            ),
            _told(0, "B", "commit", "1") + PAUSE + _told(0, "B", "commit", "0"),
            _told(1, "E", "no_display") + PAUSE + _told(2, "E", "what"),
        ),
    ),
    "serial7segment": (
        serial7segment,
        lambda: serial7segment.Serial7SegmentDisplay("wire", _nobody),
        (PAUSE.join((b"\x76", b"\x77\x00")),),
    ),
    "wled": (
        adalight,
        lambda: wled.WledStrip("wire", _nobody, count=8),
        (b"WLED 2403290\r\n" + PAUSE + b"Ada\r\n", b"ets Jul 29 2019 rst:0x1 WLED 15\r\nAda\n"),
    ),
    "adalight": (
        adalight,
        lambda: adalight.AdalightStrip("wire", _nobody, count=8),
        (b"Ada\n" + PAUSE + b"Ada\n",),
    ),
}
"""By the name of the driver: its module, how it is made, and what a device may well send."""

_WAITS = ("ANSWER_WAIT_S", "ASK_EVERY_S", "COMMAND_PAUSE_S", "PATIENCE_S", "REPLY_WAIT_S")


def converse(name: str, data: bytes) -> None:
    """Greet a device that answers with ``data``, show it something, hear the rest, lose it.

    Raises whatever is no HardwareError.
    """
    module, make, _ = WIRES[name]
    pieces = iter(data.split(PAUSE))
    with ExitStack() as patches:
        patches.enter_context(patch.object(module, "Link", _Line))
        for place in {module, wled}:
            # No test waits for a device that is not there.
            for wait in vars(place).keys() & set(_WAITS):
                patches.enter_context(patch.object(place, wait, 0.001))
        patches.enter_context(patch("time.sleep", _nobody))
        make()
        driver, value = _Line.newest.driver, _Line.newest.value
        port = _Port(driver, pieces)
        for _ in range(2):
            with suppress(HardwareError):
                driver.greet(port)
                if value is not None:
                    driver.send(port, value)
            driver.received(next(pieces, b""))
        for piece in pieces:
            driver.received(piece)
        driver.lost()


def firmware(data: bytes) -> None:
    """Our own firmware of the Pico hears ``data``; whatever it is, it goes on."""
    table = Board().load()["Table"](_nobody)
    for piece in data.split(PAUSE):
        table.feed(piece)
        table.tick()
