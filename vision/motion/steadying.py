"""Following the board while its camera trembles, by its corner stickers.

Between two looks the board is where it was, unless the camera swings on its arm or the table is
bumped. Both move the picture of a plane, and of a plane four stickers tell every point: each is
followed from the picture of the last look (B. Lucas, T. Kanade, "An iterative image registration
technique", IJCAI 1981), and all their corners together give one homography of lines of sight, so
that the lens may bend as it likes. What then still differs is something else than the camera.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from rules.box import Box
from vision.arrays import Floats, Grey, Picture, Points, floats, points
from vision.board.pose import BoardPose, outline
from vision.camera.lens import Lens

SIDE_PX = 40
"""Stickers with longer sides are shrunk first; more shows nothing new."""
AROUND = 0.8
"""Part of a sticker's side by which it may have gone since the frame before."""
LEVELS = 3
"""Halvings of the picture in which it is followed, the coarsest first."""
OFF_PX = 1.0
"""Distance from where the others put it at which a corner is not believed: a hand covers it."""
LEAST_CORNERS, LEAST_STICKERS = 8, 3
MOST_APART = 0.07
"""Mean difference around a corner, as a share of the sticker's contrast, from which it is not the
same: hidden, or blurred by motion. Sharp ones have 0.03 at most, at rest or swinging."""
STILL_PX = 0.25
"""Way of the board's picture up to which nothing has moved."""
NOISE = 6.0
"""Mean difference that noise alone makes, grey levels."""
KNOTS = 16
"""Points along each side of a picture at which a shift is worked out; it is smooth between."""


@dataclass(frozen=True, slots=True, eq=False)
class _Anchor:
    """A corner sticker in the picture that is followed from."""

    grey: Grey
    """The picture around it, ``less`` times smaller."""
    low: Points
    """Upper left corner of that in the picture, px (2,)."""
    less: int
    corners: Floats
    """Its corners there, 4 × 2 px."""
    alone: Grey
    at: Points
    """The sticker alone, and its upper left corner in the picture, px (2,)."""
    steps: Floats
    """Least squares from a small difference to the shift that explains it, 2 × px."""
    rough: float
    """Mean difference that a shift by one px makes."""

    @staticmethod
    def of(grey: Grey, low: Points, less: int, corners: Floats) -> _Anchor:
        """The anchor with what is worked out once."""
        first, last = np.floor(corners.min(axis=0)), np.ceil(corners.max(axis=0))
        left, top, right, bottom = (int(n) for n in (*first, *last))
        alone = np.ascontiguousarray(grey[top:bottom, left:right])
        slopes = [
            cv2.Sobel(alone, cv2.CV_32F, *way, scale=1 / 8).ravel() for way in ((1, 0), (0, 1))
        ]
        both = floats(np.stack(slopes))
        steps = np.linalg.solve(both @ both.T + np.eye(2, dtype=np.float32), both)
        at = low + np.array([left, top]) * less
        return _Anchor(
            grey, low, less, corners, alone, at, floats(steps), float(np.abs(both).mean())
        )

    def rests(self, shown: Picture | Grey) -> bool:
        """True if the sticker is where it was, to ``STILL_PX``."""
        now = _cut(shown, self.at, self.alone.shape[::-1], self.less)
        apart = cv2.addWeighted(
            now, _gain(self.alone, now), self.alone, -1.0, 0.0, dtype=cv2.CV_32F
        )
        if float(np.abs(apart).mean()) > self.rough + NOISE:
            return False
        way = self.steps @ apart.ravel()
        return float(np.hypot(*way)) * self.less < STILL_PX

    def found(self, shown: Picture | Grey, way: Points) -> Points:
        """The sticker's corners about ``way`` px further on, 4 × 2 px; NaN where they are not."""
        less = self.less
        low = self.low + np.round(way / less) * less
        grey = _cut(shown, low, (self.grey.shape[1], self.grey.shape[0]), less)
        grey = np.asarray(cv2.convertScaleAbs(grey, alpha=_gain(self.grey, grey)), dtype=np.uint8)
        window = max(int(np.ptp(self.corners[:, 0]) / 6) * 2 + 1, 7)
        ends, told, apart = cv2.calcOpticalFlowPyrLK(
            self.grey, grey, self.corners[:, None], None,  # type: ignore[call-overload]
            winSize=(window, window), maxLevel=LEVELS,
        )  # fmt: skip
        px = low + (points(ends) + 0.5) * less - 0.5
        clear = np.asarray(apart) < MOST_APART * np.ptp(self.grey)
        return np.where((np.asarray(told) > 0) & clear, px, np.nan)


@dataclass(frozen=True, slots=True, eq=False)
class Shift:
    """The way of the board's picture since it was anchored."""

    turn: Points
    """Homography of lines of sight, then to now, 3 × 3."""
    lens: Lens
    scale: float
    """Px of the pictures shown per px of the lens."""
    most: float
    """Longest way of a corner sticker, px of the pictures shown."""

    def field(self, x: Floats, y: Floats) -> Floats:
        """Ways of the points of a grid with columns ``x`` and rows ``y``: rows × columns × 2 px."""
        across, down = (_knots(each) for each in (x, y))
        at = np.stack(np.meshgrid(across, down), axis=-1).reshape(-1, 2)
        ways = self._moved(at) - at
        coarse = floats(ways.reshape(len(down), len(across), 2))
        return floats(cv2.resize(coarse, (len(x), len(y)), interpolation=cv2.INTER_LINEAR))

    def _moved(self, px: Points) -> Points:
        rays = self.lens.rays((px + 0.5) / self.scale - 0.5)
        now = points(cv2.perspectiveTransform(rays[None], self.turn))
        return (self.lens.pixels(now) + 0.5) * self.scale - 0.5


class Steadier:
    """Follows the corner stickers of one box's board."""

    def __init__(self, box: Box) -> None:
        self._outlines = {c.id: outline(c.at, c.size) for c in box.corners}
        self.release()

    def release(self) -> None:
        """Follow nothing: the board was lost."""
        self._anchors: list[_Anchor] = []
        self._pose: BoardPose | None = None
        self._ways = np.zeros((0, 2))
        """The way of each sticker up to the frame before, px."""
        self.shaken = False
        """True if the last picture could not be followed, and no sticker is where it was."""

    def anchor(self, shown: Picture | Grey, pose: BoardPose) -> None:
        """Follow the board from here; ``shown``: a picture in which it has this ``pose``, or the
        same smaller."""
        self.release()
        self._pose, self._scale = pose, shown.shape[1] / pose.lens.size[0]
        for sticker in pose.stickers:
            px = (pose.project(self._outlines[sticker]) + 0.5) * self._scale - 0.5
            side = float(np.sqrt(cv2.contourArea(floats(px))))
            less = max(round(side / SIDE_PX), 1)
            low = np.floor(px.min(axis=0) - AROUND * side)
            size = np.ceil((np.ptp(px, axis=0) + 2 * AROUND * side) / less).astype(int)
            grey = _cut(shown, low, (int(size[0]), int(size[1])), less)
            corners = floats((px - low + 0.5) / less - 0.5)
            self._anchors.append(_Anchor.of(grey, low, less, corners))
        self._ways = np.zeros((len(self._anchors), 2))

    def follow(self, shown: Picture | Grey) -> Shift | None:
        """The board's way to the picture ``shown``; None if it cannot be followed."""
        if self._pose is None or len(self._anchors) < LEAST_STICKERS:
            return None
        lens, scale = self._pose.lens, self._scale
        resting = sum(anchor.rests(shown) for anchor in self._anchors)
        self.shaken = resting == 0
        if resting >= LEAST_STICKERS:
            self._ways = np.zeros_like(self._ways)
            return Shift(np.eye(3), lens, scale, 0.0)
        found = [a.found(shown, way) for a, way in zip(self._anchors, self._ways, strict=True)]
        then = np.concatenate([a.low + (a.corners + 0.5) * a.less - 0.5 for a in self._anchors])
        now = np.concatenate(found)
        seen = np.isfinite(now[:, 0])
        if seen.sum() >= LEAST_CORNERS:
            lines = [lens.rays((px[seen] + 0.5) / scale - 0.5) for px in (then, now)]
            turn, held = cv2.findHomography(
                lines[0], lines[1], cv2.RANSAC, OFF_PX / scale / lens.focal
            )
            seen[seen] = np.asarray(held).ravel() > 0
            by_sticker = seen.reshape(-1, 4).sum(axis=1)
            if turn is not None and (by_sticker >= 2).sum() >= LEAST_STICKERS:
                ways = np.where(seen[:, None], now - then, np.nan).reshape(-1, 4, 2)
                self._ways = _mean(ways)
                self.shaken = False
                most = float(np.hypot(*self._ways.T).max())
                return Shift(np.asarray(turn, dtype=np.float64), lens, scale, most)
        self._ways = np.zeros_like(self._ways)
        return None


def _gain(then: Grey, now: Grey) -> float:
    """By how much the light has gone down."""
    return float(cv2.mean(then)[0]) / max(float(cv2.mean(now)[0]), 1.0)


def _mean(ways: Points) -> Points:
    """Mean way of each sticker's corners, stickers × 4 × 2 px; that of all where none was seen."""
    unseen = np.asarray(np.isnan(ways[..., 0]).all(axis=1))
    ways = np.where(unseen[:, None, None], np.nanmean(ways, axis=(0, 1)), ways)
    return np.asarray(np.nanmean(ways, axis=1), dtype=np.float64)


def _knots(line: Floats) -> Points:
    """Middles of ``KNOTS`` equal parts of an even line of points."""
    part = np.arange(KNOTS) + 0.5
    return np.interp(part * len(line) / KNOTS - 0.5, np.arange(len(line)), line)


def _cut(shown: Picture | Grey, low: Points, size: tuple[int, int], less: int) -> Grey:
    """A part of a picture in grey, ``less`` times smaller (``size``: width and height then);
    beyond the picture its edge goes on."""
    left, top = int(low[0]), int(low[1])
    right, bottom = left + size[0] * less, top + size[1] * less
    grey = shown if shown.ndim == 2 else shown[:, :, 1]
    if left < 0 or top < 0 or right > grey.shape[1] or bottom > grey.shape[0]:
        rows = np.clip(np.arange(top, bottom), 0, grey.shape[0] - 1)
        columns = np.clip(np.arange(left, right), 0, grey.shape[1] - 1)
        part = grey[rows[:, None], columns]
    else:
        part = np.ascontiguousarray(grey[top:bottom, left:right])
    if less > 1:
        part = np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA))
    return np.asarray(part, dtype=np.uint8)
