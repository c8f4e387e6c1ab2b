"""Single lines of bold words, drawn where there is little room: on tiles and cards."""

from __future__ import annotations

from typing import Any

from kivy.core.text import Label as CoreLabel
from kivy.graphics import Color, Rectangle

from companion.presentation.theme import tokens as theme
from companion.ui.drawing.ink import text_texture
from companion.ui.theme.style import BOLD, style

__all__ = ["SMALLEST", "extent", "write"]

SMALLEST = 0.85
"""How much smaller a long name may be set before it is drawn narrower."""


def extent(text: str, px: float) -> float:
    """How wide a line is, px; its height ``px`` is at a short side of 480."""
    label = CoreLabel(font_name=BOLD, font_size=px * style.factor)
    return float(label.get_extents(text)[0])


def write(
    drawing: Any,
    text: str,
    px: float,
    at: tuple[float, float],
    room: float,
    ink: theme.Rgba,
    *,
    right: bool = False,
    centred: bool = False,
) -> None:
    """One line from ``at``, its middle left (or ``right``, or ``centred``) point, into an
    instruction group. What is still too long at the smallest size is drawn narrower, never cut."""
    fitting = max(min(1.0, room / max(extent(text, px), 1.0)), SMALLEST)
    word = text_texture(text, round(px * style.factor * fitting))
    wide = min(word.width, room)
    left = at[0] - wide / 2 if centred else at[0] - wide if right else at[0]
    drawing.add(Color(*ink))
    pos = (round(left), round(at[1] - word.height / 2))
    drawing.add(Rectangle(texture=word, pos=pos, size=(wide, word.height)))
