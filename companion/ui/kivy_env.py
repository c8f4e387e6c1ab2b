"""Settings that Kivy reads while it is imported; call ``prepare`` before any Kivy import.

Kivy would otherwise read the program's arguments, the user's own ``config.ini`` and take over
the root logger; and it would report every touch of a panel twice.
"""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path

__all__ = ["prepare"]


def prepare(
    state_folder: Path, size: tuple[int, int] | None = None, *, offscreen: bool = False
) -> None:
    """Set Kivy up; its own files go below ``state_folder``. Does nothing the second time.

    ``size``: window in px; None: as the system gives it, on the full screen.
    ``offscreen``: draw without any display, by software, as fast as the machine can.
    """
    if "kivy" in sys.modules:
        return
    home = state_folder / "kivy"
    home.mkdir(parents=True, exist_ok=True)
    os.environ["KIVY_HOME"] = str(home)
    os.environ["KIVY_NO_ARGS"] = "1"
    os.environ["KIVY_NO_CONFIG"] = "1"
    os.environ["KIVY_NO_FILELOG"] = "1"
    os.environ.setdefault("KIVY_LOG_MODE", "PYTHON")
    if offscreen:
        os.environ["SDL_VIDEODRIVER"] = "offscreen"
        os.environ["LIBGL_ALWAYS_SOFTWARE"] = "1"
        os.environ["KIVY_METRICS_DENSITY"] = "1"

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
        size = _x_screen_size()
    if size is not None:
        Config.set("graphics", "width", str(size[0]))
        Config.set("graphics", "height", str(size[1]))


def _x_screen_size() -> tuple[int, int] | None:
    """Width and height of the X display in px; None where there is no X."""
    if not os.environ.get("DISPLAY"):
        return None
    try:
        x11 = ctypes.CDLL("libX11.so.6")
    except OSError:
        return None
    x11.XOpenDisplay.restype = ctypes.c_void_p
    display = x11.XOpenDisplay(None)
    if not display:
        return None
    pointer = ctypes.c_void_p(display)
    size = (x11.XDisplayWidth(pointer, 0), x11.XDisplayHeight(pointer, 0))
    x11.XCloseDisplay(pointer)
    return size
