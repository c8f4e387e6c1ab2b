"""WLED: judged by what the strip shows, after every mishap of the wire."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.lamps.adalight import adalight_frame
from hardware.lamps.lamps import Lamps, Light
from hardware.lamps.wled import COMMANDS, HARMLESS, WledStrip, harmless_count
from hardware.rhythm import Rhythm
from hardware.simulated.strip import AdalightTwin
from hardware.simulated.wled import WledTwin
from tests.hardware.conftest import Heard
from tests.support.rig import rig_of
from tests.support.waiting import PATIENCE_S

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
