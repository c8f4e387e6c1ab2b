"""Pictures of the workshop for the documentation, with simulated devices and a drawn table."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2

from companion.app.application import Application
from companion.camera.camera_thread import Snapshot
from companion.settings.people import MatchSetup
from companion.settings.settings import CameraSettings, Settings
from companion.simulator import Camera, VirtualTable
from companion.ui.offscreen import open_still_window, tick
from companion.workshop.camera import CameraBench, CameraLook
from docs.gallery.contact_sheet import Picture, photographed
from hardware.settings import MOCK_RIG, LampSettings, RigSettings
from rules.box import load_box

GAME = "knizia_stonehenge"
LYING = {"C": "stone black 2", "A": "stone brown 5", "E": "stone black 4", "H1": "megalith black"}
PATIENCE_S = 30.0


class _Still(CameraBench):
    """Camera whose picture always takes equally long to read."""

    def _told(self, snapshot: Snapshot, game: str, lang: str) -> CameraLook:
        sighting = replace(snapshot.sighting, ms={"total": 20.0})
        return super()._told(replace(snapshot, sighting=sighting), game, lang)


def workshop_pictures(size: tuple[int, int], lang: str) -> list[Picture]:
    """The overview and the pages that show something, for a screen of ``size`` px."""
    window = open_still_window(size, lang)
    from companion.ui.screens.workshop import WorkshopScreen

    def nothing(*_: Any) -> None:
        pass

    drawn = []
    with tempfile.TemporaryDirectory() as folder, _house(Path(folder), lang) as house:
        house.start(MatchSetup(GAME, 2, {}, names=("Anna", "Bo"), physical=False))
        screen = WorkshopScreen(
            house, nothing, on_table_setup=nothing, on_phones=nothing,
            size_hint=(None, None), size=size,
        )  # fmt: skip
        window.add_widget(screen)

        def shoot() -> None:
            tick()
            drawn.append(photographed(screen))

        shoot()
        for name, ready in _pages(house):
            screen.open(name)
            ready(screen.shown)
            shoot()
            screen.home()
        screen.leave()
        window.remove_widget(screen)
    return drawn


def _pages(house: Application) -> Iterator[tuple[str, Callable[[Any], None]]]:
    """Names of pages, and what happens on them before the picture is taken."""
    shop = house.workshop

    def camera(page: Any) -> None:
        _wait(lambda: shop.camera.look().picture is not None)
        page.tick()

    def devices(page: Any) -> None:
        page._choose_cue("stop")
        for lamp in (4, 11):
            page._toggle(lamp)

    def twins(page: Any) -> None:
        house.rig.lamps.show({n: _light(name) for n, name in enumerate(("ok", "ask", "dawn"))})
        _wait(lambda: all(any(pixel) for pixel in shop.devices.lamp_colours()[:3]))
        _wait(lambda: "Anna" in "".join(shop.devices.display().rows))
        page.tick()

    def lamps(page: Any) -> None:
        page._begin()
        for site in ("A", "B", "C"):
            page._touched(site)

    yield "camera", camera
    yield "devices", devices
    yield "twins", twins
    yield "lamps", lamps
    yield "settings", lambda _page: None


def _light(cue: str) -> Any:
    from companion.workshop.devices import CUES
    from hardware.lamps.lamps import Light

    # Steady, whatever its rhythm: a pulse would be caught at another moment every time.
    return Light(CUES[cue].color)


def _wait(done: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not done():
        if time.monotonic() > end:
            raise TimeoutError("a simulated device or camera did not answer in time")
        time.sleep(0.02)


@contextmanager
def _house(folder: Path, lang: str) -> Iterator[Application]:
    box = load_box(GAME)
    table = VirtualTable(box, seed=3)
    for site, kind in LYING.items():
        table.put(kind, site)
    pictures = folder / "pictures"
    pictures.mkdir()
    cv2.imwrite(str(pictures / "1.png"), Camera.over(box, seed=3).render(table))
    rig = RigSettings(
        lamps=LampSettings(kind="mock", count=len(box.site_order)), score=MOCK_RIG.score,
        sound=MOCK_RIG.sound, buttons=MOCK_RIG.buttons, pin_factory="mock",
    )  # fmt: skip
    settings = Settings(camera=CameraSettings(source=str(pictures)), rig=rig)
    house = Application(settings, folder / "state", lang)
    shop = house.workshop
    shop.camera = _Still(house.camera, house.own_boards, house.preferences, shop.played, shop.games)
    try:
        yield house
    finally:
        house.close()
