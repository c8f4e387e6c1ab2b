"""How a board is cut into tiles that fit on sheets of paper.

Rows are letters from the far edge down, columns numbers from the left, so the first tile is A1.
Every tile but the last of its row has a flap on its right, and every tile but the last row's one
below; the next tile is cut along its edge and glued onto that flap.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from companion.printing.sheet import FOOTER, MARGIN, PAPERS

__all__ = ["BLEED", "FLAP", "Tile", "TilePlan", "plan_tiles"]

FLAP = 10.0
"""Width of the flap in mm."""
BLEED = 3.0
"""How far the drawing continues beyond a cut or a seam, mm."""


@dataclass(frozen=True, slots=True)
class Tile:
    """One sheet's part of the board; board millimetres."""

    name: str
    row: int
    column: int
    left: float
    bottom: float
    right: float
    top: float
    """Its own part, without flaps."""
    flap_right: bool
    flap_below: bool


@dataclass(frozen=True, slots=True)
class TilePlan:
    """All tiles of a board on one kind of paper."""

    paper: str
    across: bool
    """Sheets lie crosswise (landscape)."""
    rows: int
    columns: int
    tiles: tuple[Tile, ...]


def plan_tiles(size: tuple[float, float], paper: str) -> TilePlan:
    """Tiles for a board of ``size`` mm, with the paper laid whichever way needs fewer sheets."""
    plans = [_plan(size, paper, across) for across in (False, True)]
    return min(plans, key=lambda plan: len(plan.tiles))


def room(paper: str, across: bool) -> tuple[float, float]:
    """Width and height in mm of what fits on a sheet, bleed and flaps included."""
    wide, high = PAPERS[paper][::-1] if across else PAPERS[paper]
    return wide - 2 * MARGIN, high - 2 * MARGIN - FOOTER


def _plan(size: tuple[float, float], paper: str, across: bool) -> TilePlan:
    wide, high = room(paper, across)
    lefts = _parts(size[0], wide)
    tops = _parts(size[1], high)
    columns, rows = len(lefts) - 1, len(tops) - 1
    tiles = tuple(
        Tile(
            name=f"{chr(ord('A') + row)}{column + 1}",
            row=row,
            column=column,
            left=lefts[column] - size[0] / 2,
            right=lefts[column + 1] - size[0] / 2,
            top=size[1] / 2 - tops[row],
            bottom=size[1] / 2 - tops[row + 1],
            flap_right=column < columns - 1,
            flap_below=row < rows - 1,
        )
        for row in range(rows)
        for column in range(columns)
    )
    return TilePlan(paper, across, rows, columns, tiles)


def _parts(length: float, room: float) -> list[float]:
    """Where to cut ``length`` mm so that every part with bleed and flap fits into ``room`` mm."""
    free = room - 2 * BLEED
    # The flap takes the place of the bleed on its side, and no more than BLEED is ever needed.
    count = max(1, math.ceil((length - FLAP) / (free - FLAP)))
    each = (length + (count - 1) * FLAP) / count
    return [0.0, *(number * (each - FLAP) for number in range(1, count)), length]
