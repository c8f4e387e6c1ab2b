"""A board as a display list: flat shapes in mm, in the order in which they are painted.

Whatever paints boards goes through such a list, and decides no more than which ink a role has.
``printed_shapes`` is the board as it is printed and lies before the camera; screens have a list of
their own, in ``companion.presentation.theme.board_look``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from rules.box.box import Box, PieceKind, Point, Site, Stroke

_RIM_MM, _BOX_RIM_MM = 0.8, 0.7
"""Width of the rim of a place: of a round one, and of a rectangle …"""
_BENDS_MM = (3.0, 2.4)
"""… whose corners are round, outside and inside its rim."""


@dataclass(frozen=True, slots=True)
class BoardShape:
    """One thing to paint in one ink: a line if it has a width, else an area or a text."""

    form: str
    """``line``, ``polygon``, ``circle``, ``box`` (a rectangle) or ``text``."""
    role: str
    """``line`` and its darker ``edge``, ``outline``, ``area``, ``text``; ``place``, its ``rim`` and
    its ``label``."""
    colour: str
    """``#rrggbb``; empty if the box names none."""
    of: Stroke | Site
    points: tuple[Point, ...]
    """Corners; of circle, box and text the middle."""
    reach: Point = (0.0, 0.0)
    """Half of width and height of circle and box; letters are as high as the second."""
    width: float = 0.0
    bend: float = 0.0
    """Radius of a box's corners."""
    text: str = ""
    surface: str = ""
    """Surface of an area or a place on the screen."""

    @property
    def outline(self) -> tuple[Point, ...]:
        """Its corners, a circle's 72; of a line around it the first once more at its end."""
        if self.form == "circle":
            return tuple(ring_points(self.points[0], self.reach[0], 72))
        if self.form == "box":
            size = (2 * self.reach[0], 2 * self.reach[1])
            return tuple(box_points(self.points[0], size, self.bend))
        closed = self.form == "polygon" and self.width > 0
        return (*self.points, self.points[0]) if closed else self.points


def printed_shapes(box: Box, edge_mm: float = 0.0) -> Iterator[BoardShape]:
    """The board as it is printed: the drawing, and over it the places.

    ``edge_mm``: how much wider than a line the darker tone below it is.
    """
    for stroke in box.strokes:
        yield from stroke_shapes(stroke, edge_mm)
    for site in box.printed_sites:
        if site.shows:
            yield from _place(site, box.colour_of(site))


def stroke_shapes(stroke: Stroke, edge_mm: float = 0.0) -> Iterator[BoardShape]:
    """One element of the drawing."""
    shape = BoardShape(stroke.kind, "area", stroke.colour, stroke, stroke.points)
    width = stroke.width
    if stroke.kind == "line":
        if edge_mm:
            yield replace(shape, role="edge", width=width + edge_mm)
        yield replace(shape, role="line", width=width)
    elif stroke.kind == "polygon":
        yield replace(shape, role="outline", width=width) if width else shape
    elif stroke.kind == "circle":
        yield replace(shape, reach=(width, width))
    else:
        yield replace(shape, role="text", reach=(0.0, width), text=stroke.text)


def _place(site: Site, colour: str) -> Iterator[BoardShape]:
    form, rim, (x, y) = "circle", _RIM_MM, (site.drawn, site.drawn)
    if site.size is not None:
        form, rim, (x, y) = "box", _BOX_RIM_MM, (site.size[0] / 2, site.size[1] / 2)
    outer, inner = _BENDS_MM
    within = (max(x - rim, 0.2), max(y - rim, 0.2))
    yield BoardShape(form, "rim", colour, site, (site.at,), (x, y), bend=outer)
    yield BoardShape(form, "place", colour, site, (site.at,), within, bend=inner)


def ring_points(at: Point, radius: float, count: int = 48, start: float = 0.0) -> list[Point]:
    """Corners of a regular polygon, ``start`` in degrees."""
    turns = [math.radians(start) + 2 * math.pi * k / count for k in range(count)]
    return [(at[0] + radius * math.cos(t), at[1] + radius * math.sin(t)) for t in turns]


def foot_points(kind: PieceKind, size: float = 1.0) -> list[Point]:
    """Corners of a flat piece's foot around its middle, mm, ``size`` times as large: a hexagon has
    a side to the right."""
    if kind.shape == "hexagon":
        return ring_points((0.0, 0.0), kind.size[0] * size / math.sqrt(3), 6, 30.0)
    return box_points((0.0, 0.0), (kind.size[0] * size, kind.size[1] * size))


PIP = 0.1
"""Radius of a pip, in widths of its die."""
_PIPS = {"1": "m", "2": "ac", "3": "amc", "4": "abcd", "5": "abmcd", "6": "abcdef"}
_PIP_AT = {
    "a": (-1, 1), "b": (1, 1), "c": (1, -1), "d": (-1, -1), "e": (-1, 0), "f": (1, 0), "m": (0, 0),
}  # fmt: skip


def pip_points(kind: PieceKind, face: str) -> list[Point]:
    """Middles of the pips on a face of a die, mm around its own; none where a word stands."""
    apart = kind.size[0] * 0.27
    places = _PIPS.get(face, "") if kind.is_die else ""
    return [(x * apart, y * apart) for x, y in map(_PIP_AT.__getitem__, places)]


def arrow_points(kind: PieceKind, pose: str = "") -> list[Point]:
    """The arrow of a piece that has turns, mm around its middle: it points along its turn, from
    beside the sticker to its edge; none if it has no turns."""
    if not kind.turns:
        return []
    half, count = kind.size[0] / 2, len(kind.poses)
    foot = min(max(kind.sticker_mm * 2 / 3 / half + 0.04, 0.5), 0.75) * half
    turn = 2 * math.pi * (int(pose) if pose.isdecimal() else 0) / count
    c, s = math.cos(turn), math.sin(turn)
    wide = (0.94 * half - foot) * 1.2
    return [
        (x * c - y * s, x * s + y * c) for x, y in ((0.94 * half, 0.0), (foot, wide), (foot, -wide))
    ]


def box_points(at: Point, size: Point, bend: float = 0.0) -> list[Point]:
    """Corners of a rectangle, rounded by ``bend`` mm."""
    half = (size[0] / 2, size[1] / 2)
    if bend <= 0:
        signs = ((1, 1), (-1, 1), (-1, -1), (1, -1))
        return [(at[0] + sx * half[0], at[1] + sy * half[1]) for sx, sy in signs]
    bend = min(bend, *half)
    points = []
    for start, sx, sy in ((0, 1, 1), (90, -1, 1), (180, -1, -1), (270, 1, -1)):
        for step in range(0, 91, 15):
            turn = math.radians(start + step)
            points.append(
                (
                    at[0] + sx * (half[0] - bend) + bend * math.cos(turn),
                    at[1] + sy * (half[1] - bend) + bend * math.sin(turn),
                )
            )
    return points
