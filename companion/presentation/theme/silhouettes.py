"""Outlines of pieces as they lie or stand on a board: each shape is known by its own. Free of Kivy.

Corners are px around the middle of the piece, y down.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from rules.box import PieceKind, arrow_points, box_points, drawn_in, ring_points, rings_of

Px = tuple[float, float]
Outline = Sequence[Px]

ROUNDING: Final = {"card": 0.1, "bar": 0.24, "arch": 0.2, "box": 0.2}
"""Rounding of corners, as a share of the shorter side."""
_HEAD: Final = (0.0, -0.27, 0.23)
"""Middle and radius of a figure's head, in heights."""
_BODY: Final = (
    (0.10, -0.10), (0.19, -0.05), (0.19, 0.0), (0.12, 0.05), (0.17, 0.24), (0.28, 0.36),
    (0.30, 0.47), (0.20, 0.5),
)  # fmt: skip
"""The right side of its body, from the neck down."""
_STONE: Final = (
    (-0.34, 0.5), (-0.42, 0.1), (-0.34, -0.3), (-0.1, -0.5), (0.16, -0.44), (0.36, -0.22),
    (0.42, 0.2), (0.36, 0.5),
)  # fmt: skip
"""A stone that stands."""
TALL, FOOT = 1.7, 0.28
"""Height of what stands, in widths of its place, and how far its middle lies above that."""


def stands(kind: PieceKind, pose: str) -> bool:
    """True if a piece is shown from the side, as it rises above its place."""
    if kind.shape == "pawn":
        return pose not in ("lying", "cw", "ccw")
    return is_upright(kind)


def is_upright(kind: PieceKind) -> bool:
    """True for a block that is higher than it is wide: a standing stone."""
    return kind.shape == "box" and kind.height > max(kind.size)


def outlines(
    kind: PieceKind, size: tuple[float, float], pose: str = "", turn: float = 0.0
) -> list[Outline]:
    """The outline of a piece within ``size`` px; a figure has two. One over several cells has its
    sticker's cell within them. ``turn``: degrees clockwise."""
    (width, height), small = size, min(size)
    match kind.shape:
        case _ if kind.cells:
            px = width / kind.size[0]
            return [[(x * px, -y * px) for x, y in ring] for ring in rings_of(kind, pose=pose)]
        case "disc":
            return [_circle(0, 0, width / 2)]
        case "octagon":
            return [ring_points((0, 0), width / 2, 8, 22.5)]
        case "hexagon":
            return [ring_points((0, 0), width / math.sqrt(3), 6, 30.0)]
        case "pawn" if pose in ("cw", "ccw"):
            return [_circle(0, 0, small / 2)]
        case "pawn":
            x, y, radius = _HEAD
            sides = [*_BODY, *((-x, y) for x, y in reversed(_BODY))]
            figure = [[(x * height, y * height) for x, y in sides],
                      _circle(x * height, y * height, radius * height)]  # fmt: skip
            return [turned(one, -76.0) for one in figure] if pose == "lying" else figure
        case "box" if is_upright(kind):
            return [[(x * width * 1.1, y * height) for x, y in _STONE]]
    bend = small * ROUNDING.get(kind.shape, 0.2)
    return [turned([(x, -y) for x, y in box_points((0, 0), size, bend)], turn)]


def arrow(kind: PieceKind, size: tuple[float, float], pose: str) -> Outline:
    """The arrow of a piece that has turns, within ``size`` px; none if it has none."""
    px = size[0] / kind.size[0]
    return [(x * px, -y * px) for x, y in arrow_points(kind, pose)]


def shrunk(kind: PieceKind, line: Outline, by: float) -> Outline:
    """An outline of a piece drawn in by about ``by`` px."""
    if kind.cells:
        return drawn_in(reversed(line), by)
    xs, ys = zip(*line, strict=True)
    middle = ((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)
    half = max((max(xs) - min(xs)) / 2, 1.0), max((max(ys) - min(ys)) / 2, 1.0)
    part = [max(1 - by / reach, 0.3) for reach in half]
    return [
        (middle[0] + (x - middle[0]) * part[0], middle[1] + (y - middle[1]) * part[1])
        for x, y in line
    ]


def _circle(x: float, y: float, radius: float) -> Outline:
    return ring_points((x, y), radius, max(24, min(72, round(radius * 4))))


def turned(points: Outline, degrees: float) -> Outline:
    """An outline turned clockwise around the middle of the piece."""
    if not degrees:
        return points
    turn = math.radians(degrees)
    c, s = math.cos(turn), math.sin(turn)
    return [(x * c - y * s, x * s + y * c) for x, y in points]
