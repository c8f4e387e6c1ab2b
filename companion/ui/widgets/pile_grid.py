"""The piles of a ledger as one widget that draws them and knows which was touched.

Eighteen buttons would take a Raspberry Pi too long to build with every touch.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kivy.graphics import Color, InstructionGroup, Rectangle

from companion.presentation.market import PileTile
from companion.presentation.theme import tokens as theme
from companion.ui.drawing.cards import SMALLEST, extent, write
from companion.ui.drawing.ink import Round, text_texture
from companion.ui.drawing.numbered_cards import Rect
from companion.ui.theme.style import style
from companion.ui.widgets.pressed_cards import PressedCards

NAME_PX, FIGURE_PX = 20.0, 30.0
"""Sizes of letters at a short side of 480, px."""
_HIGH, _HIGH_FIGURE_PX = 110.0, 60.0
"""Height from which a tile has room for a larger figure, and that figure's size, px."""
_FLAT = 56.0
"""Height below which a tile has one line for name and figure."""
_LEADING = 1.12
_TINTS: Mapping[str, str] = {
    "treasure": "dawn", "victory": "ok", "attack": "stop", "reaction": "ask", "trash": "ask",
}  # fmt: skip
_CURSE = theme.SAFE["purple"]


class PileGrid(PressedCards):
    """Tiles in ``columns``; they call ``press`` with their kind, dim ones too: that says why."""

    glow = 0.10

    def __init__(
        self,
        tiles: Sequence[PileTile],
        columns: int,
        press: Callable[[str], None] | None,
        **kwargs: Any,
    ) -> None:
        super().__init__(press, **kwargs)
        self.tiles, self._columns = tuple(tiles), columns
        self._drawing = InstructionGroup()
        self.canvas.add(self._drawing)
        self.canvas.add(self._glow)
        self.bind(pos=self._place, size=self._place)
        self._place()

    def show(self, tiles: Sequence[PileTile], press: Callable[[str], None] | None) -> None:
        """Show these tiles from now on."""
        self._press = press
        if tuple(tiles) != self.tiles:
            self.tiles = tuple(tiles)
            self._place()

    def cell(self, number: int) -> Rect:
        """Place of a tile."""
        line, column = divmod(number, self._columns)
        lines = -(-len(self.tiles) // self._columns)
        gap = style.gap_s * 0.75
        width = (self.width - gap * (self._columns - 1)) / self._columns
        height = (self.height - gap * (lines - 1)) / lines
        top = self.y + self.height - line * (height + gap)
        return self.x + column * (width + gap), top - height, width, height

    def _place(self, *_: Any) -> None:
        self.cells = {tile.kind: self.cell(number) for number, tile in enumerate(self.tiles)}
        self._draw()

    # -- drawing --------------------------------------------------------------------------

    def _outline(self, cell: Rect) -> Any:
        return _rounded(*cell)

    def _draw(self) -> None:
        self._drawing.clear()
        if self.width < style.target:
            return
        for number, tile in enumerate(self.tiles):
            draw_pile(self._drawing, tile, self.cell(number))


def draw_pile(drawing: Any, tile: PileTile, cell: Rect) -> None:
    """Add a tile to an instruction group."""
    ink = style.tone("bone" if tile.able else "ash")
    scarce = tile.scarce and tile.able
    _draw_ground(drawing, tile, cell, scarce)
    figure_ink = style.tone("stop") if scarce else ink
    if cell[3] < _FLAT * style.factor:
        _draw_flat(drawing, tile, cell, ink, figure_ink)
    else:
        _draw_words(drawing, tile, cell, ink, figure_ink)


def _draw_ground(drawing: Any, tile: PileTile, cell: Rect, scarce: bool) -> None:
    """The surface in the tint of its group, and a frame that says what happened to it."""
    x, y, width, height = cell
    add, tint = drawing.add, _tint(tile.group)
    add(Color(*theme.mix(style.tone("slate"), tint, 0.16 if tile.able else 0.05)))
    add(_rounded(x, y, width, height))
    edge = style.tone("dawn") if tile.badge else style.tone("stop") if scarce else None
    add(Color(*(edge or theme.mix(style.tone("edge"), tint, 0.42 if tile.able else 0.1))))
    line = style.hairline * (1.3 if edge else 0.7)
    add(Round((x + 1, y + 1), (width - 2, height - 2), style.radius * 0.8, line))


def _draw_words(
    drawing: Any, tile: PileTile, cell: Rect, ink: theme.Rgba, figure_ink: theme.Rgba
) -> None:
    """The name above the figure; below a name of two lines they change sides with the badge."""
    x, y, width, height = cell
    pad = style.gap_s * 1.1
    room, high = width - 2 * pad, height > _HIGH * style.factor
    large = _HIGH_FIGURE_PX if high else FIGURE_PX
    px = large if tile.figure.isdigit() else NAME_PX
    lines = _lines(tile, room)
    crossed = len(lines) > 1 and not high
    top = y + height - style.grid * 1.4
    for number, line in enumerate(lines):
        middle = top - NAME_PX * style.factor * _LEADING * (number + 0.5)
        beside = extent(tile.figure, px) + style.grid if crossed and number else 0.0
        write(drawing, line, NAME_PX, (x + pad, middle), room - beside, ink)
    level = y + style.grid + large * style.factor * 0.6
    at = (x + width - pad if crossed else x + pad, level)
    write(drawing, tile.figure, px, at, room, figure_ink, right=crossed)
    if tile.badge:
        side = x + pad * 0.8 if crossed else x + width - pad * 0.8
        _draw_badge(drawing, tile.badge, (side, y + pad * 0.8), right=not crossed)


def _draw_flat(
    drawing: Any, tile: PileTile, cell: Rect, ink: theme.Rgba, figure_ink: theme.Rgba
) -> None:
    """Name and figure beside each other, on a low tile."""
    x, y, width, height = cell
    pad, middle = style.gap_s, y + height / 2
    known = extent(tile.figure, NAME_PX) + style.gap_s if tile.figure else 0.0
    write(drawing, _joined(tile), NAME_PX, (x + pad, middle), width - 2 * pad - known, ink)
    if tile.figure:
        right = (x + width - pad, middle)
        write(drawing, tile.figure, NAME_PX, right, width, figure_ink, right=True)


def _draw_badge(drawing: Any, text: str, at: tuple[float, float], *, right: bool) -> None:
    """A pill whose lower left (or ``right``) corner is ``at``."""
    word = text_texture(text, round(NAME_PX * 0.9 * style.factor))
    width, height = word.width + style.gap_l, word.height + style.grid * 0.5
    add = drawing.add
    add(Color(*style.tone("dawn_fill")))
    left, bottom = at[0] - width if right else at[0], at[1]
    add(Round((left, bottom), (width, height)))
    add(Color(*style.tone("ink")))
    middle = (round(left + (width - word.width) / 2), round(bottom + style.grid * 0.25))
    add(Rectangle(texture=word, pos=middle, size=word.size))


def _lines(tile: PileTile, room: float) -> tuple[str, ...]:
    """The name on one line if it fits."""
    joined = _joined(tile)
    return (joined,) if extent(joined, NAME_PX) * SMALLEST <= room else tile.lines


def _joined(tile: PileTile) -> str:
    first, *more = tile.lines
    if not more:
        return first
    return first[:-1] + more[0] if first.endswith("-") else f"{first} {more[0]}"


def _tint(group: str) -> theme.Rgba:
    if group == "curse":
        return theme.rgba(_CURSE)
    return style.tone(_TINTS.get(group, "edge"))


def _rounded(x: float, y: float, width: float, height: float) -> Any:
    return Round((x, y), (width, height), style.radius * 0.8)
