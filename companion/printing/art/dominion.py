"""Dominion: a mat with a place for every pile, and every word turned to the player it is for."""

from __future__ import annotations

from companion.printing.art.board import BoardArt, edge
from companion.printing.colours import INK, lighter, mixed, tinted
from companion.printing.surface import Surface, box_points
from rules.box import Site, Stroke
from rules.telling import load_text

__all__ = ["DominionArt"]

SEATS = {"#33475f": "waves", "#603a36": "crossed", "#33553b": "dots", "#64572c": "slanted"}
"""Ground colours of the seats and their patterns."""
VEIL, GAIN = 0.28, 2.0
"""The mat is large and dark in the box file; this saves ink and keeps its colours."""


class DominionArt(BoardArt):
    """17 piles in the middle, four seats around."""

    def ground(self, surface: Surface) -> None:
        self.ground_ink = tinted(self.box.colours["board"], VEIL, GAIN)
        super().ground(surface)
        pale = lighter(self.ground_ink, 0.25)
        wide, high = self.box.size
        # a diaper of lozenges, as behind the figures of old manuscripts
        points = box_points((0, 0), (wide + 6, high + 6))
        surface.hatch(points, 60.0, 13.0, pale, 0.35)
        surface.hatch(points, 120.0, 13.0, pale, 0.35)

    def stroke(self, surface: Surface, stroke: Stroke) -> None:
        colour = tinted(stroke.colour, VEIL, GAIN)
        if stroke.role == "shield":
            # Strong colours on a dark board would stand out of the veil.
            colour = tinted(stroke.colour, 0.5, 1.0)
        if stroke.kind == "polygon":
            surface.fill(stroke.points, colour)
            if stroke.role == "seat ground":
                pattern = SEATS.get(stroke.colour, "plain")
                surface.pattern(stroke.points, pattern, edge(colour, 0.14), 4.0, 0.2)
            elif stroke.role == "shield":
                surface.line(stroke.points, edge(colour, 0.5), 0.4, closed=True)
        elif stroke.kind == "line":
            # Frames stay lighter than their places, as the box file has them.
            surface.line(stroke.points, lighter(colour, 0.5), stroke.width + 0.6)
        elif stroke.kind == "circle":
            surface.disc(stroke.points[0], stroke.width, colour)
            surface.disc(stroke.points[0], stroke.width, line=edge(colour, 0.45), width=0.4)
        else:
            surface.text(stroke.text, stroke.points[0], stroke.width, mixed(colour, INK, 0.8))

    def finish(self, surface: Surface) -> None:
        kinds = load_text("dominion", self.lang)["kinds"]
        quiet = edge(tinted(self.box.colours["pile"], VEIL, GAIN), 0.6)
        for site in self.box.sites.values():
            if site.kind == "pile":
                text = str(kinds.get(site.id, self.say("kingdom")))
                surface.text(text, self._top(site, 0.0, 5.2), 3.0, quiet, room=52)
            elif site.kind == "trash":
                surface.text(
                    self.say("place_trash"), self._top(site, 0.0, 5.2), 3.0, quiet, room=52
                )
            elif site.kind != "hand":
                self._seat_place(surface, site)

    def _seat_place(self, surface: Surface, site: Site) -> None:
        key = "place_" + site.kind.split()[0]
        turn = {"p0": 0.0, "p1": 270.0, "p2": 180.0, "p3": 90.0}[site.id.rpartition("-")[2]]
        ink = edge(tinted(self.box.colours["pile"], VEIL, GAIN), 0.6)
        room = max(site.size or (50.0, 50.0)) if turn % 180 == 0 else 50.0
        surface.text(self.say(key), self._top(site, turn, 5.2), 3.0, ink, turn=turn,
                     room=min(room, self._across(site, turn) - 8))  # fmt: skip

    @staticmethod
    def _across(site: Site, turn: float) -> float:
        wide, high = site.size or (2 * site.radius, 2 * site.radius)
        return wide if turn % 180 == 0 else high

    @staticmethod
    def _top(site: Site, turn: float, inset: float) -> tuple[float, float]:
        """The middle of the edge that is on top for a reader who sees it turned by ``turn``."""
        wide, high = site.size or (2 * site.radius, 2 * site.radius)
        way = {0.0: (0, 1), 90.0: (-1, 0), 180.0: (0, -1), 270.0: (1, 0)}[turn]
        return (
            site.at[0] + way[0] * (wide / 2 - inset),
            site.at[1] + way[1] * (high / 2 - inset),
        )
