"""The camera's inside: focal length and barrel distortion.

One focal length, one radial coefficient, the optical axis near the picture's centre: that is what
a webcam or Pi camera needs within the accuracy of pieces on a board, and all that sixteen sticker
corners can tell. Points are undistorted, never pictures.

Model: D. C. Brown, "Close-range camera calibration", Photogrammetric Engineering 37 (1971), first
radial term only, in OpenCV's convention.
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

    @staticmethod
    def guess(width: int, height: int) -> Lens:
        """A usual lens for a picture of ``width`` × ``height`` px."""
        return Lens((width, height), FOCAL_PRIOR * max(width, height))

    @cached_property
    def matrix(self) -> Points:
        """Camera matrix, 3 × 3."""
        cx = (self.size[0] - 1) / 2 + self.offset[0]
        cy = (self.size[1] - 1) / 2 + self.offset[1]
        return np.array([[self.focal, 0, cx], [0, self.focal, cy], [0, 0, 1]], dtype=np.float64)

    @cached_property
    def distortion(self) -> Points:
        """OpenCV's distortion vector (k1, k2, p1, p2)."""
        return np.array([self.radial, 0, 0, 0], dtype=np.float64)

    def rays(self, px: Points) -> Points:
        """Undistorted directions of pixels: n × 2, x and y where z = 1."""
        return points(cv2.undistortPoints(px.reshape(-1, 1, 2), self.matrix, self.distortion))
