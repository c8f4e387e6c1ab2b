"""What is on the virtual table: pieces, the hand, and how far the camera was nudged."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

from rules.box import PieceKind, Point

__all__ = ["Hand", "Nudge", "Piece", "TableError", "footprint", "thickness"]


class TableError(ValueError):
    """Hands cannot do this at the virtual table; reported to whoever scripts them."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One physical piece; a changed piece is a new object with the same ``id``."""

    id: int
    """Number of the piece at its table; two equal pieces have different ones."""
    kind: str
    """What it is, whichever side is up."""
    shows: str
    """Kind that a camera above sees: ``kind``, or what its back shows."""
    sticker: int | None
    """Sticker id on the upper side; None if that side has none."""
    x_mm: float
    y_mm: float
    """Middle of its foot in board mm."""
    angle_deg: float
    """Counter-clockwise turn of the piece, 0 when its sticker is upright."""
    pose: str = ""
    face_up: bool = True
    z: float = 0.0
    """Height of its foot above the board in mm: what it stands on, or a hand holding it."""
    site: str | None = None
    """Site it lies at, None beside every site."""
    stored: bool = False
    """It waits beside the board."""

    @property
    def at(self) -> Point:
        """Middle of its foot in mm."""
        return (self.x_mm, self.y_mm)

    def to_board(self, x: float, y: float) -> Point:
        """Board mm of a point given in the piece's own axes (mm from its middle)."""
        turn = math.radians(self.angle_deg)
        return (
            self.x_mm + x * math.cos(turn) - y * math.sin(turn),
            self.y_mm + x * math.sin(turn) + y * math.cos(turn),
        )

    def from_board(self, x: float, y: float) -> Point:
        """The piece's own axes (mm from its middle) of a point in board mm."""
        turn = math.radians(self.angle_deg)
        dx, dy = x - self.x_mm, y - self.y_mm
        return (
            dx * math.cos(turn) + dy * math.sin(turn),
            -dx * math.sin(turn) + dy * math.cos(turn),
        )


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand and its arm above the table."""

    x_mm: float
    y_mm: float
    """Where thumb and forefinger meet, in board mm."""
    z_mm: float = 12.0
    """Height of the fingertips above the board."""
    from_deg: float = -90.0
    """Direction from the fingertips to the elbow: -90 comes from the reader's edge."""
    size: float = 1.0
    """1 is a hand 19 cm long."""
    sleeve: str = "#41618c"
    """Colour of the sleeve, ``#rrggbb``."""


class Nudge(NamedTuple):
    """How far board and camera were pushed against each other, as a move of the board."""

    dx: float = 0.0
    dy: float = 0.0
    """Shift in mm."""
    angle: float = 0.0
    """Counter-clockwise turn about the board's centre in deg."""


def footprint(kind: PieceKind, pose: str) -> Point:
    """Width and depth in mm of what the piece covers in this pose; when lying, it is along y."""
    return (kind.size[0], kind.height) if pose == "lying" else kind.size


def thickness(kind: PieceKind, pose: str) -> float:
    """Height of the piece's upper side above its foot in mm, in this pose."""
    return kind.size[1] if pose == "lying" else kind.height
