"""A word or a number that is typed over the page of your own board."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.presentation.words.sentences import figure
from companion.presentation.words.translate import _
from companion.ui.theme.style import style
from companion.ui.widgets.base import Key, Words
from companion.ui.widgets.keyboard import BACK, Keyboard, typed
from companion.ui.widgets.page import beside
from companion.ui.workshop.page import Frame

DIGITS = ("12345", "67890")
LONGEST_NAME, LONGEST_NUMBER, LONGEST_CODE = 40, 7, 63
CURSOR = "▏"
LEAST_ACROSS_MM, MOST_ACROSS_MM = 50.0, 3000.0


class Entry:
    """Asks for one line; ``done`` gets it, or None if it was cancelled."""

    def __init__(
        self,
        title: str,
        hint: str,
        text: str,
        done: Callable[[str | None], None],
        *,
        number: bool = False,
        code: bool = False,
        refused: Callable[[str], str] = lambda text: "",
    ) -> None:
        """``number``: only digits and a comma; ``code``: every sign counts, as in a key.
        ``refused``: why a line will not do, or nothing."""
        self._title, self._hint, self._done = title, hint, done
        self.text, self._number, self._refused = text, number, refused
        self._code = code
        self._fresh = number
        """The first digit replaces what is there."""

    def fill(self, frame: Frame, width: float, *, low: bool = False) -> None:
        """Put it into ``frame``; ``low``: there is no room for more than the keyboard."""
        if low and not self._number:
            told = f"{self._title} {self._hint}"
            frame.add_widget(Words(told, color=style.ash, font_size=style.type_xs, width=width))
        else:
            quiet = {"color": style.ash, "font_size": style.type_xs}
            frame.add_widget(Words(self._title, bold=True, width=width))
            frame.add_widget(Words(self._hint, width=width, **quiet))
        self._place = BoxLayout(orientation="vertical", size_hint_y=None, height=style.target)
        frame.add_widget(self._place)
        frame.add_widget(Widget())
        if self._number:
            for digits in DIGITS:
                frame.add_widget(beside(*self._digit_keys(digits)))
        else:
            frame.add_widget(Keyboard(self._type, self.text, width, code=self._code))
        self._keep = Key(_("screens.done"), self._finish, symbol="✓", primary=True)
        frame.add_widget(beside(Key(_("screens.cancel"), lambda: self._done(None)), self._keep))
        self._show(width)

    def _digit_keys(self, digits: str) -> list[Any]:
        last = BACK if digits == DIGITS[0] else ","
        keys = [Key(digit, lambda digit=digit: self._type(digit)) for digit in digits]  # type: ignore[misc]
        if last == BACK:
            return [*keys, Key("", lambda: self._type(BACK), symbol=BACK)]
        return [*keys, Key(last, lambda: self._type(last))]

    def _type(self, key: str) -> None:
        longest = LONGEST_NUMBER if self._number else LONGEST_CODE if self._code else LONGEST_NAME
        text = "" if self._fresh and key != BACK else self.text
        self._fresh = False
        after = typed(text, key)
        if len(after) <= longest and (not self._number or after.count(",") <= 1):
            self.text = after
        self._show(self._place.width)

    def _show(self, width: float) -> None:
        why = self._refused(self._line)
        size = style.type_m if self._code else style.type_l
        line = Words(f"{self.text}{CURSOR}", font_size=size, width=width)
        self._place.clear_widgets()
        self._place.add_widget(line)
        self._place.height = max(line.height, style.target)
        self._keep.disabled = bool(why) or not self._line

    @property
    def _line(self) -> str:
        return self.text if self._code else self.text.strip()

    def _finish(self) -> None:
        self._done(self._line)


def width_entry(across_mm: float, done: Callable[[float | None], None]) -> Entry:
    """Asks for a board's real width; ``done`` gets it in mm, or None if it was cancelled."""

    def typed_in(text: str | None) -> None:
        done(None if text is None else millimetres(text))

    return Entry(
        _("own_board.how_wide_is_it_really"),
        _("own_board.measure_in_millimetres"),
        figure(across_mm, 0), typed_in, number=True, refused=_no_width,
    )  # fmt: skip


def _no_width(text: str) -> str:
    """The text if it cannot be a board's width; empty if it can."""
    return "" if LEAST_ACROSS_MM <= millimetres(text) <= MOST_ACROSS_MM else text or "–"


def millimetres(text: str) -> float:
    """A length as it was typed; 0 if it is not one."""
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return 0.0
