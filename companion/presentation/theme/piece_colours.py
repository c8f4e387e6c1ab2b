"""Colours of pieces for every kind of colour vision, and hatchings besides. Free of Kivy.

The colours are those of Okabe and Ito, "Color Universal Design" (2008). Printed colours are what
lies on the table, so this is a choice, not the default.
"""

from __future__ import annotations

import colorsys
import math
from functools import lru_cache
from typing import Final

from companion.presentation.theme.tokens import SAFE, Rgba, body, rgba
from rules.box import PieceKind

NAMED: Final = {"brown": "orange", "violet": "purple", "grey": "sky", "gray": "sky"}
"""Owners' colours that have other names in the palette."""

HATCHINGS: Final[dict[str, tuple[float, ...]]] = {
    "black": (),
    "white": (),
    "orange": (45.0,),
    "sky": (0.0,),
    "green": (90.0,),
    "yellow": (0.0, 90.0),
    "blue": (135.0,),
    "red": (45.0, 135.0),
    "purple": (22.5,),
}
"""Degrees of the lines that a colour is hatched with."""

NEUTRAL: Final = 0.14
"""Strength of a colour below which it is a grey, whatever its hue."""


def fill_of(kind: PieceKind, choice: str) -> Rgba:
    """The surface of a piece for the choice ``printed``, ``safe`` or ``patterns``."""
    if choice == "printed" or _speaks(kind):
        return body(kind.colour)
    name = safe_name(kind.owner, kind.colour)
    return rgba(SAFE[name]) if name else body(kind.colour)


def named_colour(name: str) -> str:
    """The colour that a name stands for where no piece shows it; empty for names of no colour."""
    return SAFE.get(NAMED.get(name, name), "")


def hatching_of(kind: PieceKind, choice: str) -> tuple[float, ...]:
    """Degrees of the lines over a piece; none unless ``patterns`` was chosen."""
    if choice != "patterns" or _speaks(kind):
        return ()
    return HATCHINGS.get(safe_name(kind.owner, kind.colour), ())


def _speaks(kind: PieceKind) -> bool:
    """True for cards without an owner: they bear their names, and need no colour to tell them
    apart."""
    return kind.shape == "card" and not kind.owner


@lru_cache(maxsize=512)
def safe_name(owner: str | None, colour: str) -> str:
    """The colour of ``SAFE`` that stands for a piece; empty for greys without an owner."""
    named = NAMED.get(owner or "", owner or "")
    if named in SAFE:
        return named
    red, green, blue, _alpha = rgba(colour)
    hue, _light, strength = colorsys.rgb_to_hls(red, green, blue)
    if strength < NEUTRAL and not owner:
        return ""
    return min(
        (name for name in SAFE if name not in ("black", "white")),
        key=lambda name: _away(hue, SAFE[name]) + _far((red, green, blue), SAFE[name]),
    )


def _away(hue: float, colour: str) -> float:
    """Distance of a colour from a hue, 0 to 1."""
    other = colorsys.rgb_to_hls(*rgba(colour)[:3])[0]
    apart = abs(hue - other)
    return 2 * min(apart, 1 - apart)


def _far(one: tuple[float, float, float], colour: str) -> float:
    """Distance of two colours; it weighs little, to decide between two alike in hue."""
    return 0.15 * math.dist(one, rgba(colour)[:3])


def strokes(
    width: float, height: float, degrees: float, gap: float, *, is_round: bool
) -> list[tuple[float, float, float, float]]:
    """Parallel lines over a piece around 0, 0: from x, y to x, y, cut off at its rim."""
    angle = math.radians(degrees)
    ux, uy = math.cos(angle), math.sin(angle)
    reach = math.hypot(width, height) / 2
    lines = []
    for number in range(-int(reach / gap), int(reach / gap) + 1):
        away = (number + 0.5) * gap
        px, py = -uy * away, ux * away
        ends = _in_circle(width / 2, away) if is_round else _in_box(px, py, ux, uy, width, height)
        if ends is not None:
            start, end = ends
            lines.append((px + ux * start, py + uy * start, px + ux * end, py + uy * end))
    return lines


def _in_circle(radius: float, away: float) -> tuple[float, float] | None:
    if abs(away) >= radius:
        return None
    half = math.sqrt(radius * radius - away * away)
    return (-half, half)


def _in_box(
    px: float, py: float, ux: float, uy: float, width: float, height: float
) -> tuple[float, float] | None:
    """The two ends of a line through p along u inside the box (Liang and Barsky, 1984)."""
    start, end = -math.inf, math.inf
    for place, step, half in ((px, ux, width / 2), (py, uy, height / 2)):
        if abs(step) < 1e-9:
            if abs(place) > half:
                return None
            continue
        low, high = sorted(((-half - place) / step, (half - place) / step))
        start, end = max(start, low), min(end, high)
    return (start, end) if start < end else None
