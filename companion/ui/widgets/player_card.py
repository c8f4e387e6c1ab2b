"""One player on one line: face, name, what is left of their pieces, and points."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.clock import Clock
from kivy.graphics import InstructionGroup
from kivy.uix.behaviors import ButtonBehavior

from companion.presentation.players import Player
from companion.ui.drawing.faces import draw_face, face_of, seat_of
from companion.ui.drawing.pieces import PieceLook, draw_piece, draw_text
from companion.ui.theme.lettering import Setting
from companion.ui.theme.style import style
from companion.ui.widgets.base import Card, Fitted
from rules.box import PieceKind

# -- points -----------------------------------------------------------------------------------

_FACE = 44.0
"""Maximum side of a face, at a short side of 480, px."""
_LARGE = 150.0
"""Width from which a name and points stand beside each other, at a short side of 480, px."""


class PointsCard(ButtonBehavior, Card):  # type: ignore[misc]
    """A player's name and points, which may be touched for what concerns them."""

    def __init__(
        self,
        player: Player,
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
        self.text = player.name
        large = width > _LARGE * style.factor
        side = min(self.height * (0.72 if large else 0.5), _FACE * style.factor)
        self._portrait = face_of(player, side, glow=look == "dawn")
        sizes = (style.figure, style.type_l, style.type_m, style.type_s)
        room = width - 2 * style.gap_s - (side + style.gap_s if not large else 0)
        tall = self.height * (0.9 if large else 0.6)
        sizes = tuple(size for size in sizes if size * 1.25 <= tall) or sizes[-1:]
        self._points = Fitted(player.score, sizes[0 if large else 1 :] or sizes, room)
        room = width - 2 * style.gap_s
        if large:
            room -= side + self._points.width + style.gap_s * 1.75
        self._name = Fitted(player.name, (style.type_s, style.type_xs), room)
        self._large = large
        for part in (self._portrait, self._name, self._points):
            self.add_widget(part)
        self.bind(pos=self._place, size=self._place)
        if press is not None:
            self.bind(on_release=lambda *_: press())

    def _place(self, *_: Any) -> None:
        left, right = self.x + style.gap_s, self.x + self.width - style.gap_s
        middle = self.y + self.height / 2
        upper = middle if self._large else self.y + self.height * 0.74
        lower = middle if self._large else self.y + self.height * 0.32
        self._portrait.pos = (left, lower - self._portrait.height / 2)
        if self._large:
            left += self._portrait.width + style.gap_s * 0.75
        self._name.pos = (left, upper - self._name.height / 2)
        self._points.pos = (right - self._points.width, lower - self._points.height / 2)


HEIGHT = 38.0
"""Height at a short side of 480, px."""
_MOST_SUMS = 3
_SUM_WIDTH = 44.0


def card_height(player: Player) -> float:
    """Height of a player's card, px."""
    score = Setting(player.score, style.type_s).extent[1]
    return float(max(HEIGHT * style.factor, score + style.grid))


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
        sizes = (style.type_s, style.type_xs)
        self._name, self._score = Fitted(player.name, sizes, 1), Fitted(player.score, sizes, 1e6)
        for label in (self._name, self._score):
            self.add_widget(label)
        self.active = active
        self.size_hint_y = None
        self.height = card_height(player)
        # Once per frame: a layout moves it several times.
        self._later = Clock.create_trigger(self._place, -1)
        self.bind(pos=self._later, size=self._later)
        self._later()

    def _place(self, *_: Any) -> None:
        unit, middle = style.factor, self.y + self.height / 2
        left, right = self.x + style.gap_s, self.x + self.width - 14 * unit
        self._score.pos = (right - self._score.width, middle - self._score.height / 2)
        face = self.height - 2 * style.grid
        name_left = left + face + style.gap_s
        room = self._score.x - style.gap_s - name_left - len(self._sums) * _SUM_WIDTH * unit
        self._name.fit(max(room, 1))
        self._name.pos = (name_left, middle - self._name.height / 2)
        self._drawing.clear()
        at, seat = (left + face / 2, middle), seat_of(self.player)
        draw_face(self._drawing, self.player.face, at, face, seat, glow=self.active)
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
        draw_text(self._drawing, str(count), beside, style.type_xs, style.tone("ash"))
