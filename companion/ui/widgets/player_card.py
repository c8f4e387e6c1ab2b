"""One player: colour, name, score and what still lies in front of them, which can be picked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, InstructionGroup, SmoothRoundedRectangle

from companion.ui.drawing.pieces import PieceLook, draw_piece, draw_text, outline_box
from companion.ui.model.players import Player
from companion.ui.theme import tokens as theme
from companion.ui.theme.style import BOLD, style
from companion.ui.widgets.base import Card, Letters, drawn, fit_one_line
from rules.box import PieceKind

__all__ = ["PlayerCard"]

_MOST_BOXES = 12
_MOST_TOKENS = 6
_MOST_SUMS = 3
_SUM_WIDTH = 44.0


class PlayerCard(Card):
    """``shape``: ``full`` with pieces to pick, ``plain`` with small ones, ``row`` with figures.

    ``cell`` is half as wide as a row and has no room for figures.
    """

    HEIGHTS = {"full": 112.0, "plain": 92.0, "row": 37.0, "cell": 37.0}
    FLAT = ("row", "cell")

    def __init__(
        self,
        player: Player,
        *,
        shape: str,
        active: bool,
        picked: str = "",
        on_kind: Callable[[str], None] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            fill="stone" if active else "slate", line="dawn" if active else "edge", **kwargs
        )
        if active:
            self.line_width = style.stroke * 0.6
        self.player, self.supply, self.shape = player, player.supply, shape
        self._picked, self._on_kind = picked, on_kind
        self._drawing = InstructionGroup()
        self.canvas.add(self._drawing)
        self._touched: dict[int, int] = {}
        tall = shape not in self.FLAT
        self._name = self._label(player.name, style.type_s, style.tone("bone"))
        big = style.type_m if tall else style.type_s
        self._score = self._label(player.score, big, style.tone("bone"))
        self.size_hint_y = None
        self.height = self._wanted_height()
        # Once per frame: a layout moves it several times.
        self._later = Clock.create_trigger(self._place, -1)
        self.bind(pos=self._later, size=self._later)
        self._later()

    @property
    def cells(self) -> list[tuple[str, tuple[float, float, float, float]]]:
        """Kind and place (x, y, width, height in px) of every piece that can be picked."""
        tokens = self.supply.tokens
        if self.shape != "full" or not tokens or len(tokens) > _MOST_TOKENS:
            return []
        width = self.width / max(len(tokens), _MOST_TOKENS)
        height = max(style.target, 1.0)
        return [
            (kind.id, (self.x + n * width, self.y, width, height))
            for n, (kind, _) in enumerate(tokens)
        ]

    def on_touch_down(self, touch: Any) -> bool:
        if self._on_kind is not None and self.collide_point(*touch.pos):
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

    # -- private --------------------------------------------------------------------------

    def _wanted_height(self) -> float:
        height = self.HEIGHTS[self.shape]
        if self.shape in self.FLAT:
            return float(height * style.factor)
        if not self.supply.counters:
            height -= 25.0
        if not self._shows_tokens():
            height -= 44.0 if self.shape == "full" else 24.0
        return float(max(height, 44.0) * style.factor)

    def _shows_tokens(self) -> bool:
        return len(self.supply.tokens) > 0

    def _label(self, text: str, size: float, tone: theme.Rgba) -> Any:
        label = Letters(
            text=text, font_name=BOLD, font_size=size, color=tone, size_hint=(None, None),
            shorten=True, shorten_from="right", halign="left",
        )  # fmt: skip
        label.size = drawn(label)
        self.add_widget(label)
        return label

    def _place(self, *_: Any) -> None:
        unit = style.factor
        tall = self.shape not in self.FLAT
        top = self.y + self.height - (23 * unit if tall else self.height / 2)
        left, right = self.x + 14 * unit, self.x + self.width - 14 * unit
        self._score.pos = (right - self._score.width, top - self._score.height / 2)
        name_left = left + 30 * unit if self.player.token is not None else left
        room = max(self._score.x - style.gap_s - name_left, 1)
        if not tall:
            room = max(room - len(self._sums()) * _SUM_WIDTH * unit, 1)
        if self._name.text_size[0] != room:
            sizes = (style.type_s, style.type_s * 0.9, style.type_xs, style.type_xs * 0.86)
            self._name.font_size = fit_one_line(self._name.text, sizes, room)
            self._name.text_size = (room, None)
            self._name.size = drawn(self._name)
        self._name.pos = (name_left, top - self._name.height / 2)
        self._draw(left, top, unit)

    def _draw(self, left: float, top: float, unit: float) -> None:
        group = self._drawing
        group.clear()
        self._draw_token(group, (left + 10 * unit, top), 20 * unit)
        if self.shape in self.FLAT:
            x = self._score.x - style.gap_s - len(self._sums()) * _SUM_WIDTH * unit
            self._draw_sums(group, x, top, unit)
            return
        y = top - 28 * unit
        if self.supply.counters:
            self._draw_counters(group, left, y, unit)
            y -= 25 * unit
        if not self._shows_tokens():
            return
        if len(self.supply.tokens) > _MOST_TOKENS:
            self._draw_sums(group, left, y, unit)
            return
        full = self.shape == "full"
        size = (34 if full else 18) * unit
        y = self.y + 26 * unit if full else y
        width = self.width / max(len(self.supply.tokens), _MOST_TOKENS)
        for number, (kind, count) in enumerate(self.supply.tokens):
            x = self.x + (number + 0.5) * width if full else left + (number * 1.35 + 0.5) * size
            self._draw_kind(group, kind, count, (x, y), size, full)

    def _draw_token(self, group: InstructionGroup, at: tuple[float, float], size: float) -> None:
        kind = self.player.token
        if kind is not None:
            px = size / max(kind.size)
            draw_piece(group, kind, at, px, PieceLook(self.player.seat, mark=False))

    def _draw_kind(
        self,
        group: InstructionGroup,
        kind: PieceKind,
        count: int,
        at: tuple[float, float],
        size: float,
        full: bool,
    ) -> None:
        px = size / max(kind.size)
        if full and kind.id == self._picked:
            side = size * 1.26
            group.add(Color(*style.tone("ask", 0.28)))
            corner = (at[0] - side / 2, at[1] - side / 2)
            group.add(
                SmoothRoundedRectangle(pos=corner, size=(side, side), radius=[side * 0.3] * 4)
            )
        shift = size * 0.13
        for behind in range(min(count, 3) - 1, 0, -1):
            back = (at[0] + shift * behind, at[1] + shift * behind * 0.5)
            draw_piece(group, kind, back, px, PieceLook(alpha=0.55 if full else 0.5, mark=False))
        draw_piece(
            group, kind, at, px, PieceLook(self.player.seat) if full else PieceLook(alpha=0.9)
        )
        if count > 3:
            at = (at[0] + size * 0.62, at[1] - size * 0.36)
            draw_text(group, f"×{count}", at, size * 0.36, style.tone("ash"))

    def _draw_counters(self, group: InstructionGroup, left: float, y: float, unit: float) -> None:
        """A little box per piece, filled if it is on the table; figures if room is short."""
        boxes = {n for n, (_, _, total) in enumerate(self.supply.counters) if total <= _MOST_BOXES}
        wide, step, apart, sums = 13 * unit, 19 * unit, 8 * unit, 44 * unit
        room = self.x + self.width - left - 14 * unit

        def needed() -> float:
            return sum(
                total * step + apart if n in boxes else sums
                for n, (_, _, total) in enumerate(self.supply.counters)
            )

        while boxes and needed() > room + apart:
            boxes.remove(max(boxes, key=lambda n: self.supply.counters[n][2]))
        x = left
        for number, (kind, rest, total) in enumerate(self.supply.counters):
            if x + sums > left + room + apart and number not in boxes:
                break
            if number not in boxes:
                self._draw_sum(group, kind, rest, (x + wide / 2, y), unit)
                x += sums
                continue
            for place in range(total):
                at = (x + wide / 2, y)
                if place < total - rest:
                    draw_piece(
                        group, kind, at, wide / (max(kind.size) * 0.92), PieceLook(self.player.seat)
                    )
                else:
                    group.add(Color(*style.tone("edge")))
                    outline_box(group, at, (wide, 18 * unit))
                x += step
            x += apart

    def _sums(self) -> list[tuple[PieceKind, int]]:
        entries = [(kind, rest) for kind, rest, _ in self.supply.counters]
        if self.supply.tokens:
            entries.insert(0, (self.supply.tokens[0][0], sum(n for _, n in self.supply.tokens)))
        return entries[:_MOST_SUMS] if self.shape != "cell" else []

    def _draw_sums(self, group: InstructionGroup, x: float, y: float, unit: float) -> None:
        """How many of each group there are, if there is no room for more."""
        for kind, count in self._sums():
            self._draw_sum(group, kind, count, (x + 7 * unit, y), unit)
            x += _SUM_WIDTH * unit

    def _draw_sum(
        self,
        group: InstructionGroup,
        kind: PieceKind,
        count: int,
        at: tuple[float, float],
        unit: float,
    ) -> None:
        draw_piece(group, kind, at, 15 * unit / max(kind.size), PieceLook(mark=False))
        beside = (at[0] + 18 * unit, at[1])
        draw_text(group, str(count), beside, style.type_xs, style.tone("ash"))
