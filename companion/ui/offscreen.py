"""A window without a display and without an app's main loop.

Import this module before anything else of Kivy: it sets Kivy up for drawing by software.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from companion.settings.preferences import Preferences
from companion.ui import kivy_env

_FRAMES = 6
"""Frames until every layout has settled."""


def open_window(size: tuple[int, int], state_folder: Path | None = None) -> Any:
    """The off-screen window, ``size`` in px; raises NoScreenError.

    ``state_folder``: where Kivy keeps what is its own; without it that is gone with the program.
    """
    kivy_env.prepare(state_folder or _passing_folder(), size, offscreen=True)
    window = kivy_env.window()
    from kivy.base import EventLoop

    EventLoop.ensure_window()
    # Bound once, however often a window is asked for.
    window.unbind(on_flip=finish_frame)
    window.bind(on_flip=finish_frame)
    if tuple(window.size) != tuple(size):
        window.size = size
    tick(1)
    return window


@cache
def _passing_folder() -> Path:
    folder = tempfile.mkdtemp(prefix="heelstone-window-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def open_still_window(size: tuple[int, int], lang: str, *, text: str = "normal") -> Any:
    """The off-screen window for pictures: nothing was chosen but ``text``, and nothing moves."""
    window = open_window(size)
    from companion.ui.theme.style import style

    style.use(msgspec.convert({"lang": lang, "text": text, "animations": False}, Preferences))
    style.use_size(*size)
    return window


def finish_frame(*_: Any) -> None:
    """Waits until the software has finished drawing, as showing the frame on a display would.

    Nothing is shown off-screen, so that frames that wait to be drawn would pile up: two megabytes
    for each.
    """
    from kivy.graphics.opengl import glFinish

    glFinish()


def tick(frames: int = _FRAMES) -> None:
    """Runs ``frames`` frames."""
    from kivy.base import EventLoop

    for _ in range(frames):
        EventLoop.idle()
