"""Answers of devices: every driver, on a line without a device that sends given bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from importlib import import_module
from types import ModuleType
from typing import Any
from unittest.mock import patch

from hardware.displays.pico.board import Board
from hardware.lamps import adalight, wled
from hardware.settings import DISPLAYS
from hardware.status import HardwareError
from tests.support.devices import PAUSE, nobody
from tests.support.plugged_in import SCORE_DISPLAYS

__all__ = ["PAUSE", "WIRES", "converse", "firmware"]


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
        """Wakes no thread."""

    def close(self) -> None:
        """Nothing is open."""


WIRES: dict[str, tuple[ModuleType, Callable[[], Any], tuple[bytes, ...]]] = {
    **{
        kind: (import_module(DISPLAYS[kind]), device.display, device.says)
        for kind, device in SCORE_DISPLAYS.items()
    },
    "wled": (
        adalight,
        lambda: wled.WledStrip("wire", nobody, count=8),
        (b"WLED 2403290\r\n" + PAUSE + b"Ada\r\n", b"ets Jul 29 2019 rst:0x1 WLED 15\r\nAda\n"),
    ),
    "adalight": (
        adalight,
        lambda: adalight.AdalightStrip("wire", nobody, count=8),
        (b"Ada\n" + PAUSE + b"Ada\n",),
    ),
}
"""By kind: the module of the driver, how it is made, and what a device may well send."""

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
        patches.enter_context(patch("time.sleep", nobody))
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
    table = Board().load()["Table"](nobody)
    for piece in data.split(PAUSE):
        table.feed(piece)
        table.tick()
