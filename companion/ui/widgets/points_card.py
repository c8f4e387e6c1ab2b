"""A player's name and points, large enough for the other side of the table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.widget import Widget

from companion.ui.theme.style import BOLD, style
from companion.ui.widgets.base import Card, Letters, drawn, fit_one_line

__all__ = ["PointsCard"]

WORD_PX, POINTS_PX = 20.0, 40.0
"""At a short side of 480."""


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
