"""The supply beside the virtual table: pieces out of the camera's sight, to be dragged in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kivy.graphics import InstructionGroup
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.presentation.virtual_table import Stock
from companion.ui.drawing.pieces import PieceLook, draw_piece
from companion.ui.theme.style import TEXT, style
from companion.ui.widgets.base import Card, Key, Letters

__all__ = ["StockPiece", "SupplyTray"]

_CELL = 1.25
"""Width of a piece's cell, in finger sizes."""


class StockPiece(Widget):  # type: ignore[misc]
    """One kind with its number; a finger that comes down on it takes a piece."""

    def __init__(
        self, stock: Stock, take: Callable[[str, Any], None], name: str = "", **kwargs: Any
    ) -> None:
        """``name``: what the piece is called, if that is not what is printed on it."""
        super().__init__(**kwargs)
        self.stock, self._take, self.name = stock, take, name
        self._drawing = InstructionGroup()
        self.canvas.add(self._drawing)
        self._count = Letters(
            text=str(stock.count), font_name=TEXT, font_size=style.type_xs, color=style.ash,
            size_hint=(None, None),
        )  # fmt: skip
        self._count.texture_update()
        self._count.size = self._count.texture_size
        self.add_widget(self._count)
        self.bind(pos=self._draw, size=self._draw)

    def on_touch_down(self, touch: Any) -> bool:
        if not self.collide_point(touch.ox, touch.oy):
            return False
        self._take(self.stock.kind.id, touch)
        return True

    def _draw(self, *_: Any) -> None:
        self._drawing.clear()
        room = self._count.width + style.grid
        px = min((self.width - room) * 0.8, self.height * 0.7) / max(self.stock.kind.size)
        at = (self.x + (self.width - room) / 2, self.y + self.height / 2)
        draw_piece(self._drawing, self.stock.kind, at, px, PieceLook(name=self.name))
        # Right beside the piece, so that it is clear whose number it is.
        left = at[0] + max(self.stock.kind.size[0] * px / 2, style.grid) + style.grid
        left = min(left, self.right - self._count.width)
        self._count.pos = (left, at[1] - self._count.height / 2)


class SupplyTray(Card):
    """One line of kinds, with keys to turn the page if there are more; ``take`` hears of the
    kind and the finger that takes a piece of it."""

    def __init__(self, take: Callable[[str, Any], None], **kwargs: Any) -> None:
        kwargs.setdefault("size_hint_y", None)
        super().__init__(fill="stone", line="edge", **kwargs)
        self.height = style.target
        self._take = take
        self.stock: tuple[Stock, ...] = ()
        self.names: Mapping[str, str] = {}
        self.page = 0
        self._line = BoxLayout(spacing=style.grid, size_hint=(None, None))
        self.add_widget(self._line)
        self.bind(pos=self._place, size=self._resized)

    @property
    def each(self) -> int:
        """How many kinds fit on a page."""
        keys = 2 * style.target if self._needs_pages else 0
        return max(int((self.width - keys) // (style.target * _CELL)), 1)

    @property
    def pages(self) -> int:
        """How many pages there are, at least one."""
        return max(-(-len(self.stock) // self.each), 1)

    def show(self, stock: Sequence[Stock], names: Mapping[str, str]) -> None:
        """Show what waits beside the board; ``names``: what cards are called, by kind."""
        if tuple(stock) != self.stock or names != self.names:
            self.stock, self.names = tuple(stock), names
            self._fill()

    def turn_page(self, by: int) -> None:
        """Show other kinds; after the last page comes the first."""
        self.page = (self.page + by) % self.pages
        self._fill()

    @property
    def _needs_pages(self) -> bool:
        return bool(len(self.stock) * style.target * _CELL > self.width)

    def _resized(self, *_: Any) -> None:
        self._fill()
        self._place()

    def _fill(self) -> None:
        self._line.clear_widgets()
        self.page = min(self.page, self.pages - 1)
        each = self.each
        shown = self.stock[self.page * each : (self.page + 1) * each]
        cells = [
            StockPiece(stock, self._take, self.names.get(stock.kind.id, "")) for stock in shown
        ]
        widgets: list[Widget] = [*cells, *(Widget() for _missing in range(each - len(cells)))]
        if self._needs_pages:
            widgets.insert(0, self._key("‹", -1))
            widgets.append(self._key("›", 1))
        for widget in widgets:
            self._line.add_widget(widget)

    def _key(self, sign: str, by: int) -> Key:
        return Key(
            "", lambda: self.turn_page(by), symbol=sign, size_hint=(None, None),
            size=(style.target, style.target),
        )  # fmt: skip

    def _place(self, *_: Any) -> None:
        self._line.pos, self._line.size = self.pos, self.size
