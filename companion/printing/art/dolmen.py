"""Die Dolmengötter: circles of three shapes, each with its texture, and runes that lead around."""

from __future__ import annotations

import math

from companion.printing.art.board import BoardArt, edge
from companion.printing.canvas import Point, Surface
from companion.printing.colours import INK, lighter, mixed, tinted
from rules.box import Box, Site, Stroke, ring_points

RUNES: dict[str, tuple[tuple[tuple[float, float], ...], ...]] = {
    "A": (((0.3, 0), (0.3, 1), (0.8, 0.74)), ((0.3, 0.68), (0.8, 0.42))),
    "B": (((0.25, 0), (0.25, 1), (0.75, 0.76), (0.25, 0.5), (0.75, 0.26), (0.25, 0)),),
    "C": (((0.7, 1), (0.28, 0.5), (0.7, 0)),),
    "D": (((0.12, 0), (0.12, 1), (0.88, 0), (0.88, 1), (0.12, 0)),),
    "E": (((0.15, 0), (0.15, 1), (0.5, 0.68), (0.85, 1), (0.85, 0)),),
    "F": (((0.28, 0), (0.28, 1)), ((0.28, 0.6), (0.85, 0.95)), ((0.28, 0.3), (0.85, 0.65))),
    "G": (((0.12, 0), (0.88, 1)), ((0.12, 1), (0.88, 0))),
    "H": (((0.18, 0), (0.18, 1)), ((0.82, 0), (0.82, 1)), ((0.18, 0.62), (0.82, 0.38))),
    "I": (((0.5, 0), (0.5, 1)),),
    "J": (((0.5, 1), (0.18, 0.73), (0.45, 0.46)), ((0.52, 0.54), (0.82, 0.27), (0.5, 0))),
    "K": (((0.3, 0), (0.3, 1)), ((0.3, 0.42), (0.8, 0.92))),
    "L": (((0.32, 0), (0.32, 1), (0.78, 0.68)),),
    "M": (((0.14, 0), (0.14, 1), (0.86, 0.52)), ((0.86, 0), (0.86, 1), (0.14, 0.52))),
    "N": (((0.5, 0), (0.5, 1)), ((0.2, 0.66), (0.8, 0.38))),
    "O": (((0.12, 0), (0.8, 0.66), (0.5, 1), (0.2, 0.66), (0.88, 0)),),
    "P": (((0.8, 0.72), (0.5, 0.98), (0.2, 0.72), (0.2, 0.28), (0.5, 0.02), (0.8, 0.28)),),
    "Q": (((0.5, 1), (0.88, 0.5), (0.5, 0), (0.12, 0.5), (0.5, 1)),),
    "R": (((0.25, 0), (0.25, 1), (0.76, 0.76), (0.3, 0.52), (0.82, 0)),),
}
"""Strokes of each rune in a square of side 1, origin below left; letter → lines."""

TEXTURES = {"square": "slanted", "hexagon": "dots", "octagon": "waves"}


class DolmenArt(BoardArt):
    """28 circles, 74 places, 38 runes."""

    def __init__(self, box: Box, lang: str) -> None:
        super().__init__(box, lang)
        self.circle_inks = {
            stroke.sites[0]: tinted(stroke.colour)
            for stroke in box.strokes
            if stroke.role in TEXTURES and stroke.sites
        }

    def ground(self, surface: Surface) -> None:
        super().ground(surface)
        pale = lighter(self.ground_ink, 0.3)
        outer = [s for s in self.box.strokes if s.role == "side"]
        for stroke in outer:
            surface.line(stroke.points, pale, 9.0, closed=True)
        # grass in small tufts, in rows that nobody notices
        for row in range(-19, 20):
            for column in range(-22, 23):
                x, y = column * 10 + (row % 2) * 5.0, row * 10.3
                surface.line([(x - 0.8, y + 1.1), (x, y), (x + 0.9, y + 1.3)], pale, 0.25)

    def stroke(self, surface: Surface, stroke: Stroke) -> None:
        colour = tinted(stroke.colour)
        if stroke.role in TEXTURES:
            surface.fill(stroke.points, colour)
            gap = 3.4 if stroke.role == "octagon" else 2.8
            surface.pattern(stroke.points, TEXTURES[stroke.role], edge(colour, 0.13), gap, 0.2)
        elif stroke.role == "rune":
            self._rune(surface, stroke)
        elif stroke.role == "dolmen outline":
            surface.line(stroke.points, tinted(stroke.colour, 0.1), 1.3, closed=True)
        elif stroke.role == "factor":
            # In the circle's own hue: to the camera another one would be something lying there.
            ink = edge(self.circle_inks[stroke.sites[0]], 0.6)
            surface.text(f"×{stroke.text}", stroke.points[0], 5.4, ink)
        else:
            surface.line(stroke.points, tinted(stroke.colour), stroke.width, closed=True)

    def site(self, surface: Surface, site: Site) -> None:
        stone = tinted(self.box.colours["place"])
        surface.disc(site.at, site.drawn, stone)
        surface.disc(site.at, site.drawn - 0.25, line=edge(stone, 0.5), width=0.45)
        surface.line(
            ring_points(site.at, site.drawn - 1.5, 8, 22.5), edge(stone, 0.28), 0.3, closed=True
        )
        surface.text(site.label, site.at, 3.2, edge(stone, 0.62), bold=False)

    def _rune(self, surface: Surface, stroke: Stroke) -> None:
        at = stroke.points[0]
        lines = RUNES.get(stroke.text)
        if lines is None:
            surface.text(stroke.text, at, stroke.width)
            return
        surface.disc(at, 4.5, lighter(self.ground_ink, 0.6))
        surface.disc(at, 4.5, line=mixed(self.ground_ink, INK, 0.45), width=0.35)
        wide, high = 3.6, 5.4
        for line in lines:
            points = [(at[0] + (x - 0.5) * wide, at[1] + (y - 0.5) * high) for x, y in line]
            surface.line(points, INK, 0.7)
        surface.text(stroke.text, self._beside(at), 2.2, INK)

    def _beside(self, at: Point) -> Point:
        """Place of a rune's letter: beside it, as far from everything else as possible."""
        turns = [math.radians(a) for a in range(0, 360, 15)]
        return max(
            ((at[0] + 6.3 * math.cos(t), at[1] + 6.3 * math.sin(t)) for t in turns),
            key=self._free,
        )

    def _free(self, at: Point) -> float:
        """Free distance around a point, mm."""
        places = min(math.dist(at, site.at) for site in self.box.printed_sites) - 11
        edge = min(self.box.size[k] / 2 - abs(at[k]) for k in (0, 1))
        return min(places, edge)
