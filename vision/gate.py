"""Is anything moving? A small grey difference that costs next to nothing.

Every eighth pixel of the green channel, blurred a little: enough to see a finger, too coarse for
noise, and no full picture is ever touched.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Floats, Picture, floats

__all__ = ["Gate", "Stir"]

STEP = 8
"""Of every 8 × 8 pixels, one is looked at."""
NOISE_FACTOR = 6.0
LEAST_DIFFERENCE = 0.06
"""Smallest difference that counts, as a share of the mean brightness."""
MOST_NOISE = 0.05
"""More than this is no noise: most of the picture changed, as when the camera is covered."""
LEAST_PIXELS = 6
"""Of the small picture: about 400 px of a full one, a fingertip."""


@dataclass(frozen=True, slots=True)
class Stir:
    """What changed in a frame."""

    moving: bool
    """Against the frame before."""
    changed: bool
    """Against the frame that was marked last."""


class Gate:
    """Compares each frame with the one before and with the last one that was marked."""

    def __init__(self) -> None:
        self._before: Floats | None = None
        self._marked: Floats | None = None

    def step(self, image: Picture) -> Stir:
        """Take the next frame. The first one, and a new picture size, count as changed."""
        now = _small(image)
        stir = Stir(_differ(self._before, now, moving=True), _differ(self._marked, now))
        self._before = now
        return stir

    def mark(self) -> None:
        """Compare with the newest frame from now on."""
        self._marked = self._before


def _small(image: Picture) -> Floats:
    thin = np.ascontiguousarray(image[STEP // 2 :: STEP, STEP // 2 :: STEP, 1])
    blurred = floats(cv2.GaussianBlur(thin, (3, 3), 0))
    # Lamps dim and exposure follows; a change of all pixels by one factor is no motion.
    return floats(blurred / max(float(blurred.mean()), 1.0))


def _differ(before: Floats | None, now: Floats, moving: bool = False) -> bool:
    if before is None or before.shape != now.shape:
        return not moving
    difference = np.abs(now - before)
    noise = min(float(np.median(difference)) * 1.5, MOST_NOISE)
    limit = max(LEAST_DIFFERENCE, NOISE_FACTOR * noise)
    return int(np.count_nonzero(difference > limit)) >= LEAST_PIXELS
