"""The simulated devices themselves."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
import serial
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.lamps import adalight_frame
from hardware.twin.adalight import AdalightTwin
from hardware.twin.cfa635 import Cfa635Twin


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
        port = serial.Serial(twin.url, timeout=1)
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
    with AdalightTwin(1, forgets_after_s=0.05) as twin:
        twin.take(adalight_frame(((9, 9, 9),)))
        assert twin.pixels == [(9, 9, 9)]
        time.sleep(0.06)
        assert twin.pixels == [(0, 0, 0)]


def test_a_wrong_checksum_is_skipped_byte_by_byte_until_the_next_frame() -> None:
    with AdalightTwin(1) as twin:
        twin.take(b"Ada\0\0\x54\1\2\3" + adalight_frame(((7, 8, 9),)))
        assert twin.pixels == [(7, 8, 9)]
        assert twin.frames == 1
        assert len(twin.errors) == 9


@settings(max_examples=50, deadline=None)
@given(noise=st.binary(max_size=300))
def test_the_strip_survives_any_bytes(noise: bytes) -> None:
    with AdalightTwin(2) as twin:
        twin.take(noise)
        assert len(twin.pixels) == 2
