"""A line of a check list: sign, what, and how it stands; changes in place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.uix.behaviors import ButtonBehavior

from companion.ui.theme.style import style
from companion.ui.widgets.base import Card, Symbol, Words

SIGNS = {
    "good": ("✓", "ok"),
    "bad": ("!", "stop"),
    "doubtful": ("?", "ask"),
    "waiting": ("…", "ask"),
    "absent": ("–", "ash"),
    "skipped": ("→", "ash"),
    "open": ("○", "ask"),
}
"""Sign and colour by how a step stands; never colour alone."""


class StepRow(ButtonBehavior, Card):  # type: ignore[misc]
    """``show`` changes what it says without rebuilding it, so a touch is never lost."""

    def __init__(
        self,
        title: str,
        press: Callable[[], None] | None,
        width: float,
        *,
        text: str = "",
        height: float = 0.0,
        share: float = 0.5,
    ) -> None:
        """``text``: a second line below the title. ``share``: part of the width for the figure."""
        super().__init__(fill="slate", line="edge", size_hint_y=None)
        self.text, self._wide = title, width
        self._sign = Symbol(size_hint=(None, None))
        self._figure = Words("", color=style.ash, font_size=style.type_xs, halign="right", width=1)
        self._share = share
        room = width * (0.97 - share) - style.target * 0.8
        self._words = [Words(title, bold=True, width=room)]
        if text:
            small = style.type_xs
            self._words.append(Words(text, color=style.ash, font_size=small, width=room))
        inner = sum(words.height for words in self._words)
        self.height = max(inner + style.gap_s * 1.4, height, style.target)
        for widget in (self._sign, self._figure, *self._words):
            self.add_widget(widget)
        self.state_shown = ""
        self.bind(pos=self._place, size=self._place)
        if press is not None:
            self.bind(on_release=lambda *_: press())

    def show(self, state: str, figure: str) -> None:
        """``state``: a key of ``SIGNS``."""
        sign, colour = SIGNS[state]
        self.state_shown = state
        self._sign.text, self._sign.color = sign, style.tone(colour)
        self._sign.font_size = style.type_s
        self._sign.size = self._sign.extent
        self.line = style.tone(colour if state in ("bad", "open") else "edge")
        room = max(self._wide * self._share - style.gap, 1)
        self._figure.text, self._figure.font_size = figure, style.type_xs
        self._figure.width = room
        self._place()

    def _place(self, *_: Any) -> None:
        middle = self.y + self.height / 2
        column = style.target * 0.8
        self._sign.pos = (
            self.x + (column - self._sign.width) / 2, middle - self._sign.height / 2
        )  # fmt: skip
        top = middle + sum(words.height for words in self._words) / 2
        for words in self._words:
            top -= words.height
            words.pos = (self.x + column, top)
        right = self.x + self.width - style.gap
        self._figure.pos = (right - self._figure.width, middle - self._figure.height / 2)


class Advice(Card):
    """The next step as a title and a sentence, in the colour of what is wrong."""

    def __init__(self, width: float, **kwargs: Any) -> None:
        super().__init__(fill="slate", line="edge", **kwargs)
        self._wide = width
        self._shown: tuple[str, str, str] = ("", "", "")
        self.bind(pos=self._place, size=self._place)

    def show(self, state: str, title: str, text: str) -> None:
        """``state``: a key of ``SIGNS``."""
        if self._shown == (state, title, text):
            return
        self._shown = (state, title, text)
        self._place()

    def _place(self, *_: Any) -> None:
        self.clear_widgets()
        state, title, text = self._shown
        if not state:
            return
        sign, colour = SIGNS[state]
        self.line = style.tone(colour)
        self.fill = style.tone(colour, 0.10)
        mark = Symbol(text=sign, color=style.tone(colour), font_size=style.type_m)
        mark.size_hint = (None, None)
        mark.size = mark.extent
        room = max(self.width - mark.width - 3.5 * style.gap, 1)
        words = [Words(title, bold=True, width=room)]
        if text:
            for size in (style.type_s, style.type_xs):
                words[1:] = [Words(text, font_size=size, width=room)]
                if sum(w.height for w in words) < self.height - style.gap_s:
                    break
        inner = sum(w.height for w in words)
        middle = self.y + self.height / 2
        mark.pos = (self.x + style.gap, middle - mark.height / 2)
        self.add_widget(mark)
        top = middle + inner / 2
        for line in words:
            top -= line.height
            line.pos = (self.x + 2 * style.gap + mark.width, top)
            self.add_widget(line)
