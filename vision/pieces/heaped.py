"""Round pieces of a heap: they touch, lie on each other, and wherever they like within a place.

Where pieces touch, a spot of one colour may be many of them. They are peeled off one after another,
from the rim of the spot inwards: of all outlines that the colour fills, the one that has most of
the board around it is the surest, and once it is gone its neighbours stand free. What lies below
others does not show, so it is only ever found that there are *at least* so many.
"""

from __future__ import annotations

import numpy as np

import cv2
from vision.arrays import Bools, Floats, floats

FILLED = 0.82
"""Share of an outline that must be of the piece's colour."""
BEYOND = 1.35
"""Reach, in radii, of the ring around an outline that shows how free it stands."""
SIDE = 1.08
"""Radii within which a piece takes the colour with it: its side shows beyond its top."""


def peeled(spot: Bools, radius: float) -> list[tuple[int, int]]:
    """Middles of the discs in a spot of one colour, row and column in px; ``radius``: theirs."""
    reach = int(np.ceil(radius * BEYOND)) + 1
    steps = np.arange(-reach, reach + 1)
    away = np.hypot(*np.meshgrid(steps, steps))
    disc = _edge(radius - away)
    ring = _edge(radius * BEYOND - away) - disc
    gone = _edge(radius * SIDE - away)
    left = np.pad(spot.astype(np.float32), reach)
    filled, around = (_share(left, part) for part in (disc, ring))
    found: list[tuple[int, int]] = []
    while True:
        free = np.where(filled >= FILLED, filled - around, -np.inf)
        row, column = (int(n) for n in np.unravel_index(int(free.argmax()), free.shape))
        if free[row, column] == -np.inf:
            return found
        found.append((row - reach, column - reach))
        part = np.s_[row - reach : row + reach + 1, column - reach : column + reach + 1]
        left[part] *= 1 - gone
        # Only what is near has changed.
        near = np.s_[
            max(row - 2 * reach, 0) : row + 2 * reach + 1,
            max(column - 2 * reach, 0) : column + 2 * reach + 1,
        ]
        filled[near], around[near] = (_share(left, each)[near] for each in (disc, ring))


def _share(left: Floats, part: Floats) -> Floats:
    """Share of ``part`` that is left, around each pixel."""
    total = cv2.filter2D(left, -1, floats(part / part.sum()), borderType=cv2.BORDER_CONSTANT)
    return floats(total)


def _edge(inside: Floats) -> Floats:
    """1 inside and 0 outside, by how far inside (px) the middle of each pixel is."""
    return floats(np.clip(inside + 0.5, 0.0, 1.0))
