"""One player on one line: colour, name, what is left of their pieces, and points."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.clock import Clock
from kivy.graphics import InstructionGroup
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.widget import Widget

from companion.presentation.players import Player
from companion.presentation.theme import tokens as theme
from companion.ui.drawing.pieces import PieceLook, draw_piece, draw_text
from companion.ui.theme.style import BOLD, style
from companion.ui.widgets.base import Card, Letters, drawn, fit_one_line
from rules.box import PieceKind

# -- points -----------------------------------------------------------------------------------

WORD_PX, POINTS_PX = 20.0, 40.0
"""Sizes of letters at a short side of 480, px."""


class PointsCard(ButtonBehavior, Card):  # type: ignore[misc]
    """A player's name and points, which may be touched for what concerns them."""

    def __init__(
        self,
        name: str,
        points: str,
        swatch: Widget,
        look: str,
        width: float,
        height: float,
        press: Callable[[], None] | None = None,
    ) -> None:
        super().__init__(
            fill="slate" if look == "edge" else "stone", line=look, size_hint=(None, None),
            size=(width, height * style.factor),
        )  # fmt: skip
        if look != "edge":
            self.line_width = style.stroke * 0.6
        self.text = name
        self._swatch = swatch
        large = width > 150 * style.factor
        px = POINTS_PX if large else 30.0
        self._points = _words(points, px)
        room = width - 2 * style.gap_s
        if large:
            room -= style.gap_s + swatch.width + self._points.width
        sizes = tuple(size * style.factor for size in (WORD_PX, 17.0, 14.0, 12.0))
        size = fit_one_line(name, sizes, room)
        self._name = _words(name, size / style.factor)
        if self._name.width > room:
            self._name.shorten, self._name.shorten_from = True, "right"
            self._name.size = self._name.text_size = (room, self._name.height)
        self._large = large
        for part in (swatch, self._name, self._points):
            self.add_widget(part)
        self.bind(pos=self._place, size=self._place)
        if press is not None:
            self.bind(on_release=lambda *_: press())

    def _place(self, *_: Any) -> None:
        left, right = self.x + style.gap_s, self.x + self.width - style.gap_s
        middle = self.y + self.height / 2
        upper = middle if self._large else self.y + self.height * 0.74
        lower = middle if self._large else self.y + self.height * 0.32
        self._swatch.pos = (left, lower - self._swatch.height / 2)
        if self._large:
            left += self._swatch.width + style.gap_s * 0.75
        self._name.pos = (left, upper - self._name.height / 2)
        self._points.pos = (right - self._points.width, lower - self._points.height / 2)


def _words(text: str, px: float) -> Any:
    """One line as large as it is drawn; ``px`` at a short side of 480."""
    label = Letters(
        text=text, font_name=BOLD, font_size=px * style.factor, color=style.bone,
        size_hint=(None, None),
    )  # fmt: skip
    label.size = drawn(label)
    return label


HEIGHT = 38.0
"""Height at a short side of 480, px."""
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
            draw_piece(group, kind, at, px, PieceLook(mark=False))
        x = self._score.x - style.gap_s - len(self._sums) * _SUM_WIDTH * unit
        for piece, count in self._sums:
            self._draw_sum(piece, count, (x + 7 * unit, middle), unit)
            x += _SUM_WIDTH * unit

    @property
    def _sums(self) -> list[tuple[PieceKind, int]]:
        """Number of pieces of each group."""
        supply = self.player.supply
        entries = [(kind, rest) for kind, rest, _ in supply.counters]
        if supply.tokens:
            entries.insert(0, (supply.tokens[0][0], sum(n for _, n in supply.tokens)))
        return [] if self._narrow else entries[:_MOST_SUMS]

    def _draw_sum(self, kind: PieceKind, count: int, at: tuple[float, float], unit: float) -> None:
        draw_piece(self._drawing, kind, at, 15 * unit / max(kind.size), PieceLook(mark=False))
        beside = (at[0] + 18 * unit, at[1])
        draw_text(self._drawing, str(count), beside, style.caption * 0.9, style.tone("ash"))
