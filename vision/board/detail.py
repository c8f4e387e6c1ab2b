"""The drawing of a board in a look: light keeps it (``steps``), and whatever lies there hides it.

Of a site that looks like plain board the brightness at each pixel is compared with that around it,
seen against expected: their correlation is as high in the shade as in the light, and none on a
sleeve in the board's own colour. How high that is on this table, its own open board tells.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Bools, Floats, Points, floats
from vision.board.appearance import FULL, Difference
from vision.board.drawing import SOME
from vision.board.steps import Steps

REACH_PX = 9
"""Side of the square around a grid pixel (18 mm) that is compared with it."""
SHOWS = 0.4
"""Correlation of fine drawing seen and expected on open board from which its lack says anything."""
GRAIN = 0.08
"""Contrast of a board on which nothing but grain is seen; lines have 0.11 and more."""
LOST = 0.5
"""Share of that correlation below which it is hidden."""
FAINT = 0.5
"""Share of the open board's fine contrast that a patch must be drawn with for its lack to be
seen."""
SOMEWHERE = 0.25
"""Share of what tells anything in a patch that must show the drawing for it to be light."""
LEAST_SPOTS = 100
"""Number of grid pixels (400 mm²) of which a correlation says anything."""
BLACK = 0.004
"""Linear light below which a camera's noise hides every drawing."""
DOUBT_PX = 1
"""Grid pixels by which the drawing may be beside its place."""
EDGE = 4.0
"""Most that a pixel may differ from those around it, in deviations of the open board's drawing: the
rim of a shade is steeper than what is drawn, and says nothing of it."""

LEAST_CONTRAST = 0.15
"""A part of the board has a drawing if its colours differ by this share of their mean."""
LEAST_DRAWN = 20
"""Number of open grid pixels (80 mm²) needed to tell whether a drawing shows: of fewer, grain alone
correlates with it now and then."""
PLAIN = 0.5
"""Share of the contrast of a drawing from which it may be there, if beside its place."""
NOTHING = 1e-12
"""Divisor where there is nothing, of which the share is none."""
DRAWN = 0.4
"""Share of a part that must be open for its drawing to be missed. Chosen, not measured."""


@dataclass(frozen=True, eq=False)
class Parts:
    """Some sites of the flattened board, one after another; their figures take one call."""

    sites: tuple[str, ...]
    spots: npt.NDArray[np.intp]
    """Flat indices of all their grid pixels."""
    starts: tuple[int, ...]
    """Index in ``spots`` at which each begins."""

    @cached_property
    def sizes(self) -> Points:
        """Number of grid pixels of each, (n,)."""
        return np.diff([*self.starts, len(self.spots)]).astype(np.float64)

    @staticmethod
    def of(places: Mapping[str, npt.NDArray[np.intp]], sites: Iterable[str]) -> Parts:
        """The parts of those ``sites`` that have pixels in ``places``."""
        known = tuple(site for site in sites if len(places.get(site, ())))
        if not known:
            return Parts((), np.empty(0, dtype=np.intp), ())
        spots = [places[site] for site in known]
        starts = np.cumsum([0, *map(len, spots[:-1])])
        return Parts(known, np.concatenate(spots), tuple(starts.tolist()))

    def of_planes(self, planes: Floats, shift: tuple[int, int] = (0, 0)) -> Floats:
        """The values of ``planes`` (k × height × width) at all spots, k × spots, if they are moved
        by a ``shift``, grid pixels down and right."""
        away = shift[0] * planes.shape[-1] + shift[1]
        there = self.spots - away
        return floats(planes.reshape(len(planes), -1).take(there, axis=1, mode="wrap"))

    def totals(self, values: npt.NDArray[Any]) -> Points:
        """Sums over each site of ``values`` at all spots: … × spots → … × sites."""
        if not self.sites:
            return np.zeros((*values.shape[:-1], 0))
        return np.asarray(np.add.reduceat(values, self.starts, axis=-1, dtype=np.float64))


def visibility(difference: Difference, parts: Parts, open_: Bools) -> Points:
    """Visibility of the drawing in several places: correlation of seen and expected colours, (n,).
    Shade and glare leave it high, things that hide it make it vanish. NaN where nothing much is
    drawn, or most of it is out of view.

    ``open_``: flat, which part of the board counts.
    """
    return np.asarray(visibilities(difference, parts, open_, ((0, 0),))[0], dtype=np.float64)


def visibilities(
    difference: Difference, parts: Parts, open_: Bools, shifts: Sequence[tuple[int, int]]
) -> Points:
    """The ``visibility`` if what is seen is moved by each of some ``shifts`` (grid pixels down and
    right): shifts × n."""
    weight = floats(open_.take(parts.spots))
    expected = parts.of_planes(difference.expected) * weight
    count = parts.totals(weight)
    some = np.maximum(count, 1)
    drawn = parts.totals(expected)
    squares = parts.totals(np.einsum("kn,kn->n", expected, expected))
    contrast = squares - (drawn**2).sum(axis=0) / some
    faint = contrast < LEAST_CONTRAST**2 * squares
    narrow = count < np.maximum(DRAWN * parts.sizes, LEAST_DRAWN)
    every = []
    for shift in shifts:
        seen = parts.of_planes(difference.seen, shift) * weight
        shown = parts.totals(seen)
        found = parts.totals(np.einsum("kn,kn->n", seen, seen)) - (shown**2).sum(axis=0) / some
        both = parts.totals(np.einsum("kn,kn->n", expected, seen))
        both -= (drawn * shown).sum(axis=0) / some
        alike = both / np.sqrt(np.maximum(contrast * found, NOTHING))
        every.append(np.where(faint | narrow, np.nan, alike))
    return np.asarray(every, dtype=np.float64)


def plain(difference: Difference, parts: Parts, open_: Bools) -> Bools:
    """True for parts that show hardly any of the contrast with which they are drawn."""
    weight = open_.take(parts.spots)
    count = np.maximum(parts.totals(weight), 1)
    contrasts = []
    for planes in (difference.seen, difference.expected):
        light = parts.of_planes(planes).sum(axis=0) * weight
        mean = parts.totals(light) / count
        square = parts.totals(light**2) / count - mean**2
        contrasts.append(np.sqrt(np.maximum(square, 0)) / np.maximum(mean, NOTHING))
    return np.asarray(contrasts[0] < PLAIN * contrasts[1])


class Detail:
    """The fine drawing in one look."""

    def __init__(self, difference: Difference, open_: Bools) -> None:
        """``open_``: where nothing but the board shows, height × width."""
        self._difference = difference
        known = difference.alike
        self.alike: Bools = np.zeros_like(open_) if known is None else known
        """True where the drawing is known from places alike only."""
        self._open = open_ if known is None else open_ & difference.told
        self.steps = Steps(difference, self._open)
        """The drawing from one grid pixel to the next."""

    def lost(
        self, parts: Parts, open_: Bools, most: float = LOST, beside_px: int = DOUBT_PX
    ) -> set[str]:
        """The ``parts`` whose drawing should be seen and is not, by lines too thin to matter for
        their colours. ``open_``: flat, which part of the board counts. ``most``: share of the open
        board's correlation below which it is hidden. ``beside_px``: how far beside its place it may
        be, in grid pixels."""
        if not parts.sites or (usual := self.usual)[0] < SHOWS:
            return set()
        weight = open_.reshape(self._open.shape).astype(np.float32)
        seen, expected = (fine(each, weight) for each in self.logs)
        limit = EDGE * usual[1]
        here = np.clip(seen, -limit, limit).take(parts.spots)
        count = parts.totals(weight.take(parts.spots))
        drawn = np.sqrt(parts.totals(expected.take(parts.spots) ** 2) / np.maximum(count, 1))
        size, best = parts.totals(here**2), np.zeros(len(parts.sites))
        for down, right in product(range(-beside_px, beside_px + 1), repeat=2):
            (moved,) = parts.of_planes(expected[None], (down, right))
            scale = np.sqrt(size * parts.totals(moved**2))
            best = np.maximum(best, parts.totals(here * moved) / np.maximum(scale, SOME))
        light = parts.totals(self._difference.seen.mean(axis=0).take(parts.spots))
        light /= parts.sizes
        lost = (best < most * usual[0]) & (drawn > FAINT * usual[1]) & (light > BLACK)
        lost &= (count >= LEAST_SPOTS) & (light < FULL)
        return {site for site, one in zip(parts.sites, lost, strict=True) if one}

    @property
    def misplaced(self) -> bool:
        """True if the open board has fine drawing, but not where it is expected."""
        alike, contrast = self.usual
        return alike < SHOWS and contrast > GRAIN

    def light(self, alien: Bools, lit: Bools) -> tuple[Bools, Bools]:
        """Masks of where something ``alien`` is but light, and where a thing: light has the
        drawing's steps, or it is ``lit`` by its hue and no others are seen in its patch."""
        light, thing = self.steps.parts(alien)
        left = lit & ~light & ~thing
        if not left.any():
            return light, thing
        wide = cv2.dilate(left.astype(np.uint8), np.ones((3, 3), np.uint8))
        count, labels = cv2.connectedComponents(np.asarray(wide, dtype=np.uint8), connectivity=8)
        patches = np.where(lit, labels, 0)
        sizes = np.bincount(patches[lit], minlength=count)
        sizes[0] = 0
        things = [n for n in np.flatnonzero(sizes >= LEAST_SPOTS) if self.hides(patches == n)]
        return light | (left & ~np.isin(patches, things) if things else left), thing

    def hides(self, inside: Bools) -> bool:
        """True if the drawing is lost ``inside`` a patch. Of a board that was never seen, all over
        it: in its shade pieces may lie that were not read."""
        if self.steps.show(inside) is not False:
            return False
        if self._difference.alike is None:
            return True
        light, thing = (int(np.count_nonzero(each)) for each in self.steps.parts(inside))
        return light < SOMEWHERE * (light + thing)

    @cached_property
    def usual(self) -> tuple[float, float]:
        """Correlation and contrast on open board."""
        return self._correlation(self._open)

    @cached_property
    def logs(self) -> tuple[Floats, Floats]:
        """Logarithm of the brightness, seen and expected."""
        seen, expected = (np.asarray(cv2.log(each)) for each in self._brightness)
        return floats(seen), floats(expected)

    @property
    def gain(self) -> Floats:
        """Logarithm of the brightness as a share of what is expected."""
        seen, expected = self._brightness
        return floats(cv2.log(seen / expected))

    @property
    def _brightness(self) -> tuple[Floats, Floats]:
        seen, expected = (
            each.sum(axis=0) + np.float32(SOME)
            for each in (self._difference.seen, self._difference.expected)
        )
        return seen, expected

    def _correlation(self, inside: Bools) -> tuple[float, float]:
        """Correlation of the fine drawing seen and expected, at the likeliest shift, and its
        expected contrast (root mean square of logarithms)."""
        y, x = np.nonzero(inside)
        if len(y) < LEAST_SPOTS:
            return 0.0, 0.0
        part = np.s_[y.min() : y.max() + 1, x.min() : x.max() + 1]
        weight = inside[part].astype(np.float32)
        seen, expected = (fine(each[part], weight) for each in self.logs)
        contrast = float(np.sqrt((expected**2).sum() / len(y)))
        seen = floats(np.clip(seen, -EDGE * contrast, EDGE * contrast))
        best, size = 0.0, float((seen**2).sum())
        for down, right in product(range(-DOUBT_PX, DOUBT_PX + 1), repeat=2):
            moved = np.roll(expected, (down, right), (0, 1)) * weight
            scale = np.sqrt(size * float((moved**2).sum()))
            best = max(best, float((seen * moved).sum()) / float(max(scale, SOME)))
        return best, contrast


def fine(logs: Floats, weight: Floats) -> Floats:
    """Brightness relative to that around within the patch of some ``weight``, 0 elsewhere."""
    square = (REACH_PX, REACH_PX)
    around = cv2.blur(logs * weight, square) / np.maximum(cv2.blur(weight, square), SOME)
    return floats((logs - around) * weight)
