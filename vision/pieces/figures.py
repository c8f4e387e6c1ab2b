"""Figures that go with a sighting: how light and how sharp the picture is, how long it took."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Mask, Picture, Planes, Points, median, middles
from vision.stickers.reader import Window


class Clock:
    """Times the parts of one look, in ms."""

    def __init__(self) -> None:
        self._start = self._last = time.perf_counter()
        self._ms: dict[str, float] = {}

    def mark(self, part: str) -> None:
        """``part`` ends now; the next one begins."""
        now = time.perf_counter()
        self._ms[part] = (now - self._last) * 1000
        self._last = now

    def done(self) -> dict[str, float]:
        """All parts, and ``total``."""
        return {**self._ms, "total": since(self._start)}


def since(start: float) -> float:
    """ms since ``start`` of ``time.perf_counter``."""
    return (time.perf_counter() - start) * 1000


def light(flat: Planes, hidden: Mask) -> float:
    """Brightness of the bare board as pixels have it, 0 to 1; 0 if none of it can be seen.

    ``flat``: the flattened board in linear light; ``hidden``: where pieces are.
    """
    bare = flat[:, ::4, ::4].reshape(3, -1).take(np.flatnonzero(hidden[::4, ::4] == 0), axis=1)
    if not bare.size:
        return 0.0
    return math.pow(float(middles(bare.ravel())), 1 / 2.2)


def sharpness(image: Picture, corners: Iterable[Points]) -> float:
    """Steepness of the edges of the corner stickers (4 × 2 px each): share of the contrast per
    pixel; 0 without stickers."""
    height, width = image.shape[:2]
    steep = []
    for px in corners:
        window = Window.around(px).within(width, height)
        part = image[window.top : window.bottom, window.left : window.right, 1]
        if min(part.shape) < 4:
            continue
        middle = np.ascontiguousarray(part[part.shape[0] // 4 : -part.shape[0] // 4])
        low, high = _percentiles(middle, 5, 95)
        slope = np.abs(np.asarray(cv2.Sobel(middle, cv2.CV_16S, 1, 0, ksize=3)))
        (most,) = _percentiles(slope, 98)
        # Sobel's kernel sums to 8.
        steep.append(most / 8 / max(high - low, 1))
    return median(steep) if steep else 0.0


def _percentiles(values: npt.NDArray[np.integer[Any]], *percents: float) -> list[int]:
    """The percentiles ``percents`` of all ``values``, which are small numbers; numpy's own function
    takes ten times as long for so few."""
    places = [round(percent / 100 * (values.size - 1)) for percent in percents]
    up_to = np.bincount(values.ravel()).cumsum()
    return [int(each) for each in up_to.searchsorted(places, side="right")]
