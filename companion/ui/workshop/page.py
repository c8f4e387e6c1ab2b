"""The common parts of all pages of the workshop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout

from companion.ui.theme.style import style
from companion.ui.widgets.base import Card, Key, Symbol, Words
from companion.ui.widgets.choice import mark_chosen
from companion.ui.widgets.page import PageScreen, beside

LONGEST_BOLD = 44

Frame = Any
"""A vertical ``BoxLayout`` that a page fills."""


class BenchPage:
    """A page; ``fill`` is called for every size, language and theme."""

    def __init__(self, host: PageScreen) -> None:
        """``host``: the screen around it."""
        self.host = host

    @property
    def title(self) -> str:
        """Title of the page."""
        raise NotImplementedError

    @property
    def text(self) -> str:
        """One sentence below the title; empty if the page needs none."""
        return ""

    def enter(self) -> None:
        """The page is shown from now on."""

    def leave(self) -> None:
        """The page is no longer shown."""

    def fill(self, frame: Frame, width: float) -> None:
        """Put the page's widgets into ``frame``, ``width`` px wide."""
        raise NotImplementedError

    def tick(self) -> None:
        """Called a few times a second while the page is shown."""

    # -- for all pages ----------------------------------------------------------------------

    def split(self, frame: Frame, width: float, share: float = 0.58) -> tuple[Any, Any, float]:
        """A large area and a column of words beside it (below it, if it is tall). Returns the area,
        the column and the column's width in px.
        """
        landscape = self.host.landscape
        line = BoxLayout(orientation="horizontal" if landscape else "vertical", spacing=style.gap_l)
        area, column = FloatLayout(), FloatLayout()
        room = width
        if landscape:
            room = (width - style.gap_l) * (1 - share)
            column.size_hint_x, column.width = None, room
        else:
            column.size_hint_y = 1.15
        line.add_widget(area)
        line.add_widget(column)
        frame.add_widget(line)
        return area, column, room


def told(title: str, text: str, width: float, symbol: str = "○", tone: str = "ash") -> Any:
    """A calm card: a sign, what is wrong, and what to do."""
    inner = width - 2 * style.gap_l
    sign = Symbol(text=symbol, color=style.tone(tone), size_hint=(None, None))
    sign.size = sign.extent
    room = inner - sign.width - style.gap
    # A long sentence in bold is tiring.
    words = [Words(title, bold=len(title) <= LONGEST_BOLD, width=room)]
    if text:
        words.append(Words(text, color=style.ash, width=room))
    height = sum(line.height for line in words) + style.grid * (len(words) - 1)
    card = Card(fill="slate", line="edge", size_hint_y=None, height=height + 2 * style.gap)

    def place(*_: Any) -> None:
        top = card.y + card.height - style.gap
        line_height = min(words[0].height, style.type_s * 1.4)
        sign.pos = (card.x + style.gap_l, top - (line_height + sign.height) / 2)
        for line in words:
            top -= line.height
            line.pos = (card.x + style.gap_l + sign.width + style.gap, top)
            top -= style.grid

    card.add_widget(sign)
    for line in words:
        card.add_widget(line)
    card.bind(pos=place, size=place)
    return card


def figure_row(name: str, value: str, width: float, share: float = 0.42) -> Any:
    """A name and its number in small letters; ``share``: part of the width for the name."""
    small, room = style.type_xs, width * (1 - share) - style.gap_s
    left = Words(name, font_size=small, color=style.ash, width=width * share)
    return beside(left, Words(value, font_size=small, width=room, halign="right"))


def tabs(names: Sequence[tuple[str, str]], chosen: str, pick: Callable[[str], None]) -> Any:
    """One key per name and title, the chosen one marked."""
    keys = []
    for name, title in names:
        key = Key(title, lambda name=name: pick(name), height=style.target)  # type: ignore[misc]
        mark_chosen(key, name == chosen)
        keys.append(key)
    return beside(*keys)
