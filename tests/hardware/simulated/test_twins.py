"""The simulated devices themselves."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import serial
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.displays.cfa635.simulated import Cfa635Twin
from hardware.displays.matrix_orbital.simulated import MatrixOrbitalTwin
from hardware.displays.serial7segment.simulated import Serial7SegmentTwin
from hardware.lamps.adalight import adalight_frame
from hardware.simulated.gpio import GpioTwin
from hardware.simulated.picture import Letter, Patch, brightness
from hardware.simulated.sound import SoundTwin
from hardware.simulated.strip import AdalightTwin
from tests.support.plugged_in import CASES
from tests.support.waiting import PATIENCE_S


def test_a_strip_says_its_banner_at_every_boot() -> None:
    with AdalightTwin(1) as twin:
        with Path(twin.url).open("rb", buffering=0) as port:
            assert port.read(4) == b"Ada\n"
        twin.unplug()
        assert not Path(twin.url).exists()
        twin.replug()
        with Path(twin.url).open("rb", buffering=0) as port:
            assert port.read(4) == b"Ada\n"
        assert twin.boots == 2


def test_the_path_is_the_same_after_replugging_and_gone_after_closing() -> None:
    twin = AdalightTwin(1)
    url = twin.url
    first = str(Path(url).readlink())
    twin.unplug()
    twin.unplug()
    twin.replug()
    twin.replug()
    assert twin.url == url
    assert str(Path(url).readlink()).startswith("/dev/pts/")
    assert first.startswith("/dev/pts/")
    twin.close()
    assert not Path(url).parent.exists()
    twin.close()


def test_a_user_of_an_unplugged_twin_gets_an_io_error() -> None:
    with Cfa635Twin() as twin:
        port = serial.Serial(twin.url, timeout=PATIENCE_S)
        twin.unplug()
        with pytest.raises(OSError):
            port.read(1)
        port.close()


def test_a_frame_for_a_longer_strip_is_shown_and_named() -> None:
    with AdalightTwin(1) as twin:
        twin.take(adalight_frame(((1, 2, 3), (4, 5, 6))))
        assert twin.pixels == [(1, 2, 3)]
        assert twin.errors == ["A frame of 2 lamps came; the strip has 1."]


def test_a_strip_forgets_its_picture_when_no_frame_comes() -> None:
    now = 100.0
    with AdalightTwin(1, forgets_after_s=1.4) as twin:
        twin.clock = lambda: now
        twin.take(adalight_frame(((9, 9, 9),)))
        now += 1.3
        assert twin.pixels == [(9, 9, 9)]
        now += 0.2
        assert twin.pixels == [(0, 0, 0)]


def test_a_wrong_checksum_is_skipped_byte_by_byte_until_the_next_frame() -> None:
    with AdalightTwin(1) as twin:
        twin.take(b"Ada\0\0\x54\1\2\3" + adalight_frame(((7, 8, 9),)))
        assert twin.pixels == [(7, 8, 9)]
        assert twin.frames == 1
        assert len(twin.errors) == 9


TWINS: dict[str, Callable[[], Any]] = {
    **{name: case.twin for name, case in CASES.items()},
    "gpio": lambda: GpioTwin([17, [22, 23, 24]]),
    "sound": SoundTwin,
}


@pytest.mark.parametrize("kind", TWINS)
def test_every_twin_can_be_drawn_from_plain_data(kind: str) -> None:
    twin = TWINS[kind]()
    picture = twin.picture
    assert picture.width_mm > 5 and picture.height_mm > 5
    for shape in picture.shapes:
        points = shape.points if isinstance(shape, Patch) else (shape.centre,)
        assert all(0 <= x <= picture.width_mm and 0 <= y <= picture.height_mm for x, y in points)
        assert all(0 <= part <= 255 for part in shape.color)
    drawing = ElementTree.fromstring(picture.svg())
    assert len(drawing) == len(picture.shapes)
    assert kind == "sound" or twin.rows()
    twin.close()


def test_a_picture_shows_what_the_device_shows() -> None:
    with Serial7SegmentTwin() as twin:
        dark = twin.picture
        twin.take(b"\x7608\x77\x10")
        lit = twin.picture
        changed = sum(a != b for a, b in zip(dark.shapes, lit.shapes, strict=True))
        assert changed == 6 + 7 + 2, "six segments of 0, seven of 8, and the two dots of the colon"
    with Cfa635Twin() as display:
        letters = [s.text for s in display.picture.shapes if isinstance(s, Letter)]
        assert "".join(letters) == "Crystalfontz635"


@pytest.mark.parametrize("color", [(255, 255, 255), (255, 220, 0), (0, 60, 200), (0, 0, 0)])
def test_letters_can_be_told_from_glass_of_any_colour(color: tuple[int, int, int]) -> None:
    with MatrixOrbitalTwin(adafruit=True) as twin:
        for level in (0, 128, 255):
            twin.take(b"\xfe\xd0" + bytes(color) + bytes((0xFE, 0x99, level)))
            shapes = twin.picture.shapes
            glass = next(s.color for s in shapes[1:] if isinstance(s, Patch))
            ink = next(s.color for s in shapes if isinstance(s, Letter))
            assert abs(brightness(ink) - brightness(glass)) > 0.15, (color, level)


def test_the_dot_of_whose_turn_it_is_can_be_told_from_the_colon() -> None:
    with Serial7SegmentTwin() as twin:
        twin.take(b"\x760705\x77\x12")
        lit = [
            shape.points
            for shape in twin.picture.shapes
            if isinstance(shape, Patch) and shape.color[0] > 200 and len(shape.points) == 4
        ]
        places = sorted({points[0][0] for points in lit})
        assert len(lit) == 3 and len(places) == 2
        assert places[1] - places[0] >= 1.3


@settings(max_examples=50)
@given(noise=st.binary(max_size=300))
def test_the_strip_survives_any_bytes(noise: bytes) -> None:
    with AdalightTwin(2) as twin:
        twin.take(noise)
        assert len(twin.pixels) == 2
