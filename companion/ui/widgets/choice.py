"""Questions with a few answers: side by side, one at a time, or one below the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.presentation.theme import tokens as theme
from companion.ui.theme.style import style
from companion.ui.widgets.base import Card, Key, Symbol, Words
from companion.ui.widgets.page import beside
from rules.core import Build
from rules.telling import Teller

# -- blocks of rows ---------------------------------------------------------------------------


def stacked(rows: Sequence[Widget], spacing: float) -> Any:
    """One block of rows, ``spacing`` px apart, as high as all of them."""
    block = BoxLayout(orientation="vertical", spacing=spacing, size_hint_y=None)
    for row in rows:
        block.add_widget(row)
    block.height = sum(row.height for row in rows) + spacing * max(len(rows) - 1, 0)
    return block


def build_words(build: Build, teller: Teller, width: float) -> list[Words]:
    """Words below a drawing of what is built before a match."""
    told = (teller.text("builds", build.seen), teller.text("builds", "note"))
    return [Words(text, color=style.ash, width=width) for text in told]


def lamp_rows(count: int, touch: Callable[[int], None], width: float) -> list[Any]:
    """A round key with its number for every lamp, as many beside each other as there is room."""
    each = max(int((width - style.gap + style.gap_s) // (style.target * 1.15 + style.gap_s)), 1)
    rows = []
    for start in range(0, count, each):
        keys: list[Widget] = []
        for index in range(start, min(start + each, count)):
            key = Key(str(index + 1), partial(touch, index), height=style.target)
            key.rounding = style.target / 2
            keys.append(key)
        keys += [Widget(size_hint_y=None, height=1) for _n in range(each - len(keys))]
        rows.append(beside(*keys))
    return rows


MOST_BESIDE = 4
"""Number of answers above which they are shown one at a time, with keys to go on and back."""
LETTER = 0.58
"""Width of a letter in bold, as a share of the size of the type."""

Answers = Sequence[tuple[str, Any]]


def mark_chosen(key: Any, chosen: bool) -> None:
    """Show whether an answer is the chosen one, by ring, surface and sign."""
    # Opaque: smooth translucent shapes are drawn outside a scrolling list, too.
    slate = style.tone("slate")
    key.fill = theme.mix(slate, style.tone("dawn"), 0.16) if chosen else slate
    key.line = style.tone("dawn") if chosen else style.tone("edge")
    key.line_width = style.hairline * (1.4 if chosen else 0.55)


class Choice(Card):
    """A question with its explanation and its answers."""

    def __init__(
        self,
        title: str,
        text: str,
        answers: Answers,
        chosen: Any,
        pick: Callable[[Any], None],
        width: float,
    ) -> None:
        super().__init__(fill="slate", line="edge", size_hint_y=None)
        inner, few = width - 2 * style.gap_l, len(answers) <= MOST_BESIDE
        self._beside = width > 620 * style.factor and _short(answers)
        keys_width = inner * (0.42 if few else 0.52) if self._beside else inner
        room = inner - keys_width - style.gap_l if self._beside else inner
        words = [Words(title, bold=True, width=room)]
        if text:
            words.append(Words(text, color=style.ash, font_size=style.type_xs, width=room))
        self._column = _block(words, room, 0)
        make = _keys if few else _stepper
        self._keys = _block(make(answers, chosen, pick, keys_width), keys_width, style.gap_s)
        heights = (self._column.height, self._keys.height)
        inner_height = max(heights) if self._beside else sum(heights) + style.gap_s
        self.height = inner_height + 2 * style.gap
        self.add_widget(self._column)
        self.add_widget(self._keys)
        self.bind(pos=self._place, size=self._place)

    def _place(self, *_: Any) -> None:
        left = self.x + style.gap_l
        if self._beside:
            middle = self.y + self.height / 2
            self._column.pos = (left, middle - self._column.height / 2)
            right = self.x + self.width - style.gap_l
            self._keys.pos = (right - self._keys.width, middle - self._keys.height / 2)
            return
        top = self.y + self.height - style.gap
        self._column.pos = (left, top - self._column.height)
        self._keys.pos = (left, self.y + style.gap)


def _short(answers: Answers) -> bool:
    """True if the answers fit beside the question on a wide screen."""
    lengths = [len(label) for label, _value in answers]
    return sum(lengths) < 24 if len(answers) <= MOST_BESIDE else max(lengths) < 34


def _block(lines: Sequence[Any], width: float, spacing: float) -> Any:
    """Lines below each other, ``width`` px wide."""
    block = stacked(lines, spacing)
    block.size_hint, block.width = (None, None), width
    return block


class SignRow(ButtonBehavior, Card):  # type: ignore[misc]
    """A key: a sign, then a title and perhaps a few words about it."""

    def __init__(
        self, title: str, sign: Any, words: Sequence[Words], press: Callable[[], None], *,
        side: float = 0.0, pad: float = 0.0, fill: str = "slate", line: str = "edge",
    ) -> None:  # fmt: skip
        """``side``: px for the sign, 0: its own width; ``pad``: px above and below the words."""
        super().__init__(fill=fill, line=line, size_hint_y=None)
        self.text, self._sign, self._words = title, sign, tuple(words)
        self._side = side or sign.width
        inner = sum(line.height for line in words)
        self.height = max(inner + (pad or style.gap_s), style.target)
        for part in (sign, *words):
            self.add_widget(part)
        self.bind(pos=self._place, size=self._place)
        self.bind(on_release=lambda *_: press())

    def _place(self, *_: Any) -> None:
        middle = self.y + self.height / 2
        centre = self.x + style.gap + self._side / 2
        self._sign.pos = (centre - self._sign.width / 2, middle - self._sign.height / 2)
        left = self.x + 2 * style.gap + self._side
        top = middle + sum(line.height for line in self._words) / 2
        for line in self._words:
            top -= line.height
            line.pos = (left, top)


class AnswerRow(SignRow):
    """One answer with a line about it, as wide as the screen allows."""

    def __init__(
        self, title: str, text: str, chosen: bool, press: Callable[[], None], width: float
    ) -> None:
        self.chosen = chosen
        tone = style.tone("dawn" if chosen else "ash")
        sign = Symbol(text="●" if chosen else "○", size_hint=(None, None), color=tone)
        sign.size = sign.extent
        room = width - sign.width - 3 * style.gap
        words = [Words(title, bold=True, width=room)]
        if text:
            words.append(Words(text, color=style.ash, font_size=style.type_xs, width=room))
        super().__init__(title, sign, words, press, pad=style.gap)
        mark_chosen(self, chosen)


def _keys(answers: Answers, chosen: Any, pick: Callable[[Any], None], width: float) -> list[Any]:
    """The answers as keys, two per line if they are long."""
    longest = max(len(label) for label, _value in answers)
    room = width / len(answers) - style.gap_s - 2 * style.gap
    fits = longest * style.type_s * LETTER <= room
    each = len(answers) if len(answers) <= 2 or fits else 2
    lines = []
    for start in range(0, len(answers), each):
        row = []
        for label, value in answers[start : start + each]:
            key = Key(label, partial(pick, value), height=style.target)
            mark_chosen(key, value == chosen)
            row.append(key)
        lines.append(beside(*row))
    return lines


def _stepper(answers: Answers, chosen: Any, pick: Callable[[Any], None], width: float) -> list[Any]:
    """The chosen answer between two keys."""
    values = [value for _label, value in answers]
    at = values.index(chosen) if chosen in values else 0

    def step(by: int) -> None:
        pick(values[(at + by) % len(values)])

    side = style.target * 1.1
    back = Key("", partial(step, -1), symbol="‹", height=style.target, size_hint_x=None, width=side)
    on = Key("", partial(step, 1), symbol="›", height=style.target, size_hint_x=None, width=side)
    shown = Key(answers[at][0], partial(step, 1), height=style.target)
    mark_chosen(shown, True)
    return [beside(back, shown, on)]


class Pick(BoxLayout):  # type: ignore[misc]
    """A short question above its answers."""

    def __init__(
        self,
        title: str,
        answers: Sequence[tuple[str, Any]],
        chosen: Any,
        pick: Callable[[Any], None],
        width: float,
        across: int = 0,
        barred: Mapping[Any, str] | None = None,
    ) -> None:
        """``across``: keys in each line; 0: all in one. ``barred``: reasons against answers."""
        super().__init__(orientation="vertical", spacing=style.grid, size_hint_y=None)
        words = Words(title, color=style.ash, font_size=style.type_xs, width=width)
        keys = []
        for label, value in answers:
            why = (barred or {}).get(value, "")
            key = Key(label, partial(pick, value), height=style.target, why=why)
            mark_chosen(key, value == chosen)
            keys.append(key)
        each = across or len(keys)
        lines = [beside(*keys[first : first + each]) for first in range(0, len(keys), each)]
        block = stacked(lines, style.gap_s)
        self.add_widget(words)
        self.add_widget(block)
        self.height = words.height + style.grid + block.height
