"""A whole Heelstone with simulated devices and a folder of pictures for a camera."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.app.application import Application
from companion.settings.people import MatchSetup
from companion.settings.settings import CameraSettings, Settings
from companion.simulator import Camera, VirtualTable
from hardware.settings import LampSettings, RigSettings, ScoreSettings, SoundSettings
from rules.box import load_box
from tests.support.waiting import PATIENCE_S, until

GAME = "knizia_stonehenge"
LAMPS = 33
LYING = {"C": "stone black 2", "A": "stone brown 5", "H1": "megalith black"}

RIG = RigSettings(
    lamps=LampSettings(kind="mock", count=LAMPS),
    score=ScoreSettings(kind="mock"),
    sound=SoundSettings(kind="mock"),
    buttons={"commit": "enter", "undo": "exit"},
    pin_factory="mock",
)


@cache
def picture() -> npt.NDArray[np.uint8]:
    """The board with the pieces of ``LYING``, from above."""
    box = load_box(GAME)
    table = VirtualTable(box, seed=3)
    for site, kind in LYING.items():
        table.put(kind, site)
    return Camera.over(box, seed=3).render(table)


@cache
def _photograph() -> bytes:
    """The file of ``picture()``."""
    written, data = cv2.imencode(".png", picture())
    assert written
    return data.tobytes()


def house(
    state: Path, *, camera: bool = True, devices: bool = True, lang: str = "en"
) -> Application:
    """Heelstone in the folder ``state``; its camera sees ``picture()`` once."""
    source = ""
    if camera:
        folder = state / "pictures"
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / "1.png").exists():
            (folder / "1.png").write_bytes(_photograph())
        source = str(folder)
    settings = Settings(camera=CameraSettings(source=source), rig=RIG if devices else RigSettings())
    return Application(settings, state, lang)


def begin(found: Application, names: Sequence[str] = ("Annabell", "Jörg")) -> Any:
    """Start a match that is played on the screen only, so that the camera stays free."""
    return found.start(MatchSetup(GAME, 2, {}, names=tuple(names), physical=False))


def wait(done: Callable[[], Any], seconds: float = PATIENCE_S) -> Any:
    """First true result of ``done``; the test fails if there never is one."""
    found: list[Any] = [None]

    def seen() -> bool:
        found[0] = done()
        return bool(found[0])

    assert until(seen, seconds), "it did not happen in time"
    return found[0]
