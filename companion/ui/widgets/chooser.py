"""A small card beside the touched site: which of these moves was meant? It blocks nothing."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from kivy.graphics import InstructionGroup
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.widget import Widget

from companion.ui.drawing.pieces import PieceLook, draw_piece
from companion.ui.model.offer import Offer
from companion.ui.theme.style import style
from companion.ui.widgets.base import Card, Key, Link, Words
from companion.ui.widgets.sheet import Column
from rules.box import PieceKind
from rules.core import Move

__all__ = ["Chooser", "PieceKey"]


class PieceKey(ButtonBehavior, Widget):  # type: ignore[misc]
    """A piece as a button."""

    def __init__(
        self, kind: PieceKind, seat: int | None, press: Callable[[], None], **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.kind, self._seat = kind, seat
        self._drawing = InstructionGroup()
        self.canvas.add(self._drawing)
        self.bind(pos=self._draw, size=self._draw)
        self.bind(on_release=lambda *_: press())

    def _draw(self, *_: Any) -> None:
        self._drawing.clear()
        side = min(self.size) * 0.8
        px = side / max(self.kind.size)
        at = (self.x + self.width / 2, self.y + self.height / 2)
        draw_piece(self._drawing, self.kind, at, px, PieceLook(self._seat))


class Chooser(Card):
    """Offers moves: as pieces if that is all they differ in, else as sentences.

    ``width`` px wide, at most ``most_height`` px high. ``play`` hears of the move that is meant.
    """

    def __init__(
        self,
        offer: Offer,
        play: Callable[[Move], None],
        close: Callable[[], None],
        width: float,
        most_height: float,
    ) -> None:
        super().__init__(fill="stone", line="ask", size_hint=(None, None))
        self._offsets: list[tuple[Widget, float, float]] = []
        pad, line, inner = style.gap, style.target, width - 2 * style.gap
        if offer.pieces:
            body = self._pieces(offer, play, width)
        else:
            body = self._sentences(offer, play, inner, most_height - line - 2 * pad)
        away = Link("", close, symbol="✕", to_right=True)
        room = inner - away.width - style.gap_s
        label = Words(offer.title, font_size=style.type_xs, color=style.ash, width=room)
        top = max(line * 0.8, label.height + style.gap_s)
        self.size = (width, pad + body + top)
        head = self.height - top / 2
        self._put(label, pad, head - label.height / 2)
        self._put(away, width - pad - away.width, head - away.height / 2)
        self.bind(pos=self._place)
        self._place()

    def _pieces(self, offer: Offer, play: Callable[[Move], None], width: float) -> float:
        """The pieces side by side; returns their height, px."""
        pad, count = style.gap, len(offer.moves)
        cell = min((width - 2 * pad) / count, style.target * 1.4)
        start = (width - cell * count) / 2
        for number, (move, kind) in enumerate(zip(offer.moves, offer.pieces, strict=True)):
            key = PieceKey(
                kind, move.player, partial(play, move), size_hint=(None, None),
                size=(cell, style.target),
            )  # fmt: skip
            self._put(key, start + number * cell, pad)
        return float(style.target)

    def _sentences(
        self, offer: Offer, play: Callable[[Move], None], width: float, most_height: float
    ) -> float:
        """The sentences in a list that may scroll; returns its height, px."""
        rows = [
            Key(told, partial(play, move), height=style.target)
            for move, told in zip(offer.moves, offer.told, strict=True)
        ]
        wanted = sum(row.height for row in rows) + style.gap_s * (len(rows) - 1)
        column = Column(rows, style.gap_s)
        column.size_hint = (None, None)
        column.size = (width, min(wanted, most_height))
        self._put(column, style.gap, style.gap)
        return float(column.height)

    def _put(self, widget: Widget, x: float, y: float) -> None:
        self._offsets.append((widget, x, y))
        self.add_widget(widget)

    def _place(self, *_: Any) -> None:
        for widget, x, y in self._offsets:
            widget.pos = (self.x + x, self.y + y)

    def on_touch_down(self, touch: Any) -> bool:
        super().on_touch_down(touch)
        return bool(self.collide_point(*touch.pos))
