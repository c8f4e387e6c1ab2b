"""A go board as a board of one's own: 19 × 19 sites, bare stones, four corner stickers beside it.

No game of Heelstone is played on it. It is here because there are photographs of such boards with
their truth, and because nothing else lays so many bare pieces so close to each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.box import Box, Corner, PieceKind, Point, Site, Stroke

ID = "go_board"
LINES = 19
COLUMNS = "ABCDEFGHJKLMNOPQRST"
"""Letters of the columns from the left; players leave out the I."""
PITCH: Point = (22.0, 23.7)
"""Distance between neighbouring lines, across and along, mm."""
RIM = 15.0
"""Width of the wood beyond the outer lines, mm."""
STICKER_IDS = (25, 14, 4, 7)
"""Ids of the stickers from the upper left clockwise, as on the photographs."""
STICKER_MM = 41.5
STICKERS_OUT: Point = (32.0, 31.5)
"""Distance of the stickers' middles from the outer lines, mm."""
STONES = {"B": "stone black", "W": "stone white"}
"""Kinds by the letters of the truth."""
STONE_MM = 22.0
STONE_HIGH = 8.0
COLOURS = {"board": "#d8a95c", "table": "#8f8579", "place": "#d8a95c"}
INK = "#33281c"
STARS = (3, 9, 15)


@dataclass(frozen=True, slots=True)
class Lattice:
    """A board on which pieces lie in columns and rows: a go board unless something else is said."""

    columns: int = LINES
    rows: int = LINES
    pitch: Point = PITCH
    """Distance between neighbouring places, across and along, mm."""
    rim: float = RIM
    """Width of the board beyond the outer places, mm."""
    left_out: frozenset[tuple[int, int]] = frozenset()
    """Columns and rows, from 0, where no place is."""
    stone_mm: float = STONE_MM
    board: str = COLOURS["board"]
    """Colour of the board, ``#rrggbb``."""
    black: str = "#1d1c1c"
    white: str = "#eceae2"
    """Colours of the pieces ``B`` and ``W``."""

    @classmethod
    def of(cls, rows: Sequence[str], **more: Any) -> Lattice:
        """The one that ``rows`` of letters show: ``-`` where no place is. ``more``: the rest."""
        if "pitch" in more:
            more["pitch"] = tuple(more["pitch"])
        gaps = {(column, row) for row, text in enumerate(rows)
                for column, letter in enumerate(text) if letter == "-"}  # fmt: skip
        return cls(len(rows[0]) if rows else LINES, len(rows) or LINES,
                   left_out=frozenset(gaps), **more)  # fmt: skip

    @property
    def corners(self) -> list[tuple[int, int]]:
        """Columns and rows of the outermost places, clockwise from the upper left."""
        right, low = self.columns - 1, self.rows - 1
        return [(0, 0), (right, 0), (right, low), (0, low)]

    @property
    def spots(self) -> list[tuple[int, int]]:
        """Columns and rows of all places, row by row from above."""
        every = [(column, row) for row in range(self.rows) for column in range(self.columns)]
        return [spot for spot in every if spot not in self.left_out]

    def at(self, column: int, row: int) -> Point:
        """Position of a place, mm from the middle, y up."""
        (wide, high), last = self.pitch, (self.columns - 1, self.rows - 1)
        return column * wide - wide * last[0] / 2, high * last[1] / 2 - row * high

    def name(self, column: int, row: int) -> str:
        """The id of a place."""
        return f"{COLUMNS[column]}{self.rows - row}"


GO = Lattice()


def site_id(column: int, row: int) -> str:
    """The crossing of the lines ``column`` (from the left) and ``row`` (from above), from 0."""
    return GO.name(column, row)


def go_board(corners: Mapping[int, Point] | None = None, lattice: Lattice = GO) -> Box:
    """The box; ``corners``: middles of its stickers in mm if they are known."""
    half_x, half_y = lattice.at(lattice.columns - 1, 0)
    out_x = half_x + lattice.rim - RIM + STICKERS_OUT[0]
    out_y = half_y + lattice.rim - RIM + STICKERS_OUT[1]
    usual = dict(
        zip(
            STICKER_IDS,
            [(-out_x, out_y), (out_x, out_y), (out_x, -out_y), (-out_x, -out_y)],
            strict=True,
        )
    )
    placed = {**usual, **(corners or {})}
    reach = STICKER_MM / 2 + 5.0
    sites = {site.id: site for site in _sites(lattice)}
    return Box(
        id=ID,
        names={"de": "Gobrett", "en": "Go board"},
        size=(
            2 * max(abs(x) + reach for x, _ in placed.values()),
            2 * max(abs(y) + reach for _, y in placed.values()),
        ),
        dictionary="DICT_4X4_50",
        colours={**COLOURS, "board": lattice.board, "place": lattice.board},
        corners=tuple(Corner(i, at, STICKER_MM) for i, at in placed.items()),
        sites=sites,
        kinds={kind: _stone(kind, lattice) for kind in STONES.values()},
        strokes=tuple(_strokes(half_x, half_y)) if lattice == GO else (),
        site_order=tuple(sites),
        printed_sites=(),
    )


def wood(places: Mapping[str, Point], lattice: Lattice = GO) -> tuple[Point, ...]:
    """The corners of the wood around the lines, mm, clockwise from the upper left.

    ``places``: where the crossings lie, by site.
    """
    at = [complex(*places[lattice.name(column, row)]) for column, row in lattice.corners]
    sides = [(at[(n + 1) % 4] - at[n]) / abs(at[(n + 1) % 4] - at[n]) for n in range(4)]
    corners = [at[n] + lattice.rim * (sides[n - 1] - sides[n]) for n in range(4)]
    return tuple((round(c.real, 1), round(c.imag, 1)) for c in corners)


def rows_to_table(rows: list[str], lattice: Lattice = GO) -> dict[str, str]:
    """Rows of ``.``, ``B`` and ``W``, from above, to kinds by site."""
    return {
        lattice.name(column, row): STONES[letter]
        for row, text in enumerate(rows)
        for column, letter in enumerate(text.split())
        if letter in STONES
    }


def _sites(lattice: Lattice) -> Iterator[Site]:
    there = set(lattice.spots)
    for column, row in lattice.spots:
        around = [(column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)]
        yield Site(
            lattice.name(column, row), "place", lattice.at(column, row),
            min(lattice.pitch) / 2 - 1.0, None, ("stone",), 1, "", "",
            tuple(lattice.name(*spot) for spot in around if spot in there),
        )  # fmt: skip


def _stone(kind: str, lattice: Lattice) -> PieceKind:
    owner = kind.split()[1]
    return PieceKind(
        id=kind, group="stone", owner=owner, stickers=(), sticker_mm=0.0, height=STONE_HIGH,
        shape="disc", size=(lattice.stone_mm, lattice.stone_mm),
        colour=lattice.black if owner == "black" else lattice.white, mark="", poses=(), count=181,
        back="",
    )  # fmt: skip


def _strokes(half_x: float, half_y: float) -> Iterator[Stroke]:
    for number in range(LINES):
        x, y = number * PITCH[0] - half_x, half_y - number * PITCH[1]
        for ends in (((x, -half_y), (x, half_y)), ((-half_x, y), (half_x, y))):
            yield Stroke("line", "line", ends, INK, 1.0, "", ())
    for column in STARS:
        for row in STARS:
            at = (column * PITCH[0] - half_x, half_y - row * PITCH[1])
            yield Stroke("circle", "star", (at,), INK, 2.0, "", ())
