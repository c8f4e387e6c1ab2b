"""The camera's inside: focal length and distortion.

Without calibration one focal length, one radial coefficient and an optical axis near the
picture's centre are fitted to the corner stickers: that is what a webcam or Pi camera needs within
the accuracy of pieces on a board, and all that sixteen sticker corners can tell. A calibrated lens
(``vision.camera.calibration``) has two more radial coefficients, which wide lenses need. Points are
undistorted, never pictures.

Model: D. C. Brown, "Close-range camera calibration", Photogrammetric Engineering 37 (1971), the
radial terms only, in OpenCV's convention.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from vision.arrays import Points, points

FOCAL_PRIOR = 0.85
"""Focal length per picture width (long side) before anything is known: about 61° across.

Pi Camera Module 3: 0.78, Pi HQ with its 6 mm lens: 0.95, usual webcams: 0.75 to 0.95."""

NEWTON_STEPS, CLOSE = 12, 1e-9
FEW = 12
"""Number of points up to which it is quicker to work them out one by one."""
REACH = 0.95
"""Share of the last circle that a polynomial can show up to which it is believed."""
LEAST_SLOPE, WIDEST = 0.05, 4.0
"""At the last circle that a fitted polynomial can show, its slope means nothing; and no lens but
a fisheye sees 76° off its axis."""


@dataclass(frozen=True)
class Lens:
    """The mapping of directions in front of the camera to pixels."""

    size: tuple[int, int]
    """Width and height of the picture in px."""
    focal: float
    """Focal length in px."""
    radial: float = 0.0
    """First radial coefficient; negative is barrel distortion."""
    offset: tuple[float, float] = (0.0, 0.0)
    """Point where the optical axis meets the picture, in px from its centre."""
    higher: tuple[float, float] = (0.0, 0.0)
    """Second and third radial coefficient."""

    @staticmethod
    def guess(width: int, height: int) -> Lens:
        """A usual lens for a picture of ``width`` × ``height`` px."""
        return Lens((width, height), FOCAL_PRIOR * max(width, height))

    @cached_property
    def centre(self) -> Points:
        """Point where the optical axis meets the picture, px (2,)."""
        width, height = self.size
        x, y = self.offset
        return np.array([(width - 1) / 2 + x, (height - 1) / 2 + y])

    @cached_property
    def matrix(self) -> Points:
        """Camera matrix, 3 × 3."""
        cx, cy = self.centre
        return np.array([[self.focal, 0, cx], [0, self.focal, cy], [0, 0, 1]], dtype=np.float64)

    @cached_property
    def distortion(self) -> Points:
        """OpenCV's distortion vector (k1, k2, p1, p2, k3)."""
        return np.array([self.radial, self.higher[0], 0, 0, self.higher[1]], dtype=np.float64)

    @cached_property
    def reach(self) -> float:
        """Distance from the axis (ray length where z = 1) up to which the polynomial means
        something: it must rise. A strong barrel's turns back, and far points would come back into
        the picture."""
        first, (second, third) = self.radial, self.higher
        if first >= 0 and second >= 0 and third >= 0:
            return math.inf
        if third == 0:
            # Of 1 + 3 k1 s + 5 k2 s² = 0 the smaller positive solution, by the stable formula.
            square = 9 * first**2 - 20 * second
            if square < 0 or (below := -3 * first + math.sqrt(square)) <= 0:
                return math.inf
            return REACH * math.sqrt(2 / below)
        turns = np.roots([7 * third, 5 * second, 3 * first, 1.0])
        squares = turns[np.abs(turns.imag) < 1e-9].real
        squares = squares[squares > 0]
        return REACH * float(np.sqrt(squares.min())) if len(squares) else math.inf

    def pixels(self, rays: Points) -> Points:
        """Pixels of directions in the picture: n × 2, x and y where z = 1 → n × 2 px."""
        square = (rays**2).sum(axis=1, keepdims=True)
        return points(rays * self._bend(square) * self.focal + self.centre)

    def bent(self, rays: Points) -> tuple[Points, Points]:
        """``pixels``, and how they change with the rays: n × 2 px, n × 2 × 2."""
        square = (rays**2).sum(axis=1, keepdims=True)
        bend = self._bend(square)
        second, third = self.higher
        more = self.radial + square * (2 * second + square * 3 * third)
        more[square > self.reach**2] = 0
        slope = 2 * more[:, :, None] * rays[:, :, None] * rays[:, None, :]
        slope[:, 0, 0] += bend[:, 0]
        slope[:, 1, 1] += bend[:, 0]
        return points(rays * bend * self.focal + self.centre), slope * self.focal

    def _bend(self, square: Points) -> Points:
        """By how much directions are drawn out, by the square of their length; beyond the
        polynomial's reach as much as there."""
        square = np.minimum(square, self.reach**2)
        second, third = self.higher
        return np.asarray(1 + square * (self.radial + square * (second + square * third)))

    def rays(self, px: Points) -> Points:
        """Undistorted directions of pixels: n × 2, x and y where z = 1."""
        bent = (points(px) - self.centre) / self.focal
        if self.radial == 0.0 and self.higher == (0.0, 0.0):
            return bent
        far = np.linalg.norm(bent, axis=1)
        # For the corners of a sticker numpy's calls would take longer than the numbers themselves.
        few = len(far) <= FEW
        near = (
            np.array([self._unbent(each) for each in far.tolist()])
            if few
            else self._all_unbent(far)
        )
        if np.isfinite(self.reach):
            beyond = self._bend(np.array([self.reach**2]))
            near = np.where(far > self.reach * beyond, far / beyond, near)
        return points(bent * (near / np.maximum(far, 1e-12))[:, None])

    def _unbent(self, far: float) -> float:
        """``_all_unbent`` of one."""
        edge = min(self.reach, WIDEST)
        near = min(far, edge)
        first, (second, third) = self.radial, self.higher
        for _ in range(NEWTON_STEPS):
            square = near * near
            value = near * (1 + square * (first + square * (second + square * third))) - far
            slope = 1 + square * (3 * first + square * (5 * second + square * 7 * third))
            step = value / max(slope, LEAST_SLOPE)
            near = min(max(near - step, 0.0), edge)
            if abs(step) < CLOSE:
                break
        return near

    def _all_unbent(self, far: Points) -> Points:
        """True distances from the axis of what is seen ``far`` from it: n, both where z = 1.

        OpenCV iterates to a fixed point a few times, which strong lenses do not reach; Newton's
        method does.
        """
        edge = min(self.reach, WIDEST)
        near = np.minimum(far, edge)
        first, (second, third) = self.radial, self.higher
        for _ in range(NEWTON_STEPS):
            square = near**2
            value = near * (1 + square * (first + square * (second + square * third))) - far
            slope = 1 + square * (3 * first + square * (5 * second + square * 7 * third))
            step = value / np.maximum(slope, LEAST_SLOPE)
            near = np.clip(near - step, 0, edge)
            if float(np.abs(step).max(initial=0.0)) < CLOSE:
                break
        return near
