"""The screen that a window is opened on: which one there is, and whether it answers."""

from __future__ import annotations

import ctypes
import os
import socket
import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion.words.errors import HeelstoneError, notice
from hardware.supervised_thread import SupervisedThread
from rules.errors import Sentence

ANSWER_S = 10.0
"""Maximum wait for an answer, seconds: Xwayland starts when it is first asked, on a Raspberry Pi
within seconds."""
_SYNC: Final = struct.pack("=III", 1, 12 << 16, 2)
"""Wayland's wl_display.sync, which every compositor answers."""


class NoScreenError(HeelstoneError):
    """A window cannot be opened, or drawn in; the sentence says what to do."""


@dataclass(frozen=True, slots=True)
class Screen:
    """Result of the search; ``code`` is a key of the doctor's texts."""

    code: str
    driver: str = ""
    """SDL's driver for it; empty: no window can be opened."""
    trouble: Sentence | None = None
    """Reason why no window can be opened."""

    def need(self) -> str:
        """The driver to use. Raises NoScreenError if there is none."""
        if self.trouble is not None:
            raise NoScreenError("needs_screen", reason=self.trouble)
        return self.driver


def find_screen(root: Path = Path("/")) -> Screen:
    """The screen for a window. ``root``: where ``/dev`` is.

    SDL itself must not choose: where nothing answers it draws unseen, and for ever.
    """
    wanted = os.environ.get("SDL_VIDEODRIVER", "")
    silent: list[str] = []
    asked: tuple[tuple[str, str, Callable[[], object]], ...] = (
        ("x11", "DISPLAY", x_screen_size),
        ("wayland", "WAYLAND_DISPLAY", _wayland_answers),
    )
    for driver, variable, answers in asked:
        named = os.environ.get(variable, "")
        if named and wanted in ("", driver):
            if answers():
                return Screen("screen_ok", driver)
            silent.append(f"{variable}={named}")
    if silent:
        return Screen("", trouble=notice("screen_silent", screen=silent))
    if wanted not in ("", "x11", "wayland", "kmsdrm"):
        return Screen("screen_told", wanted)
    if wanted in ("", "kmsdrm") and any((root / "dev/dri").glob("card*")):
        return Screen("screen_kms", "kmsdrm")
    return Screen("", trouble=notice("screen_none"))


def x_screen_size() -> tuple[int, int] | None:
    """Width and height of the X display in px; None where none answers."""
    if not os.environ.get("DISPLAY"):
        return None
    try:
        x11 = ctypes.CDLL("libX11.so.6")
    except OSError:
        return None
    found: list[tuple[int, int]] = []

    def ask() -> None:
        x11.XOpenDisplay.restype = ctypes.c_void_p
        if display := x11.XOpenDisplay(None):
            pointer = ctypes.c_void_p(display)
            found.append((x11.XDisplayWidth(pointer, 0), x11.XDisplayHeight(pointer, 0)))
            x11.XCloseDisplay(pointer)

    _within(ANSWER_S, ask)
    return found[0] if found else None


def _within(seconds: float, ask: Callable[[], None]) -> None:
    """Call ``ask``, and give up on it after a while: a computer that is switched off swallows what
    is sent to it, and X waits for minutes."""
    asking = SupervisedThread("screen", ask, once=True)
    asking.start()
    asking.join(timeout=seconds)


def _wayland_answers() -> bool:
    path = Path(os.environ.get("XDG_RUNTIME_DIR", "/")) / os.environ["WAYLAND_DISPLAY"]
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
            line.settimeout(ANSWER_S)
            line.connect(str(path))
            line.sendall(_SYNC)
            return bool(line.recv(1))
    except OSError:
        return False
