"""A board of your own with its millimetres: the game and the box that belong to it (7.3).

The file is that of ``board`` with three additions:

    [board]
    name = "Our board"
    size = [520, 480]
    outline = [[-200, 180], [200, 180], [200, -180], [-200, -180]]

    [corners]
    0 = [-240, 220]

    [places]
    U1 = [-186, 97]

Millimetres as in boxes: origin in the middle, x right, y up. Without ``places`` a board can be
played without a camera only, and lies on the screen as a wheel. ``outline`` is where the board ends
if its corner stickers lie beside it.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from dataclasses import replace

from rules.box import Box, BoxError, Corner, Point, Site, Stroke, add_box, load_box
from rules.box.override import BoxOverride, check_outline, overridden
from rules.errors import Where
from rules.games.dolmengoetter.board import (
    FACTORS,
    MOST_BYTES,
    BoardError,
    BoardFile,
    DolmenBoard,
    read_board,
)
from rules.games.dolmengoetter.game import DolmenGame

MOST_CIRCLES = 120
FORMS = {4: "square", 6: "hexagon", 8: "octagon"}
PLACE_MM, CIRCLE_MM = 11.0, 10.0
"""Radii of a stone's place and of the outline for the dolmens, as they are printed."""
RUNE_MM = 15.0
"""Distance of a rune from its place."""

_KNOWN: dict[str, DolmenGame] = {}
"""By id. A journal may hold many matches on one board."""


def on_board(text: str, where: Where) -> DolmenGame:
    """The game on the board of ``text``; ``where`` names it in messages. Raises BoardError."""
    key = hashlib.sha256(text.encode("utf-8")).hexdigest()[:12]
    name = f"dolmengoetter@{key}"
    if name in _KNOWN:
        return _KNOWN[name]
    board, box = check_board(text, where, name)
    add_box(box)

    class OwnDolmenGame(DolmenGame):
        """The same rules, another board."""

        id = name
        box = name
        board_text = text
        board_name = board.name

    return _KNOWN.setdefault(name, OwnDolmenGame(board))


def check_board(text: str, where: Where, name: str = "dolmengoetter@") -> tuple[DolmenBoard, Box]:
    """Board and box ``name`` of a file's text, without keeping them. Raises BoardError."""
    if len(text) > MOST_BYTES:
        raise BoardError("board_too_large", file=where)
    board, file = read_board(text, where)
    if len(board.circles) > MOST_CIRCLES:
        raise BoardError("circles_many", file=where, circles=len(board.circles))
    return board, own_box(board, file, name, where)


def own_box(board: DolmenBoard, file: BoardFile, name: str, where: Where) -> Box:
    """The box ``name`` of a board; raises BoardError about its millimetres."""
    printed = load_box("dolmengoetter")
    size, corners, at = _millimetres(board, file, printed, where)
    linked: dict[str, set[str]] = {place: set() for place in board.places}
    for side in board.sides:
        for place in side:
            linked[place] |= side - {place}
    sites = {}
    for place in board.places:
        takes = ("stone", "druid")
        sites[place] = Site(place, "place", at[place], PLACE_MM, None, takes, 1, place, "",
                            tuple(sorted(linked[place])))  # fmt: skip
    for circle in board.circle_ids:
        takes = ("dolmen back", "dolmen")
        sites[circle] = Site(circle, "circle", middle([at[p] for p in board.circles[circle]]),
                             CIRCLE_MM, None, takes, 1, circle, "", (), (), False)  # fmt: skip
    box = replace(
        printed, id=name, names={lang: f"{title}: {board.name}"
                                 for lang, title in printed.names.items()},
        size=size, corners=corners, sites=sites, site_order=tuple(sites),
        printed_sites=tuple(site for site in sites.values() if site.printed),
        strokes=_strokes(board, at, printed), outline=file.board.outline,
    )  # fmt: skip
    if file.places is not None:
        try:
            check_outline(box, where)
        except BoxError as error:
            raise BoardError(error.code, **error.params) from error
    return box


def middle(points: list[Point]) -> Point:
    """The centroid of a polygon's corners."""
    count = len(points)
    return (
        round(sum(x for x, _ in points) / count, 2), round(sum(y for _, y in points) / count, 2)
    )  # fmt: skip


def _millimetres(
    board: DolmenBoard, file: BoardFile, printed: Box, where: Where
) -> tuple[Point, tuple[Corner, ...], dict[str, Point]]:
    """Size of the board, its corner stickers, and where every place lies."""
    size = file.board.size or printed.size
    if file.board.size or file.corners:
        override = BoxOverride(printed.id, size, file.corners)
        try:
            corners = overridden(printed, override, where).corners
        except BoxError as error:
            raise BoardError(error.code, **error.params) from error
    else:
        corners = printed.corners
    places = file.places
    if places is None:
        return size, corners, _wheel(board, size)
    for place in places:
        if place not in board.place:
            raise BoardError("place_unknown", file=where, key=f"places.{place}")
    for place in board.places:
        if place not in places:
            raise BoardError("place_missing", file=where, key=f"places.{place}")
    at = {place: places[place] for place in board.places}
    for number, one in enumerate(board.places):
        for other in board.places[number + 1 :]:
            if math.dist(at[one], at[other]) < PLACE_MM:
                raise BoardError("places_alike", file=where, one=one, other=other)
    return size, corners, at


def _wheel(board: DolmenBoard, size: Point) -> dict[str, Point]:
    """A makeshift place for every place of a board that was never measured."""
    count = len(board.places)
    reach = 0.42 * min(size)
    # A sunflower's spiral spreads any number evenly.
    golden = math.pi * (3 - math.sqrt(5))
    return {
        place: (
            round(reach * math.sqrt((n + 0.5) / count) * math.cos(n * golden), 2),
            round(reach * math.sqrt((n + 0.5) / count) * math.sin(n * golden), 2),
        )
        for n, place in enumerate(board.places)
    }


def _strokes(board: DolmenBoard, at: Mapping[str, Point], printed: Box) -> tuple[Stroke, ...]:
    """Drawn like the printed board, in its colours and widths."""
    like = {stroke.role: stroke for stroke in printed.strokes}
    areas, sides, factors = [], [], []
    for circle in board.circle_ids:
        places = board.circles[circle]
        corners, sites = tuple(at[p] for p in places), (circle, *places)
        areas.append(replace(like[FORMS[len(places)]], points=corners, sites=sites))
        sides.append(replace(like["side"], points=corners, sites=sites))
        factor, spot = str(FACTORS[len(places)][0]), middle(list(corners))
        factors.append(replace(like["factor"], points=(spot,), text=factor, sites=(circle,)))
    found = [*areas, *sides, *factors]
    centre = middle(list(at.values()))
    for rune, places in board.runes.items():
        for place in places:
            x, y = at[place][0] - centre[0], at[place][1] - centre[1]
            away = math.hypot(x, y) or 1.0
            spot = (at[place][0] + x / away * RUNE_MM, at[place][1] + y / away * RUNE_MM)
            found.append(replace(like["rune"], points=(spot,), text=rune, sites=(place,)))
    return tuple(found)
