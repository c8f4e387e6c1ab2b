"""A board that is not the printed one, as a camera sees it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

import cv2
import numpy as np
import numpy.typing as npt

from companion.boards.mapping import Mapping
from companion.simulator import Camera, VirtualTable
from rules.box import Box, Point, Stroke, load_box
from vision.board.flat_board import with_corners

GAME = "knizia_stonehenge"
CORNERS: dict[int, Point] = {0: (-215, 240), 1: (222, 236), 2: (218, -238), 3: (-220, -232)}
"""Middles of the stickers, put down by hand: no rectangle, and further apart than the printed
ones."""
LYING = {"C": "stone black 2", "A": "stone brown 5", "H1": "megalith black"}
STRAYED, STRAYED_BY = "R5", (14.0, -9.0)
"""One field that lies elsewhere on this edition."""


@cache
def true_board() -> Box:
    """The board on the table: moved, turned by 4°, scaled by 0.93, one field elsewhere."""
    mapping = Mapping(load_box(GAME))
    mapping.use_corners(with_corners(mapping.box, CORNERS))
    mapping.transform((12, -7), 4, 0.88)
    x, y = mapping.places[STRAYED].at
    mapping.move_site(STRAYED, (x + STRAYED_BY[0], y + STRAYED_BY[1]))
    return mapping.laid


@cache
def bare() -> npt.NDArray[np.uint8]:
    """The same board with nothing on it."""
    return Camera.over(true_board(), seed=5).render(VirtualTable(true_board(), seed=5))


@cache
def bare_file() -> bytes:
    """The PNG file of ``bare()``."""
    written, data = cv2.imencode(".png", bare())
    assert written
    return data.tobytes()


@cache
def photograph() -> npt.NDArray[np.uint8]:
    """That board with the pieces of ``LYING``."""
    table = VirtualTable(true_board(), seed=5)
    for site, kind in LYING.items():
        table.put(kind, site)
    return Camera.over(true_board(), seed=5).render(table)


def with_a_print_of_its_own(seed: int) -> Box:
    """The printed sites on a board that is printed quite otherwise, as an original is."""
    random, box = Random(seed), load_box(GAME)
    strokes = []
    for _ in range(40):
        x, y, reach = random.uniform(-200, 200), random.uniform(-200, 200), random.uniform(10, 60)
        colour = "#" + "".join(f"{random.randint(40, 220):02x}" for _ in range(3))
        points = tuple(
            (x + random.uniform(-reach, reach), y + random.uniform(-reach, reach)) for _ in range(5)
        )
        strokes.append(Stroke("polygon", "art", points, colour, 0.0, "", ()))
    lines = [stroke for stroke in box.strokes if stroke.kind == "line"]
    colours = dict.fromkeys(box.colours, "#8a8f78") | {
        "board": "#b89a6a", "table": box.colours["table"]
    }  # fmt: skip
    return replace(box, colours=colours, strokes=(*strokes, *lines))


OUTLINE: tuple[Point, ...] = ((-190, 205), (194, 198), (192, -200), (-193, -196))
"""The corners of a board that lies between its stickers, mm; what is around it is table."""


@cache
def between_stickers(table: str = "") -> Box:
    """``true_board`` cut along ``OUTLINE``; ``table``: the table's colour if it is another."""
    box = true_board()
    colours = {**box.colours, "table": table} if table else box.colours
    return replace(box, outline=OUTLINE, colours=colours)


@cache
def seen_from_above(box: Box) -> npt.NDArray[np.uint8]:
    """``box`` with nothing on it."""
    return Camera.over(box, seed=5).render(VirtualTable(box, seed=5))
