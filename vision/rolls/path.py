"""The path of a rolled disc, the gates it passed, and how sure that is.

The path between the frames is filled in (Catmull and Rom, 1974) and compared with the gates. A disc
is thin and a pillar is not, so a path that meets a pillar's middle means a wrong measurement:
the border between passed and missed is there, and the nearer a path comes to it, the less is
certain.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product

import numpy as np

from rules.box import Box, BoxError
from vision.arrays import Points
from vision.pieces.sighting import SeenPiece

STEPS = 8
"""Points of a path between two frames."""
OPEN_SHARE, PILLAR_SHARE = 0.44, 0.24
"""Opening and pillar of a trilithon per width of its capstone."""
CLEAR_MM = 12.0
"""This far behind a gate a disc has gone fully through."""
SURE_MM = 2.2
"""Deviation of a path where it crosses a gate."""


@dataclass(frozen=True, slots=True)
class Gate:
    """An opening between two pillars."""

    name: str
    left_mm: tuple[float, float]
    right_mm: tuple[float, float]
    """The pillars' inner edges on the board."""
    pillar_mm: float = 14.0
    """Width of a pillar."""

    def distance(self, at: Points) -> float:
        """Distance of a point (mm) from the middle of the opening, in mm."""
        middle = (np.array(self.left_mm) + np.array(self.right_mm)) / 2
        return float(np.linalg.norm(at - middle))


@dataclass(frozen=True, slots=True)
class Pass:
    """A gate was passed, or nearly."""

    gate: str
    time_s: float
    likely: float
    """Probability that it was passed, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """One thing that a roll may have been."""

    crossed: bool
    """True if it got across the run-up zone."""
    gates: tuple[str, ...]
    """Passed ones, in order."""
    likely: float


@dataclass(frozen=True, slots=True, eq=False)
class Roll:
    """One roll, from the first frame that shows the disc moving until it rests."""

    path: Points
    """Seconds and board mm, n × 3."""
    passes: tuple[Pass, ...]
    """In order of time, likely and unlikely ones."""
    crossed: float
    """Probability that it left the run-up zone on the far side or at the side."""

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """Possible verdicts, likeliest first; those below one in a hundred are left out."""
        found: dict[tuple[bool, tuple[str, ...]], float] = {(False, ()): 1 - self.crossed}
        names = list(dict.fromkeys(p.gate for p in self.passes))
        chance = {
            name: 1 - math.prod(1 - p.likely for p in self.passes if p.gate == name)
            for name in names
        }
        for chosen in product((True, False), repeat=len(names)):
            gates = tuple(name for name, taken in zip(names, chosen, strict=True) if taken)
            share = math.prod(
                chance[name] if taken else 1 - chance[name]
                for name, taken in zip(names, chosen, strict=True)
            )
            key = (True, gates)
            found[key] = found.get(key, 0.0) + self.crossed * share
        ranked = sorted(found.items(), key=lambda one: -one[1])
        return tuple(Verdict(*key, share) for key, share in ranked if share > 0.01)


def gates_of(box: Box, pieces: Iterable[SeenPiece]) -> tuple[Gate, ...]:
    """The gates that stand on the board, from the stickers on their capstones.

    Named by the sites they stand at, others by their order from left to right.
    """
    gates = []
    standing = [p for p in pieces if box.kinds[p.kind].shape == "arch"]
    for number, piece in enumerate(sorted(standing, key=lambda p: p.at_mm)):
        wide = box.kinds[piece.kind].size[0]
        along = piece.corners_mm[1] - piece.corners_mm[0]
        along = along / max(float(np.linalg.norm(along)), 1e-6)
        if along[0] < 0:
            along = -along
        half = along * wide * OPEN_SHARE / 2
        x, y = piece.at_mm
        left = (float(x - half[0]), float(y - half[1]))
        right = (float(x + half[0]), float(y + half[1]))
        gates.append(Gate(piece.site or f"#{number + 1}", left, right, wide * PILLAR_SHARE))
    return tuple(gates)


def run_up_zone(box: Box) -> tuple[float, float]:
    """Begin and end of the run-up zone, y in mm; raises BoxError if the board has none."""
    lines = sorted({p[1] for s in box.strokes if s.role == "zone border" for p in s.points})
    if len(lines) != 2:
        raise BoxError("no_run_up", box=box.id, borders=len(lines))
    return lines[0], lines[1]


def filled(path: Points) -> Points:
    """The path with points between the frames, by Catmull-Rom splines; n × 3."""
    if len(path) < 3:
        return path
    ends = np.concatenate([path[:1], path, path[-1:]])
    share = (np.arange(STEPS) / STEPS)[:, None]
    parts = []
    for a, b, c, d in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        inner = (
            2 * b + (c - a) * share + (2 * a - 5 * b + 4 * c - d) * share**2
            + (3 * b - a - 3 * c + d) * share**3
        ) / 2  # fmt: skip
        parts.append(inner)
    return np.concatenate([*parts, path[-1:]])


def passes(gate: Gate, path: Points) -> list[Pass]:
    """Passages of a path through a gate, and past it so near that it may have gone through."""
    left, right = np.array(gate.left_mm), np.array(gate.right_mm)
    along = right - left
    half = float(np.linalg.norm(along)) / 2
    along = along / (2 * half)
    forth = np.array([-along[1], along[0]])
    if forth[1] < 0:
        forth = -forth
    off = path[:, 1:] - (left + right) / 2
    side, beside = off @ forth, off @ along
    border = half + gate.pillar_mm / 2
    found = []
    for n in np.flatnonzero(np.sign(side[1:]) * np.sign(side[:-1]) < 0):
        share = side[n] / (side[n] - side[n + 1])
        at = float(beside[n] + share * (beside[n + 1] - beside[n]))
        if abs(at) > border + 4 * SURE_MM:
            continue
        way = 1.0 if side[n + 1] > 0 else -1.0
        back = np.flatnonzero(side[n + 1 :] * way < 0)
        after = side[n + 1 : n + 1 + (back[0] if len(back) else len(side))] * way
        through = float(after.max(initial=0.0)) >= CLEAR_MM
        if not through:
            continue
        likely = chance((border - abs(at)) / SURE_MM)
        time = float(path[n, 0] + share * (path[n + 1, 0] - path[n, 0]))
        found.append(Pass(gate.name, time, likely))
    return found


def chance(z: float) -> float:
    """The normal distribution's share below ``z`` deviations, kept away from 0 and 1."""
    return min(max(0.5 * math.erfc(-z / math.sqrt(2)), 0.001), 0.999)
