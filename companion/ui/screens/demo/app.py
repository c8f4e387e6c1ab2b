"""The demo's app: one window onto a match, the table it is played on, and its devices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.app import App
from kivy.core.window import Window

from companion.presentation.virtual_table import TableSide
from companion.ui.screens.demo.without_board import VirtualTableScreen
from companion.ui.shell import Ways
from companion.ui.theme.style import style
from rules.texts import after


class DemoApp(App):  # type: ignore[misc]
    """Shows the table that ``open_side`` opens.

    ``resumed``: the match goes on after the power was cut.
    """

    title = "Heelstone"

    def __init__(
        self, open_side: Callable[[VirtualTableScreen], TableSide], lang: str, *, resumed: bool,
        **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(**kwargs)
        self._open_side, self._resumed = open_side, resumed
        style.change(animations=True, lang=lang)

    def build(self) -> Any:
        ways = Ways(language=self._switch_language, theme=self._switch_theme)
        Window.clearcolor = style.night
        return VirtualTableScreen(self._open_side, None, self.stop, ways, resumed=self._resumed)

    def on_stop(self) -> None:
        self.root.leave()

    def _switch_language(self) -> None:
        style.use_language(after(style.lang))

    def _switch_theme(self) -> None:
        style.use_theme("limestone" if style.name == "night" else "night")
        Window.clearcolor = style.night
