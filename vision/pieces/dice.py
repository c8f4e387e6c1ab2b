"""Pips on the upper faces of ordinary dice, wherever they lie and however they are turned.

A face is a parallelogram near a square, of one colour, with pips of another on some of nine places,
three by three. Pips are dark or light spots of the right size. Four that are two diagonals with one
middle propose a face and tell its edges, however near its rows are; two propose the diagonal of a
square, one alone an ace, turned as its edges are. What is part of a proposed face with more pips is
none. Each of the nine places must clearly show a pip or clearly the body, without other spots. Then
evidence is weighed, in sides on which the face ends in a straight line or, where its rim is round,
on a circle: each further pip that is in its place counts for it, where few other spots lie around;
pale pips, a marbled body (but for shades towards its sides) and ends too near count against it. So
an ace needs almost all its ends, while a five may go over into other dice. Leaning and half hidden
dice stay unread.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Bools, Floats, Picture, Points, floats

SIDE_PX = 36
"""Side of a face in the picture that is looked at; others are enlarged or shrunk to it."""
LEAST_PX = 18.0
"""Side below which nothing is read."""
WIDEST_PIP = 0.34
"""Width in sides below which a spot may be a pip."""
PIP_RADIUS = 0.07
"""Radius in sides over which a spot is averaged, less than that of a pip."""
LEAST_SPOT = 22.0
"""Grey levels by which a pip differs from the body."""
CORNER = (0.15, 0.36)
"""Distance in sides of a corner pip from the middle lines."""
SQUARE, NARROW = 0.78, 0.42
"""Width of a face, and of the two rows of some sixes, compared with its length."""
LONGEST = 0.56
"""Distance in sides from a middle within which two in line with four pips make a six."""
SKEW, TWISTED = 0.22, 0.06
"""Cosine of the angle of two edges; distance in sides of the middles of two diagonals."""
CLOSE, MERGED = 0.2, 0.75
"""Distance in sides of places below which pips blur into each other, and share of a pip's strength
up to which a place between them shows the body."""
CONTRAST, ODD = 0.2, 0.5
"""The same as a share of its light."""
VACANT, OCCUPIED = 0.4, 0.6
"""Share of a pip's strength up to which a place shows the body, and from which it shows a pip."""
STRANGER = 0.5
"""The same, from which a spot elsewhere on the face is one too many."""
STRIPE = 0.93
"""The same, from which a place between two pips is no gap: both are parts of a stripe."""
AROUND_PIP = 0.17
"""Radius in sides of a ring around a pip that shows the body."""
ROAM = (0.06, 0.03)
"""Distance in sides of a pip from its place, and of the body between pips."""
FILL, EVEN, GLOSS = (0.6, 0.85), 0.17, 0.3
"""Share of a face without its pips that is of one colour, within a share of its light or of the
strength of a pip: of a marbled one and of a plain one."""
SHADE = 0.25
"""Share of its light by which a face may be lighter or darker towards its sides."""
WEIGHT, PATTERN = 2.8, 0.5
"""Evidence that a face needs, counted in sides that show its end, and what each further pip that is
in its place counts, as far as four."""
CLUTTER, SMALL = 0.15, 6.0
"""Evidence lost by each other spot near a face, and by a face that is a side too small."""
MARBLED, FAINT, PALE = 4.0, 6.0, 0.45
"""Evidence lost by a face that wholly lacks one plain colour, or pips as clear as usual, and the
share of its light, with ``DARK`` more, by which a pip is clear."""
ALONG, BEYOND = np.linspace(-0.31, 0.31, 11), np.arange(0.31, 0.65, 0.03)
"""In sides from the middle: lines across an end, and steps on them."""
BODY = 3
"""Steps on a line that still show the body before its end."""
SLOPES = np.array([-0.1, 0.0, 0.1])
"""Of an end, compared with the edge of a square."""
CORE = 0.3
"""Distance in sides from the middle lines within which all is body but for pips."""
UNSEEN, INSET, WIDE = 0.46, 0.06, (0.86, 1.22)
"""In sides: where a face may end that shows no end, its rounded rim, its least and most width."""
STEP, DARK = 0.2, 40.0
"""Change of light that is a clear end, as a share of the light and a number of grey levels."""
ARC, ROUND, RIM = 0.5, 2.0, 2.0
"""Radians of a round end to either side of its middle, what stands for a slope there, and steps by
which it may be nearer or farther than on other sides."""
STRAIGHT = (0.5, 0.9)
"""Share of the lines up to which an end that they do not share is none, and from which it is."""
ACE = 0.3
"""Radius in sides of a ring around the only pip that shows the body."""
TURNS = 18
"""Turns that are tried for an ace."""

_Proposal: TypeAlias = tuple[Points, Points, Points, int, float]
"""Middle of a face, directions of its edges, its pips (n × 2 px), value, strength of a pip."""

_OUT = np.array([(1, 0), (-1, 0), (0, 1), (0, -1)], dtype=np.float64)
_ALONG = abs(_OUT[:, ::-1])
_GRID = np.stack(np.meshgrid(*[np.linspace(-0.42, 0.42, 15)] * 2), axis=-1).reshape(-1, 2)
_HALVES = np.array([(side > 0.1) & (side < 0.37) for side in _OUT @ _GRID.T])
"""Points of a face, n × 2 sides from its middle, and those towards each side, 4 × n."""
_PLACES = np.array([(x, y) for y in (-1, 0, 1) for x in (-1, 0, 1)], dtype=np.float64)
_FURTHER = np.array([
    *((x, y) for x in (-3, 3) for y in (-1, 1)), *((x, y) for y in (-3, 3) for x in (-1, 1))
], dtype=np.float64)  # fmt: skip
"""Places of two pips each beyond a four, on either side along one edge, then along the other."""
_FACES = {
    1: ((4,),),
    2: ((0, 8), (2, 6)),
    3: ((0, 4, 8), (2, 4, 6)),
    4: ((0, 2, 6, 8),),
    5: ((0, 2, 4, 6, 8),),
    6: ((0, 2, 3, 5, 6, 8), (0, 1, 2, 6, 7, 8)),
}
"""By value: the places that have pips, by rows."""
_VALUE = np.zeros(512, dtype=np.intp)
"""By set of places that have pips, a bit each: the value; 0 if there is none."""
for _value, _ways in _FACES.items():
    for _way in _ways:
        _VALUE[sum(1 << _place for _place in _way)] = _value


@dataclass(frozen=True, slots=True)
class Face:
    """An upper face that was read."""

    at: tuple[float, float]
    """Its middle, px."""
    value: int
    turn: float
    """Turn of its edges, radians, 0 to π/2."""
    colour: tuple[float, float, float]
    """Median blue, green and red of the body."""
    weight: float
    """Weight of the evidence, in sides that show their end."""


@dataclass(frozen=True, slots=True)
class Faces:
    """All signs of dice in a picture."""

    read: tuple[Face, ...]
    spots: Points
    """Middles of all spots that may be pips, of read faces and others, n × 2 px."""


def faces(picture: Picture, side_px: float, light_pips: bool = False) -> Faces:
    """The faces with a side of ``side_px`` in a picture that shows them from above."""
    if side_px < LEAST_PX:
        return Faces((), np.empty((0, 2)))
    scale = SIDE_PX / side_px
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=way)
    table = _Table(floats(small), light_pips)
    read = tuple(replace(face, at=_back(face.at, scale)) for face in table.faces())
    return Faces(read, (table.spots + 0.5) / scale - 0.5)


def _back(at: tuple[float, float], scale: float) -> tuple[float, float]:
    return ((at[0] + 0.5) / scale - 0.5, (at[1] + 0.5) / scale - 0.5)


class _Table:
    """A picture in which a face has a side of ``SIDE_PX``."""

    def __init__(self, picture: Floats, light_pips: bool) -> None:
        self._seen = floats(cv2.GaussianBlur(picture, (0, 0), 0.8))
        dark = np.asarray(255 - self._seen if light_pips else self._seen, dtype=np.uint8)
        wide = round(WIDEST_PIP * SIDE_PX) | 1
        kernel = cv2.getStructuringElement(cv2.MORPH_RECT, (wide, wide))
        closed = cv2.morphologyEx(dark, cv2.MORPH_CLOSE, kernel)
        strength = cv2.transform(floats(cv2.subtract(closed, dark)), np.full((1, 3), 1 / 3))
        self._strength = floats(cv2.filter2D(strength, -1, _disc(PIP_RADIUS * SIDE_PX)))
        self._find_spots()
        peaks = np.zeros_like(self._strength)
        x, y = self._all.astype(int).T
        peaks[y, x] = self._all_strengths
        self._near, self._here = (
            floats(cv2.dilate(some, np.ones((2 * round(reach * SIDE_PX) + 1,) * 2)))
            for some, reach in zip((peaks, self._strength), ROAM, strict=True)
        )

    def _find_spots(self) -> None:
        size = 2 * round(0.08 * SIDE_PX) + 1
        highest = cv2.dilate(self._strength, np.ones((size, size), np.uint8))
        y, x = np.nonzero((self._strength >= highest) & (self._strength > STRANGER * LEAST_SPOT))
        self._all, self._all_strengths = (
            np.column_stack([x, y]).astype(np.float64),
            self._strength[y, x],
        )
        strong = self._all_strengths > LEAST_SPOT
        spots, strengths = self._all[strong], self._all_strengths[strong]
        even = self._even_around(spots, AROUND_PIP, 8, strengths)
        self.spots, self._alone = spots[even > 0.6], strengths[even > 0.6]
        # Near the end of a face, rings reach beyond it.
        self._spots, self._strengths = spots[even > 0.35], strengths[even > 0.35]
        self._like_pips = strong.copy()
        self._like_pips[strong] = even > 0.35

    def _even_around(self, spots: Points, radius: float, number: int, strengths: Floats) -> Points:
        """Share of a ring around each spot, ``radius`` in sides, that is of one colour: n."""
        turns = 2 * np.pi * np.arange(number) / number
        ring = radius * SIDE_PX * np.column_stack([np.cos(turns), np.sin(turns)])
        seen = _at(self._seen, (spots[:, None] + ring).reshape(-1, 2)).reshape(-1, number, 3)
        body = np.median(seen, axis=1)
        light = body.max(axis=1)
        off = np.abs(seen - body[:, None]).max(axis=2)
        even = off < np.minimum(EVEN * light + 4, ODD * strengths)[:, None]
        return np.asarray(even.mean(axis=1) * (strengths > CONTRAST * light))

    def faces(self) -> list[Face]:
        """The faces read, without those that others contradict."""
        every = (self._judged(*each) for each in (*self._whole(), *self._aces()))
        proposed = sorted((face for face in every if face), key=lambda face: -face.weight)
        kept: list[Face] = []
        for face in proposed:
            if all(np.hypot(*np.subtract(face.at, other.at)) > 0.6 * SIDE_PX for other in kept):
                kept.append(face)
        return kept

    def _whole(self) -> Iterator[_Proposal]:
        """Faces that are no part of a proposed one, which explains more pips."""
        proposed = [*self._lattices()]
        spots = [frozenset(_nearest(pips, self._spots).tolist()) for _, _, pips, _, _ in proposed]
        having = defaultdict(set)
        for some in set(spots):
            for spot in some:
                having[spot].add(some)
        for each, some in zip(proposed, spots, strict=True):
            if not any(some < others for others in having[next(iter(some))]):
                yield each

    def _lattices(self) -> Iterator[_Proposal]:
        """Faces of which two spots are opposite corners, or four all corners."""
        least, most = (float(np.hypot(step, step)) for step in CORNER)
        a, b = _near(self._spots, 2 * most * SIDE_PX)
        half = (self._spots[b] - self._spots[a]) / 2
        weak, strong = (
            way(self._strengths[a], self._strengths[b]) for way in (np.minimum, np.maximum)
        )
        like = (weak > OCCUPIED * strong) & (np.hypot(*half.T) > least * SIDE_PX)
        a, b, half, weak, strong = a[like], b[like], half[like], weak[like], strong[like]
        middle, strength = (self._spots[a] + self._spots[b]) / 2, (weak + strong) / 2
        # Faces with a single diagonal are taken for squares.
        across = half[:, ::-1] * (-1, 1)
        steps = np.stack([half + across, half - across], axis=1) / 2
        yield from self._patterned(middle, steps, strength, (2, 3))
        i, j = _near(middle, TWISTED * SIDE_PX)
        steps = np.stack([half[i] + half[j], half[i] - half[j]], axis=1) / 2
        long = np.hypot(steps[..., 0], steps[..., 1])
        steps = np.where((long[:, :1] < long[:, 1:])[..., None], steps[:, ::-1], steps)
        long = np.sort(long, axis=1) / SIDE_PX
        slant = abs((steps[:, 0] * steps[:, 1]).sum(axis=1)) / SIDE_PX**2
        fits = (long[:, 1] > CORNER[0]) & (long[:, 1] < CORNER[1])
        fits &= (long[:, 0] > NARROW * long[:, 1]) & (slant < SKEW * long.prod(axis=1))
        i, j, steps = i[fits], j[fits], steps[fits]
        middle, strength = (middle[i] + middle[j]) / 2, (strength[i] + strength[j]) / 2
        yield from self._patterned(middle, steps, strength, (4, 5, 6))

    def _aces(self) -> Iterator[_Proposal]:
        """Faces with a single spot, as all around it is of one colour."""
        spots, strengths = self.spots, self._alone
        a, b = _near(spots, 0.5 * SIDE_PX)
        clear = np.ones(len(spots), dtype=np.bool_)
        for one, other in ((a, b), (b, a)):
            clear[one[strengths[other] > STRANGER * strengths[one]]] = False
        spots, strengths = spots[clear], strengths[clear]
        even = self._even_around(spots, ACE, 16, strengths) > 0.5
        spots, strengths = spots[even], strengths[even]
        if not len(spots):
            return
        turned = _turned(np.pi / 2 * np.arange(TURNS) / TURNS)
        best_turns = self._sharp(spots[:, None], turned).argmax(axis=1)
        for spot, strength, best in zip(spots, strengths, best_turns, strict=True):
            yield spot, turned[best], spot[None], 1, float(strength)

    def _patterned(
        self, middle: Points, steps: Points, strength: Points, values: tuple[int, ...]
    ) -> Iterator[_Proposal]:
        """Of n proposals those whose nine places show the pips of a face.

        ``steps``: from the middle to the next place along either edge, the longer first, n × 2 × 2.
        """
        if not len(middle):
            return
        places = middle[:, None] + _PLACES @ steps
        near, here = (
            _at(shown, places.reshape(-1, 2)).reshape(-1, 9) / strength[:, None]
            for shown in (self._near, self._here)
        )
        long = np.hypot(steps[..., 0], steps[..., 1])
        # Pips this close blur into each other.
        close = long[:, 1] < CLOSE * SIDE_PX
        vacant = np.where(close, MERGED, VACANT)[:, None]
        full = near > OCCUPIED
        clear = np.all(full | (here < vacant), axis=1)
        value = np.where(clear, _VALUE[full @ (1 << np.arange(9))], 0)
        square = long[:, 1] > SQUARE * long[:, 0]
        value[~square & (value != 6)] = 0
        fours = np.flatnonzero(value == 4)
        further = middle[fours, None] + _FURTHER @ steps[fours]
        weaker = _at(self._near, further.reshape(-1, 2)).reshape(-1, 2, 2, 2).min(axis=3)
        on = weaker.max(axis=2) > OCCUPIED * strength[fours, None]
        value[fours[np.any(on & (3 * long[fours] < LONGEST * SIDE_PX), axis=1)]] = 0
        turned = steps / long[..., None]
        for n in np.flatnonzero(np.isin(value, values)):
            yield middle[n], turned[n], places[n][full[n]], int(value[n]), float(strength[n])

    def _judged(
        self, middle: Points, turned: Points, pips: Points, value: int, strength: float
    ) -> Face | None:
        """The face that is proposed, if it is one."""
        flat = np.linalg.inv(turned) / SIDE_PX
        x, y = (self._all - middle).T
        near = np.flatnonzero((abs(x) < 0.6 * SIDE_PX) & (abs(y) < 0.6 * SIDE_PX))
        near = near[self._all_strengths[near] > STRANGER * strength]
        away = (self._all[near] - middle) @ flat
        apart = np.abs(away[:, None] - (pips - middle) @ flat).max(axis=2)
        strange, far = apart.min(axis=1) > 0.1, np.abs(away).max(axis=1)
        if np.any(strange & (far < 0.34)):
            return None
        high, wide = self._strength.shape
        half = 0.5 * SIDE_PX
        if not (half < middle[0] < wide - half and half < middle[1] < high - half):
            return None
        if value > 2 and _at(self._strength, _between(pips)).max() > STRIPE * strength:
            return None
        at, light, inner = self._body(middle, turned, pips)
        colour = floats(np.median(light[np.abs(at).max(axis=1) < CORE], axis=0))
        clutter = CLUTTER * (apart.min(axis=1) > 0.1).sum()
        pattern = max(PATTERN * (min(value, 4) - 1) - clutter, 0)
        pattern -= FAINT * max(PALE - strength / (colour.max() + DARK), 0)
        if pattern + 4 < WEIGHT:
            return None  # Clear ends could not make up for it.
        ends, out = self._ends(middle, turned, pips, inner, value)
        # Farther out may be highlights of the rim.
        strange &= self._like_pips[near] & (far < 0.44)
        if np.any(strange & _within(away, out, 0.02)):
            return None
        fill = self._filled(at, light, colour, out, strength)
        weight = float(
            ends.sum() + pattern
            - SMALL * max(WIDE[0] - (out[0::2, 0] + out[1::2, 0]).min(), 0)
            - MARBLED * max(FILL[1] - fill, 0)
        )  # fmt: skip
        if fill < FILL[0] or weight < WEIGHT:
            return None
        turn = float(np.arctan2(turned[0, 1], turned[0, 0])) % (np.pi / 2)
        blue, green, red = (float(part) for part in colour)
        centre = (float(middle[0]), float(middle[1]))
        return Face(centre, value, turn, (blue, green, red), weight)

    def _body(self, middle: Points, turned: Points, pips: Points) -> tuple[Points, Floats, Floats]:
        """Points of a face that no pip covers, n × 2 sides along its edges, and their light; the
        usual light of the half towards each side, 4 × 3."""
        px = _GRID * SIDE_PX @ turned + middle
        clear = _apart(px, pips) > min(0.16 * SIDE_PX, 0.5 * _gaps(pips).min())
        light = _at(self._seen, px[clear])
        inner = [np.median(light[half], axis=0) for half in _HALVES[:, clear]]
        return _GRID[clear], light, floats(np.stack(inner))

    def _filled(
        self, at: Points, light: Floats, colour: Floats, ends: Points, strength: float
    ) -> float:
        """Share of a face within its ends (4 × place and slope) that is of its colour; 0 if it is
        too small or too long for a face."""
        wide = ends[0::2, 0] + ends[1::2, 0]
        within = _within(at, ends, INSET)
        if not within.any() or wide.min() < SQUARE * wide.max() or wide.mean() > WIDE[1]:
            return 0.0
        u, v = at[within].T
        shading = np.column_stack([np.ones(len(u)), u, v, u * u, v * v])
        shade = shading @ np.linalg.lstsq(shading, light[within] - colour, rcond=None)[0]
        most = SHADE * colour.max()
        off = np.abs(light[within] - colour - np.clip(shade, -most, most)).max(axis=1)
        return float((off < max(EVEN * colour.max() + 8, GLOSS * strength)).mean())

    def _ends(
        self, middle: Points, turned: Points, pips: Points, inner: Floats, value: int
    ) -> tuple[Floats, Points]:
        """Clearness of the end of a face along each side, 0 to 1, or to -1 if it ends too near: 4;
        its place and slope: 4 × 2.

        Light changes there along a straight line, or all around on a circle, by ``STEP`` of it.
        """
        slopes, spots = _SHAPES[value], _across(middle, turned, _LINES[value])
        off = self._light(spots) - inner[:, None, None, None]
        off[(_apart(spots.reshape(-1, 2), pips) < 0.15 * SIDE_PX).reshape(off.shape[:-1])] = 0
        usual = np.median(off, axis=2)
        most = BODY + np.linalg.norm(usual[..., BODY:, :], axis=-1).argmax(axis=-1)[..., None]
        change = np.take_along_axis(usual, most[..., None], axis=-2)
        enough = 0.5 * (change**2).sum(axis=-1)
        changed = (usual * change).sum(axis=-1) >= enough
        first = BODY + changed[..., BODY:].argmax(axis=-1)[..., None]
        told = (off * change[:, :, None]).sum(axis=-1)
        near = (np.arange(len(BEYOND)) - first)[..., None, :]
        share, early = (
            np.where(abs(near - step) <= reach, told, 0).max(axis=-1) > enough
            for step, reach in ((1, 1), (-BODY, 0))
        )
        share &= ~early
        straight = (share.mean(axis=-1) - STRAIGHT[0]) / (STRAIGHT[1] - STRAIGHT[0])
        size = np.abs(change[..., 0, :]).max(axis=-1).T / (STEP * (inner.max(axis=-1) + DARK))
        short = (told[..., :BODY] > enough[..., None]).all(axis=-1).mean(axis=-1)
        clear = (np.clip(straight, 0, 1) - short) * np.clip(size.T, 0, 1)
        # A round rim is as far all around; that of a die that leans is not.
        far = first[:, -1, 0]
        clear[:, -1] *= np.abs(far - np.median(far)) <= RIM
        # Opposite sides are parallel, and pips lie on a diagonal.
        mirrored = np.append(np.arange(len(slopes) - 1)[::-1], len(slopes) - 1)
        alike = clear[0] + clear[1, mirrored] + clear[2] + clear[3, mirrored]
        lean = int((alike - 0.05 * np.abs(slopes)).argmax())
        side, best = np.arange(4), np.array([lean, mirrored[lean]] * 2)
        place = np.where(clear[side, best] > 0.3, BEYOND[first[side, best, 0]], UNSEEN)
        slope = np.where(slopes == ROUND, 0, slopes)[best]
        return clear[side, best], np.column_stack([place, slope])

    def _sharp(self, middle: Points, turned: Points) -> Points:
        """Slope of the light at the ends of faces, for comparison: … ."""
        light = self._light(_across(middle, turned, _FEW_LINES))
        profiles = light.mean(axis=-3)[..., 0, :, :]
        return np.asarray(np.abs(np.diff(profiles, axis=-2)).max(axis=(-1, -2)).sum(axis=-1))

    def _light(self, spots: Points) -> Floats:
        """The picture at spots (… × 2 px): … × 3."""
        return floats(_at(self._seen, spots.reshape(-1, 2)).reshape(*spots.shape[:-1], 3))


def _across(middle: Points, turned: Points, ways: Points) -> Points:
    """Spots along lines across each side of faces: … × 4 × slopes × lines × out × 2."""
    spots = (ways.reshape(-1, 2) * SIDE_PX) @ turned + middle[..., None, :]
    return np.asarray(spots.reshape(*spots.shape[:-2], *ways.shape))


def _rays(slopes: Points, lines: Points = ALONG) -> Points:
    """The same in sides from the middle along the edges."""
    along, out = np.meshgrid(lines, BEYOND, indexing="ij")
    turn, leans = along * ARC / lines[-1], slopes[:, None, None]
    far = np.where(leans == ROUND, out * np.cos(turn), out + leans * along)
    beside = np.where(leans == ROUND, out * np.sin(turn), along)
    outward, sideways = (way[:, None, None, None] for way in (_OUT, _ALONG))
    return np.asarray(far[..., None] * outward + beside[..., None] * sideways)


_LEANING, _SQUARE = np.append(SLOPES, ROUND), np.array([0.0, ROUND])
"""Shapes of the ends of a face against the edges that its pips tell."""
_SHAPES = {value: (_LEANING if value in (2, 3) else _SQUARE) for value in _FACES}
_LINES = {value: _rays(shapes) for value, shapes in _SHAPES.items()}
_FEW_LINES = _rays(np.zeros(1), ALONG[::2])


def _apart(spots: Points, pips: Points) -> Points:
    """Distance of n spots from the nearest pip, px."""
    return np.asarray(np.hypot(*(spots[:, None] - pips).transpose(2, 0, 1)).min(axis=1))


def _between(pips: Points) -> Points:
    """Spots halfway between pips that are neighbours, n × 2 px: stripes have no gaps there."""
    apart = _gaps(pips)
    one, other = np.nonzero(apart < 1.2 * apart.min())
    return np.asarray((pips[one] + pips[other]) / 2)


def _gaps(pips: Points) -> Points:
    """Distances of pips from those after them, n × n px, elsewhere infinite."""
    apart = np.hypot(*(pips[:, None] - pips).transpose(2, 0, 1))
    apart[np.tril_indices(len(pips))] = np.inf
    return np.asarray(apart)


def _nearest(spots: Points, others: Points) -> NDArray[np.intp]:
    """Which of the others is nearest to each spot: n."""
    apart = np.abs(spots[:, None] - others).max(axis=2)
    return np.asarray(apart.argmin(axis=1))


def _within(at: Points, ends: Points, inset: float) -> Bools:
    """True for points (n × 2 sides) within the ends of a face: 4 × place and slope."""
    return np.asarray((at @ _OUT.T < ends[:, 0] + ends[:, 1] * (at @ _ALONG.T) - inset).all(axis=1))


def _near(spots: Points, reach: float) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Pairs of spots at most ``reach`` px apart."""
    if not len(spots):
        return (np.empty(0, dtype=np.intp),) * 2
    x, y = (spots - spots.min(axis=0)).T
    # In rows as high as the reach, one after the other; near are those of a row and of the next.
    wide = x.max() + 3 * reach
    key = np.floor(y / reach) * wide + x
    order = np.argsort(key)
    key, here = key[order], np.arange(len(key))
    pairs = []
    for start, end in (
        (here + 1, np.searchsorted(key, key + reach, side="right")),
        np.searchsorted(key, (key + wide - reach, key + wide + reach)),
    ):
        number = np.maximum(end - start, 0)
        offset = np.arange(number.sum()) - np.repeat(np.cumsum(number) - number, number)
        pairs.append((np.repeat(here, number), np.repeat(start, number) + offset))
    a, b = order[np.concatenate(pairs, axis=1)]
    close = np.hypot(*(spots[a] - spots[b]).T) <= reach
    return a[close], b[close]


def _at(values: Floats, spots: Points) -> Floats:
    """``values`` at ``spots``, n × 2 px."""
    edge = cv2.BORDER_REPLICATE
    if not len(spots):
        return np.zeros((0, *values.shape[2:]), dtype=np.float32)
    seen = [
        cv2.remap(values, part[:, :1], part[:, 1:], cv2.INTER_LINEAR, borderMode=edge)
        for part in np.array_split(floats(spots), len(spots) // 30_000 + 1)
    ]
    return floats(np.concatenate(seen)[:, 0])


def _turned(turn: Points) -> Points:
    """The directions of both edges of faces, … × 2 × 2 (edge, then x and y)."""
    cos, sin = np.cos(turn), np.sin(turn)
    return np.stack([np.stack([cos, sin], axis=-1), np.stack([-sin, cos], axis=-1)], axis=-2)


def _disc(radius: float) -> Floats:
    """The kernel of a mean over a disc."""
    reach = int(np.ceil(radius))
    steps = np.arange(-reach, reach + 1)
    disc = np.clip(radius - np.hypot(*np.meshgrid(steps, steps)) + 0.5, 0, 1)
    return floats(disc / disc.sum())
