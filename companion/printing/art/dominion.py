"""Dominion: a mat with a place for every pile, each word turned to its player; and the cards."""

from __future__ import annotations

from companion.printing.art.board import BoardArt, edge
from companion.printing.art.cards import CardFaces
from companion.printing.canvas import Surface
from companion.printing.colours import ASH, INK, PAPER, Rgb, lighter, mixed, rgb, tinted
from companion.printing.sheet import Document, Frame
from rules.box import Box, PieceKind, Site, Stroke, box_points, ring_points
from rules.games.dominion import components as dominion
from rules.telling import load_text
from rules.texts import minus

SEATS = {"#33475f": "waves", "#603a36": "crossed", "#33553b": "dots", "#64572c": "slanted"}
"""Ground colours of the seats and their patterns."""
VEIL, GAIN = 0.28, 2.0
"""Lightening of the mat, which is large and dark in the box file: saves ink and keeps its
colours."""


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
            # Strong colours on a dark board would stand out from the veil.
            colour = tinted(stroke.colour, 0.5, 1.0)
        if stroke.kind == "polygon":
            surface.fill(stroke.points, colour)
            if stroke.role == "seat ground":
                pattern = SEATS.get(stroke.colour, "plain")
                surface.pattern(stroke.points, pattern, edge(colour, 0.14), 4.0, 0.2)
            elif stroke.role == "shield":
                surface.line(stroke.points, edge(colour, 0.5), 0.4, closed=True)
        elif stroke.kind == "line":
            # Frames stay lighter than their places, as in the box file.
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
        key = f"place_{site.kind.split()[0]}"
        turn = {"p0": 0.0, "p1": 270.0, "p2": 180.0, "p3": 90.0}[site.id.rpartition("-")[2]]
        ink = edge(tinted(self.box.colours["pile"], VEIL, GAIN), 0.6)
        room = max(site.size or (50.0, 50.0)) if turn % 180 == 0 else 50.0
        surface.text(self.say(key), self._top(site, turn, 5.2), 3.0, ink, turn=turn,
                     room=min(room, self._across(site, turn) - 8))  # fmt: skip

    @staticmethod
    def _across(site: Site, turn: float) -> float:
        wide, high = site.size or (2 * site.drawn, 2 * site.drawn)
        return wide if turn % 180 == 0 else high

    @staticmethod
    def _top(site: Site, turn: float, inset: float) -> tuple[float, float]:
        """The middle of the edge that is on top for a reader who sees it turned by ``turn``."""
        wide, high = site.size or (2 * site.drawn, 2 * site.drawn)
        way = {0.0: (0, 1), 90.0: (-1, 0), 180.0: (0, -1), 270.0: (1, 0)}[turn]
        return (
            site.at[0] + way[0] * (wide / 2 - inset),
            site.at[1] + way[1] * (high / 2 - inset),
        )


class DominionFaces(CardFaces):
    """Name, type, cost, what the card yields as figures, and its text in our own words."""

    def __init__(self, document: Document, box: Box) -> None:
        super().__init__(document, box)
        self.rules = load_text("dominion", document.lang)["rules"]

    def front(self, card: PieceKind, place: Frame) -> None:
        colour = rgb(card.colour)
        self.ground(place, lighter(colour, 0.25), lighter(colour, 0.78))
        say, document = self.document.say, self.document
        middle = place.left + place.width / 2
        document.write(self.names[card.id], (middle, place.top + 10.2), 5.0, INK, bold=True,
                       align="middle", room=place.width - 25)  # fmt: skip
        kinds = [t for t in ("action", "attack", "reaction", "treasure", "victory", "curse")
                 if card.id in dominion.of_type(t)]  # fmt: skip
        types = " · ".join(say(f"type_{name}") for name in kinds)
        document.write(types, (middle, place.top + 15.2), 2.9, ASH, align="middle",
                       room=place.width - 14)  # fmt: skip
        self._cost(dominion.COST[card.id], (place.left + 9.0, -(place.top + 9.0)))
        self._cost(dominion.COST[card.id], (place.right - 9.0, -(place.bottom - 9.0)))
        self._types(kinds, place, colour)
        if card.id in dominion.COINS and "treasure" in kinds:
            self._figure(f"{dominion.COINS[card.id]}", say("coins"), place, coin=True)
        elif card.id in dominion.POINTS:
            self._figure(minus(dominion.POINTS[card.id]), say("points"), place, coin=False)
        else:
            self._rule(card, place)
        self.sticker(card, place)

    def _cost(self, cost: int, at: tuple[float, float]) -> None:
        self.page.disc(at, 4.6, (240, 206, 110), (122, 92, 20), 0.45)
        self.page.disc(at, 3.8, line=(170, 134, 46), width=0.2)
        self.page.text(str(cost), at, 4.2, INK)

    def _types(self, kinds: list[str], place: Frame, colour: Rgb) -> None:
        """A pattern beside the sticker says the type without colour."""
        patterns = {"attack": "crossed", "reaction": "waves", "treasure": "dots",
                    "victory": "slanted", "curse": "upright"}  # fmt: skip
        name = next((patterns[k] for k in kinds if k in patterns), "plain")
        for share in (0.105, 0.895):
            strip = box_points(self.at(place, share, 0.5), (6.4, 37.0), 1.5)
            self.page.fill(strip, lighter(colour, 0.45))
            self.page.pattern(strip, name, mixed(colour, INK, 0.45), 1.9, 0.22)
            self.page.line(strip, mixed(colour, INK, 0.45), 0.25, closed=True)

    def _figure(self, figure: str, word: str, place: Frame, *, coin: bool) -> None:
        x, y = place.left + place.width / 2, -(place.bottom - 16.0)
        if coin:
            self.page.disc((x, y), 7.6, (246, 220, 140), (122, 92, 20), 0.5)
            self.page.line(ring_points((x, y), 6.5, 40), (170, 134, 46), 0.25, closed=True)
        else:
            shield = [(x - 7, y + 7), (x + 7, y + 7), (x + 7, y), (x + 5, y - 4.2), (x, y - 8),
                      (x - 5, y - 4.2), (x - 7, y)]  # fmt: skip
            self.page.fill(shield, PAPER)
            self.page.line(shield, (62, 92, 54), 0.55, closed=True)
        self.page.text(figure, (x, y + (0 if coin else 0.6)), 7.0, INK)
        self.document.write(word, (x, place.bottom - 4.4), 2.4, ASH, align="middle")

    def _rule(self, card: PieceKind, place: Frame) -> None:
        text = str(self.rules[f"8.4-{card.id}"]["text"])
        room, top = place.width - 11, place.top + place.height / 2 + 20.4
        deep = place.bottom - 4.0 - top
        for size in (3.1, 2.9, 2.7, 2.5, 2.35, 2.2, 2.05):
            # the coin at the lower right takes room from the last lines
            lines = self._wrapped(text, size, room, deep)
            if lines is not None:
                break
        else:
            lines = self.document.lines(text, size, room)
        y = top + size
        for line in lines:
            self.document.write(line, (place.left + 5.5, y), size, INK)
            y += size * 1.26

    def _wrapped(self, text: str, size: float, room: float, deep: float) -> list[str] | None:
        """Lines of the text, narrower where the cost is; None if they need more room."""
        words, lines = text.split(), [""]
        while words:
            base = size + (len(lines) - 1) * size * 1.26
            if base > deep:
                return None
            wide = room - 9.5 if base + 0.4 > deep - 10.0 else room
            longer = f"{lines[-1]} {words[0]}".strip()
            if self.document.width_of(longer, size) <= wide:
                lines[-1] = longer
                words.pop(0)
            else:
                lines.append("")
        return lines
