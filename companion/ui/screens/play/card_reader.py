"""A card by itself: its picture and its text, large. Reading it never changes anything."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.graphics import InstructionGroup
from kivy.uix.floatlayout import FloatLayout

from companion.presentation.market import CardPage, CardTile
from companion.presentation.words.translate import _
from companion.ui.drawing.cards import face
from companion.ui.theme.style import BOLD, TEXT, style
from companion.ui.widgets.base import Key, Letters, Words, drawn

__all__ = ["CardReader"]


class CardReader(FloatLayout):  # type: ignore[misc]
    """Lies over everything; ``close`` puts it away, ``do`` what the card can be used for."""

    def __init__(
        self,
        game: str,
        tile: CardTile,
        page: CardPage,
        close: Callable[[], None],
        do: Callable[[], None],
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.page, self._close = page, close
        self._build(game, tile, do)

    def on_touch_down(self, touch: Any) -> bool:
        super().on_touch_down(touch)
        return True

    def on_touch_up(self, touch: Any) -> bool:
        super().on_touch_up(touch)
        return True

    def _build(self, game: str, tile: CardTile, do: Callable[[], None]) -> None:
        wide = self.width > self.height
        edge, factor = style.margin * 1.2, style.factor
        if wide:
            card = (self.x + edge, self.y + edge, 270 * factor, self.height - 2 * edge)
            left, width = card[0] + card[2] + edge, self.width - card[2] - 3 * edge
            top = self.y + self.height - edge
        else:
            high = self.height * 0.42
            across = min(self.width - 2 * edge, high * 0.72)
            at = self.y + self.height - edge - high
            card = (self.x + (self.width - across) / 2, at, across, high)
            left, width, top = self.x + edge, self.width - 2 * edge, at - edge
        group = InstructionGroup()
        face(group, game, tile, card)
        self.canvas.add(group)
        low = self._keys(left, self.y + edge, width, do)
        low = self._figures(left, low + style.gap_l, width)
        self._words(left, top, width, top - low - style.gap)

    def _words(self, left: float, top: float, width: float, room: float) -> None:
        page = self.page
        kind = Words(page.types, bold=True, font_size=style.body, color=style.ask, width=width)
        kind.pos = (left, top - kind.height)
        self.add_widget(kind)
        room -= kind.height + style.gap
        for px in (style.type_m * 1.05, style.type_m * 0.9, style.body, style.caption):
            text = Words(page.text, font_size=px, width=width, line_height=1.18)
            if text.height <= room:
                break
        text.pos = (left, kind.y - style.gap - text.height)
        self.add_widget(text)

    def _figures(self, left: float, low: float, width: float) -> float:
        """Cost, how many are left, own money; returns where they end, y."""
        page = self.page
        left_of = _("play.of_full").format(full=page.full)
        told = [
            (_("play.costs"), str(page.cost), ""),
            (_("play.in_the_supply"), str(page.left), left_of),
        ]
        if page.purse is not None:
            told.append((_("play.to_spend"), str(page.purse), ""))
        top = float(low)
        for number, (caption, figure, more) in enumerate(told):
            x = left + width * number / len(told)
            large = _letters(figure, 40.0 * style.factor, style.bone, BOLD)
            large.pos = (x, low)
            small = _letters(caption, 17.0 * style.factor, style.ash, TEXT)
            small.pos = (x, low + large.height)
            self.add_widget(large)
            self.add_widget(small)
            if more:
                rest = _letters(more, 17.0 * style.factor, style.ash, TEXT)
                rest.pos = (x + large.width + style.gap_s, low + style.grid)
                self.add_widget(rest)
            top = float(small.y + small.height)
        return top

    def _keys(self, left: float, low: float, width: float, do: Callable[[], None]) -> float:
        """Closing comes first; returns where they end, y."""
        page, gap, height = self.page, style.gap, style.button * 1.05
        size: dict[str, Any] = {"size_hint": (None, None), "type_px": style.body}
        each = (width - gap) / 2 if page.moves else width
        close = Key(
            _("play.close"), self._close, pos=(left, low), width=each, height=height, **size
        )
        self.add_widget(close)
        if page.moves:
            at = (left + each + gap, low)
            self.add_widget(
                Key(page.do, do, primary=True, pos=at, width=each, height=height, **size)
            )
        return float(low + height)


def _letters(text: str, px: float, ink: Any, font: str) -> Any:
    label = Letters(text=text, font_name=font, font_size=px, color=ink, size_hint=(None, None))
    label.size = drawn(label)
    return label
