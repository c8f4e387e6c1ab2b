"""The Stonehenge anthology: ring of thirty fields, sixty pits, the centre, yards; number cards."""

from __future__ import annotations

import math

from companion.printing.art.board import BoardArt, edge
from companion.printing.art.cards import CardFaces
from companion.printing.canvas import Surface, arc
from companion.printing.colours import ASH, INK, PAPER, Rgb, lighter, mixed, pattern_of, rgb, tinted
from companion.printing.sheet import Frame
from rules.box import PieceKind, Site, Stroke, box_points, ring_points


class AnthologyArt(BoardArt):
    """Five games on one board."""

    sun = tinted("#e6bf3c")

    def ground(self, surface: Surface) -> None:
        super().ground(surface)
        pale = lighter(self.ground_ink, 0.3)
        for radius in (246.0, 262.0, 280.0, 300.0, 322.0, 346.0):
            surface.line(arc((0, 0), radius, 0, 360, 2), pale, 0.35)

    def stroke(self, surface: Surface, stroke: Stroke) -> None:
        colour = tinted(stroke.colour)
        if stroke.role == "field rim":
            name = self.box.sites[stroke.sites[0]].colour
            surface.fill(stroke.points, colour)
            surface.pattern(stroke.points, pattern_of(name), _mark(colour), 2.6, 0.26)
            surface.line(stroke.points, edge(colour, 0.4), 0.3, closed=True)
        elif stroke.role == "number field":
            surface.fill(stroke.points, lighter(colour, 0.25))
            surface.line(stroke.points, edge(colour, 0.3), 0.25, closed=True)
        elif stroke.role == "field number":
            at = stroke.points[0]
            ink = edge(tinted("#a49e8e"), 0.68)
            surface.text(stroke.text, at, 6.6, ink, turn=_outward(at))
        elif stroke.role == "bank":
            super().stroke(surface, stroke)
            surface.disc((0, 0), stroke.width, line=edge(colour, 0.4), width=0.4)
        elif stroke.role == "meadow":
            super().stroke(surface, stroke)
            pale = lighter(colour, 0.32)
            for radius in range(12, 138, 9):
                surface.line(arc((0, 0), radius, 0, 360, 4), pale, 0.25)
            surface.disc((0, 0), stroke.width, line=edge(colour, 0.35), width=0.35)
        elif stroke.role == "zone border":
            surface.line(stroke.points, INK, 0.8)
        elif stroke.role == "lettering":
            surface.text(stroke.text, stroke.points[0], 9.0, mixed(self.ground_ink, INK, 0.75))
        elif stroke.kind == "line":
            surface.line(stroke.points, colour, stroke.width)
        else:
            super().stroke(surface, stroke)

    def site(self, surface: Surface, site: Site) -> None:
        draw = {
            "ring field": self._ring_field,
            "pit day": self._day,
            "pit night": self._night,
            "trilithon field": self._trilithon,
            "dolerite field": self._dolerite,
            "altar": self._altar,
            "yard": self._yard,
        }.get(site.kind)
        if draw is None:
            super().site(surface, site)
        else:
            draw(surface, site)

    def _ring_field(self, surface: Surface, site: Site) -> None:
        colour = self.site_ink(site)
        surface.disc(site.at, site.drawn, colour)
        surface.disc(site.at, site.drawn - 2.6, line=_mark(colour), width=0.3)
        surface.disc(site.at, site.drawn - 0.25, line=edge(colour, 0.5), width=0.4)

    def _day(self, surface: Surface, site: Site) -> None:
        stone = self.site_ink(site)
        dark = edge(stone, 0.5)
        surface.disc(site.at, site.drawn, lighter(stone, 0.35))
        surface.disc(site.at, site.drawn - 0.25, line=edge(stone, 0.62), width=0.5)
        surface.disc(site.at, 3.1, mixed(stone, self.sun, 0.3), dark, 0.4)
        for number in range(12):
            turn = math.radians(30 * number)
            surface.line(
                [(site.at[0] + r * math.cos(turn), site.at[1] + r * math.sin(turn))
                 for r in (4.3, 6.0)], dark, 0.4,
            )  # fmt: skip
        self._pit_name(surface, site, dark)

    def _night(self, surface: Surface, site: Site) -> None:
        sky = self.site_ink(site)
        surface.disc(site.at, site.drawn, sky)
        surface.disc(site.at, site.drawn - 0.25, line=edge(sky, 0.62), width=0.5)
        moon = lighter(sky, 0.33)
        surface.disc(site.at, 4.6, moon)
        surface.disc((site.at[0] + 2.0, site.at[1] + 1.1), 3.7, sky)
        self._pit_name(surface, site, moon)

    @staticmethod
    def _pit_name(surface: Surface, site: Site, ink: Rgb) -> None:
        """The number of its field at the rim that looks inwards."""
        out = math.hypot(*site.at)
        way = (-site.at[0] / out * 7.7, -site.at[1] / out * 7.7)
        at = (site.at[0] + way[0], site.at[1] + way[1])
        surface.text(site.label, at, 1.9, ink, turn=_outward(site.at))

    def _trilithon(self, surface: Surface, site: Site) -> None:
        stone = self.site_ink(site)
        dark = edge(stone, 0.62)
        surface.disc(site.at, site.drawn, lighter(stone, 0.3))
        surface.disc(site.at, site.drawn - 0.25, line=dark, width=0.5)
        surface.disc(site.at, site.drawn - 2.2, line=edge(stone, 0.25), width=0.3)
        x, y = site.at
        line = edge(stone, 0.42)
        fill = lighter(stone, 0.65)
        for side in (-1, 1):
            foot = [(x + side * 9.5, y - 9), (x + side * 3.6, y - 9),
                    (x + side * 4.2, y + 5), (x + side * 9.0, y + 5)]  # fmt: skip
            surface.fill(foot, fill)
            surface.line(foot, line, 0.45, closed=True)
        cap = [(x - 11.5, y + 5.3), (x + 11.5, y + 5.3), (x + 10.6, y + 11), (x - 10.6, y + 11)]
        surface.fill(cap, fill)
        surface.line(cap, line, 0.45, closed=True)
        surface.text(site.label, (x, y - 16.5), 4.0, INK)

    def _dolerite(self, surface: Surface, site: Site) -> None:
        stone = self.site_ink(site)
        surface.disc(site.at, site.drawn, stone)
        points = ring_points(site.at, site.drawn - 1.6, 6, 0)
        surface.line(points, edge(stone, 0.25), 0.3, closed=True)
        surface.disc(site.at, site.drawn - 0.25, line=edge(stone, 0.5), width=0.4)
        surface.text(site.label, site.at, 2.6, edge(stone, 0.5))

    def _altar(self, surface: Surface, site: Site) -> None:
        stone = self.site_ink(site)
        wide, high = site.size or (2 * site.drawn, 2 * site.drawn)
        points = box_points(site.at, (wide, high), 4.0)
        surface.fill(points, lighter(stone, 0.3))
        inner = box_points(site.at, (wide - 6, high - 6), 2.5)
        surface.line(inner, edge(stone, 0.25), 0.35, closed=True)
        surface.line(points, edge(stone, 0.64), 0.5, closed=True)
        surface.text(self.say("altar"), (site.at[0], site.at[1] - high / 2 + 6.2), 3.2, INK)

    def _yard(self, surface: Surface, site: Site) -> None:
        ground = self.site_ink(site)
        wide, high = site.size or (2 * site.drawn, 2 * site.drawn)
        points = box_points(site.at, (wide, high), 3.0)
        surface.fill(points, lighter(ground, 0.15))
        for number in range(1, 6):
            x = site.at[0] - wide / 2 + number * wide / 6
            surface.line([(x, site.at[1] - high / 2), (x, site.at[1] + high / 2)],
                         edge(ground, 0.2), 0.3)  # fmt: skip
        surface.line(points, edge(ground, 0.62), 0.5, closed=True)
        plate = (site.at[0], site.at[1] - high / 2 + 6.0)
        text = self.say("yard", name=site.id)
        surface.fill(box_points(plate, (30.0, 6.0), 1.5), lighter(ground, 0.6))
        surface.text(text, plate, 2.8, INK, room=27)


class AnthologyFaces(CardFaces):
    """Number, day or night, colour of the field; and trilithon cards."""

    def front(self, card: PieceKind, place: Frame) -> None:
        name = card.id.removeprefix("card ")
        colour = rgb(card.colour)
        self._band(card, place, colour)
        if name.startswith("t-"):
            ink = mixed(colour, INK, 0.75)
            self.trilithon(self.at(place, 0.5, 0.155), place.width * 0.12, ink, PAPER)
        else:
            night = name.startswith("n")
            self._number(card, place, night)
        middle = place.left + place.width / 2
        self.document.write(
            self.names[card.id], (middle, place.bottom - 8.6), 3.0, INK, bold=True, align="middle",
            room=place.width - 9,
        )  # fmt: skip
        self.document.write(
            self.document.say(f"colour_{card.signed}"), (middle, place.bottom - 5.0), 2.4,
            ASH, align="middle",
        )  # fmt: skip
        self.sticker(card, place)

    def _band(self, card: PieceKind, place: Frame, colour: Rgb) -> None:
        """The card's ground, and its colour with its pattern to the left and right."""
        vivid = rgb(self.box.kinds.get(f"disc {card.signed}", card).colour)
        if card.signed == "black":
            vivid = (96, 94, 92)
        night = card.id.startswith("card n")
        self.ground(place, lighter(vivid, 0.45), lighter(mixed(colour, (90, 96, 130), 0.25), 0.78)
                    if night else lighter(colour, 0.72))  # fmt: skip
        for share in (0.11, 0.89):
            strip = box_points(self.at(place, share, 0.5), (4.4, place.height - 9))
            self.page.fill(strip, lighter(vivid, 0.5))
            self.page.pattern(strip, pattern_of(card.signed), mixed(vivid, INK, 0.35), 1.6,
                              0.22)  # fmt: skip
            self.page.line(strip, mixed(vivid, INK, 0.4), 0.25, closed=True)

    def _number(self, card: PieceKind, place: Frame, night: bool) -> None:
        middle = place.left + place.width / 2
        self.document.write(card.mark, (middle + 4.2, place.top + 12.6), 9.5, INK, bold=True,
                            align="middle")  # fmt: skip
        x, y = middle - 7.2, -(place.top + 9.3)
        if night:
            self.page.disc((x, y), 3.0, (66, 72, 104))
            ground = lighter(mixed(rgb(card.colour), (90, 96, 130), 0.25), 0.78)
            self.page.disc((x + 1.5, y + 0.9), 2.5, ground)
            return
        gold: Rgb = (226, 178, 48)
        self.page.disc((x, y), 1.9, gold)
        for number in range(12):
            turn = math.pi * number / 6
            self.page.line(
                [(x + r * math.cos(turn), y + r * math.sin(turn)) for r in (2.4, 3.4)], gold, 0.4
            )


def _mark(colour: Rgb) -> Rgb:
    """The pattern on a colour: darker, but white on what is nearly black."""
    return edge(colour, 0.22) if sum(colour) > 3 * 120 else lighter(colour, 0.35)


def _outward(at: tuple[float, float]) -> float:
    """Degrees by which text is turned to stand upright when seen from the centre."""
    return math.degrees(math.atan2(at[1], at[0])) - 90.0
