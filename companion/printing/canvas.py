"""A drawing surface in board millimetres (x right, y up) on a page.

Elements outside the part that is shown are left out. Patterns are computed lines and dots rather
than fills of the file format, so every viewer and printer shows them alike.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from companion.printing.colours import INK, PAPER, Rgb
from companion.printing.marker import draw_sticker, rim_of
from companion.printing.sheet import CAPITAL, Document
from rules.box import BoardShape, box_points

Point = tuple[float, float]
Box4 = tuple[float, float, float, float]
"""Left, bottom, right, top in mm."""


class Surface:
    """Draws board elements at their places."""

    def __init__(
        self,
        document: Document,
        centre: Point,
        scale: float = 1.0,
        shown: Box4 | None = None,
        own: Box4 | None = None,
    ) -> None:
        """``centre``: page mm of the board's centre; ``shown``: the part to draw; ``own``: the part
        whose stickers count. At a scale other than 1 stickers are only hinted at."""
        self.document = document
        self.centre = centre
        self.scale = scale
        self.shown = shown
        self.own = own

    def at(self, point: Point) -> Point:
        """Page mm of a point of the board."""
        return (
            self.centre[0] + point[0] * self.scale,
            self.centre[1] - point[1] * self.scale,
        )

    def fill(self, points: Sequence[Point], colour: Rgb) -> None:
        """A filled polygon."""
        if self._seen(points):
            self.document.fill([self.at(p) for p in points], colour)

    def line(
        self,
        points: Sequence[Point],
        colour: Rgb,
        width: float,
        *,
        closed: bool = False,
        dash: tuple[float, float] | None = None,
    ) -> None:
        """A line ``width`` mm wide."""
        if self._seen(points, width):
            self.document.stroke(
                [self.at(p) for p in points], colour, width * self.scale, closed=closed, dash=dash
            )

    def disc(
        self,
        at: Point,
        radius: float,
        fill: Rgb | None = None,
        line: Rgb | None = None,
        width: float = 0.4,
    ) -> None:
        """A circle."""
        low = (at[0] - radius, at[1] - radius)
        if self._seen([low, (at[0] + radius, at[1] + radius)], width):
            self.document.disc(self.at(at), radius * self.scale, fill, line, width * self.scale)

    def text(
        self,
        text: str,
        at: Point,
        capital: float,
        colour: Rgb = INK,
        *,
        bold: bool = True,
        turn: float = 0.0,
        room: float | None = None,
    ) -> None:
        """Text with its middle at ``at``; ``capital``: height of its capitals in mm.

        ``turn``: degrees counter-clockwise.
        """
        reach = capital * max(len(text), 2)
        low, high = (at[0] - reach, at[1] - reach), (at[0] + reach, at[1] + reach)
        if not self._seen([low, high]):
            return
        size = capital / CAPITAL * self.scale
        wide = self.document.width_of(text, size, bold)
        if room is not None and wide > room * self.scale:
            size *= room * self.scale / wide
        x, y = self.at(at)
        drop = size * CAPITAL / 2
        angle = math.radians(turn)
        base = (x + drop * math.sin(angle), y + drop * math.cos(angle))
        self.document.write(text, base, size, colour, bold=bold, align="middle", turn=turn)

    def paint(self, shapes: Iterable[BoardShape], ink: Callable[[BoardShape], Rgb]) -> None:
        """Shapes of a display list, one over the other."""
        for shape in shapes:
            if shape.form == "text":
                self.text(shape.text, shape.points[0], shape.reach[1], ink(shape))
            elif shape.form == "circle":
                self.disc(shape.points[0], shape.reach[0], ink(shape))
            elif shape.width > 0:
                closed = shape.form == "polygon"
                self.line(shape.points, ink(shape), shape.width, closed=closed)
            else:
                self.fill(shape.outline, ink(shape))

    def sticker(self, dictionary: str, sticker: int, at: Point, side: float) -> None:
        """A sticker with its rim; a grey hint of one where the board is shown small."""
        reach = side / 2 + rim_of(dictionary, side)
        low, high = (at[0] - reach, at[1] - reach), (at[0] + reach, at[1] + reach)
        if not self._seen([low, high]):
            return
        if self.scale != 1.0:
            self.fill(box_points(at, (2 * reach, 2 * reach)), PAPER)
            self.fill(box_points(at, (side, side)), INK)
            self.fill(box_points(at, (side / 3, side / 3)), PAPER)
            return
        whole = self.own is None or (
            self.own[0] <= low[0]
            and self.own[1] <= low[1]
            and high[0] <= self.own[2]
            and high[1] <= self.own[3]
        )
        draw_sticker(self.document, dictionary, sticker, self.at(at), side, whole=whole)

    # -- patterns -----------------------------------------------------------------------------

    def pattern(
        self, points: Sequence[Point], name: str, colour: Rgb, gap: float = 2.2, width: float = 0.22
    ) -> None:
        """Fill a polygon with the pattern ``name`` of ``colours.MARKS``."""
        if not self._seen(points):
            return
        if name == "waves":
            self.hatch(points, 0.0, gap, colour, width)
        elif name == "slanted":
            self.hatch(points, 45.0, gap, colour, width)
        elif name == "upright":
            self.hatch(points, 90.0, gap, colour, width)
        elif name == "crossed":
            self.hatch(points, 45.0, gap * 1.25, colour, width)
            self.hatch(points, 135.0, gap * 1.25, colour, width)
        elif name == "dots":
            self.dots(points, gap, width * 1.7, colour)

    def hatch(
        self, points: Sequence[Point], angle: float, gap: float, colour: Rgb, width: float
    ) -> None:
        """Parallel lines within a polygon; ``angle`` in degrees from the horizontal."""
        turn = math.radians(angle)
        along, across = (math.cos(turn), math.sin(turn)), (-math.sin(turn), math.cos(turn))
        heights = [p[0] * across[0] + p[1] * across[1] for p in points]
        for number in range(math.ceil(min(heights) / gap), math.floor(max(heights) / gap) + 1):
            height = number * gap
            for start, end in self._inside(points, along, across, height):
                if end - start > 0.2:
                    self.line(
                        [
                            (along[0] * s + across[0] * height, along[1] * s + across[1] * height)
                            for s in (start, end)
                        ],
                        colour,
                        width,
                    )

    def dots(self, points: Sequence[Point], gap: float, radius: float, colour: Rgb) -> None:
        """Dots in a triangular grid within a polygon."""
        low = min(p[1] for p in points)
        high = max(p[1] for p in points)
        rise = gap * 0.9
        for row in range(math.ceil(low / rise), math.floor(high / rise) + 1):
            y = row * rise
            for start, end in self._inside(points, (1.0, 0.0), (0.0, 1.0), y):
                shift = gap / 2 * (row % 2)
                first = math.ceil((start + radius - shift) / gap)
                last = math.floor((end - radius - shift) / gap)
                for column in range(first, last + 1):
                    self.disc((column * gap + shift, y), radius, colour)

    @staticmethod
    def _inside(
        points: Sequence[Point], along: Point, across: Point, height: float
    ) -> list[tuple[float, float]]:
        """Stretches of a line at ``height`` inside a polygon: pairs of places along it."""
        cuts = []
        for one, other in pairwise([*points, points[0]]):
            h1 = one[0] * across[0] + one[1] * across[1] - height
            h2 = other[0] * across[0] + other[1] * across[1] - height
            if (h1 < 0) != (h2 < 0):
                part = h1 / (h1 - h2)
                s1 = one[0] * along[0] + one[1] * along[1]
                s2 = other[0] * along[0] + other[1] * along[1]
                cuts.append(s1 + (s2 - s1) * part)
        cuts.sort()
        return list(zip(cuts[::2], cuts[1::2], strict=False))

    def _seen(self, points: Sequence[Point], slack: float = 0.0) -> bool:
        if self.shown is None:
            return True
        xs, ys = [p[0] for p in points], [p[1] for p in points]
        left, bottom, right, top = self.shown
        return (
            max(xs) + slack >= left
            and min(xs) - slack <= right
            and max(ys) + slack >= bottom
            and min(ys) - slack <= top
        )


def arc(at: Point, radius: float, start: float, end: float, step: float = 3.0) -> list[Point]:
    """Points on a circle from ``start`` to ``end``, degrees."""
    count = max(2, math.ceil(abs(end - start) / step))
    turns = [math.radians(start + (end - start) * k / count) for k in range(count + 1)]
    return [(at[0] + radius * math.cos(t), at[1] + radius * math.sin(t)) for t in turns]
