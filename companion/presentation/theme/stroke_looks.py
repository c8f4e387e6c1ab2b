"""How strong the strokes of a board are on a screen, whose ground is not the board's. Free of Kivy.

A ``strong`` stroke is as wide as the box says and stands out from the ground of the theme; a
``faint`` one is thin and quiet. Contrast as in WCAG 2.2, https://www.w3.org/TR/WCAG22/.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from companion.presentation.theme import tokens as theme
from companion.presentation.theme.tokens import Palette, Rgba
from rules.box import Stroke

__all__ = ["CLEAR", "TEXT_ALPHA", "is_outline", "stroke_tone", "thickness"]

CLEAR: Final = 4.5
"""Contrast of a strong line with the ground, like that of a text."""
TEXT_ALPHA: Final = {"strong": 1.0, "faint": 0.7}
"""How opaque what is written on the board is."""
_LINE_SHARE: Final = {"strong": 1.0, "faint": 0.62}
"""How much of its width a line has."""
_LEAST_PX: Final = {"strong": 2.4, "faint": 1.8}
"""The thinnest a line gets, px."""
_AREA: Final = {"strong": 0.8, "faint": 0.4}
"""How much of its colour an area has; the rest is the theme's."""
_LINE_ALPHA: Final = 0.42
_STEPS: Final = 20


def thickness(stroke: Stroke, px_per_mm: float = 1.0, px: float = 1.0) -> float:
    """How thick a line is drawn, in px; ``px``: how large one is of a screen 480 px high."""
    share, least = _LINE_SHARE[stroke.weight], _LEAST_PX[stroke.weight]
    return max(stroke.width * px_per_mm * share, least * px)


def is_outline(stroke: Stroke) -> bool:
    """Whether a circle or polygon is drawn by its outline and not filled."""
    if stroke.kind == "circle":
        return stroke.weight == "faint"
    return stroke.width > 0


def stroke_tone(stroke: Stroke, palette: Palette) -> Rgba:
    """The colour in which a stroke is drawn over the theme's ground."""
    faint = stroke.weight == "faint"
    if stroke.kind == "text":
        return theme.rgba(palette.ash, TEXT_ALPHA[stroke.weight])
    if stroke.kind == "line" and faint:
        return theme.rgba(palette.dawn, _LINE_ALPHA)
    if faint or (stroke.kind == "polygon" and not is_outline(stroke)):
        slate, own = theme.rgba(palette.slate), theme.rgba(stroke.colour)
        return theme.mix(slate, own, _AREA[stroke.weight])
    return _clear(stroke.colour, palette)


@lru_cache(maxsize=256)
def _clear(colour: str, palette: Palette) -> Rgba:
    """The colour; where the ground would swallow it, with as much of the text's as it needs."""
    grounds = [theme.rgba(tone) for tone in (palette.night, palette.dusk, palette.slate)]
    own, text = theme.rgba(colour), theme.rgba(palette.bone)
    tones = (theme.mix(own, text, step / _STEPS) for step in range(_STEPS))
    return next(
        (tone for tone in tones if min(theme.contrast(tone, g) for g in grounds) >= CLEAR), text
    )
