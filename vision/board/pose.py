"""Corner stickers → where the camera is, and from that millimetres ↔ pixels at any height.

A homography would only know the board's surface; stickers lie on top of their pieces, up to 30 mm
above it, so the whole pose is found: by least squares over the corners of the corner stickers, with
usual lenses as prior (one picture from nearly straight above hardly tells focal length and distance
apart).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np

from rules.box import Box
from rules.errors import Complaint
from vision.arrays import Points, points
from vision.camera.lens import FOCAL_PRIOR, Lens

__all__ = ["BoardFinder", "BoardPose", "NoBoard"]

STICKERS_NEEDED = 3
SLIDING = 2
"""Number of corner stickers that tell how a board was pushed along its plane."""
ERROR_LIMIT = 0.004
"""Largest accepted reprojection error (root mean square) per picture width."""
SMALLEST = 0.15
"""Smallest accepted mean side of the board per long side of the picture."""
MOVED_PX = 1.0
"""Corners that shift by more than this mean: refit."""
AGREEING = 0.0015
"""Shift per picture width tolerated in the last pose when too few stickers are visible."""
PRIOR_FOCAL = 0.12
"""Doubt (one sigma) about the logarithm of the focal length."""
PRIOR_RADIAL = 0.06
PRIOR_OFFSET = 0.01
"""Doubt about where the optical axis meets the picture, per picture width."""
PIXEL_DOUBT = 0.00015
"""Doubt about a sticker corner, per picture width."""


GOOD_ERROR = 0.001
"""Error per picture width below which no other start is tried."""

SURE_ERROR = 0.0002
"""Error per picture width at which a lens is believed against the calibrated one."""


class NoBoard(Complaint, ValueError):
    """The board cannot be found in a picture; the code says why."""

    package = "vision"


@dataclass(frozen=True)
class BoardPose:
    """Where the camera is above the board."""

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
        return np.asarray(-self.turn.T @ self.translation, dtype=np.float64)

    def project(self, mm: Points) -> Points:
        """Pixels of points on or above the board: n × 3 mm (or n × 2 on it) → n × 2 px."""
        if mm.shape[1] == 2:
            mm = np.column_stack([mm, np.zeros(len(mm))])
        seen = mm @ self.turn.T + self.translation
        return self.lens.pixels(seen[:, :2] / seen[:, 2:])

    def on_board(self, px: Points, height: float = 0.0) -> Points:
        """Where lines of sight meet the plane ``height`` mm above the board: n × 2 px → mm."""
        rays = self.lens.rays(px)
        lines = np.column_stack([rays, np.ones(len(rays))]) @ self.turn
        reach = (height - self.eye[2]) / lines[:, 2:]
        return points(self.eye[:2] + reach * lines[:, :2])

    def px_per_mm(self, at: tuple[float, float] = (0.0, 0.0), height: float = 0.0) -> float:
        """Scale of the picture at a point of the board."""
        known = self._scales.get((at, height))
        if known is None:
            x, y = at
            spots = np.array([[x - 5, y, height], [x + 5, y, height], [x, y - 5, height],
                              [x, y + 5, height]])  # fmt: skip
            px = self.project(spots)
            across = np.linalg.norm(px[1] - px[0]), np.linalg.norm(px[3] - px[2])
            known = self._scales[at, height] = float(sum(across)) / 20
        return known

    @cached_property
    def _scales(self) -> dict[tuple[tuple[float, float], float], float]:
        """What ``px_per_mm`` has said; look after look asks for the same few points."""
        return {}


class BoardFinder:
    """Finds the pose of one box's board, picture after picture."""

    def __init__(
        self, box: Box, lens_of: Callable[[tuple[int, int]], Lens | None] | None = None
    ) -> None:
        """``lens_of``: the calibrated lens for a picture's width and height in px, or None."""
        self._lens_of = lens_of
        self._corners = {c.id: _outline(c.at, c.size) for c in box.corners}
        self._size = box.size
        self._known_lens: Lens | None = None
        self._known_from = 0
        """How many corner stickers the known lens was fitted to."""
        self._calibrated: Lens | None = None

    def corners_mm(self, sticker: int) -> Points:
        """The four corners of a corner sticker's black square in mm, 4 × 2, in ArUco's order."""
        return self._corners[sticker]

    @property
    def ids(self) -> tuple[int, ...]:
        """Ids of the corner stickers."""
        return tuple(self._corners)

    def forget(self) -> None:
        """Forget the lens, for another camera or picture size."""
        self._known_lens, self._known_from = None, 0

    def find(
        self, seen: Mapping[int, Points], size: tuple[int, int],
        last: BoardPose | None = None, held: bool = False,
    ) -> BoardPose:  # fmt: skip
        """The pose that explains ``seen``: sticker id → its 4 corners in px (4 × 2).

        ``size``: width and height of the picture in px. ``last``: the pose in the picture before;
        it is kept as it is while no corner has moved, or while too few stickers are visible but
        those agree with it. ``held``: pieces still lie where ``last`` says, which is enough even if
        no corner sticker is visible. Raises NoBoard.
        """
        found = {i: points(seen[i]) for i in self._corners if i in seen}
        if last is not None and last.lens.size == size:
            shift = self._shift(found, last)
            enough = len(found) >= STICKERS_NEEDED
            allowed = MOVED_PX if enough else AGREEING * max(size)
            if shift <= allowed and (found or held):
                return last
        else:
            last = None
        if len(found) < STICKERS_NEEDED:
            missing = [i for i in self._corners if i not in found]
            raise NoBoard(
                "corners_few_seen", missing=missing, needed=STICKERS_NEEDED, all=len(self._corners)
            )
        known = self._lens_for(size)
        if known is not None and known is self._known_lens and self._known_from < len(found):
            known = self._calibrated  # more stickers than ever before tell more about it
        pose = self._fit(found, size, last, known)
        if known is not None and pose.error_px > GOOD_ERROR * max(size):
            # Zoomed or refocused: the lens is a different one now. A board that is not flat
            # disagrees with every lens, and then the calibrated one is believed.
            free = self._fit(found, size, last, None)
            hopeless = pose.error_px > ERROR_LIMIT * max(size)
            if known is not self._calibrated or hopeless or free.error_px < SURE_ERROR * max(size):
                pose = free
        self._judge(pose)
        # A camera keeps its lens: fitted anew to three stickers at a time, it would never be the
        # same twice, and the board's far edge would wander by millimetres.
        if pose.lens is not known and pose.error_px < GOOD_ERROR * max(size):
            self._known_lens, self._known_from = pose.lens, len(found)
        return pose

    def slid(self, seen: Mapping[int, Points], last: BoardPose) -> BoardPose | None:
        """The pose if the board was pushed along its own plane since ``last``, as tables are:
        two corner stickers tell where to. None if fewer are seen or no push explains them.

        ``seen``: sticker id → its 4 corners in px (4 × 2).
        """
        found = {i: points(seen[i]) for i in self._corners if i in seen}
        if len(found) < SLIDING:
            return None
        mm = np.concatenate([self._corners[i] for i in found])
        px = np.concatenate([found[i] for i in found])
        now = last.on_board(px)
        # The rigid motion that brings one set of points onto the other (Kabsch 1976).
        middle, there = mm.mean(axis=0), now.mean(axis=0)
        (a, b), (c, d) = (mm - middle).T @ (now - there)
        turn = np.arctan2(b - c, a + d)
        spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        shift = there - spin @ middle
        whole = np.eye(3)
        whole[:2, :2] = spin
        rotation = np.asarray(cv2.Rodrigues(last.turn @ whole)[0], dtype=np.float64).ravel()
        translation = np.asarray(last.translation + last.turn @ np.array([*shift, 0.0]))
        pose = BoardPose(last.lens, rotation, translation, 0.0, tuple(found))
        error = float(np.sqrt(((pose.project(mm) - px) ** 2).sum(axis=1).mean()))
        return replace(pose, error_px=error) if error < AGREEING * max(last.lens.size) else None

    def _lens_for(self, size: tuple[int, int]) -> Lens | None:
        """The lens as far as it is known: learnt at this table, else calibrated."""
        if self._known_lens is not None and self._known_lens.size == size:
            return self._known_lens
        if self._lens_of is not None and (
            self._calibrated is None or self._calibrated.size != size
        ):
            self._calibrated = self._lens_of(size)
        return self._calibrated

    def _shift(self, found: Mapping[int, Points], pose: BoardPose) -> float:
        """Largest mean shift of a sticker against the pose, in px."""
        if not found:
            return 0.0
        known = pose.project(np.concatenate([self._corners[i] for i in found]))
        gaps = known.reshape(-1, 4, 2) - np.stack(list(found.values()))
        return float(np.hypot(*gaps.mean(axis=1).T).max())

    def _fit(
        self, found: Mapping[int, Points], size: tuple[int, int],
        last: BoardPose | None, known: Lens | None,
    ) -> BoardPose:  # fmt: skip
        mm = np.concatenate([self._corners[i] for i in found])
        px = np.concatenate([points(found[i]) for i in found])
        if self._known_lens is not None and self._known_lens.size != size:
            self.forget()
        spread = px.std(axis=0).min()
        if spread < SMALLEST / 6 * max(size):
            raise NoBoard("board_too_small")
        lens = known or Lens.guess(*size)
        best: BoardPose | None = None
        for start in _starts(mm, px, lens, last):
            values = np.concatenate([start, [np.log(lens.focal), lens.radial, *lens.offset]])
            values = _least_squares(values, mm, px, size, known)
            own = known or _lens(values, size)
            pose = BoardPose(own, values[:3], values[3:6], 0.0, tuple(found))
            error = float(np.sqrt(((pose.project(mm) - px) ** 2).sum(axis=1).mean()))
            if pose.eye[2] > 0 and (best is None or error < best.error_px):
                best = replace(pose, error_px=error)
            if best is not None and best.error_px < GOOD_ERROR * max(size):
                break
        if best is None:
            raise NoBoard("board_no_shape")
        return best

    def _judge(self, pose: BoardPose) -> None:
        """Refuse what cannot be a board under a camera."""
        width, height = self._size
        x, y = width / 2, height / 2
        rim = pose.project(np.array([[-x, y], [x, y], [x, -y], [-x, -y]]))
        sides = np.roll(rim, -1, axis=0) - rim
        onward = np.roll(sides, -1, axis=0)
        turns = sides[:, 0] * onward[:, 1] - sides[:, 1] * onward[:, 0]
        if pose.eye[2] <= 0 or not bool(np.all(turns > 0)):
            raise NoBoard("board_no_shape")
        long_side = max(pose.lens.size)
        if float(np.linalg.norm(sides, axis=1).mean()) < SMALLEST * long_side:
            raise NoBoard("board_too_small")
        if pose.error_px > ERROR_LIMIT * long_side:
            raise NoBoard("board_does_not_fit", error=pose.error_px)


def _outline(at: tuple[float, float], size: float) -> Points:
    x, y = at
    h = size / 2
    return np.array([[x - h, y + h], [x + h, y + h], [x + h, y - h], [x - h, y - h]])


def _starts(mm: Points, px: Points, lens: Lens, last: BoardPose | None) -> Iterator[Points]:
    """Poses to start from, each (6,): the last one, then what the plane alone allows."""
    if last is not None:
        yield np.concatenate([last.rotation, last.translation])
    space = np.column_stack([mm, np.zeros(len(mm))])
    _, rotations, translations, _ = cv2.solvePnPGeneric(
        space, lens.rays(px).reshape(-1, 1, 2), np.eye(3), np.zeros(4), flags=cv2.SOLVEPNP_IPPE
    )
    for rotation, translation in zip(rotations, translations, strict=True):
        start = np.concatenate([np.ravel(rotation), np.ravel(translation)])
        if np.all(np.isfinite(start)):
            yield start


def _lens(values: Points, size: tuple[int, int]) -> Lens:
    """Pose and lens are fitted as one vector: rotation, translation, log focal, radial, offset."""
    _, _, _, _, _, _, log_focal, radial, x, y = map(float, values)
    return Lens(size, float(np.exp(log_focal)), radial, (x, y))


def _least_squares(
    values: Points, mm: Points, px: Points, size: tuple[int, int], known: Lens | None
) -> Points:
    """Levenberg-Marquardt over pose and lens, or over the pose alone if the lens is ``known``."""
    doubt = PIXEL_DOUBT * max(size)
    focal = np.log(FOCAL_PRIOR * max(size))
    free = 6 if known else 10
    steps = np.array([1e-5] * 3 + [1e-2] * 3 + [1e-5] * 2 + [1e-2] * 2)
    off_centre = PRIOR_OFFSET * max(size)

    def residuals(v: Points) -> Points:
        pose = BoardPose(known or _lens(v, size), v[:3], v[3:6], 0.0, ())
        prior = [(v[6] - focal) / PRIOR_FOCAL, v[7] / PRIOR_RADIAL, *(v[8:] / off_centre)]
        return np.concatenate([((pose.project(mm) - px) / doubt).ravel(), prior])

    now = residuals(values)
    damping = 1e-6
    for _ in range(25):
        slope = np.empty((len(now), free))
        for k in range(free):
            there = values.copy()
            there[k] += steps[k]
            slope[:, k] = (residuals(there) - now) / steps[k]
        normal = slope.T @ slope
        normal[np.diag_indices(free)] *= 1 + damping
        step = np.linalg.lstsq(normal, -slope.T @ now, rcond=None)[0]
        after = values.copy()
        after[:free] += step
        then = residuals(after)
        if not float(then @ then) <= float(now @ now):
            damping = max(damping * 10, 1e-3)
            if damping > 1e6:
                break
            continue
        damping /= 10
        gained = float(now @ now - then @ then)
        values, now = after, then
        if float(np.abs(step / steps[:free]).max()) < 1 or gained < 1e-4 * (then @ then):
            break
    return values
