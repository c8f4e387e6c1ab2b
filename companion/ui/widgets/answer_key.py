"""A button that says what it does and, below that, what comes of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from companion.ui.theme.lettering import Setting
from companion.ui.theme.style import BOLD, TEXT, style
from companion.ui.widgets.base import Key, Letters, Symbol, fit_one_line, side_of


class _Words(NamedTuple):
    """Words on a key."""

    word: Setting
    below: Setting
    sign: float
    """Side of the sign before the word, px; 0: none."""

    @property
    def first_line(self) -> float:
        """Height of the sign and the word beside it, px."""
        return max(self.word.extent[1], self.sign)

    @property
    def height(self) -> float:
        """px."""
        return self.first_line + self.below.extent[1]


def _words_in(
    text: str, note: str, width: float, *, symbol: str, large: bool, others: tuple[str, ...]
) -> _Words:
    """The words on a key of ``width`` px, as large as there is room for them and ``others``."""
    body = style.body
    sign = side_of(body) if symbol else 0.0
    room = max(width - (sign + style.gap_s if sign else 0.0) - 2 * style.gap_s, 1)
    sizes: tuple[float, ...] = (body, style.caption)
    if large:
        sizes = (style.type_l, style.type_m, *sizes)
    size = min(fit_one_line(one, sizes, room) for one in (text, *others))
    word = Setting(text, size, BOLD, align="center").within(room)
    # No larger than what it explains.
    small = fit_one_line(note, (min(body, size), style.caption), room)
    below = Setting(note, small, TEXT, align="center")
    return _Words(word, below.within(width - 2 * style.gap_s), sign)


def answer_height(
    text: str, note: str, width: float, *, least: float = 0.0, symbol: str = "",
    large: bool = False, others: tuple[str, ...] = (),
) -> float:  # fmt: skip
    """Least height of a key with these words, px; at least ``least``."""
    words = _words_in(text, note, width, symbol=symbol, large=large, others=others)
    return float(max(least, style.target, words.height + 2 * style.grid))


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
        others: tuple[str, ...] = (),
    ) -> None:
        """``least``: minimum height, px; ``large``: the words are a whole answer, as few and as
        large as on a sign; ``others``: words of the keys beside it, set in the same size."""
        self.note = note
        self._look: dict[str, Any] = {"symbol": symbol, "large": large, "others": others}
        ink = style.ink if primary else style.tone("bone", 0.86)
        # Before the words are set, which happens in the constructor of every key.
        self._below = Letters(color=ink, size_hint=(None, None))
        super().__init__(
            text, press, symbol=symbol, primary=primary, size_hint_x=None, width=width,
            height=answer_height(text, note, width, least=least, **self._look),
        )  # fmt: skip
        self.add_widget(self._below)

    def _fit(self) -> None:
        fitted = (self.width, self.text, self.symbol, style.body)
        if fitted == self._fitted:
            return
        self._fitted = fitted
        self._words = _words_in(self.text, self.note, self.width, **self._look)
        if isinstance(self._sign, Symbol):
            self._sign.font_size = style.body
            self._sign.size = self._sign.extent
        for label, setting in ((self._word, self._words.word), (self._below, self._words.below)):
            label.setting = setting._replace(colour=label.color)
            label.size = label.extent

    def _place(self, *_: Any) -> None:
        self._fit()
        sign, word, below, words = self._sign, self._word, self._below, self._words
        left = self.x + (self.width - self._beside - word.width) / 2
        foot = self.y + (self.height - words.height) / 2
        middle = foot + below.height + words.first_line / 2
        if sign is not None:
            sign.pos = (left, middle - sign.height / 2)
        word.pos = (left + self._beside, middle - word.height / 2)
        below.pos = (self.x + (self.width - below.width) / 2, foot)
