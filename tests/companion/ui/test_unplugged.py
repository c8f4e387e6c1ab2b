"""Cables are pulled in the middle of a match: the screen says so calmly, and play goes on.

The display and the lamp board are twins behind real drivers on pseudo terminals; the camera is a
source that fails while its cable is out.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path
from random import Random

import numpy as np
import pytest

from companion.match.view import TableState
from companion.settings.manners import Manners
from companion.settings.settings import CameraSettings, Settings
from hardware.settings import LampSettings, RigSettings, ScoreSettings
from hardware.simulated.pty import PtyTwin
from tests.support.app_window import faults
from tests.support.at_the_screen import Player
from tests.support.scenery import picture
from tests.support.sweep import widely
from tests.support.ui_harness import badly_set, need_screen, texts, tick
from tests.support.waiting import PATIENCE_S
from vision.camera.sources import Frame, MemorySource, SourceError

SIZE = (800, 480)
GAME = "knizia_stonehenge"
QUICK = Manners(commit_s=0.05, quiet_s=0.05, reason_s=0.1, desync_s=60.0)
EXPOSURE_S = 0.05
NAMES = {
    "lamps": {"de": "Ohne Lampen", "en": "Without lamps"},
    "score": {"de": "Ohne Anzeige", "en": "Without display"},
}
NO_CAMERA = {"de": "Ohne Kamera – bitte tippen", "en": "No camera – please tap"}
GOES_ON = {
    "de": "Die Partie geht weiter; alles lässt sich antippen.",
    "en": "The match goes on; every move can be tapped.",
}
ALARMING = ("!!", "Fehler", "Error", "error", "Exception", "Traceback", "failed")


class Cable(MemorySource):
    """A camera that films the bare board, can be unplugged, and comes back."""

    def __init__(self) -> None:
        super().__init__()
        self.plugged = True
        bare = picture({})
        # Never twice the same: a picture that stands still is no longer believed.
        self._bare = cycle((bare, (bare ^ 1).astype(np.uint8)))

    def read(self, timeout: float | None = None) -> Frame | None:
        if not self.plugged:
            raise SourceError("the camera does not answer; check its cable")
        time.sleep(EXPOSURE_S)
        self.push(next(self._bare))
        return super().read(timeout)


class Table:
    """A player at the screen of a table with a camera, a display and a lamp board."""

    def __init__(self, player: Player, cable: Cable) -> None:
        self.player, self.cable = player, cable

    def film_until(self, done: Callable[[], bool], what: str) -> None:
        """Let camera and screen go on until something holds."""
        end = time.monotonic() + PATIENCE_S
        while not done():
            assert time.monotonic() < end, f"not within {PATIENCE_S:.0f} s: {what}; " + texts(
                self.player.screen
            )
            tick(1)
            time.sleep(0.02)

    def says(self, words: str) -> bool:
        return self.player.says(words)

    def twin(self, name: str) -> PtyTwin:
        found = self.player.house.rig.twins[name]
        assert isinstance(found, PtyTwin)
        return found

    def tap_a_move(self) -> None:
        ply = self.player.view.ply
        self.player.play(Random(ply))
        assert self.player.view.ply > ply


@pytest.fixture(params=["en", pytest.param("de", marks=pytest.mark.thorough)])
def table(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Table]:
    need_screen()
    cable = Cable()
    monkeypatch.setattr("companion.camera.owner.open_source", lambda *_: cable)
    monkeypatch.setattr("companion.camera.camera_thread.SILENCE_S", 1.5)
    rig = RigSettings(lamps=LampSettings(kind="mock", count=40), score=ScoreSettings(kind="mock"))
    settings = Settings(camera=CameraSettings(source="0"), manners=QUICK, rig=rig)
    player = Player(tmp_path, SIZE, request.param, settings)
    try:
        found = Table(player, cable)
        _begin(found)
        yield found
    finally:
        player.close()


def _begin(table: Table) -> None:
    """A match with real pieces, and a camera that sees the bare board."""
    player = table.player
    player.set_up(GAME, 2, physical=True)
    table.film_until(
        lambda: player.view.state is TableState.SETTLED and not player.view.devices,
        "the bare board is seen, and every device answers",
    )


def test_a_match_goes_on_without_its_camera_and_with_it_again(table: Table) -> None:
    player, lang = table.player, table.player.lang
    assert not table.says(NO_CAMERA[lang])
    table.cable.plugged = False
    table.film_until(lambda: table.says(NO_CAMERA[lang]), "the loss is told")
    assert badly_set(player.screen) == []
    assert not any(word in texts(player.screen) for word in ALARMING)
    player.press(NO_CAMERA[lang])
    assert table.says(GOES_ON[lang])
    assert faults(player.screen) == []
    player.press(player.word("play.back"))
    table.tap_a_move()
    player.press("↺")
    table.cable.plugged = True
    table.film_until(lambda: not table.says(NO_CAMERA[lang]), "the camera is back")
    table.film_until(lambda: player.view.state is TableState.SETTLED, "the board is read again")


@pytest.mark.parametrize("device", widely(sorted(NAMES), most=1))
def test_a_match_goes_on_without_a_device_and_with_it_again(table: Table, device: str) -> None:
    player, lang = table.player, table.player.lang
    words, twin = NAMES[device][lang], table.twin(device)
    assert not table.says(words)
    twin.unplug()
    table.film_until(lambda: table.says(words), "the loss is told")
    assert badly_set(player.screen) == []
    assert not any(word in texts(player.screen) for word in ALARMING)
    from companion.ui.workshop.devices import DevicesPage

    note = next(k for k in player.buttons() if words in k.text)
    player.press(note.text)
    assert table.says(GOES_ON[lang])
    assert faults(player.screen) == []
    player.press(player.word("screens.try_the_devices"))
    assert isinstance(player.screen.shown, DevicesPage), "one touch leads to where it is tried"
    player.press(player.word("workshop.overview"))
    player.press(player.word("workshop.leave"))
    table.film_until(lambda: table.says(words), "the match is shown again")
    table.tap_a_move()
    player.press("↺")
    twin.replug()
    table.film_until(lambda: not table.says(words), "the device is back")


def test_everything_is_unplugged_at_once_and_comes_back(table: Table) -> None:
    player, lang = table.player, table.player.lang
    twins = [table.twin(name) for name in sorted(NAMES)]
    for twin in twins:
        twin.unplug()
    table.cable.plugged = False
    table.film_until(
        lambda: table.says(NO_CAMERA[lang]) and len(player.view.devices) == 2, "all is missed"
    )
    assert badly_set(player.screen) == []
    for _ in range(3):
        table.tap_a_move()
    player.press(NO_CAMERA[lang])
    # Three things at once are more than fits: the sheet scrolls.
    assert faults(player.screen) == []
    told = texts(player.screen).lower()
    assert all(NAMES[name][lang].split()[1].lower() in told for name in NAMES)
    player.press(player.word("play.back"))
    for _ in range(3):
        player.press("↺")
    for twin in twins:
        twin.replug()
    table.cable.plugged = True
    table.film_until(
        lambda: player.view.state is TableState.SETTLED and not player.view.devices, "all is back"
    )
    assert not table.says(NO_CAMERA[lang])
