"""Where a piece can lie so that every sticker stays in sight, as hands that want to be read do."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import cv2
import numpy as np

from companion.virtual.light import Floats
from companion.virtual.things import Piece, footprint, thickness
from rules.box import Box, Point, Site

__all__ = ["hides", "spots"]

_RIM = 8 / 6
"""A sticker with its white rim, per side of its black square."""
_LENS_HIGH = 1.4
"""The lens hangs about so many board lengths up, so tall things lean outwards in its picture."""
_STEP_MM = 5.0
_SLACK_MM = 3.0
"""Hands miss by so much."""


def spots(site: Site) -> Iterator[Point]:
    """Places all over a rectangular site, mm, those in its middle first."""
    if site.size is None:
        return
    (x, y), (wide, high) = site.at, (max(side - 2 * _SLACK_MM, 0.0) for side in site.size)
    across, down = (int(side / 2 / _STEP_MM) for side in (wide, high))
    steps = [(i, j) for i in range(-across, across + 1) for j in range(-down, down + 1)]
    for i, j in sorted(steps, key=lambda step: math.hypot(*step)):
        yield (x + i * _STEP_MM, y + j * _STEP_MM)


def hides(box: Box, piece: Piece, lying: Iterable[Piece]) -> int:
    """How many stickers cannot be read if ``piece`` lies so: those of corners, which count
    double, and its own and those of what is ``lying`` there."""
    body, sticker = _body(box, piece), _sticker(box, piece)
    corners = (_square(c.at, c.size * _RIM / 2 + _SLACK_MM) for c in box.corners)
    hidden = 2 * sum(_meet(body, corner) for corner in corners)
    for other in lying:
        hidden += _meet(body, _sticker(box, other)) + _meet(_body(box, other), sticker)
    return hidden


def _body(box: Box, piece: Piece) -> Floats:
    """What a piece hides of the board, a convex outline in mm (n, 2)."""
    kind = box.kinds[piece.shows]
    wide, deep = footprint(kind, piece.pose)
    signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    foot = np.array([piece.to_board(sx * wide / 2, sy * deep / 2) for sx, sy in signs])
    top = foot * _lean(box, piece.z + thickness(kind, piece.pose))
    hull = cv2.convexHull(np.vstack([foot, top]).astype(np.float32))
    return np.asarray(hull, dtype=np.float32).reshape(-1, 2)


def _sticker(box: Box, piece: Piece) -> Floats:
    """Where a piece's sticker is seen on the board, with its rim and what hands miss by."""
    kind = box.kinds[piece.shows]
    grown = _lean(box, piece.z + thickness(kind, piece.pose))
    half = kind.sticker_mm * _RIM / 2 + _SLACK_MM
    return _square((piece.x_mm * grown, piece.y_mm * grown), half)


def _square(at: Point, half: float) -> Floats:
    (x, y), signs = at, ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return np.array([(x + sx * half, y + sy * half) for sx, sy in signs], dtype=np.float32)


def _lean(box: Box, height: float) -> float:
    """How much farther out than it is a point so high above the board appears."""
    lens = _LENS_HIGH * max(box.size)
    return lens / (lens - height)


def _meet(one: Floats, other: Floats) -> bool:
    return cv2.intersectConvexConvex(one, other)[0] > 0
