"""Colours of pieces for every kind of colour vision. Free of Kivy.

The colours are those of Okabe and Ito, "Color Universal Design" (2008). Printed colours are what
lies on the table, so this is a choice, not the default.
"""

from __future__ import annotations

import colorsys
import math
from functools import lru_cache
from typing import Final

from companion.presentation.theme.tokens import PLAIN, SAFE, Rgba, body, rgba
from rules.box import PieceKind

NAMED: Final = {"brown": "orange", "violet": "purple", "grey": "sky", "gray": "sky"}
"""Owners' colours that have other names in the palette."""

NEUTRAL: Final = 0.14
"""Strength of a colour below which it is a grey, whatever its hue."""


def fill_of(kind: PieceKind, choice: str) -> Rgba:
    """The surface of a piece for the choice ``printed`` or ``safe``."""
    if choice == "printed" or _speaks(kind):
        return body(kind.colour)
    name = safe_name(kind.owner, kind.colour)
    return rgba(SAFE[name]) if name else body(kind.colour)


def named_colour(name: str, choice: str) -> str:
    """The colour that a name stands for where no piece shows it; empty for names of no colour."""
    if choice == "printed":
        return PLAIN.get(name, "")
    return SAFE.get(NAMED.get(name, name), "")


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
