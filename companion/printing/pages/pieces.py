"""Pieces to cut out: faces for flat ones, boxes to fold for those that stand.

The camera allows for the height of every sticker, so each piece says how high it must be.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter

from companion.printing.canvas import Point, Surface
from companion.printing.colours import (
    ASH,
    INK,
    PAPER,
    Rgb,
    brightness,
    lighter,
    mixed,
    pattern_of,
    rgb,
)
from companion.printing.marker import draw_sticker, rim_of
from companion.printing.names import kind_names
from companion.printing.sheet import Document, Frame
from rules.box import (
    Box,
    PieceKind,
    arrow_points,
    box_points,
    foot_points,
    ring_points,
    rings_of,
    span_of,
)

FOLDED = 10.0
"""Height from which pieces are boxes to fold, mm; lower ones are faces on thick card."""
TAB = 5.0
GAP = 4.0
TEXT = 6.0
LINTEL = 13.0
"""Height of a trilithon's capstone, mm; its pillars make up the rest."""
CUT: Rgb = (120, 120, 116)
FOLD: Rgb = (150, 150, 146)


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece to be printed."""

    kind: PieceKind
    sticker: int
    height: float
    """Height of the folded body in mm, 0 for a flat face."""
    number: int
    lying: int | None = None
    """Sticker on its sides, by which it is recognised when lying down."""


def pieces_of(box: Box) -> list[Piece]:
    """Every piece of the box that is not a card, in the order of the sheets."""
    pieces = []
    for kind in box.kinds.values():
        if kind.shape == "card" or not kind.stickers:
            continue
        height = kind.height if kind.height >= FOLDED and not kind.cells else 0.0
        if kind.shape == "arch":
            # With a disc in its hollow a trilithon is known by the disc; that is a separate face.
            height = 0.0 if kind.owner else LINTEL
        for number in range(kind.count):
            sticker = kind.stickers[number % len(kind.stickers)]
            lying = kind.lying_stickers
            side = lying[number % len(lying)] if lying else None
            pieces.append(Piece(kind, sticker, height, number + 1, side))
    return pieces


def piece_pages(document: Document, box: Box) -> None:
    """Add the sheets of pieces; none if the box has only cards."""
    writer = _Writer(document, box)
    key = attrgetter("kind.group", "height", "kind.cells")
    for _, group in groupby(pieces_of(box), key=key):
        writer.section(list(group))


class _Writer:
    """Sets pieces in rows, page after page."""

    def __init__(self, document: Document, box: Box) -> None:
        self.document = document
        self.box = box
        self.names = kind_names(box, document.lang)
        self.page = Surface(document, (0.0, 0.0))
        self.frame = Frame(0, 0, 0, 0)
        self.y = 0.0

    def section(self, pieces: list[Piece]) -> None:
        kind = pieces[0].kind
        wide, high = self._room(pieces[0])
        if self.y + 8 + high > self.frame.bottom:
            self._page()
        self._heading(kind, pieces)
        columns = max(1, int((self.frame.width + GAP) // (wide + GAP)))
        for first in range(0, len(pieces), columns):
            if self.y + high > self.frame.bottom + 0.01:
                self._page()
                self._heading(kind, pieces)
            for column, piece in enumerate(pieces[first : first + columns]):
                place = Frame(self.frame.left + column * (wide + GAP), self.y, wide, high - TEXT)
                if piece.height:
                    self._net(piece, place)
                else:
                    self._face(piece, (place.left + wide / 2, -(place.top + place.height / 2)))
                self._name(piece, place)
            self.y += high + 1.0
        self.y += 2.0

    def _page(self) -> None:
        self.frame = self.document.page("pieces", self.document.say("pieces"))
        self.y = self.frame.top

    def _heading(self, kind: PieceKind, pieces: Sequence[Piece]) -> None:
        say, document = self.document.say, self.document
        key = f"section_{kind.group}"
        title = say(key) if say.knows(key) else kind.group
        if kind.shape == "arch" and not pieces[0].height:
            text = say("make_disc")
        elif kind.shape == "arch":
            text = say("make_lintel", height=f"{kind.height:g}")
        elif pieces[0].height:
            text = say("make_box", height=f"{kind.height:g}")
        elif kind.group.endswith("back"):
            text = say("make_back")
        else:
            text = say("make_face", height=f"{kind.height:g}")
        x = self.frame.left
        document.write(title, (x, self.y + 4.2), 4.2, INK, bold=True)
        x += document.width_of(title, 4.2, True) + 3
        document.write(text, (x, self.y + 4.2), 2.7, ASH, room=self.frame.right - x)
        self.y += 7.5

    def _room(self, piece: Piece) -> Point:
        wide, high = self._top(piece.kind)
        if not piece.height:
            return max(wide, 14.0), high + TEXT
        return 2 * (wide + high) + TAB, 2 * TAB + 2 * high + piece.height + TEXT

    @staticmethod
    def _top(kind: PieceKind) -> Point:
        """Width and depth in mm of what the camera sees from above."""
        if kind.shape == "arch" and kind.owner:
            return 18.0, 18.0
        if kind.cells:
            return span_of(kind)[0]
        if kind.shape == "hexagon":
            return kind.size[0], kind.size[0] * 2 / math.sqrt(3)
        return kind.size

    def _name(self, piece: Piece, place: Frame) -> None:
        kind = piece.kind
        number = f"{piece.sticker} · {piece.number}/{kind.count}"
        x, room = place.left + place.width / 2, place.width + GAP - 1
        y = place.bottom + 2.4
        self.document.write(number, (x, y), 2.0, INK, bold=True, align="middle", room=room)
        self.document.write(self.names[kind.id], (x, y + 2.4), 1.9, ASH, align="middle", room=room)

    # -- faces ----------------------------------------------------------------------------------

    def _face(self, piece: Piece, at: Point) -> None:
        kind = piece.kind
        wide, high = self._top(kind)
        if kind.cells:
            (dx, dy), (wide, high) = span_of(kind)[1], kind.size
            at = (at[0] - dx, at[1] - dy)
            outline = [(at[0] + x, at[1] + y) for x, y in rings_of(kind)[0]]
        elif kind.shape == "octagon":
            outline = ring_points(at, wide / 2 / math.cos(math.pi / 8), 8, 22.5)
        elif kind.shape == "hexagon":
            outline = [(at[0] + x, at[1] + y) for x, y in foot_points(kind)]
        elif kind.shape in ("disc", "pawn"):
            outline = ring_points(at, wide / 2, 64)
        else:
            outline = box_points(at, (wide, high), 1.0)
        self._surface(kind, outline)
        if kind.turns:
            arrow = [(at[0] + x, at[1] + y) for x, y in arrow_points(kind)]
            self.page.fill(arrow, _ink_on(lighter(rgb(kind.colour), 0.25)))
        self._marks(kind, at, min(wide, high))
        self._sticker(piece, at)
        self.page.line(outline, CUT, 0.15, closed=True)

    def _surface(self, kind: PieceKind, outline: Sequence[Point]) -> None:
        colour = rgb(kind.colour)
        ground = lighter(colour, 0.25)
        self.page.fill(outline, ground)
        self.page.pattern(outline, pattern_of(kind.owner), _contrast(ground), 1.8, 0.24)

    def _marks(self, kind: PieceKind, at: Point, side: float) -> None:
        """The value, read from all four sides, between sticker and rim."""
        if not kind.mark or kind.mark == "?":
            return
        half = kind.sticker_mm / 2 + rim_of(self.box.dictionary, kind.sticker_mm)
        free = side / 2 - half
        capital = min(3.4, free - 0.9 if free > 3 else free - 0.45)
        if capital < 1.2:
            return
        ground = lighter(rgb(kind.colour), 0.25)
        for turn in (0.0, 90.0, 180.0, 270.0):
            angle = math.radians(turn - 90)
            out = half + free / 2
            spot = (at[0] + out * math.cos(angle), at[1] + out * math.sin(angle))
            self.page.disc(spot, free / 2 - 0.05, ground)
            self.page.text(kind.mark, spot, capital, _ink_on(ground), turn=turn)

    def _sticker(self, piece: Piece, at: Point) -> None:
        side = piece.kind.sticker_mm
        draw_sticker(self.document, self.box.dictionary, piece.sticker, (at[0], -at[1]), side)

    # -- boxes to fold ----------------------------------------------------------------------------

    def _net(self, piece: Piece, place: Frame) -> None:
        """Four sides in a strip, top and bottom on the first of them, tabs to glue."""
        kind, tall = piece.kind, piece.height
        wide, deep = self._top(kind)
        left, strip = place.left, -(place.top + TAB + deep)
        widths = (wide, deep, wide, deep)
        x = left
        for width in widths:
            self._surface(kind, _rect(x, strip, width, -tall))
            x += width
        self._surface(kind, _rect(left, strip, wide, deep))
        self._surface(kind, _rect(left, strip - tall, wide, -deep))
        tabs = [
            _tab((x, strip), (x, strip - tall)),
            _tab((left, strip + deep), (left + wide, strip + deep)),
            _tab((left + wide, strip - tall - deep), (left, strip - tall - deep)),
        ]
        for tab in tabs:
            self.page.line(tab, CUT, 0.15, closed=True)
            self.page.hatch(tab, 60.0, 1.6, (200, 200, 196), 0.15)
        for outline in (
            _rect(left, strip, wide, deep), _rect(left, strip - tall, wide, -deep),
            _rect(left, strip, sum(widths), -tall),
        ):  # fmt: skip
            self.page.line(outline, CUT, 0.15, closed=True)
        x = left
        for width in widths[:-1]:
            x += width
            self.page.line([(x, strip), (x, strip - tall)], PAPER, 0.3)
            self.page.line([(x, strip), (x, strip - tall)], FOLD, 0.15, dash=(1.4, 1.0))
        self._sticker(piece, (left + wide / 2, strip + deep / 2))
        if piece.lying is None:
            return
        x = left
        for width in widths:
            # Whichever side faces up when it is lying, the camera finds the sticker there.
            self._sticker(replace(piece, sticker=piece.lying), (x + width / 2, strip - tall / 2))
            x += width


def _rect(x: float, y: float, wide: float, high: float) -> list[Point]:
    return [(x, y), (x + wide, y), (x + wide, y + high), (x, y + high)]


def _tab(start: Point, end: Point) -> list[Point]:
    """A tab on the left of the line from ``start`` to ``end``, narrower outside."""
    length = math.dist(start, end)
    along = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
    out = (-along[1], along[0])
    slope = min(2.0, length / 4)
    return [
        start,
        (start[0] + along[0] * slope + out[0] * (TAB - 0.6),
         start[1] + along[1] * slope + out[1] * (TAB - 0.6)),
        (end[0] - along[0] * slope + out[0] * (TAB - 0.6),
         end[1] - along[1] * slope + out[1] * (TAB - 0.6)),
        end,
    ]  # fmt: skip


def _contrast(ground: Rgb) -> Rgb:
    return mixed(ground, INK, 0.3) if brightness(ground) > 0.35 else lighter(ground, 0.35)


def _ink_on(ground: Rgb) -> Rgb:
    return INK if brightness(ground) > 0.45 else PAPER
