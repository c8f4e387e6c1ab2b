"""From the very first start to the first move, by touch, with a real house behind the screens."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.app.application import Application
from companion.match.view import TableState
from companion.settings.manners import Manners
from companion.settings.people import MatchSetup
from companion.settings.settings import CameraSettings, Settings
from companion.setup.table_check import LampTrial, Trial
from hardware.settings import MOCK_RIG
from tests.support.app_window import Running
from tests.support.scenery import Board, picture
from tests.support.ui_harness import key, need_screen, tap_on, texts, tick, walk
from tests.support.waiting import PATIENCE_S
from vision.camera.sources import MemorySource

QUICK = Manners(commit_s=0.05, quiet_s=0.05, reason_s=0.1, desync_s=0.5)
STONE: Board = {"G": "stone black 1"}


def glowing(house: Application) -> list[int]:
    """The lamps that somebody at the table sees glow."""
    return [number for number, rgb in enumerate(house.rig.lamps.frame) if any(rgb)]


def told(house: Application, trial: Trial) -> list[str]:
    """The choice that stands on the display, or was said."""
    twin = house.rig.twins["score" if trial.step == "display" else "sound"]
    words = {word for row in twin.rows() for word in row.split()}
    return [choice for choice in trial.choices if choice in words]


def test_the_whole_way_to_the_first_move(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need_screen()
    from companion.ui.screens.seats.table import SeatKey
    from companion.ui.screens.start import BoxFront

    sources: list[MemorySource] = []

    def opened(*_: object) -> MemorySource:
        sources.append(MemorySource())
        return sources[-1]

    monkeypatch.setattr("companion.camera.owner.open_source", opened)
    camera = CameraSettings(source="0")
    house = Application(Settings(camera=camera, manners=QUICK, rig=MOCK_RIG), tmp_path, "de")
    shell: Any = house
    running = Running((800, 480), "de", shell)

    def film(board: Board, done: Callable[[], bool], seconds: float = PATIENCE_S) -> bool:
        image, end = picture(board), time.monotonic() + seconds
        while not done():
            if time.monotonic() > end:
                return False
            if sources:
                sources[-1].push(image)
            tick(1)
            # As often as a camera: every picture is looked at.
            time.sleep(0.03)
        return True

    # The welcome offers the check; lamps, display and sound are passed by looking at the twins.
    tap_on(key(running.root, "Tisch prüfen"))
    setup = running.screen
    while setup.box != "knizia_stonehenge":
        setup.next_box()
    assert film({}, lambda: all(f.verdict == "good" for f in setup.findings[:5]))
    assert film({}, lambda: setup._open_step() == "lamps")
    for _step in ("lamps", "display", "sound"):
        setup.go_on()
        tick(2)
        while isinstance(setup.trial, LampTrial):
            assert film({}, lambda: len(glowing(house)) == 1)
            tap_on(key(setup, str(glowing(house)[0] + 1)))
        if isinstance(setup.trial, Trial):
            assert film({}, lambda: len(told(house, setup.trial)) == 1)
            tap_on(key(setup, told(house, setup.trial)[0]))
    assert film({}, lambda: setup.ready)
    setup.renew()
    tick(2)
    assert "Bereit" in texts(running.root)
    tap_on(key(running.root, "Fertig"))
    assert house.eyes is None, "the camera is free again"

    # A box, two names, and the board is looked at before play begins.
    boxes = [w for w in walk(running.root) if isinstance(w, BoxFront)]
    next(box for box in boxes if box.game == "knizia_stonehenge").trigger_action(0)
    tick(2)
    running.screen.touch_seat(0)
    running.screen.name_seat("Jörg")
    tick(2)
    assert "Jörg" in [w.text for w in walk(running.root) if isinstance(w, SeatKey)]
    tap_on(key(running.root, "Losspielen"))
    check = running.screen
    assert film(STONE, lambda: bool(check._wrong))
    assert "Trotzdem anfangen" in texts(running.root)
    assert film({}, lambda: check.ready)
    assert film({}, lambda: "Losspielen" in texts(running.root))
    session = house.session
    assert session is not None
    assert session.view.ply == 0, "what lay there meanwhile was no move"
    tap_on(key(running.root, "Losspielen"))
    assert film({}, lambda: session.view.state is TableState.SETTLED)
    assert film(STONE, lambda: session.view.ply == 1)
    assert film(STONE, lambda: "Jörg" in texts(running.root))

    # Back on the shelf the match waits, and goes on where it was.
    running.app.shelf()
    tick(3)
    assert "Eine Partie ist offen" in texts(running.root)
    running.app.open_matches()
    tick(3)
    tap_on(key(running.root, "Weiterspielen"))
    resumed = house.session
    assert resumed is not None and resumed is not session
    assert resumed.view.ply == 1
    running.close()
    house.close()


def test_every_entry_of_the_shelf_leads_somewhere_and_back(tmp_path: Path) -> None:
    need_screen()
    from companion.presentation.virtual_table import Glimpse, TableSide
    from companion.ui.routes import SCREENS, screen_class
    from companion.ui.screens.start import StartScreen

    house = Application(Settings(rig=MOCK_RIG), tmp_path, "en")
    match_id = house.start(MatchSetup("knizia_stonehenge", 2)).view.match_id
    house.pause()
    shell: Any = house
    running = Running((800, 480), "en", shell)
    nothing = Glimpse(-1, None, (), False, (), ())
    side = TableSide(print, lambda: nothing, print, print, print, print)
    running.app._open_virtual = lambda _game, _lang, _window: side
    game = ["knizia_stonehenge"]
    for name in SCREENS:
        wanted: dict[str, list[Any]] = {
            "review": [match_id], "export": [match_id], "lesson": game, "virtual_table": game,
            "phones": [lambda: None], "puzzles": game,
        }  # fmt: skip
        getattr(running.app, name)(*wanted.get(name, []))
        tick(3)
        assert type(running.screen) is screen_class(name)
        running.app.back()
        tick(2)
        assert isinstance(running.screen, StartScreen)
    running.close()
    house.close()
