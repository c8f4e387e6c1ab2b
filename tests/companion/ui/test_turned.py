"""However the screen hangs, what is shown is upright and a finger meets what it sees."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.app_window import Running
from tests.support.fake_shell import FakeShell
from tests.support.ui_harness import key, texts, tick
from vision.arrays import Picture

WAYS = (0, 90, 180, 270)


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    made = Running((800, 480), "en", FakeShell(tmp_path, is_new=True))
    yield made
    turned(0)
    made.close()


def turned(degrees: int) -> None:
    from companion.ui.theme.style import style

    style.change(turn=degrees)
    tick(4)


def photograph(window: Any) -> Picture:
    """The panel as somebody sees it who does not turn the head, the lowest row first."""
    from kivy.graphics import Fbo
    from kivy.graphics.opengl import GL_RGBA, GL_UNSIGNED_BYTE, glReadPixels, glViewport

    width, height = window.system_size
    panel = Fbo(size=(width, height), with_stencilbuffer=True)
    panel.draw()
    panel.bind()
    glViewport(0, 0, width, height)
    window.clear()
    window.render_context.draw()
    data = glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE)
    panel.release()
    return np.frombuffer(data, np.uint8).reshape(height, width, 4)[:, :, :3]


def touch_panel(window: Any, x: float, y: float) -> None:
    """A finger at a px of the panel, which knows nothing of how it hangs."""
    from kivy.tests.common import UnitTestTouch

    wide, high = window.system_size
    touch = UnitTestTouch(x / wide * window.width, y / high * window.height)
    touch.touch_down()
    tick(1)
    touch.touch_up()
    tick(2)


@pytest.mark.parametrize("degrees", WAYS)
def test_a_finger_meets_the_key_that_it_sees(running: Running, degrees: int) -> None:
    from companion.ui.theme.style import style, window_part

    turned(degrees)
    window, check = running.window, key(running.root, "Check the table")
    assert window.size == ((800, 480) if degrees % 180 == 0 else (480, 800))
    assert running.screen.size == list(window.size)
    left, low, wide, high = window_part(*check.to_window(*check.pos), *check.size)
    seen = photograph(window)[low : low + high, left : left + wide].reshape(-1, 3)
    yellow = np.abs(seen - np.array(style.dawn[:3]) * 255).max(axis=1) < 30
    assert yellow.mean() > 0.6
    touch_panel(window, left + wide / 2, low + high / 2)
    assert "Shall we check" not in texts(running.root)


def test_the_welcome_turns_by_quarters_until_the_screen_is_upright(running: Running) -> None:
    from companion.ui.theme.style import window_part

    kept: list[int] = []
    running.app._on_style = lambda lang, theme, turn: kept.append(turn)
    for _ in WAYS:
        symbol = next(w for w in running.root.walk() if getattr(w, "symbol", "") == "↻")
        at = symbol.to_window(*symbol.center)
        left, low, _wide, _high = window_part(at[0], at[1], 0, 0)
        touch_panel(running.window, left, low)
        tick(3)
    assert kept == [90, 180, 270, 0]
