"""Cast shadows: where a hard lamp stands, and what of the board the shade of pieces hides.

Below one hard lamp a tall piece throws a shadow so black that nothing of the board shows in it. The
pieces that were read tell where from: their shadows begin at their feet, and for a lamp at ``eye``
the shadow of a point at height h above the board point p ends at

    p + (a + b p) h        a = -(x, y) / z, b = 1 / z        (h small against z)

so that three numbers predict every shadow on the table; b = 0 is the sun. They are found by a
search over what is dark beside the pieces (a Hough transform whose votes are shadows; P. Hough,
1962). A dark thing beside one piece is no shade if the other pieces have none on that side.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from rules.box import Box, PieceKind
from vision.arrays import Bools, Mask, Points, floats, picked
from vision.board.appearance import Difference
from vision.board.flattening import MM_PER_PX, grid_px

DARK = 0.5
"""Shade leaves less than this share of the expected light in every channel: half of the light
comes from the hard lamp, else its shadows are soft and show the board."""
STEP_MM = 4.0
"""Shadows are followed in steps of this length from the middle of the foot."""
ANGLES = 64
LOWEST, HIGHEST = 0.15, 2.5
"""Length of a shadow per height of its piece: of a lamp that stands at 80 and at 22 degrees. A
steeper one casts none that could be seen, a lower one is no light to play by."""
LENGTHS = 16
NEAREST_MM = 400.0
"""A lamp hangs no lower than this: people play below it."""
DISTANCES = 4
MISSED, BEYOND = 2.0, 0.5
"""Cost of a predicted step that is bright, and of a dark one behind the shadow's end, against the
gain of 1 for one that is dark: other things may be dark too, but no shade is bright."""
LEAST_STEPS = 2
"""Number of dark steps, less what speaks against them, that make a lamp: below a steep lamp often
one megalith alone shows some of its shadow; crumbs at its foot are smaller."""
SAYS_DARK = np.float32(1)
"""Vote of a dark step; a step that cannot be seen has none."""
RIM_MM = 5.0
"""Penumbra and doubt about feet and heights around a shadow."""


@dataclass(frozen=True, slots=True, eq=False)
class Caster:
    """A piece that throws a shadow."""

    at_mm: tuple[float, float]
    """Middle of its foot."""
    half_mm: float
    """Half its width."""
    height_mm: float

    @staticmethod
    def of(kind: PieceKind, at_mm: tuple[float, float], height_mm: float) -> Caster:
        """A piece of ``kind`` whose top is ``height_mm`` above the board."""
        return Caster(at_mm, max(kind.size) / 2, height_mm)


@dataclass(frozen=True, slots=True)
class Lamp:
    """A hard light, by the shadows that it casts."""

    a: tuple[float, float]
    """Reach of a shadow in the middle of the board, mm per mm of height."""
    b: float
    """Growth of that reach per mm from there."""

    def shadow(self, caster: Caster) -> Points:
        """Corners of the board that a piece shades, its own foot included: n × 2 mm."""
        turn = np.linspace(0, 2 * np.pi, 12, endpoint=False)
        foot = np.array(caster.at_mm) + caster.half_mm * np.column_stack(
            [np.cos(turn), np.sin(turn)]
        )
        return np.concatenate([foot, foot + (np.array(self.a) + self.b * foot) * caster.height_mm])

    def may_shade(self, kinds: Iterable[PieceKind], mm: Points) -> bool:
        """True if a piece of some kind, wherever it stands, may throw a shadow that reaches over
        all these points (n × 2 mm)."""
        fall = np.array(self.a) + self.b * mm.mean(axis=0)
        length = float(np.hypot(*fall))
        along = mm @ fall / length
        across = mm @ np.array([-fall[1], fall[0]]) / length
        long, wide = (float(np.ptp(each)) - 2 * RIM_MM for each in (along, across))
        return any(
            wide <= max(kind.size) and long <= max(kind.size) + length * kind.height
            for kind in kinds
        )


class Shadows:
    """Knows the hard lamp above one table, once it was found."""

    def __init__(self, box: Box) -> None:
        self._box = box
        self.forget()

    def forget(self) -> None:
        """Forget the lamp."""
        self.lamp: Lamp | None = None

    def cast(
        self, difference: Difference, alien: Bools, hidden: Mask, pieces: Iterable[Caster]
    ) -> Bools:
        """True where shade explains what is ``alien``, height × width.

        ``hidden``: 255 where pieces lie. ``pieces``: all that were read.
        """
        dark = _dark(difference, alien)
        if np.count_nonzero(dark) * MM_PER_PX < LEAST_STEPS * STEP_MM:
            return np.zeros_like(alien)
        open_, casters = hidden == 0, list(pieces)
        if not casters or (self.lamp is None and not (dark & open_).any()):
            return np.zeros_like(alien)
        votes = _Votes(self._box, dark, open_, casters)
        if self.lamp is None:
            found, gain = votes.best(LEAST_STEPS)
            self.lamp = found
        else:
            # A lamp stays where it is: another place must be clearly better.
            better = votes.of(self.lamp) + LEAST_STEPS
            found, gain = votes.best(better)
            if gain > better:
                self.lamp = found if gain >= LEAST_STEPS else None
        if self.lamp is None:
            return np.zeros_like(alien)
        return dark & self._predicted(self.lamp, casters)

    def _predicted(self, lamp: Lamp, casters: Sequence[Caster]) -> Bools:
        height, width = round(self._box.size[1] / MM_PER_PX), round(self._box.size[0] / MM_PER_PX)
        mask: Mask = np.zeros((height, width), dtype=np.uint8)
        for caster in casters:
            px = floats(grid_px(self._box, lamp.shadow(caster)))
            hull = np.round(cv2.convexHull(px)).astype(np.int32)
            cv2.fillConvexPoly(mask, hull, 1)
            cv2.polylines(mask, [hull], True, 1, 2 * round(RIM_MM / MM_PER_PX))
        return mask > 0


def unlit(difference: Difference, spots: npt.NDArray[np.intp]) -> Bools:
    """True for grid pixels (flat indices, n) where no channel has its share of the light, (n,)."""
    lit = picked(difference.seen, spots) > DARK * picked(difference.expected, spots)
    return np.asarray(~lit.any(axis=0), dtype=np.bool_)


class _Votes:
    """Dark steps that each direction and length of shadow would explain."""

    def __init__(self, box: Box, dark: Bools, open_: Bools, casters: Sequence[Caster]) -> None:
        self._at = np.array([caster.at_mm for caster in casters])
        self._half = np.array([caster.half_mm for caster in casters])
        self._high = np.array([caster.height_mm for caster in casters])
        reach = float((self._high * HIGHEST + self._half).max()) + 2 * STEP_MM
        # A lamp nearby throws longer shadows at the board's far side.
        away = _steps(int(reach * 1.5 / STEP_MM) + 1)
        rows, columns = dark.shape
        # A rim around the grid stands for all that is beyond it.
        told = np.zeros((rows + 2, columns + 2), dtype=np.float32)
        told[1:-1, 1:-1] = open_ * np.where(dark, SAYS_DARK, -MISSED)
        foot = grid_px(box, self._at)[:, None]
        x, y = (np.rint(foot[..., axis] + away[axis][:, None]).astype(np.intp) for axis in (0, 1))
        np.clip(x, -1, columns, out=x)
        np.clip(y, -1, rows, out=y)
        seen = told.take((y + 1) * (columns + 2) + x + 1)
        # Steps come first, so that all ways are summed up side by side. Votes are whole numbers,
        # which float32 adds up without error.
        count, *ways = seen.shape
        self._within = np.zeros((count + 1, *ways), dtype=np.float32)
        np.cumsum(seen, axis=0, out=self._within[1:])
        self._black = np.zeros((count + 3, *ways), dtype=np.bool_)
        np.equal(seen, SAYS_DARK, out=self._black[:count])
        self._most = self._within.max(axis=(0, 2))

    def best(self, least: float) -> tuple[Lamp | None, float]:
        """The lamp that explains most, and how many steps that is; None below ``least`` steps."""
        # Most tables have nothing dark beside their pieces.
        if float(self._most.sum()) < least:
            return None, -np.inf
        a, b = _lamps()
        if least > 0:
            # A piece beside which nothing is dark can only speak against a lamp.
            for_it = np.flatnonzero(self._most > 0)
            kept = self._gain(a, b, for_it) >= least
            if not kept.any():
                return None, -np.inf
            a, b = a[kept], b[kept]
        gain = self._gain(a, b)
        first = int(gain.argmax())
        if gain[first] < least:
            return None, -np.inf
        return Lamp((float(a[first, 0]), float(a[first, 1])), float(b[first])), float(gain[first])

    def of(self, lamp: Lamp) -> float:
        """Number of steps that a lamp explains."""
        return float(self._gain(np.array([lamp.a]), np.array([lamp.b]))[0])

    def _gain(
        self, a: Points, b: npt.NDArray[np.float64], which: npt.NDArray[np.intp] | None = None
    ) -> npt.NDArray[np.float32]:
        """Of lamps (n × 2, n) the number of steps explained, less what speaks against it, (n,);
        ``which``: by these casters alone."""
        if which is None:
            which = np.arange(len(self._high))
        at, high = self._at[which], self._high[which]
        shift = [(a[:, axis, None] + b[:, None] * at[:, axis]) * high for axis in (0, 1)]
        length = np.hypot(*shift)
        turn = np.arctan2(shift[1], shift[0]) * (ANGLES / (2 * np.pi))
        number = np.rint(turn).astype(np.intp) % ANGLES
        steps = np.floor((length + self._half[which]) / STEP_MM).astype(np.intp)
        last = len(self._within) - 1
        steps = np.minimum(steps, last)
        # Within the rim it may be either.
        behind = np.minimum(steps + 2, len(self._black) - 1)
        beyond = np.float32(BEYOND) * self._black[behind, which, number]
        return np.asarray((self._within[steps, which, number] - beyond).sum(axis=1))


@cache
def _steps(count: int) -> tuple[Points, Points]:
    """Steps in all directions from a foot, right and down, in grid pixels: two of steps ×
    ANGLES."""
    far = np.arange(1, count + 1)[:, None] * (STEP_MM / MM_PER_PX)
    turn = np.arange(ANGLES) * (2 * np.pi / ANGLES)
    return np.asarray(far * np.cos(turn)), np.asarray(-far * np.sin(turn))


@cache
def _lamps() -> tuple[Points, npt.NDArray[np.float64]]:
    """All lamps that are tried: ``Lamp.a`` and ``Lamp.b``, n × 2 and n."""
    lengths = np.geomspace(LOWEST, HIGHEST, LENGTHS)
    turn = np.arange(ANGLES) * (2 * np.pi / ANGLES)
    length, angle, b = (
        each.ravel()
        for each in np.meshgrid(
            lengths, turn, np.arange(DISTANCES) / (DISTANCES - 1) / NEAREST_MM, indexing="ij"
        )
    )
    return length[:, None] * np.column_stack([np.cos(angle), np.sin(angle)]), b


def _dark(difference: Difference, alien: Bools) -> Bools:
    """True where, of what is ``alien``, no channel has its share of the light."""
    spots = np.flatnonzero(alien)
    dark = np.zeros_like(alien)
    dark.ravel()[spots] = unlit(difference, spots)
    return dark
