"""A card that shows its contents only as long as one finger rests on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.ui.theme.style import style
from companion.ui.widgets.base import Card, Words


class HoldCard(Card):
    """Says whose it is; ``rows`` builds its contents at the moment it is held. They do not exist
    before or after, so no picture of the screen can show it. A second finger, a finger that slides
    off, or a screen that is left cover it at once.
    """

    def __init__(
        self,
        title: str,
        hint: str,
        rows: Callable[[float], Sequence[Widget]],
        width: float,
        height: float,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            fill="stone", line="edge", size_hint=(None, None), size=(width, height), **kwargs
        )
        self.title, self.hint = title, hint
        self.others: tuple[HoldCard, ...] = ()
        """The cards beside it; only one finger may rest on all of them together."""
        self._rows = rows
        self._fingers: set[int] = set()
        self._content: Any = None
        self._shown = False
        self.bind(pos=self._place)
        self.cover()

    @property
    def open(self) -> bool:
        """True if anything can be seen."""
        return self._shown

    def cover(self) -> None:
        """Show the back."""
        self._shown = False
        self._fill(
            [
                Words(self.title, bold=True, font_size=style.type_s, width=self._inner),
                Words(self.hint, font_size=style.type_xs, color=style.ash, width=self._inner),
            ]
        )
        self.tint("stone", "edge")

    def on_touch_down(self, touch: Any) -> bool:
        held = [card for card in (self, *self.others) if card._fingers]
        if held:
            # A second finger anywhere: somebody else is near.
            for card in held:
                card._fingers.add(touch.uid)
                card.cover()
            return bool(self.collide_point(*touch.pos))
        if not self.collide_point(*touch.pos):
            return bool(super().on_touch_down(touch))
        self._fingers.add(touch.uid)
        self._shown = True
        self._fill(list(self._rows(self._inner)))
        self.tint("night", "dawn")
        return True

    def on_touch_move(self, touch: Any) -> bool:
        if touch.uid in self._fingers and self.open and not self.collide_point(*touch.pos):
            self.cover()
        return touch.uid in self._fingers

    def on_touch_up(self, touch: Any) -> bool:
        mine = [card for card in (self, *self.others) if touch.uid in card._fingers]
        if not mine:
            return bool(super().on_touch_up(touch))
        for card in mine:
            card._fingers.discard(touch.uid)
            card.cover()
        return True

    @property
    def _inner(self) -> float:
        return float(self.width - 2 * style.gap)

    def _fill(self, rows: list[Any]) -> None:
        self.clear_widgets()
        block = BoxLayout(orientation="vertical", spacing=style.grid, size_hint=(None, None))
        for row in rows:
            block.add_widget(row)
        high = sum(row.height for row in rows) + style.grid * max(len(rows) - 1, 0)
        block.size = (self._inner, high)
        self._content = block
        self.add_widget(block)
        self._place()

    def _place(self, *_: Any) -> None:
        if self._content is not None:
            middle = self.y + self.height / 2
            self._content.pos = (self.x + style.gap, middle - self._content.height / 2)
