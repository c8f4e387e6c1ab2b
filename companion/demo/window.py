"""The demo in a window: a story is played, and then onlookers may drag pieces.

Kivy runs in the main thread; the virtual table belongs to one other (``TableThread``).
"""

from __future__ import annotations

from collections.abc import Callable

from companion.demo.stage import Stage
from companion.demo.table_thread import Picture, TableThread
from companion.ui import kivy_env

__all__ = ["CLOSED", "play_in_window"]

CLOSED = 3
"""Exit code of the program if the window was closed before the end of the story."""

SIZE = (1280, 720)
"""Size of the window in px; it may be resized."""


def play_in_window(stage: Stage, lang: str, tell: Callable[[Picture], None]) -> None:
    """Play the story ``tell`` on ``stage`` in a window, then let onlookers play.

    Returns when the window is closed after the story; before that, SystemExit(``CLOSED``) is
    raised. What goes wrong in the story is raised here.
    """
    kivy_env.prepare(stage.out, SIZE)
    kivy_env.window()
    from companion.ui.screens.demo.app import DemoApp

    table = TableThread(stage, tell)
    app = table.app = DemoApp(stage.session, table.side(), lang, resumed=stage.resumed)
    table.photograph = app.photograph
    app.run()
    table.end()
    if table.error is not None:
        raise table.error
    if not table.story_over:
        stage.close()
        raise SystemExit(CLOSED)
