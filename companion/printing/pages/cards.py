"""Cards to print and play: fronts and, on the page behind, their backs.

The backs are mirrored, so a printer that turns paper over its long side puts each behind its front.
"""

from __future__ import annotations

from companion.printing.art.cards import CardFaces
from companion.printing.art.designs import design_of
from companion.printing.colours import Rgb
from companion.printing.sheet import Document, Frame
from rules.box import Box, PieceKind

CUT: Rgb = (150, 150, 146)


def cards_of(box: Box) -> list[PieceKind]:
    """The front of every card of the box, as often as the box holds it."""
    backs = {kind.back for kind in box.kinds.values()}
    return [
        kind
        for kind in box.kinds.values()
        if kind.shape == "card" and kind.id not in backs
        for _ in range(kind.count)
    ]


def card_pages(document: Document, box: Box) -> None:
    """Add the pages with cards; none if the box has none."""
    cards = cards_of(box)
    if not cards:
        return
    faces = design_of(box.id).cards(document, box)
    wide = max(card.size[0] for card in cards)
    high = max(card.size[1] for card in cards)
    across = _fits(document, wide, high, True) > _fits(document, wide, high, False)
    each = _fits(document, wide, high, across)
    for first in range(0, len(cards), each):
        _sheet(document, faces, cards[first : first + each], (wide, high), across)


def _fits(document: Document, wide: float, high: float, across: bool) -> int:
    columns, rows = _grid(document.room(across), wide, high)
    return columns * rows


def _grid(frame: Frame, wide: float, high: float) -> tuple[int, int]:
    return int((frame.width + 1e-6) // wide), int((frame.height + 1e-6) // high)


def _sheet(
    document: Document,
    faces: CardFaces,
    cards: list[PieceKind],
    size: tuple[float, float],
    across: bool,
) -> None:
    for front in (True, False):
        title = document.say("cards_front" if front else "cards_back")
        frame = document.page("cards", title, across=across)
        columns, rows = _grid(frame, *size)
        left = frame.left + (frame.width - columns * size[0]) / 2
        top = frame.top + (frame.height - rows * size[1]) / 2
        places = []
        for number, card in enumerate(cards):
            row, column = divmod(number, columns)
            if not front:
                column = columns - 1 - column
            place = Frame(left + column * size[0], top + row * size[1], *size)
            places.append(place)
            if front:
                faces.front(card, place)
            else:
                faces.back(card, place)
        for place in places:
            document.pdf.set_draw_color(*CUT)
            document.pdf.set_line_width(0.12)
            document.pdf.rect(place.left, place.top, place.width, place.height, style="D")
