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

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from vision.arrays import Points, points

__all__ = ["FOCAL_PRIOR", "Lens"]

FOCAL_PRIOR = 0.85
"""Focal length per picture width (long side) before anything is known: about 61° across.

Pi Camera Module 3: 0.78, Pi HQ with its 6 mm lens: 0.95, usual webcams: 0.75 to 0.95."""

NEWTON_STEPS = 8
LEAST_SLOPE, WIDEST = 0.05, 4.0
"""Beyond the last circle that a fitted polynomial can show, its slope means nothing; and no
lens but a fisheye sees 76° off its axis."""


@dataclass(frozen=True)
class Lens:
    """How directions in front of the camera become pixels."""

    size: tuple[int, int]
    """Width and height of the picture in px."""
    focal: float
    """Focal length in px."""
    radial: float = 0.0
    """First radial coefficient; negative is barrel distortion."""
    offset: tuple[float, float] = (0.0, 0.0)
    """Where the optical axis meets the picture, in px from its centre."""
    higher: tuple[float, float] = (0.0, 0.0)
    """Second and third radial coefficient."""

    @staticmethod
    def guess(width: int, height: int) -> Lens:
        """A usual lens for a picture of ``width`` × ``height`` px."""
        return Lens((width, height), FOCAL_PRIOR * max(width, height))

    @cached_property
    def centre(self) -> Points:
        """Where the optical axis meets the picture, px (2,)."""
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

    def pixels(self, rays: Points) -> Points:
        """Where directions appear in the picture: n × 2, x and y where z = 1 → n × 2 px."""
        square = (rays**2).sum(axis=1, keepdims=True)
        second, third = self.higher
        bent = 1 + square * (self.radial + square * (second + square * third))
        return points(rays * bent * self.focal + self.centre)

    def rays(self, px: Points) -> Points:
        """Undistorted directions of pixels: n × 2, x and y where z = 1."""
        if self.higher == (0.0, 0.0):
            return points(cv2.undistortPoints(px.reshape(-1, 1, 2), self.matrix, self.distortion))
        # OpenCV iterates to a fixed point, which wide lenses do not have; Newton finds them.
        bent = (points(px) - self.centre) / self.focal
        far = np.linalg.norm(bent, axis=1)
        near = far.copy()
        first, (second, third) = self.radial, self.higher
        for _ in range(NEWTON_STEPS):
            square = near**2
            value = near * (1 + square * (first + square * (second + square * third))) - far
            slope = 1 + square * (3 * first + square * (5 * second + square * 7 * third))
            near = np.clip(near - value / np.maximum(slope, LEAST_SLOPE), 0, WIDEST)
        return points(bent * (near / np.maximum(far, 1e-12))[:, None])
