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


class Wire:
    """A port that only remembers."""

    def __init__(self) -> None:
        self.data = bytearray()

    def read(self) -> bytes:
        return b""

    def write(self, data: bytes) -> None:
        self.data += data

    def wake(self) -> None:
        pass

    def close(self) -> None:
        pass


def said(speak: Callable[[SerialPort], object]) -> bytes:
    """The bytes that a driver writes."""
    wire = Wire()
    speak(wire)
    return bytes(wire.data)


@dataclass(frozen=True)
class Stream:
    """The bytes of a driver, for trying it with a mistake at each."""

    data: Callable[[], bytes]
    """A greeting and a screen."""
    rows: tuple[str, ...]
    """The text that is read afterwards."""
    rest: bytes = b""
    """Ends every command that a mistake may have begun."""
    sound: Callable[[Any], bool] = lambda twin: True
    """True if the simulated device is in a state that its manual defines."""


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
    stream: Stream | None = None
    """None: its own test tries it with a mistake at each byte."""
    baud: int = 0
    """Speed of its line, for benchmarks; 0: USB."""
    at_port: bool = True
    """False: at GPIO pins, where nothing ends within a byte and nothing answers. Its twin has a
    ``factory`` instead of a ``url``."""
    whole: int = 0
    """Bytes of a driver that would always send the whole screen, for benchmarks; 0: not known."""


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
