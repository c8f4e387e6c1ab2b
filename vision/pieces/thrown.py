"""Dice without stickers, in the places of a box that take them: what they show.

A place is cut out of the picture as it looks in the plane of the upper faces, where each is a
square of known size (``dice``). What else looks like a pip there belongs to a side of a die that
was read, or to a die that leans, is half hidden, or cannot be read for another reason: then nothing
is told of the place, and people are asked. Stickers of pieces and of the board's corners are known:
they are no pips.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import cv2
import numpy as np

from rules.box import Box, PieceKind, Site
from rules.reading.sighting import Glimpse, Look
from vision.arrays import Floats, Mask, Picture, Points, floats
from vision.board.colour import ColourClasses
from vision.board.flattening import grid_px
from vision.board.patches import BoardView
from vision.pieces.dice import LEAST_PX, SIDE_PX, Face, faces

AROUND = 0.75
"""Sides beyond a place that are looked at, so that a die at its rim is seen whole."""
COARSE_PX = 16
"""Points this far apart are projected, the rest lies between them."""
UNSTEADY = 6.0
"""Mean change of a part of a place, in grey levels, up to which it is as it was."""
BESIDE = 0.12
"""Sides around a die that was read in which pips are its own."""
PAPER = 0.7
"""Half the side of the paper that a corner sticker is on, in sides of the sticker."""
FAR = 30.0
"""Weighted Lab units from which a spot is not on a die of that colour."""


@dataclass(frozen=True, slots=True)
class Die:
    """A die whose upper face was read."""

    site: str
    at_mm: tuple[float, float]
    likely: Mapping[Look, float]
    """Log likelihoods of single dice, the best 0."""
    kind: PieceKind
    body_mm: Points
    """The part of the board that it hides: points whose hull it is, n × 2 mm."""
    lab: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Throw:
    """The dice at one place."""

    dice: tuple[Die, ...] = ()
    unread: Points | None = None
    """Places of dice that could not be read, n × 2 mm around them; None if all were."""


class ThrownDice:
    """Reads the dice of one box."""

    def __init__(self, box: Box, kinds: Iterable[PieceKind], classes: ColourClasses) -> None:
        """``kinds``: without stickers. ``classes``: of their colours."""
        self._classes = classes
        dice = [kind for kind in kinds if kind.is_die]
        self._places = {
            site.id: here for site in box.sites.values()
            if (here := [kind for kind in dice if kind.group in site.takes])
        }  # fmt: skip
        self._box, self._sites = box, box.sites
        self._seen: dict[tuple[str, float], tuple[Picture, Sequence[Throw]]] = {}

    def forget(self) -> None:
        """Forget what was seen."""
        self._seen.clear()

    def look(self, view: BoardView) -> Iterator[tuple[str, Throw]]:
        """Dice at each place of the box that takes them."""
        for name, kinds in self._places.items():
            for side, group in groupby(sorted(kinds, key=_alike), key=_side):
                for throw in self._throws(view, self._sites[name], side, [*group]):
                    yield name, throw

    def _throws(
        self, view: BoardView, site: Site, side: float, kinds: Sequence[PieceKind]
    ) -> Sequence[Throw]:
        """Dice of one size, those with dark pips and those with light ones apart."""
        if view.pose.px_per_mm(site.at, side) * side < LEAST_PX:
            # Whatever lies there is too small to be told.
            return (Throw(unread=np.array([site.at] * 3)),)
        plane = _Plane(view, site, side)
        before = self._seen.get((site.id, side))
        if before is not None and _same(before[0], plane.picture):
            return before[1]
        throws = [self._read(view, plane, [*some]) for _, some in groupby(kinds, key=_alike)]
        self._seen[site.id, side] = (plane.picture, throws)
        return throws

    def _read(self, view: BoardView, plane: _Plane, kinds: Sequence[PieceKind]) -> Throw:
        seen = faces(plane.picture, SIDE_PX, _light(kinds[0].pips, kinds[0].colour))
        dice, known = [], self._stickers(view, plane)
        for face in seen.read:
            if known[round(face.at[1]), round(face.at[0])]:
                continue
            at = plane.mm(np.array([face.at]))[0]
            if not plane.site.holds((float(at[0]), float(at[1]))):
                continue
            cube = _cube(plane.side, -face.turn)
            hull = view.hull((float(at[0]), float(at[1])), cube)
            dice.append(self._die(view, plane, face, hull, kinds))
            plane.mark(known, view, hull)
        x, y = np.round(seen.spots).astype(int).T if len(seen.spots) else (np.empty(0, int),) * 2
        other = seen.spots[known[y, x] == 0]
        unread = [spot for spot in plane.mm(other) if self._on_die(view, plane, spot, kinds)]
        if not unread:
            return Throw(tuple(dice))
        reach = _cube(plane.side, 0.0)[:4, :2] * 2
        return Throw(tuple(dice), np.concatenate([reach + spot for spot in unread]))

    def _stickers(self, view: BoardView, plane: _Plane) -> Mask:
        """255 where a place shows stickers that are known, as far as nothing lies over them."""
        known = plane.over(view.hidden, view, self._box)
        for corner in self._box.corners:
            half = PAPER * corner.size
            if not view.changed(corner.at, half):
                paper = corner.at + half * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
                plane.mark(known, view, paper)
        return known

    def _die(
        self, view: BoardView, plane: _Plane, face: Face, hull: Points, kinds: Sequence[PieceKind]
    ) -> Die:
        x, y = plane.mm(np.array([face.at]))[0]
        tone = _tone(view, (float(x), float(y)), plane.side)
        scores = self._classes.likelihoods(tone, [kind.colour for kind in kinds])
        best = max(scores.values())
        likely: dict[Look, float] = {
            (Glimpse(kind.id, str(face.value)),): scores[kind.colour] - best for kind in kinds
        }
        kind = max(kinds, key=lambda kind: scores[kind.colour])
        blue, green, red = (float(part) for part in tone)
        return Die(plane.site.id, (float(x), float(y)), likely, kind, hull, (blue, green, red))

    def _on_die(
        self, view: BoardView, plane: _Plane, spot: Points, kinds: Sequence[PieceKind]
    ) -> bool:
        """True if a spot lies at the place, on something that may be one of the dice."""
        at = (float(spot[0]), float(spot[1]))
        if not plane.site.holds(at, plane.side / 2):
            return False
        tone = _tone(view, at, plane.side)
        gaps = (tone - self._classes.mean(kind.colour) for kind in kinds)
        return any(float(np.hypot(gap[1], gap[2])) + abs(float(gap[0])) / 2 < FAR for gap in gaps)


class _Plane:
    """A place in the plane of the upper faces of its dice, where a side has ``SIDE_PX``."""

    def __init__(self, view: BoardView, site: Site, side: float) -> None:
        self.site, self.side = site, side
        wide, high = site.size or (2 * site.radius, 2 * site.radius)
        self._scale = SIDE_PX / side
        half = np.array([wide, high]) / 2 + AROUND * side
        self._corner = np.array([site.at[0] - half[0], site.at[1] + half[1]])
        columns, rows = (int(part) for part in np.ceil(2 * half * self._scale))
        x, y = np.meshgrid(
            np.linspace(0, columns - 1, max(columns // COARSE_PX, 2)),
            np.linspace(0, rows - 1, max(rows // COARSE_PX, 2)),
        )
        at = self.mm(np.column_stack([x.ravel(), y.ravel()]))
        px = view.pose.project(np.column_stack([at, np.full(len(at), side)]))
        coarse = floats(px.reshape(*x.shape, 2))
        fine = cv2.remap(coarse, *_between(coarse.shape[:2], (rows, columns)), cv2.INTER_LINEAR)
        seen = cv2.remap(view.image, fine, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)  # type: ignore[call-overload]
        self.picture: Picture = np.asarray(seen, dtype=np.uint8)

    def mm(self, px: Points) -> Points:
        """Points of the picture (n × 2 px) on the board, mm."""
        return np.asarray(self._corner + px / self._scale * (1, -1), dtype=np.float64)

    def over(self, hidden: Mask, view: BoardView, box: Box) -> Mask:
        """The part of a mask on the board's grid that lies at the place."""
        ends = np.array([(0.0, 0.0), (100.0, 0.0), (0.0, 100.0)])
        eye = view.pose.eye
        below = eye[:2] + (self.mm(ends) - eye[:2]) * eye[2] / (eye[2] - self.side)
        way = cv2.getAffineTransform(floats(ends), floats(grid_px(box, below)))
        size = self.picture.shape[1::-1]
        shown = cv2.warpAffine(hidden, way, size, flags=cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP)
        return np.asarray(shown, dtype=np.uint8)

    def mark(self, known: Mask, view: BoardView, hull: Points) -> None:
        """Mark in ``known`` all that shows of a die: ``hull`` is what it hides of the board."""
        eye = view.pose.eye
        # Seen in the plane of the faces, what is on the board is nearer to the point below the eye.
        lifted = eye[:2] + (hull - eye[:2]) * (eye[2] - self.side) / eye[2]
        px = (lifted - self._corner) * self._scale * (1, -1)
        spot = np.round(cv2.convexHull(floats(px))).astype(np.int32)
        cv2.fillConvexPoly(known, spot, (255,))
        cv2.polylines(known, [spot], True, (255,), round(2 * BESIDE * SIDE_PX))


def _between(coarse: tuple[int, int], fine: tuple[int, int]) -> tuple[Floats, Floats]:
    """Places of a fine grid's pixels on a coarse one with the same corners."""
    x, y = np.meshgrid(
        np.linspace(0, coarse[1] - 1, fine[1]), np.linspace(0, coarse[0] - 1, fine[0])
    )
    return floats(x), floats(y)


def _cube(side: float, turn: float) -> Points:
    """Corners of a die round its foot, n × 3 mm; the first four are below."""
    cos, sin = np.cos(turn), np.sin(turn)
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * side / 2
    square = square @ np.array([(cos, sin), (-sin, cos)])
    return np.vstack([np.column_stack([square, np.full(4, z)]) for z in (0.0, side)])


def _tone(view: BoardView, at: tuple[float, float], side: float) -> Floats:
    """Usual colour of the upper face around a point, Lab in white light: (3,)."""
    seen = view.patch(at, 0.4 * side, side).seen
    return floats(np.median(seen.reshape(-1, 3), axis=0))


def _same(one: Picture, other: Picture) -> bool:
    """True if two pictures of a place differ nowhere by more than noise."""
    if one.shape != other.shape:
        return False
    off = cv2.absdiff(one, other).max(axis=2)
    small = cv2.resize(off, None, fx=1 / 6, fy=1 / 6, interpolation=cv2.INTER_AREA)
    return float(small.max()) < UNSTEADY


def _side(kind: PieceKind) -> float:
    return kind.size[0]


def _alike(kind: PieceKind) -> tuple[float, bool]:
    """Dice for which this is equal are read together."""
    return (kind.size[0], _light(kind.pips, kind.colour))


def _light(pips: str, body: str) -> bool:
    """True if pips are lighter than the body."""

    def light(colour: str) -> int:
        return sum(int(colour[at : at + 2], 16) for at in (1, 3, 5))

    return light(pips) > light(body)
