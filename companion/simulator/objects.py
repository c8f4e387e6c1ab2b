"""Objects at the virtual table: pieces and their piles, the hand, the lamp, and how far the camera
was nudged."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple

import numpy.typing as npt

from rules.box import Box, PieceKind, Point
from rules.core import Item, Layout

Image = npt.NDArray[Any]
"""A picture or mask: (height, width) or (height, width, channels), uint8."""

Floats = npt.NDArray[Any]
"""Any array of real numbers; the docstring of its owner says shape and unit."""


@dataclass(frozen=True, slots=True)
class Glare:
    """The bright spot that a lamp leaves on a glossy board."""

    x_mm: float
    y_mm: float
    radius_mm: float = 45.0
    strength: float = 0.5
    """Brightness added at its middle, 1 being white."""


@dataclass(frozen=True, slots=True)
class Shade:
    """The soft shade of a person who leans over the table."""

    x_mm: float
    y_mm: float
    radius_mm: float = 120.0
    strength: float = 0.35
    """Share of the light that is missing at its middle."""


@dataclass(frozen=True, slots=True)
class Light:
    """The light on the table; angles are seen from above, 0 deg to the right, 90 deg up."""

    brightness: float = 1.0
    kelvin: float = 5200.0
    """Colour temperature: 3000 is a warm bulb, 5500 leaves colours alone, 7000 is a grey sky."""
    gradient: tuple[float, float] = (-0.07, 0.07)
    """Relative gain of brightness from the picture's centre to its right and upper edge."""
    from_deg: float = 128.0
    """Direction in which the lamp stands."""
    height_deg: float = 58.0
    """Height of the lamp above the horizon; lower lamps make longer shadows."""
    glare: Glare | None = None
    shade: Shade | None = None

    @property
    def tint(self) -> tuple[float, float, float]:
        """Gain of blue, green and red, each about 1."""
        warmth = (5500.0 - min(max(self.kelvin, 2500.0), 9000.0)) / 1000.0
        return (1.0 - 0.065 * warmth, 1.0, 1.0 + 0.045 * warmth)

    @property
    def cast(self) -> tuple[float, float]:
        """Shadow of a point per mm of its height, mm in x and y."""
        length = 1.0 / math.tan(math.radians(self.height_deg))
        angle = math.radians(self.from_deg)
        return (-length * math.cos(angle), -length * math.sin(angle))

    @property
    def towards(self) -> tuple[float, float, float]:
        """Unit vector from the table to the lamp in board axes."""
        flat, angle = math.cos(math.radians(self.height_deg)), math.radians(self.from_deg)
        return (
            flat * math.cos(angle),
            flat * math.sin(angle),
            math.sin(math.radians(self.height_deg)),
        )


class TableError(ValueError):
    """Hands cannot do this at the virtual table; reported to the script that moves them."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One physical piece; a changed piece is a new object with the same ``id``."""

    id: int
    """Number of the piece at its table; two equal pieces have different ones."""
    kind: str
    """Its kind, whichever side is up."""
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
    """True if it waits beside the board."""

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
    """Point where thumb and forefinger meet, in board mm."""
    z_mm: float = 12.0
    """Height of the fingertips above the board."""
    from_deg: float = -90.0
    """Direction from the fingertips to the elbow: -90 comes from the reader's edge."""
    size: float = 1.0
    """1 is a hand 19 cm long."""
    sleeve: str = "#41618c"
    """Colour of the sleeve, ``#rrggbb``."""


class Nudge(NamedTuple):
    """Shift of board and camera against each other, as a move of the board."""

    dx: float = 0.0
    dy: float = 0.0
    """Shift in mm."""
    angle: float = 0.0
    """Counter-clockwise turn about the board's centre in deg."""


class Drift(NamedTuple):
    """The place of a lattice on the table: where its first cell is, and how it is turned."""

    x: float = 0.0
    y: float = 0.0
    """mm."""
    angle: float = 0.0
    """Counter-clockwise, deg."""

    def on_table(self, at: Point) -> Point:
        """The place on the table of a point of the lattice, mm."""
        c, s = math.cos(math.radians(self.angle)), math.sin(math.radians(self.angle))
        return (self.x + at[0] * c - at[1] * s, self.y + at[0] * s + at[1] * c)

    def on_lattice(self, at: Point) -> Point:
        """The point of the lattice at a place on the table, mm."""
        c, s = math.cos(math.radians(self.angle)), math.sin(math.radians(self.angle))
        x, y = at[0] - self.x, at[1] - self.y
        return (x * c + y * s, y * c - x * s)


class Tremble(NamedTuple):
    """The swinging of a camera on a soft arm or in a hand, back and forth across its picture."""

    mm: float
    """Amplitude on the board."""
    hz: float
    frame_s: float = 0.125
    """Time between two pictures."""
    exposure_s: float = 0.01
    """Time for which each is exposed: motion blurs it."""


def footprint(kind: PieceKind, pose: str) -> Point:
    """Width and depth in mm of what the piece covers in this pose; when lying, it is along y."""
    return (kind.size[0], kind.height) if pose == "lying" else kind.size


def thickness(kind: PieceKind, pose: str) -> float:
    """Height of the piece's upper side above its foot in mm, in this pose."""
    return kind.size[1] if pose == "lying" else kind.height


# -- piles --------------------------------------------------------------------------------

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


def alike(column: Sequence[Piece], stack: Sequence[Item]) -> int:
    """Number of a column's pieces that are wanted, from the bottom up."""
    same = 0
    for piece, item in zip(column, stack, strict=False):
        if piece.shows != item.kind or (item.pose and piece.pose != item.pose):
            break
        same += 1
    return same


def wanted_stacks(layout: Layout) -> dict[str, list[list[Item]]]:
    """The stacks of a layout side by side at every site, each the lowest item first."""
    sites: dict[str, list[Item]] = {}
    for item, count in layout.items():
        sites.setdefault(item.site, []).extend([item] * count)
    columns: dict[str, list[list[Item]]] = {}
    for site, items in sites.items():
        stacks: list[list[Item]] = [[]]
        # what nobody sees lies below what everybody sees
        items.sort(key=lambda item: (item.level, item.seen, item.kind, item.pose))
        for item in items:
            if not item.seen:
                stacks[0].append(item)
                continue
            fitting = (
                stack
                for stack in stacks
                if not stack or stack[-1].level < item.level or not stack[-1].seen
            )
            stack = next(fitting, None)
            if stack is None:
                stacks.append([item])
            else:
                stack.append(item)
        columns[site] = [stack for stack in stacks if stack]
    return columns
