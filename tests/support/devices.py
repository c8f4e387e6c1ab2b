"""The parts of a device's own test that the tests of all devices use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from hardware.ports.serial_port import SerialPort
from tests.hardware.conftest import Heard

SOON_S = 0.01

PAUSE = b"\x00\xff"
"""Between two of these comes what a device says at once."""


class Lines:
    """A language of lines: the greeting, then each value in angle brackets."""

    def __init__(self) -> None:
        self.heard = bytearray()
        self.begun: list[str] = []
        """The values that were to be sent, also those that the device did not take."""

    def greet(self, port: SerialPort) -> None:
        port.write(b"hello;")

    def send(self, port: SerialPort, value: str) -> None:
        self.begun.append(value)
        port.write(f"<{value}>".encode())

    def received(self, data: bytes) -> None:
        self.heard += data

    def lost(self) -> None:
        pass


@dataclass(frozen=True)
class Case:
    """One model: its simulated device, its driver, how a number is shown and how it is read."""

    twin: Callable[[], Any]
    driver: Callable[[str, Heard], Any]
    show: Callable[[Any, int], None]
    shows: Callable[[Any, int], bool]
    score: Mapping[str, Any] = field(default_factory=dict)
    """Settings of a score display besides kind and port."""
    reads: tuple[str, ...] = ()
    """Its rows when Black has 12 points, Brown 7, and it is Black's turn; empty: not asked."""


@dataclass(frozen=True)
class Device:
    """A kind of score display."""

    models: Mapping[str, Case]
    parser: Callable[[], Any]
    """Its driver as a link calls it, for bytes without a port."""
    flood: bytes
    """Valid messages without a request."""
    display: Callable[[], Any]
    """The display at the port "wire", for drivers without a device."""
    says: tuple[bytes, ...]
    """Messages that it may send, in pieces between ``PAUSE``."""
    noise: bytes = b""
    """For one that never answers: what it may send all the same, plug and keys."""


def nobody(*_: Any) -> None:
    """A listener that does nothing."""


def strip_frame(number: int) -> tuple[tuple[int, int, int], ...]:
    return ((number, 0, 0), (0, number, 0), (0, 0, number))


def show_text(display: Any, number: int) -> None:
    display.show([f"score {number}", "two", f"three {number}"])


def shows_text(twin: Any, number: int) -> bool:
    rows = [row.rstrip() for row in twin.rows()]
    return bool(rows[0] == f"score {number}" and rows[2] == f"three {number}")
