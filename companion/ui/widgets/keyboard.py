"""A keyboard on the screen for names: letters with umlauts, and a second layer with the rest; for
keys of networks a third one has every other sign of ASCII."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from kivy.uix.boxlayout import BoxLayout

from companion.ui.theme.style import style
from companion.ui.widgets.base import Key
from rules.texts import Texts

MORE_LETTERS = ("1234567890.", "éèêëáàâãåæç", "íîïñóôøúûšž")
"""The second layer by row; the first has the letters of the language, see ``letters``."""
SIGNS = ("!\"#$%&'()*+", ",-/:;<=>?@\\", "[]^_`{|}~")
NARROW = (
    ("abcdefgh", "ijklmnop", "qrstuvwx", "yzäöüß-'"),
    ("12345678", "90.éèêëá", "àâãåæçíî", "ñóôøúûšž"),
    ("!\"#$%&'(", ")*+,-/:;", "<=>?@[\\]", "^_`{|}~"),
)
"""The layers if a row of eleven keys would be too narrow for fingers."""
SHIFT, BACK, BLANK = "⇧", "⌫", " "
LAYERS = ("ABC", "123 é", "#+=")
"""Words on the key that leads to a layer."""


def letters(lang: str) -> tuple[str, ...]:
    """The keys of a language, row by row."""
    keys = Texts("language", lang)
    return tuple(keys(f"keys_{row}") for row in ("upper", "middle", "lower"))


def typed(text: str, key: str) -> str:
    """``text`` after ``key`` was touched."""
    return text[:-1] if key == BACK else text + key


class _LetterKey(Key):
    """One letter, which may change between large and small."""

    def __init__(
        self, letter: str, shown: str, on_letter: Callable[[str], None], height: float
    ) -> None:
        super().__init__(shown, lambda: on_letter(self.text), height=height)
        self.letter = letter
        self.rounding = style.radius / 2

    def show(self, text: str) -> None:
        """Show ``text`` instead."""
        self.text = self._word.text = text
        self._place()


class Keyboard(BoxLayout):  # type: ignore[misc]
    """Tells ``on_key`` every letter, a blank, or ``⌫``; begins words with capitals by itself."""

    def __init__(
        self, on_key: Callable[[str], None], text: str, width: float, *, code: bool = False
    ) -> None:
        """``text``: what was typed so far, so that the first letter is a capital. ``code``:
        capitals are left to people, and there is every sign."""
        super().__init__(orientation="vertical", spacing=style.grid, size_hint=(None, None))
        self._on_key, self._text = on_key, text
        self._code, self._layer = code, 0
        self._shift: bool | None = None
        """Chosen by touch; None: as the text requires."""
        self._letters: list[_LetterKey] = []
        self._shifts: list[Any] = []
        self._shown_capitals = self.capitals
        self._row_height = style.target
        self._narrow = (width - 10 * style.grid) / 11 < style.target
        rows = 5 if self._narrow else 4
        self.size = (width, rows * self._row_height + (rows - 1) * style.grid)
        self._build()

    @property
    def capitals(self) -> bool:
        """True if the next letter is a capital."""
        by_text = not self._code and (not self._text or self._text[-1] in " -")
        return by_text if self._shift is None else self._shift

    def _relabel(self) -> None:
        """Show letters large or small; only what changes is redrawn."""
        if self.capitals == self._shown_capitals:
            return
        self._shown_capitals = self.capitals
        for key in self._letters:
            key.show(self._shown(key.letter))
        for shift in self._shifts:
            shift.line = style.tone("dawn" if self.capitals else "edge")

    def _shown(self, letter: str) -> str:
        # There is no capital ß at the beginning of a name.
        return letter.upper() if self.capitals and letter != "ß" else letter

    def _build(self) -> None:
        self.clear_widgets()
        self._letters, self._shifts = [], []
        self._shown_capitals = self.capitals
        wide = (letters(style.lang), MORE_LETTERS, SIGNS)
        rows = (NARROW if self._narrow else wide)[self._layer]
        for number, row in enumerate(rows):
            keys: list[Any] = []
            for letter in row:
                key = _LetterKey(letter, self._shown(letter), self._type, self._row_height)
                self._letters.append(key)
                keys.append(key)
            if number == 2 and not self._narrow:
                keys.insert(0, self._shift_key(1.1))
            self.add_widget(self._row(keys))
        layer = self._key(LAYERS[self._next_layer], self._switch_layer, wide=2.2)
        blank = self._key("␣", partial(self._type, BLANK), wide=6)
        back = self._key("", partial(self._type, BACK), symbol=BACK, wide=2.2)
        foot = [layer, blank, back]
        if self._narrow:
            foot.insert(0, self._shift_key(1.6))
        self.add_widget(self._row(foot))

    def _shift_key(self, wide: float) -> Any:
        key = self._key("", self._switch_shift, symbol=SHIFT, wide=wide)
        key.line = style.tone("dawn" if self.capitals else "edge")
        self._shifts.append(key)
        return key

    def _row(self, keys: list[Any]) -> Any:
        row = BoxLayout(spacing=style.grid, size_hint_y=None, height=self._row_height)
        for key in keys:
            row.add_widget(key)
        return row

    def _key(
        self, text: str, press: Callable[[], None], *, symbol: str = "", wide: float = 1.0
    ) -> Any:
        if text == "␣":
            text, symbol = "", "␣"
        key = Key(text, press, symbol=symbol, height=self._row_height, size_hint_x=wide)
        key.rounding = style.radius / 2
        return key

    def _type(self, key: str) -> None:
        self._text = typed(self._text, key)
        self._shift = None
        self._on_key(key)
        self._relabel()

    def _switch_shift(self) -> None:
        self._shift = not self.capitals
        self._relabel()

    def _switch_layer(self) -> None:
        self._layer = self._next_layer
        self._build()

    @property
    def _next_layer(self) -> int:
        return (self._layer + 1) % (len(LAYERS) if self._code else len(LAYERS) - 1)
