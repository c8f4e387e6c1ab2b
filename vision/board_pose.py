"""Corner stickers → where the camera stands, and from it millimetres ↔ pixels at any height.

A homography would only know the board's surface; stickers lie on top of their pieces, up to
30 mm above it, so the whole pose is found: by least squares over the corners of the corner
stickers, with usual lenses as prior (one picture from nearly straight above tells focal length
and distance apart only weakly).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from rules.box import Box
from vision.arrays import Points, points
from vision.lens import FOCAL_PRIOR, Lens

__all__ = ["BoardFinder", "BoardPose", "NoBoard"]

STICKERS_NEEDED = 3
ERROR_LIMIT = 0.004
"""Largest accepted reprojection error (root mean square) per picture width."""
SMALLEST = 0.15
"""Smallest accepted mean side of the board per long side of the picture."""
MOVED_PX = 1.0
"""Corners that shift by more than this mean: refit."""
PRIOR_FOCAL = 0.12
"""Doubt (one sigma) about the logarithm of the focal length."""
PRIOR_RADIAL = 0.06
PIXEL_DOUBT = 0.00015
"""Doubt about a sticker corner, per picture width."""


class NoBoard(ValueError):
    """The board cannot be found in a picture; the message says why."""


@dataclass(frozen=True)
class BoardPose:
    """Where the camera stands over the board."""

    lens: Lens
    rotation: Points
    """Board to camera, rotation vector (3,)."""
    translation: Points
    """Board to camera, mm (3,)."""
    error_px: float
    """Root mean square reprojection error over the sticker corners used."""
    stickers: tuple[int, ...]
    """Ids of the corner stickers it rests on."""

    @cached_property
    def turn(self) -> Points:
        """Board to camera, rotation matrix 3 × 3."""
        return np.asarray(cv2.Rodrigues(self.rotation)[0], dtype=np.float64)

    @cached_property
    def eye(self) -> Points:
        """The camera's place over the board, mm (3,)."""
        return -self.turn.T @ self.translation

    def project(self, mm: Points) -> Points:
        """Pixels of points on or above the board: n × 3 mm (or n × 2 on it) → n × 2 px."""
        if mm.shape[1] == 2:
            mm = np.column_stack([mm, np.zeros(len(mm))])
        seen = mm @ self.turn.T + self.translation
        flat = seen[:, :2] / seen[:, 2:]
        bent = 1 + self.lens.radial * (flat**2).sum(axis=1, keepdims=True)
        return flat * bent * self.lens.focal + self.lens.matrix[:2, 2]

    def on_board(self, px: Points, height: float = 0.0) -> Points:
        """Where lines of sight meet the plane ``height`` mm above the board: n × 2 px → mm."""
        rays = self.lens.rays(px)
        lines = np.column_stack([rays, np.ones(len(rays))]) @ self.turn
        reach = (height - self.eye[2]) / lines[:, 2:]
        return self.eye[:2] + reach * lines[:, :2]

    def px_per_mm(self, at: tuple[float, float] = (0.0, 0.0), height: float = 0.0) -> float:
        """Scale of the picture at a point of the board."""
        x, y = at
        spots = np.array([[x - 5, y, height], [x + 5, y, height], [x, y - 5, height],
                          [x, y + 5, height]])  # fmt: skip
        px = self.project(spots)
        across = np.linalg.norm(px[1] - px[0]), np.linalg.norm(px[3] - px[2])
        return float(sum(across)) / 20


class BoardFinder:
    """Finds the pose of one box's board, picture after picture."""

    def __init__(self, box: Box) -> None:
        self._corners = {c.id: _outline(c.at, c.size) for c in box.corners}
        self._size = box.size
        self._known_lens: Lens | None = None
        self._lens_sum = np.zeros(3)

    def corners_mm(self, sticker: int) -> Points:
        """The four corners of a corner sticker's black square in mm, 4 × 2, in ArUco's order."""
        return self._corners[sticker]

    @property
    def ids(self) -> tuple[int, ...]:
        """Ids of the corner stickers."""
        return tuple(self._corners)

    def forget(self) -> None:
        """Forget the lens, for another camera or picture size."""
        self._known_lens = None
        self._lens_sum[:] = 0

    def find(
        self, seen: Mapping[int, Points], size: tuple[int, int], last: BoardPose | None = None
    ) -> BoardPose:
        """The pose that explains ``seen``: sticker id → its 4 corners in px (4 × 2).

        ``size``: width and height of the picture in px. ``last``: the pose in the picture before;
        it is kept as it is while no corner has moved, or while too few stickers are visible but
        those agree with it. Raises NoBoard.
        """
        found = {i: seen[i] for i in self._corners if i in seen}
        if last is not None and last.lens.size != size:
            last = None
        if last is not None and found:
            shift = self._shift(found, last)
            enough = len(found) >= STICKERS_NEEDED
            if shift <= MOVED_PX and (enough or shift <= last.error_px + MOVED_PX):
                return last
        if len(found) < STICKERS_NEEDED:
            missing = [str(i) for i in self._corners if i not in found]
            raise NoBoard(
                f"corner stickers {', '.join(missing)} are not visible; at least "
                f"{STICKERS_NEEDED} of {len(self._corners)} must be seen: free them, or turn up "
                "the light"
            )
        pose = self._fit(found, size, last)
        self._judge(pose)
        return pose

    def _shift(self, found: Mapping[int, Points], pose: BoardPose) -> float:
        """Largest mean shift of a sticker against the pose, in px."""
        return max(
            float(np.linalg.norm((pose.project(self._corners[i]) - px).mean(axis=0)))
            for i, px in found.items()
        )

    def _fit(
        self, found: Mapping[int, Points], size: tuple[int, int], last: BoardPose | None
    ) -> BoardPose:
        mm = np.concatenate([self._corners[i] for i in found])
        px = np.concatenate([points(found[i]) for i in found])
        if self._known_lens is not None and self._known_lens.size != size:
            self.forget()
        known = self._known_lens
        lens = known or Lens.guess(*size)
        if last is not None:
            start = np.concatenate([last.rotation, last.translation])
        else:
            start = _first_pose(mm, px, lens)
        spread = px.std(axis=0).min()
        if spread < SMALLEST / 6 * max(size):
            raise NoBoard(
                "the board is too small in the picture; move the camera nearer or zoom in"
            )
        values = np.concatenate([start, [np.log(lens.focal), lens.radial]])
        values = _least_squares(values, mm, px, size, fixed=known is not None)
        lens = Lens(size, float(np.exp(values[6])), float(values[7]))
        pose = BoardPose(lens, values[:3], values[3:6], 0.0, tuple(found))
        error = float(np.sqrt(((pose.project(mm) - px) ** 2).sum(axis=1).mean()))
        return BoardPose(lens, values[:3], values[3:6], error, tuple(found))

    def _judge(self, pose: BoardPose) -> None:
        """Refuse what cannot be a board before a camera."""
        width, height = self._size
        x, y = width / 2, height / 2
        rim = pose.project(np.array([[-x, y], [x, y], [x, -y], [-x, -y]]))
        sides = np.roll(rim, -1, axis=0) - rim
        onward = np.roll(sides, -1, axis=0)
        turns = sides[:, 0] * onward[:, 1] - sides[:, 1] * onward[:, 0]
        if pose.eye[2] <= 0 or not bool(np.all(turns > 0)):
            raise NoBoard(
                "the corner stickers lie as no board can; check that each is at its own corner"
            )
        long_side = max(pose.lens.size)
        if float(np.linalg.norm(sides, axis=1).mean()) < SMALLEST * long_side:
            raise NoBoard(
                "the board is too small in the picture; move the camera nearer or zoom in"
            )
        if pose.error_px > ERROR_LIMIT * long_side:
            raise NoBoard(
                f"the corner stickers do not fit together (off by {pose.error_px:.1f} px); check "
                "that the board lies flat and each sticker is at its own corner"
            )


def _outline(at: tuple[float, float], size: float) -> Points:
    x, y = at
    h = size / 2
    return np.array([[x - h, y + h], [x + h, y + h], [x + h, y - h], [x - h, y - h]])


def _first_pose(mm: Points, px: Points, lens: Lens) -> Points:
    space = np.column_stack([mm, np.zeros(len(mm))])
    good, rotation, translation = cv2.solvePnP(
        space, px.reshape(-1, 1, 2), lens.matrix, lens.distortion, flags=cv2.SOLVEPNP_ITERATIVE
    )
    if not good or not np.all(np.isfinite(translation)):
        raise NoBoard("the corner stickers lie as no board can; check each is at its own corner")
    return np.concatenate([rotation.ravel(), translation.ravel()])


def _least_squares(
    values: Points, mm: Points, px: Points, size: tuple[int, int], fixed: bool
) -> Points:
    """Gauss-Newton over pose, log focal length and radial coefficient; ``fixed``: pose alone."""
    doubt = PIXEL_DOUBT * max(size)
    focal = np.log(FOCAL_PRIOR * max(size))
    free = 6 if fixed else 8
    steps = np.array([1e-5] * 3 + [1e-2] * 3 + [1e-5] * 2)

    def residuals(v: Points) -> Points:
        lens = Lens(size, float(np.exp(v[6])), float(v[7]))
        pose = BoardPose(lens, v[:3], v[3:6], 0.0, ())
        prior = [(v[6] - focal) / PRIOR_FOCAL, v[7] / PRIOR_RADIAL]
        return np.concatenate([((pose.project(mm) - px) / doubt).ravel(), prior])

    for _ in range(12):
        now = residuals(values)
        slope = np.empty((len(now), free))
        for k in range(free):
            there = values.copy()
            there[k] += steps[k]
            slope[:, k] = (residuals(there) - now) / steps[k]
        step = np.linalg.lstsq(slope, -now, rcond=None)[0]
        values = values.copy()
        values[:free] += step
        if float(np.abs(step / steps[:free]).max()) < 1:
            break
    return values
