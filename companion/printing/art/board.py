"""The printed board: what every board shares, and the base of the boards of single boxes.

The colours of the box file are kept, only lighter, and every ornament beyond the box file is thin
or faint: the camera knows the board from the box file.
"""

from __future__ import annotations

from companion.printing.canvas import Surface
from companion.printing.colours import INK, Rgb, mixed, pattern_of, tinted
from rules.box import BoardShape, Box, Site, Stroke, box_points, ring_points, stroke_shapes
from rules.texts import Texts

EDGE = 3.0
"""Width of the ground beyond the board, mm: for cuts that are not quite straight."""


class BoardArt:
    """Draws a board from its box file; boards with drawings of their own override the parts."""

    def __init__(self, box: Box, lang: str) -> None:
        self.box = box
        self.say = Texts("print", lang)
        self.lang = lang
        self.ground_ink = tinted(box.colours.get("board", "#c8ccb8"))

    def draw(self, surface: Surface) -> None:
        """Draw all of it, the corner stickers last."""
        self.ground(surface)
        for stroke in self.box.strokes:
            self.stroke(surface, stroke)
        for site in self.box.printed_sites:
            if site.shows:
                self.site(surface, site)
        self.finish(surface)
        for corner in self.box.corners:
            surface.sticker(self.box.dictionary, corner.id, corner.at, corner.size)

    def ground(self, surface: Surface) -> None:
        """Draws the ground below everything."""
        wide, high = self.box.size
        surface.fill(box_points((0, 0), (wide + 2 * EDGE, high + 2 * EDGE)), self.ground_ink)

    def stroke(self, surface: Surface, stroke: Stroke) -> None:
        """One element of the box file's drawing."""
        surface.paint(stroke_shapes(stroke, edge_mm=0.5), _ink)

    def site(self, surface: Surface, site: Site) -> None:
        """A place where something can lie: colour, pattern, outline, and its name if there is
        room for it beside a piece."""
        colour = self.site_ink(site)
        dark = edge(colour, 0.62)
        points = (
            ring_points(site.at, site.drawn, 64)
            if site.size is None
            else box_points(site.at, site.size, 3.0)
        )
        if site.size is None:
            surface.disc(site.at, site.drawn, colour)
        else:
            surface.fill(points, colour)
        surface.pattern(points, pattern_of(site.colour), edge(colour, 0.22))
        if site.size is None:
            surface.disc(site.at, site.drawn - 0.25, line=dark, width=0.5)
        else:
            surface.line(points, dark, 0.5, closed=True)
        self.name(surface, site)

    def name(self, surface: Surface, site: Site) -> None:
        """The site's name, small, at its lower rim."""
        if not site.label:
            return
        depth = site.drawn if site.size is None else site.size[1] / 2
        capital = max(1.8, min(2.8, depth * 0.14))
        surface.text(
            site.label, (site.at[0], site.at[1] - depth + capital + 0.6), capital, INK,
            room=depth * 1.2,
        )  # fmt: skip

    def finish(self, surface: Surface) -> None:
        """Draws what lies above the sites."""

    def site_ink(self, site: Site) -> Rgb:
        """The colour of a site on paper."""
        named = self.box.colour_of(site)
        return tinted(named) if named else mixed(self.ground_ink, INK, 0.16)


def _ink(shape: BoardShape) -> Rgb:
    if shape.role == "text":
        return INK
    colour = tinted(shape.colour, 0.1) if shape.role == "outline" else tinted(shape.colour)
    return edge(colour) if shape.role == "edge" else colour


def edge(colour: Rgb, part: float = 0.4) -> Rgb:
    """A darker tone of ``colour`` for its outline."""
    return mixed(colour, INK, part)
