"""Rows of words and keys before they are built: what each shows, and how high it is.

Whether a column fits is known from its rows alone; only what is shown is built, and what was shown
before stays.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.ui.theme.lettering import Setting
from companion.ui.theme.style import BOLD, TEXT, style
from companion.ui.widgets.base import LEADING, Card, Key, Words
from companion.ui.widgets.choice import stacked
from companion.ui.widgets.page import beside


@dataclass(frozen=True, slots=True)
class Press:
    """An answer to a touch; it equals any other that does the same."""

    to: Callable[..., object]
    about: tuple[Hashable, ...] = ()

    def __call__(self) -> None:
        self.to(*self.about)


@dataclass(frozen=True, slots=True)
class Row:
    """A widget to be; equal ones look and do the same."""

    shows: tuple[Hashable, ...]
    """All that it depends on, besides its parts."""
    height: float
    """px."""
    build: Callable[..., Any] = field(compare=False, repr=False)
    """Makes the widget, from those of its parts."""
    parts: tuple[Row, ...] = ()

    def as_high(self, height: float) -> Row:
        """The same at another height."""
        return replace(self, height=height)

    @property
    def whole(self) -> Iterator[Row]:
        """It and all that it is made of."""
        yield self
        for part in self.parts:
            yield from part.whole


class BuiltRows:
    """The widgets of a screen by their rows: building one costs more than moving it to another
    place. A screen begins (``begin``), takes what it shows, and drops the rest (``end``)."""

    def __init__(self) -> None:
        self._widgets: dict[Row, Any] = {}
        self._used: set[Row] = set()
        self._look: object = None

    def begin(self) -> None:
        """Everything may be taken again. After a change of size, language or any preference all is
        built anew."""
        self._used.clear()
        if style.look != self._look:
            self._look = style.look
            self._widgets.clear()

    def of(self, row: Row) -> Any:
        """The widget of a row, built if there is none; the same one only once until ``begin``."""
        known = row in self._widgets and self._used.isdisjoint(row.whole)
        if known:
            self._used.update(row.whole)
            return self._widgets[row]
        widget = row.build(*(freed(self.of(part)) for part in row.parts))
        if widget.size_hint_y is None:
            widget.height = row.height
        if row not in self._used:
            self._widgets[row] = widget
            self._used.add(row)
        return widget

    def end(self) -> None:
        """Forget what was not taken since ``begin``."""
        self._widgets = {row: w for row, w in self._widgets.items() if row in self._used}


def built(row: Row) -> Any:
    """A widget of its own."""
    return BuiltRows().of(row)


def freed(widget: Any) -> Any:
    """A widget, taken from where it stood."""
    if widget.parent is not None:
        widget.parent.remove_widget(widget)
    return widget


def fill(place: Any, widgets: Sequence[Any]) -> None:
    """Show these in a layout, in place of all that is there; what stays is not touched."""
    if place.children[::-1] != [*widgets]:
        place.clear_widgets()
        for widget in widgets:
            place.add_widget(freed(widget))


# -- words and keys ----------------------------------------------------------------------------


def words_row(
    text: str, width: float, *, tone: str = "bone", bold: bool = False, font_size: float = 0.0,
    line_height: float = LEADING, markup: bool = False, halign: str = "left",
) -> Row:  # fmt: skip
    """Words that wrap at ``width`` px; in the tone ``soft`` they stand back a little."""
    size = font_size or style.type_s
    font = BOLD if bold else TEXT
    extent = Setting(text, size, font, width, line_height, markup=markup).extent

    def build() -> Any:
        colour = style.tone("bone", 0.8) if tone == "soft" else style.tone(tone)
        return Words(
            text, font_name=font, font_size=size, color=colour, width=width,
            line_height=line_height, markup=markup, halign=halign,
        )  # fmt: skip

    shows = ("words", text, width, tone, font, size, line_height, markup, halign)
    return Row(shows, extent[1], build)


def key_row(
    text: str, press: Callable[[], None], *, height: float = 0.0, **look: Hashable
) -> Row:  # fmt: skip
    """A key, usually as high as all others; ``move`` or another attribute by which it is known may
    be part of its ``look``."""

    def build() -> Any:
        return marked(Key, look, text, press)

    shows = ("key", text, press, *sorted(look.items()))
    return Row(shows, height or style.button, build)


_MARKS = ("move", "part", "tile", "by_cards")
"""Attributes by which a key says what it means."""


def marked(make: Callable[..., Any], look: dict[str, Any], *about: Any) -> Any:
    """A key with those parts of its ``look`` that say what it means as attributes."""
    key = make(*about, **{name: value for name, value in look.items() if name not in _MARKS})
    for name in _MARKS:
        if name in look:
            setattr(key, name, look[name])
    return key


# -- blocks ------------------------------------------------------------------------------------


def blank() -> Row:
    """Room that is left free in a line."""
    return Row(("blank",), 0.0, lambda: Widget(size_hint_y=None))


def below_each_other(rows: Iterable[Row], spacing: float) -> Row:
    """One block of rows, ``spacing`` px apart."""
    parts = tuple(rows)
    height = sum(row.height for row in parts) + spacing * max(len(parts) - 1, 0)
    return Row(("block", spacing), height, lambda *rows: stacked(rows, spacing), parts)


_LEVELS = {"top": 1.0, "center_y": 0.5}


def side_by_side(rows: Iterable[Row], gap: float | None = None, *, level: str = "") -> Row:
    """Rows in one line, as high as the highest; ``level`` at their feet, or at ``top`` or
    ``center_y``."""
    parts = tuple(rows)
    spacing = style.gap_s if gap is None else gap

    def build(*rows: Any) -> Any:
        for row in rows if level else ():
            row.pos_hint = {level: _LEVELS[level]}
        return beside(*rows, gap=spacing)

    return Row(("line", spacing, level), max(row.height for row in parts), build, parts)


def framed(
    lines: Sequence[str], small: str, tone: str, width: float, *, compact: bool = True
) -> Row:
    """A card of ``width`` px in the colour ``tone``: ``lines`` of what matters, then an aside."""
    pad = style.gap if compact else style.gap_l
    inner = width - 2 * pad
    size = style.caption if compact else style.body
    rows = [words_row(line, inner, bold=True, font_size=size) for line in lines]
    if small:
        rows.append(words_row(small, inner, font_size=style.caption, tone="ash"))
    block = below_each_other(rows, style.grid)

    def build(block: Any) -> Any:
        card = Card(fill=tone, line=tone, size_hint_y=None)
        card.tint(tone, tone, 0.13)
        frame = BoxLayout(padding=(pad, pad * 0.8), size_hint=(1, 1), pos_hint={"x": 0, "y": 0})
        frame.add_widget(block)
        card.add_widget(frame)
        return card

    return Row(("framed", tone, pad), block.height + 2 * pad * 0.8, build, (block,))
