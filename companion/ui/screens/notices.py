"""Notices for players before they play on: a damaged file, a full disk, a weak supply."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kivy.uix.widget import Widget

from companion.presentation.words.translate import _
from companion.presentation.words.troubles import Trouble
from companion.ui.theme.style import style
from companion.ui.widgets.base import Key, Words
from companion.ui.widgets.page import PageScreen, head


class NoticesScreen(PageScreen):
    """Every trouble with what to do; title and troubles are fetched in the current language."""

    def __init__(
        self,
        title: Callable[[], str],
        told: Callable[[], Sequence[Trouble]],
        on_leave: Callable[[], None],
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._title, self._told, self._on_leave = title, told, on_leave

    def build(self, frame: Any, width: float) -> None:
        told = self._told()
        frame.add_widget(head(self._title(), "", width))
        inner = width - style.gap
        rows: list[Widget] = []
        for trouble in told:
            if trouble.title:
                rows.append(Words(trouble.title, bold=True, width=inner))
            rows.append(Words(trouble.text, color=style.ash, width=inner))
            rows.append(Widget(size_hint_y=None, height=style.grid))
        frame.add_widget(self.listing(rows, style.gap_s))
        frame.add_widget(Key(_("screens.go_back"), self._on_leave, symbol="←"))
