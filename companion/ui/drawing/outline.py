"""The outline of a board over its picture: a line, a handle at each corner, and a glass that shows
what lies below the finger while it drags one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from kivy.graphics import (
    Color,
    InstructionGroup,
    Rectangle,
    ScissorPop,
    ScissorPush,
    SmoothLine,
)

from companion.ui.theme.style import style

Point = tuple[float, float]
Px = tuple[float, float]

HANDLE_PX = 22.0
"""Radius of a handle at a short side of 480: fingers need 40 px across."""
GLASS_PX, TIMES = 150.0, 3.0
"""Side of the glass there, and how much it enlarges."""


@dataclass(frozen=True, slots=True)
class Outline:
    """A board's corners as they are shown."""

    corners: tuple[Point, ...]
    """Millimetres, clockwise from the upper left."""
    handles: bool = False
    """True if its corners can be dragged."""
    held: int | None = None
    """The corner below a finger."""


def handle_px() -> float:
    """Radius of a handle on this screen."""
    return HANDLE_PX * float(style.factor)


def draw_outline(
    group: InstructionGroup, outline: Outline, px: Callable[[Point], Px], times: float = 1.0
) -> None:
    """Draw it into ``group``. ``px``: the screen's pixel of a point in mm; ``times``: how much
    thicker the line is than usual."""
    flat = [value for at in outline.corners for value in px(at)]
    width = style.hairline * times
    for tone, wide in ((style.tone("rim_dark", 0.8), 2.6), (style.tone("ask"), 1.2)):
        group.add(Color(*tone))
        group.add(SmoothLine(points=flat, close=True, width=wide * width))
    for number, at in enumerate(outline.corners if outline.handles else ()):
        tone = style.tone("dawn" if number == outline.held else "ask")
        for colour, wide in ((style.tone("rim_dark", 0.8), 4.2), (tone, 2.2)):
            group.add(Color(*colour))
            # The middle stays free: there the corner of the board must be seen.
            group.add(SmoothLine(circle=(*px(at), handle_px()), width=wide * width))


def draw_glass(
    group: InstructionGroup, outline: Outline, texture: Any, frame: tuple[Px, Px],
    px: Callable[[Point], Px], window: Sequence[float],
) -> None:  # fmt: skip
    """Draw what lies around the corner that is held, enlarged, where the finger does not cover it.

    ``texture``: the picture below, which fills ``frame`` (lower left corner and size, px).
    ``window``: lower left corner and size of the part of the screen that may be drawn on, px.
    """
    if outline.held is None:
        return
    at = px(outline.corners[outline.held])
    side = min(GLASS_PX * style.factor, window[2], window[3])
    # In the corner of the view that is farthest from the finger.
    left = window[0] if at[0] > window[0] + window[2] / 2 else window[0] + window[2] - side
    low = window[1] if at[1] > window[1] + window[3] / 2 else window[1] + window[3] - side
    middle = (left + side / 2, low + side / 2)

    def enlarged(spot: Px) -> Px:
        return (
            middle[0] + (spot[0] - at[0]) * TIMES,
            middle[1] + (spot[1] - at[1]) * TIMES,
        )  # fmt: skip

    group.add(ScissorPush(x=round(left), y=round(low), width=round(side), height=round(side)))
    group.add(Color(*style.tone("night")))
    group.add(Rectangle(pos=(left, low), size=(side, side)))
    corner, size = frame
    group.add(Color())
    wide, high = size[0] * TIMES, size[1] * TIMES
    group.add(Rectangle(texture=texture, pos=enlarged(corner), size=(wide, high)))
    bare = Outline(outline.corners)
    draw_outline(group, bare, lambda spot: enlarged(px(spot)))
    group.add(ScissorPop())
    group.add(Color(*style.tone("ask")))
    group.add(SmoothLine(rectangle=(left, low, side, side), width=style.stroke))
