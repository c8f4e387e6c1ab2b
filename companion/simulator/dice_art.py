"""Pips on the sides of a die, as flat shapes in millimetres."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from companion.simulator.objects import Floats
from rules.box import PIP, PieceKind, Point, pip_points

CORNERS = 14
AROUND = {"1": "2354", "2": "1463", "3": "1265", "4": "5621", "5": "3641", "6": "4532"}
"""Faces in order around an upper one; opposite ones make seven."""


def pips(kind: PieceKind, shown: str, face: Floats) -> Iterator[tuple[Floats, Floats]]:
    """The pips of all sides but the lower one: corners (n, 3), and the normal of their side (3,).

    ``shown``: the upper face. ``face``: its plane as origin, right and up: (3, 3) mm.
    """
    origin, right, up = face
    out = np.cross(right, up)
    planes = [(shown, face)]
    for number, side in enumerate(AROUND.get(shown, "")):
        turn = math.pi / 2 * number
        away = math.cos(turn) * right + math.sin(turn) * up
        middle = origin + (away - out) * kind.size[0] / 2
        planes.append((side, np.stack([middle, np.cross(out, away), out])))
    for side, plane in planes:
        normal = np.cross(plane[1], plane[2])
        for at in pip_points(kind, side):
            yield _disc(plane, at, PIP * kind.size[0]), normal


def _disc(plane: Floats, at: Point, radius: float) -> Floats:
    turn = np.linspace(0, 2 * math.pi, CORNERS, endpoint=False)
    across, along = at[0] + radius * np.cos(turn), at[1] + radius * np.sin(turn)
    corners: Floats = np.column_stack([np.ones(CORNERS), across, along]) @ plane
    return corners
