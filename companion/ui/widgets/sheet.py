"""Sheets over the words, never over the board: a rule page, the menu, a list of moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kivy.graphics import Color, Rectangle, SmoothLine
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.scrollview import ScrollView
from kivy.uix.widget import Widget

from companion.ui.theme.style import style
from companion.ui.widgets.base import Key, Words


class Sheet(FloatLayout):  # type: ignore[misc]
    """A title, widgets below each other, and a way out; swallows touches."""

    def __init__(
        self,
        title: str,
        rows: Callable[[float], Sequence[Widget]],
        close: str,
        on_close: Callable[[], None],
        beside: Callable[[], Widget] | None = None,
        **kwargs: Any,
    ) -> None:
        """``beside``: makes a key beside the way back, in sight however much there is above."""
        super().__init__(**kwargs)
        self.title = title
        with self.canvas.before:
            Color(*style.slate)
            self._ground = Rectangle()
            Color(*style.edge)
            self._edge = SmoothLine(width=style.hairline * 0.55)
        self.column: Column | None = None
        self._rows, self._close, self._on_close = rows, close, on_close
        self._beside = beside
        self.bind(pos=self._build, size=self._build)

    def _build(self, *_: Any) -> None:
        self._ground.pos, self._ground.size = self.pos, self.size
        top = self.y + self.height
        beside = [self.x, self.y, self.x, top] if self.x > 0 else [0, top, self.width, top]
        self._edge.points = beside
        self.clear_widgets()
        edge, width = style.margin, self.width - 2 * style.margin
        if width < style.target:
            return
        frame = BoxLayout(
            orientation="vertical", spacing=style.gap, size_hint=(None, None),
            size=(width, self.height - 2 * style.gap_l), pos=(self.x + edge, self.y + style.gap_l),
        )  # fmt: skip
        frame.add_widget(Words(self.title, bold=True, font_size=style.type_m, width=width))
        self.column = Column(self._rows(width - style.gap), style.gap_s)
        frame.add_widget(self.column)
        foot = BoxLayout(spacing=style.gap_s, size_hint_y=None, height=style.button)
        foot.add_widget(Key(self._close, self._on_close, symbol="←"))
        if self._beside is not None:
            foot.add_widget(self._beside())
        frame.add_widget(foot)
        self.add_widget(frame)

    def on_touch_down(self, touch: Any) -> bool:
        super().on_touch_down(touch)
        return bool(self.collide_point(*touch.pos))


class Column(FloatLayout):  # type: ignore[misc]
    """Rows of fixed height below each other, from the top; they scroll only if they must.

    A scroll view holds every touch back until it knows that it is not a drag, so there is none as
    long as all rows have room. ``listing``: many rows are expected, and scrolling is fine.
    """

    def __init__(
        self, rows: Sequence[Widget], spacing: float, *, listing: bool = False, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.listing = listing
        self._bar_room = False
        self.inner = BoxLayout(orientation="vertical", spacing=spacing, size_hint_y=None)
        for row in rows:
            self.inner.add_widget(row)
        self.inner.height = sum(row.height for row in rows) + spacing * max(len(rows) - 1, 0)
        self.scroll: Any = None
        self.add_widget(self.inner)
        self.bind(pos=self._fit, size=self._fit)

    def _fit(self, *_: Any) -> None:
        if self.inner.height > self.height + 1:
            if self.scroll is None:
                self._start_scrolling()
            return
        if self.scroll is not None:
            self.scroll.remove_widget(self.inner)
            self.remove_widget(self.scroll)
            self.add_widget(self.inner)
            self.scroll = None
            if self._bar_room:
                self.inner.padding, self._bar_room = (0, 0, 0, 0), False
        self.inner.width = self.width
        self.inner.pos = (self.x, self.y + self.height - self.inner.height)

    def show_part(self, part: float) -> None:
        """Scroll so that what is at ``part`` (0: the first row, 1: the last) is in sight."""
        if self.scroll is not None:
            self.scroll.scroll_y = 1 - min(max(part, 0.0), 1.0)

    def _start_scrolling(self) -> None:
        self.scroll = ScrollView(
            do_scroll_x=False, bar_width=style.grid, bar_color=style.tone("ash", 0.6),
            bar_inactive_color=style.tone("ash", 0.3), scroll_type=["content", "bars"],
            pos_hint={"x": 0, "y": 0},
        )  # fmt: skip
        if not self.inner.padding[2]:
            # The bar is beside the rows, not on them.
            self.inner.padding, self._bar_room = (0, 0, style.gap, 0), True
        self.remove_widget(self.inner)
        self.scroll.add_widget(self.inner)
        self.add_widget(self.scroll)
