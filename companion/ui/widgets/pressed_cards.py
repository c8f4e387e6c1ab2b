"""Cards under a finger: one glows while pressed, and is meant if the finger leaves it there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, InstructionGroup
from kivy.uix.widget import Widget

from companion.ui.drawing.numbered_cards import Rect, rounded
from companion.ui.theme.style import style

__all__ = ["LaidCards", "PressedCards"]


class PressedCards(Widget):  # type: ignore[misc]
    """Calls ``press`` with the card on which a finger went down and up again.

    Whoever lays the cards out keeps ``cells`` and ``between`` up to date.
    """

    glow = 0.16
    """How brightly a pressed card glows."""

    def __init__(self, press: Callable[[str], None] | None, **kwargs: Any) -> None:
        """``press``: None as long as nothing can be touched."""
        super().__init__(**kwargs)
        self._press = press
        self.cells: Mapping[str, Rect] = {}
        """Where each card is."""
        self.between = 0.0
        """Half of the gap between two cards, px: what lies there belongs to the nearest."""
        self._touched: dict[int, str] = {}
        self._glow = InstructionGroup()

    def on_touch_down(self, touch: Any) -> bool:
        card = self._at(touch)
        if card is None:
            return bool(super().on_touch_down(touch))
        self._touched[touch.uid] = card
        self._glow.add(Color(*style.tone("bone", self.glow)))
        self._glow.add(self._outline(self.cells[card]))
        return True

    def on_touch_up(self, touch: Any) -> bool:
        card = self._touched.pop(touch.uid, None)
        if card is None:
            return bool(super().on_touch_up(touch))
        self._glow.clear()
        if self._press is not None and self._at(touch) == card:
            self._press(card)
        return True

    def _outline(self, cell: Rect) -> Any:
        """What glows."""
        return rounded(cell)

    def _at(self, touch: Any) -> str | None:
        """The nearest card, so that nothing lies between two of them."""
        if self._press is None:
            return None
        half = self.between
        for card, (x, y, width, height) in self.cells.items():
            inside = x - half <= touch.x < x + width + half
            if inside and y - half <= touch.y < y + height + half:
                return card
        return None


class LaidCards(PressedCards):
    """Cards that lay and draw themselves: ``_laid`` says where each is, ``_draw`` draws them."""

    def __init__(self, press: Callable[[str], None], width: float, height: float) -> None:
        super().__init__(press, size_hint=(None, None), size=(width, height))
        self._drawing = InstructionGroup()
        self.canvas.add(self._drawing)
        self.canvas.add(self._glow)
        self._later = Clock.create_trigger(self._draw, -1)
        self.bind(pos=self._place, size=self._place)
        self._place()

    def _place(self, *_: Any) -> None:
        self.between = float(style.gap_s / 2)
        self.cells = self._laid()
        self._later()

    def _laid(self) -> dict[str, Rect]:
        raise NotImplementedError

    def _draw(self, *_: Any) -> None:
        raise NotImplementedError
