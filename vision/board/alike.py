"""The drawing of a board of one's own that was never seen bare, from the places that are free.

Places of one kind are drawn alike: where lines cross at all that are free, they cross at every one.
So what is drawn at a place is the mean of what all of its kind show, each relative to the light
around it, though never what only a few of them can tell.

Fields are of one kind if they have one colour, which shows beside the pieces, and if the kinds
follow a pattern, as the squares of a chequer: what lies there follows none.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import reduce

import cv2
import numpy as np
import numpy.typing as npt

from rules.box import Box
from vision.arrays import Bools, Floats, Mask, Planes, Points, floats, points
from vision.board.appearance import Difference
from vision.board.detail import NOTHING, Detail, Parts, fine
from vision.board.drawing import SOME, Fields, within_rim
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

BESIDE = 0.71
"""Reach of a field, per distance of the nearest other: half the diagonal of a square."""
LEAST_BESIDE = 8
"""Grid pixels beside a piece that tell the colour of its field; of fewer, all of the field does."""
OTHER = 0.35
"""Difference of logarithms of light from which colours are of two kinds."""
UNLIKE = 2.0
"""Fields a step apart are of two kinds if they differ by so many times what the most alike do."""
FEWEST, MOST_KINDS = 8, 4
"""Least number of fields of a kind, and most of kinds: of fewer fields a head over a small board
would be a pattern."""
FAR = 2.9
"""Reach of a pattern, distances of neighbours."""
STRIP_PX, EVEN, HUE, BRIGHT = 2, 0.6, 0.25, 0.7
"""Width of the strips around all fields that are each of one colour, grid pixels, least share of
one that has it, and how much that may differ in hue and brightness, logarithms."""


EVENEST, ROUGHER = 0.25, 1.6
"""Share of the fields of a kind that are bare, and how many times more uneven than those another
may be to be bare, too: of 200 with men on them, shaded and lit as only bodies are, the least had
1.8, while 19 of 20 bare ones have less."""
KNOWN = 0.5
"""Share of a field that was seen before from which it needs no comparison."""
LEAST_ALIKE = 4
"""Least number of even fields of a kind that tell how the bare ones look."""
ODD = 6.0
"""A field is of another colour than the even ones of its kind that is farther from most of them by
this many times their median distance."""


class Cells:
    """The fields of one box, for all of which pieces of it leave something in view."""

    def __init__(self, box: Box, size: tuple[int, int]) -> None:
        """``size``: width and height of the flattened board in grid pixels."""
        width, height = size
        sites = [site for site in box.sites.values() if box.is_on_board(site.at)]
        self._at: Points = points([site.at for site in sites]).reshape(-1, 2)
        away = np.linalg.norm(self._at[:, None] - self._at, axis=2)
        np.fill_diagonal(away, np.inf)
        self._near = away.min(axis=1, initial=np.inf)
        x, y = np.meshgrid(np.arange(width), np.arange(height))
        nearest: Floats = np.full((height, width), np.inf, dtype=np.float32)
        self._cell: npt.NDArray[np.intp] = np.full((height, width), -1, dtype=np.intp)
        """Number of the field at each grid pixel, or -1."""
        for number, (u, v) in enumerate(grid_px(box, self._at)):
            far = BESIDE * min(self._near[number], max(box.size)) / MM_PER_PX
            part = np.s_[max(int(v - far), 0) : int(v + far) + 2,
                         max(int(u - far), 0) : int(u + far) + 2]  # fmt: skip
            off = floats(np.hypot(x[part] - u, y[part] - v))
            here = off < np.minimum(nearest[part], far)
            nearest[part][here], self._cell[part][here] = off[here], number
        # A field reaches as far on one side as on the other.
        for number, (u, v) in enumerate(grid_px(box, self._at)):
            rows, columns = np.nonzero(self._cell == number)
            over = np.round(np.stack([2 * v - rows, 2 * u - columns])).astype(np.intp)
            over = np.clip(over, 0, np.array([[height - 1], [width - 1]]))
            lone = self._cell[tuple(over)] != number
            self._cell[rows[lone], columns[lone]] = -1
        across = (x + 0.5) * MM_PER_PX - box.size[0] / 2
        down = box.size[1] / 2 - (y + 0.5) * MM_PER_PX
        on_board: Bools = np.asarray(within_rim(box, across, down) > 0, dtype=np.bool_)
        reach = [max((max(kind.size) for kind in box.kinds_at(site.id)), default=0.0)
                 for site in sites]  # fmt: skip
        self._beside: list[npt.NDArray[np.intp]] = []
        for number, wide in enumerate(reach):
            own = np.flatnonzero(self._cell == number)
            own = own[on_board.ravel()[own]]
            free = own[nearest.ravel()[own] * MM_PER_PX > wide / 2]
            self._beside.append(free if len(free) >= LEAST_BESIDE else own)
        self._apart: Bools = self._cell < 0
        for spots in self._beside:
            self._apart.ravel()[spots] = True
        columns, rows = x[self._cell >= 0], y[self._cell >= 0]
        sides = np.broadcast_arrays(
            columns.min(initial=width) - x, x - columns.max(initial=-1),
            rows.min(initial=height) - y, y - rows.max(initial=-1),
        )  # fmt: skip
        beyond = np.stack(sides).max(axis=0)
        outer = on_board & (beyond > 0)
        strip = (beyond - 1) // STRIP_PX * len(sides) + np.stack(sides).argmax(axis=0) + 1
        self._strip = np.where(outer, strip, 0)
        """Number of the strip along a side of all fields at each grid pixel, 0 between them."""
        self._steps = self._repeats()

    def _repeats(self) -> list[npt.NDArray[np.intp]]:
        """Steps by which a pattern of fields may repeat itself: fields, and those a step away,
        2 × n each."""
        usual = float(np.median(self._near)) if len(self._at) > 1 else 0.0
        if not 0 < usual < np.inf:
            return []
        steps = np.round(2 * (self._at - self._at[:, None]) / usual).astype(np.intp)
        pairs: dict[tuple[int, ...], list[tuple[int, int]]] = {}
        for one, other in np.argwhere(np.hypot(*np.moveaxis(steps, 2, 0)) < 2 * FAR):
            way = tuple(steps[one, other].tolist())
            if way > (0, 0):
                pairs.setdefault(way, []).append((int(one), int(other)))
        return [np.array(each).T for each in pairs.values() if len(each) >= FEWEST]

    def shown(self, flat: Planes, open_: Bools) -> Fields | None:
        """The fields of a flattened board, linear light; None if they are of one colour.

        ``open_``: where it may show, height × width.
        """
        light = floats(cv2.log(flat.reshape(3, -1) + np.float32(SOME)))
        seen = open_.ravel()
        tones = np.full((len(self._at), 3), np.nan)
        for number, spots in enumerate(self._beside):
            some = spots[seen[spots]]
            if len(some) >= LEAST_BESIDE:
                tones[number] = np.median(light[:, some], axis=1)
        kinds = self._kinds(tones)
        count = int(kinds.max(initial=0)) + 1
        # Around fields of one kind may lie the table.
        if count == 1 or len(np.unique(kinds[~np.isnan(tones[:, 0])])) < count:
            return None
        colours = [np.nanmedian(tones[kinds == kind], axis=0) for kind in range(count)]
        labels = np.where(self._cell >= 0, kinds[np.maximum(self._cell, 0)], 0)
        for strip in range(1, int(self._strip.max()) + 1):
            spots = np.flatnonzero((self._strip == strip).ravel() & seen)
            if len(spots) < LEAST_BESIDE:
                continue
            here = light[:, spots].T
            tone = np.median(here, axis=0)
            off = here - tone
            bright = off.mean(axis=1)
            even = np.linalg.norm(off - bright[:, None], axis=1) < HUE
            if (even & (np.abs(bright) < BRIGHT)).mean() < EVEN:
                continue
            away = [float(np.linalg.norm(tone - colour)) for colour in colours]
            if min(away) > OTHER:
                colours.append(tone)
            labels[self._strip == strip] = int(np.argmin([*away, OTHER]))
        return Fields(
            labels.astype(np.uint8), floats(np.exp(np.array(colours)) - SOME), self._apart
        )

    def _kinds(self, tones: Points) -> npt.NDArray[np.intp]:
        """Kinds of the fields by their colours (n × 3, logarithms), the commonest 0."""
        one: npt.NDArray[np.intp] = np.zeros(len(tones), dtype=np.intp)
        told = ~np.isnan(tones[:, 0])
        steps = [pair[:, told[pair].all(axis=0)] for pair in self._steps]
        steps = [pair for pair in steps if pair.shape[1] >= FEWEST]
        off = [float(np.median(np.linalg.norm(tones[one] - tones[other], axis=1)))
               for one, other in steps]  # fmt: skip
        # A lamp makes neighbours unlike, too, but all of them.
        limit = max(OTHER, UNLIKE * min(off, default=0.0))
        if not max(off, default=0.0) > limit:
            return one
        kinds = np.arange(len(tones))
        for pair, far in zip(steps, off, strict=True):
            for first, other in pair.T if far <= limit else ():
                kinds[kinds == kinds[other]] = kinds[first]
        _, kinds, counts = np.unique(kinds, return_inverse=True, return_counts=True)
        if counts.min() < FEWEST or len(counts) > MOST_KINDS:
            return one
        return np.asarray(np.argsort(np.argsort(-counts))[kinds], dtype=np.intp)


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


def odd_fields(difference: Difference, parts: Parts, open_: Bools) -> Bools:
    """True for fields told by their colours alone that are less even than the evenest of their
    kind, or of another colour: a body in the field's own colour has a rim, shade and gleam, and
    shows nothing else.

    ``open_``: at the spots of the ``parts``, where nothing that was read lies.
    """
    fields = difference.fields
    if fields is None or not parts.sites:
        return np.zeros(len(parts.sites), dtype=np.bool_)
    sizes = parts.sizes.astype(np.intp)

    def without(values: Floats, way: Floats) -> Floats:
        share = parts.totals(values * way) / np.maximum(parts.totals(way**2), NOTHING)
        return floats(values - np.repeat(share, sizes, axis=-1) * way)

    count = np.maximum(parts.totals(open_), 1)
    light = floats(np.log(parts.of_planes(difference.seen) + SOME)) * open_
    expected = np.log(parts.of_planes(difference.expected) + SOME) * open_
    tones = parts.totals(light - expected) / count
    # A slope of the light is no body.
    down, right = np.divmod(parts.spots, fields.labels.shape[1])
    ways: list[Floats] = []
    for way in (np.ones_like(down), down, right):
        way = reduce(without, ways, floats(way * open_))
        light = without(light, way)
        ways.append(way)
    rough = np.sqrt(parts.totals((light**2).sum(axis=0)) / count)
    middles = (np.array(parts.starts) + parts.sizes / 2).astype(np.intp)
    kinds = fields.labels.ravel()[parts.spots[middles]]
    bare = np.zeros(len(rough), dtype=np.bool_)
    for kind in np.unique(kinds):
        of_kind = np.flatnonzero(kinds == kind)
        even = of_kind[rough[of_kind] <= ROUGHER * np.quantile(rough[of_kind], EVENEST)]
        if len(even) >= LEAST_ALIKE:
            off = tones[:, even] - np.median(tones[:, even], axis=1, keepdims=True)
            far = np.linalg.norm(off, axis=0)
            bare[even[far <= ODD * np.median(far)]] = True
    new = parts.totals(difference.known.ravel()[parts.spots]) < KNOWN * parts.sizes
    return np.asarray(new & ~bare, dtype=np.bool_)
