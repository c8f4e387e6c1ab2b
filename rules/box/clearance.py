"""What is drawn keeps out of the white rims of the corner stickers.

The camera finds a sticker by the step from its black frame to the white around it. The rim that is
printed with a sticker, one module wide, is the least that is read for sure
(https://docs.opencv.org/4.x/d5/dae/tutorial_aruco_detection.html); a line may run along its edge.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

from rules.box.box import Box, Corner, Point, Stroke

__all__ = ["TOUCH_MM", "crossed"]

TOUCH_MM = 1.0
"""So far a line along the edge of a rim may reach into it."""
LETTER = 0.6
"""Width of a letter in its heights, on average."""


def crossed(stroke: Stroke, box: Box, modules: int) -> Iterator[tuple[Corner, float]]:
    """The corners into whose rims a stroke runs, and how far, mm. ``modules``: of a sticker's side,
    with its frame. What has a whole sticker on it is the ground, and does no harm."""
    for corner in box.corners:
        half = corner.size / 2 * (modules + 2) / modules
        by = _into(stroke, corner.at, half)
        if by > TOUCH_MM and not _below(stroke, corner.at, half):
            yield corner, by


def _into(stroke: Stroke, middle: Point, half: float) -> float:
    """How far its ink comes into a square of sides of two ``half``, mm."""
    points = [(x - middle[0], y - middle[1]) for x, y in stroke.points]
    x, y = map(abs, points[0])
    match stroke.kind:
        case "circle":
            return stroke.width - math.hypot(max(x - half, 0.0), max(y - half, 0.0))
        case "text":
            across = LETTER * stroke.width * len(stroke.text) / 2
            return half - max(x - across, y - stroke.width / 2)
        case "polygon":
            points.append(points[0])
    return half - min(_least(a, b) for a, b in pairwise(points)) + stroke.width / 2


def _least(a: Point, b: Point) -> float:
    """The least of the larger of |x| and |y| along a line from ``a`` to ``b``.

    It is at an end, or where x, y, x - y or x + y is 0, as it is straight in between.
    """
    ways = ((1, 0), (0, 1), (1, -1), (1, 1))
    found = [max(map(abs, a)), max(map(abs, b))]
    for u, v in ways:
        one, other = u * a[0] + v * a[1], u * b[0] + v * b[1]
        if one * other < 0:
            t = one / (one - other)
            x, y = a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])
            found.append(max(abs(x), abs(y)))
    return min(found)


def _below(stroke: Stroke, middle: Point, half: float) -> bool:
    """Whether a disc holds all of a sticker. Areas need no asking: only their edges count."""
    if stroke.kind != "circle":
        return False
    x, y = (abs(a - b) for a, b in zip(stroke.points[0], middle, strict=True))
    return math.hypot(x + half, y + half) <= stroke.width
