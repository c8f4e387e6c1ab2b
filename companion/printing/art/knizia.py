"""Knizia's Stonehenge: fields like weathered stones, ley lines of light, a ring of pits."""

from __future__ import annotations

import math
import random

from companion.printing.art.board import BoardArt, edge
from companion.printing.canvas import Surface
from companion.printing.colours import INK, lighter, mixed, tinted
from rules.box import Site, Stroke, ring_points

PITS = 56
"""Number of the Aubrey holes of the real place."""


class KniziaArt(BoardArt):
    """18 fields, 15 ley lines."""

    def ground(self, surface: Surface) -> None:
        super().ground(surface)
        faint = mixed(self.ground_ink, INK, 0.13)
        pale = lighter(self.ground_ink, 0.35)
        half = self.box.size[0] / 2
        # contour lines of a hill whose top is the middle of the lattice
        for number, radius in enumerate(range(34, 250, 18)):
            bend = [
                (r * math.cos(t), r * math.sin(t) - 14)
                for t in (math.radians(a) for a in range(0, 361, 4))
                for r in (
                    radius
                    + 3.2 * math.sin(3 * t + number * 0.9)
                    + 2.2 * math.sin(5 * t - number * 0.6),
                )
            ]
            surface.line(bend, pale, 0.35)
        for number in range(PITS):
            turn = 2 * math.pi * number / PITS
            at = ((half - 6.5) * math.cos(turn), (half - 6.5) * math.sin(turn))
            surface.disc(at, 1.3, pale, faint, 0.25)

    def stroke(self, surface: Surface, stroke: Stroke) -> None:
        if stroke.role != "ley line":
            super().stroke(surface, stroke)
            return
        light = tinted(stroke.colour)
        surface.line(stroke.points, edge(light, 0.42), stroke.width)
        surface.line(stroke.points, light, stroke.width - 0.6)

    def site(self, surface: Surface, site: Site) -> None:
        if site.kind == "field":
            self._field(surface, site)
        else:
            self._end(surface, site)

    def _field(self, surface: Surface, site: Site) -> None:
        stone = tinted(self.box.colours["field"])
        dark = edge(stone, 0.62)
        surface.disc(site.at, site.drawn, stone)
        chance = random.Random(site.id)
        for _ in range(46):
            turn, out = chance.uniform(0, 2 * math.pi), 17.6 * math.sqrt(chance.random())
            at = (site.at[0] + out * math.cos(turn), site.at[1] + out * math.sin(turn))
            tone = edge(stone, 0.16) if chance.random() < 0.6 else lighter(stone, 0.3)
            surface.disc(at, chance.uniform(0.2, 0.7), tone)
        surface.disc(site.at, site.drawn - 0.25, line=dark, width=0.5)
        surface.disc(site.at, 15.4, line=lighter(stone, 0.55), width=0.5)
        for number in range(24):
            turn = math.radians(number * 15)
            out = (0.0 if number % 6 else 0.5) + 0.9
            start, end = site.drawn - 0.6, site.drawn - 0.6 - out
            surface.line(
                [(site.at[0] + r * math.cos(turn), site.at[1] + r * math.sin(turn))
                 for r in (start, end)], dark, 0.25,
            )  # fmt: skip
        surface.text(site.label, (site.at[0], site.at[1] - 16.8), 2.4, lighter(stone, 0.72))

    def _end(self, surface: Surface, site: Site) -> None:
        """An end of a line is eight-sided inside, so that it differs by more than its green."""
        green = tinted(self.box.colours["line end"])
        dark = edge(green, 0.6)
        surface.disc(site.at, site.drawn, green)
        surface.disc(site.at, site.drawn - 0.25, line=dark, width=0.5)
        inner = ring_points(site.at, site.drawn - 1.7, 8, 22.5)
        surface.fill(inner, lighter(green, 0.4))
        surface.line(inner, dark, 0.3, closed=True)
        surface.text(site.label, site.at, 5.0, mixed(dark, INK, 0.5))
