"""A row of things that scrolls sideways; the one that is cut off shows that there is more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.scrollview import ScrollView
from kivy.uix.widget import Widget

from companion.ui.theme.style import style


def peeking(room: float, wanted: float, count: int, gap: float, peek: float) -> float:
    """Length of each of ``count`` things along ``room``, near ``wanted`` (all px).

    If they do not all have room, ``peek`` px of the next one are in sight.
    """
    if count * (wanted + gap) - gap <= room:
        return wanted
    whole = max(round((room - peek) / (wanted + gap)), 1)
    if whole >= count:
        return (room - (count - 1) * gap) / count
    return (room - peek) / whole - gap


class _Unclipped(ScrollView):  # type: ignore[misc]
    """Drawn without a mask, which costs a machine without a graphics card 100 MB."""

    def apply_class_lang_rules(self, *_: Any, **__: Any) -> None:
        """Leaves Kivy's rules out, the mask among them."""


class Sideways(FloatLayout):  # type: ignore[misc]
    """``items`` of fixed sizes from left to right, ``room`` px wide; they scroll if they must.

    Only the edges of the screen cut anything off, so nothing may lie beside it.
    """

    def __init__(self, items: Sequence[Widget], gap: float, room: float, height: float) -> None:
        super().__init__(size_hint=(None, None), size=(room, height))
        wide = sum(item.width for item in items) + gap * max(len(items) - 1, 0)
        self.inner = BoxLayout(spacing=gap, size_hint=(None, None), size=(wide, height))
        for item in items:
            self.inner.add_widget(item)
        self.scroll: Any = None
        if wide <= room + 1:
            self.add_widget(self.inner)
            self.bind(pos=self._follow)
            return
        # Room at the end too, or the last one would touch the edge of the screen.
        self.inner.padding, self.inner.width = (0, 0, style.margin, 0), wide + style.margin
        self.scroll = _Unclipped(
            do_scroll_y=False, bar_width=0, scroll_type=["content"],
            size_hint=(None, None), size=(room, height),
        )  # fmt: skip
        self.scroll.add_widget(self.inner)
        self.add_widget(self.scroll)
        self.bind(pos=self._follow)

    def _follow(self, *_: Any) -> None:
        (self.scroll or self.inner).pos = self.pos
