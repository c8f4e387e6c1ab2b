"""Detection of motion: a small grey difference that costs next to nothing.

Every eighth pixel of the green channel, or fewer, blurred a little: enough to see a finger, too
coarse for noise, and no full picture is ever touched. This is done with every frame, so most of
them are settled by whole numbers: where grey levels differ by less than could ever matter, nothing
finer is worked out. That takes a tenth of a millisecond for twelve megapixels, most of it to fetch
the pixels.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Floats, Grey, Picture, floats

STEP = 8
"""One of every 8 × 8 pixels is looked at, fewer in large pictures:"""
LONG_SIDE = 330
"""The long side of what is looked at stays below twice this many px."""
NOISE_FACTOR = 6.0
LEAST_DIFFERENCE = 0.06
"""Smallest difference that counts, as a share of the mean brightness."""
MOST_NOISE = 0.05
"""Most noise; more is a change of most of the picture, as when the camera is covered."""
LEAST_PIXELS = 6
"""Of the small picture: a finger's tip. That is 400 px of a picture of two megapixels, and 900 of
twelve, which show it six times as large."""
SHAKE_PX = 0.6
"""Trembling of a camera on an arm while people walk by. A change of an edge that so small a shift
explains is not motion; a finger also changes what is between the edges."""


@dataclass(frozen=True, slots=True)
class Stir:
    """The changes in a frame."""

    moving: bool
    """True against the frame before."""
    changed: bool
    """True against the frame that was marked last."""


class Gate:
    """Compares each frame with the one before and with the last one that was marked."""

    def __init__(self) -> None:
        self._before: _Small | None = None
        self._marked: _Small | None = None

    def step(self, image: Picture | Grey) -> Stir:
        """Take the next frame, or the small grey picture that a camera gives with it. The first
        one, and a new picture size, count as changed."""
        now = _Small.of(image)
        trembling = _Trembling(image, now)
        stir = Stir(
            _differ(self._before, now, trembling, moving=True),
            _differ(self._marked, now, trembling),
        )
        self._before = now
        return stir

    def mark(self) -> None:
        """Compare with the newest frame from now on."""
        self._marked = self._before


@dataclass(frozen=True, slots=True, eq=False)
class _Small:
    """A frame thinned out."""

    grey: Grey
    scale: float
    """Lamps dim and exposure follows; a change of all pixels by one factor is not motion. So
    brightness is compared as a share of the frame's mean: this is one grey level's."""

    @staticmethod
    def of(image: Picture | Grey) -> _Small:
        thin = image if image.ndim == 2 else _thinned(image, 0, 0)
        grey = np.asarray(cv2.GaussianBlur(thin, (3, 3), 0), dtype=np.uint8)
        return _Small(grey, 1 / max(float(cv2.mean(grey)[0]), 1.0))


class _Trembling:
    """The differences that a trembling camera would cause in a frame; worked out on demand."""

    def __init__(self, image: Picture | Grey, now: _Small) -> None:
        self._image, self._now = image, now
        self._most: Floats | None = None

    @property
    def most(self) -> Floats:
        """The largest difference per pixel, as a share of the mean brightness."""
        if self._most is None:
            steepest = cv2.GaussianBlur(self._steepest(), (3, 3), 0)
            self._most = floats(steepest) * np.float32(SHAKE_PX * self._now.scale)
        return self._most

    def _steepest(self) -> Grey:
        """The largest change of grey from one px of the frame to the next."""
        ways = ((-1, 0), (0, -1), (1, 0), (0, 1))
        middle: Grey
        if self._image.ndim == 2:
            middle = self._image
            around = [np.roll(middle, way, (0, 1)) for way in ways]
        else:
            middle = _thinned(self._image, 0, 0)
            around = [_thinned(self._image, *way) for way in ways]
        most = np.zeros_like(middle)
        for other in around:
            np.maximum(most, cv2.absdiff(middle, other), out=most)
        return most


def _thinned(image: Picture, down: int, across: int) -> Grey:
    """Every n-th pixel of the green channel, -1, 0 or 1 px further down and across.

    Only pixels with a neighbour on each side are looked at, so there are equally many each time.
    """
    step = max(STEP, max(image.shape[:2]) // LONG_SIDE)
    rows, columns = (
        slice(min(step, length - 1) // 2 + way, length - 1 + way, step)
        for length, way in zip(image.shape, (down, across), strict=False)
    )
    return np.ascontiguousarray(image[rows, columns, 1])


def _differ(
    before: _Small | None, now: _Small, trembling: _Trembling, moving: bool = False
) -> bool:
    if before is None or before.grey.shape != now.grey.shape:
        return not moving
    if _surely_same(before, now):
        return False
    difference = cv2.addWeighted(
        now.grey, now.scale, before.grey, -before.scale, 0.0, dtype=cv2.CV_32F
    )
    # Part of the pixels tell how large the noise is.
    noise = min(float(np.median(np.abs(difference[::3, ::5]))) * 1.5, MOST_NOISE)
    limit = max(LEAST_DIFFERENCE, NOISE_FACTOR * noise)
    same = cv2.countNonZero(cv2.inRange(difference, -limit, limit))
    if difference.size - same < LEAST_PIXELS:
        return False
    # Rarely reached, so that a still table costs no more than the above.
    left = np.abs(difference) - trembling.most
    return int(np.count_nonzero(left > limit)) >= LEAST_PIXELS


def _surely_same(before: _Small, now: _Small) -> bool:
    """True if too few grey levels differ to matter, however little noise there is.

    |a·s - b·t| ≤ |a - b|·s + b·|s - t| for grey levels a and b up to 255 and their scales.
    """
    level = (LEAST_DIFFERENCE - 255 * abs(now.scale - before.scale)) / now.scale
    _, apart = cv2.threshold(cv2.absdiff(now.grey, before.grey), level, 1, cv2.THRESH_BINARY)
    return level >= 0 and cv2.countNonZero(apart) < LEAST_PIXELS
