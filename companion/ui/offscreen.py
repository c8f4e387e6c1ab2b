"""Screens without a display and without an app's main loop, drawn into PNG files.

Import this module before anything else of Kivy: it sets Kivy up for drawing by software.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from companion.match.view import Intent, TableView
from companion.ui import kivy_env
from rules.core import ScoreLine

__all__ = ["NoScreenError", "PlayScreenshots", "open_window", "tick"]

_FRAMES = 6
"""Frames until every layout has come to rest."""


class NoScreenError(RuntimeError):
    """No drawing surface could be opened; the message says which libraries to install."""


def open_window(size: tuple[int, int], state_folder: Path | None = None) -> Any:
    """The off-screen window, ``size`` in px; raises NoScreenError."""
    kivy_env.prepare(
        state_folder or Path(tempfile.gettempdir()) / "heelstone", size, offscreen=True
    )
    from kivy.base import EventLoop
    from kivy.core.window import Window

    if Window is None:
        raise NoScreenError(
            "no window could be opened; on Debian install libgl1 libgl1-mesa-dri libegl1 libgles2 "
            "libgbm1 libmtdev1"
        )
    EventLoop.ensure_window()
    if tuple(Window.size) != tuple(size):
        Window.size = size
    tick(1)
    return Window


def tick(frames: int = _FRAMES) -> None:
    """Let ``frames`` frames pass."""
    from kivy.base import EventLoop

    for _ in range(frames):
        EventLoop.idle()


class PlayScreenshots:
    """Writes pictures of the play screen: ``with PlayScreenshots("de") as shots: shots.write(…)``.

    ``size`` in px; pieces and signals stand still, so that equal views give equal pictures.
    """

    def __init__(
        self,
        lang: str,
        size: tuple[int, int] = (800, 480),
        *,
        theme: str = "night",
        on_intent: Callable[[Intent], None] = lambda intent: None,
        now_s: Callable[[], float] = time.time,
    ) -> None:
        self._window = open_window(size)
        from companion.ui.screens.play.screen import PlayScreen
        from companion.ui.theme.style import style

        style.motion = False
        style.use_theme(theme)
        style.use_language(lang)
        style.use_size(*size)
        self.screen = PlayScreen(on_intent, size_hint=(None, None), size=size, now_s=now_s)
        self._window.add_widget(self.screen)

    def write(
        self, view: TableView, path: Path | str, score_lines: tuple[ScoreLine, ...] = ()
    ) -> Path:
        """Show ``view`` and write the picture; returns the path."""
        from companion.ui.picture import snapshot

        self.screen.show(view, score_lines)
        tick()
        return snapshot(self.screen, path)

    def close(self) -> None:
        """Take the screen out of the window."""
        self.screen.leave()
        self._window.remove_widget(self.screen)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
