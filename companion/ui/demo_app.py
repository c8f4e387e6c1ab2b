"""The demo's app: screen, camera picture, score display and lamps of one stage."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from kivy.app import App
from kivy.clock import Clock
from kivy.core.window import Window

from companion.demo.stage import Stage
from companion.match.session import Session
from companion.match.view import Intent, TableView
from companion.ui.drawing.camera_view import Lamp
from companion.ui.model.ways import Ways
from companion.ui.picture import snapshot
from companion.ui.screens.demo import DemoScreen
from companion.ui.screens.play.screen import PlayScreen
from companion.ui.theme.style import style

__all__ = ["DemoApp"]

_LOOK_S = 1 / 20
"""The camera's picture and the devices are looked at so often."""

_REST_S = 0.35
"""Until moving pieces and layouts have come to rest."""


class DemoApp(App):  # type: ignore[misc]
    """Shows a stage; ``table`` is the thread that owns its virtual table."""

    title = "Heelstone"

    def __init__(self, stage: Stage, table: Any, lang: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.stage, self.table = stage, table
        self._session: Session | None = None
        self._unsubscribe: Callable[[], None] | None = None
        self._shown = -1
        self._lamp_at = _lamp_places(stage)
        style.motion = True
        style.use_language(lang)

    def build(self) -> Any:
        ways = Ways(
            again=lambda: self.table.ask("again"),
            language=self._switch_language,
            theme=self._switch_theme,
        )
        self.play = PlayScreen(self._post, ways)
        self.screen = DemoScreen(self.play, self.table.ask)
        self.screen.resumed = self.stage.resumed
        Window.clearcolor = style.night
        self.watch(self.stage.session)
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
        """Write what the window shows of ``view``, when everything has come to rest."""
        assert self._session is not None
        self.play.show(view, self._session.score_lines)

        def shoot(_passed: float) -> None:
            snapshot(self.screen, path)
            done()

        Clock.schedule_once(shoot, _REST_S)

    def _post(self, intent: Intent) -> None:
        if self._session is not None:
            self._session.post(intent)

    def _show_newest(self) -> None:
        session = self._session
        if session is not None and self.play.view is not session.view:
            self.play.show(session.view, session.score_lines)

    def _look(self, _passed: float) -> None:
        latest = self.table.mirror.latest
        if latest is not None and latest[0] != self._shown:
            self._shown = latest[0]
            self.screen.camera.show(latest[1])
        if self.screen.your_turn:
            self.screen.show_stock(self.table.stock, self.table.turns)
        twins: Any = self.stage.rig.twins
        self.screen.show_display(twins["score"].rows())
        self.screen.camera.light(
            [
                Lamp(*self._lamp_at[index], _light(pixel))
                for index, pixel in enumerate(twins["lamps"].pixels)
                if index in self._lamp_at and any(pixel)
            ]
        )

    def _switch_language(self) -> None:
        style.use_language("en" if style.lang == "de" else "de")
        self.stage.director.lang = style.lang

    def _switch_theme(self) -> None:
        style.use_theme("limestone" if style.name == "night" else "night")
        Window.clearcolor = style.night


def _lamp_places(stage: Stage) -> dict[int, tuple[float, float, float]]:
    """Where each lamp's site lies in the camera's picture, and how large it is: shares of it."""
    camera, places = stage.camera, {}
    for site, lamps in stage.director.lamp_of(stage.box.id).items():
        if site not in stage.box.sites:
            # Another game of the same box uses it.
            continue
        x, y = stage.box.sites[site].at
        reach = stage.box.sites[site].radius or max(stage.box.sites[site].size or (0.0, 0.0)) / 2
        u, v = camera.board_to_px(x, y)
        rim, _v = camera.board_to_px(x + reach * 1.15, y)
        for lamp in lamps:
            places[lamp] = (u / camera.width, v / camera.height, (rim - u) / camera.width)
    return places


def _light(pixel: tuple[int, int, int]) -> tuple[float, float, float, float]:
    """A lamp as people see it: what is sent to it is bent to the eye and dimmed for the dark."""
    most = max(pixel)
    red, green, blue = ((part / most) ** (1 / 2.4) for part in pixel)
    return (red, green, blue, min((most / 255 / 0.4) ** (1 / 2.4), 1.0))
