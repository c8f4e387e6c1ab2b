"""A board that is not the printed one, as a camera sees it."""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from companion.board_mapping import Mapping
from companion.virtual import Camera, VirtualTable
from rules.box import Box, Point, load_box
from vision.flat_board import with_corners

GAME = "knizia_stonehenge"
CORNERS: dict[int, Point] = {0: (-215, 240), 1: (222, 236), 2: (218, -238), 3: (-220, -232)}
"""Put down by hand: no rectangle, and further apart than the printed ones."""
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
def photograph() -> npt.NDArray[np.uint8]:
    """That board with the pieces of ``LYING``."""
    table = VirtualTable(true_board(), seed=5)
    for site, kind in LYING.items():
        table.put(kind, site)
    return Camera.over(true_board(), seed=5).render(table)
