"""A button that says what it does and, below that, what comes of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.ui.theme.style import TEXT, style
from companion.ui.widgets.base import Key, Letters, Symbol, fit_one_line, set_in


class AnswerKey(Key):
    """A key as wide as ``width`` px and at least as high as its words need; both may take two
    lines."""

    def __init__(
        self,
        text: str,
        note: str,
        press: Callable[[], None],
        width: float,
        *,
        primary: bool = False,
        symbol: str = "",
        least: float = 0.0,
        large: bool = False,
    ) -> None:
        """``least``: minimum height, px; ``large``: the words are a whole answer, as few and as
        large as on a sign."""
        self.note = note
        self._large, self._least = large, max(least, style.target)
        # Before the words are set, which happens in the constructor of every key.
        self._below = Letters(
            note, font_name=TEXT, font_size=style.caption,
            color=style.ink if primary else style.tone("bone", 0.86),
            size_hint=(None, None), halign="center",
        )  # fmt: skip
        super().__init__(
            text, press, symbol=symbol, primary=primary, size_hint_x=None, width=width,
            height=self._least,
        )  # fmt: skip
        self.add_widget(self._below)
        self._word.line_height = 1.0
        self.height = self.needed
        self._place()

    @property
    def needed(self) -> float:
        """Least height with these words, px."""
        return float(max(self._least, self._words + 2 * style.grid))

    @property
    def _words(self) -> float:
        """Height of the words, px."""
        return self._first_line + (float(self._below.height) if self.note else 0.0)

    @property
    def _first_line(self) -> float:
        """Height of the sign and the word beside it, px."""
        sign = 0.0 if self._sign is None else self._sign.height
        return float(max(self._word.height, sign))

    def _fit(self) -> None:
        fitted = (self.width, self.text, self.symbol, style.body)
        if fitted == self._fitted:
            return
        self._fitted = fitted
        word, below = self._word, self._below
        if isinstance(self._sign, Symbol):
            self._sign.font_size = style.body
            self._sign.size = self._sign.extent
        room = max(self.width - self._beside - 2 * style.gap_s, 1)
        body = style.body
        sizes: tuple[float, ...] = (body, style.caption)
        if self._large:
            sizes = (style.type_l, style.type_m, *sizes)
        set_in(word, fit_one_line(word.text, sizes, room), room)
        if self.note:
            size = fit_one_line(below.text, (body, style.caption), room)
            set_in(below, size, self.width - 2 * style.gap_s)
        else:
            below.size = (0, 0)

    def _place(self, *_: Any) -> None:
        self._fit()
        sign, word, below = self._sign, self._word, self._below
        left = self.x + (self.width - self._beside - word.width) / 2
        foot = self.y + (self.height - self._words) / 2
        middle = foot + (below.height if self.note else 0) + self._first_line / 2
        if sign is not None:
            sign.pos = (left, middle - sign.height / 2)
        word.pos = (left + self._beside, middle - word.height / 2)
        below.pos = (self.x + (self.width - below.width) / 2, foot)
