"""The drawing of a board in a look: shade keeps it, and whatever lies on the board hides it.

Shade falls off slowly or steps once at its rim; lines, grain and letters change from one grid pixel
to the next. So the brightness at each pixel is compared with that around it, within one patch, seen
against expected: their correlation is as high in the shade as in the light, and none on a sleeve.
How high that is on this table, its own open board tells.
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

from vision.arrays import Bools, Floats, Planes, Points, floats, picked
from vision.board.appearance import FULL, Difference
from vision.board.drawing import SOME
from vision.board.foreign import LEAST_HUES

REACH_PX = 9
"""Side of the square around a grid pixel (18 mm) that is compared with it."""
SHOWS = 0.4
"""Correlation of fine drawing seen and expected on open board from which its lack says anything."""
GRAIN = 0.08
"""Contrast of a board on which nothing but grain is seen; lines have 0.11 and more."""
LOST, KEPT = 0.5, 0.7
"""Shares of that correlation below which it is hidden, and from which it is seen."""
FAINT = 0.5
"""Share of the open board's fine contrast that a patch must be drawn with for its lack to be
seen."""
SOMEWHERE, WINDOW_PX = 0.25, 11
"""Share of a patch in which the drawing must be seen for it to be light; and side of the square (22
mm) around each grid pixel that tells it."""
MOST = 0.5
"""Share of a patch in which the drawing must be seen if its colour is another."""
LEAST_SPOTS = 100
"""Number of grid pixels (400 mm²) of which a correlation says anything."""
BLACK = 0.004
"""Linear light below which a camera's noise hides every drawing."""
DOUBT_PX = 1
"""Grid pixels by which the drawing may be beside its place."""
EDGE = 4.0
"""Most that a pixel may differ from those around it, in deviations of the open board's drawing: the
rim of a shade is steeper than what is drawn, and says nothing of it."""

VEIL, VEIL_PX = 1.15, 3
"""Added light makes every colour brighter than this times what is expected; and the side of the
square (6 mm) within which it counts as even."""
BELOW, BEHIND = 0.5, 0.15
"""Correlation with the drawing in most squares of a veil, and below which a part of it is a thing.
Veils had 0.64 and more, hands and sleeves 0.38 and less."""
SAME_LIGHT = 0.3
"""Light is of one colour where no channel's gain differs by more (natural log)."""
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

    def of_planes(self, planes: Planes) -> Floats:
        """The values of ``planes`` at all spots, 3 × spots."""
        return planes.reshape(3, -1).take(self.spots, axis=1)

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
    weight = open_.take(parts.spots)
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
        moved = np.roll(difference.seen, shift, (1, 2)) if any(shift) else difference.seen
        seen = parts.of_planes(moved) * weight
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

    def shows(self, inside: Bools) -> bool | None:
        """True if the drawing is seen ``inside`` a patch, False if it should be and is not. None
        in between, where little is drawn, and where it is too dark to be seen, or so bright that
        the camera cannot tell."""
        usual, contrast = self.usual
        if usual < SHOWS or np.count_nonzero(inside) < LEAST_SPOTS:
            return None
        light = np.median(self._difference.seen[:, inside], axis=1)
        if float(light.mean()) < BLACK or float(light.max()) > FULL:
            return None
        here, drawn = self._correlation(inside)
        if drawn <= FAINT * contrast or LOST * usual <= here < KEPT * usual:
            return None
        return here >= KEPT * usual

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
            moved = np.roll(expected, (down, right), (0, 1)).take(parts.spots)
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

    def keeping(self, lit: Bools) -> Bools:
        """``lit`` without its patches in which the drawing is lost: sun and shade keep it, in its
        hues even where the light itself is as fine."""
        if not lit.any():
            return lit
        wide = cv2.dilate(lit.astype(np.uint8), np.ones((3, 3), np.uint8))
        count, labels = cv2.connectedComponents(np.asarray(wide, dtype=np.uint8), connectivity=8)
        patches = np.where(lit, labels, 0)
        large = np.flatnonzero(np.bincount(patches.ravel(), minlength=count)[1:] >= LEAST_SPOTS) + 1
        things = [
            number for number in large
            if self.hides(inside := patches == number) and not self._hues_show(inside)
        ]  # fmt: skip
        return lit & ~np.isin(patches, things)

    def _hues_show(self, inside: Bools) -> bool:
        """True if a patch is drawn in several hues and they are seen, however bright they are."""
        planes = (self._difference.seen[:, inside], self._difference.expected[:, inside])
        shares = (each[:2] / np.maximum(each.sum(axis=0), SOME) for each in planes)
        seen, drawn = (each - each.mean(axis=1, keepdims=True) for each in shares)
        both, size = (seen * drawn).sum(), np.sqrt((seen**2).sum() * (drawn**2).sum())
        return bool((drawn**2).sum() > LEAST_HUES**2 * drawn.shape[1] and both > KEPT * size)

    def veils(self, alien: Bools) -> Bools:
        """True for those of the ``alien`` pixels where light is merely added to the board, as by a
        window that is mirrored in it: all colours are brighter, and what is drawn still shows close
        by (``shows_close``)."""
        difference, veils, bright = self._difference, np.zeros_like(alien), np.zeros_like(alien)
        spots = np.flatnonzero(alien)
        seen, expected = picked(difference.seen, spots), picked(difference.expected, spots)
        bright.ravel()[spots] = (seen > VEIL * expected).all(axis=0)
        if np.count_nonzero(bright) < LEAST_SPOTS:
            return veils
        told, alike = self._close(bright)
        wide = cv2.dilate(bright.astype(np.uint8), np.ones((3, 3), np.uint8))
        count, labels = cv2.connectedComponents(np.asarray(wide, dtype=np.uint8), connectivity=8)
        some, behind = _behind(told, alike)
        for number in range(1, count):
            inside = np.asarray(labels == number)
            # Of where nothing is drawn close by, a few lines at its rim tell nothing.
            if _is_alike(alike[inside & told]) and (some[inside] > 0).mean() > MOST:
                veils |= alien & inside & ~behind
        return veils

    def shows_close(self, inside: Bools) -> bool:
        """True if ``inside`` a patch what is drawn differs from what is close beside it as ever,
        in most places: farther off, and in logarithms, edges of light would differ more."""
        told, alike = self._close(inside)
        return _is_alike(alike[told])

    def shows_in_its_light(self, inside: Bools) -> bool | None:
        """True if what is drawn shows in the light of a patch (``shows_close``): all over it, or,
        if too little is drawn there, close beside it where the light is of the same colour. None if
        too little is drawn there as well."""
        within = cv2.erode(inside.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        told, alike = self._close(within)
        if np.count_nonzero(told) >= LEAST_DRAWN:
            return _is_alike(alike[told]) and not (within & _behind(told, alike)[1]).any()
        wide, square = np.ones((2 * WINDOW_PX + 1,) * 2, np.uint8), (VEIL_PX, VEIL_PX)
        near = (cv2.dilate(inside.astype(np.uint8), wide) > 0) & ~self._difference.beside
        part = _around(inside, WINDOW_PX + VEIL_PX)
        for planes in zip(self._difference.seen, self._difference.expected, strict=True):
            seen, expected = (
                cv2.log(cv2.blur(each[part], square) + np.float32(SOME)) for each in planes
            )
            gain = seen - expected
            near[part] &= np.abs(gain - np.median(gain[inside[part]])) < SAME_LIGHT
        told, alike = self._close(near)
        return _is_alike(alike[told]) if np.count_nonzero(told) >= LEAST_DRAWN else None

    def _close(self, where: Bools) -> tuple[Bools, Floats]:
        """A mask of pixels whose squares lie mostly in a patch and show enough of the drawing, and
        the correlation with it there, 0 elsewhere; at the likeliest shift."""
        told, alike = np.zeros_like(where), np.zeros(where.shape, dtype=np.float32)
        if not where.any():
            return told, alike
        part = _around(where, VEIL_PX)
        planes = (self._difference.seen, self._difference.expected)
        seen, expected = (each[(slice(None), *part)] for each in planes)
        squares = _Squares(where[part])
        ones = squares.means(seen)
        size, found = squares.varied(seen, seen, ones, ones), list[tuple[Bools, Floats]]()
        for shift in product(range(-DOUBT_PX, DOUBT_PX + 1), repeat=2):
            moved = np.roll(expected, shift, (1, 2))
            others = squares.means(moved)
            drawn = squares.varied(moved, moved, others, others)
            mostly = squares.where & (squares.share > MOST) & (drawn > self._least)
            both = squares.varied(seen, moved, ones, others)
            found.append(
                (mostly, floats(both / np.sqrt(np.maximum(size * drawn, NOTHING)) * mostly))
            )
        told[part], alike[part] = max(found, key=lambda one: float(one[1].sum()))
        return told, alike

    @cached_property
    def _least(self) -> float:
        """Variance of the drawing within a square that is worth comparing."""
        expected, squares = self._difference.expected, _Squares(self._open)
        means = squares.means(expected)
        drawn = squares.varied(expected, expected, means, means)
        return FAINT**2 * float(drawn[self._open].mean()) if self._open.any() else 0.0

    def hides(self, inside: Bools) -> bool:
        """True if the drawing is lost ``inside`` a patch. Of a board that was never seen, all over
        it: in its shade pieces may lie that were not read."""
        if self.shows(inside) is not False:
            return False
        return self._difference.alike is None or self._showing(inside) < SOMEWHERE

    def _showing(self, inside: Bools) -> float:
        """Share of a patch in which the drawing is seen."""
        weight, square = inside.astype(np.float32), (WINDOW_PX, WINDOW_PX)
        seen, expected = (fine(each, weight) for each in self.logs)
        found, drawn, both = (
            np.asarray(cv2.blur(one * other, square))
            for one, other in ((seen, seen), (expected, expected), (seen, expected))
        )
        usual, contrast = self.usual
        told = inside & (drawn > (FAINT * contrast) ** 2 * cv2.blur(weight, square))
        alike = both[told] > KEPT * usual * np.sqrt(found[told] * drawn[told])
        return float(alike.mean()) if len(alike) else 0.0

    @cached_property
    def usual(self) -> tuple[float, float]:
        """Correlation and contrast on open board."""
        return self._correlation(self._open)

    @cached_property
    def logs(self) -> tuple[Floats, Floats]:
        """Logarithm of the brightness, seen and expected."""
        difference = self._difference
        seen, expected = (
            np.asarray(cv2.log(each.sum(axis=0) + np.float32(SOME)))
            for each in (difference.seen, difference.expected)
        )
        return floats(seen), floats(expected)

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


def _around(where: Bools, margin: int) -> tuple[slice, slice]:
    """The rectangle around what is ``where``, with a ``margin`` in grid pixels."""
    y, x = np.nonzero(where)
    return np.s_[
        max(y.min() - margin, 0) : y.max() + margin + 1,
        max(x.min() - margin, 0) : x.max() + margin + 1,
    ]


def fine(logs: Floats, weight: Floats) -> Floats:
    """Brightness relative to that around within the patch of some ``weight``, 0 elsewhere."""
    square = (REACH_PX, REACH_PX)
    around = cv2.blur(logs * weight, square) / np.maximum(cv2.blur(weight, square), SOME)
    return floats((logs - around) * weight)


class _Squares:
    """Means over the square around each pixel, of what is ``where``."""

    def __init__(self, where: Bools) -> None:
        self.where, self._weight = where, where.astype(np.float32)
        self.share = cv2.blur(self._weight, (VEIL_PX, VEIL_PX))
        self._least = np.maximum(self.share, np.float32(SOME))

    def mean(self, plane: Floats) -> Floats:
        """Mean of one colour."""
        return floats(cv2.blur(plane * self._weight, (VEIL_PX, VEIL_PX)) / self._least)

    def means(self, planes: Planes) -> list[Floats]:
        """Mean of each colour."""
        return [self.mean(plane) for plane in planes]

    def varied(
        self, one: Planes, other: Planes, ones: list[Floats], others: list[Floats]
    ) -> Floats:
        """Sum over the colours of their covariance; ``ones``, ``others``: their means."""
        varied = np.zeros_like(self._weight)
        for a, b, mean_a, mean_b in zip(one, other, ones, others, strict=True):
            varied += self.mean(a * b) - mean_a * mean_b
        return floats(varied)


def _behind(told: Bools, alike: Floats) -> tuple[Floats, Bools]:
    """Share of what is ``told`` in the square around each pixel, and a mask of where hardly any of
    it is ``alike``: a thing lies there."""
    some, around = (cv2.blur(floats(each), (WINDOW_PX, WINDOW_PX)) for each in (told, alike))
    behind = (around < BEHIND * some) & (some * WINDOW_PX**2 > LEAST_DRAWN)
    return floats(some), np.asarray(behind, dtype=np.bool_)


def _is_alike(squares: Floats) -> bool:
    return len(squares) >= LEAST_DRAWN and float(np.median(squares)) > BELOW
