"""Pictures of the page for your own board, for the documentation."""

from __future__ import annotations

import random
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2

from companion.app.application import Application
from companion.boards.mapping import Mapping
from companion.settings.settings import CameraSettings, Settings
from companion.simulator import Camera, VirtualTable
from companion.ui.offscreen import open_still_window, tick
from docs.gallery.contact_sheet import Picture, photographed
from rules.box import Box, Point, Stroke, load_box
from vision.board.flat_board import with_corners

GAME = "knizia_stonehenge"
CORNERS: dict[int, Point] = {0: (-228, 222), 1: (230, 219), 2: (227, -224), 3: (-229, -221)}
OUTLINE: tuple[Point, ...] = ((-203, 197), (205, 193), (202, -199), (-205, -196))
"""The board lies between its stickers."""
PRINT = (
    (154, 127, 82), (141, 111, 69), (168, 138, 88), (124, 122, 77), (181, 154, 104), (111, 91, 58),
)  # fmt: skip
"""Inks of a board that is not ours: its ground first; red, green, blue."""
PATIENCE_S = 30.0


def own_board_pictures(size: tuple[int, int], lang: str) -> list[Picture]:
    """An outline whose corner is dragged, a layout half way to its place, a single field, and a
    board that is drawn."""
    window = open_still_window(size, lang)
    from companion.ui.screens.workshop import WorkshopScreen

    def nothing(*_: Any) -> None:
        pass

    drawn: list[Picture] = []
    with tempfile.TemporaryDirectory() as folder:
        pictures = Path(folder) / "camera"
        pictures.mkdir()
        board = _original()
        view = Camera.over(board, seed=4).render(VirtualTable(board, seed=4))
        cv2.imwrite(str(pictures / "1.png"), view)
        settings = Settings(camera=CameraSettings(source=str(pictures)))
        house = Application(settings, Path(folder) / "state", lang)
        screen = WorkshopScreen(house, nothing, size_hint=(None, None), size=size)
        window.add_widget(screen)

        def shoot() -> None:
            tick()
            drawn.append(photographed(screen))

        screen.open("board")
        page: Any = screen.shown
        _choose(page, GAME)
        _wait(house)
        page.take()
        step = page.outline
        corner = page.mapping.outline[2]
        step._down(corner)
        step._drag(corner, (corner[0] - 14, corner[1] + 9))
        shoot()
        step._up(corner, False)
        step._undo()
        step._done(True)
        shoot()
        mapping: Mapping = page.mapping
        for name, place in _places(board, mapping).items():
            mapping.move_site(name, place)
        x, y = mapping.places["H1"].at
        mapping.move_site("H1", (x - 9, y + 7))
        page._mode("single")
        page._picked = "H1"
        page._step_zoom()
        shoot()
        _choose(page, "dolmengoetter")
        page._draw_board()
        page.drawing._look = replace(page.drawing._look, picture=None, board=None)
        page.drawing.begin(empty=False)
        page.drawing.draft.join("V4", "V5")
        page.drawing._choose("lines")
        shoot()
        screen.leave()
        window.remove_widget(screen)
        house.close()
    return drawn


def _choose(page: Any, game: str) -> None:
    page._game = game
    page._cancel()


def _wait(house: Application) -> None:
    end = time.monotonic() + PATIENCE_S
    while house.workshop.camera.look().picture is None:
        if time.monotonic() > end:
            raise TimeoutError("the drawn camera did not answer in time")
        time.sleep(0.02)


def _original() -> Box:
    """A board with a print of its own, its fields not where ours are."""
    mapping = Mapping(load_box(GAME))
    mapping.use_corners(with_corners(mapping.box, CORNERS))
    mapping.transform((9, -6), 5, 0.86)
    box, chance = mapping.laid, random.Random(8)
    strokes = []
    for ink in PRINT[1:] * 5:
        x, y = chance.uniform(-210, 210), chance.uniform(-210, 210)
        reach = chance.uniform(25, 70)
        spots = tuple(
            (x + chance.uniform(-reach, reach), y + chance.uniform(-reach, reach)) for _ in range(7)
        )
        strokes.append(Stroke("polygon", "art", spots, _ink(ink), 0.0, "", ()))
    lines = [replace(s, colour=_ink((92, 74, 48))) for s in box.strokes if s.kind == "line"]
    colours = dict.fromkeys(box.colours, _ink((216, 200, 160))) | {
        "board": _ink(PRINT[0]), "table": box.colours["table"]
    }  # fmt: skip
    return replace(box, colours=colours, strokes=(*strokes, *lines), outline=OUTLINE)


def _ink(rgb: tuple[int, int, int]) -> str:
    return f"#{rgb[0]:02x}{rgb[1]:02x}{rgb[2]:02x}"


def _places(board: Box, mapping: Mapping) -> dict[str, Point]:
    """Positions of the fields in the coordinates of the picture."""
    corners = [corner.at for corner in board.corners]
    middle = [sum(at[axis] for at in corners) / len(corners) for axis in (0, 1)]
    first, second = corners[0], corners[1]
    across = ((second[0] - first[0]) ** 2 + (second[1] - first[1]) ** 2) ** 0.5
    scale = mapping.across_mm / across
    return {
        name: ((site.at[0] - middle[0]) * scale, (site.at[1] - middle[1]) * scale)
        for name, site in board.sites.items()
    }
