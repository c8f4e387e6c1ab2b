"""One player on one line: colour, name, what is left of their pieces, and points."""

from __future__ import annotations

from typing import Any

from kivy.clock import Clock
from kivy.graphics import InstructionGroup

from companion.presentation.players import Player
from companion.presentation.theme import tokens as theme
from companion.ui.drawing.pieces import PieceLook, draw_piece, draw_text
from companion.ui.theme.style import BOLD, style
from companion.ui.widgets.base import Card, Letters, drawn, fit_one_line
from rules.box import PieceKind

__all__ = ["PlayerCard"]

HEIGHT = 38.0
"""px at a short side of 480."""
_MOST_SUMS = 3
_SUM_WIDTH = 44.0


class PlayerCard(Card):
    """``narrow``: about half as wide as a column, without the pieces that are left."""

    def __init__(
        self, player: Player, *, active: bool, narrow: bool = False, **kwargs: Any
    ) -> None:
        super().__init__(
            fill="stone" if active else "slate", line="dawn" if active else "edge", **kwargs
        )
        if active:
            self.line_width = style.stroke * 0.6
        self.player, self._narrow = player, narrow
        self._drawing = InstructionGroup()
        self.canvas.add(self._drawing)
        self._name = self._label(player.name, style.body, style.tone("bone"))
        self._score = self._label(player.score, style.body * 1.1, style.tone("bone"))
        self.size_hint_y = None
        self.height = max(HEIGHT * style.factor, self._score.height + style.grid)
        # Once per frame: a layout moves it several times.
        self._later = Clock.create_trigger(self._place, -1)
        self.bind(pos=self._later, size=self._later)
        self._later()

    def _label(self, text: str, size: float, tone: theme.Rgba) -> Any:
        label = Letters(
            text=text, font_name=BOLD, font_size=size, color=tone, size_hint=(None, None),
            shorten=True, shorten_from="right", halign="left",
        )  # fmt: skip
        label.size = drawn(label)
        self.add_widget(label)
        return label

    def _place(self, *_: Any) -> None:
        unit, middle = style.factor, self.y + self.height / 2
        left, right = self.x + 14 * unit, self.x + self.width - 14 * unit
        self._score.pos = (right - self._score.width, middle - self._score.height / 2)
        name_left = left + 30 * unit if self.player.token is not None else left
        room = self._score.x - style.gap_s - name_left - len(self._sums) * _SUM_WIDTH * unit
        room = max(room, 1)
        if self._name.text_size[0] != room:
            body = style.body
            sizes = (body, body * 0.92, style.caption, style.caption * 0.88, style.caption * 0.76)
            self._name.font_size = fit_one_line(self._name.text, sizes, room)
            self._name.text_size = (room, None)
            self._name.size = drawn(self._name)
        self._name.pos = (name_left, middle - self._name.height / 2)
        self._draw(left, middle, unit)

    def _draw(self, left: float, middle: float, unit: float) -> None:
        group, kind = self._drawing, self.player.token
        group.clear()
        if kind is not None:
            px = 20 * unit / max(kind.size)
            at = (left + 10 * unit, middle)
            draw_piece(group, kind, at, px, PieceLook(self.player.seat, mark=False))
        x = self._score.x - style.gap_s - len(self._sums) * _SUM_WIDTH * unit
        for piece, count in self._sums:
            self._draw_sum(piece, count, (x + 7 * unit, middle), unit)
            x += _SUM_WIDTH * unit

    @property
    def _sums(self) -> list[tuple[PieceKind, int]]:
        """How many of each group there are."""
        supply = self.player.supply
        entries = [(kind, rest) for kind, rest, _ in supply.counters]
        if supply.tokens:
            entries.insert(0, (supply.tokens[0][0], sum(n for _, n in supply.tokens)))
        return [] if self._narrow else entries[:_MOST_SUMS]

    def _draw_sum(self, kind: PieceKind, count: int, at: tuple[float, float], unit: float) -> None:
        draw_piece(self._drawing, kind, at, 15 * unit / max(kind.size), PieceLook(mark=False))
        beside = (at[0] + 18 * unit, at[1])
        draw_text(self._drawing, str(count), beside, style.caption * 0.9, style.tone("ash"))
