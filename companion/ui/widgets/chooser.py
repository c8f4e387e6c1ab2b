"""A small card beside the touched site: which of these moves was meant? It blocks nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from kivy.graphics import InstructionGroup
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.widget import Widget

from companion.match.view import TableView
from companion.ui.drawing.pieces import PieceLook, draw_piece
from companion.ui.model.touching import piece_of, sites_of
from companion.ui.theme.style import style
from companion.ui.widgets.base import Card, Key, Link, Words
from companion.ui.widgets.sheet import Column
from rules.box import Box, PieceKind
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
    """Offers ``moves``: as pieces if that is all they differ in, else as sentences."""

    def __init__(
        self,
        view: TableView,
        box: Box,
        moves: Sequence[Move],
        title: str,
        tell: Callable[[Move], str],
        play: Callable[[Move], None],
        close: Callable[[], None],
        width: float,
        most_height: float,
    ) -> None:
        super().__init__(fill="stone", line="ask", size_hint=(None, None))
        self.moves = tuple(moves)
        self._offsets: list[tuple[Widget, float, float]] = []
        pad, line = style.gap, style.target
        inner = width - 2 * pad
        pieces = [piece_of(move, view, box) for move in moves]
        kinds = [kind for kind in pieces if kind is not None]
        same_place = len({(m.verb, sites_of(m, box)) for m in moves}) == 1
        distinct = len({kind.id for kind in kinds}) == len(moves)
        top: list[Widget] = []
        if same_place and distinct and len(moves) <= 8:
            body_height = style.target
            cell = min(inner / len(moves), style.target * 1.4)
            start = (width - cell * len(moves)) / 2
            for number, (move, kind) in enumerate(zip(moves, kinds, strict=True)):
                key = PieceKey(
                    kind, move.player, partial(play, move), size_hint=(None, None),
                    size=(cell, style.target),
                )  # fmt: skip
                top.append(key)
                self._offset(key, start + number * cell, pad)
        else:
            rows = [Key(tell(move), partial(play, move), height=line) for move in moves]
            wanted = sum(row.height for row in rows) + style.gap_s * (len(rows) - 1)
            body_height = min(wanted, most_height - line - 2 * pad)
            scroll = Column(rows, style.gap_s)
            scroll.size_hint = (None, None)
            scroll.size = (inner, body_height)
            top.append(scroll)
            self._offset(scroll, pad, pad)
        away = Link("", close, symbol="✕", to_right=True)
        label = Words(
            title, font_size=style.type_xs, color=style.ash, width=inner - away.width - style.gap_s
        )
        height = pad + body_height + max(line * 0.8, label.height + style.gap_s)
        self.size = (width, height)
        head = height - max(line * 0.8, label.height + style.gap_s) / 2
        self._offset(label, pad, head - label.height / 2)
        self._offset(away, width - pad - away.width, head - away.height / 2)
        for widget in (*top, label, away):
            self.add_widget(widget)
        self.bind(pos=self._place)
        self._place()

    def _offset(self, widget: Widget, x: float, y: float) -> None:
        self._offsets.append((widget, x, y))

    def _place(self, *_: Any) -> None:
        for widget, x, y in self._offsets:
            widget.pos = (self.x + x, self.y + y)

    def on_touch_down(self, touch: Any) -> bool:
        super().on_touch_down(touch)
        return bool(self.collide_point(*touch.pos))
