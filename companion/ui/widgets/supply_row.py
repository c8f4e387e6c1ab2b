"""The pieces in front of a player: keys that can be picked up, or their numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, InstructionGroup
from kivy.uix.widget import Widget

from companion.presentation.players import Player
from companion.ui.drawing.ink import Round, text_texture
from companion.ui.drawing.pieces import PieceLook, draw_piece, draw_text
from companion.ui.theme.style import style
from rules.box import PieceKind

_MOST_TOKENS = 8
"""Number of kinds of pieces above which they are counted, not shown one by one."""
_MOST_FIGURES = 10
_PER_LINE = 4
"""Number of figures beside each other, as long as one line will do."""
_CLOSE = 52.0
"""Width of a figure where one line would not do, at a short side of 480, px."""
_PICK, _COUNT = 52.0, 30.0
"""Height with pieces to pick up, and with figures, at a short side of 480, px."""


class SupplyRow(Widget):  # type: ignore[misc]
    """Pieces side by side; those that can be picked up call ``on_kind``."""

    def __init__(
        self, player: Player, picked: str, on_kind: Callable[[str], None] | None, width: float
    ) -> None:
        self.player, self._picked, self._on_kind = player, picked, on_kind
        self._one_by_one = _one_by_one(player)
        super().__init__(size_hint=(None, None), size=(width, supply_height(player, width)))
        self._drawing = InstructionGroup()
        self.canvas.add(self._drawing)
        self._touched: dict[int, int] = {}
        self._later = Clock.create_trigger(self._draw, -1)
        self.bind(pos=self._later, size=self._later)

    @staticmethod
    def holds(player: Player) -> bool:
        """True if anything lies in front of a player."""
        return bool(player.supply.tokens or player.supply.counters)

    @property
    def cells(self) -> list[tuple[str, tuple[float, float, float, float]]]:
        """Kind and place (x, y, width, height in px) of every piece that can be picked up."""
        if not self._one_by_one or self._on_kind is None:
            return []
        tokens = self.player.supply.tokens
        each = min(self.width / len(tokens), style.target * 1.4)
        return [
            (kind.id, (self.x + n * each, self.y, each, self.height))
            for n, (kind, _count) in enumerate(tokens)
        ]

    def on_touch_down(self, touch: Any) -> bool:
        if self.collide_point(*touch.pos):
            for number, (_, (x, y, w, h)) in enumerate(self.cells):
                if x <= touch.x < x + w and y <= touch.y < y + h:
                    self._touched[touch.uid] = number
                    return True
        return bool(super().on_touch_down(touch))

    def on_touch_up(self, touch: Any) -> bool:
        number = self._touched.pop(touch.uid, None)
        if number is None or self._on_kind is None:
            return bool(super().on_touch_up(touch))
        kind, (x, y, w, h) = self.cells[number]
        if x <= touch.x < x + w and y <= touch.y < y + h:
            self._on_kind(kind)
        return True

    # -- drawing --------------------------------------------------------------------------

    def _draw(self, *_: Any) -> None:
        self._drawing.clear()
        if self._one_by_one:
            self._draw_tokens()
        else:
            self._draw_figures()

    def _draw_tokens(self) -> None:
        tokens = self.player.supply.tokens
        each = min(self.width / len(tokens), style.target * 1.4)
        size = min(each * 0.84, self.height * 0.82)
        for number, (kind, count) in enumerate(tokens):
            at = (self.x + (number + 0.5) * each, self.y + self.height / 2)
            self._draw_token(kind, count, at, size)

    def _draw_token(
        self, kind: PieceKind, count: int, at: tuple[float, float], size: float
    ) -> None:
        group, px = self._drawing, size / max(kind.size)
        if kind.id == self._picked:
            side = size * 1.2
            group.add(Color(*style.tone("ask", 0.4)))
            corner = (at[0] - side / 2, at[1] - side / 2)
            group.add(Round(corner, (side, side), side * 0.3))
        for behind in range(min(count, 3) - 1, 0, -1):
            back = (at[0] + size * 0.1 * behind, at[1] + size * 0.06 * behind)
            draw_piece(group, kind, back, px, PieceLook(alpha=0.55, mark=False))
        draw_piece(group, kind, at, px)
        if count > 1:
            corner = (at[0] + size * 0.36, at[1] - size * 0.38)
            text, high = f"×{count}", style.caption * 1.05
            wide = text_texture(text, round(style.caption * 0.9)).width + style.grid
            group.add(Color(*style.tone("slate", 0.92)))
            group.add(Round((corner[0] - wide / 2, corner[1] - high / 2), (wide, high)))
            draw_text(group, text, corner, style.caption * 0.9, style.tone("bone"))

    def _draw_figures(self) -> None:
        """Draws the number of pieces of each group."""
        entries = _figures(self.player)
        across = _across(len(entries), self.width)
        each, size = self.width / across, 20.0 * style.factor
        line = self.height / _lines(len(entries), across)
        for number, (kind, count) in enumerate(entries):
            left = self.x + number % across * each
            middle = self.y + self.height - (number // across + 0.5) * line
            px = size / max(kind.size)
            at = (left + size / 2, middle)
            draw_piece(self._drawing, kind, at, px, PieceLook(mark=False))
            beside = (left + size + style.body * 0.95, middle)
            draw_text(self._drawing, str(count), beside, style.body, style.tone("bone"))


def supply_height(player: Player, width: float) -> float:
    """Height of the row of a player across ``width`` px, px."""
    count = len(_figures(player))
    lines = _lines(count, _across(count, width))
    return float((_PICK if _one_by_one(player) else _COUNT * lines) * style.factor)


def _one_by_one(player: Player) -> bool:
    """True if the pieces are shown, not counted."""
    return 0 < len(player.supply.tokens) <= _MOST_TOKENS


def _figures(player: Player) -> list[tuple[PieceKind, int]]:
    """Pieces that are counted, and how many there are."""
    supply = player.supply
    entries = [(kind, rest) for kind, rest, _total in supply.counters]
    if supply.tokens:
        entries.insert(0, (supply.tokens[0][0], sum(count for _, count in supply.tokens)))
    return entries[:_MOST_FIGURES]


def _across(count: int, width: float) -> int:
    if count <= _PER_LINE:
        return _PER_LINE
    return max(_PER_LINE, int(width // (_CLOSE * style.factor)))


def _lines(count: int, across: int) -> int:
    return max(1, -(-count // across))
