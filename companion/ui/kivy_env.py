"""Settings that Kivy reads while it is imported; call ``prepare`` before any Kivy import.

Kivy would otherwise read the program's arguments, the user's own ``config.ini`` and take over
the root logger; and it would report every touch of a panel twice.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from companion.support.screen import NoScreenError, find_screen, x_screen_size


def prepare(
    state_folder: Path, size: tuple[int, int] | None = None, *, offscreen: bool = False
) -> None:
    """Set Kivy up; its own files go below ``state_folder``. Does nothing the second time.

    Raises NoScreenError if there is no screen for a window, RuntimeError if Kivy was imported
    before: it has read its settings then, and draws and waits as its user's own settings say.

    ``size``: window in px; None: as the system gives it, on the full screen.
    ``offscreen``: draw without any display, by software, as fast as the machine can.
    """
    if "kivy" in sys.modules:
        if "KIVY_NO_CONFIG" not in os.environ:
            raise RuntimeError("Kivy was imported before companion.ui.kivy_env.prepare")
        return
    if offscreen:
        os.environ["SDL_VIDEODRIVER"] = "offscreen"
        os.environ["LIBGL_ALWAYS_SOFTWARE"] = "1"
        os.environ["KIVY_METRICS_DENSITY"] = "1"
    else:
        os.environ["SDL_VIDEODRIVER"] = find_screen().need()
    home = state_folder / "kivy"
    home.mkdir(parents=True, exist_ok=True)
    if offscreen:
        # Mesa would keep its shaders in the user's home.
        os.environ.setdefault("MESA_SHADER_CACHE_DIR", str(home))
    os.environ["KIVY_HOME"] = str(home)
    os.environ["KIVY_NO_ARGS"] = "1"
    os.environ["KIVY_NO_CONFIG"] = "1"
    os.environ["KIVY_NO_FILELOG"] = "1"
    # Kivy's other windows end the program with a message of their own.
    os.environ["KIVY_WINDOW"] = "sdl2"
    os.environ.setdefault("KIVY_LOG_MODE", "PYTHON")

    from kivy.config import Config

    # SDL reports touches itself; probing the devices as well would double every one of them.
    Config.remove_option("input", "%(name)s")
    Config.set("input", "mouse", "mouse,disable_multitouch")
    Config.set("kivy", "exit_on_escape", "0")
    # Everything is drawn with soft edges of its own; smoothing the whole window as well doubles the
    # cost of a frame without a graphics card.
    Config.set("graphics", "multisamples", "0")
    if offscreen:
        Config.set("graphics", "maxfps", "0")
    if size is None:
        Config.set("graphics", "fullscreen", "auto")
        # Without a window manager nothing enlarges the window, so it is made large at once.
        size = x_screen_size()
    if size is not None:
        Config.set("graphics", "width", str(size[0]))
        Config.set("graphics", "height", str(size[1]))


def window() -> Any:
    """Kivy's window, opened when it is first asked for. Raises NoScreenError."""
    from kivy.core.window import Window

    if Window is None:
        raise NoScreenError("window_unopened")
    return Window
