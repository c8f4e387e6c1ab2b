"""Pips on the upper faces of ordinary dice, wherever they lie and however they are turned.

A face is a square of one colour with pips of another on some of nine places, three by three. Pips
are dark or light spots of the right size; two that may be opposite corners of the nine propose a
face, one alone proposes an ace, turned as its edges are. A proposal is believed if each of the nine
places clearly shows a pip or clearly the body, no other spot lies within the square, its colour is
even, and it ends where a face of its size does: along three sides at least, for a side that touches
another die as bright as itself shows no end. Sides of dice that show as well, leaning dice and half
hidden ones do not; they stay unread.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

import cv2
import numpy as np

from vision.arrays import Floats, Picture, Points, floats

SIDE_PX = 36
"""Side of a face in the picture that is looked at; others are enlarged or shrunk to it."""
LEAST_PX = 18.0
"""Side below which nothing is read."""
WIDEST_PIP = 0.38
"""Width in sides below which a spot may be a pip."""
PIP_RADIUS = 0.07
"""Radius in sides over which a spot is averaged, less than that of a pip."""
LEAST_SPOT = 22.0
"""Grey levels by which a pip differs from the body."""
CORNER = (0.17, 0.31)
"""Distance in sides of a corner pip from the middle lines."""
NARROW = 0.6
"""Distance of the two rows of some sixes from their middle line, compared with ordinary ones."""
CONTRAST, ODD = 0.25, 0.5
"""The same as a share of its light."""
VACANT, OCCUPIED = 0.4, 0.6
"""Share of a pip's strength up to which a place shows the body, and from which it shows a pip."""
STRANGER = 0.4
"""The same, from which a spot elsewhere on the face is one too many."""
AROUND_PIP = 0.17
"""Radius in sides of a ring around a pip that shows the body."""
ROAM = (0.06, 0.03)
"""Distance in sides of a pip from its place, and of the body between pips."""
FILL, EVEN, GLOSS = 0.82, 0.17, 0.3
"""Share of a face without its pips that is of one colour: within a share of its light or of the
strength of a pip."""
ENDS = 2.8
"""Sides of a face that must show its end."""
ALONG, RIM, BEYOND = np.linspace(-0.34, 0.34, 11), (0.37, 0.40, 0.43), np.arange(0.46, 0.62, 0.03)
"""In sides from the middle: lines across an end, where they are within the face, where it ends."""
STEP, DARK = 0.2, 40.0
"""Change of light that is a clear end, as a share of the light and a number of grey levels."""
STRAIGHT = (0.5, 0.9)
"""Share of the lines up to which an end that they do not share is none, and from which it is."""
ACE = 0.3
"""Radius in sides of a ring around the only pip that shows the body."""
TURNS = 18
"""Turns that are tried for an ace."""

_Proposal: TypeAlias = tuple[Points, Points, Points, int, float]
"""Middle of a face, directions of its edges, its pips (n × 2 px), value, strength of a pip."""

_PLACES = np.array([(x, y) for y in (-1, 0, 1) for x in (-1, 0, 1)], dtype=np.float64)
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
    score: float
    """Clearness from 0 to 1."""


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
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (wide, wide))
        closed = cv2.morphologyEx(dark, cv2.MORPH_CLOSE, kernel)
        strength = floats(cv2.subtract(closed, dark).mean(axis=2))
        self._strength = floats(cv2.filter2D(strength, -1, _disc(PIP_RADIUS * SIDE_PX)))
        self._near, self._here = (
            floats(cv2.dilate(self._strength, np.ones((2 * round(reach * SIDE_PX) + 1,) * 2)))
            for reach in ROAM
        )
        self._find_spots()

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
        every = (self._judged(*each) for each in (*self._cornered(), *self._aces()))
        proposed = sorted((face for face in every if face), key=lambda face: -face.score)
        kept: list[Face] = []
        for face in proposed:
            if all(np.hypot(*np.subtract(face.at, other.at)) > 0.6 * SIDE_PX for other in kept):
                kept.append(face)
        return kept

    def _cornered(self) -> Iterator[_Proposal]:
        """Faces of which two spots are opposite corners."""
        if len(self._spots) < 2:
            return
        apart = self._spots[None] - self._spots[:, None]
        reach = np.hypot(apart[..., 0], apart[..., 1]) / SIDE_PX / 2
        weak, strong = (
            way(self._strengths[None], self._strengths[:, None]) for way in (np.minimum, np.maximum)
        )
        like = np.triu(weak > OCCUPIED * strong)
        for narrow in (1.0, NARROW):
            step = reach / np.hypot(1, narrow)
            a, b = np.nonzero(like & (step >= CORNER[0]) & (step <= CORNER[1]))
            turn = np.arctan2(apart[a, b, 1], apart[a, b, 0]) - np.arctan(narrow)
            middle = (self._spots[a] + self._spots[b]) / 2
            strength = (weak[a, b] + strong[a, b]) / 2
            yield from self._patterned(middle, turn, step[a, b], strength, narrow)

    def _aces(self) -> Iterator[_Proposal]:
        """Faces with a single spot, as all around it is of one colour."""
        even = self._even_around(self.spots, ACE, 16, self._alone) > 0.85
        spots, strengths = self.spots[even], self._alone[even]
        if not len(spots):
            return
        turned = _turned(np.pi / 2 * np.arange(TURNS) / TURNS)
        best_turns = self._sharp(spots[:, None], turned).argmax(axis=1)
        for spot, strength, best in zip(spots, strengths, best_turns, strict=True):
            yield spot, turned[best], spot[None], 1, float(strength)

    def _patterned(
        self, middle: Points, turn: Points, step: Points, strength: Points, narrow: float
    ) -> Iterator[_Proposal]:
        """Of n proposals those whose nine places show the pips of a face."""
        turned = _turned(turn)
        places = middle[:, None] + (_PLACES * (1, narrow) * SIDE_PX @ turned) * step[:, None, None]
        near, here = (
            _at(shown, places.reshape(-1, 2)).reshape(-1, 9) / strength[:, None]
            for shown in (self._near, self._here)
        )
        full = near > OCCUPIED
        clear = np.all(full | (here < VACANT), axis=1)
        value = np.where(clear, _VALUE[full @ (1 << np.arange(9))], 0)
        if narrow < 1:
            # Rows this close blur into each other a little.
            rows = _PLACES[:, 1] != 0
            six = full[:, rows].all(axis=1) & (here[:, ~rows] < OCCUPIED).all(axis=1)
            value, full = np.where(six, 6, 0), full & rows
        for n in np.flatnonzero(value):
            yield middle[n], turned[n], places[n][full[n]], int(value[n]), float(strength[n])

    def _judged(
        self, middle: Points, turned: Points, pips: Points, value: int, strength: float
    ) -> Face | None:
        """The face that is proposed, if it is one."""
        x, y = (self._all - middle).T
        near = np.flatnonzero((abs(x) < 0.6 * SIDE_PX) & (abs(y) < 0.6 * SIDE_PX))
        near = near[self._all_strengths[near] > STRANGER * strength]
        away = (self._all[near] - middle) @ turned.T / SIDE_PX
        apart = np.abs(away[:, None] - (pips - middle) @ turned.T / SIDE_PX).max(axis=2)
        if np.any((np.abs(away).max(axis=1) < 0.42) & (apart.min(axis=1) > 0.1)):
            return None
        if np.any(apart.min(axis=0, initial=1) > 0.08):
            return None
        high, wide = self._strength.shape
        half = 0.5 * SIDE_PX
        if not (half < middle[0] < wide - half and half < middle[1] < high - half):
            return None
        fill, colour = self._filled(middle, turned, pips, strength)
        if fill < FILL:
            return None
        ends = self._ends(middle, turned)
        if ends.sum() < ENDS:
            return None
        turn = float(np.arctan2(turned[0, 1], turned[0, 0])) % (np.pi / 2)
        blue, green, red = (float(part) for part in colour)
        at = (float(middle[0]), float(middle[1]))
        return Face(at, value, turn, (blue, green, red), float(ends.mean()) * fill)

    def _filled(
        self, middle: Points, turned: Points, pips: Points, strength: float
    ) -> tuple[float, Floats]:
        """Share of the face that is of one colour, and that colour."""
        steps = np.linspace(-0.4, 0.4, 15) * SIDE_PX
        grid = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2) @ turned + middle
        away = np.hypot(*(grid[:, None] - pips).transpose(2, 0, 1)).min(axis=1)
        body = _at(self._seen, grid[away > 0.16 * SIDE_PX])
        colour = floats(np.median(body, axis=0))
        off = np.abs(body - colour).max(axis=1)
        return float((off < max(EVEN * colour.max() + 8, GLOSS * strength)).mean()), colour

    def _ends(self, middle: Points, turned: Points) -> Points:
        """Clearness of the end of faces along each side, 0 to 1: … × 4.

        Light changes there along a straight line, by ``STEP`` of it.
        """
        light, off = self._across(middle, turned)
        usual = np.median(off, axis=-3)
        most = np.linalg.norm(usual, axis=-1).argmax(axis=-1)[..., None]
        change = np.take_along_axis(usual, most[..., None], axis=-2)
        alike = (off * change[..., None, :, :]).sum(axis=-1)
        near = np.abs(np.arange(len(BEYOND)) - most)[..., None, :] <= 1
        share = np.where(near, alike, 0).max(axis=-1) > 0.5 * (change**2).sum(axis=-1)
        straight = (share.mean(axis=-1) - STRAIGHT[0]) / (STRAIGHT[1] - STRAIGHT[0])
        size = np.abs(change[..., 0, :]).max(axis=-1) / (STEP * (light + DARK))
        return np.asarray(np.clip(straight, 0, 1) * np.clip(size, 0, 1))

    def _sharp(self, middle: Points, turned: Points) -> Points:
        """Slope of the light at the ends of faces, for comparison: … ."""
        profiles = self._across(middle, turned)[1].mean(axis=-3)
        return np.asarray(np.abs(np.diff(profiles, axis=-2)).max(axis=(-1, -2)).sum(axis=-1))

    def _across(self, middle: Points, turned: Points) -> tuple[Points, Points]:
        """Light within each side of faces, and changes of it across: … × 4 (× lines × out × 3)."""
        x, y = np.meshgrid(np.append(RIM, BEYOND) * SIDE_PX, ALONG * SIDE_PX)
        ways = np.stack([(x, y), (-x, y), (y, x), (y, -x)]).reshape(4, 2, -1).transpose(0, 2, 1)
        spots = ways @ turned[..., None, :, :] + middle[..., None, None, :]
        seen = _at(self._seen, spots.reshape(-1, 2)).reshape(*spots.shape[:-2], *x.shape, 3)
        body = np.median(seen[..., : len(RIM), :], axis=(-3, -2))
        off = seen[..., len(RIM) :, :] - body[..., None, None, :]
        return np.asarray(body.max(axis=-1)), np.asarray(off, dtype=np.float64)


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
