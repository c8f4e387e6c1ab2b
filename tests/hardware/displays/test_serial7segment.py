"""SparkFun Serial7Segment: judged by the segments that shine on its twin."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.displays.segments import digit_text
from hardware.displays.serial7segment import Serial7SegmentDisplay, _Digits, wire
from hardware.displays.serial7segment.simulated import Serial7SegmentTwin
from hardware.settings import ScoreSettings
from tests.hardware.conftest import Heard
from tests.support.devices import PAUSE, Case, Device, Stream, nobody, said

SOON_S = 0.02


def _two_numbers() -> bytes:
    numbers = (wire(digit_text(text, 4)) for text in ("07.:05", "C112"))
    return said(_Digits("x", 40).greet) + b"".join(numbers)


DEVICE = Device(
    models={
        "serial7segment": Case(
            Serial7SegmentTwin,
            lambda url, heard: Serial7SegmentDisplay(url, heard, first_wait_s=SOON_S),
            lambda display, n: display.show([str(n)]),
            lambda twin, n: twin.rows() == [f"{n:>4}"],
            reads=("12.:07",),
            stream=Stream(
                _two_numbers,
                ("C112",),
                sound=lambda twin: (
                    0 <= twin.cursor < 4
                    and 0 <= twin.brightness <= 100
                    and all(0 <= mask < 0x80 for mask in twin.segments)
                ),
            ),
            baud=9600,
            whole=10,
        )
    },
    parser=lambda: _Digits("x", 100),
    flood=b"\x76",
    display=lambda: Serial7SegmentDisplay("wire", nobody),
    says=(PAUSE.join((b"\x76", b"\x77\x00")),),
    noise=b"\0\xff",
)


@pytest.mark.parametrize(
    ("line", "data"),
    [
        ("07:05", "79 00 30 37 30 35 77 10"),
        ("07.:05", "79 00 30 37 30 35 77 12"),
        ("12", "79 00 20 20 31 32 77 00"),
        ("A 12", "7B 77 7C 00 7D 06 7E 5B 77 00"),
    ],
)
def test_the_bytes_are_those_of_the_manual(line: str, data: str) -> None:
    assert wire(digit_text(line, 4)) == bytes.fromhex(data)


def test_the_bytes_another_program_sends_show_the_same() -> None:
    with Serial7SegmentTwin() as twin:
        twin.take(bytes.fromhex("76 30 37 30 35 77 10"))
        assert twin.rows() == ["07:05"]
        assert twin.errors == []


def test_two_scores_appear_with_a_colon(heard: Heard) -> None:
    with Serial7SegmentTwin() as twin:
        display = Serial7SegmentDisplay(twin.url, heard, ScoreSettings(backlight=60))
        display.show(["07:05."])
        assert twin.wait_for(lambda: twin.rows() == ["07:05."])
        assert twin.segments == [0x3F, 0x07, 0x3F, 0x6D]
        assert twin.brightness == 60
        display.show(["C112"])
        assert twin.wait_for(lambda: twin.rows() == ["C112"])
        display.close()
        assert twin.wait_for(lambda: twin.rows() == ["    "])
        assert twin.errors == []
        assert heard.codes == ["connected"]


def test_only_what_changed_is_sent(heard: Heard) -> None:
    with Serial7SegmentTwin() as twin:
        display = Serial7SegmentDisplay(twin.url, heard)
        display.show(["07:05"])
        assert twin.wait_for(lambda: twin.rows() == ["07:05"])
        before = len(twin.received)
        display.show(["07:05"])
        display.show(["07:06"])
        assert twin.wait_for(lambda: twin.rows() == ["07:06"])
        assert bytes(twin.received[before:]) == bytes.fromhex("79 00 30 37 30 36 77 10")
        display.close()


def test_unplugging_does_not_wear_out_the_memory(heard: Heard) -> None:
    with Serial7SegmentTwin() as twin:
        display = Serial7SegmentDisplay(
            twin.url, heard, ScoreSettings(backlight=40), first_wait_s=SOON_S
        )
        display.show(["12"])
        for boots in range(2, 6):
            assert twin.wait_for(lambda: twin.rows() == ["  12"])
            twin.unplug()
            twin.replug()
            assert twin.boots == boots
        assert twin.wait_for(lambda: twin.rows() == ["  12"])
        assert (twin.eeprom_writes, twin.brightness) == (1, 40)
        display.close()


@pytest.mark.parametrize("cut", [1, 2, 3])
def test_a_display_pulled_within_the_greeting_gets_its_brightness_all_the_same(
    cut: int, heard: Heard
) -> None:
    with Serial7SegmentTwin() as twin:
        twin.unplug_after(cut)
        display = Serial7SegmentDisplay(
            twin.url, heard, ScoreSettings(backlight=40), first_wait_s=SOON_S
        )
        assert twin.wait_for(lambda: not twin.plugged)
        assert heard.wait_for("missing")
        twin.replug()
        display.show(["12"])
        assert twin.wait_for(lambda: twin.rows() == ["  12"])
        assert (twin.brightness, twin.eeprom_writes) == (40, 1)
        display.close()


def test_a_loose_cable_wears_the_memory_out_three_times_at_most(heard: Heard) -> None:
    with Serial7SegmentTwin() as twin:
        display = Serial7SegmentDisplay(
            twin.url, heard, ScoreSettings(backlight=40), first_wait_s=SOON_S
        )
        for boots in range(2, 8):
            assert heard.wait_for("connected", boots - 1)
            twin.unplug()
            twin.replug()
        assert heard.wait_for("connected", 7)
        assert twin.eeprom_writes <= 3
        display.close()


@pytest.mark.parametrize("half", [b"", b"\x77", b"\x79", b"\x7b", b"\x90"])
def test_a_command_cut_in_half_before_us_does_no_harm(half: bytes, heard: Heard) -> None:
    with Serial7SegmentTwin() as twin:
        twin.take(half)
        wrong = len(twin.errors)
        display = Serial7SegmentDisplay(twin.url, heard)
        display.show(["07:05"])
        assert twin.wait_for(lambda: twin.rows() == ["07:05"])
        display.close()
        assert len(twin.errors) <= wrong + 1  # the swallowed byte may itself be named


def test_the_twin_names_what_the_device_would_not_do() -> None:
    with Serial7SegmentTwin() as twin:
        for data in ("79 05", "7A 65", "77 40", "90 30", "7F 02", "7B 80", "58"):
            twin.take(bytes.fromhex(data))
        assert len(twin.errors) == 7
        assert twin.cursor == 1  # the unknown command swallowed its neighbour, the X did not
        assert twin.eeprom_writes == 2


def test_the_twin_wraps_after_the_fourth_digit() -> None:
    with Serial7SegmentTwin() as twin:
        twin.take(b"\x7612345")
        assert twin.rows() == ["5234"]
        twin.take(b"\x76\x0a\x0b")
        assert twin.rows() == ["Ab  "]


@settings(max_examples=50)
@given(noise=st.binary(max_size=300))
def test_the_twin_survives_any_bytes(noise: bytes) -> None:
    with Serial7SegmentTwin() as twin:
        twin.take(noise)
        assert len(twin.segments) == 4
        assert twin.picture.svg().startswith("<svg")
