"""A screen of words and buttons: a ground, a head, and a frame that is rebuilt when needed."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from typing import Any

from kivy.clock import Clock
from kivy.lang import Builder
from kivy.properties import ObjectProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion.ui.theme.style import style
from companion.ui.widgets.base import Words, fit_one_line
from companion.ui.widgets.sheet import Column


class GroundedPage(FloatLayout):  # type: ignore[misc]
    """The ground of a whole screen, and an empty ``page`` on it."""

    page = ObjectProperty()


class PageScreen(GroundedPage):
    """Fills the window. ``build`` is called for every size, language and theme."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        # A size given at once would otherwise never be passed on to the children.
        self._trigger_layout()
        self._lists: list[Column] = []
        self._left = False
        # Width and height change one after the other; it is built once for both.
        self._renew_soon = Clock.create_trigger(self.renew, -1)
        self.page.bind(size=self._resized)
        style.bind(lang=self.renew, name=self.renew)

    def build(self, frame: Any, width: float) -> None:
        """Fill the vertical ``frame``, ``width`` px wide."""
        raise NotImplementedError

    @property
    def landscape(self) -> bool:
        """True if the window is wider than high."""
        return bool(self.width > self.height)

    def renew(self, *_: Any) -> None:
        """Rebuild everything; a list stays where it was scrolled to."""
        if self._left:
            return
        kept = [column.scroll.scroll_y for column in self._lists if column.scroll is not None]
        self._lists = []
        self.page.clear_widgets()
        width = self.width - 2 * style.margin
        if width < style.target:
            return
        frame = BoxLayout(
            orientation="vertical", spacing=style.gap, size_hint=(None, None),
            size=(width, self.height - 2 * style.gap_l),
            pos=(self.x + style.margin, self.y + style.gap_l),
        )  # fmt: skip
        self.page.add_widget(frame)
        self.build(frame, width)
        if kept and len(self._lists) == 1:
            Clock.schedule_once(lambda _passed: self._scroll_to(kept[0]))

    def listing(self, rows: Sequence[Widget], spacing: float, *, bar: bool = True) -> Column:
        """Rows that may scroll; with ``bar`` they are narrower by ``style.gap``."""
        column = Column(rows, spacing, listing=True)
        # Room for the bar beside the rows.
        column.inner.padding = (0, 0, style.gap if bar else 0, 0)
        self._lists.append(column)
        return column

    def leave(self) -> None:
        """The screen is no longer shown."""
        self._left = True
        style.unbind(lang=self.renew, name=self.renew)

    def _scroll_to(self, place: float) -> None:
        if len(self._lists) == 1 and self._lists[0].scroll is not None:
            self._lists[0].scroll.scroll_y = place

    def _resized(self, *_: Any) -> None:
        style.use_size(self.width, self.height)
        self._renew_soon()


def head(title: str, text: str, width: float, keys: Sequence[Any] = ()) -> Any:
    """Title and one sentence; ``keys`` are on the right."""
    room = width - sum(key.width for key in keys) - (len(keys) + 1) * style.gap_s
    size = fit_one_line(title, (style.type_l, style.type_m), room)
    name = Words(title, bold=True, font_size=size, line_height=1.0, width=room)
    told = Words(text, color=style.ash, width=room) if text else None
    below = Words(text, color=style.ash, width=width) if text and keys else None
    if told is not None and below is not None and below.height < told.height:
        # Beside the keys it would need one more line than below them.
        row = _head_row([name], keys, max(name.height, style.target))
        box = BoxLayout(orientation="vertical", spacing=style.grid, size_hint_y=None)
        box.height = row.height + style.grid + below.height
        box.add_widget(row)
        box.add_widget(below)
        return box
    words = [name] if told is None else [name, told]
    height = sum(line.height for line in words) + style.grid * (len(words) - 1)
    return _head_row(words, keys, max(height, style.target if keys else 0))


def _head_row(words: Sequence[Any], keys: Sequence[Any], height: float) -> Any:
    column = BoxLayout(orientation="vertical", spacing=style.grid)
    for line in words:
        column.add_widget(line)
    row = BoxLayout(spacing=style.gap_s, size_hint_y=None, height=height)
    row.add_widget(column)
    for key in keys:
        key.pos_hint = {"top": 1}
        row.add_widget(key)
    return row


class Span:
    """Free room of a line, px: keys take their room on the right, or, if it goes ``across`` a
    wide screen, on the side of the hand that touches."""

    def __init__(self, start: float, width: float, *, across: bool = True) -> None:
        self.start, self.end = start, start + width
        self._left = across and style.left_handed

    def take(self, width: float, gap: float) -> float:
        """Left edge of a part that is ``gap`` away from what is still free."""
        if self._left:
            self.start += width + gap
            return self.start - gap - width
        self.end -= width + gap
        return self.end + gap


def beside(*widgets: Any, gap: float | None = None) -> Any:
    """Widgets in one line, as high as the highest."""
    spacing = style.gap_s if gap is None else gap
    height = max(widget.height for widget in widgets)
    line = BoxLayout(spacing=spacing, size_hint_y=None, height=height)
    for widget in widgets:
        line.add_widget(widget)
    return line


Builder.load_file(str(files("companion.ui.widgets") / "page.kv"))
