"""Pictures of every size that cameras deliver go through the gate, and through the tracker."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.scenes.photographs import as_picture, scene, small_stream, stonehenge
from vision.arrays import Grey, Picture
from vision.camera.sources import Frame
from vision.motion.gate import Gate, Stir
from vision.tracker import Tracker

PI_MODES = {
    "Camera Module 1": ((640, 480), (1296, 972), (1920, 1080), (2592, 1944)),
    "Camera Module 2": ((640, 480), (1640, 1232), (1920, 1080), (3280, 2464)),
    "Camera Module 3, Wide": ((1536, 864), (2304, 1296), (4608, 2592)),
    "HQ, AI": ((1332, 990), (2028, 1080), (2028, 1520), (4056, 3040)),
    "Global Shutter": ((1456, 1088),),
}
USB_MODES = (
    (160, 120), (176, 144), (320, 240), (352, 288), (640, 360), (640, 480), (800, 600),
    (848, 480), (960, 540), (960, 720), (1024, 576), (1024, 768), (1280, 720), (1280, 800),
    (1280, 960), (1280, 1024), (1600, 896), (1600, 1200), (1920, 1080), (1920, 1200),
    (2048, 1536), (2304, 1536), (2560, 1440), (2592, 1944), (3264, 2448), (3840, 2160),
    (4000, 3000), (4096, 2160), (4208, 3120), (4656, 3496),
)  # fmt: skip
MODES = sorted({*USB_MODES, *(mode for modes in PI_MODES.values() for mode in modes)})
WATCHED = ((2028, 1080),)
"""Mode that the tracker watches in the quick run too."""
SOME_MODES = [
    mode if number % 3 == 0 or mode in WATCHED or mode == MODES[-1]
    else pytest.param(mode, marks=pytest.mark.thorough)
    for number, mode in enumerate(MODES)
]  # fmt: skip
"""All of them, the smallest, the largest and every third in the quick run."""
READABLE = 0.4
"""At this share of the photographs' size their smallest stickers are 14 px wide."""


SPARE = 8
"""Pictures of one size that differ in their noise."""


@cache
def grain() -> Grey:
    """Noise to cut pieces from, as large as the largest picture."""
    size = tuple(max(sides) + SPARE for sides in zip(*MODES, strict=True))
    return np.random.default_rng(5).integers(104, 125, size[::-1], dtype=np.uint8)


def shot(width: int, height: int, number: int, finger: bool) -> Picture:
    """The ``number``-th picture of an even table."""
    grey = grain()[number : number + height, number : number + width]
    if finger:
        grey = grey.copy()
        middle = (width // 2, height // 3)
        cv2.circle(grey, middle, max(height, width) // 8, 200, -1)
    return np.broadcast_to(grey[:, :, None], (height, width, 3))


@pytest.mark.parametrize("size", SOME_MODES, ids="{0[0]}x{0[1]}".format)
def test_in_every_mode_of_every_camera_a_finger_is_motion_and_noise_is_not(
    size: tuple[int, int],
) -> None:
    width, height = size
    for small in (False, True):
        gate = Gate()

        def step(number: int, finger: bool, gate: Gate = gate, small: bool = small) -> Stir:
            image = shot(width, height, number, finger)
            return gate.step(small_stream(image) if small else image)

        step(0, finger=False)
        gate.mark()
        stirs = [step(number, finger=number in (2, 3)) for number in (1, 2, 3, 4, 5)]
        moving = [stir.moving for stir in stirs]
        changed = [stir.changed for stir in stirs]
        assert moving == [False, True, False, True, False], small
        assert changed == [False, True, True, False, False], small


@given(st.integers(3, 1700), st.integers(3, 1700))
def test_no_size_of_picture_is_too_odd_for_the_gate(width: int, height: int) -> None:
    gate = Gate()
    chance = np.random.default_rng(width)
    for _ in range(2):
        grey = chance.integers(0, 256, (height, width, 1), dtype=np.uint8)
        gate.step(np.broadcast_to(grey, (height, width, 3)))


@pytest.mark.parametrize(
    "size",
    [mode if mode in WATCHED else pytest.param(mode, marks=pytest.mark.thorough) for mode in MODES],
    ids="{0[0]}x{0[1]}".format,
)
def test_in_every_mode_of_every_camera_the_tracker_reads_a_table_when_the_hand_has_gone(
    size: tuple[int, int],
) -> None:
    table, reaching = (framed(scene(name).image, size) for name in ("late", "hand"))
    height, width = scene("late").image.shape[:2]
    readable = min(size[0] / width, size[1] / height) >= READABLE
    for with_small in (False, True):
        tracker = Tracker(stonehenge(), quiet_frames=2)
        for number, image in enumerate([table] * 2 + [reaching] * 2 + [table] * 4):
            noise = grain()[number : number + size[1], number : number + size[0], None] // 4
            taken = as_picture(cv2.subtract(image, np.broadcast_to(noise - 26, image.shape).copy()))
            small = small_stream(taken) if with_small else None
            frame = Frame(taken, number, str(number), number / 10, small=small)
            seen = tracker.look(frame, settled=False)
        if readable:
            assert seen.still
            assert not seen.hand
            assert seen.table == scene("late").table


def framed(image: Picture, size: tuple[int, int]) -> Picture:
    """The whole of a picture in one of another shape."""
    width, height = size
    factor = min(width / image.shape[1], height / image.shape[0])
    inner = (int(image.shape[1] * factor), int(image.shape[0] * factor))
    small = cv2.resize(image, inner, interpolation=cv2.INTER_AREA)
    across, down = width - inner[0], height - inner[1]
    return as_picture(
        cv2.copyMakeBorder(
            small, down // 2, down - down // 2, across // 2, across - across // 2,
            cv2.BORDER_REPLICATE,
        )
    )  # fmt: skip
