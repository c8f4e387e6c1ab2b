"""A go board as a board of one's own: 19 × 19 sites, bare stones, four corner stickers beside it.

No game of Heelstone is played on it. It is here because there are photographs of such boards with
their truth, and because nothing else lays so many bare pieces so close to each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

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


def site_id(column: int, row: int) -> str:
    """The crossing of the lines ``column`` (from the left) and ``row`` (from above), from 0."""
    return f"{COLUMNS[column]}{LINES - row}"


def go_board(corners: Mapping[int, Point] | None = None) -> Box:
    """The box; ``corners``: middles of its stickers in mm if they are known."""
    half_x, half_y = (pitch * (LINES - 1) / 2 for pitch in PITCH)
    out_x, out_y = half_x + STICKERS_OUT[0], half_y + STICKERS_OUT[1]
    usual = dict(
        zip(
            STICKER_IDS,
            [(-out_x, out_y), (out_x, out_y), (out_x, -out_y), (-out_x, -out_y)],
            strict=True,
        )
    )
    placed = {**usual, **(corners or {})}
    reach = STICKER_MM / 2 + 5.0
    sites = {site.id: site for site in _sites(half_x, half_y)}
    return Box(
        id=ID,
        names={"de": "Gobrett", "en": "Go board"},
        size=(
            2 * max(abs(x) + reach for x, _ in placed.values()),
            2 * max(abs(y) + reach for _, y in placed.values()),
        ),
        dictionary="DICT_4X4_50",
        colours=COLOURS,
        corners=tuple(Corner(i, at, STICKER_MM) for i, at in placed.items()),
        sites=sites,
        kinds={kind: _stone(kind) for kind in STONES.values()},
        strokes=tuple(_strokes(half_x, half_y)),
        site_order=tuple(sites),
        printed_sites=(),
    )


def wood(places: Mapping[str, Point]) -> tuple[Point, ...]:
    """The corners of the wood around the lines, mm, clockwise from the upper left.

    ``places``: where the crossings lie, by site.
    """
    last = LINES - 1
    ends = [(0, 0), (last, 0), (last, last), (0, last)]
    at = [complex(*places[site_id(column, row)]) for column, row in ends]
    sides = [(at[(n + 1) % 4] - at[n]) / abs(at[(n + 1) % 4] - at[n]) for n in range(4)]
    corners = [at[n] + RIM * (sides[n - 1] - sides[n]) for n in range(4)]
    return tuple((round(c.real, 1), round(c.imag, 1)) for c in corners)


def rows_to_table(rows: list[str]) -> dict[str, str]:
    """Nineteen rows of ``.``, ``B`` and ``W``, from above, to kinds by site."""
    return {
        site_id(column, row): STONES[letter]
        for row, text in enumerate(rows)
        for column, letter in enumerate(text.split())
        if letter in STONES
    }


def _sites(half_x: float, half_y: float) -> Iterator[Site]:
    for row in range(LINES):
        for column in range(LINES):
            at = (column * PITCH[0] - half_x, half_y - row * PITCH[1])
            around = [
                site_id(c, r)
                for c, r in (
                    (column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)
                )
                if 0 <= c < LINES and 0 <= r < LINES
            ]  # fmt: skip
            yield Site(
                site_id(column, row), "place", at, min(PITCH) / 2 - 1.0, None, ("stone",), 1, "",
                "", tuple(around),
            )  # fmt: skip


def _stone(kind: str) -> PieceKind:
    owner = kind.split()[1]
    return PieceKind(
        id=kind, group="stone", owner=owner, stickers=(), sticker_mm=0.0, height=STONE_HIGH,
        shape="disc", size=(STONE_MM, STONE_MM),
        colour="#1d1c1c" if owner == "black" else "#eceae2", mark="", poses=(), count=181, back="",
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
