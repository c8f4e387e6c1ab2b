"""Lamps at WLED and at the computer's own pins."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.lamps import spi_strip
from hardware.lamps.adalight import adalight_frame
from hardware.lamps.lamps import Frame, Lamps, Light
from hardware.lamps.spi_strip import SpiStrip, open_spi, spi_frame
from hardware.lamps.wled import COMMANDS, HARMLESS, WledStrip, harmless_count
from hardware.rhythm import Rhythm
from hardware.simulated.strip import AdalightTwin
from hardware.simulated.wled import WledTwin
from hardware.status import HardwareError
from tests.hardware.conftest import Heard
from tests.support.rig import rig_of
from tests.support.waiting import PATIENCE_S, until

RED = Light((255, 0, 0))
SOON_S = 0.02


def test_a_controller_that_boots_slowly_is_asked_until_it_answers(heard: Heard) -> None:
    with WledTwin(3, boot_s=0.7) as twin:
        lamps = Lamps(WledStrip(twin.url, heard, count=3), brightness=1)
        lamps.show({1: RED})
        assert twin.wait_for(lambda: twin.pixels[1] == (255, 0, 0))
        assert heard.codes == ["connected"]
        lamps.close()
        assert twin.errors == []


def test_another_device_is_not_taken_for_wled(
    heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hardware.lamps.wled.PATIENCE_S", 0.2)
    monkeypatch.setattr("hardware.lamps.wled.ASK_EVERY_S", 0.05)
    with AdalightTwin(3) as other:
        strip = WledStrip(other.url, heard, count=3, first_wait_s=SOON_S)
        assert heard.wait_for("no_answer")
        assert "WLED" in heard.reports[0].message
        strip.close()


def test_closing_does_not_wait_for_a_controller_that_never_answers(
    heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hardware.lamps.wled.PATIENCE_S", 3600.0)
    with AdalightTwin(3) as other:
        strip = WledStrip(other.url, heard, count=3)
        assert other.wait_for(lambda: b"v" in other.received)
        strip.close()
        assert not strip._link._thread.is_alive()


def test_a_frame_that_lost_a_byte_is_mended_by_the_next_ones(heard: Heard) -> None:
    with WledTwin(8) as twin:
        lamps = Lamps(WledStrip(twin.url, heard, count=8), brightness=1, gamma=1)
        wild = {n: Light((0xB0 + n, 0x4C, 0x6F)) for n in range(8)}
        lamps.show(wild)
        assert twin.wait_for(lambda: twin.pixels[7][0] > 0)
        for _ in range(3):
            with twin._news:
                twin.lose()
            lamps.show({0: RED})
            lamps.show(wild)
            time.sleep(0.12)
        lamps.show({2: RED})
        mended = [(255, 0, 0) if n == 2 else (0, 0, 0) for n in range(8)]
        assert twin.wait_for(lambda: twin.pixels == mended)
        assert twin.baud == 115200, "no colour ever changed the speed of the port"
        assert set(twin.obeyed) <= {ord("v")}
        lamps.close()


def test_a_wled_that_falls_silent_is_greeted_anew(
    heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hardware.lamps.wled.CHECK_EVERY_S", 0.1)
    with WledTwin(2) as twin:
        lamps = Lamps(WledStrip(twin.url, heard, count=2, first_wait_s=SOON_S))
        lamps.show({0: Light((255, 255, 255), Rhythm.SLOW_PULSE)})
        assert heard.wait_for("connected")
        with twin._news:
            twin.baud = 230400  # as if a stray byte had done it: nothing is understood any more
        monkeypatch.setattr("hardware.lamps.wled.ANSWER_WAIT_S", 0.1)
        assert heard.wait_for("fell_silent")
        monkeypatch.setattr("hardware.lamps.wled.ANSWER_WAIT_S", PATIENCE_S)
        with twin._news:
            twin.boot()
        assert heard.wait_for("connected", 2)
        assert twin.wait_for(lambda: any(twin.pixels[0]))
        lamps.close()


def test_no_colour_is_a_command_and_none_changes_visibly() -> None:
    assert not COMMANDS & set(HARMLESS)
    assert all(abs(value - HARMLESS[value]) <= 4 for value in range(256))
    assert all(HARMLESS[value] == value for value in range(256) if value not in COMMANDS)


@pytest.mark.parametrize("half", [1, 3, 5, 6, 7, 14])
def test_a_frame_cut_in_half_before_us_does_no_harm(half: int, heard: Heard) -> None:
    with WledTwin(3) as twin:
        with twin._news:
            twin.take(adalight_frame(((1, 2, 3),) * 3)[:half])
        lamps = Lamps(WledStrip(twin.url, heard, count=3), brightness=1)
        lamps.show({1: RED})
        assert twin.wait_for(lambda: twin.pixels[1] == (255, 0, 0))
        lamps.close()
        assert twin.errors == []


def test_the_rig_builds_it_from_settings() -> None:
    with WledTwin(4) as twin:
        with rig_of({"lamps": {"kind": "wled", "port": twin.url, "count": 4}}) as rig:
            rig.lamps.show({3: RED})
            assert twin.wait_for(lambda: twin.rows() == ["...R"])
        assert twin.errors == []


@settings(max_examples=40)
@given(noise=st.binary(max_size=400))
def test_the_twin_survives_any_bytes(noise: bytes) -> None:
    with WledTwin(2) as twin:
        twin.take(noise)
        assert len(twin.pixels) == 2


@pytest.mark.parametrize("count", [1, 24, 29, 33, 66, 100, 119, 177, 184, 225, 435, 1000])
def test_no_header_holds_a_command(count: int) -> None:
    sent = harmless_count(count)
    assert count <= sent <= count + 16
    assert not COMMANDS & set(adalight_frame(((0, 0, 0),) * sent)[3:6])


@pytest.mark.parametrize("count", [29, 180, 230])
def test_a_lost_byte_never_changes_the_speed_however_long_the_strip(
    count: int, heard: Heard
) -> None:
    # The header of 180 lamps holds 0xB3, and after a lost byte a header is read as commands: the
    # strip went to 500 kbaud, and was dark until its plug was pulled.
    with WledTwin(count) as twin:
        lamps = Lamps(WledStrip(twin.url, heard, count=count), brightness=1)
        lamps.show({0: RED})
        assert twin.wait_for(lambda: twin.pixels[0] == (255, 0, 0))
        lamps.close()
        assert twin.errors == []
        with twin._news:
            wire = bytes(twin.received)
            frame = wire[wire.rindex(b"Ada") :].removesuffix(b"v")
            for lost in (10, 4, 2):
                twin.take(frame[:lost] + frame[lost + 1 :])
                for _ in range(3):
                    twin.take(frame)
                assert twin.baud == 115200
                assert set(twin.obeyed) == {ord("v")}


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
