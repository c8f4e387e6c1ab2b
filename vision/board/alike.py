"""The drawing of a board of one's own that was never seen bare, from the places that are free.

Places of one kind are drawn alike: where lines cross at all that are free, they cross at every one.
So what is drawn at a place is the mean of what all of its kind show, each relative to the light
around it, though never what only a few of them can tell.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from rules.box import Box
from vision.arrays import Bools, Floats, Mask, floats
from vision.board.appearance import Difference
from vision.board.detail import Detail, Parts, fine
from vision.board.drawing import SOME
from vision.board.flattening import MM_PER_PX, grid_px
from vision.board.masks import STRIP_MM, Masks

ENOUGH = 30
"""Least number of free places that tell what is drawn: of fewer, what each shows by chance counts
too much."""
MOST = 0.7
"""Most that a pixel may differ from those around it (natural log): what differs by more is no
drawing, but something that lies there."""
LINE_PX = 3
"""Grid pixels that a drawn line is not as wide as."""
PHASES = (1, 2)
"""Places that share a mean, per grid pixel: the second where enough are free; lines are thin."""
BASE = 1 << 12
"""More than there are of such places in any direction."""
CLEARLY = 0.25
"""Share of the open board's correlation below which a drawing that is so known is hidden."""
BESIDE_PX = 4
"""Grid pixels (8 mm) by which a lens that was never learnt may move it."""
MOST_GONE = 0.3
"""Share of the places without their drawing from which a board of doubtful place lies elsewhere."""
COLOURED, MOST_NEW = 0.25, 0.8
"""Share of a place that may look foreign, and that must be known from others, for its drawing to be
missed."""


class Alike:
    """The places of one box that are drawn alike."""

    def __init__(self, box: Box, size: tuple[int, int]) -> None:
        """``size``: width and height of the flattened board in grid pixels."""
        width, height = size
        x, y = np.meshgrid(np.arange(width), np.arange(height))
        nearest: Floats = np.full((height, width), np.inf, dtype=np.float32)
        shape = (len(PHASES), height, width)
        keys: npt.NDArray[np.int64] = np.full(shape, -1, dtype=np.int64)
        kinds: dict[object, int] = {}
        for site in box.sites.values():
            sides = site.size or (2 * site.radius, 2 * site.radius)
            form = (tuple(map(round, sides)), site.size is None, site.colour)
            kind = kinds.setdefault(form, len(kinds))
            (u, v), reach = grid_px(box, np.array([site.at]))[0], max(sides) / 2 + STRIP_MM
            far = reach / MM_PER_PX
            part = np.s_[max(int(v - far), 0) : int(v + far) + 2,
                         max(int(u - far), 0) : int(u + far) + 2]  # fmt: skip
            aside, below = x[part] - u, y[part] - v
            away = floats(np.hypot(aside, below))
            here = away < np.minimum(nearest[part], far)
            nearest[part][here] = away[here]
            for level, phase in enumerate(PHASES):
                at = [np.floor(each[here] * phase + 0.5).astype(np.int64) + BASE // 2
                      for each in (aside, below)]  # fmt: skip
                keys[level][part][here] = (kind * BASE + at[0]) * BASE + at[1]
        self._numbers = [self._numbered(level) for level in keys]
        """Of what is drawn at each pixel, the same where places of a kind show the same; the
        coarse and the fine. 0 where nothing is told."""

    @staticmethod
    def _numbered(keys: npt.NDArray[np.int64]) -> npt.NDArray[np.intp]:
        _, number = np.unique(keys, return_inverse=True)
        return np.asarray(number.reshape(keys.shape) + (keys.min() >= 0), dtype=np.intp)

    def told(self, difference: Difference, alien: Bools, hidden: Mask) -> Difference:
        """``difference`` with what is drawn where the board was never seen.

        ``alien``: where it looks foreign, as lines do. ``hidden``: 255 where pieces lie.
        """
        new = (self._numbers[0] > 0) & ~difference.known
        if not new.any():
            return difference
        seen, expected = (
            floats(cv2.log(each.sum(axis=0) + np.float32(SOME)))
            for each in (difference.seen, difference.expected)
        )
        speck = np.ones((LINE_PX, LINE_PX), np.uint8)
        thing = cv2.morphologyEx(alien.astype(np.uint8), cv2.MORPH_OPEN, speck)
        open_ = (hidden == 0) & (np.asarray(thing) == 0)
        shown = np.clip(fine(floats(seen - expected), floats(open_)), -MOST, MOST)
        lines, enough = np.zeros_like(shown), np.zeros_like(new)
        for number in self._numbers:
            told = open_ & (number > 0)
            count = np.bincount(number[told], minlength=int(number.max()) + 1)
            total = np.bincount(number[told], shown[told], len(count))
            some = (count >= ENOUGH)[number]
            mean = floats(total / np.maximum(count, 1))
            lines, enough = np.where(some, mean[number], lines), enough | some
        new &= enough
        if not new.any():
            return difference
        lines = np.exp(floats(np.where(new, lines, 0)))
        return replace(difference, expected=difference.expected * lines, alike=new)


def lost_alike(
    detail: Detail, alien: Bools, masks: Masks, sites: Iterable[str], open_: Bools, doubtful: bool
) -> set[str]:
    """The ``sites`` never seen that do not show what is drawn at places alike, though nothing there
    is of another colour, which pieces are.

    ``detail``: by what ``Alike.told`` told. ``alien``: where something foreign shows. ``open_``:
    flat, where the board may show. ``doubtful``: with a corner hidden the board may lie elsewhere,
    unless most places show what is drawn there.
    """
    around, other, new = masks.surroundings, alien.ravel(), detail.alike.ravel()
    plain = [
        site for site in sites
        if other[around[site]].mean() < COLOURED and new[around[site]].mean() > MOST_NEW
    ]  # fmt: skip
    gone = detail.lost(Parts.of(around, plain), open_, CLEARLY)
    if gone:
        gone = detail.lost(Parts.of(around, sorted(gone)), open_, beside_px=BESIDE_PX)
    return set() if doubtful and len(gone) > MOST_GONE * len(plain) else gone
