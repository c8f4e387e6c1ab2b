"""The virtual table as a screen of the program: opened, played with a finger, gone again."""

from __future__ import annotations

import tempfile
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.support.ui_harness import (
    GAME,
    badly_set,
    frames_until,
    key,
    need_screen,
    tap_on,
    texts,
    tick,
    too_small,
)

need_screen()

from companion.presentation.virtual_table import TableSide, TableWindow  # noqa: E402
from companion.ui.screens.demo.without_board import (  # noqa: E402
    VirtualGamesScreen,
    VirtualTableScreen,
)
from companion.ui.theme.style import style  # noqa: E402


def rest(seconds: float) -> None:
    end = time.monotonic() + seconds
    frames_until(lambda: time.monotonic() > end, "some pictures")


def faults(screen: Any) -> list[str]:
    return [*badly_set(screen), *too_small(screen)]


def drag(screen: Any, start: tuple[float, float], goal: tuple[float, float]) -> None:
    """A finger in the picture, from share to share, no faster than the table's pictures."""
    from kivy.tests.common import UnitTestTouch

    x, y, width, height = screen.camera.picture_box
    (x0, y0), (x1, y1) = ((x + a * width, y + (1 - b) * height) for a, b in (start, goal))
    touch = UnitTestTouch(x0, y0)
    touch.touch_down()
    for part in range(1, 5):
        touch.touch_move(x0 + (x1 - x0) * part / 4, y0 + (y1 - y0) * part / 4)
        rest(0.3)
    touch.touch_up()


@pytest.mark.parametrize("size", [(800, 480), (720, 1280)])
def test_the_games_fit_and_one_is_chosen(size: tuple[int, int]) -> None:
    from companion.ui.offscreen import open_window

    window = open_window(size)
    style.use_language("de")
    chosen: list[str] = []
    named = [(str(n), "Die Dolmengötter auf dem Tisch") for n in range(9)]
    screen: Any = VirtualGamesScreen(
        lambda: named, chosen.append, lambda: chosen.append("shelf"),
        size_hint=(None, None), size=size,
    )  # fmt: skip
    window.add_widget(screen)
    tick(4)
    assert faults(screen) == []
    tap_on(key(screen, "←"))
    screen.leave()
    window.remove_widget(screen)
    assert chosen == ["shelf"]


def test_a_piece_is_dragged_and_nothing_is_left_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from companion.app.demo.window import open_table
    from companion.ui.offscreen import open_window

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    size, starts = (800, 480), list[Any]()
    window, gone = open_window(size), list[str]()
    style.use_language("de")

    def opened(table_window: TableWindow) -> TableSide:
        side = open_table(GAME, "de", table_window)
        starts.append(side.start)
        return replace(side, start=lambda: None)

    screen: Any = VirtualTableScreen(
        opened, lambda: gone.append("shelf"), lambda: gone.append("sorry"),
        size_hint=(None, None), size=size,
    )  # fmt: skip
    window.add_widget(screen)
    demo = screen.screen
    try:
        tick(4)
        assert "Einen Moment" in texts(screen) and faults(screen) == []
        starts[0]()
        frames_until(lambda: demo.your_turn and screen._shown > 3 and gone == [], "people may drag")
        tick(4)
        assert faults(screen) == []
        from companion.simulator import Camera
        from rules.box import load_box

        box = load_box(GAME)
        camera = Camera.over(box)
        from companion.simulator import VirtualTable

        stone = next(p for p in VirtualTable(box).pieces if p.kind == "stone black 6")

        def share(x: float, y: float) -> tuple[float, float]:
            u, v = camera.board_to_px(x, y)
            return (u / camera.width, v / camera.height)

        drag(demo, share(stone.x_mm, stone.y_mm), share(*box.sites["A"].at))
        frames_until(lambda: screen.play.view.ply >= 1, "the camera has read the stone")
        assert screen.play.view.last.text.startswith("p0")
        demo.show_faces(False)
        demo.choose(False)
        tick(4)
        assert faults(screen) == []
        tap_on(key(screen, "←"))
        assert gone == ["shelf"]
    finally:
        screen.leave()
        window.remove_widget(screen)
    frames_until(lambda: "virtual table" not in {t.name for t in threading.enumerate()}, "its end")
    assert list(tmp_path.glob("heelstone-table-*")) == []
