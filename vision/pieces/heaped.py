"""Round pieces of a heap: they touch, lie on each other, and wherever they like within a place.

Where pieces touch, a spot of one colour may be many of them. They are peeled off one after another,
from the rim of the spot inwards: of all outlines that the colour fills, the one that has most of
the board around it is the surest, and once it is gone its neighbours stand free. What lies below
others does not show, so it is only ever found that there are *at least* so many.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

from vision.arrays import Bools, Floats, floats

FILLED = 0.82
"""Share of an outline that must be of the piece's colour."""
BEYOND = 1.35
"""Reach, in radii, of the ring around an outline that shows how free it stands."""
FINE_PX = 8.0
"""Radius in px from which more pixels tell nothing more."""
SIDE = 1.08
"""Radii within which a piece takes the colour with it: its side shows beyond its top."""


def peeled(spot: Bools, radius: float) -> list[tuple[float, float]]:
    """Middles of the discs in a spot of one colour, row and column in px; ``radius``: theirs."""
    rows, columns = np.flatnonzero(spot.any(axis=1)), np.flatnonzero(spot.any(axis=0))
    if min(len(rows), len(columns)) < radius:
        return []
    inside = spot[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1].astype(np.float32)
    scale = min(FINE_PX / radius, 1.0)
    small = cv2.resize(inside, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    peel = _Peel(floats(small), radius * scale)
    return [
        (rows[0] + (row + 0.5) / scale - 0.5, columns[0] + (column + 0.5) / scale - 0.5)
        for row, column in peel.discs()
    ]


class _Peel:
    """A spot from which discs are peeled off."""

    def __init__(self, spot: Floats, radius: float) -> None:
        """``spot``: share of each pixel in it; ``radius``: in px."""
        self._reach = reach = int(np.ceil(radius * BEYOND)) + 1
        steps = np.arange(-reach, reach + 1)
        away = floats(np.hypot(*np.meshgrid(steps, steps)))
        disc = _edge(radius - away)
        ring = _edge(radius * BEYOND - away) - disc
        self._filled, self._around = (floats(part / part.sum()) for part in (disc, ring))
        self._kept = 1 - _edge(radius * SIDE - away)
        # Around each pixel there is room for what is looked at there, and for its neighbours'.
        self._left = np.pad(spot, 3 * reach)
        self._free = np.pad(self._freedom(2 * reach, 2 * reach, spot.shape), 2 * reach,
                            constant_values=-np.inf)  # fmt: skip

    def discs(self) -> Iterator[tuple[int, int]]:
        """Row and column of each middle, the surest first."""
        reach, (high, wide) = self._reach, self._free.shape
        margin = 2 * reach
        while True:
            row, column = divmod(int(self._free.argmax()), wide)
            if self._free[row, column] == -np.inf:
                return
            yield row - margin, column - margin
            gone = np.s_[row : row + 2 * reach + 1, column : column + 2 * reach + 1]
            self._left[gone] *= self._kept
            # Only what is near has changed.
            top, left = max(row - margin, margin), max(column - margin, margin)
            bottom, right = (
                min(at + margin + 1, side - margin) for at, side in ((row, high), (column, wide))
            )
            size = (bottom - top, right - left)
            self._free[top:bottom, left:right] = self._freedom(top, left, size)

    def _freedom(self, top: int, left: int, size: tuple[int, ...]) -> Floats:
        """Free distance of a disc around each pixel of a part; minus infinity where there is
        none."""
        reach = self._reach
        part = self._left[top : top + size[0] + 2 * reach, left : left + size[1] + 2 * reach]
        inner = np.s_[reach : reach + size[0], reach : reach + size[1]]
        filled, around = (
            cv2.filter2D(part, -1, each)[inner] for each in (self._filled, self._around)
        )
        return floats(np.where(filled >= FILLED, filled - around, -np.inf))


def _edge(inside: Floats) -> Floats:
    """1 inside and 0 outside, by how far inside (px) the middle of each pixel is."""
    return floats(np.clip(inside + 0.5, 0.0, 1.0))
