"""Cells of squares or hexagons: a lattice without edges, whose places arise by play, or a board.

Cells are named by their column and row from the first, ``0:0``; the columns of hexagons lean to
the right by half a cell per row. A direction is a number from 0, to the right, counter-clockwise;
a turn is that many steps of the same angle.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

Cell = tuple[int, int]
"""Column and row."""
Mm = tuple[float, float]

TURNS: Final = {"hexagon": 6, "square": 4}
"""Turns that look alike, by the shape of cells."""
_STEPS: Final[dict[int, tuple[Cell, ...]]] = {
    6: ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)),
    4: ((1, 0), (0, 1), (-1, 0), (0, -1)),
}
_SLACK = 1e-6
"""Share of a pitch by which sums may err."""


@dataclass(frozen=True)
class Lattice:
    """Cells in columns and rows."""

    turns: int
    """One of ``TURNS``."""
    pitch: float
    """From the middle of a cell to that of the next, mm."""
    reach: int
    """Steps from the middle to the outermost cells."""
    kind: str
    """Kind of its sites."""
    takes: tuple[str, ...]
    board: tuple[int, int] | None = None
    """Columns and rows of cells that a board shows. None: they need not lie anywhere yet, since
    players lay the first piece where they like."""
    first: Mm = (0.0, 0.0)
    """The middle of the cell ``0:0``, mm."""

    @property
    def floats(self) -> bool:
        """True if its cells lie nowhere until a piece does."""
        return self.board is None

    @property
    def _lean(self) -> Mm:
        """The step from row to row, in pitches."""
        return (0.5, math.sqrt(0.75)) if self.turns == 6 else (0.0, 1.0)

    def at(self, cell: Cell) -> Mm:
        """The middle of a cell, mm."""
        x, y = self._lean
        return (
            self.first[0] + (cell[0] + cell[1] * x) * self.pitch,
            self.first[1] + cell[1] * y * self.pitch,
        )

    def cell(self, at: Mm) -> Cell:
        """The cell whose middle is nearest to a point, mm."""
        x, y = self._lean
        row = (at[1] - self.first[1]) / self.pitch / y
        column = (at[0] - self.first[0]) / self.pitch - row * x
        near = [(math.floor(column) + i, math.floor(row) + j) for i in (0, 1) for j in (0, 1)]
        return min(near, key=lambda cell: math.dist(self.at(cell), at))

    def between(self, across: Mm, down: Mm) -> Iterator[Cell]:
        """The cells whose middles lie between these millimetres, however far from the first."""
        x, y = self._lean
        for row in _whole((at - self.first[1]) / self.pitch / y for at in down):
            for column in _whole((at - self.first[0]) / self.pitch - row * x for at in across):
                yield (column, row)

    def turned(self, cell: Cell, by: int) -> Cell:
        """A cell turned around the middle, ``by`` steps counter-clockwise."""
        for _ in range(by % self.turns):
            column, row = cell
            cell = (-row, column + row if self.turns == 6 else column)
        return cell

    def outline(self, at: Mm) -> tuple[Mm, ...]:
        """The corners of the cell around a point, mm."""
        far = self.pitch / 2 / math.cos(math.pi / self.turns)
        turns = [2 * math.pi * (n + 0.5) / self.turns for n in range(self.turns)]
        return tuple((at[0] + far * math.cos(t), at[1] + far * math.sin(t)) for t in turns)

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """All of them."""
        if self.board is not None:
            columns, rows = self.board
            return tuple((column, row) for row in range(rows) for column in range(columns))
        span = range(-self.reach, self.reach + 1)
        return tuple(
            (column, row) for row in span for column in span
            if self.turns == 4 or abs(column + row) <= self.reach
        )  # fmt: skip


def _whole(ends: Iterable[float]) -> range:
    """The whole numbers from one to the other."""
    low, high = ends
    return range(math.ceil(low - _SLACK), math.floor(high + _SLACK) + 1)


def cell_name(cell: Cell) -> str:
    """Name of a cell's site."""
    return f"{cell[0]}:{cell[1]}"


@lru_cache(maxsize=8192)
def cell_of(site: str) -> Cell | None:
    """The cell of a site; None if it is none."""
    column, colon, row = site.partition(":")
    try:
        return (int(column), int(row)) if colon else None
    except ValueError:
        return None


@lru_cache(maxsize=8192)
def around(site: str, turns: int = 6) -> tuple[str, ...]:
    """The cells next to that of a site, by direction."""
    cell = cell_of(site)
    return () if cell is None else tuple(map(cell_name, next_to(cell, turns)))


def next_to(cell: Cell, turns: int) -> tuple[Cell, ...]:
    """The cells next to one, by direction."""
    return tuple((cell[0] + dx, cell[1] + dy) for dx, dy in _STEPS[turns])
