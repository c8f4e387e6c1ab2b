"""The accuracy model of Rollende Steine: the chances of a shot to pass gates.

A disc is rolled straight from a place in the push zone at the middle of a gate and strays by some
degrees to either side. It passes a gate if it gets between the pillars, a pillar stops it, and what
is farther back is shaded by what is in front.

**What is measured and what is assumed.** The board and the pieces are those of the box file; the
opening is the part of a trilithon that the eye takes for open. How far people stray (``STRAY``),
how often a disc stops short (``SHORT``, the share that ``heelstone simulate`` uses), how much a
cushion helps (``STRAYS_ON``) and how much harder a gate on top of others is (``RAISED``) are
assumptions: we know of no measurements of people who roll plastic discs with a finger. They are
where reckoning begins; every match corrects them by its own results (``reckoning``).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import atan2, cos, radians, sin
from statistics import NormalDist

from rules.core import Build

STRAY = 7.0
"""Standard deviation of a roll's direction, in degrees (assumed)."""
SHORT = 0.11
"""Part of the rolls that do not get across the run-up zone (4.6, random play: 12 of 105)."""
STRAYS_ON = 0.9
"""Part of the stray discs that a cushion beside their way does not turn back to the gate they
were meant for (assumed)."""
RAISED = 0.3
"""Part of the chances that is left for a gate that stands on others (assumed)."""

WIDTH = 60.0
"""Width of a trilithon in mm, by the box."""
OPEN = 0.44 * WIDTH / 2
"""Half the opening, in mm."""
THICK = 5.0 / 2
"""Half the thickness of a disc on its edge, in mm."""
EDGE_Y = -215.0
"""Place of a disc in the push zone, mm from the board's centre."""
STARTS = tuple(float(x) for x in range(-228, 229, 38))
"""Places along the edge from which a roll is thought of, in mm."""
MARKED = ((-100.0, -22.0), (-78.0, 62.0), (0.0, 104.0), (78.0, 62.0), (100.0, -22.0))
"""RS12: gates G1 … G5 of course ``marked``, in mm."""
_FAR = 60.0
"""Middle of another course, mm from the centre of the board."""
_STRAYS = tuple(NormalDist(0, STRAY).inv_cdf((n + 0.5) / 41) for n in range(41))


@dataclass(frozen=True, slots=True)
class Gate:
    """A trilithon seen from above."""

    x: float
    y: float
    turn: float = 0.0
    """Radians, anticlockwise; 0: its opening looks at the edge."""
    raised: bool = False
    """True if it stands on others."""


@dataclass(frozen=True, slots=True)
class Shot:
    """A roll from one place at one gate."""

    aim: int
    """Number of the gate."""
    start: float
    """Start of the disc, mm right of the middle of the edge."""
    passes: tuple[tuple[int, float], ...]
    """Gates that it passes, as bits, with the chance of each; else it passes none."""

    def chance(self, gate: int) -> float:
        """Its chance to pass a gate."""
        return sum(part for bits, part in self.passes if bits >> gate & 1)

    def hoped(self, left: int) -> float:
        """Number of the gates ``left`` that it passes on the average."""
        return sum(part * (bits & left).bit_count() for bits, part in self.passes)


def gates_of(course: str, build: Build | None) -> tuple[Gate, ...]:
    """The gates of a course, G1 first; five in a row for one of unknown form."""
    if course == "marked":
        return tuple(Gate(x, y) for x, y in MARKED)
    if build is None:
        return tuple(Gate(70.0 * (n - 2), _FAR) for n in range(len(MARKED)))
    if build.seen == "top":
        found = [
            Gate(WIDTH * one.across, _FAR + WIDTH * one.up, radians(one.turn))
            for one in build.blocks
        ]
    else:
        found = [Gate(WIDTH * one.across, _FAR, raised=one.up > 0) for one in build.blocks]
    # RS12: from left to right, the nearer before the farther, the lower before the upper.
    return tuple(sorted(found, key=lambda gate: (gate.x, gate.y, gate.raised)))


@cache
def shots_at(gates: tuple[Gate, ...]) -> tuple[tuple[Shot, ...], ...]:
    """By gate: the surest shot at it, and the one that passes most gates if that is another."""
    found = []
    for aim in range(len(gates)):
        shots = [_shot(gates, aim, start) for start in STARTS]
        surest = max(shots, key=lambda shot: (shot.chance(aim), -abs(shot.start)))
        most = max(shots, key=lambda shot: (shot.hoped(-1), -abs(shot.start)))
        found.append((surest,) if most is surest else (surest, most))
    return tuple(found)


def _shot(gates: tuple[Gate, ...], aim: int, start: float) -> Shot:
    goal = gates[aim]
    straight = atan2(goal.x - start, goal.y - EDGE_Y)
    parts: dict[int, float] = {}
    for stray in _STRAYS:
        way = straight + radians(stray)
        # A disc that gets up to a gate on top of others passes that one and no other.
        bits = _passed((goal,), start, way) << aim if goal.raised else _passed(gates, start, way)
        if bits:
            part = RAISED if goal.raised else 1.0
            parts[bits] = parts.get(bits, 0.0) + part / len(_STRAYS)
    return Shot(aim, start, tuple(sorted(parts.items())))


def _passed(gates: tuple[Gate, ...], start: float, way: float) -> int:
    """Gates that a disc passes if it rolls straight on, ``way`` radians right of straight ahead."""
    dx, dy = sin(way), cos(way)
    met = []
    for number, gate in enumerate(gates):
        if gate.raised and len(gates) > 1:
            continue
        ux, uy = cos(gate.turn), sin(gate.turn)
        across = dx * uy - dy * ux
        if abs(across) < 1e-9:
            continue
        gx, gy = gate.x - start, gate.y - EDGE_Y
        far = (gx * uy - gy * ux) / across
        beside = abs((far * dx - gx) * ux + (far * dy - gy) * uy)
        if far > 0 and beside < WIDTH / 2 + THICK:
            met.append((far, number, beside < OPEN - THICK))
    bits = 0
    for _, number, through in sorted(met):
        if not through:
            break
        bits |= 1 << number
    return bits
