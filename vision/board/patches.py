"""Parts of the board cut out of a picture, in colours as white light would show them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from rules.box import Box
from vision.arrays import Bools, Floats, Mask, Picture, Points, floats
from vision.board.appearance import BoardAppearance, Difference
from vision.board.colour import apart, lab, linear, paper_white
from vision.board.drawing import Fields
from vision.board.flattening import MM_PER_PX, grid_px
from vision.board.pose import BoardPose

SHADES = (1.0, 0.75, 0.55)
"""Shares of the light that the board's shadows keep."""
Indices = npt.NDArray[np.intp]
Half = float | tuple[float, float]
"""Half the side of a square in mm, or half the width and the height of a rectangle."""
ODD, CHANGED_SHARE = 0.12, 0.06
"""If less than this share of a site is off by this much, it is as bare as it was."""


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """A rectangle of the board, 1 mm per px, row 0 is its upper edge."""

    seen: Floats
    """Lab in white light, rows × columns × 3."""
    from_board: Floats
    """Distance from the bare board, lit or in shade, rows × columns."""
    open: Bools
    """True where no known piece lies."""

    @property
    def middle(self) -> tuple[float, float]:
        """Its centre in px."""
        return ((self.seen.shape[1] - 1) / 2, (self.seen.shape[0] - 1) / 2)


class BoardView:
    """One picture, to be cut into patches."""

    def __init__(
        self, image: Picture, pose: BoardPose, difference: Difference, hidden: Mask, box: Box,
        appearance: BoardAppearance,
    ) -> None:  # fmt: skip
        self.image, self.pose, self.hidden = image, pose, hidden
        self._box, self._appearance = box, appearance
        self._white = paper_white(box, image, pose, appearance)
        self._expected = cv2.merge(list(difference.expected))
        self.odd: Bools = np.abs(difference.residual).max(axis=0) > ODD
        """True where the grid looks other than the bare board, height × width."""
        self._levels = [image]
        self._seen: Floats = cv2.merge(list(difference.seen))
        self._grid = np.asarray(cv2.blur(self._seen, (3, 3)))

    def fields(self, low: Points, high: Points, size: tuple[int, int]) -> Fields | None:
        """The fields of a rectangle (lowest and highest x and y, mm), a millimetre per px, row 0 is
        its upper edge; None if they are of one colour. ``size``: height and width."""
        known = self._appearance.fields
        if known is None:
            return None
        mm = np.column_stack([low[0] + np.arange(max(size)) + 0.5,
                              high[1] - np.arange(max(size)) - 0.5])  # fmt: skip
        columns, rows = np.round(grid_px(self._box, mm)).astype(np.intp).T
        high_, wide = known.labels.shape
        rows, columns = (
            np.clip(rows[: size[0]], 0, high_ - 1),
            np.clip(columns[: size[1]], 0, wide - 1),
        )
        return replace(known, labels=known.labels[rows[:, None], columns])

    def hide(self, bodies: Iterable[Points]) -> None:
        """Count what ``bodies`` (n × 2 mm each) hide of the board as hidden from now on."""
        self.hidden = self.hidden.copy()
        for body in bodies:
            hull = cv2.convexHull(floats(grid_px(self._box, body)))
            spot = np.round(hull).astype(np.int32)
            cv2.fillConvexPoly(self.hidden, spot, (255,))
            cv2.polylines(self.hidden, [spot], True, (255,), 2)

    def crop(self, at: tuple[float, float], half: Half) -> Floats:
        """The colours around a point with what is hidden there, coarsely; rows × columns × 4."""
        part = self._part(at, half)
        return np.dstack([self._grid[part], floats(self.hidden[part] > 0)])

    def changed(self, at: tuple[float, float], half: Half, least: float = CHANGED_SHARE) -> bool:
        """True if anything at all differs from the bare board within ``half`` mm of a point: more
        than the share ``least``."""
        odd = self.odd[self._part(at, half)]
        return bool(odd.size) and float(odd.mean()) > least

    def _part(self, at: tuple[float, float], half: Half) -> tuple[slice, slice]:
        """Rows and columns of the grid around a point."""
        middle, reach = grid_px(self._box, np.array([at]))[0], (s / MM_PER_PX for s in sides(half))
        columns, rows = (
            slice(max(int(one - far), 0), int(one + far) + 2)
            for one, far in zip(middle, reach, strict=True)
        )
        return rows, columns

    def shows(self, at: tuple[float, float]) -> bool:
        """True if a point is on the board and in the picture."""
        width, height = self._box.size
        if abs(at[0]) > width / 2 or abs(at[1]) > height / 2:
            return False
        u, v = self.pose.project(np.array([at]))[0]
        return bool(0 <= u < self.image.shape[1] and 0 <= v < self.image.shape[0])

    def lean(self, at: tuple[float, float], height: float) -> float:
        """Distance of the top of a piece from its foot as seen, in mm on the board."""
        top = self.hull(at, np.array([[0.0, 0.0, height]]))[0]
        return math.dist(top, at)

    def hull(self, at: tuple[float, float], points: Points) -> Points:
        """The board as hidden by ``points`` (n × 3 mm round their foot), standing at ``at``."""
        eye = self.pose.eye
        away = (points[:, :2] + np.array(at)) - eye[:2]
        return np.asarray(eye[:2] + away * (eye[2] / (eye[2] - points[:, 2:])), dtype=np.float64)

    def patch(self, at: tuple[float, float], half: Half, height: float = 0.0) -> Patch:
        """The rectangle around ``at`` in the plane ``height`` mm above the board."""
        columns, rows = (max(int(2 * side), 6) for side in sides(half))
        right, down = (
            (np.arange(side) - (side - 1) / 2).astype(np.float64) for side in (columns, rows)
        )
        (x, y) = at
        ends = np.array([(x, y, height), (x + 10, y, height), (x, y + 10, height)])
        px = self.pose.project(ends)
        ground = self.pose.on_board(px)
        across, up = (px[1] - px[0]) / 10, (px[2] - px[0]) / 10
        grid = px[0] + right[None, :, None] * across - down[:, None, None] * up
        # Averaging over a millimetre keeps the noise of large pictures down.
        image, scale = self.shrunk(float(np.linalg.norm(across)))
        grid = (grid + 0.5) * scale - 0.5
        seen = _sampled(image, floats(grid))
        lower = (ground[1] - ground[0]) / 10, (ground[2] - ground[0]) / 10
        board = ground[0] + right[None, :, None] * lower[0] - down[:, None, None] * lower[1]
        cells = grid_px(self._box, board.reshape(-1, 2)).reshape(rows, columns, 2)
        expected = _sampled(self._expected, floats(cells))
        covered = _sampled(self.hidden, floats(cells))
        mm = np.array([(x, y)])
        tones, from_board = self._told(linear(np.asarray(seen)), floats(expected), mm)
        return Patch(tones, from_board, np.asarray(covered < 128))

    def pixels(self, rows: Indices, columns: Indices) -> tuple[Floats, Floats]:
        """Of pixels of the grid (n): Lab in white light, n × 3, and the distance from the bare
        board, lit or in shade, (n,)."""
        # Single pixels in the dark are mostly noise; a median leaves outlines sharp.
        seen = np.asarray(cv2.medianBlur(self._seen, 3))[rows, columns]
        mm = self._mm(rows, columns)
        return self._told(floats(seen), self._expected[rows, columns], mm)

    def above(self, rows: Indices, columns: Indices, height: float) -> npt.NDArray[np.complex128]:
        """Points ``height`` mm above the board that are seen at pixels of the grid, x + iy mm."""
        eye = self.pose.eye
        x, y = (eye[:2] + (self._mm(rows, columns) - eye[:2]) * (1 - height / eye[2])).T
        return np.asarray(x + 1j * y)

    def _mm(self, rows: Indices, columns: Indices) -> Points:
        across, down = (columns + 0.5) * MM_PER_PX, (rows + 0.5) * MM_PER_PX
        wide, high = self._box.size
        return np.column_stack([across - wide / 2, high / 2 - down])

    def _told(self, seen: Floats, expected: Floats, mm: Points) -> tuple[Floats, Floats]:
        """Lab in white light, and the distance from the bare board, lit or in shade."""
        plain, bare = (self._white_light(light, mm) for light in (seen, expected))
        # All colours in one call: for so few, calls take longer than numbers.
        tones, *shaded = lab(np.stack([plain, *(bare * np.float32(f) for f in SHADES)]))
        return tones, floats(apart(tones, np.stack(shaded)).min(axis=0))

    def _white_light(self, light: Floats, mm: Points) -> Floats:
        bare = self._appearance.unlit(light.reshape(-1, 3), mm)
        return floats(np.clip(bare / self._white, 0, 1.5).reshape(light.shape))

    def shrunk(self, px_per_mm: float) -> tuple[Picture, float]:
        """The picture halved until a millimetre is about a pixel."""
        wanted = max(0, round(math.log2(max(px_per_mm, 1.0))))
        while len(self._levels) <= wanted:
            last = self._levels[-1]
            size = (last.shape[1] // 2, last.shape[0] // 2)
            even = last[: 2 * size[1], : 2 * size[0]]
            self._levels.append(np.asarray(cv2.resize(even, size, interpolation=cv2.INTER_AREA)))
        return self._levels[wanted], 0.5**wanted


def sides(half: Half) -> tuple[float, float]:
    """Half the width and half the height."""
    return half if isinstance(half, tuple) else (half, half)


def _sampled(picture: npt.NDArray[Any], grid: Floats) -> npt.NDArray[Any]:
    """A picture's values at the places of ``grid`` (… × 2 px)."""
    edge = cv2.BORDER_REPLICATE
    return np.asarray(cv2.remap(picture, grid, None, cv2.INTER_LINEAR, borderMode=edge))  # type: ignore[call-overload]
