"""The camera of a scene: a pinhole with radial distortion.

Written on its own, not with ``vision``: it is the truth that ``vision`` is compared with. Model of
the distortion: D. C. Brown, "Close-range camera calibration", Photogrammetric Engineering 37
(1971).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Points = npt.NDArray[np.float64]
STEPS = 30
"""Fixed-point steps that undistort far more exactly than a pixel."""


@dataclass(frozen=True)
class View:
    """A camera over a table; millimetres, z above the board."""

    eye: tuple[float, float, float]
    target: tuple[float, float, float]
    """Point in the middle of the picture."""
    size: tuple[int, int]
    """Width and height in px."""
    focal: float
    """Focal length in px."""
    radial: tuple[float, float] = (0.0, 0.0)
    """First and second radial coefficient; negative is barrel distortion."""
    roll_deg: float = 0.0
    """Turn of the camera about its axis."""

    @property
    def axes(self) -> Points:
        """Right, down and forward as unit vectors, 3 × 3."""
        forward = np.subtract(self.target, self.eye)
        forward = forward / np.linalg.norm(forward)
        right = np.cross(forward, (0.0, 0.0, 1.0))
        length = float(np.linalg.norm(right))
        right = right / length if length > 1e-6 else np.array([1.0, 0.0, 0.0])
        down = np.cross(forward, right)
        c, s = math.cos(math.radians(self.roll_deg)), math.sin(math.radians(self.roll_deg))
        return np.stack([c * right + s * down, c * down - s * right, forward])

    def project(self, mm: Points) -> Points:
        """Pixels of points, n × 3 mm → n × 2 px; the first pixel's middle is 0."""
        seen = (np.asarray(mm, dtype=np.float64) - np.array(self.eye)) @ self.axes.T
        return self.bent(seen[:, :2] / seen[:, 2:]) * self.focal + self.middle

    @property
    def middle(self) -> Points:
        """Point where the axis meets the picture, px (2,)."""
        return (np.array(self.size, dtype=np.float64) - 1) / 2

    def bent(self, rays: Points) -> Points:
        """Directions (x and y where z = 1) as the lens shows them, … × 2."""
        square = (rays**2).sum(axis=-1, keepdims=True)
        k1, k2 = self.radial
        return np.asarray(rays * (1 + square * (k1 + square * k2)), dtype=np.float64)

    def straight(self, bent: Points) -> Points:
        """The inverse of ``bent``."""
        rays = bent.copy()
        k1, k2 = self.radial
        for _ in range(STEPS):
            square = np.minimum((rays**2).sum(axis=-1, keepdims=True), 4.0)
            rays = bent / (1 + square * (k1 + square * k2))
        return rays

    @staticmethod
    def of(camera: dict[str, Sequence[float]], size: Sequence[int], focal: float) -> View:
        """The view that a scene file's ``camera`` describes."""
        ex, ey, ez = camera["eye_mm"]
        tx, ty, tz = camera["target_mm"]
        k1, k2 = camera["radial"]
        roll = camera.get("roll_deg", (0.0,))[0]
        return View((ex, ey, ez), (tx, ty, tz), (size[0], size[1]), focal, (k1, k2), roll)
