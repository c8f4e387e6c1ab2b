"""A player's own cards beside the board, face up; each is touched to choose it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.presentation.hand_cards import HandCards
from companion.ui.drawing.numbered_cards import CardLook, Rect, draw_card
from companion.ui.theme.style import style
from companion.ui.widgets.pressed_cards import LaidCards

__all__ = ["CardRow"]

_MOST_BESIDE = 6
"""More cards than this take two lines."""
_HIGH, _WIDEST = 48.0, 52.0
"""px at a short side of 480."""


class CardRow(LaidCards):
    """Cards side by side across ``width`` px; a touch calls ``press`` with a card's name."""

    def __init__(self, hand: HandCards, press: Callable[[str], None], width: float) -> None:
        self.hand = hand
        self._lines = -(-len(hand.cards) // _MOST_BESIDE)
        self._across = -(-len(hand.cards) // self._lines)
        height = self._lines * (_HIGH * style.factor + style.gap_s) - style.gap_s
        super().__init__(press, width, height)

    def _laid(self) -> dict[str, Rect]:
        gap, high = style.gap_s, _HIGH * style.factor
        across = self._across
        wide = min((self.width - (across - 1) * gap) / across, _WIDEST * style.factor)
        found = {}
        for number, card in enumerate(self.hand.cards):
            line, column = divmod(number, across)
            top = self.y + self.height - line * (high + gap)
            found[card] = (self.x + column * (wide + gap), top - high, wide, high)
        return found

    def _draw(self, *_: Any) -> None:
        self._drawing.clear()
        picking = self.hand.picking
        for card, cell in self.cells.items():
            chosen = card in picking.chosen
            look = CardLook(able=chosen or card in self.hand.able, chosen=chosen, suit=True)
            draw_card(self._drawing, picking.plan, card, cell, look)
