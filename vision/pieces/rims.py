"""Outlines of round pieces on a flattened part of the board, and what shows there.

Every outline is looked at in as many directions as there are ``SECTORS``: at some places within
it, and at some just outside.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Bools, Floats, Mask, Points, floats
from vision.board.flattening import LINEAR
from vision.board.patches import BoardView
from vision.pieces.outlines import Outline

SECTORS = 16
INNER = (0.3, 0.55, 0.8)
"""Distances from the middle at which the colour within an outline is looked at, per radius."""
OUTER = (0.16, 0.34)
"""Distances outside at which the board must show, per radius: touching pieces leave no more."""
FORMS = (0, 1)
"""A piece shows its whole side below its top, or, if it is a lens like a go stone, little more than
its rim at half its height."""
KNOTS = 25

Indices = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Shapes:
    """The outlines of the pieces at some sites, from one pose."""

    at: Points
    """Middles of the sites, n × 2 mm."""
    middle: Points
    """Of each outline from the middle of its site, forms × n × 2 mm."""
    radius: Floats
    """Distance from there to the outline, forms × n × sectors, mm."""

    @staticmethod
    def of(view: BoardView, at: Points, outlines: Sequence[Outline]) -> Shapes:
        """The outlines at ``at`` (n × 2 mm), one for each."""
        middle = np.zeros((len(FORMS), len(at), 2))
        radius = np.zeros((len(FORMS), len(at), SECTORS), dtype=np.float32)
        for number, (place, outline) in enumerate(zip(at, outlines, strict=True)):
            whole = np.concatenate(outline.ways[0])
            rim = np.column_stack([whole[:, :2], np.full(len(whole), outline.height / 2)])
            for form, body in zip(FORMS, (whole, rim), strict=True):
                seen = view.hull((float(place[0]), float(place[1])), body) - place
                hull = cv2.convexHull(floats(seen)).reshape(-1, 2)
                centre = (hull.max(axis=0) + hull.min(axis=0)) / 2
                middle[form, number] = centre
                radius[form, number] = _reach(floats(hull - centre))
        return Shapes(at, middle, radius)


def _reach(hull: Floats) -> Floats:
    """Distance of a convex outline (n × 2, round the origin) in every direction."""
    angle = np.arctan2(hull[:, 1], hull[:, 0]) % (2 * math.pi)
    order = np.argsort(angle)
    angle, length = angle[order], np.hypot(hull[:, 0], hull[:, 1])[order]
    turn = 2 * math.pi
    angle = np.concatenate([angle[-1:] - turn, angle, angle[:1] + turn])
    length = np.concatenate([length[-1:], length, length[:1]])
    return floats(np.interp(np.arange(SECTORS) * turn / SECTORS, angle, length))


def flattened(view: BoardView, low: Points, high: Points) -> Floats:
    """A rectangle of the board (lowest and highest x and y, mm) from above, a millimetre per px, in
    linear light, height × width × 3; row 0 is its upper edge."""
    wide, tall = (int(v) for v in np.ceil(high - low))
    x = np.linspace(0.5, wide - 0.5, KNOTS) + low[0]
    y = high[1] - np.linspace(0.5, tall - 0.5, KNOTS)
    mm_x, mm_y = np.meshgrid(x, y)
    image, scale = view.shrunk(view.pose.px_per_mm())
    px = view.pose.project(np.column_stack([mm_x.ravel(), mm_y.ravel()]))
    knots = floats(((px + 0.5) * scale - 0.5).reshape(KNOTS, KNOTS, 2))
    u = np.linspace(0, KNOTS - 1, wide, dtype=np.float32)
    v = np.linspace(0, KNOTS - 1, tall, dtype=np.float32)
    grid = cv2.remap(knots, *np.meshgrid(u, v), cv2.INTER_LINEAR)
    edge = cv2.BORDER_REPLICATE
    seen = cv2.remap(image, grid, None, cv2.INTER_LINEAR, borderMode=edge)  # type: ignore[call-overload]
    return floats(LINEAR[seen])


def area_of(at: Points, origin: Points, size: tuple[int, int]) -> Bools:
    """The part of a flattened rectangle that lies between some points (n × 2 mm). ``origin``: its
    upper left corner, mm; ``size``: height and width in px."""
    mask: Mask = np.zeros(size, dtype=np.uint8)
    hull = cv2.convexHull(floats(at)).reshape(-1, 2)
    cv2.fillConvexPoly(mask, _fixed(hull, origin), (1,), cv2.LINE_8, 4)
    return np.asarray(mask > 0)


class Rims:
    """Places within and around outlines on a flattened rectangle of the board."""

    def __init__(self, shapes: Shapes, origin: Points, size: tuple[int, int]) -> None:
        """``origin``: the rectangle's upper left corner, mm; ``size``: height and width in px."""
        self._shapes, self.origin, self.size = shapes, origin, size
        turn = np.arange(SECTORS) * 2 * math.pi / SECTORS
        self._ways = np.column_stack([np.cos(turn), np.sin(turn)])
        self.form, self.scale = 0, 1.0
        """Index of the ``FORMS`` that the pieces on this table have, and their size per that in the
        box."""

    def samples(self, sites: Indices, shift: Points) -> tuple[Indices, Indices]:
        """Flat indices of pixels within the outlines at ``sites`` (n), ``shift`` mm (n × 2) beside
        them, and just outside: n × sectors × places each."""
        return self.samples_as(self.form, self.scale, sites, shift)

    def samples_as(
        self, form: int, scale: float, sites: Indices, shift: Points
    ) -> tuple[Indices, Indices]:
        """The same for pieces of another form and size."""
        middle = self._shapes.at[sites] + self._shapes.middle[form, sites] + shift
        radius = self._shapes.radius[form, sites] * scale
        mean = radius.mean(axis=1)[:, None, None]
        within = radius[..., None] * floats(INNER)
        beyond = radius[..., None] + mean * floats(OUTER)
        return self._at(middle, within), self._at(middle, beyond)

    def _at(self, middle: Points, distance: Floats) -> Indices:
        height, width = self.size
        x = middle[:, None, None, 0] + self._ways[None, :, None, 0] * distance
        y = middle[:, None, None, 1] + self._ways[None, :, None, 1] * distance
        column = np.clip((x - self.origin[0]).astype(np.intp), 0, width - 1)
        row = np.clip((self.origin[1] - y).astype(np.intp), 0, height - 1)
        return np.asarray(row * width + column)

    def px(self, mm: Points) -> Points:
        """Pixels of points of the board, n × 2 mm → n × 2."""
        return np.column_stack([mm[:, 0] - self.origin[0], self.origin[1] - mm[:, 1]])

    def beside(self, sites: Indices, form: int) -> Points:
        """Shifts under which outlines of the current form lie where those of ``form`` lie."""
        middle = self._shapes.middle
        return np.asarray(middle[self.form, sites] - middle[form, sites])

    def outline(self, site: int, shift: Points, share: float = 1.0) -> Points:
        """An outline, or as large a ``share`` of it: sectors × 2 mm."""
        radius = self._shapes.radius[self.form, site][:, None] * (self.scale * share)
        middle = self._shapes.at[site] + self._shapes.middle[self.form, site] + shift
        return np.asarray(middle + self._ways * radius)

    def fill(
        self, mask: npt.NDArray[np.int32] | Mask, site: int, shift: Points, value: int,
        share: float = 1.0,
    ) -> None:  # fmt: skip
        """Draw an outline into a picture of the rectangle."""
        corners = _fixed(self.outline(site, shift, share), self.origin)
        cv2.fillConvexPoly(mask, corners, (value,), cv2.LINE_8, 4)


def _fixed(mm: npt.NDArray[Any], origin: Points) -> npt.NDArray[np.int32]:
    """Points (n × 2 mm) in 16ths of a pixel."""
    px = np.column_stack([mm[:, 0] - origin[0] - 0.5, origin[1] - mm[:, 1] - 0.5])
    return np.round(px * 16).astype(np.int32)
