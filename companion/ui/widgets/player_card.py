"""One player: colour, name, score and what still lies before him; his pieces can be picked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from kivy.graphics import Color, InstructionGroup, RoundedRectangle
from kivy.uix.label import Label

from companion.ui import theme
from companion.ui.style import BOLD, style
from companion.ui.widgets.base import Card
from companion.ui.widgets.pieces import draw_piece, draw_text, outline_box
from rules.box import Box, PieceKind

__all__ = ["PlayerCard", "Supply", "supply_of"]

_MOST_BOXES = 12
_MOST_TOKENS = 6


@dataclass(frozen=True, slots=True)
class Supply:
    """What lies before a player, as it is drawn."""

    tokens: tuple[tuple[PieceKind, int], ...]
    """Pieces with something printed on them, and how many."""
    counters: tuple[tuple[PieceKind, int, int], ...]
    """Plain pieces: how many are left, of how many."""


def supply_of(box: Box, colour: str, left: Mapping[str, int]) -> Supply:
    """Sort a player's supply by groups of the box."""
    tokens: list[tuple[PieceKind, int]] = []
    counters: list[tuple[PieceKind, int, int]] = []
    for kinds in box.kinds_of_group.values():
        own = [kind for kind in kinds if kind.owner == colour or kind.id in left]
        if not any(kind.id in left for kind in own) and (
            not own or any(kind.mark for kind in own) or not left
        ):
            continue
        if any(kind.mark for kind in own):
            tokens += [(kind, left[kind.id]) for kind in own if left.get(kind.id)]
        else:
            rest = sum(left.get(kind.id, 0) for kind in own)
            counters.append((own[0], rest, max(sum(kind.count for kind in own), rest)))
    return Supply(tuple(tokens), tuple(counters))


class PlayerCard(Card):
    """``shape``: ``full`` with pieces to pick, ``plain`` with small ones, ``row`` with neither."""

    HEIGHTS = {"full": 112.0, "plain": 92.0, "row": 40.0}

    def __init__(
        self,
        box: Box,
        seat: int,
        colour: str,
        name: str,
        score: str,
        supply: Supply,
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
        self.seat, self.shape, self.supply = seat, shape, supply
        self._box, self._colour, self._picked, self._on_kind = box, colour, picked, on_kind
        self._drawing = InstructionGroup()
        self.canvas.add(self._drawing)
        self._touched: dict[int, int] = {}
        tall = shape != "row"
        self._name = self._label(name, style.type_s, style.tone("bone"))
        big = style.type_m * 1.1 if tall else style.type_s
        self._score = self._label(score, big, style.tone("bone"))
        self.size_hint_y = None
        self.height = self._wanted_height()
        self.bind(pos=self._place, size=self._place)
        self._place()

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
        if self.shape == "row":
            return float(height * style.factor)
        if not self.supply.counters:
            height -= 25.0
        if not self._shows_tokens():
            height -= 44.0 if self.shape == "full" else 24.0
        return float(max(height, 44.0) * style.factor)

    def _shows_tokens(self) -> bool:
        return len(self.supply.tokens) > 0

    def _label(self, text: str, size: float, tone: theme.Rgba) -> Any:
        label = Label(
            text=text, font_name=BOLD, font_size=size, color=tone, size_hint=(None, None),
            shorten=True, shorten_from="right", halign="left",
        )  # fmt: skip
        label.texture_update()
        label.size = label.texture_size
        self.add_widget(label)
        return label

    def _place(self, *_: Any) -> None:
        unit = style.factor
        tall = self.shape != "row"
        top = self.y + self.height - (23 * unit if tall else self.height / 2)
        left, right = self.x + 14 * unit, self.x + self.width - 14 * unit
        self._score.pos = (right - self._score.width, top - self._score.height / 2)
        name_left = left + 30 * unit
        room = max(self._score.x - style.gap_s - name_left, 1)
        if not tall:
            room = min(room, 0.5 * self.width)
        if self._name.text_size[0] != room:
            self._name.text_size = (room, None)
            self._name.texture_update()
            self._name.size = self._name.texture_size
        self._name.pos = (name_left, top - self._name.height / 2)
        self._draw(left, top, unit)

    def _draw(self, left: float, top: float, unit: float) -> None:
        group = self._drawing
        group.clear()
        self._draw_token(group, (left + 10 * unit, top), 20 * unit)
        if self.shape == "row":
            self._draw_sums(group, top, unit)
            return
        y = top - 28 * unit
        if self.supply.counters:
            self._draw_counters(group, left, y, unit)
            y -= 25 * unit
        if not self._shows_tokens():
            return
        if len(self.supply.tokens) > _MOST_TOKENS:
            self._draw_sums(group, y, unit)
            return
        full = self.shape == "full"
        size = (34 if full else 18) * unit
        y = self.y + 26 * unit if full else y
        width = self.width / max(len(self.supply.tokens), _MOST_TOKENS)
        for number, (kind, count) in enumerate(self.supply.tokens):
            x = self.x + (number + 0.5) * width if full else left + (number * 1.35 + 0.5) * size
            self._draw_kind(group, kind, count, (x, y), size, full)

    def _draw_token(self, group: InstructionGroup, at: tuple[float, float], size: float) -> None:
        own = [kind for kind in self._box.kinds.values() if kind.owner == self._colour]
        if own:
            kind = next((k for k in own if k.shape in ("disc", "pawn", "octagon")), own[0])
            draw_piece(group, kind, at, size / max(kind.size), self.seat, mark=False)

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
            group.add(RoundedRectangle(pos=corner, size=(side, side), radius=[side * 0.3] * 4))
        shift = size * 0.13
        for behind in range(min(count, 3) - 1, 0, -1):
            back = (at[0] + shift * behind, at[1] + shift * behind * 0.5)
            draw_piece(group, kind, back, px, None, mark=False, alpha=0.55 if full else 0.5)
        draw_piece(group, kind, at, px, self.seat if full else None, alpha=1.0 if full else 0.9)
        if count > 3:
            at = (at[0] + size * 0.62, at[1] - size * 0.36)
            draw_text(group, f"×{count}", at, size * 0.36, style.tone("ash"))

    def _draw_counters(self, group: InstructionGroup, left: float, y: float, unit: float) -> None:
        x = left
        for kind, rest, total in self.supply.counters:
            wide, high = 13 * unit, 18 * unit
            if total > _MOST_BOXES:
                draw_piece(group, kind, (x + wide / 2, y), wide / max(kind.size), self.seat)
                draw_text(
                    group, f"{rest}", (x + wide + 16 * unit, y), style.type_xs, style.tone("ash")
                )
                x += wide + 44 * unit
                continue
            px = wide / (max(kind.size) * 0.92)
            for number in range(total):
                at = (x + wide / 2, y)
                if number < total - rest:
                    draw_piece(group, kind, at, px, self.seat)
                else:
                    group.add(Color(*style.tone("edge")))
                    outline_box(group, at, (wide, high))
                x += wide + 6 * unit
            x += 8 * unit

    def _draw_sums(self, group: InstructionGroup, y: float, unit: float) -> None:
        """How many of each group there are, where there is no room for more."""
        x = self.x + self.width * (0.62 if self.shape == "row" else 0.08)
        entries = [(kind, rest) for kind, rest, _ in self.supply.counters]
        if self.supply.tokens:
            entries.insert(0, (self.supply.tokens[0][0], sum(n for _, n in self.supply.tokens)))
        for kind, count in entries[:3]:
            px = 15 * unit / max(kind.size)
            draw_piece(group, kind, (x, y), px, None, mark=False)
            draw_text(group, str(count), (x + 17 * unit, y), style.type_xs, style.tone("ash"))
            x += 42 * unit
