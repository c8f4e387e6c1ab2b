"""The board cut out of pictures and seen from straight above, on a grid of millimetres.

The flattened board is kept channel after channel (``Planes``): what is worked out per pixel from
three channels takes numpy ten times as long, or a hundred, when they lie side by side.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from rules.box import Box
from vision.arrays import Floats, Picture, Planes, Points, floats
from vision.board.pose import BoardPose

MM_PER_PX = 2.0
"""Grid of the flattened board; finer shows only noise, coarser loses fingers."""
THINNED_FROM = 2
"""Number of halvings from which every other row is enough: a pixel of the flattened board is then
the mean of 8 pixels or more, and fetching them takes longest."""
LINEAR: Floats = floats((np.arange(256) / 255) ** 2.2)
"""Linear light of a pixel value; cameras' curves differ, and the light on the board takes up the
rest."""


def grid_px(box: Box, mm: Points) -> Points:
    """Grid pixels of board points: n × 2 mm → n × 2."""
    width, height = box.size
    return np.column_stack(
        [(mm[:, 0] + width / 2) / MM_PER_PX - 0.5, (height / 2 - mm[:, 1]) / MM_PER_PX - 0.5]
    )


@dataclass(frozen=True, eq=False)
class Flattening:
    """The mapping that cuts the board out of pictures of one size from one pose."""

    pose: BoardPose
    shape: tuple[int, ...]
    """Of the pictures."""
    part: tuple[slice, slice]
    """The part of them that shows the board; of large pictures every other row."""
    halvings: int
    """Number of times that part is halved in size, to keep the noise down; the rows of large
    pictures once less."""
    grid: Floats
    """Places of the flattened board's pixels in it then, x and y apart, which is quicker: 2 ×
    height × width, px. Of large pictures there are two x, and a pixel is the mean of both: columns
    are as many again as rows, and to halve them takes longer than to look twice."""

    def fits(self, pose: BoardPose, image: Picture) -> bool:
        """True if this is the one for a picture."""
        return self.pose is pose and self.shape == image.shape

    def shows_same(self, box: Box, other: Flattening) -> bool:
        """True if both show the board's points less than half a grid pixel apart."""
        rim = _rim(box)
        off = self.pose.on_board(other.pose.project(rim)) - rim
        return float(np.abs(off).max()) < MM_PER_PX / 2

    @staticmethod
    def of(box: Box, size: tuple[int, int], pose: BoardPose, image: Picture) -> Flattening:
        """``size``: width and height of the flattened board in grid pixels."""
        px = pose.project(_rim(box))
        low = np.maximum(np.floor(px.min(axis=0)) - 8, 0).astype(int)
        high = np.maximum((np.ceil(px.max(axis=0)) + 8).astype(int), low)
        part: tuple[slice, slice] = np.s_[low[1] : high[1], low[0] : high[0]]
        scale, halvings = pose.px_per_mm() * MM_PER_PX, 0
        least = min(image[part].shape[:2])
        while scale >= 2.8 and least >= 4:
            scale, least, halvings = scale / 2, least // 2, halvings + 1
        first, shrunk, beside = np.array([0.5, 0.5]), np.full(2, 2.0**halvings), [0.0]
        if halvings >= THINNED_FROM:
            part, first = np.s_[low[1] : high[1] : 2, low[0] : high[0]], np.array([0.5, 1.0])
            shrunk, beside = np.array([0.5, 1.0]) * shrunk, [-0.5, 0.5]
        # Pixels of the grid are projected at a few knots only; between them the map is smooth.
        knots = 25
        x = np.linspace(0.5 * MM_PER_PX, box.size[0] - 0.5 * MM_PER_PX, knots)
        y = np.linspace(0.5 * MM_PER_PX, box.size[1] - 0.5 * MM_PER_PX, knots)
        mm_x, mm_y = np.meshgrid(x - box.size[0] / 2, box.size[1] / 2 - y)
        px = pose.project(np.column_stack([mm_x.ravel(), mm_y.ravel()]))
        px = (px - low + first) / shrunk - 0.5
        u = np.linspace(0, knots - 1, size[0], dtype=np.float32)
        v = np.linspace(0, knots - 1, size[1], dtype=np.float32)
        grid = cv2.remap(floats(px.reshape(knots, knots, 2)), *np.meshgrid(u, v), cv2.INTER_LINEAR)
        across, down = cv2.split(floats(grid))
        places = np.stack([*(across + np.float32(aside) for aside in beside), down])
        return Flattening(pose, image.shape, part, halvings, places)

    def flatten(self, image: Picture) -> Planes:
        """The board in linear light, 0 to 1; black if it is out of sight."""
        small = image[self.part]
        if small.size == 0:
            return np.zeros((3, *self.grid.shape[1:]), dtype=np.float32)
        # Averaging is the one shrinking that keeps the noise down and costs little.
        thinned = self.part[0].step == 2
        for _ in range(self.halvings - thinned):
            tall, wide = small.shape[0] // 2, small.shape[1] // 2
            even = small[: 2 * tall, : 2 * wide]
            small = np.asarray(cv2.resize(even, (wide, tall), interpolation=cv2.INTER_AREA))
        *columns, y = self.grid
        # OpenCV fetches four channels at once, and three one by one.
        four = cv2.cvtColor(small, cv2.COLOR_BGR2BGRA)
        flat, *beside = (
            cv2.remap(four, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            for x in columns
        )
        for other in beside:
            flat = cv2.addWeighted(flat, 0.5, other, 0.5, 0)
        planes = np.concatenate(cv2.split(flat)[:3])
        return floats(cv2.LUT(planes, LINEAR)).reshape(3, *self.grid.shape[1:])


def _rim(box: Box) -> Points:
    x = np.linspace(-box.size[0] / 2, box.size[0] / 2, 9)
    y = np.linspace(-box.size[1] / 2, box.size[1] / 2, 9)
    return np.concatenate([
        np.column_stack([x, np.full(9, y[0])]), np.column_stack([x, np.full(9, y[-1])]),
        np.column_stack([np.full(9, x[0]), y]), np.column_stack([np.full(9, x[-1]), y]),
    ])  # fmt: skip
