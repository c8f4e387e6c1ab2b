"""The app: one window, one screen at a time, and the thread border to the session."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.app import App
from kivy.clock import Clock
from kivy.core.window import Window
from kivy.uix.floatlayout import FloatLayout

from companion.ui.screens.play import PlayScreen
from companion.ui.screens.start import Plan, StartScreen
from companion.ui.shell import Shell, TablePort, Unsubscribe
from companion.ui.style import style
from companion.view import TableView

__all__ = ["HeelstoneApp"]


class HeelstoneApp(App):  # type: ignore[misc]
    """Screens around a ``Shell``.

    ``start``: a table to show at once; None begins with the start screen. ``physical``: whether
    new matches are played with real pieces. ``on_style`` hears language and theme when somebody
    switches them, so that they can be kept.
    """

    title = "Heelstone"

    def __init__(
        self,
        shell: Shell,
        lang: str = "de",
        theme: str = "night",
        start: TablePort | None = None,
        *,
        physical: bool = True,
        motion: bool = True,
        on_style: Callable[[str, str], None] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.shell, self.physical = shell, physical
        self._start, self._on_style = start, on_style
        self._port: TablePort | None = None
        self._unsubscribe: Unsubscribe | None = None
        self._plan: Plan | None = None
        style.motion = motion
        style.use_theme(theme)
        style.use_language(lang)

    def build(self) -> Any:
        self.root_view = FloatLayout()
        style.use_size(*Window.size)
        Window.clearcolor = style.night
        if self._start is not None:
            self.play(self._start)
        else:
            self.shelf()
        return self.root_view

    # -- screens --------------------------------------------------------------------------

    @property
    def screen(self) -> Any:
        """The screen that is shown."""
        return self.root_view.children[0] if self.root_view.children else None

    def shelf(self) -> None:
        """Show the start screen."""
        screen = StartScreen(
            self.shell.games(), self.shell.unfinished(), self._begin, self._resume,
            self.switch_language, self.switch_theme,
        )  # fmt: skip
        self._set(screen)

    def play(self, port: TablePort) -> None:
        """Show a table."""
        screen = PlayScreen(
            port.post, on_leave=self.shelf, on_again=self._again,
            on_language=self.switch_language, on_theme=self.switch_theme,
        )  # fmt: skip
        self._set(screen)
        self._port = port
        # Views come on the session's thread; nothing of Kivy may be touched there.
        self._unsubscribe = port.subscribe(lambda view: self._hear(port, view))
        if port.view is not None:
            screen.show(port.view, port.score_lines)

    def _set(self, screen: Any) -> None:
        self._drop_table()
        for old in list(self.root_view.children):
            old.leave()
            self.root_view.remove_widget(old)
        self.root_view.add_widget(screen)

    def _hear(self, port: TablePort, view: TableView) -> None:
        Clock.schedule_once(lambda _passed: self._show(port, view))

    def _show(self, port: TablePort, view: TableView) -> None:
        if self._port is port and isinstance(self.screen, PlayScreen):
            self.screen.show(view, port.score_lines)

    def _drop_table(self) -> None:
        if self._unsubscribe is not None:
            self._unsubscribe()
        self._port = self._unsubscribe = None

    def on_stop(self) -> None:
        self._drop_table()

    # -- what screens ask for -------------------------------------------------------------

    def _begin(self, plan: Plan) -> None:
        self._plan = plan
        names = [""] * plan.players
        port = self.shell.start(
            plan.game, plan.players, plan.options, plan.enforcement, names, self.physical
        )
        self.play(port)

    def _again(self) -> None:
        """The same once more, as the table was set up."""
        port = self._port
        view = None if port is None else port.view
        if view is None:
            self.shelf()
            return
        self.play(
            self.shell.start(
                view.game, view.players, dict(view.options), view.enforcement, view.names,
                view.physical,
            )
        )  # fmt: skip

    def _resume(self, match_id: str) -> None:
        self.play(self.shell.resume(match_id))

    def switch_language(self) -> None:
        """German to English and back, everywhere at once."""
        style.use_language("en" if style.lang == "de" else "de")
        self._keep_style()

    def switch_theme(self) -> None:
        """Night to limestone and back."""
        style.use_theme("limestone" if style.name == "night" else "night")
        Window.clearcolor = style.night
        self._keep_style()

    def _keep_style(self) -> None:
        if self._on_style is not None:
            self._on_style(style.lang, style.name)
