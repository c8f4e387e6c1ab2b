"""Faces of drawn dice that are hard to read."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from vision.arrays import Picture
from vision.pieces.dice import SIDE_PX, faces

FIVE = ((-0.25, -0.25), (0.25, -0.25), (0, 0), (-0.25, 0.25), (0.25, 0.25))
NARROW_SIX = tuple((x, y) for x in (-0.13, 0.13) for y in (-0.29, 0, 0.29))


def drawn(at: Iterable[tuple[float, float]], pips: int) -> Picture:
    """A light face on a dark ground, with pips ``at`` sides from the middle, ``pips`` bright."""
    large = np.full((800, 800, 3), 40, dtype=np.uint8)
    cv2.rectangle(large, (220, 220), (580, 580), (220,) * 3, -1)
    for x, y in at:
        cv2.circle(large, (round(400 + 360 * x), round(400 + 360 * y)), 34, (pips,) * 3, -1)
    small = cv2.resize(large, None, fx=0.1, fy=0.1, interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.uint8)


def test_pale_pips_are_read() -> None:
    assert [face.value for face in faces(drawn(FIVE, 165), SIDE_PX).read] == [5]


def test_a_six_with_near_rows_is_read() -> None:
    assert [face.value for face in faces(drawn(NARROW_SIX, 30), SIDE_PX).read] == [6]
