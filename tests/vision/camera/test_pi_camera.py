"""The Pi's own camera: a small picture at once, the full one on demand, and no evening is lost
when a cable comes loose. Against a camera with picamera2's own interface."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from tests.support.fake_picamera2 import Bench
from tests.support.scenes.photographs import covered_by, scene, stonehenge
from vision.arrays import Picture
from vision.camera import pi as pi_camera
from vision.camera.form import Form
from vision.camera.pi import PiCameraSource, load_library, pi_cameras
from vision.camera.sources import Frame, SourceError, list_cameras, open_source
from vision.tracker import Tracker

SMALL = (640, 480)


def source_of(bench: Bench, size: tuple[int, int] | None = SMALL, **more: Any) -> PiCameraSource:
    return PiCameraSource(
        0, Form(size, **more), load=bench.load, back_off_s=(0.01, 0.02), clock=bench.clock
    )


def frame_of(source: PiCameraSource) -> Frame:
    frame = source.read(1.0)
    assert frame is not None
    return frame


def test_a_frame_brings_the_small_grey_picture_and_costs_no_full_one() -> None:
    bench = Bench()
    source = source_of(bench, None)
    frames = [frame_of(source) for _ in range(5)]
    assert [f.index for f in frames] == [0, 1, 2, 3, 4]
    assert all(f.small is not None and f.small.shape == (180, 320) for f in frames)
    assert bench.full_pictures == 0
    assert frames[-1].image.shape == (2592, 4608, 3)
    assert frames[-1].image is frames[-1].image
    assert bench.full_pictures == 1
    source.close()


def test_padding_of_the_rows_is_no_part_of_the_picture() -> None:
    bench = Bench()
    source = source_of(bench, (150, 100))  # 150 bytes are padded to 192.
    frame = frame_of(source)
    assert frame.small is not None and frame.small.shape == (100, 150)
    assert (frame.small == frame.image[0, 0, 1]).all()
    source.close()


def test_the_full_picture_shows_the_same_moment_as_the_small_one() -> None:
    bench = Bench()
    source = source_of(bench)
    frame = frame_of(source)
    bench.light = 2.0
    assert frame.small is not None and frame.small[0, 0] == frame.image[0, 0, 1]
    source.close()


def test_a_frame_that_was_overtaken_gives_no_picture_of_another_moment() -> None:
    source = source_of(Bench())
    first = frame_of(source)
    frame_of(source)
    with pytest.raises(SourceError, match="the camera has gone on"):
        _ = first.image
    source.close()


def test_buffers_are_given_back_so_that_pictures_never_stop() -> None:
    bench = Bench()
    source = source_of(bench)
    for number in range(50):
        frame = frame_of(source)
        if number % 3 == 0:
            assert frame.image is not None
    assert bench.open[0].out <= 1
    source.close()
    assert bench.open == []


def test_a_camera_whose_cable_came_loose_is_found_again() -> None:
    bench = Bench()
    source = source_of(bench)
    first = frame_of(source)
    bench.plugged = False
    passed = bench.clock_s + pi_camera.SILENCE_S + 0.5
    while bench.clock_s < passed:
        assert source.read(0.5) is None
    assert "does not answer" in source.status
    assert bench.open == []
    bench.plugged = True
    frames = [frame for _ in range(20) if (frame := source.read(0.5)) is not None]
    assert frames and frames[0].index == first.index + 1
    assert "is running" in source.status
    assert bench.opened == 2
    source.close()


def test_the_end_comes_at_once_when_the_source_is_closed() -> None:
    bench = Bench()
    source = source_of(bench)
    frame = frame_of(source)
    source.close()
    source.close()
    assert source.read() is None
    assert source.ended and list(source) == []
    with pytest.raises(SourceError):
        _ = frame.image


def test_a_camera_that_is_not_there_or_in_use_is_refused_with_what_to_do() -> None:
    bench = Bench()
    with pytest.raises(SourceError, match=r"cannot open the Pi camera 3 .*ribbon cable"):
        PiCameraSource(3, load=bench.load)
    running = source_of(bench)
    with pytest.raises(SourceError, match="no other program uses it"):
        source_of(bench)
    running.close()


def test_a_size_that_the_camera_refuses_leaves_it_free_for_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bench = Bench()
    monkeypatch.setattr(pi_camera, "SMALL_WIDTH", 321)
    with pytest.raises(SourceError, match=r"cannot be set up .*even"):
        source_of(bench)
    assert bench.open == []


def test_without_picamera2_one_sentence_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(SourceError, match="sudo apt install python3-picamera2") as told:
        open_source("pi")
    assert "\n" not in str(told.value)
    assert pi_cameras() == []


def test_a_picamera2_that_is_broken_is_not_called_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", ModuleType("picamera2"))
    with pytest.raises(SourceError, match="installed but does not work here"):
        load_library()


def test_cameras_are_listed_by_the_words_that_open_them(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench(("imx708", "imx477"))
    library = ModuleType("picamera2")
    library.Picamera2 = bench  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "picamera2", library)
    listed = {c.source: c.title for c in list_cameras() if c.source.startswith("pi")}
    assert listed == {"pi:0": "imx708", "pi:1": "imx477"}
    source = open_source("pi:1", Form((320, 240)))
    frame = source.read(2.0)
    assert frame is not None and frame.image.shape == (240, 320, 3)
    source.close()


def test_a_table_where_nothing_happens_is_watched_without_full_pictures() -> None:
    shot = scene("middle")
    other = covered_by("hand", (120, 140, 190), (0.0, 0.0), 0.3)(shot.image, shot.pose)
    taken: list[int] = []
    shown = [shot.image] * 30 + [other] * 2 + [shot.image] * 10
    tracker = Tracker(stonehenge())
    for number, image in enumerate(shown):

        def take(number: int = number, image: Picture = image) -> Picture:
            taken.append(number)
            return image

        small = np.ascontiguousarray(image[::7, ::7, 1])
        seen = tracker.look(Frame(take, number, str(number), number / 15, small=small), False)
        if number in (29, 41):
            assert seen.still and seen.table == shot.table
        if number == 30:
            assert seen.hand
    assert len([n for n in taken if n < 30]) <= 6
    assert not any(30 <= n < 32 for n in taken), "a moving hand needs no full picture"
