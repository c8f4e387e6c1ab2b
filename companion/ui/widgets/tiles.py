"""Tiles below the sentences they complete: the widgets for ``companion.presentation.choosing``.

There may be a hundred of them. A separate button for each would take a Raspberry Pi seconds, so a
section's tiles are one widget that draws them and knows which was touched.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby
from typing import Any

from kivy.graphics import Color, InstructionGroup, Rectangle
from kivy.uix.widget import Widget

from companion.presentation.choosing import Section, Tile
from companion.ui.drawing.ink import Round, text_texture
from companion.ui.theme.lettering import line_width
from companion.ui.theme.style import style
from companion.ui.widgets.base import fit_one_line
from companion.ui.widgets.rows import Press, Row, key_row, side_by_side, words_row

_MOST_COLUMNS = 6

Rect = tuple[float, float, float, float]
"""x, y, width, height in px."""


class TileGrid(Widget):  # type: ignore[misc]
    """Tiles in lines, as wide as the widget; each is a target of full size."""

    def __init__(
        self, tiles: Sequence[Tile], columns: int, press: Callable[[Tile], None], **kwargs: Any
    ) -> None:
        super().__init__(size_hint_y=None, height=grid_height(len(tiles), columns), **kwargs)
        self.tiles, self._columns, self._press = tuple(tiles), columns, press
        self._touched: dict[int, int] = {}
        self._drawing, self._glow = InstructionGroup(), InstructionGroup()
        self.canvas.add(self._drawing)
        self.canvas.add(self._glow)
        self.bind(pos=self._draw, size=self._draw)

    def cell(self, number: int) -> Rect:
        """Place of a tile."""
        line, column = divmod(number, self._columns)
        width = (self.width - style.gap_s * (self._columns - 1)) / self._columns
        top = self.y + self.height - line * (style.target + style.gap_s)
        return (
            self.x + column * (width + style.gap_s), top - style.target, width, style.target,
        )  # fmt: skip

    def on_touch_down(self, touch: Any) -> bool:
        number = self._at(touch)
        if number is None:
            return bool(super().on_touch_down(touch))
        self._touched[touch.uid] = number
        self._shine(number)
        return True

    def on_touch_up(self, touch: Any) -> bool:
        number = self._touched.pop(touch.uid, None)
        if number is None:
            return bool(super().on_touch_up(touch))
        self._glow.clear()
        if self._at(touch) == number:
            self._press(self.tiles[number])
        return True

    def _at(self, touch: Any) -> int | None:
        if not self.collide_point(*touch.pos):
            return None
        for number in range(len(self.tiles)):
            x, y, width, height = self.cell(number)
            if x <= touch.x < x + width and y <= touch.y < y + height:
                return number
        return None

    def _shine(self, number: int) -> None:
        x, y, width, height = self.cell(number)
        self._glow.add(Color(*style.tone("bone", 0.10)))
        self._glow.add(Round((x, y), (width, height), style.radius))

    def _draw(self, *_: Any) -> None:
        self._drawing.clear()
        for number, tile in enumerate(self.tiles):
            x, y, width, height = self.cell(number)
            add = self._drawing.add
            add(Color(*style.tone("stone")))
            add(Round((x, y), (width, height), style.radius))
            add(Color(*style.tone("edge")))
            inner = (width - 2, height - 2)
            add(Round((x + 1, y + 1), inner, style.radius, style.hairline * 0.55))
            word = text_texture(tile.text, round(_fitting(tile.text, width - style.gap_s)))
            add(Color(*style.tone("bone")))
            # What is still too long is drawn narrower rather than cut.
            wide = min(word.width, width - style.gap_s)
            at = (round(x + (width - wide) / 2), round(y + (height - word.height) / 2))
            add(Rectangle(texture=word, pos=at, size=(wide, word.height)))


def grid_height(count: int, columns: int) -> float:
    """Height of ``count`` tiles, px."""
    lines = -(-count // columns)
    return float(lines * style.target + (lines - 1) * style.gap_s)


def tile_rows(
    sections: Sequence[Section], width: float, press: Callable[[Tile], None]
) -> list[Row]:
    """Rows for a column ``width`` px wide.

    A tile that is a whole sentence is a button, since it may need two lines.
    """
    rows: list[Row] = []
    for whole, run in groupby(sections, key=lambda section: not section.title):
        if whole:
            rows += _sentences([tile for section in run for tile in section.tiles], width, press)
            continue
        for section in run:
            rows.append(words_row(section.title, width, font_size=style.type_xs, tone="ash"))
            tiles, columns = section.tiles, columns_of(section, width)
            rows.append(
                Row(
                    ("tiles", tiles, columns, press), grid_height(len(tiles), columns),
                    partial(TileGrid, tiles, columns, press),
                )
            )  # fmt: skip
    return rows


def columns_of(section: Section, width: float) -> int:
    """Number of tiles side by side that their words allow; in lines of much the same length."""
    longest = max(line_width(tile.text, style.type_xs) for tile in section.tiles)
    each = max(longest + style.gap, style.target)
    most = max(1, min(_MOST_COLUMNS, int((width + style.gap_s) / (each + style.gap_s))))
    lines = -(-len(section.tiles) // most)
    return -(-len(section.tiles) // lines)


def _sentences(tiles: Sequence[Tile], width: float, press: Callable[[Tile], None]) -> list[Row]:
    """Buttons below each other; short ones share a line."""
    half = (width - style.gap_s) / 2
    lines: list[Row] = []
    left: Row | None = None
    for tile in tiles:
        key = key_row(tile.text, Press(press, (tile,)), height=style.target, tile=tile)
        if _fitting(tile.text, half - 2 * style.gap_s) < style.type_s:
            lines += [key] if left is None else [left, key]
            left = None
        elif left is None:
            left = key
        else:
            lines.append(side_by_side([left, key]))
            left = None
    return lines if left is None else [*lines, left]


def _fitting(text: str, room: float) -> float:
    """The larger of two sizes in which the words stay on the tile."""
    return fit_one_line(text, (style.type_s, style.type_xs), room)
