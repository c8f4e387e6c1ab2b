"""Where pieces wait beside the board."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from rules.box import Box, PieceKind

__all__ = ["Home", "held_counts", "homes", "owners"]

Home = tuple[float, float, float]
"""x, y and z in mm of a piece that waits beside the board."""

_GAP = 5.0
_MARGIN = 17.0
"""Millimetres between pieces, and between the board and the first of them."""
_REACH_MM = 330.0
"""Nothing is laid further up or down than this, except in longer columns."""


def owners(box: Box) -> tuple[str, ...]:
    """Colours of the players in the order of the box file."""
    return tuple(dict.fromkeys(kind.owner for kind in box.kinds.values() if kind.owner))


def held_counts(box: Box) -> Mapping[str, int]:
    """How many physical pieces of each kind there are.

    A kind that is the back of others is not a separate piece, as far as there are fronts for it.
    """
    fronts: dict[str, int] = {}
    for kind in box.kinds.values():
        if kind.back:
            fronts[kind.back] = fronts.get(kind.back, 0) + kind.count
    return {kind.id: max(0, kind.count - fronts.get(kind.id, 0)) for kind in box.kinds.values()}


@dataclass(slots=True)
class _Side:
    """One margin; ``sign`` is -1 left of the board and 1 right of it."""

    sign: int
    x: float
    columns: list[list[tuple[PieceKind, int]]] = field(default_factory=list)

    def column(self) -> list[tuple[PieceKind, int]]:
        self.columns.append([])
        return self.columns[-1]


def homes(box: Box) -> Mapping[str, list[Home]]:
    """A home for every piece by kind: columns per player, further ones out of the picture.

    The first player's pieces lie to the left, the second's to the right and so on; cards lie in one
    pile per kind. No home is at a site beside the board: what waits there is not part of the match.
    """
    counts = held_counts(box)
    taken = _beside(box)
    sides = (_Side(-1, box.size[0] / 2 + _MARGIN), _Side(1, box.size[0] / 2 + _MARGIN))
    found: dict[str, list[Home]] = {}
    for number, owner in enumerate(owners(box)):
        side = sides[number % 2]
        mine = [kind for kind in box.kinds.values() if kind.owner == owner]
        for group in dict.fromkeys(kind.group for kind in mine):
            _fill(side, [kind for kind in mine if kind.group == group], counts, box)
    shared = [kind for kind in box.kinds.values() if not kind.owner]
    for group in dict.fromkeys(kind.group for kind in shared):
        shortest = min(sides, key=lambda side: len(side.columns))
        _fill(shortest, [kind for kind in shared if kind.group == group], counts, box)
    for side in sides:
        x = side.x
        for column in side.columns:
            x = _lay_out(column, side.sign, x, taken, found)
    return found


def _lay_out(
    column: list[tuple[PieceKind, int]],
    sign: int,
    x: float,
    taken: list[_Rectangle],
    found: dict[str, list[Home]],
) -> float:
    """Homes of one column from ``x`` outwards; returns where the next one begins."""
    wide = max(kind.size[0] for kind, _ in column)
    total = sum(kind.size[1] for kind, _ in column) + _GAP * (len(column) - 1)
    inner, outer = sign * x, sign * (x + wide)
    left, right = min(inner, outer), max(inner, outer)
    blocked = [r for r in taken if left - _GAP < r[2] and r[0] < right + _GAP]
    # Where a site is in the way the column continues beyond it, or begins further out.
    y, gaps = total / 2, list(_gaps(blocked))
    room = sum(top - bottom for bottom, top in gaps)
    if blocked and room < total + _GAP * len(gaps) + max(k.size[1] for k, _ in column):
        beyond = max(abs(side) for r in blocked for side in (r[0], r[2]))
        return _lay_out(column, sign, beyond + _GAP, taken, found)
    for kind, pile in column:
        high = kind.size[1]
        if blocked:
            y = next((min(y, t) for b, t in gaps if min(y, t) - high >= b), y)
        at = ((left + right) / 2, y - high / 2)
        found.setdefault(kind.id, []).extend(
            (at[0], at[1], level * kind.height) for level in range(pile)
        )
        y -= high + _GAP
    return x + wide + _GAP


_Rectangle = tuple[float, float, float, float]
"""Left, lower, right and upper side in mm."""


def _beside(box: Box) -> list[_Rectangle]:
    """The sites that lie beside the board."""
    found = []
    for site in box.sites.values():
        (x, y), (w, h) = site.at, site.size or (2 * site.radius, 2 * site.radius)
        if abs(x) > box.size[0] / 2 or abs(y) > box.size[1] / 2:
            found.append((x - w / 2, y - h / 2, x + w / 2, y + h / 2))
    return found


def _gaps(blocked: list[_Rectangle]) -> Iterator[tuple[float, float]]:
    """Free stretches of a column from top to bottom: lower and upper end in mm."""
    top = _REACH_MM
    for _, low, _, high in sorted(blocked, key=lambda r: -r[3]):
        if high + _GAP < top:
            yield high + _GAP, top
        top = min(top, low - _GAP)
    yield -_REACH_MM, top


def _fill(side: _Side, kinds: list[PieceKind], counts: Mapping[str, int], box: Box) -> None:
    """Add columns with all pieces of one group."""
    room = 0.0
    column: list[tuple[PieceKind, int]] = []
    for kind in kinds:
        left = counts[kind.id]
        while left > 0:
            pile = left if kind.shape == "card" else 1
            if room < kind.size[1]:
                column, room = side.column(), box.size[1]
            column.append((kind, pile))
            room -= kind.size[1] + _GAP
            left -= pile
