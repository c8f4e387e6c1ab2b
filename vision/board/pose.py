"""Corner stickers → the camera's pose, and from that millimetres ↔ pixels at any height.

A homography would only know the board's surface; stickers lie on top of their pieces, up to 30 mm
above it, so the whole pose is found: by least squares over the corners of the corner stickers
(``vision.board.fitting``). An unknown lens is fitted along with it, with usual lenses as prior (one
picture from nearly straight above hardly tells focal length and distance apart).
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
from vision.board.fitting import Fitted, LensBelief, Marks, fit_marks, misses
from vision.camera.lens import Lens

STICKERS_NEEDED = 3
SLIDING = 2
"""Number of corner stickers that tell how a board was pushed along its plane."""
ERROR_LIMIT = 0.004
"""Largest accepted reprojection error (root mean square) per picture width."""
SMALLEST = 0.15
"""Smallest accepted mean side of the board per long side of the picture."""
MOVED_PX = 1.0
"""Corners that shift by more than this mean: refit."""
WORTH_MM = 0.1
"""A pose from averaged corners that moves no corner of the board by more is not worth it."""
MOST_AVERAGED = 32
"""Pictures whose corners are averaged at most."""
AGREEING = 0.0015
"""Shift per picture width tolerated in the last pose when too few stickers are visible."""
PIXEL_DOUBT = 0.00015
"""Doubt about a sticker corner, per picture width."""
STRAY = 4.0
"""Corners that are off by more sigmas than this begin to lose weight."""
GOOD_ERROR = 0.001
"""Error per picture width below which no other start is tried."""
SURE_ERROR = 0.0002
"""Error per picture width at which a lens is believed against the calibrated one."""


class NoBoard(Complaint, ValueError):
    """The board cannot be found in a picture; the code says why."""


_AROUND = np.array([[-5.0, 0, 0], [5, 0, 0], [0, -5, 0], [0, 5, 0]])
"""Points between which the scale of a picture is measured, mm."""


@dataclass(frozen=True)
class BoardPose:
    """The pose of the camera above the board."""

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

    def on_board(self, px: Points, height: float | Points = 0.0) -> Points:
        """Points where lines of sight meet the plane ``height`` mm above the board: n × 2 px → mm;
        ``height``: for all, or for each, (n,)."""
        lines = self.lens.rays(px) @ self.turn[:2] + self.turn[2]
        reach = (height - self.eye[2]) / lines[:, 2]
        return points(self.eye[:2] + reach[:, None] * lines[:, :2])

    def hidden(self, mm: Points, height: float) -> Points:
        """Points of the board behind points ``height`` mm above it: n × 2 mm → mm."""
        eye = self.eye
        return points(eye[:2] + (mm - eye[:2]) * (eye[2] / (eye[2] - height)))

    def px_per_mm(self, at: tuple[float, float] = (0.0, 0.0), height: float = 0.0) -> float:
        """Scale of the picture at a point of the board."""
        known = self._scales.get((at, height))
        if known is None:
            known = self._scales[at, height] = float(self.scales(np.array([[*at, height]]))[0])
        return known

    def scales(self, at: Points) -> Points:
        """Scale of the picture at points on or above the board: n × 3 mm → px per mm, (n,)."""
        px = self.project((at[:, None] + _AROUND).reshape(-1, 3)).reshape(-1, 4, 2)
        across = np.linalg.norm(px[:, 1] - px[:, 0], axis=1)
        return np.asarray((across + np.linalg.norm(px[:, 3] - px[:, 2], axis=1)) / 20)

    @cached_property
    def _scales(self) -> dict[tuple[tuple[float, float], float], float]:
        """Results of ``px_per_mm``; look after look asks for the same few points."""
        return {}


class BoardFinder:
    """Finds the pose of one box's board, picture after picture."""

    def __init__(
        self, box: Box, lens_of: Callable[[tuple[int, int]], Lens | None] | None = None
    ) -> None:
        """``lens_of``: the calibrated lens for a picture's width and height in px, or None."""
        self._lens_of = lens_of
        self._corners = {c.id: outline(c.at, c.size) for c in box.corners}
        self._size = box.size
        self._known_lens: Lens | None = None
        self._known_from = 0
        """Number of corner stickers the known lens was fitted to; more than there are: it was
        learnt from more than them."""
        self._calibrated: Lens | None = None
        self._mean = _Mean()
        self._placed: tuple[BoardPose, Points] | None = None

    def corners_mm(self, sticker: int) -> Points:
        """The four corners of a corner sticker's black square in mm, 4 × 2, in ArUco's order."""
        return self._corners[sticker]

    def corners_px(self, pose: BoardPose) -> Points:
        """The same of all corner stickers as they are seen from a pose, in the order of ``ids``:
        n × 4 × 2 px."""
        if self._placed is None or self._placed[0] is not pose:
            px = pose.project(np.concatenate(list(self._corners.values())))
            self._placed = (pose, px.reshape(-1, 4, 2))
        return self._placed[1]

    @property
    def ids(self) -> tuple[int, ...]:
        """Ids of the corner stickers."""
        return tuple(self._corners)

    def forget(self) -> None:
        """Forget the lens, for another camera or picture size."""
        self._known_lens, self._known_from = None, 0

    def know(self, lens: Lens) -> None:
        """This is the camera's lens, as was learnt from more than corner stickers."""
        self._known_lens, self._known_from = lens, len(self._corners) + 1

    def is_calibrated(self, size: tuple[int, int]) -> bool:
        """True if the lens for pictures of this size was measured."""
        if self._lens_of is not None and (
            self._calibrated is None or self._calibrated.size != size
        ):
            self._calibrated = self._lens_of(size)
        return self._calibrated is not None

    def marks(self, seen: Mapping[int, Points], size: tuple[int, int]) -> Marks:
        """The corners of the corner stickers among ``seen`` as marks to fit a camera to."""
        found = [i for i in self._corners if i in seen]
        return Marks.of_stickers(
            [self._corners[i] for i in found], [points(seen[i]) for i in found],
            PIXEL_DOUBT * max(size),
        )  # fmt: skip

    def find(
        self, seen: Mapping[int, Points], size: tuple[int, int],
        last: BoardPose | None = None, held: bool = False,
    ) -> BoardPose:  # fmt: skip
        """The pose that explains ``seen``: sticker id → its 4 corners in px (4 × 2).

        ``size``: width and height of the picture in px. ``last``: the pose in the picture before;
        it is kept while no corner has moved, only that corners are averaged over such pictures,
        or while too few stickers are visible but those agree with it. ``held``: pieces still lie
        where ``last`` says, which is enough even if no corner sticker is visible. Raises NoBoard.
        """
        found = {i: points(seen[i]) for i in self._corners if i in seen}
        if last is not None and last.lens.size == size:
            shift = self._shift(found, last)
            enough = len(found) >= STICKERS_NEEDED
            allowed = MOVED_PX if enough else AGREEING * max(size)
            if shift <= allowed and (found or held):
                return self._steadied(found, last) if enough else last
        else:
            last = None
        if len(found) < STICKERS_NEEDED:
            missing = [i for i in self._corners if i not in found]
            raise NoBoard(
                "corners_few_seen", missing=missing, needed=STICKERS_NEEDED, all=len(self._corners)
            )
        known = self._lens_for(size)
        if known is not None and known is self._known_lens and self._known_from < len(found):
            # More stickers than ever before tell more about it.
            known = self._calibrated
        pose, typical = self._fit(found, size, last, known)
        if known is not None and typical > GOOD_ERROR * max(size):
            # Zoomed or refocused: the lens is a different one now. A board that is not flat
            # disagrees with every lens, and then the calibrated one is believed.
            free, its_own = self._fit(found, size, last, None)
            hopeless = pose.error_px > ERROR_LIMIT * max(size)
            if known is not self._calibrated or hopeless or free.error_px < SURE_ERROR * max(size):
                pose, typical = free, its_own
        self._judge(pose)
        # A camera keeps its lens: fitted anew to three stickers at a time, it would never be the
        # same twice, and the board's far edge would wander by millimetres.
        if pose.lens is not known and typical < GOOD_ERROR * max(size):
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
        return self._calibrated if self.is_calibrated(size) else None

    def _steadied(self, found: Mapping[int, Points], last: BoardPose) -> BoardPose:
        """``last``, or now and then a better one from the corners of all pictures since."""
        if not self._mean.add(found, last):
            return last
        mean = self._mean.corners
        pose, _typical = self._fit(mean, last.lens.size, last, last.lens)
        far = np.array(self._size) / 2
        reach = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * far
        shift = np.linalg.norm(pose.on_board(last.project(reach)) - reach, axis=1).max()
        if shift < WORTH_MM:
            # Every other pose costs a new map of the board and blurs what is known of its look.
            pose = last
        self._mean.begin(pose)
        return pose

    def _shift(self, found: Mapping[int, Points], pose: BoardPose) -> float:
        """Largest mean shift of a sticker against the pose, in px."""
        if not found:
            return 0.0
        known = self.corners_px(pose)[[i in found for i in self._corners]]
        gaps = known - np.stack(list(found.values()))
        return float(np.hypot(*gaps.mean(axis=1).T).max())

    def _fit(
        self, found: Mapping[int, Points], size: tuple[int, int],
        last: BoardPose | None, known: Lens | None,
    ) -> tuple[BoardPose, float]:  # fmt: skip
        """The pose, and the median error of a corner in px."""
        if self._known_lens is not None and self._known_lens.size != size:
            self.forget()
        marks = self.marks(found, size)
        mm, px = marks.mm[:, :2], marks.px
        if px.std(axis=0).min() < SMALLEST / 6 * max(size):
            raise NoBoard("board_too_small")
        kinds = LensBelief.kinds(size) if known is None else ((None, 0.0),)
        best: tuple[float, Fitted, LensBelief | None] | None = None
        for belief, rarity in kinds:
            lens = known if belief is None else belief.lens
            assert lens is not None
            for start in _starts(mm, px, lens, last):
                fitted = fit_marks(marks, start, lens, belief)
                if fitted.eye_mm <= 0:
                    continue
                if best is None or fitted.cost + rarity < best[0]:
                    best = fitted.cost + rarity, fitted, belief
                if _error(fitted, marks) < GOOD_ERROR * max(size):
                    break
        if best is None:
            raise NoBoard("board_no_shape")
        _cost, fitted, belief = best
        # One sticker half washed out by a lamp must not bend the rest of the board.
        doubted = replace(marks, stray=np.full(len(marks), STRAY))
        fitted = fit_marks(doubted, (fitted.rotation, fitted.translation), fitted.lens, belief)
        pose = BoardPose(
            fitted.lens, fitted.rotation, fitted.translation, _error(fitted, marks), tuple(found)
        )
        return pose, PIXEL_DOUBT * max(size) * float(np.sqrt(np.median(misses(marks, fitted))))

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


class _Mean:
    """Corners averaged over pictures in which nothing moved."""

    def __init__(self) -> None:
        self._pose: BoardPose | None = None
        self._sums: dict[int, Points] = {}
        self._counts: dict[int, int] = {}
        self._looks = 0

    def begin(self, pose: BoardPose) -> None:
        """Note that ``pose`` was found from what is averaged so far."""
        self._pose = pose
        if self._looks >= MOST_AVERAGED:
            # A camera that sinks slowly is followed.
            self._sums, self._counts, self._looks = {}, {}, 0

    def add(self, found: Mapping[int, Points], pose: BoardPose) -> bool:
        """Count corners in; True if there are enough more of them for a better pose."""
        if self._pose is not pose:
            self._pose, self._sums, self._counts, self._looks = pose, {}, {}, 0
        for sticker, px in found.items():
            self._sums[sticker] = self._sums.get(sticker, np.zeros((4, 2))) + px
            self._counts[sticker] = self._counts.get(sticker, 0) + 1
        self._looks += 1
        return self._looks in (2, 4, 8, 16, MOST_AVERAGED)

    @property
    def corners(self) -> dict[int, Points]:
        """Sticker id to the mean of its corners, 4 × 2 px, of those seen in most pictures."""
        return {
            sticker: total / self._counts[sticker]
            for sticker, total in self._sums.items()
            if 2 * self._counts[sticker] >= self._looks
        }


def _error(fitted: Fitted, marks: Marks) -> float:
    """Root mean square error in px, free of what is only spread of light."""
    return float(np.sqrt((misses(marks, fitted) / marks.weight[:, 0, 0] ** 2).mean()))


def _starts(
    mm: Points, px: Points, lens: Lens, last: BoardPose | None
) -> Iterator[tuple[Points, Points]]:
    """Poses to start from, rotation and translation: the last one, then what the plane alone
    allows."""
    if last is not None:
        yield last.rotation, last.translation
    space = np.column_stack([mm, np.zeros(len(mm))])
    _, rotations, translations, _ = cv2.solvePnPGeneric(
        space, lens.rays(px).reshape(-1, 1, 2), np.eye(3), np.zeros(4), flags=cv2.SOLVEPNP_IPPE
    )
    for rotation, translation in zip(rotations, translations, strict=True):
        start = points(rotation, 3)[0], points(translation, 3)[0]
        if np.all(np.isfinite(np.concatenate(start))):
            yield start


def outline(at: tuple[float, float], size: float) -> Points:
    x, y = at
    h = size / 2
    return np.array([[x - h, y + h], [x + h, y + h], [x + h, y - h], [x - h, y - h]])
