"""Parts of the drawing, found in a picture: where on the board what is drawn really shows.

The flattened board is compared with the drawing tile by tile. Colours, lamp and shade of a tile
are a linear map that is fitted along; what remains tells how far the tile is shifted, and with
which doubt in which direction: a line says nothing about a shift along itself. Whatever lies on
a tile or shades it is not explained by the drawing, and makes it doubtful by itself.

Method: B. Lucas and T. Kanade, "An iterative image registration technique", IJCAI (1981), with the
colours eliminated (variable projection, G. Golub and V. Pereyra 1973).
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from rules.box import Box
from vision.arrays import Bools, Floats, Picture, Planes, Points, floats
from vision.board.drawing import Drawing, within_rim
from vision.board.fitting import Marks
from vision.board.flattening import MM_PER_PX, Flattening
from vision.board.pose import BoardPose
from vision.stickers.reader import RIM

TILE = 20
"""Side of a tile, grid pixels."""
BLURS = (3.0, 1.0)
"""Blur, in grid pixels, while the lens may still be a stranger, and when it is known about."""
FARTHEST = 2.5
"""A shift by more than this many times the blur is beyond what a slope can tell."""
FLOOR_MM = 0.8
"""Least doubt about a tile's place: print and drawing are not the same."""
GRAIN = 8.0
"""Neighbouring pixels err alike: about this many count as one."""
LEAST = 0.02
"""Share of a tile's pixels that must differ from their neighbours for it to show something."""
STRAY = 3.0
"""Shifts that are off by more sigmas than this begin to lose weight: something lies there."""
RIDGE = 1e-4


@dataclass(frozen=True, eq=False)
class _Level:
    """The drawing at one blur, tile by tile: t tiles, n pixels each, k colours and two slopes."""

    blur: float
    basis: Floats
    """t × n × k."""
    across: Floats
    down: Floats
    """Its slopes, t × n × k."""
    solver: Floats
    """Solver from a tile's pixels to the colours that explain them: t × k × n."""


class DrawnMarks:
    """Finds the drawing of one box in pictures."""

    def __init__(self, box: Box, size: tuple[int, int], drawing: Drawing) -> None:
        """``size``: width and height of the flattened board in grid pixels."""
        self._box, self._size = box, size
        self._open = _beside_stickers(box, size)
        self._tiles = _tiles(size)
        planes = _planes(drawing)
        self._levels = [self._level(planes, blur) for blur in BLURS]

    def find(self, image: Picture, pose: BoardPose, fine: bool) -> Marks:
        """The tiles that show what is drawn on them, as far as they do.

        ``pose``: about where the camera is: to within some 15 mm on the board, or a few
        millimetres if ``fine``.
        """
        flat = Flattening.of(self._box, self._size, pose, image).flatten(image)
        level = self._levels[1 if fine else 0]
        # Square roots of light are about as far apart as noise makes them.
        seen = self._cut(_blurred(np.sqrt(flat), level.blur))
        colours = level.solver @ seen
        rest = seen - level.basis @ colours
        slopes = [side @ colours for side in (level.across, level.down)]
        slopes = [slope - level.basis @ (level.solver @ slope) for slope in slopes]
        weight = self._cut(self._open[None])
        g = np.stack(slopes) * weight
        normal = np.einsum("atnc,btnc->tab", g, g)
        pull = np.einsum("atnc,tnc->ta", g, rest)
        shift = -np.linalg.solve(normal + RIDGE * np.eye(2), pull[..., None])[..., 0]
        left = (rest + np.einsum("atnc,ta->tnc", g, shift)) * weight
        spare = 3 * weight[..., 0].sum(axis=1)
        noise = (left**2).sum(axis=(1, 2)) / np.maximum(spare, 1) + 1e-7
        information = normal / (noise * GRAIN * max(level.blur, 1.0) ** 2)[:, None, None]
        # The shift was measured at those places of the tile where the slopes are.
        energy = (g**2).sum(axis=(0, 3)) + 1e-12
        y, x = np.divmod(np.arange(TILE * TILE), TILE)
        at = np.column_stack([
            (energy * x).sum(axis=1) / energy.sum(axis=1) + self._tiles[:, 0],
            (energy * y).sum(axis=1) / energy.sum(axis=1) + self._tiles[:, 1],
        ])  # fmt: skip
        good = (np.linalg.norm(shift, axis=1) < FARTHEST * level.blur) & (spare > 1.5 * TILE**2)
        return self._marks(pose, at, shift, information, good)

    def _marks(
        self, pose: BoardPose, at: Points, shift: Points, information: Points, good: Bools
    ) -> Marks:
        width, height = self._box.size

        def mm(grid: Points) -> Points:
            return np.column_stack([
                (grid[:, 0] + 0.5) * MM_PER_PX - width / 2,
                height / 2 - (grid[:, 1] + 0.5) * MM_PER_PX,
            ])  # fmt: skip

        at, shift, information = at[good], shift[good], np.asarray(information[good], np.float64)
        here = pose.project(mm(at + shift))
        by_grid = np.stack(
            [pose.project(mm(at + shift + step)) - here for step in np.eye(2)], axis=2
        )
        # No place is known better than print and drawing agree.
        floor = (FLOOR_MM / MM_PER_PX) ** 2
        capped = information @ np.linalg.inv(np.eye(2) + floor * information)
        values, axes = np.linalg.eigh((capped + capped.transpose(0, 2, 1)) / 2)
        root = np.sqrt(np.maximum(values, 0))[:, :, None] * axes.transpose(0, 2, 1)
        weight = root @ np.linalg.inv(by_grid)
        board = mm(at)
        return Marks(
            np.column_stack([board, np.zeros(len(board))]), here, weight,
            np.zeros_like(here), np.flatnonzero(good).astype(np.float64),
            np.ones(len(board)), np.full(len(board), STRAY),
        )  # fmt: skip

    def _level(self, planes: Planes, blur: float) -> _Level:
        smooth = _blurred(planes, blur)
        height, width = smooth.shape[1:]
        ramps = np.mgrid[0:height, 0:width].astype(np.float32) / TILE
        flat = np.zeros_like(ramps)
        across = np.stack([np.gradient(plane, axis=1) for plane in smooth])
        down = np.stack([np.gradient(plane, axis=0) for plane in smooth])
        basis = self._cut(np.concatenate([smooth, ramps]))
        basis[:, :, -2:] -= basis[:, :, -2:].mean(axis=1, keepdims=True)
        weight = self._cut(self._open[None])
        weighted = (basis * weight).transpose(0, 2, 1)
        normal = weighted @ basis
        normal += RIDGE * TILE**2 * np.eye(normal.shape[1], dtype=np.float32)
        return _Level(
            blur, basis, self._cut(np.concatenate([across, flat])),
            self._cut(np.concatenate([down, flat])),
            floats(np.linalg.solve(normal, weighted)),
        )  # fmt: skip

    def _cut(self, planes: Planes) -> Floats:
        """Tiles of k planes: t × n × k."""
        cut = [planes[:, y : y + TILE, x : x + TILE] for x, y in self._tiles]
        tiles = np.stack(cut).reshape(len(cut), len(planes), TILE * TILE)
        return floats(tiles.transpose(0, 2, 1))


def _tiles(size: tuple[int, int]) -> Points:
    """Upper left corners of the tiles, t × 2 (x, y) in whole grid pixels."""
    x, y = (np.linspace(0, side - TILE, max(side // TILE, 1)) for side in size)
    return np.stack(np.meshgrid(x, y), axis=2).reshape(-1, 2).astype(int)


def _planes(drawing: Drawing) -> Planes:
    """The planes in which a drawing varies: the shares of its colours, or its picture."""
    if drawing.detail is None:
        return drawing.shares
    lit = np.einsum("kc,khw->chw", drawing.inks, drawing.shares) * drawing.detail
    return floats(np.concatenate([np.sqrt(lit), np.ones((1, *lit.shape[1:]))]))


def _blurred(planes: Planes, blur: float) -> Planes:
    return np.stack([cv2.GaussianBlur(plane, (0, 0), blur) for plane in floats(planes)])


def _beside_stickers(box: Box, size: tuple[int, int]) -> Floats:
    """1 where the drawing shows, 0 beside the board and at corner stickers: height × width."""
    width, height = box.size
    x = (np.arange(size[0]) + 0.5) * MM_PER_PX - width / 2
    y = height / 2 - (np.arange(size[1]) + 0.5) * MM_PER_PX
    free = floats(within_rim(box, x, y[:, None]) > 0)
    for corner in box.corners:
        half = corner.size * RIM / 2 + 2 * MM_PER_PX
        near_x, near_y = np.abs(x - corner.at[0]) < half, np.abs(y - corner.at[1]) < half
        free[np.ix_(near_y, near_x)] = 0
    return free
