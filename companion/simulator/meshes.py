"""The shapes of pieces as convex parts in millimetres.

A body stands on the board's plane at the origin of its own axes; a lying body lies along y
with its head towards +y.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

import numpy as np

from companion.simulator.objects import Floats, TableError
from rules.box import PieceKind

__all__ = ["Body", "Part", "body_of"]


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """One convex part."""

    corners: Floats
    """Corners of one face after another: (n, 3) mm, each face counter-clockwise from outside."""
    ends: tuple[int, ...]
    """Where in ``corners`` each face ends."""
    normals: Floats
    """Unit vectors out of the faces: (faces, 3)."""

    @staticmethod
    def of(faces: Sequence[Floats]) -> Part:
        """A part with these faces, each (n, 3) mm."""
        ends = tuple(accumulate(map(len, faces)))
        return Part(np.vstack(faces), ends, np.array([_normal(face) for face in faces]))

    @property
    def starts(self) -> tuple[int, ...]:
        """Where in ``corners`` each face begins."""
        return (0, *self.ends[:-1])

    def placed(self, turn: Floats, shift: Floats) -> Part:
        """The part after a turn, as a matrix (3, 3) for rows, and a shift in mm (3,)."""
        return Part(self.corners @ turn + shift, self.ends, self.normals @ turn)


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """A piece's shape."""

    parts: tuple[Part, ...]
    """From the lowest to the highest."""
    face: Floats
    """Plane of the upper side as origin, right and up: (3, 3) mm; stickers lie in it."""

    def placed(self, turn: Floats, shift: Floats) -> Body:
        """The body after a turn, as a matrix (3, 3) for rows, and a shift in mm (3,)."""
        face = np.vstack([self.face[:1] @ turn + shift, self.face[1:] @ turn])
        return Body(tuple(part.placed(turn, shift) for part in self.parts), face)


@lru_cache(maxsize=256)
def body_of(kind: PieceKind, pose: str) -> Body:
    """The shape of a kind in a pose; raises TableError for an unknown shape."""
    wide, deep = kind.size
    high = max(kind.height, 0.2)
    match kind.shape:
        case "disc":
            parts = _bevelled(_ellipse(wide, deep, 44), high, min(0.9, high / 3))
        case "octagon":
            parts = _bevelled(_ellipse(wide, deep, 8, math.pi / 8), high, min(0.9, high / 3))
        case "box" | "bar":
            parts = _bevelled(_rectangle(wide, deep), high, min(0.7, high / 3))
        case "card":
            parts = (_prism(_rounded(wide, deep, 3.0), 0.0, high),)
        case "pawn":
            parts = _pawn(wide, deep, high, kind.sticker_mm)
        case "arch":
            parts = _arch(wide, deep, high)
        case _:
            raise TableError(
                f"kind '{kind.id}' has the shape '{kind.shape}'; the virtual table draws disc, "
                "box, octagon, pawn, card, bar and arch"
            )
    face = np.array([[0.0, 0.0, high], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    standing = Body(parts, face)
    if pose != "lying":
        return standing
    fall = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
    return standing.placed(fall.T, np.array([0.0, -high / 2, deep / 2]))


def _normal(face: Floats) -> Floats:
    across = np.cross(face[1] - face[0], face[2] - face[1])
    length = float(np.linalg.norm(across))
    return across / length if length > 0 else np.array([0.0, 0.0, 1.0])


def _ellipse(wide: float, deep: float, corners: int, start: float = 0.0) -> Floats:
    turn = start + np.linspace(0.0, 2 * math.pi, corners, endpoint=False)
    # flat sides, not corners, must measure ``wide``
    reach = 1.0 / math.cos(math.pi / corners) if corners <= 8 else 1.0
    return np.stack([wide / 2 * reach * np.cos(turn), deep / 2 * reach * np.sin(turn)], axis=1)


def _rectangle(wide: float, deep: float) -> Floats:
    x, y = wide / 2, deep / 2
    return np.array([[-x, -y], [x, -y], [x, y], [-x, y]])


def _rounded(wide: float, deep: float, radius: float) -> Floats:
    bend = min(radius, wide / 2, deep / 2)
    turn = np.radians(np.arange(0, 91, 18))
    arc = bend * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    x, y = wide / 2 - bend, deep / 2 - bend
    middle = np.array([x, y])
    corners = []
    for number, signs in enumerate(([1, 1], [-1, 1], [-1, -1], [1, -1])):
        # mirrored quarters run backwards, so every other one is reversed
        quarter = arc if number % 2 == 0 else arc[::-1]
        corners.append((quarter + middle) * np.array(signs))
    return np.vstack(corners)


def _prism(outline: Floats, low: float, high: float, inset: float = 0.0) -> Part:
    """A straight body, its upper outline drawn in by ``inset`` mm."""
    half = np.abs(outline).max(axis=0)
    upper = outline * (1.0 - inset / half)
    bottom = np.column_stack([outline, np.full(len(outline), low)])
    top = np.column_stack([upper, np.full(len(outline), high)])
    following = np.roll(np.arange(len(outline)), -1)
    sides = tuple(np.array([bottom[i], bottom[j], top[j], top[i]]) for i, j in enumerate(following))
    return Part.of((bottom[::-1], *sides, top))


def _bevelled(outline: Floats, high: float, bevel: float) -> tuple[Part, ...]:
    upper = _prism(outline, high - bevel, high, bevel)
    return (_prism(outline, 0.0, high - bevel), upper)


def _pawn(wide: float, deep: float, high: float, sticker_mm: float) -> tuple[Part, ...]:
    base, neck = 0.22 * high, 0.80 * high
    # the head carries the sticker with its rim of one module
    head = min(wide, max(0.62 * wide, sticker_mm * 1.34 * math.sqrt(2)))
    foot = _prism(_ellipse(wide, deep, 36), 0.0, base, 0.06 * wide)
    stem = _prism(_ellipse(0.62 * wide, 0.62 * deep, 28), base, neck, 0.11 * wide)
    crown = _prism(_ellipse(head, head * deep / wide, 36), neck, high - 0.8)
    rim = _prism(_ellipse(head, head * deep / wide, 36), high - 0.8, high, 0.8)
    return (foot, stem, crown, rim)


def _arch(wide: float, deep: float, high: float) -> tuple[Part, ...]:
    """A trilithon: two pillars and the capstone that carries the sticker."""
    lintel = 0.72 * high
    pillar = _rectangle(0.24 * wide, 0.82 * deep)
    left = _prism(pillar, 0.0, lintel)
    move = np.array([0.34 * wide, 0.0, 0.0])
    pillars = tuple(left.placed(np.eye(3), shift) for shift in (-move, move))
    beam = _rectangle(wide, deep)
    return (
        *pillars,
        _prism(beam, lintel, high - 0.7),
        _prism(beam, high - 0.7, high, 0.7),
    )
