"""The parts of a box with a lattice that are looked at, each of them as a box of its own.

A lattice floats: its cells lie nowhere until something lies there, and drift when that is bumped.
Screens, phones, print and review show the *window* around what lies there; the camera reads all of
the *open ground*, and tells of the cells it makes out there.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

from rules.box.box import Box, Point, Site, Stroke
from rules.box.lattice import Lattice, around, cell_name, cell_of
from rules.box.spread import covered, length_of
from rules.core import Item

GROUND = "ground"
"""Name of the site that is all of the open ground."""
_STEP = 2
"""Pitches by which a window grows: not at every move."""
_RINGS = 2
_MOST = 20
"""Steps to the edge of the widest window that is made: farther than any match reaches."""
_SLACK = 1e-6
_EDGE_MM = 6.0
"""Width of a board's edge that is no ground."""
_LINE = 0.03
"""Width of the lines around cells, pitches."""


def sites_of_cells(lattice: Lattice) -> dict[str, Site]:
    """All cells of a lattice as sites."""
    return {site.id: site for site in _sites(lattice)}


def is_cell(box: Box, site: str) -> bool:
    """True if a site of the box is a cell of its lattice."""
    return box.lattice is not None and site in box.sites and cell_of(site) is not None


def with_printed_cells(box: Box) -> Box:
    """The box with cells that lie where its board shows them."""
    cells = {name: replace(site, printed=True) for name, site in box.sites.items()
             if is_cell(box, name)}  # fmt: skip
    return replace(
        box, sites={**box.sites, **cells}, strokes=(*_outlines(box, cells.values()), *box.strokes),
        site_order=(*box.site_order, *cells), printed_sites=(*box.printed_sites, *cells.values()),
    )  # fmt: skip


@lru_cache(maxsize=32)
def on_open_ground(box: Box) -> Box:
    """The box as cameras see it: one large site in place of all cells."""
    lattice = box.lattice
    if lattice is None:
        return box
    (x, y), (wide, high) = (0.0, 0.0), (side - 2 * _EDGE_MM for side in box.size)
    if not lattice.floats:
        corners = [one for cell in lattice.cells for one in lattice.outline(lattice.at(cell))]
        (left, right), (low, up) = ((min(axis), max(axis)) for axis in zip(*corners, strict=True))
        (x, y), (wide, high) = ((left + right) / 2, (low + up) / 2), (right - left, up - low)
    ground = Site(
        GROUND, lattice.kind, (x, y), 0.0, (wide, high), lattice.takes,
        1, "", "", (), printed=False,
    )  # fmt: skip
    return replace(box, sites={GROUND: ground, **_others(box)})


def with_cells(box: Box, cells: Iterable[str]) -> Box:
    """The box with only these of its cells."""
    return _with_cells(box, frozenset(cells))


def near(box: Box, sites: Iterable[str], rings: int = 1) -> frozenset[str]:
    """The cells among ``sites``, and those around them."""
    if box.lattice is None:
        return frozenset()
    return frozenset(_around(box.lattice, sites, rings) & box.sites.keys())


def below(box: Box, items: Iterable[Item]) -> frozenset[str]:
    """The sites that pieces lie at or cover."""
    return frozenset(
        site for one in items if one.kind in box.kinds
        for site in covered(box.kinds[one.kind], one.site, one.pose)
    )  # fmt: skip


@lru_cache(maxsize=32)
def longest(box: Box) -> int:
    """Cells from one end of the largest piece on a lattice to the other; 0 without a lattice."""
    groups = () if box.lattice is None else box.lattice.takes
    kinds = [kind for group in groups for kind in box.kinds_of_group.get(group, ())]
    return max(map(length_of, kinds), default=0)


def looked_at(box: Box, lying: Collection[str]) -> frozenset[str]:
    """The cells of which a camera tells: those where something is ``lying`` or should, and rings
    around them, since pieces are laid side by side, and one that touches none is to be told of;
    all cells of a board."""
    if box.lattice is not None and not box.lattice.floats:
        return frozenset(site for site in box.sites if is_cell(box, site))
    return near(box, lying or (cell_name((0, 0)),), _RINGS)


def window(box: Box, sites: Collection[str]) -> Box:
    """The box as far as screens show it: the cells around ``sites`` on a board of just that size,
    even beyond the lattice's reach, and all places beside it."""
    return window_named(box, window_name(box, sites))


def window_name(box: Box, sites: Collection[str]) -> str:
    """Name of the window around ``sites``, the same for whoever asks; empty without a lattice that
    floats: all is shown."""
    if box.lattice is None or not box.lattice.floats:
        return ""
    # There is room for the largest piece beside what lies there.
    found = map(cell_of, _around(box.lattice, sites, longest(box)))
    at = [box.lattice.at(cell or (0, 0)) for cell in found]
    step = _STEP * box.lattice.pitch
    steps = [[sign * a[axis] / step for a in at] for axis in (0, 1) for sign in (-1, 1)]
    # From the middle to the left, right, lower and upper edge.
    far = [max(1, *(math.ceil(one - _SLACK) for one in side), 1) for side in steps]
    return ".".join(str(min(one, _MOST)) for one in far)


def window_named(box: Box, name: str) -> Box:
    """The window with this name; raises ValueError if there can be none."""
    if box.lattice is None or not box.lattice.floats:
        return box
    left, right, low, high = map(int, name.split("."))
    if not 0 < min(left, right, low, high) <= max(left, right, low, high) <= _MOST:
        raise ValueError(name)
    step = _STEP * box.lattice.pitch
    return _window(box, (-left * step, right * step), (-low * step, high * step))


# -- private ------------------------------------------------------------------------------


def _around(lattice: Lattice, sites: Iterable[str], rings: int) -> set[str]:
    """The cells among ``sites``, and those in rings around them, however far they are."""
    found = {site for site in sites if cell_of(site) is not None}
    for _ in range(rings):
        found |= {one for site in found for one in around(site, lattice.turns)}
    return found


def _sites(lattice: Lattice) -> Iterator[Site]:
    every = {cell_name(cell): cell for cell in lattice.cells}
    for name, cell in every.items():
        beside = tuple(one for one in around(name, lattice.turns) if one in every)
        yield _site(lattice, name, lattice.at(cell), beside)


def _site(lattice: Lattice, name: str, at: Point, beside: tuple[str, ...]) -> Site:
    return Site(
        name, lattice.kind, at, lattice.pitch / 2, None, lattice.takes, 1, "", "", beside,
        drawn_radius=0, printed=False,
    )  # fmt: skip


def _others(box: Box) -> dict[str, Site]:
    return {name: site for name, site in box.sites.items() if not is_cell(box, name)}


@lru_cache(maxsize=16)
def _with_cells(box: Box, cells: frozenset[str]) -> Box:
    if box.lattice is None:
        return box
    return replace(box, sites=_others(box) | {c: box.sites[c] for c in sorted(cells)})


@lru_cache(maxsize=64)
def _window(box: Box, across: Point, down: Point) -> Box:
    """The box with the cells whose middles lie between these millimetres."""
    lattice = box.lattice
    assert lattice is not None
    sites = {}
    for cell in lattice.between(across, down):
        name = cell_name(cell)
        site = _site(lattice, name, lattice.at(cell), around(name, lattice.turns))
        sites[name] = replace(site, printed=True)
    strokes = _outlines(box, sites.values())
    rim = 0.6 * lattice.pitch
    ends = ((across[0] - rim, across[1] + rim), (down[0] - rim, down[1] + rim))
    for name, site in _others(box).items():
        # What lies beside the board stays as far beside it.
        x, y = (
            pair[at > 0] + at - math.copysign(side / 2, at) if abs(at) > side / 2 else at
            for at, side, pair in zip(site.at, box.size, ends, strict=True)
        )
        sites[name] = replace(site, at=(x, y))
    (left, right), (low, high) = ends
    return replace(
        box, sites=sites, strokes=strokes,
        size=(2 * max(-left, right), 2 * max(-low, high)),
        outline=((left, high), (right, high), (right, low), (left, low)),
        printed_sites=tuple(site for site in sites.values() if site.printed),
    )  # fmt: skip


def _outlines(box: Box, cells: Iterable[Site]) -> tuple[Stroke, ...]:
    lattice = box.lattice
    assert lattice is not None
    colour, width = box.colours.get(lattice.kind, "#808080"), _LINE * lattice.pitch
    return tuple(
        Stroke("polygon", "cell", lattice.outline(site.at), colour, width, "", (site.id,), "faint")
        for site in cells
    )
