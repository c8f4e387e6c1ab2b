"""Every kind of device that is plugged in: its twin, its driver, what it is shown and shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hardware.displays.crystalfontz import CrystalfontzDisplay, DisplayLamps
from hardware.displays.matrix_orbital import MatrixOrbitalDisplay
from hardware.displays.pico import PicoLamps, PicoTable
from hardware.displays.serial7segment import Serial7SegmentDisplay
from hardware.lamps.adalight import AdalightStrip
from hardware.lamps.wled import WledStrip
from hardware.ports.serial_port import SerialPort
from hardware.twin.adalight import AdalightTwin
from hardware.twin.cfa635 import Cfa631Twin, Cfa635Twin
from hardware.twin.matrix_orbital import MatrixOrbitalTwin
from hardware.twin.pico import PicoTwin
from hardware.twin.serial7segment import Serial7SegmentTwin
from hardware.twin.wled import WledTwin
from tests.hardware.conftest import Heard

SOON_S = 0.01


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


@dataclass
class Case:
    """A kind of device: its twin, its driver, how a number is shown and how it is read."""

    twin: Callable[[], Any]
    driver: Callable[[str, Heard], Any]
    show: Callable[[Any, int], None]
    shows: Callable[[Any, int], bool]


def strip_frame(number: int) -> tuple[tuple[int, int, int], ...]:
    return ((number, 0, 0), (0, number, 0), (0, 0, number))


def show_text(display: Any, number: int) -> None:
    display.show([f"score {number}", "two", f"three {number}"])


def show_everything(display: Any, number: int) -> None:
    show_text(display, number)
    lamps = (
        DisplayLamps(display) if isinstance(display, CrystalfontzDisplay) else PicoLamps(display)
    )
    lamps.show(strip_frame(number))


CASES = {
    "cfa635": Case(
        Cfa635Twin,
        lambda url, heard: CrystalfontzDisplay(url, heard, first_wait_s=SOON_S),
        show_everything,
        lambda twin, n: (
            twin.rows()[0].rstrip() == f"score {n}"
            and twin.rows()[2].rstrip() == f"three {n}"
            and twin.leds[0] == (0, round(n / 2.55))
        ),
    ),
    "cfa631": Case(
        Cfa631Twin,
        lambda url, heard: CrystalfontzDisplay(url, heard, rows=2, first_wait_s=SOON_S),
        lambda display, n: display.show([f"score {n}", f"two {n}"]),
        lambda twin, n: [row.rstrip() for row in twin.rows()] == [f"score {n}", f"two {n}"],
    ),
    "adafruit": Case(
        lambda: MatrixOrbitalTwin(16, 2, adafruit=True),
        lambda url, heard: MatrixOrbitalDisplay(
            url, heard, columns=16, rows=2, color=(0, 9, 99), first_wait_s=SOON_S
        ),
        lambda display, n: display.show([f"score {n}", f"two {n}"]),
        lambda twin, n: (
            [row.rstrip() for row in twin.rows()] == [f"score {n}", f"two {n}"]
            and twin.color == (0, 9, 99)
        ),
    ),
    "pico digits": Case(
        lambda: PicoTwin("tm1637"),
        lambda url, heard: PicoTable(url, heard, display="tm1637", first_wait_s=SOON_S),
        lambda display, n: display.show([str(n)]),
        lambda twin, n: twin.rows() == [f"{n:>4}"],
    ),
    "matrix_orbital": Case(
        MatrixOrbitalTwin,
        lambda url, heard: MatrixOrbitalDisplay(url, heard, first_wait_s=SOON_S),
        show_text,
        lambda twin, n: (
            twin.rows()[0].rstrip() == f"score {n}" and twin.rows()[2].rstrip() == f"three {n}"
        ),
    ),
    "serial7segment": Case(
        Serial7SegmentTwin,
        lambda url, heard: Serial7SegmentDisplay(url, heard, first_wait_s=SOON_S),
        lambda display, n: display.show([str(n)]),
        lambda twin, n: twin.rows() == [f"{n:>4}"],
    ),
    "pico": Case(
        lambda: PicoTwin("lcd", 20, 4),
        lambda url, heard: PicoTable(url, heard, columns=20, rows=4, lamps=3, first_wait_s=SOON_S),
        show_everything,
        lambda twin, n: (
            twin.rows()[0].rstrip() == f"score {n}"
            and twin.rows()[2].rstrip() == f"three {n}"
            and tuple(twin.pixels) == strip_frame(n)
        ),
    ),
    "adalight": Case(
        lambda: AdalightTwin(3),
        lambda url, heard: AdalightStrip(url, heard, count=3, first_wait_s=SOON_S),
        lambda strip, n: strip.show(strip_frame(n)),
        lambda twin, n: tuple(twin.pixels) == strip_frame(n),
    ),
    "wled": Case(
        lambda: WledTwin(3),
        lambda url, heard: WledStrip(url, heard, count=3, first_wait_s=SOON_S),
        lambda strip, n: strip.show(strip_frame(n)),
        lambda twin, n: tuple(twin.pixels) == strip_frame(n),
    ),
}
