"""Cuts a board into tiles that fit on sheets of paper.

Rows are letters from the far edge down, columns numbers from the left, so the first tile is A1.
Every tile but the last of its row has a flap on its right, and every tile but the last row's one
below; the next tile is cut along its edge and glued onto that flap. Seams keep clear of places.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from companion.printing.sheet import FOOTER, MARGIN, PAPERS
from rules.box import Box, Stroke

# -- cuts -------------------------------------------------------------------------------------

STEP_MM = 1.0
"""Distance of the cuts that are tried."""
PLACE, HIDDEN_PLACE, LETTERS, ALONG, STICKER = 1.0, 0.5, 0.5, 3.0, 1000.0
"""Costs of a cut: through a place, one that is not printed, a text per letter, a line all along, a
corner sticker."""
UNEVEN = 1e-5
"""Cost of a mm² of unevenness: between cuts as good as each other the sheets decide."""
LEAST_MM = 80.0
"""Minimum width of a strip, mm: a narrower one is hard to glue."""
LETTER_WIDE = 0.62
"""Width of a letter, per its height."""
AIR_MM, AIR = 4.0, 0.2
"""Distance from a place, mm, within which a cut costs this share of one through it."""
NEAR_MM = 2.0
"""Distance from a line within which a cut runs along it, mm."""


@dataclass(frozen=True, slots=True)
class Obstacle:
    """A stretch along one axis that cuts should avoid: from, to (mm), and its cost."""

    start: float
    end: float
    cost: float


def obstacles(box: Box, axis: int) -> list[Obstacle]:
    """Obstacles to cuts at a place on ``axis``: 0 for x, 1 for y."""
    found = []
    for corner in box.corners:
        half = corner.size * 2 / 3
        found.append(Obstacle(corner.at[axis] - half, corner.at[axis] + half, STICKER))
    for site in box.sites.values():
        if not box.is_beside_board(site):
            half = site.radius if site.size is None else site.size[axis] / 2
            cost = PLACE if site.printed else HIDDEN_PLACE
            found.append(Obstacle(site.at[axis] - half, site.at[axis] + half, cost))
            half += AIR_MM
            found.append(Obstacle(site.at[axis] - half, site.at[axis] + half, cost * AIR))
    return found + [one for stroke in box.strokes for one in _of_stroke(stroke, axis)]


def cuts(length: float, most: float, flap: float, in_way: Sequence[Obstacle]) -> list[float]:
    """Places at which to cut ``length`` mm, from one end to the other, with both ends.

    ``most``: mm that fit on a sheet; all parts but the last lose ``flap`` of them. As few parts as
    possible, and of all ways to cut that many the one that costs least. ``in_way`` in mm from the
    first end.
    """
    count = max(1, math.ceil((length - flap) / (most - flap)))
    even = (length + (count - 1) * flap) / count - flap
    best: dict[float, tuple[float, list[float]]] = {0.0: (0.0, [0.0])}
    for number in range(1, count):
        # So much at most is on the sheets after this cut.
        left = most + (count - 1 - number) * (most - flap)
        first, last = max(length - left, 0.0), min(number * (most - flap), length)
        steps = max(round((last - first) / STEP_MM), 0)
        places = {first + (last - first) * step / max(steps, 1) for step in range(steps + 1)}
        after = {}
        for at in sorted(places | ({number * even} if first <= number * even <= last else set())):
            here = cost_of([at], in_way) + UNEVEN * (at - number * even) ** 2
            before = [
                (cost + here, [*way, at]) for end, (cost, way) in best.items()
                if LEAST_MM <= at - end <= most - flap + 1e-6
            ]  # fmt: skip
            if before:
                after[at] = min(before)
        best = after
    ways = [way for way in best.values() if LEAST_MM <= length - way[1][-1] <= most + 1e-6]
    return [*min(ways)[1], length]


def cost_of(places: Sequence[float], in_way: Sequence[Obstacle]) -> float:
    """Cost of cuts at these places."""
    return sum(one.cost for at in places for one in in_way if one.start < at < one.end)


# -- private ------------------------------------------------------------------------------


def _of_stroke(stroke: Stroke, axis: int) -> list[Obstacle]:
    if stroke.kind == "text":
        at, half = stroke.points[0][axis], stroke.width / 2
        half *= len(stroke.text) * LETTER_WIDE if axis == 0 else 1.0
        # Each letter counts: half a title is worse to read than half a number.
        return [Obstacle(at - half, at + half, LETTERS * len(stroke.text))]
    if stroke.kind == "circle" or (stroke.kind == "polygon" and stroke.width == 0):
        return []
    reach = stroke.width / 2 + NEAR_MM
    closed = stroke.points + (stroke.points[:1] if stroke.kind == "polygon" else ())
    return [
        Obstacle(a[axis] - reach, a[axis] + reach, ALONG)
        for a, b in pairwise(closed)
        if abs(a[axis] - b[axis]) < NEAR_MM
    ]


FLAP = 10.0
"""Width of the flap in mm."""
BLEED = 3.0
"""Width of the drawing beyond a cut or a seam, mm."""


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
    """True if sheets lie crosswise (landscape)."""
    rows: int
    columns: int
    tiles: tuple[Tile, ...]
    cost: float
    """Cost of its seams, as of ``cost_of``."""


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
