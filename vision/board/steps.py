"""The steps of a board's drawing in a look: light keeps them, what lies on the board has its own.

What a camera sees of the bare board is what is drawn times the light there, and the light may have
any colour, shape and sharpness, or be added, as by a lamp that is mirrored. From one grid pixel to
the next, its logarithm changes as the drawing does, but for the few edges of light; on a thing it
does not, in whatever colour. So the steps that are seen are fitted by those that are drawn: the
slope is 1 in every light and 0 on a thing, and what the fit leaves tells how sure that is. Grain
that was learnt is drawn as well. Where nothing is drawn, neither can be told.

Edges of white light change all colours alike, and drown what is drawn in them, but no hues; so each
mixture of colours counts by how little else changes in it (generalised least squares).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Bools, Floats, floats, inner, picked
from vision.board.appearance import FULL, Difference
from vision.board.drawing import SOME

SQUARE_PX = 11
"""Side of the square (22 mm) around each grid pixel that tells about it."""
LINE_PX = 7
"""Grid pixels (14 mm) that a drawn line with its edges may be wide."""
LEAST_STEPS, EVERY = 40, 3
"""Steps of which a slope says anything, there are two per grid pixel; and of the open board's, one
of so many is fitted."""
NOISE, LEAST = 0.03, 0.02
"""Noise of a step (natural log) in each colour, however little else changes; and contrast of what
is drawn, all colours together, from which it says anything: light itself changes as much."""
MOST = 2.0
"""Larger steps than this many times the usual are edges of light, of which no more counts."""
USUAL = 0.1
"""Slope on the open board from which its drawing is where it is expected."""
LIGHT, THING = 0.4, 0.3
"""Shares of that slope that light exceeds, and things stay below. On hands it was 0.0 to 0.14, in
the shade of a lamp, where another is mirrored, 0.4 and more."""
SHOWN = 0.15
"""Share of what has the colour of a light that must show the drawing close by, or it may be the rim
of a thing that moves: of hands 0.08 and less, of shades and lamps 0.2 and more."""
SURE, SURELY = 2.0, 3.0
"""Standard errors by which it must be so: of a patch, and of one place among many."""
TOGETHER = 4.0
"""Neighbouring steps share pixels and noise: so many say as much as one that stands alone."""
BRIGHTEST = 4.0
"""Light that is added takes away contrast as it brightens, so steps there count for more by as
much; beyond this factor, nothing is left. In a shade as well, there may be less again."""
GAIN, GAINS = 0.25, 21
"""Colours of light are told apart by so much in each colour of the camera (natural log), in so many
steps."""
NOTHING = np.float32(1e-9)

Spots = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class _Way:
    """The steps of all grid pixels to the next, down or right; flat."""

    by: int
    """Index of the next pixel, less a pixel's own."""
    seen: Floats
    drawn: Floats
    """Natural log, 3 × n, 0 in colours that are too bright."""
    brighter: Floats
    """Light there as a share of the board's usual light, 1 to ``BRIGHTEST``, (n,)."""
    usable: Bools
    """True where both ends can be seen, (n,)."""


@dataclass(frozen=True, eq=False)
class _Sums:
    """Sums over some steps: their number, the squares of the drawn ones, the same as added light
    may leave them, and, in mixtures of colours that change each on its own, of drawn², drawn · seen
    and seen²."""

    count: Floats
    contrast: Floats
    least: Floats
    drawn: Floats
    both: Floats
    seen: Floats

    @property
    def slope(self) -> tuple[Floats, Floats]:
        """Slope of the seen steps by the drawn ones, and its standard error."""
        drawn = np.maximum(self.drawn, NOTHING)
        slope = self.both / drawn
        left = np.maximum(self.seen - slope * self.both, 0) / np.maximum(3 * self.count, 1)
        return floats(slope), floats(np.sqrt(TOGETHER * left / drawn))


class Steps:
    """The steps of the drawing in one look."""

    def __init__(self, difference: Difference, open_: Bools) -> None:
        """``open_``: where nothing but the board shows, height × width."""
        self._difference, self._open = difference, open_

    def show(self, inside: Bools) -> bool | None:
        """True if the steps of the drawing are seen ``inside`` a patch, so that it is light, False
        if others are. None where neither is sure."""
        light, thing = self._told(_whole(self._within(inside)), SURE)
        return True if light[0] else False if thing[0] else None

    def parts(self, alien: Bools) -> tuple[Bools, Bools]:
        """Masks of where something ``alien`` is light, and where a thing: by what shows around, and
        by all that has the same colour as a share of the board's. Where these contradict each
        other, neither is told."""
        light, thing = np.zeros((2, *alien.shape), dtype=np.bool_)
        spots = np.flatnonzero(alien)
        if len(spots) < LEAST_STEPS:
            return light, thing
        maps: Floats = np.zeros((6, *alien.shape), dtype=np.float32)
        # Lines that look as they should do not end a patch: they are its drawing.
        line = np.ones((LINE_PX, LINE_PX), np.uint8)
        wide = np.asarray(cv2.morphologyEx(alien.astype(np.uint8), cv2.MORPH_CLOSE, line)) > 0
        for starts, values in self._within(wide & (alien | self._open)):
            maps.reshape(6, -1)[:, starts] += values
        square = (SQUARE_PX, SQUARE_PX)
        around = picked(floats(np.stack([cv2.blur(each, square) for each in maps])), spots)
        close = self._told(_Sums(*around * SQUARE_PX**2), SURELY)
        each, shows = np.ones_like(around[:1]), floats(close[0])[None]
        *sums, size, shown = self._alike(np.vstack([around, each, shows]), spots)
        alike = self._told(_Sums(*sums), SURE)
        # Only along its rim the board shows through a thing that moves.
        alike[0][shown < SHOWN * size] = False
        for found, mine, other in ((light, 0, 1), (thing, 1, 0)):
            told = (close[mine] | alike[mine]) & ~close[other] & ~alike[other]
            found.ravel()[spots] = told
        return light, thing

    def _alike(self, around: Floats, spots: Spots) -> Floats:
        """Sums over what has about the same colour as each of some ``spots`` (flat indices) of what
        is ``around`` each, sums × n."""
        # Of as large a square: single pixels that are the same share of what is drawn there have
        # its steps by that alone.
        square, shape = (SQUARE_PX, SQUARE_PX), self._open.shape
        logs: Floats = np.zeros((4, *shape), dtype=np.float32)
        seen, drawn = (
            picked(each, spots) + np.float32(SOME)
            for each in (self._difference.seen, self._difference.expected)
        )
        logs.reshape(4, -1)[:, spots] = np.concatenate(
            [np.log(seen / drawn), np.ones_like(seen[:1])]
        )
        gain = np.stack([cv2.blur(each, square).ravel()[spots] for each in logs])
        bins = np.clip(np.rint(gain[:3] / gain[3] / GAIN) + GAINS // 2, 1, GAINS - 2)
        own = ((bins[0] * GAINS + bins[1]) * GAINS + bins[2]).astype(np.intp)
        sums = np.stack([np.bincount(own, each, GAINS**3) for each in around])
        sums = sums.reshape(-1, *(GAINS,) * 3)
        for axis in (1, 2, 3):
            sums = sums + np.roll(sums, 1, axis) + np.roll(sums, -1, axis)
        return floats(sums.reshape(len(around), -1)[:, own])

    def _told(self, sums: _Sums, sure: float) -> tuple[Bools, Bools]:
        """True for those of some sums that are of light, and for those of a thing."""
        enough = (sums.count >= LEAST_STEPS) & (sums.contrast > LEAST**2 * sums.count)
        if not enough.any() or self._usual < USUAL:
            return np.zeros_like(enough), np.zeros_like(enough)
        slope, doubt = sums.slope
        drowned = np.sqrt(np.maximum(sums.least, 0) / np.maximum(sums.contrast, NOTHING))
        light = slope - sure * doubt > LIGHT * self._usual
        thing = np.abs(slope) + sure * doubt < THING * self._usual * drowned
        return np.asarray(enough & light), np.asarray(enough & thing)

    @cached_property
    def _usual(self) -> float:
        """Slope on the open board."""
        sums = _whole(self._within(self._open, EVERY))
        return min(float(sums.slope[0][0]), 1.0) if sums.count[0] >= LEAST_STEPS else 0.0

    def _within(self, inside: Bools, every: int = 1) -> list[tuple[Spots, Floats]]:
        """Of one of so many steps down and right that stay ``inside`` a patch: where they start
        (flat indices), and what ``_Sums`` are of, 6 × n."""
        # Along its rim a pixel is half of what is beside it.
        cross = cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3))
        within = np.asarray(cv2.erode(inside.astype(np.uint8), cross)).ravel() > 0
        spots, ways = np.flatnonzero(within), []
        for way in self._ways:
            some = spots[way.usable[spots]]
            some = some[within[some + way.by]][::every]
            ways.append((way, some, picked(way.seen, some), picked(way.drawn, some)))
        mine, theirs = (np.concatenate([way[n] for way in ways], axis=1) for n in (2, 3))
        slope = float((mine * theirs).sum()) / max(float((theirs**2).sum()), SOME)
        left = (mine - np.float32(slope) * theirs).astype(np.float64)
        scatter = left @ left.T / max(left.shape[1], 1) + NOISE**2 * np.eye(3)
        even = floats(np.linalg.inv(np.linalg.cholesky(scatter)))
        found = []
        for way, some, seen, drawn in ways:
            contrast = inner(drawn, drawn)
            least = contrast / way.brighter[some] ** 2
            seen, drawn = even @ seen, even @ drawn
            products = (inner(drawn, drawn), inner(drawn, seen), inner(seen, seen))
            values = floats(np.stack([np.ones_like(contrast), contrast, least, *products]))
            found.append((some, values))
        return found

    @cached_property
    def _ways(self) -> tuple[_Way, _Way]:
        """All steps down and right."""
        difference = self._difference
        seen, drawn = (each + np.float32(SOME) for each in (difference.seen, difference.expected))
        square = (3, 3)
        light, usual = (cv2.blur(each.sum(axis=0), square) for each in (seen, drawn))
        brighter = floats(np.clip(light / usual, 1, BRIGHTEST))
        # OpenCV's takes a quarter of the time of numpy's.
        logs = [
            np.asarray(cv2.log(each.reshape(3, -1))).reshape(each.shape) for each in (seen, drawn)
        ]
        full = difference.seen > FULL
        height, width = self._open.shape

        def way(start: tuple[slice, slice], end: tuple[slice, slice], by: int) -> _Way:
            told = ~(full[:, *start] | full[:, *end])
            steps: Floats = np.zeros((2, 3, height, width), dtype=np.float32)
            for step, each in zip(steps, logs, strict=True):
                step[:, *start] = (each[:, *end] - each[:, *start]) * told
            more, usable = np.ones_like(brighter), np.zeros_like(self._open)
            more[start] = np.maximum(brighter[start], brighter[end])
            usable[start] = told.any(axis=0) & ~(difference.beside[start] | difference.beside[end])
            limit = MOST * float(np.sqrt(np.square(steps[1]).mean()))
            steps[0] *= more
            np.clip(steps, -limit, limit, out=steps)
            seen, known = steps.reshape(2, 3, -1)
            return _Way(by, seen, known, more.ravel(), usable.ravel())

        return (
            way(np.s_[:-1, :], np.s_[1:, :], width),
            way(np.s_[:, :-1], np.s_[:, 1:], 1),
        )


def _whole(steps: list[tuple[Spots, Floats]]) -> _Sums:
    """The sums over all of some steps, (1,) each."""
    return _Sums(*floats(sum(values.sum(axis=1, keepdims=True) for _, values in steps)))
