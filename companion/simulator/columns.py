"""Neat piles: pieces that lie squarely on each other are drawn as one body."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from companion.simulator.objects import Piece, thickness
from rules.box import Box

__all__ = ["Column", "columns", "runs"]

Column = tuple[Piece, ...]
"""Pieces that lie squarely on each other, the lowest first; often a single one."""

_LEVEL_MM = 0.01


def columns(pieces: Iterable[Piece], box: Box) -> list[Column]:
    """All pieces as neat piles; what lies askew, or is of another size, starts a new one."""
    found: list[list[Piece]] = []
    for piece in sorted(pieces, key=lambda p: (p.x_mm, p.y_mm, p.angle_deg, p.z)):
        if found and _squarely(found[-1][-1], piece, box):
            found[-1].append(piece)
        else:
            found.append([piece])
    return [tuple(column) for column in found]


def runs(column: Column, box: Box) -> list[tuple[Piece, float]]:
    """A column as few bodies: the lowest piece of each and its height in mm.

    Pieces of one kind are one body; the topmost one is always a body of its own.
    """
    *below, top = column
    bodies = []
    for _, group in groupby(below, key=lambda piece: piece.shows):
        members = list(group)
        height = sum(thickness(box.kinds[p.shows], p.pose) for p in members)
        bodies.append((members[0], height))
    return [*bodies, (top, thickness(box.kinds[top.shows], top.pose))]


def _squarely(below: Piece, above: Piece, box: Box) -> bool:
    one, other = box.kinds[below.shows], box.kinds[above.shows]
    return (
        (below.x_mm, below.y_mm, below.angle_deg) == (above.x_mm, above.y_mm, above.angle_deg)
        and "lying" not in (below.pose, above.pose)
        and one.shape == other.shape
        and one.shape in ("card", "disc", "octagon", "box", "bar")
        and one.size == other.size
        and abs(below.z + one.height - above.z) < _LEVEL_MM
    )
