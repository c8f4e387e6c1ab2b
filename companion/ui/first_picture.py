"""A calm picture while the program is loaded: a ring of stones, in the colours that were chosen.

It is drawn as soon as there is a window and stays until the first screen takes its place: loading
takes seconds on a small computer, most of them when nothing was saved yet.
"""

from __future__ import annotations

from math import cos, pi, sin
from typing import Any

from kivy.graphics import Color, InstructionGroup, Rectangle

from companion.presentation.theme.tokens import LIMESTONE, NIGHT, rgba

STONES = 12
RADIUS, SIDE = 0.16, 0.034
"""Of the ring and of a stone, as shares of the window's shorter side."""


def show(window: Any, theme: str) -> None:
    """Draw the picture at once; the next frame is without it. A screen turned by any quarter shows
    the same."""
    palette = LIMESTONE if theme == LIMESTONE.name else NIGHT
    window.clearcolor = rgba(palette.night)
    width, height = window.size
    short, ring = min(width, height), InstructionGroup()
    ring.add(Color(*rgba(palette.edge)))
    side = short * SIDE
    for number in range(STONES):
        angle = 2 * pi * number / STONES
        x = width / 2 + short * RADIUS * cos(angle)
        y = height / 2 + short * RADIUS * sin(angle)
        ring.add(Rectangle(pos=(x - side / 2, y - side / 2), size=(side, side)))
    window.canvas.add(ring)
    window.dispatch("on_draw")
    window.dispatch("on_flip")
    window.canvas.remove(ring)
