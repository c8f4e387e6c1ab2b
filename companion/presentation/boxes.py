"""The box of a game as its screens show it: only the sites that the game uses. Free of Kivy."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache, partial
from itertools import pairwise

from companion.match.view import MatchView, TableView
from companion.presentation.plan import Plan, rings
from rules.box import TRAY, Box, Point, Site, Stroke, below, load_box, window_name, window_named
from rules.games import find_game

_MOST, _TALLEST = 96.0, 200.0
"""Maximum width and height of a place beside the board that finds room on it, mm."""
_GAP = 4.0
"""Room between pieces, mm."""
_LONGEST = 3.5
"""Length of a place with several pieces, in its widths."""
_CELL = 4.0
"""Side of the cells in which room is looked for, mm."""
_WIDER = (1.35, 1.25, 1.15)
"""Factors by which the cards of a display may lie farther apart: the first for which there is room
is taken."""
_SCALES = (1.0, 0.85, 0.7, 0.55)
"""Sizes of places beside the board, in their own, of which the largest is taken that fits."""


@lru_cache(maxsize=32)
def game_box(game: str) -> Box:
    """The box of a game; the same object every time, so that drawings of it can be kept."""
    return load_box(find_game(game).box).for_game(game)


def box_of(view: MatchView) -> Box:
    """The box a match is played with; of a lattice the window around what lies there."""
    box = box_for(view.game, physical=view.physical)
    return box if box.lattice is None else window_named(box, window_of(view))


def box_for(game: str, *, physical: bool) -> Box:
    """The box of a match of this game, on a table or on a screen alone."""
    return game_box(game) if physical else screen_box(game)


def room_kept(view: MatchView) -> frozenset[str]:
    """Places beside the board that have room on the screen from the start, so that the board never
    moves: those that the game names, and trays."""
    trays = {site.id for site in box_of(view).sites.values() if site.kind == TRAY}
    return find_game(view.game).touch.beside | trays


def window_of(view: MatchView) -> str:
    """Name of the window of a lattice that a view shows; empty without one."""
    box = game_box(view.game)
    if box.lattice is None:
        return ""
    sites = below(box, view.items) | {*view.last_sites}
    if isinstance(view, TableView):
        sites |= {fix.site for fix in view.fixes}
        sites |= {site for items in view.previews for site in below(box, items)}
        sites |= {*(view.refused.args if view.refused is not None else ())}
    return window_name(box, sites)


@lru_cache(maxsize=32)
def screen_box(game: str) -> Box:
    """The box of a game where nothing lies on a table: places beside the board are where the
    picture of it is empty, such as in the corners around a ring, so that the board is as large as
    the screen allows; and a display is as wide as a finger likes it."""
    if game_box(game).lattice is not None:
        return game_box(game)
    box = _with_wide_displays(game_box(game))
    beside = sorted(
        (site for site in box.sites.values() if _is_pile(box, site)),
        key=lambda site: -site.room,
    )
    for scale in _SCALES:
        room, sites = _Room(box), dict(box.sites)
        for site in beside:
            found = room.place(site, [(w * scale, h * scale) for w, h in _sizes(box, site)])
            if found is None:
                break
            sites[site.id] = found
        else:
            return replace(box, sites=sites)
    return box


@lru_cache(maxsize=32)
def free_middle(box: Box) -> tuple[float, float, float, float] | None:
    """Left, bottom, right, top in mm of the largest rectangle of a ring's middle in which nothing
    is in the picture; None for boards without a ring."""
    return _Room(box).middle() if rings(box) else None


def _with_wide_displays(box: Box) -> Box:
    """The box with places that lie loosely on the board farther apart from left to right."""
    loose = [site for site in box.sites.values() if site.size is not None and not site.printed]
    for kind in sorted({site.kind for site in loose if not box.is_beside_board(site)}):
        sites = [site for site in loose if site.kind == kind]
        rest = {name: site for name, site in box.sites.items() if site not in sites}
        room, middle = _Room(replace(box, sites=rest)), sum(s.at[0] for s in sites) / len(sites)
        for times in _WIDER:
            at = [(middle + (site.at[0] - middle) * times, site.at[1]) for site in sites]
            wide = [replace(site, at=there) for site, there in zip(sites, at, strict=True)]
            if all(map(room.is_free, wide)):
                box = replace(box, sites={**box.sites, **{site.id: site for site in wide}})
                break
    return box


def _is_pile(box: Box, site: Site) -> bool:
    """True if it is a small place beside the board; those in front of players are large."""
    if not box.is_beside_board(site) or site.size is None:
        return False
    return site.size[0] <= _MOST and site.size[1] <= _TALLEST


def _sizes(box: Box, site: Site) -> list[Point]:
    """Sizes in which a place holds all that it has room for, in rows and columns; its own
    if that is one pile."""
    assert site.size is not None
    if site.room == 1:
        return [site.size]
    sides = [kind.size for kind in box.kinds_at(site.id)]
    wide, high = (max(side[axis] for side in sides) + _GAP for axis in (0, 1))
    room = min(site.room, max(int(site.size[0] // wide), 1) * max(int(site.size[1] // high), 1))
    shapes = [(columns * wide, -(-room // columns) * high) for columns in range(1, room + 1)]
    return [shape for shape in shapes if max(shape) < _LONGEST * min(shape)]


class _Room:
    """The cells of a board's picture; a row is a number with a bit for each that is taken."""

    def __init__(self, box: Box) -> None:
        left, bottom, right, top = Plan.in_mm(box).extent
        self._at = (left, bottom)
        self._columns, self._rows = int((right - left) / _CELL), int((top - bottom) / _CELL)
        self._taken = [0] * self._rows
        for site in box.sites.values():
            if not box.is_beside_board(site):
                high = site.radius if site.size is None else site.size[1] / 2
                self._take(site.at[1] - high, site.at[1] + high, partial(_reach, site))
        for stroke in box.strokes:
            if stroke.sites and stroke.kind == "polygon" and not stroke.width:
                heights = [y for _x, y in stroke.points]
                self._take(min(heights), max(heights), partial(_across, stroke))

    def place(self, site: Site, sizes: Iterable[Point]) -> Site | None:
        """A place for a site of one of these ``sizes``: the corner that is nearest to where it lies
        on the table, else as near to the middle as can be; None if there is no room."""
        found = [(cells, at, size) for size in sizes for cells in [_cells(size)]
                 for at in self._free(cells)]  # fmt: skip
        in_corners = [one for one in found if self._is_corner(one[1], one[0])]
        to = site.at if in_corners else (0.0, 0.0)
        best = min(
            in_corners or found, default=None,
            key=lambda one: math.dist(self._middle(one[1], one[0]), to),
        )  # fmt: skip
        if best is None:
            return None
        cells, (column, row), size = best
        for number in range(row, row + cells[1]):
            self._taken[number] |= ((1 << cells[0]) - 1) << column
        return replace(site, at=self._middle((column, row), cells), size=size)

    def is_free(self, site: Site) -> bool:
        """True if nothing is in the picture where a site would lie."""
        assert site.size is not None
        cells = _cells(site.size)
        left, low = (
            int((site.at[axis] - site.size[axis] / 2 - self._at[axis]) / _CELL) for axis in (0, 1)
        )
        return (left, low) in {*self._free(cells)}

    def _free(self, cells: tuple[int, int]) -> Iterator[tuple[int, int]]:
        """Lower left cells of empty rectangles."""
        wide = (1 << cells[0]) - 1
        for row in range(self._rows - cells[1] + 1):
            taken = 0
            for one in self._taken[row : row + cells[1]]:
                taken |= one
            for column in range(self._columns - cells[0] + 1):
                if not taken >> column & wide:
                    yield column, row

    def middle(self) -> tuple[float, float, float, float] | None:
        """The largest empty rectangle around the upright line in the middle, mm; None if there is
        none."""
        half = self._columns // 2
        reach = [
            next(n for n in range(half + 1) if (taken >> (half - n) | taken >> (half + n)) & 1)
            if taken else 0
            for taken in self._taken
        ]  # fmt: skip
        rows = range(self._rows)
        # For words it is twice as wide as high, or wider.
        found = [
            (wide * min(high + 1 - low, wide), low, high)
            for low in rows for high in rows[low:] if (wide := min(reach[low : high + 1]))
        ] or [(0, 0, 0)]  # fmt: skip
        area, low, high = max(found)
        # The middle column may lie half a cell beside the middle.
        right = (min(reach[low : high + 1]) - 1) * _CELL
        bottom, top = (self._at[1] + row * _CELL for row in (low, high + 1))
        return (-right, bottom, right, top) if area else None

    def _is_corner(self, at: tuple[int, int], cells: tuple[int, int]) -> bool:
        return at[0] in (0, self._columns - cells[0]) and at[1] in (0, self._rows - cells[1])

    def _middle(self, at: tuple[int, int], cells: tuple[int, int]) -> Point:
        x, y = (self._at[axis] + (at[axis] + cells[axis] / 2) * _CELL for axis in (0, 1))
        return (x, y)

    def _take(self, low: float, high: float, across: Callable[[float], Iterable[Point]]) -> None:
        """Take the cells of a shape between two heights. ``across``: from where to where it reaches
        at one of them."""
        first_row = max(int((low - self._at[1]) / _CELL), 0)
        for row in range(first_row, min(int((high - self._at[1]) / _CELL) + 1, self._rows)):
            for start, end in across(self._at[1] + (row + 0.5) * _CELL):
                first = max(math.floor((start - self._at[0]) / _CELL), 0)
                last = min(math.ceil((end - self._at[0]) / _CELL), self._columns)
                if last > first:
                    self._taken[row] |= ((1 << (last - first)) - 1) << first


def _cells(size: Point) -> tuple[int, int]:
    return (math.ceil(size[0] / _CELL), math.ceil(size[1] / _CELL))


def _reach(site: Site, y: float) -> list[Point]:
    away = max(abs(y - site.at[1]) - _CELL / 2, 0.0)
    high = site.radius if site.size is None else site.size[1] / 2
    if away >= high:
        return []
    half = math.sqrt(high**2 - away**2) if site.size is None else site.size[0] / 2
    return [(site.at[0] - half, site.at[0] + half)]


def _across(stroke: Stroke, y: float) -> list[Point]:
    ends = sorted(
        x0 + (y - y0) * (x1 - x0) / (y1 - y0)
        for (x0, y0), (x1, y1) in pairwise((*stroke.points, stroke.points[0]))
        if (y0 > y) != (y1 > y)
    )
    return [*zip(ends[::2], ends[1::2], strict=True)]
