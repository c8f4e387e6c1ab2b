"""The demo's screen: a play screen and the camera's picture, beside each other or in turn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rules.match import Match
from tests.companion.ui.conftest import Opened
from tests.support.ui_harness import (
    GAME,
    OnScreen,
    badly_set,
    key,
    places,
    tap_on,
    texts,
    tick,
    too_small,
    view_of,
)

WIDE, SMALL, TALL = (1280, 720), (800, 480), (720, 1280)


class Shown(OnScreen):
    """A demo screen in the window."""

    def __init__(self, size: tuple[int, int], lang: str) -> None:
        super().__init__(size, lang)
        from companion.ui.screens.demo.screen import DemoScreen
        from companion.ui.screens.play.screen import PlayScreen

        self.gestures: list[Any] = []
        play: Any = PlayScreen(lambda intent: None, now_s=lambda: 60.0)
        self.put(DemoScreen(play, self.gestures.append, **self.room), 0)
        play.show(view_of(Match(GAME, 2)))
        self.screen.camera.show(np.full((720, 960, 3), 120, np.uint8))
        self.screen.show_display(["Schwarz ist am Zug", "Schwarz 0    Braun 0", "Bereit", ""])
        tick(6)


@pytest.fixture(params=places((WIDE, SMALL, TALL)))
def shown(request: pytest.FixtureRequest, opened: Opened[Shown]) -> Shown:
    return opened(Shown(*request.param))


def test_everything_fits_and_the_picture_stays_in_its_place(shown: Shown, tmp_path: Path) -> None:
    screen = shown.screen
    assert badly_set(screen) == []
    assert too_small(screen) == []
    if not screen.beside:
        screen.choose(True)
        tick(6)
        assert badly_set(screen) == []
    screen.hand_over()
    tick(6)
    assert badly_set(screen) == []
    camera = screen.camera
    x, y, width, height = camera.picture_box
    drawn = camera.drawn_box
    assert drawn == pytest.approx((x, y, width, height))
    assert camera.x - 1 <= x and x + width <= camera.x + camera.width + 1
    assert width > screen.width * 0.3


def test_pieces_can_be_dragged_only_after_the_story(shown: Shown) -> None:
    from kivy.tests.common import UnitTestTouch

    from companion.presentation.virtual_table import Carry, Drop, Lift

    screen = shown.screen
    if not screen.beside:
        tap_on(key(screen, "Tisch" if "Spiel" in texts(screen) else "Table"))
        tick(6)
    x, y, width, height = screen.camera.picture_box
    for expected in ([], [Lift, Carry, Drop]):
        touch = UnitTestTouch(x + width / 4, y + height / 2)
        touch.touch_down()
        touch.touch_move(x + width / 2, y + height / 2)
        touch.touch_up()
        assert [type(gesture) for gesture in shown.gestures] == expected
        screen.hand_over()
        tick(6)
        x, y, width, height = screen.camera.picture_box
    assert shown.gestures[0].x == pytest.approx(0.25, abs=0.01)
    assert shown.gestures[2].x == pytest.approx(0.5, abs=0.01)
