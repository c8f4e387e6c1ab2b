"""All numbered cards of a box at their places: columns in the colours of the board, suits beside or
below each other, what has no number at the end.

Sixty buttons of their own would take a Raspberry Pi too long, so this is one widget that draws them
and knows which was touched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from kivy.graphics import Color, InstructionGroup, Rectangle

from companion.presentation.cards import CardPlan
from companion.presentation.theme import tokens as theme
from companion.ui.drawing.ink import text_texture
from companion.ui.drawing.numbered_cards import CardLook, Rect, draw_card, suit_sign
from companion.ui.theme.style import style
from companion.ui.widgets.pressed_cards import PressedCards

HEADING_PX = 20.0
"""Size of letters at a short side of 480, px."""


@dataclass(frozen=True, slots=True)
class GridLook:
    """State of the grid's cards."""

    open: frozenset[str] = frozenset()
    """Cards that may be chosen."""
    chosen: tuple[str, ...] = ()


class CardGrid(PressedCards):
    """Fills its place; every touch of a card calls ``press`` with its name."""

    def __init__(
        self,
        plan: CardPlan,
        headings: Sequence[str],
        press: Callable[[str], None],
        **kwargs: Any,
    ) -> None:
        """``headings``: what the suits are called."""
        super().__init__(press, **kwargs)
        self._plan, self._headings = plan, tuple(headings)
        self.look = GridLook()
        self._words = InstructionGroup()
        self._faces: dict[str, tuple[object, InstructionGroup]] = {}
        self.canvas.add(self._words)
        for card in plan.kinds:
            self._faces[card] = (None, InstructionGroup())
            self.canvas.add(self._faces[card][1])
        self.canvas.add(self._glow)
        self.bind(pos=self._place, size=self._place)

    def show(self, look: GridLook) -> None:
        """Show these cards as open and chosen; only what changed is drawn."""
        self.look = look
        for card, cell in self.cells.items():
            self._draw_card(card, cell)

    def cell(self, card: str) -> Rect:
        """Place of a card."""
        return self.cells[card]

    # -- places ---------------------------------------------------------------------------

    @property
    def _beside(self) -> bool:
        """True if the suits stand beside each other."""
        return bool(self.width > self.height)

    def _place(self, *_: Any) -> None:
        self.between = self._gap / 2 + 1
        self.cells = dict(self._across() if self._beside else self._upright())
        self._draw_headings()
        self.show(self.look)

    def _across(self) -> Iterator[tuple[str, Rect]]:
        """The suits beside each other, the others in columns at the right."""
        plan, gap, part = self._plan, self._gap, style.gap_l
        rows, spare = self._rows, 1 if plan.others else 0
        more = -(-len(plan.others) // rows)
        columns = plan.columns * len(plan.suits) + more
        parts = len(plan.suits) - 1 + spare
        wide = (self.width - parts * part - (columns - 1 - parts) * gap) / columns
        high = (self.height - self._heading - (rows - 1) * gap) / rows
        top, left = self.y + self.height - self._heading, self.x
        for cards, across in [*((s.cards, plan.columns) for s in plan.suits), (plan.others, more)]:
            for number, card in enumerate(cards):
                row, column = divmod(number, max(across, 1))
                x, y = left + column * (wide + gap), top - row * (high + gap) - high
                yield card, (x, y, wide, high)
            left += across * (wide + gap) - gap + part

    def _upright(self) -> Iterator[tuple[str, Rect]]:
        """The suits below each other, the others in a row at the end."""
        plan, gap, part = self._plan, self._gap, style.gap
        lines = self._rows * len(plan.suits) + (1 if plan.others else 0)
        parts = len(plan.suits) - 1 + (1 if plan.others else 0)
        taken = len(plan.suits) * self._heading + parts * part + (lines - 1 - parts) * gap
        high, top = (self.height - taken) / lines, self.y + self.height
        wide = (self.width - (plan.columns - 1) * gap) / plan.columns
        for suit in plan.suits:
            top -= self._heading
            for number, card in enumerate(suit.cards):
                row, column = divmod(number, plan.columns)
                x, y = self.x + column * (wide + gap), top - row * (high + gap) - high
                yield card, (x, y, wide, high)
            top -= self._rows * (high + gap) - gap + part
        wide = (self.width - (len(plan.others) - 1) * gap) / max(len(plan.others), 1)
        for number, card in enumerate(plan.others):
            yield card, (self.x + number * (wide + gap), top - high, wide, high)

    @property
    def _rows(self) -> int:
        return -(-max(len(suit.cards) for suit in self._plan.suits) // self._plan.columns)

    @property
    def _gap(self) -> float:
        return float(style.grid * 1.5)

    @property
    def _heading(self) -> float:
        return float(HEADING_PX * style.factor * 1.45)

    # -- drawing --------------------------------------------------------------------------

    def _draw_headings(self) -> None:
        self._words.clear()
        for suit, heading in zip(self._plan.suits, self._headings, strict=True):
            x, y, _width, height = self.cells[suit.cards[0]]
            middle = y + height + self._heading / 2
            sign, tone = suit_sign(suit)
            symbol = text_texture(sign, round(HEADING_PX * 1.1 * style.factor), "symbol")
            self._put(symbol, style.tone(tone), (x + symbol.width / 2, middle))
            word = text_texture(heading, round(HEADING_PX * style.factor))
            left = x + symbol.width + style.gap_s
            self._put(word, style.tone("bone"), (left + word.width / 2, middle))

    def _put(self, texture: Any, ink: theme.Rgba, middle: tuple[float, float]) -> None:
        self._words.add(Color(*ink))
        x, y = round(middle[0] - texture.width / 2), round(middle[1] - texture.height / 2)
        self._words.add(Rectangle(texture=texture, pos=(x, y), size=texture.size))

    def _draw_card(self, card: str, cell: Rect) -> None:
        chosen = card in self.look.chosen
        able = chosen or card in self.look.open
        drawn, group = self._faces[card]
        look = (cell, chosen, able, style.look)
        if look == drawn:
            return
        self._faces[card] = (look, group)
        group.clear()
        draw_card(group, self._plan, card, cell, CardLook(able=able, chosen=chosen))
