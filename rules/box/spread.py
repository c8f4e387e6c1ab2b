"""Pieces over several cells of a lattice: what they cover in each turn, and their outline.

The item of such a piece is at the cell below its sticker, ``0, 0`` among its own; its pose is its
turn. Turns in which it covers the same cells are one, unless the rules tell them apart: wherever
its sticker then is, it lies at the cell from which the first of these turns covers them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from rules.box.box import PieceKind, Point
from rules.box.lattice import Cell, Lattice, cell_name, cell_of, next_to

RIM_MM: Final = 0.5
"""Pieces end so far within the outline of their cells."""
_EXACT = 3
"""Digits of the millimetres by which corners are found again."""


def covered(kind: PieceKind, site: str, pose: str) -> tuple[str, ...]:
    """The sites that a piece at ``site`` covers, its own first; just this one of other pieces."""
    return _covered(kind.cells, grid_of(kind).turns, site, turn_of(pose)) if kind.cells else (site,)


def turn_of(pose: str) -> int:
    """The number of a turn that is a pose; 0 for other poses."""
    return int(pose) if pose.isdecimal() else 0


def cells_of(kind: PieceKind, turn: int = 0) -> tuple[Cell, ...]:
    """The cells of a piece in a turn, from that of its sticker."""
    return _turned(kind.cells, grid_of(kind).turns, turn)


def ways_of(kind: PieceKind) -> int:
    """Number of turns in which a piece with cells covers others."""
    own = _shape(cells_of(kind))
    turns = grid_of(kind).turns
    return next(turn for turn in range(1, turns + 1) if _shape(cells_of(kind, turn)) == own)


def settled(kind: PieceKind, cell: Cell, turn: int) -> tuple[Cell, int]:
    """The cell and the turn by which rules and layouts name a piece; its sticker is at ``cell``."""
    if kind.turns or not kind.cells:
        return cell, turn
    first = turn % ways_of(kind)
    was, now = _least(cells_of(kind, turn)), _least(cells_of(kind, first))
    return (cell[0] + was[0] - now[0], cell[1] + was[1] - now[1]), first


@lru_cache(maxsize=256)
def length_of(kind: PieceKind) -> int:
    """Cells from one end of a piece to the other."""
    own = cells_of(kind)
    ways = [(1, 0), (0, 1), (1, 1)][: grid_of(kind).turns // 2]
    across = ([x * column + y * row for column, row in own] for x, y in ways)
    return 1 + max(max(one) - min(one) for one in across)


# -- outlines --------------------------------------------------------------------------------------


def middles_of(kind: PieceKind, turn: int = 0) -> tuple[Point, ...]:
    """The middles of a piece's cells, mm from its sticker."""
    grid = grid_of(kind)
    return tuple(grid.at(cell) for cell in cells_of(kind, turn))


@lru_cache(maxsize=256)
def parts_of(kind: PieceKind) -> tuple[tuple[Point, ...], ...]:
    """A piece in its first turn, cell by cell: convex outlines that meet, mm from its sticker."""
    grid, own = grid_of(kind), set(cells_of(kind))
    angles = [2 * math.pi * way / grid.turns for way in range(grid.turns)]
    parts = []
    for cell in cells_of(kind):
        (x, y), far = grid.at(cell), grid.pitch / 2
        ends = [far - RIM_MM * (beside not in own) for beside in next_to(cell, grid.turns)]
        corners = []
        for a, b, p, q in zip(angles, angles[1:] + angles[:1], ends, ends[1:] + ends[:1],
                              strict=True):  # fmt: skip
            whole = math.sin(b - a)
            corners.append((
                x + (p * math.sin(b) - q * math.sin(a)) / whole,
                y + (q * math.cos(a) - p * math.cos(b)) / whole,
            ))  # fmt: skip
        parts.append(tuple(corners))
    return tuple(parts)


@lru_cache(maxsize=1024)
def rings_of(kind: PieceKind, rim: float = RIM_MM, pose: str = "") -> tuple[tuple[Point, ...], ...]:
    """The outlines of a piece with cells, ``rim`` within those of its cells, counter-clockwise, mm
    from its sticker. One that hangs together without a hole has a single one."""
    grid = grid_of(kind)
    after: dict[tuple[float, float], list[Point]] = {}
    edges: dict[tuple[Point, Point], tuple[Point, Point]] = {}
    for at in middles_of(kind, turn_of(pose)):
        corners = [(x, y) for x, y in grid.outline(at)]
        for start, end in zip(corners, corners[1:] + corners[:1], strict=True):
            if edges.pop((_key(end), _key(start)), None) is None:
                edges[_key(start), _key(end)] = (start, end)
    for start, end in edges.values():
        after.setdefault(_key(start), []).append(end)
    rings = []
    while after:
        ring = [next(iter(after.values()))[-1]]
        while (ends := after.get(_key(ring[-1]))) is not None:
            # Where corners meet, the ring goes on around the same cell.
            end = max(ends, key=lambda end: _left(ring[-2:], end)) if ring[1:] else ends[-1]
            after[_key(ring[-1])] = [other for other in ends if other is not end]
            if not after[_key(ring[-1])]:
                del after[_key(ring[-1])]
            ring.append(end)
            if _key(end) == _key(ring[0]):
                break
        rings.append(tuple(drawn_in(ring[1:], rim)))
    return tuple(rings)


def drawn_in(outline: Iterable[Point], by: float) -> list[Point]:
    """An outline, counter-clockwise, each side of which is moved inwards by ``by``."""
    points = list(outline)
    found = []
    for before, at, then in zip(points[-1:] + points[:-1], points, points[1:] + points[:1],
                                strict=True):  # fmt: skip
        (ax, ay), (bx, by_) = _inwards(before, at), _inwards(at, then)
        share = by / (1 + ax * bx + ay * by_)
        found.append((at[0] + (ax + bx) * share, at[1] + (ay + by_) * share))
    return found


def span_of(kind: PieceKind) -> tuple[Point, Point]:
    """Width and height of a piece in its first turn, and its middle from its sticker, mm."""
    if not kind.cells:
        return kind.size, (0.0, 0.0)
    xs, ys = zip(*rings_of(kind)[0], strict=True)
    return (
        (max(xs) - min(xs), max(ys) - min(ys)),
        ((max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2),
    )


# -- private ---------------------------------------------------------------------------------------


def grid_of(kind: PieceKind) -> Lattice:
    """The cells around the sticker of a piece."""
    return _grid(6 if kind.shape == "hexagon" else 4, kind.size[0])


@lru_cache(maxsize=64)
def _grid(turns: int, pitch: float) -> Lattice:
    return Lattice(turns, pitch, 0, "", ())


@lru_cache(maxsize=1024)
def _turned(cells: tuple[Cell, ...], turns: int, turn: int) -> tuple[Cell, ...]:
    own = sorted(cells or ((0, 0),), key=lambda cell: cell != (0, 0))
    return tuple(_grid(turns, 1.0).turned(cell, turn) for cell in own)


@lru_cache(maxsize=8192)
def _covered(cells: tuple[Cell, ...], turns: int, site: str, turn: int) -> tuple[str, ...]:
    if (at := cell_of(site)) is None:
        return (site,)
    return tuple(cell_name((at[0] + x, at[1] + y)) for x, y in _turned(cells, turns, turn))


def _least(cells: Iterable[Cell]) -> Cell:
    columns, rows = zip(*cells, strict=True)
    return min(columns), min(rows)


def _shape(cells: Iterable[Cell]) -> frozenset[Cell]:
    """Cells, wherever they lie."""
    every = tuple(cells)
    column, row = _least(every)
    return frozenset((x - column, y - row) for x, y in every)


def _key(at: Point) -> Point:
    return round(at[0], _EXACT) + 0.0, round(at[1], _EXACT) + 0.0


def _left(side: list[Point], end: Point) -> float:
    """The turn of a way behind a side, if it goes on to ``end``: positive to the left."""
    (ax, ay), (bx, by) = side
    return (bx - ax) * (end[1] - by) - (by - ay) * (end[0] - bx)


def _inwards(start: Point, end: Point) -> Point:
    """The direction to the left of a side, of length 1."""
    x, y = end[0] - start[0], end[1] - start[1]
    long = math.hypot(x, y)
    return -y / long, x / long
