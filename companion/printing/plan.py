"""How a board is cut into tiles that fit on sheets of paper.

Rows are letters from the far edge down, columns numbers from the left, so the first tile is A1.
Every tile but the last of its row has a flap on its right, and every tile but the last row's one
below; the next tile is cut along its edge and glued onto that flap. Seams keep clear of places.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.printing.seams import Obstacle, cost_of, cuts, obstacles
from companion.printing.sheet import FOOTER, MARGIN, PAPERS
from rules.box import Box

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
    cost: float
    """What its seams run through, as ``seams.cost_of`` says."""


def plan_tiles(box: Box, paper: str) -> TilePlan:
    """Tiles for a board, with the paper laid whichever way needs fewer sheets; of two that need as
    many, whichever cuts fewer places."""
    plans = [_plan(box, paper, across) for across in (False, True)]
    return min(plans, key=lambda plan: (len(plan.tiles), plan.cost))


def room(paper: str, across: bool) -> tuple[float, float]:
    """Width and height in mm of what fits on a sheet, bleed and flaps included."""
    wide, high = PAPERS[paper][::-1] if across else PAPERS[paper]
    return wide - 2 * MARGIN, high - 2 * MARGIN - FOOTER


def _plan(box: Box, paper: str, across: bool) -> TilePlan:
    size = box.size
    # The flap takes the place of the bleed on its side, and no more than BLEED is ever needed.
    wide, high = (side - 2 * BLEED for side in room(paper, across))
    beside = [
        Obstacle(one.start + size[0] / 2, one.end + size[0] / 2, one.cost)
        for one in obstacles(box, 0)
    ]
    below = [
        Obstacle(size[1] / 2 - one.end, size[1] / 2 - one.start, one.cost)
        for one in obstacles(box, 1)
    ]
    lefts, tops = cuts(size[0], wide, FLAP, beside), cuts(size[1], high, FLAP, below)
    cost = cost_of(lefts[1:-1], beside) + cost_of(tops[1:-1], below)
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
    return TilePlan(paper, across, rows, columns, tiles, cost)
