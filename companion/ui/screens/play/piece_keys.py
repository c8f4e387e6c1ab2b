"""Pieces side by side, each a button: which of them goes where the finger pointed?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.graphics import InstructionGroup
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion.match.view import TapMove
from companion.presentation.choosing import Offer
from companion.ui.drawing.pieces import PieceLook, draw_piece
from companion.ui.theme.style import style
from rules.box import PieceKind
from rules.core import Move

__all__ = ["PieceKey", "PieceKeys"]

_MOST_BESIDE = 4
_SIDE = 64.0
"""px at a short side of 480."""


class PieceKey(ButtonBehavior, Widget):  # type: ignore[misc]
    """A piece as a button that plays a move."""

    def __init__(
        self, kind: PieceKind, move: Move, post: Callable[[TapMove], object], **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.kind, self.move = kind, move
        self._drawing = InstructionGroup()
        self.canvas.add(self._drawing)
        self.bind(pos=self._draw, size=self._draw)
        self.bind(on_release=lambda *_: post(TapMove(move)))

    def _draw(self, *_: Any) -> None:
        self._drawing.clear()
        side = min(self.size) * 0.84
        px = side / max(self.kind.size)
        at = (self.x + self.width / 2, self.y + self.height / 2)
        draw_piece(self._drawing, self.kind, at, px, PieceLook(self.move.player))


class PieceKeys(FloatLayout):  # type: ignore[misc]
    """One key per move of an offer, in lines across ``width`` px."""

    def __init__(self, offer: Offer, post: Callable[[TapMove], object], width: float) -> None:
        count = len(offer.moves)
        lines = -(-count // _MOST_BESIDE)
        across = -(-count // lines)
        self._cell = (min(width / across, _SIDE * 1.5 * style.factor), _SIDE * style.factor)
        super().__init__(size_hint=(None, None), size=(width, lines * self._cell[1]))
        self._across = across
        self.keys = [
            PieceKey(kind, move, post, size_hint=(None, None), size=self._cell)
            for move, kind in zip(offer.moves, offer.pieces, strict=True)
        ]
        for key in self.keys:
            self.add_widget(key)
        self.bind(pos=self._place, size=self._place)
        self._place()

    def _place(self, *_: Any) -> None:
        wide, high = self._cell
        for number, key in enumerate(self.keys):
            line, column = divmod(number, self._across)
            key.pos = (self.x + column * wide, self.y + self.height - (line + 1) * high)
