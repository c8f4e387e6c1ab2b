"""Kinds of pieces to choose from, each a key: the piece, its name, and how many are left."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from kivy.graphics import Color, SmoothLine

from companion.ui.drawing.ink import text_texture
from companion.ui.drawing.numbered_cards import Rect, rounded
from companion.ui.drawing.pieces import PieceLook, draw_piece, draw_text
from companion.ui.theme.style import style
from companion.ui.widgets.pressed_cards import LaidCards
from rules.box import PieceKind

__all__ = ["KindKeys", "KindTile"]

_MOST_BESIDE = 3
"""So many beside each other where not all have room in one line."""
_LEAST, _HIGH = 3.6, 2.9
"""Least width, and height of a key, in lines of words."""


@dataclass(frozen=True, slots=True)
class KindTile:
    """What one key shows."""

    kind: PieceKind
    name: str
    left: int


class KindKeys(LaidCards):
    """Keys across ``width`` px; a touch calls ``press`` with a kind. The ``chosen`` one is framed,
    and of what is complete only a hook is left."""

    def __init__(
        self,
        tiles: Mapping[str, KindTile],
        chosen: str,
        press: Callable[[str], None],
        width: float,
    ) -> None:
        self.tiles, self.chosen = tiles, chosen
        self._words = round(style.caption)
        self._across = self._beside(width)
        lines = -(-len(tiles) // self._across)
        self._each = float(max(style.body * _HIGH, style.target))
        height = lines * (self._each + style.gap_s) - style.gap_s
        super().__init__(press, width, height)

    def _beside(self, width: float) -> int:
        """How many have room beside each other."""
        widest = max(text_texture(tile.name, self._words).width for tile in self.tiles.values())
        each = (width + style.gap_s) / len(self.tiles) - style.gap_s
        least = max(widest + 2 * style.grid, _LEAST * style.body)
        return len(self.tiles) if each >= least else _MOST_BESIDE

    def _laid(self) -> dict[str, Rect]:
        gap, each = style.gap_s, self._each
        wide = (self.width - (self._across - 1) * gap) / self._across
        found = {}
        for number, kind in enumerate(self.tiles):
            line, column = divmod(number, self._across)
            top = self.y + self.height - line * (each + gap)
            found[kind] = (self.x + column * (wide + gap), top - each, wide, each)
        return found

    def _draw(self, *_: Any) -> None:
        self._drawing.clear()
        for kind, cell in self.cells.items():
            self._draw_key(self.tiles[kind], cell, chosen=kind == self.chosen)

    def _draw_key(self, tile: KindTile, cell: Rect, *, chosen: bool) -> None:
        x, y, width, height = cell
        group = self._drawing
        group.add(Color(*style.tone("stone" if tile.left or chosen else "slate")))
        group.add(rounded(cell))
        group.add(Color(*style.tone("ask" if chosen else "edge")))
        frame = (x + 1, y + 1, width - 2, height - 2, style.radius * 0.55, 12)
        line = style.stroke * 0.8 if chosen else style.hairline * 0.7
        group.add(SmoothLine(rounded_rectangle=frame, width=line))
        middle, upper = x + width / 2, y + height * 0.68
        size = style.body * 1.9
        px = min(size, width * 0.5) / max(tile.kind.size)
        draw_piece(group, tile.kind, (middle - style.body * 0.6, upper), px, PieceLook())
        ink = style.tone("bone" if tile.left else "ash")
        at = (middle + size * 0.5, upper)
        if tile.left:
            draw_text(group, str(tile.left), at, style.body * 1.15, ink)
        else:
            draw_text(group, "✓", at, style.body, style.tone("ok"), 1.0, "symbol")
        draw_text(group, tile.name, (middle, y + height * 0.26), self._words, ink)
