"""The sign of each colour, drawn wherever the colour is: nothing is told by colour alone.

Signs are outlines, so that screens, pages and printers draw them from the same points. Where
outlines of one sign overlap there is a hole (the even-odd rule).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from rules.box.box import Point
from rules.box.shapes import ring_points

Sign = tuple[tuple[Point, ...], ...]
"""Closed outlines; x to the right and y up, from -1 to 1 around the middle."""


@lru_cache(maxsize=64)
def sign_of(colour: str) -> Sign:
    """The outlines of a colour's sign, by the name of the colour; none for an unknown name."""
    drawn = _SIGNS.get(colour)
    return () if drawn is None else drawn()


def _fire() -> Sign:
    return (((0.0, 0.92), (-0.98, -0.78), (0.98, -0.78)),)


def _water() -> Sign:
    return tuple(_wave(middle) for middle in (0.42, -0.42))


def _wave(middle: float) -> tuple[Point, ...]:
    half, steps = 0.21, 18
    line = [(-1 + 2 * k / steps, middle + 0.17 * math.sin(k * 3 * math.pi / steps))
            for k in range(steps + 1)]  # fmt: skip
    upper = [(x, y + half) for x, y in line]
    return (*upper, *((x, y - half) for x, y in reversed(line)))


def _leaf() -> Sign:
    tip, foot = (0.96, 0.96), (-0.76, -0.76)
    edge = [_bent(tip, foot, k / 12) for k in range(13)]
    edge += [_bent(foot, tip, k / 12) for k in range(1, 12)]
    stalk = ((-1.0, -0.84), (-0.84, -1.0), (0.36, 0.26), (0.26, 0.36))
    return (tuple(edge), stalk)


def _bent(start: Point, end: Point, part: float) -> Point:
    """A point on a curve that swerves to the right on its way."""
    (x0, y0), (x1, y1) = start, end
    swerve = 1.5 * part * (1 - part)
    dx, dy = x1 - x0, y1 - y0
    return (x0 + dx * part + dy * swerve, y0 + dy * part - dx * swerve)


def _star() -> Sign:
    tips = ring_points((0.0, -0.06), 1.04, 5, 90)
    inner = ring_points((0.0, -0.06), 0.46, 5, 126)
    return (tuple(at for pair in zip(tips, inner, strict=True) for at in pair),)


def _moon() -> Sign:
    """A crescent, open to the upper right: a disc without a smaller one."""
    whole, gap, away = 0.96, 0.74, 0.51
    wide = math.degrees(math.acos((away**2 + whole**2 - gap**2) / (2 * away * whole)))
    bite = math.degrees(math.acos((whole**2 - away**2 - gap**2) / (2 * away * gap)))
    middle = (away * math.sqrt(0.5), away * math.sqrt(0.5))
    outer = [_on((0.0, 0.0), whole, 45 + wide + (360 - 2 * wide) * k / 24) for k in range(25)]
    inner = [_on(middle, gap, 45 - bite - (360 - 2 * bite) * k / 20) for k in range(1, 20)]
    return ((*outer, *inner),)


def _on(middle: Point, radius: float, degrees: float) -> Point:
    turn = math.radians(degrees)
    return (middle[0] + radius * math.cos(turn), middle[1] + radius * math.sin(turn))


def _ring() -> Sign:
    return tuple(tuple(ring_points((0.0, 0.0), radius, 32)) for radius in (0.92, 0.55))


def _diamond() -> Sign:
    return (((0.0, 1.0), (-0.8, 0.0), (0.0, -1.0), (0.8, 0.0)),)


def _drop() -> Sign:
    round_part = [_on((0.0, -0.3), 0.65, 150 + k * 240 / 20) for k in range(21)]
    return ((*round_part, (0.0, 1.0)),)


def _cross() -> Sign:
    a, b = 0.34, 0.94
    return (
        ((a, b), (-a, b), (-a, a), (-b, a), (-b, -a), (-a, -a),
         (-a, -b), (a, -b), (a, -a), (b, -a), (b, a), (a, a)),
    )  # fmt: skip


_SIGNS: Final[dict[str, Callable[[], Sign]]] = {
    "red": _fire,
    "blue": _water,
    "green": _leaf,
    "yellow": _star,
    "white": _moon,
    "black": _ring,
    "brown": _diamond,
    "orange": _diamond,
    "grey": _drop,
    "gray": _drop,
    "sky": _drop,
    "purple": _cross,
    "violet": _cross,
}
SIGNED: Final = tuple(_SIGNS)
"""Names of the colours that have a sign."""
