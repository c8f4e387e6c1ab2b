"""The demo's app: one window onto a match, the table it is played on, and its devices."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from kivy.app import App
from kivy.clock import Clock
from kivy.core.window import Window

from companion.match.session import Session
from companion.match.view import Intent, TableView
from companion.presentation.virtual_table import PlayAgain, TableSide
from companion.ui.picture import snapshot
from companion.ui.screens.demo.screen import DemoScreen
from companion.ui.screens.play.screen import PlayScreen
from companion.ui.shell import Ways
from companion.ui.theme.style import style
from rules.texts import after

__all__ = ["DemoApp"]

_LOOK_S = 1 / 20
"""Time between two glimpses of the table."""

_REST_S = 0.35
"""Until moving pieces and layouts have settled."""


class DemoApp(App):  # type: ignore[misc]
    """Shows ``session``, and the table behind ``table``.

    ``resumed``: the match goes on after the power was cut.
    """

    title = "Heelstone"

    def __init__(
        self, session: Session, table: TableSide, lang: str, *, resumed: bool, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.table = table
        self._session, self._resumed = session, resumed
        self._unsubscribe: Callable[[], None] | None = None
        self._shown = -1
        style.motion = True
        style.use_language(lang)

    def build(self) -> Any:
        ways = Ways(
            again=lambda: self.table.ask(PlayAgain()),
            language=self._switch_language,
            theme=self._switch_theme,
        )
        self.play = PlayScreen(self._post, ways)
        self.screen = DemoScreen(self.play, self.table.ask)
        self.screen.resumed = self._resumed
        Window.clearcolor = style.night
        self.watch(self._session)
        return self.screen

    def on_start(self) -> None:
        Clock.schedule_interval(self._look, _LOOK_S)
        self.table.start()

    def on_stop(self) -> None:
        if self._unsubscribe is not None:
            self._unsubscribe()

    # -- for the thread of the table ------------------------------------------------------

    def soon(self, do: Callable[[], None]) -> None:
        """Do something in the window's thread; returns at once."""
        Clock.schedule_once(lambda _passed: do())

    # -- in the window's thread -----------------------------------------------------------

    def watch(self, session: Session) -> None:
        """Show this session's table from now on."""
        if self._unsubscribe is not None:
            self._unsubscribe()
        self._session = session
        # Views come on the session's thread; nothing of Kivy may be touched there.
        self._unsubscribe = session.subscribe(lambda _view: self.soon(self._show_newest))
        self._show_newest()

    def hand_over(self) -> None:
        """The story is over."""
        self.screen.hand_over()

    def photograph(self, view: TableView, path: Path, done: Callable[[], None]) -> None:
        """Write what the window shows of ``view``, when everything has settled."""
        self.play.show(view, self._session.score_lines)

        def shoot(_passed: float) -> None:
            snapshot(self.screen, path)
            done()

        Clock.schedule_once(shoot, _REST_S)

    def _post(self, intent: Intent) -> None:
        self._session.post(intent)

    def _show_newest(self) -> None:
        session = self._session
        if self.play.view is not session.view:
            self.play.show(session.view, session.score_lines)

    def _look(self, _passed: float) -> None:
        seen = self.table.glimpse()
        if seen.picture is not None and seen.number != self._shown:
            self._shown = seen.number
            self.screen.camera.show(seen.picture)
        if self.screen.your_turn:
            self.screen.show_stock(seen.stock, seen.turns)
        self.screen.show_display(seen.display)
        self.screen.camera.light(seen.lamps)

    def _switch_language(self) -> None:
        style.use_language(after(style.lang))
        self.table.speak(style.lang)

    def _switch_theme(self) -> None:
        style.use_theme("limestone" if style.name == "night" else "night")
        Window.clearcolor = style.night
