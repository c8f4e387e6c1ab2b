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

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from rules.box import Box, PieceKind
from vision.arrays import Bools, Mask, Points, floats
from vision.board.appearance import Difference
from vision.board.flattening import MM_PER_PX, grid_px

__all__ = ["Caster", "Lamp", "Shadows"]

DARK = 0.5
"""Shade leaves less than this share of the expected light in every channel: half of the light
comes from the hard lamp, else its shadows are soft and show the board."""
STEP_MM = 4.0
"""Shadows are followed in steps of this length from the middle of the foot."""
ANGLES = 64
LOWEST, HIGHEST = 0.15, 2.5
"""Length of a shadow per height of its piece: of a lamp that stands at 80 and at 22 degrees. A
steeper one casts none that could be seen, below a lower one nobody plays."""
LENGTHS = 16
NEAREST_MM = 400.0
"""A lamp hangs no lower than this: people play below it."""
DISTANCES = 4
MISSED, BEYOND = 2.0, 0.5
"""Cost of a predicted step that is bright, and of a dark one behind the shadow's end, against the
gain of 1 for one that is dark: other things may be dark too, but no shade is bright."""
LEAST_STEPS = 3
"""Number of dark steps, less what speaks against them, that make a lamp: a megalith's shadow has
them, a crumb at its foot has not."""
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
    """Where the hard light comes from."""

    a: tuple[float, float]
    """How far a shadow reaches in the middle of the board, mm per mm of height."""
    b: float
    """How much farther per mm from there."""

    def shadow(self, caster: Caster) -> Points:
        """Corners of the board that a piece shades, its own foot included: n × 2 mm."""
        turn = np.linspace(0, 2 * np.pi, 12, endpoint=False)
        foot = np.array(caster.at_mm) + caster.half_mm * np.column_stack(
            [np.cos(turn), np.sin(turn)]
        )
        return np.concatenate([foot, foot + (np.array(self.a) + self.b * foot) * caster.height_mm])


class Shadows:
    """Knows the hard lamp above one table, once it was found."""

    def __init__(self, box: Box) -> None:
        self._box = box
        self.forget()

    def forget(self) -> None:
        """Forget the lamp."""
        self.lamp: Lamp | None = None

    def cast(
        self, difference: Difference, alien: Bools, hidden: Mask, casters: Sequence[Caster]
    ) -> Bools:
        """Where shade explains what is ``alien``, height × width.

        ``hidden``: 255 where pieces lie. ``casters``: all that were read.
        """
        dark = alien & _dark(difference)
        if not casters or np.count_nonzero(dark) * MM_PER_PX < LEAST_STEPS * STEP_MM:
            return np.zeros_like(alien)
        votes = _Votes(self._box, dark, hidden == 0, casters)
        found, gain = votes.best()
        # A lamp stays where it is: another place must be clearly better.
        if self.lamp is None or gain > votes.of(self.lamp) + LEAST_STEPS:
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


class _Votes:
    """What every direction and length of shadow would explain."""

    def __init__(self, box: Box, dark: Bools, open_: Bools, casters: Sequence[Caster]) -> None:
        self._at = np.array([caster.at_mm for caster in casters])
        self._half = np.array([caster.half_mm for caster in casters])
        self._high = np.array([caster.height_mm for caster in casters])
        reach = float((self._high * HIGHEST + self._half).max()) + 2 * STEP_MM
        # A lamp nearby throws longer shadows at the board's far side.
        far = np.arange(1, int(reach * 1.5 / STEP_MM) + 2) * STEP_MM
        turn = np.arange(ANGLES) * (2 * np.pi / ANGLES)
        way = np.column_stack([np.cos(turn), np.sin(turn)])
        mm = self._at[:, None, None] + far[None, None, :, None] * way[None, :, None]
        px = np.round(grid_px(box, mm.reshape(-1, 2))).astype(int)
        rows, columns = dark.shape
        on = (px >= 0).all(axis=1) & (px[:, 0] < columns) & (px[:, 1] < rows)
        spot = np.where(on, px[:, 1] * columns + px[:, 0], 0)
        shape = mm.shape[:3]
        seen = (on & open_.ravel()[spot]).reshape(shape)
        black = seen & dark.ravel()[spot].reshape(shape)
        within = np.where(black, 1.0, np.where(seen, -MISSED, 0.0)).cumsum(axis=2)
        self._within = np.concatenate([np.zeros((*shape[:2], 1)), within], axis=2)
        self._black = np.pad(black.astype(np.float64), ((0, 0), (0, 0), (0, 3)))

    def best(self) -> tuple[Lamp, float]:
        """The lamp that explains most, and how many steps that is."""
        lengths = np.geomspace(LOWEST, HIGHEST, LENGTHS)
        turn = np.arange(ANGLES) * (2 * np.pi / ANGLES)
        length, angle, b = (
            each.ravel()
            for each in np.meshgrid(
                lengths, turn, np.arange(DISTANCES) / (DISTANCES - 1) / NEAREST_MM, indexing="ij"
            )
        )
        a = length[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
        gain = self._gain(a, b)
        first = int(gain.argmax())
        return Lamp((float(a[first, 0]), float(a[first, 1])), float(b[first])), float(gain[first])

    def of(self, lamp: Lamp) -> float:
        """How many steps a lamp explains."""
        return float(self._gain(np.array([lamp.a]), np.array([lamp.b]))[0])

    def _gain(self, a: Points, b: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Of lamps (n × 2, n) the number of steps explained, less what speaks against it, (n,)."""
        shift = (a[:, None] + b[:, None, None] * self._at[None]) * self._high[None, :, None]
        length = np.hypot(shift[..., 0], shift[..., 1])
        turn = np.arctan2(shift[..., 1], shift[..., 0]) * (ANGLES / (2 * np.pi))
        number = np.round(turn).astype(int) % ANGLES
        steps = np.floor((length + self._half) / STEP_MM).astype(int)
        last = self._within.shape[2] - 1
        steps = np.minimum(steps, last)
        which = np.broadcast_to(np.arange(len(self._high)), number.shape)
        # Within the rim it may be either.
        behind = np.minimum(steps + 2, self._black.shape[2] - 1)
        beyond = BEYOND * self._black[which, number, behind]
        return np.asarray((self._within[which, number, steps] - beyond).sum(axis=1))


def _dark(difference: Difference) -> Bools:
    """Where no channel has its share of the light."""
    lit = difference.seen > DARK * difference.expected
    return np.asarray(~lit.any(axis=0))
