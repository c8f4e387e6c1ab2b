"""WS2812 at the SPI bus: judged by the bytes that left the bus."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.lamps import spi_strip
from hardware.lamps.lamps import Frame, Lamps, Light
from hardware.lamps.spi_strip import SpiStrip, open_spi, spi_frame
from hardware.status import HardwareError
from tests.hardware.conftest import Heard
from tests.support.rig import rig_of
from tests.support.waiting import until


class FakeSpi:
    """A bus that records, as spidev's SpiDev."""

    made: list[FakeSpi] = []
    broken = False

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.place: tuple[int, int] | None = None
        self.max_speed_hz = 0
        self.mode = 3
        FakeSpi.made.append(self)

    def open(self, bus: int, device: int) -> None:
        if bus == 9:
            raise FileNotFoundError(2, "No such file or directory")
        self.place = (bus, device)

    def writebytes2(self, data: bytes) -> None:
        if self.broken:
            raise OSError(5, "Input/output error")
        self.sent.append(bytes(data))

    def close(self) -> None:
        self.place = None


@pytest.fixture
def spidev(monkeypatch: pytest.MonkeyPatch) -> type[FakeSpi]:
    module = ModuleType("spidev")
    module.SpiDev = FakeSpi  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "spidev", module)
    monkeypatch.setattr(FakeSpi, "made", [])
    return FakeSpi


def decoded(data: bytes) -> Frame:
    """The colours in the bits on the wire: a second decoder, bit by bit."""
    head = len(data) - len(data.lstrip(b"\0"))
    tail = len(data) - len(data.rstrip(b"\0"))
    assert head >= 90 and tail >= 90
    bits = "".join(f"{byte:08b}" for byte in data[head : len(data) - tail])
    assert len(bits) % 72 == 0
    symbols = [bits[at : at + 3] for at in range(0, len(bits), 3)]
    assert set(symbols) <= {"100", "110"}
    levels = "".join("1" if symbol == "110" else "0" for symbol in symbols)
    parts = [int(levels[at : at + 8], 2) for at in range(0, len(levels), 8)]
    return tuple((parts[at + 1], parts[at], parts[at + 2]) for at in range(0, len(parts), 3))


def test_the_bytes_are_those_of_the_data_sheet() -> None:
    assert spi_frame(((255, 255, 255),))[90:-90] == bytes.fromhex("DB6DB6" * 3)
    assert spi_frame(((0, 0, 0),))[90:-90] == bytes.fromhex("924924" * 3)
    assert spi_frame(((0, 255, 0),))[90:93] == bytes.fromhex("DB6DB6"), "green goes first"


@given(frame=st.lists(st.tuples(*[st.integers(0, 255)] * 3), min_size=1, max_size=40))
def test_any_frame_is_understood_by_a_strip(frame: list[tuple[int, int, int]]) -> None:
    assert decoded(spi_frame(tuple(frame))) == tuple(frame)


def test_the_strip_shows_the_lights_and_is_dark_after_closing(
    spidev: type[FakeSpi], heard: Heard
) -> None:
    lamps = Lamps(SpiStrip("/dev/spidev1.2", 3, heard), brightness=0.5, gamma=1)
    (bus,) = spidev.made
    assert (bus.place, bus.max_speed_hz, bus.mode) == ((1, 2), 2_400_000, 0)
    lamps.show({1: Light((255, 0, 128))})
    wanted = ((0, 0, 0), (128, 0, 64), (0, 0, 0))
    assert until(lambda: bool(bus.sent) and decoded(bus.sent[-1]) == wanted)
    lamps.close()
    assert decoded(bus.sent[-1]) == ((0, 0, 0),) * 3
    assert bus.place is None
    assert heard.codes == ["connected"]


def test_a_steady_picture_is_sent_again_as_a_glitch_would_stay(spidev: type[FakeSpi]) -> None:
    with rig_of({"lamps": {"kind": "spi", "count": 2, "brightness": 1}}) as rig:
        rig.lamps._refresh_s = 0.02
        rig.lamps.show({0: Light((255, 0, 0))})
        (bus,) = spidev.made
        wanted = ((255, 0, 0), (0, 0, 0))
        assert until(lambda: [decoded(data) for data in bus.sent].count(wanted) >= 3)


def test_a_bus_that_failed_is_used_again_though_nothing_changes(
    spidev: type[FakeSpi], monkeypatch: pytest.MonkeyPatch
) -> None:
    with rig_of({"lamps": {"kind": "spi", "count": 1, "brightness": 1}}) as rig:
        rig.lamps._refresh_s = 0.02
        monkeypatch.setattr(FakeSpi, "broken", True)
        rig.lamps.show({0: Light((255, 0, 0))})
        assert until(lambda: rig.status()[0].code == "spi_failed")
        monkeypatch.setattr(FakeSpi, "broken", False)
        assert until(lambda: rig.status()[0].code == "connected")
        assert decoded(spidev.made[-1].sent[-1]) == ((255, 0, 0),)


def test_a_bus_that_fails_is_reported_once_and_opened_again(
    spidev: type[FakeSpi], heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    strip = SpiStrip("/dev/spidev0.0", 1, heard)
    monkeypatch.setattr(FakeSpi, "broken", True)
    for _ in range(3):
        strip.show(((1, 2, 3),))
    monkeypatch.setattr(FakeSpi, "broken", False)
    strip.show(((1, 2, 3),))
    assert decoded(spidev.made[-1].sent[-1]) == ((1, 2, 3),)
    strip.close()
    assert all(bus.place is None for bus in spidev.made), "no bus is left open"
    assert heard.codes == ["connected", "spi_failed", "connected"]


def test_a_strip_too_long_for_the_buffer_is_refused_with_what_to_do(
    spidev: type[FakeSpi], heard: Heard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(HardwareError, match=r"spidev\.bufsiz"):
        SpiStrip("/dev/spidev0.0", 436, heard)
    SpiStrip("/dev/spidev0.0", 435, heard).close()
    bigger = tmp_path / "bufsiz"
    bigger.write_text("32768\n")
    monkeypatch.setattr(spi_strip, "BUFFER_SIZE", bigger)
    SpiStrip("/dev/spidev0.0", 1000, heard).close()


@pytest.mark.parametrize(
    ("path", "code"), [("/dev/ttyUSB0", "spi_failed"), ("/dev/spidev9.0", "spi_failed")]
)
def test_a_bus_that_is_none_is_named(spidev: type[FakeSpi], path: str, code: str) -> None:
    with pytest.raises(HardwareError, match=path) as caught:
        open_spi(path)
    assert caught.value.report.code == code


def test_without_spidev_the_rig_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spidev", None)
    with rig_of({"lamps": {"kind": "spi", "count": 3}}) as rig:
        rig.lamps.show({0: Light((1, 2, 3))})
        (lamps,) = (status for status in rig.status() if status.name == "lamps")
        assert lamps.code == "spi_missing"
        assert "python3-spidev" in lamps.message
