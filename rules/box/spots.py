"""Places of equal pieces side by side within a site, as screens draw and hands lay them."""

from __future__ import annotations

import math

from rules.box.box import Point, Site

_APART = 1.1
"""Distance of pieces side by side, in their sizes, if there is room."""
_SMALLER = 0.97
"""Step by which pieces become smaller until all of them find room in a circle."""
_ROUNDING = 1e-6


def side_by_side(
    site: Site, foot: Point, count: int, largest: float = 1.0
) -> tuple[list[Point], float]:
    """Middles of ``count`` pieces, mm from that of their site, none on another and all within it;
    and their size there, in their own sizes: ``largest`` where that has room, else less.

    ``foot``: width and height of a piece, mm. In a rectangle they lie in lines, in a circle in
    rings; a heap in which one lies behind the other grows from the end at the edge of the board.
    """
    if site.size is not None and (along := _row_of(site, foot)) is not None:
        return _in_row(site, foot, count, largest, along)
    if site.size is not None:
        return _in_lines(site.size, foot, count, largest)
    half, size = max(foot) / 2, largest
    while sum(held for _, held in _rings(site.radius, half * size)) < count:
        size *= _SMALLER
    return _in_rings(_rings(site.radius, half * size), count), size


def room_for(site: Site, foot: Point) -> int:
    """Number of pieces of their own size that find room side by side."""
    if site.size is None:
        return sum(held for _, held in _rings(site.radius, max(foot) / 2))
    count = 0
    while _in_lines(site.size, foot, count + 1, 1.0)[1] >= 1 - _ROUNDING:
        count += 1
    return count


def _row_of(site: Site, foot: Point) -> int | None:
    """The axis along which the pieces of a heap lie one behind the other; None if they do not."""
    if site.size is None or not site.heap:
        return None
    for along, across in ((0, 1), (1, 0)):
        narrow = site.size[across] < 2 * foot[across]
        if narrow and site.size[along] >= 2 * foot[along] and site.at[along]:
            return along
    return None


def _in_row(
    site: Site, foot: Point, count: int, largest: float, along: int
) -> tuple[list[Point], float]:
    length, width = (site.size or foot)[along], (site.size or foot)[1 - along]
    each = length / max(count, site.room)
    scale = min(each / foot[along], width / foot[1 - along], largest)
    step = min(each, foot[along] * max(scale, 1.0) * _APART)
    outwards = 1.0 if site.at[along] > 0 else -1.0
    away = [outwards * (length / 2 - (number + 0.5) * step) for number in range(count)]
    return [(0.0, d) if along else (d, 0.0) for d in away], scale


def _in_lines(size: Point, foot: Point, count: int, largest: float) -> tuple[list[Point], float]:
    (width, height), (wide, high) = size, foot

    def fitting(across: int) -> float:
        return min(width / (across * wide), height / (-(-count // across) * high))

    columns = max(range(1, count + 1), key=fitting)
    rows, scale = -(-count // columns), min(fitting(columns), largest)
    gap = max(scale, 1.0) * _APART
    apart = min(width / columns, wide * gap), min(height / rows, high * gap)
    spots = []
    for number in range(count):
        row, column = divmod(number, columns)
        across = min(columns, count - row * columns)
        spots.append((
            (column - (across - 1) / 2) * apart[0],
            ((rows - 1) / 2 - row) * apart[1],
        ))  # fmt: skip
    return spots, scale


def _rings(radius: float, half: float) -> list[tuple[float, int]]:
    """Radii of rings of pieces that touch the rim and each other, the outermost first, and how many
    pieces each holds."""
    rings = []
    away = radius - half
    while away > -_ROUNDING:
        around = math.floor(math.pi / math.asin(half / away) + _ROUNDING) if away >= half else 1
        rings.append((away if around > 1 else 0.0, around))
        away -= 2 * half
    return rings


def _in_rings(rings: list[tuple[float, int]], count: int) -> list[Point]:
    """``count`` places, as many in each ring as its share of all, evenly around."""
    spots: list[Point] = []
    left, held = count, sum(number for _, number in rings)
    for away, number in reversed(rings):
        here = min(round(left * number / held), number)
        left, held = left - here, held - number
        away = 0.0 if count == 1 else away
        turns = (2 * math.pi * k / here + math.pi / 2 for k in range(here))
        spots += [(away * math.cos(turn), away * math.sin(turn)) for turn in turns]
    return spots
