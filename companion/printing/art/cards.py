"""Cards: what all of them share, and the base of the cards of single boxes.

The sticker is in the middle of the card, where the camera looks for it; what people read is above
and below.
"""

from __future__ import annotations

from companion.printing.canvas import Surface
from companion.printing.colours import INK, PAPER, Rgb, lighter, rgb
from companion.printing.marker import draw_sticker, rim_of
from companion.printing.names import kind_names
from companion.printing.sheet import Document, Frame
from rules.box import Box, PieceKind, box_points


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
        # A darker ground costs ink and shows wear; so lines on paper have to do.
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
