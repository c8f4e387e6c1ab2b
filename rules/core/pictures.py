"""Little pictures drawn from simple shapes, as data of a game.

A picture is a square of 100 × 100, y downwards, painted shape upon shape; the first one covers all
of it. In the data file every picture is a list of lines: ``fill COLOUR``, ``area COLOUR X,Y X,Y …``
(a polygon), ``line COLOUR WIDTH X,Y X,Y …``, ``disc COLOUR X,Y RADIUS``, ``oval COLOUR X,Y RX,RY``.
``blob`` and ``curve`` are an area and a line whose outline runs smoothly through the points;
``ring COLOUR WIDTH X,Y RADIUS`` is a round line.
Colours are ``#rrggbb`` or names from the table ``colours`` of the file.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from rules.core.moves import StateError

Point = tuple[float, float]


class Shape(NamedTuple):
    """One shape of a picture."""

    form: str
    """``fill``, ``area``, ``blob``, ``line``, ``curve``, ``oval``."""
    colour: str
    """``#rrggbb``."""
    points: tuple[Point, ...] = ()
    """Corners; of an oval its centre and its half axes."""
    width: float = 0.0
    """Of a line."""


Picture = tuple[Shape, ...]


@lru_cache(maxsize=16)
def read_pictures(package: str, name: str) -> Mapping[str, Picture]:
    """The pictures in the file ``name`` of ``package``, by kind; raises StateError."""
    data = tomllib.loads((files(package) / name).read_text(encoding="utf-8"))
    colours = data["colours"]
    return {
        kind: tuple(_shape(name, kind, line, colours) for line in lines)
        for kind, lines in data["pictures"].items()
    }


def _shape(name: str, kind: str, line: str, colours: Mapping[str, str]) -> Shape:
    form, tone, *rest = line.split()
    colour = colours.get(tone, tone)
    try:
        match form:
            case "fill":
                return Shape("fill", colour)
            case "area" | "blob":
                return Shape(form, colour, _points(rest))
            case "line" | "curve":
                return Shape(form, colour, _points(rest[1:]), float(rest[0]))
            case "ring":
                return Shape(
                    "line", colour, _round(_points(rest[1:2])[0], float(rest[2])), float(rest[0])
                )
            case "disc":
                radius = float(rest[1])
                return Shape("oval", colour, (*_points(rest[:1]), (radius, radius)))
            case "oval":
                return Shape("oval", colour, _points(rest))
    except (ValueError, IndexError) as error:
        raise StateError("unfit", key=f"{name}: {kind}", found=line) from error
    raise StateError("unfit", key=f"{name}: {kind}", found=line)


_CORNERS = 32


def _round(middle: Point, radius: float) -> tuple[Point, ...]:
    """The corners of a round line, the first one again at the end."""
    angles = (2 * math.pi * corner / _CORNERS for corner in range(_CORNERS + 1))
    x, y = middle
    return tuple((x + radius * math.cos(a), y + radius * math.sin(a)) for a in angles)


def _points(parts: list[str]) -> tuple[Point, ...]:
    found = []
    for part in parts:
        x, y = part.split(",")
        found.append((float(x), float(y)))
    return tuple(found)


_STEPS = 6
"""Number of pieces that a smooth outline has from one point to the next."""


def outline(shape: Shape) -> tuple[Point, ...]:
    """The corners of an area or a line; smooth ones run through their points (Catmull and Rom,
    1974)."""
    points, closed = shape.points, shape.form == "blob"
    if shape.form not in ("blob", "curve"):
        return points
    count, found = len(points), list[Point]()
    for at in range(count if closed else count - 1):
        a, b, c, d = (
            points[n % count if closed else min(max(n, 0), count - 1)]
            for n in range(at - 1, at + 3)
        )
        for step in range(_STEPS):
            t = step / _STEPS
            found.append((_between(a[0], b[0], c[0], d[0], t), _between(a[1], b[1], c[1], d[1], t)))
    return tuple(found if closed else [*found, points[-1]])


def _between(a: float, b: float, c: float, d: float, t: float) -> float:
    third = 3 * (b - c) + d - a
    return b + (c - a + (2 * a - 5 * b + 4 * c - d + third * t) * t) * t / 2
