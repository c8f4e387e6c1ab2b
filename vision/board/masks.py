"""Pieces, corner stickers and sites on the flattened board, and what they hide of it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from rules.box import Box, PieceKind, Point, Site, foot_points, parts_of, span_of
from vision.arrays import Bools, Floats, Mask, Points, floats, points
from vision.board.drawing import within_rim
from vision.board.flattening import MM_PER_PX, grid_px
from vision.board.pose import BoardPose
from vision.stickers.reader import RIM

PIECE_MARGIN_MM = 4.0
"""Around pieces the board is not judged: contact shadows, reflections, imprecise placing."""
RING_MM, GOES_ON, OPEN_RIM = 4.0, 0.4, 0.15
"""Width of the strip beyond that margin in which a thing is looked for that goes on beside a piece;
share of what is open of the strip from which the piece is a part of that; and share of the strip
with its margin that must be open for anything to be said."""
PILE_SHADE_MM, PILE_SHADE = 20.0, 0.8
"""Reach of the shade and of the lower pieces around a pile: at least, and per mm of height above a
single piece."""
SHADE_FROM_MM, SHADE = 20.0, 0.6
"""Pieces of this height cast shade that goes with them: height, and reach per mm of height."""
PILE_LEAN_MM = 4.0
"""Pieces of a pile lie this far out of line."""
STRIP_MM = 6.0
"""Width of the strip of board compared around a site; the rim between is what is drawn there."""
LETTER_WIDTH = 1.2
"""Widest letters of a title, per height."""
NEIGHBOUR = 1.5
"""Sites are neighbours up to this many times the distance to the nearest one: diagonals are."""
MOST_DRAWN = 500
"""Bodies whose hulls are kept; a crowded Go board has fewer."""
RIM_MM = 2 * MM_PER_PX
"""Width of the outermost strip that is judged."""
EDGE_MM = 3.0
"""The outermost strip of the board is not judged."""
ACROSS_MM = (-6.0, 16.0)
"""Depth of the strip along an own board's outline in which it shows what lies across: on the board,
and beyond; a flat piece at the outermost sites does not reach as far."""


Indices: TypeAlias = npt.NDArray[np.intp]
"""Flat indices of grid pixels."""


class Masks:
    """The places of pieces, corner stickers and sites on the flattened board."""

    def __init__(self, box: Box, size: tuple[int, int]) -> None:
        """``size``: width and height of the flattened board in grid pixels."""
        self._box = box
        self.size = size
        width, height = size
        x, y = _places(box, size)
        across, down = np.meshgrid(x, y)
        self.longest = max(max(*span_of(kind)[0], kind.height) for kind in box.kinds.values())
        """Length of the longest piece, mm."""
        self.mm: Points = np.stack([across, down], axis=-1)
        self._edge = _edge(box, across, down)
        self.inwards: Points = (within_rim(box, across, down) - EDGE_MM).ravel()
        """Flat: distance from the rim of what is judged, mm; negative beyond it."""
        self.rim: Bools = (self.inwards >= 0) & (self.inwards < RIM_MM)
        """Flat: True for the outermost strip that is judged; what reaches in crosses it."""
        self.outlines = _outlines(box, size)
        """Along each side of an own board's outline: flat indices of the strip across it, places
        along it × depths outwards, 2 mm each."""
        self._drawn: dict[int, tuple[Points, npt.NDArray[np.int32]]] = {}
        """By ``id``: bodies, which are kept so that no other has their id, and their hulls."""
        self._reaches: tuple[BoardPose, dict[str, Floats]] | None = None
        """By site, as far as they were asked for, as seen from a pose."""
        self.letters: Bools = np.zeros(height * width, dtype=np.bool_)
        """Flat: True where something is written; fonts differ, so its looks are unknown."""
        for stroke in box.strokes:
            if stroke.kind == "text":
                (x0, y0), high = stroke.points[0], stroke.width
                half = len(stroke.text) * high * LETTER_WIDTH / 2
                near = (np.abs(across - x0) < half) & (np.abs(down - y0) < high)
                self.letters |= near.ravel()
                # Letters of site marks are too small to look foreign; those of titles are not.
                if not stroke.sites:
                    self._edge[near] = 255
        self.sites: dict[str, Indices] = {}
        """Flat indices of each site's grid pixels; none for sites beside the board."""
        self.surroundings: dict[str, Indices] = {}
        """The same with the site's rim and a strip of board around it."""
        self.margins = margins(box, size)
        """Places beyond all sites and drawing, side by side: the board's margin, or the table that
        shows between a board and its corner stickers."""
        self.middle = {site.id: site.at for site in box.sites.values()}
        """Of each site, mm."""
        self.neighbours = _neighbours(self.middle)
        """The sites around each one."""
        for site in box.sites.values():
            if _on_board(box, site):
                self.sites[site.id], self.surroundings[site.id] = _site(site, x, y)

    def hidden(self, bodies: Iterable[Points]) -> Mask:
        """255 where the bare board cannot be seen: ``bodies`` (n × 2 mm each), corners, edge."""
        hulls = self._hulls(bodies)
        if not hulls:
            return self._edge.copy()
        mask: Mask = np.zeros(self._edge.shape, dtype=np.uint8)
        for hull in hulls:
            cv2.fillConvexPoly(mask, hull, 255)
        reach = round(PIECE_MARGIN_MM / MM_PER_PX)
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
        mask = np.asarray(cv2.dilate(mask, kernel), dtype=np.uint8)
        return mask | self._edge

    def inside(self, spots: Indices) -> Bools:
        """Flat: True at some ``spots`` (flat indices)."""
        inside = np.zeros(self.size[0] * self.size[1], dtype=np.bool_)
        inside[spots] = True
        return inside

    def rectangles(self, bodies: Iterable[Points]) -> list[tuple[slice, slice]]:
        """The rows and columns that each of some ``bodies`` (n × 2 mm, points whose hull it is)
        takes up."""
        found = (cv2.boundingRect(hull) for hull in self._hulls(bodies))
        return [
            np.s_[max(top, 0) : max(top + down, 0), max(left, 0) : max(left + across, 0)]
            for left, top, across, down in found
        ]

    def spots(self, body: Points) -> Indices:
        """Flat indices of what a ``body`` (n × 2 mm, points whose hull it is) hides."""
        (hull,), (wide, high) = self._hulls([body]), self.size
        ((rows, _),) = self.rectangles([body])
        # A piece is small beside the board.
        strip: Mask = np.zeros((max(min(rows.stop, high) - rows.start, 0), wide), dtype=np.uint8)
        if not strip.size:
            return np.empty(0, dtype=np.intp)
        cv2.fillConvexPoly(strip, hull - np.array([0, rows.start], dtype=np.int32), 1)
        return np.asarray(np.flatnonzero(strip) + rows.start * wide, dtype=np.intp)

    def around(self, bodies: Iterable[tuple[Points, float]]) -> Mask:
        """255 in and around ``bodies``: what each hides (n × 2 mm) and how far around it, mm."""
        mask = np.zeros_like(self._edge)
        every = list(bodies)
        for hull, (_, reach) in zip(self._hulls(body for body, _ in every), every, strict=True):
            cv2.fillConvexPoly(mask, hull, 255)
            cv2.polylines(mask, [hull], True, 255, 2 * round(reach / MM_PER_PX))
        return mask

    def going_on(self, bodies: Sequence[Points], thing: Bools, hidden: Mask) -> frozenset[int]:
        """Indices of the ``bodies`` (n × 2 mm each) on which a ``thing`` borders along so much of
        what is open of their rim that they are rather a part of it. ``hidden``: 255 where pieces
        lie, each with its margin."""
        number: npt.NDArray[np.int32] = np.zeros(self._edge.shape, dtype=np.int32)
        hulls = self._hulls(bodies)
        wide = 2 * round((PIECE_MARGIN_MM + RING_MM) / MM_PER_PX)
        for n, hull in enumerate(hulls, 1):
            cv2.polylines(number, [hull], True, n, wide)
        for hull in hulls:
            cv2.fillConvexPoly(number, hull, 0)
        whole = np.bincount(number.ravel(), minlength=len(hulls) + 1)[1:]
        number[hidden > 0] = 0
        open_ = np.bincount(number.ravel(), minlength=len(hulls) + 1)[1:]
        bordering = np.bincount(number[thing], minlength=len(hulls) + 1)[1:]
        told = (bordering > GOES_ON * open_) & (open_ > OPEN_RIM * whole)
        return frozenset(np.flatnonzero(told).tolist())

    def away_from(self, things: Iterable[Indices]) -> Floats:
        """Distance of all grid pixels from ``things`` (flat indices), mm, height × width; that of
        the whole board if there are none."""
        free = np.ones_like(self._edge)
        for spots in things:
            free.ravel()[spots] = 0
        away = cv2.distanceTransform(free, cv2.DIST_L2, 3)
        return floats(np.minimum(away, max(self.size)) * MM_PER_PX)

    def least(self, values: Floats, body: Points) -> float:
        """Least of ``values`` (height × width) at the corners of a ``body`` (n × 2 mm)."""
        (hull,) = self._hulls([body])
        x, y = np.clip(hull.reshape(-1, 2), 0, np.array(self.size) - 1).T
        return float(values[y, x].min())

    def _hulls(self, bodies: Iterable[Points]) -> list[npt.NDArray[np.int32]]:
        """Hulls of ``bodies`` (n × 2 mm each) in grid pixels.

        Pieces that stay keep their bodies from look to look, and so their hulls.
        """
        every = list(bodies)
        if len(self._drawn) > MOST_DRAWN:
            self._drawn.clear()
        new = [body for body in every if id(body) not in self._drawn]
        if new:
            px = floats(grid_px(self._box, np.concatenate(new)))
            end = 0
            for body in new:
                start, end = end, end + len(body)
                hull = np.round(cv2.convexHull(px[start:end])).astype(np.int32)
                self._drawn[id(body)] = (body, hull)
        return [self._drawn[id(body)][1] for body in every]

    def beside_piles(self, pieces: Iterable[tuple[Points, float]]) -> Mask:
        """255 where piles cast their shade or let their lower pieces show; ``pieces``: body and
        height above a single piece, mm."""
        return self.around((body, PILE_SHADE_MM + PILE_SHADE * lift) for body, lift in pieces)

    def shaded(self, pieces: Iterable[tuple[Points, float]]) -> Mask:
        """255 where tall ``pieces`` (body and height in mm) cast shade."""
        return self.around(
            (body, SHADE * height) for body, height in pieces if height > SHADE_FROM_MM
        )

    def body(
        self, pose: BoardPose, kind: PieceKind, corners_mm: Points, height: float, lying: bool
    ) -> Points:
        """The part of the board that a piece hides, as points whose hull it is (n × 2 mm).

        ``corners_mm``: the sticker's black square at its height, 4 × 2 mm. ``height``: that
        height in mm; what is higher than the kind is on a pile of its like, which may lean.
        ``lying``: it lies on its side.
        """
        # Numbers one by one: numpy's calls would take longer than four corners do.
        (x0, y0), (x1, y1), (x2, y2), (x3, y3) = corners_mm.tolist()
        x, y = (x0 + x1 + x2 + x3) / 4, (y0 + y1 + y2 + y3) / 4
        dx, dy = x1 + x2 - x0 - x3, y1 + y2 - y0 - y3
        length = max(math.hypot(dx, dy), 1e-6)
        rim = kind.sticker_mm * RIM
        wide, deep = (kind.size[0], kind.height) if lying else kind.size
        half_w, half_h = max(wide, rim) / 2, max(deep, rim) / 2
        if height > kind.height and not lying:
            half_w, half_h = half_w + PILE_LEAN_MM, half_h + PILE_LEAN_MM
        wx, wy = half_w * dx / length, half_w * dy / length
        hx, hy = -half_h * dy / length, half_h * dx / length
        foot = np.array([
            (x - wx + hx, y - wy + hy), (x + wx + hx, y + wy + hy),
            (x + wx - hx, y + wy - hy), (x - wx - hx, y - wy - hy),
        ])  # fmt: skip
        if kind.shape == "hexagon":
            across = np.array([(dx, dy), (-dy, dx)]) / length
            foot = np.array(foot_points(kind)) @ across + (x, y)
        return np.concatenate([foot, pose.hidden(foot, height)])

    def cells(
        self, pose: BoardPose, kind: PieceKind, corners_mm: Points, height: float
    ) -> tuple[Points, ...]:
        """The parts that the cells of a piece over several hide, as in ``body``."""
        middle = corners_mm.mean(axis=0)
        right = corners_mm[[1, 2]].sum(axis=0) - corners_mm[[0, 3]].sum(axis=0)
        right /= max(float(np.linalg.norm(right)), 1e-6)
        across = np.array([right, (-right[1], right[0])])
        feet = [np.array(part) @ across + middle for part in parts_of(kind)]
        return tuple(np.concatenate([foot, pose.hidden(foot, height)]) for foot in feet)

    def reach(self, pose: BoardPose, site: str) -> Floats:
        """All that a piece at ``site`` could hide, wherever in the site it stands (mm hull, n ×
        2)."""
        if self._reaches is None or self._reaches[0] is not pose:
            self._reaches = (pose, {})
        known = self._reaches[1]
        if site not in known:
            hull = cv2.convexHull(floats(self._reach(pose, site)))
            known[site] = floats(hull.reshape(-1, 2))
        return known[site]

    def _reach(self, pose: BoardPose, site: str) -> Points:
        place = self._box.sites[site]
        spots = []
        for kind in self._box.kinds_at(site):
            half = max(kind.size) / 2 + 8
            if place.size is None:
                w = h = half
            else:
                w, h = place.size[0] / 2 + half, place.size[1] / 2 + half
            foot = np.array([
                (place.at[0] + sx * w, place.at[1] + sy * h)
                for sx, sy in ((-1, 1), (1, 1), (1, -1), (-1, -1))
            ])  # fmt: skip
            spots += [foot, pose.hidden(foot, kind.height)]
        return np.concatenate(spots) if spots else np.array([place.at])


def _places(box: Box, size: tuple[int, int]) -> tuple[Points, Points]:
    """Millimetres of the columns and rows of a grid of ``size``."""
    x: Points = (np.arange(size[0], dtype=np.float64) + 0.5) * MM_PER_PX - box.size[0] / 2
    y: Points = box.size[1] / 2 - (np.arange(size[1], dtype=np.float64) + 0.5) * MM_PER_PX
    return x, y


def _edge(box: Box, across: Points, down: Points) -> Mask:
    """255 on corner stickers, along the edge and beyond it; millimetres per grid pixel along x and
    y."""
    edge: Mask = np.where(within_rim(box, across, down) < EDGE_MM, 255, 0).astype(np.uint8)
    for corner in box.corners:
        half = corner.size / 2 * RIM + PIECE_MARGIN_MM
        near = (np.abs(across - corner.at[0]) < half) & (np.abs(down - corner.at[1]) < half)
        edge[near] = 255
    return edge


def _outlines(box: Box, size: tuple[int, int]) -> list[Indices]:
    """The strips across the sides of an own board, without what the corner stickers cover."""
    if not box.outline:
        return []
    rim, strips = points(box.rim), []
    depth = np.arange(*ACROSS_MM, MM_PER_PX) + MM_PER_PX / 2
    for one, other in zip(rim, np.roll(rim, -1, axis=0), strict=True):
        long = float(np.hypot(*(other - one)))
        along = (other - one) / long
        steps = np.arange(MM_PER_PX / 2, long, MM_PER_PX)[:, None, None]
        # The corners run clockwise: the table is on the left of each side.
        mm = one + steps * along + depth[:, None] * np.array([-along[1], along[0]])
        px = np.round(grid_px(box, mm.reshape(-1, 2))).astype(np.intp).reshape(mm.shape)
        free = ((px >= 0) & (px < np.array(size))).all(axis=(1, 2))
        for corner in box.corners:
            half = corner.size / 2 * RIM + PIECE_MARGIN_MM
            free &= ~(np.abs(mm - np.array(corner.at)) < half).all(axis=2).any(axis=1)
        strips.append(np.asarray(px[free, :, 1] * size[0] + px[free, :, 0], dtype=np.intp))
    return strips


def margins(box: Box, size: tuple[int, int]) -> list[Bools]:
    """The four strips of the flattened board beyond all that is drawn; none if nothing is, or if
    it is known where the board ends.

    ``size``: its width and height in grid pixels.
    """
    if box.outline:
        return []
    x, y = _places(box, size)
    spots = [point for stroke in box.strokes if stroke.kind != "text" for point in stroke.points]
    for site in box.printed_sites:
        w, h = site.size or (2 * site.radius, 2 * site.radius)
        if _on_board(box, site):
            spots += [(site.at[0] + side * w / 2, site.at[1] + side * h / 2) for side in (-1, 1)]
    if not spots:
        return []
    (left, low), (right, high) = points(spots).min(axis=0), points(spots).max(axis=0)
    beside = (x < left) | (x > right)
    rows = np.ones((len(y), 1), dtype=np.bool_)
    return [
        rows & (x < left), rows & (x > right),
        (y > high)[:, None] & ~beside, (y < low)[:, None] & ~beside,
    ]  # fmt: skip


def _neighbours(middle: Mapping[str, Point]) -> dict[str, frozenset[str]]:
    """The sites around each one, by the distance to its nearest; middles in mm."""
    names, at = list(middle), points(list(middle.values()))
    near: dict[str, frozenset[str]] = {}
    for name, here in zip(names, at, strict=True):
        away = np.linalg.norm(at - here, axis=1)
        limit = NEIGHBOUR * float(away[away > 0].min(initial=np.inf))
        near[name] = frozenset(n for n, d in zip(names, away, strict=True) if 0 < d <= limit)
    return near


def _on_board(box: Box, site: Site) -> bool:
    if box.outline:
        return box.is_on_board(site.at)
    (x, y), (width, height) = site.at, box.size
    w, h = site.size or (2 * site.radius, 2 * site.radius)
    return abs(x) + w / 2 <= width / 2 + 1 and abs(y) + h / 2 <= height / 2 + 1


def _site(site: Site, x: Points, y: Points) -> tuple[Indices, Indices]:
    """A site, and the same with its rim and a strip of board around it, as flat indices.

    ``x``, ``y``: mm of the grid's columns and rows.
    """
    wide, high = site.size or (2 * site.radius, 2 * site.radius)
    aside, beyond = np.abs(x - site.at[0]), np.abs(y - site.at[1])
    columns = np.flatnonzero(aside <= wide / 2 + STRIP_MM)
    rows = np.flatnonzero(beyond <= high / 2 + STRIP_MM)
    across, down = aside[columns], beyond[rows][:, None]
    if site.size is None:
        distance = np.hypot(across, down)
        inside, around = distance <= 0.9 * site.radius, distance <= site.radius + STRIP_MM
    else:
        distance = np.maximum(across - wide / 2, down - high / 2)
        inside, around = distance < 0, distance <= STRIP_MM
    flat = rows[:, None] * len(x) + columns
    return flat[inside], flat[around]
