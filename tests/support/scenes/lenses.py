"""A board seen through uncalibrated lenses, from hardly bent to very wide.

The truth is the camera's own projection.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from companion.simulator import Camera
from rules.box import Box
from vision.arrays import Points, points
from vision.board.pose import BoardPose
from vision.camera.lens import Lens

SIZE = (1600, 1200)
LENSES = (
    # name, focal length per picture width, k1, k2, tilt
    ("plain", 0.9, 0.0, 0.0, 12.0),
    ("slight barrel", 0.87, -0.05, 0.0, 12.0),
    ("barrel, from the side", 0.87, -0.11, 0.0, 28.0),
    ("strong barrel", 0.75, -0.2, 0.05, 18.0),
    ("very strong barrel", 0.65, -0.3, 0.1, 15.0),
    ("wide, 100 degrees", 0.42, -0.28, 0.08, 18.0),
    ("wide, 115 degrees", 0.32, -0.22, 0.04, 12.0),
    ("pincushion", 0.95, 0.12, 0.0, 15.0),
)


@dataclass(eq=False)
class BentCamera(Camera):
    """A virtual camera with a second radial coefficient."""

    k2: float = 0.0

    def __post_init__(self) -> None:
        """Any lens that ``Lens`` can express will do."""

    @cached_property
    def lens(self) -> Lens:
        """The lens as vision describes it."""
        return Lens((self.width, self.height), self._focal, self.k1, (0.0, 0.0), (self.k2, 0.0))

    def project(self, points: Points, nudge: object = None) -> Points:
        """Pixels (n, 2) of board points (n, 3) in mm."""
        seen = (np.asarray(points, np.float64) - self._eye) @ self._axes.T
        return self.lens.pixels(seen[:, :2] / np.maximum(seen[:, 2:], 1.0))

    def _undistort(self, bent: Points) -> Points:
        flat = points(bent) * self.lens.focal + self.lens.centre
        return self.lens.rays(flat).reshape(bent.shape)


def camera(box: Box, number: int, shake: float = 0.0) -> BentCamera:
    """The camera with lens ``number`` of ``LENSES`` so that the board fills its picture."""
    _name, focal, k1, k2, tilt = LENSES[number]
    # A barrel draws the board's rim in, so that it hangs lower.
    reach = max(box.size[1] * SIZE[0] / SIZE[1], box.size[0]) * 0.62
    height = reach * 2 * focal * 0.96
    return BentCamera(
        *SIZE, height_mm=height, tilt=tilt + shake, yaw=20.0 + shake, focal=focal * SIZE[0],
        k1=k1, seed=number, noise=3.0, k2=k2,
    )  # fmt: skip


def errors_mm(pose: BoardPose, taken: Camera, box: Box) -> Points:
    """Distance of each printed site from where ``pose`` sees it, mm."""
    at = np.array([site.at for site in box.printed_sites])
    px = taken.project(np.column_stack([at, np.zeros(len(at))]))
    return np.asarray(np.linalg.norm(pose.on_board(px) - at, axis=1))
