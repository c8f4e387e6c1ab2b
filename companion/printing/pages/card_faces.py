"""The faces of cards, in a plain design of our own.

The sticker lies in the middle of the card, where the camera looks for it; what people read stands
above and below.
"""

from __future__ import annotations

import math

from companion.printing.colours import (
    ASH,
    INK,
    PAPER,
    Rgb,
    lighter,
    mixed,
    pattern_of,
    rgb,
)
from companion.printing.marker import draw_sticker, rim_of
from companion.printing.names import games_of, kind_names
from companion.printing.sheet import Document, Frame
from companion.printing.surface import Surface, box_points, ring_points
from rules.box import Box, PieceKind
from rules.games.dominion import material as dominion
from rules.telling import load_text

__all__ = ["CardFaces", "faces_of"]


class CardFaces:
    """Draws cards of a box that has no design of its own: name, mark, colour, sticker."""

    def __init__(self, document: Document, box: Box) -> None:
        self.document = document
        self.box = box
        self.names = kind_names(box, document.lang)
        self.page = Surface(document, (0.0, 0.0))

    def front(self, card: PieceKind, place: Frame) -> None:
        """Draw the front of a card."""
        colour = rgb(card.colour)
        self.ground(place, lighter(colour, 0.4), lighter(colour, 0.75))
        middle = place.left + place.width / 2
        self.document.write(
            self.names[card.id], (middle, place.top + 7.5), 3.4, INK, bold=True, align="middle",
            room=place.width - 8,
        )  # fmt: skip
        self.document.write(
            card.mark, (middle, place.bottom - 5), 6.0, INK, bold=True, align="middle",
            room=place.width - 8,
        )  # fmt: skip
        self.sticker(card, place)

    def back(self, card: PieceKind, place: Frame) -> None:
        """Draw the back of a card: standing stones, and the sticker that says face down."""
        kind = self.box.kinds[card.back] if card.back else None
        colour = rgb(kind.colour) if kind else (76, 90, 72)
        # A darker ground costs ink and shows wear; so lines on paper do.
        pale = lighter(colour, 0.62)
        self.ground(place, pale, pale)
        inner = box_points(self.at(place, 0.5, 0.5), (place.width - 6, place.height - 6), 2.0)
        self.page.hatch(inner, 45.0, 3.0, lighter(colour, 0.35), 0.25)
        self.page.hatch(inner, 135.0, 3.0, lighter(colour, 0.35), 0.25)
        self.page.line(inner, colour, 0.5, closed=True)
        for share in (0.15, 0.85):
            self.trilithon(self.at(place, 0.5, share), place.width * 0.105, colour, pale)
        if kind is not None:
            self.sticker(kind, place)

    # -- parts ----------------------------------------------------------------------------------

    def at(self, place: Frame, across: float, down: float) -> tuple[float, float]:
        """A point of the card in the coordinates of ``page``, which point up."""
        return (place.left + place.width * across, -(place.top + place.height * down))

    def ground(self, place: Frame, rim: Rgb, inside: Rgb) -> None:
        """The whole card, with a rim."""
        self.page.fill(box_points(self.at(place, 0.5, 0.5), (place.width, place.height)), rim)
        size = (place.width - 5, place.height - 5)
        self.page.fill(box_points(self.at(place, 0.5, 0.5), size, 2.5), inside)

    def sticker(self, kind: PieceKind, place: Frame) -> None:
        """The kind's sticker in the middle, on its white rim."""
        centre = (place.left + place.width / 2, place.top + place.height / 2)
        if not kind.stickers:
            return
        side = kind.sticker_mm
        outer = side + 2 * rim_of(self.box.dictionary, side) + 0.8
        self.page.fill(box_points((centre[0], -centre[1]), (outer, outer), 0.8), PAPER)
        draw_sticker(self.document, self.box.dictionary, kind.stickers[0], centre, side)

    def trilithon(self, at: tuple[float, float], size: float, ink: Rgb, ground: Rgb) -> None:
        """Two pillars and a capstone, ``size`` mm half wide."""
        self.page.disc(at, size * 1.35, ground, ink, 0.35)

        def scaled(*points: tuple[float, float]) -> list[tuple[float, float]]:
            return [(at[0] + x * size, at[1] + y * size) for x, y in points]

        for side in (-1, 1):
            self.page.fill(
                scaled((side * 0.85, -0.75), (side * 0.3, -0.75), (side * 0.36, 0.35),
                       (side * 0.8, 0.35)), ink,
            )  # fmt: skip
        self.page.fill(scaled((-1, 0.4), (1, 0.4), (0.92, 0.8), (-0.92, 0.8)), ink)


class NumberFaces(CardFaces):
    """The anthology's cards: number, day or night, colour of the field; and trilithon cards."""

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
            self.document.say(f"colour_{self._colour(card)}"), (middle, place.bottom - 5.0), 2.4,
            ASH, align="middle",
        )  # fmt: skip
        self.sticker(card, place)

    def _colour(self, card: PieceKind) -> str:
        """The colour name that belongs to the card; number cards have that of their field."""
        if card.owner:
            return card.owner
        site = self.box.sites.get(card.mark)
        return site.colour if site is not None else ""

    def _band(self, card: PieceKind, place: Frame, colour: Rgb) -> None:
        """The card's ground, and its colour with its pattern to the left and right."""
        vivid = rgb(self.box.kinds.get(f"disc {self._colour(card)}", card).colour)
        if self._colour(card) == "black":
            vivid = (96, 94, 92)
        night = card.id.startswith("card n")
        self.ground(place, lighter(vivid, 0.45), lighter(mixed(colour, (90, 96, 130), 0.25), 0.78)
                    if night else lighter(colour, 0.72))  # fmt: skip
        for share in (0.11, 0.89):
            strip = box_points(self.at(place, share, 0.5), (4.4, place.height - 9))
            self.page.fill(strip, lighter(vivid, 0.5))
            self.page.pattern(strip, pattern_of(self._colour(card)), mixed(vivid, INK, 0.35), 1.6,
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


class DominionFaces(CardFaces):
    """Name, type, cost, what the card gives as figures, and its text in our own words."""

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
            points = f"{dominion.POINTS[card.id]}".replace("-", "−")
            self._figure(points, say("points"), place, coin=False)
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
        """Lines of the text, narrower where the cost stands; None if they need more room."""
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


def faces_of(document: Document, box: Box) -> CardFaces:
    """The design for the cards of a box."""
    games = games_of(box)
    if games == ["dominion"]:
        return DominionFaces(document, box)
    if "card d1" in box.kinds and "card n1" in box.kinds:
        return NumberFaces(document, box)
    return CardFaces(document, box)
