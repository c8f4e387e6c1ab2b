"""A magnifier over a finger that rests where places are denser than a fingertip."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kivy.graphics import Color, InstructionGroup, Rectangle, SmoothLine, SmoothRoundedRectangle

from companion.presentation.plan import Plan, Px
from companion.ui.drawing.still import Still
from companion.ui.theme.style import style

REST_S = 0.22
"""Seconds for which a finger must rest to see."""
_SIDE_PX = 148.0
"""Side of the magnifier at a short side of 480."""
_AWAY_PX = 118.0
"""Distance from the finger to the middle of the glass: a hand does not cover it."""
_TIMES = 2.2


def is_dense(plan: Plan, at: Px, glowing: Iterable[str], target: float) -> bool:
    """True if a finger at ``at`` could mean several of the places that glow."""
    near = 0
    for name in glowing:
        x, y = plan.px(plan.box.sites[name].at)
        near += (x - at[0]) ** 2 + (y - at[1]) ** 2 <= target**2
    return near > 1


class Loupe:
    """Drawn into ``group`` over everything else; ``still`` is the picture of the board."""

    def __init__(self, group: InstructionGroup, still: Still) -> None:
        self._group, self._still = group, still
        self.shown = False

    def hide(self) -> None:
        """Take it away."""
        self.shown = False
        self._group.clear()

    def show(self, plan: Plan, at: Px, glowing: Iterable[str], meant: str | None) -> None:
        """Shows what lies around ``at``, and which of the places that glow is ``meant``."""
        self._group.clear()
        self.shown = True
        side = _SIDE_PX * style.factor
        middle = self._middle(plan, at, side)
        part = side / _TIMES
        left, low = at[0] - part / 2, at[1] - part / 2
        corner = (middle[0] - side / 2, middle[1] - side / 2)
        group = self._group
        group.add(Color(*style.tone("night")))
        group.add(_square(corner, side, style.radius))
        texture = self._still.part(left, low, part)
        if texture is not None:
            inset = style.stroke
            inner = side - 2 * inset
            group.add(Color(1, 1, 1, 1))
            group.add(
                Rectangle(
                    texture=texture, pos=(corner[0] + inset, corner[1] + inset), size=(inner, inner)
                )
            )
        for name in glowing:
            self._ring(plan, name, (left, low, part), corner, strong=name == meant)
        group.add(Color(*style.tone("ask")))
        group.add(
            SmoothLine(
                rounded_rectangle=(*corner, side, side, style.radius, 24), width=style.stroke
            )
        )

    @staticmethod
    def _middle(plan: Plan, at: Px, side: float) -> Px:
        """Above the finger; beside it where there is no room."""
        away, half = _AWAY_PX * style.factor, side / 2
        x = min(max(at[0], plan.x + half), plan.x + plan.width - half)
        y = at[1] + away
        if y + half <= plan.y + plan.height:
            return (x, y)
        y = min(max(at[1], plan.y + half), plan.y + plan.height - half)
        right = at[0] + away
        return (right if right + half <= plan.x + plan.width else at[0] - away, y)

    def _ring(
        self, plan: Plan, name: str, part: tuple[float, float, float], corner: Px, *, strong: bool
    ) -> None:
        """A place that glows, if it lies wholly within the glass."""
        site = plan.box.sites[name]
        x, y = plan.px(site.at)
        wide, high = plan.half(site)
        left, low, side = part
        if not (left + wide < x < left + side - wide and low + high < y < low + side - high):
            return
        at = (corner[0] + (x - left) * _TIMES, corner[1] + (y - low) * _TIMES)
        wide, high = wide * _TIMES, high * _TIMES
        self._group.add(Color(*style.tone("dawn" if strong else "ask")))
        shape: dict[str, Any] = {"circle": (*at, wide)}
        if site.size is not None:
            box = (at[0] - wide, at[1] - high, 2 * wide, 2 * high)
            shape = {"rounded_rectangle": (*box, style.grid, 12)}
        self._group.add(SmoothLine(width=style.stroke * (1.6 if strong else 0.7), **shape))


def _square(corner: Px, side: float, rounding: float) -> Any:
    return SmoothRoundedRectangle(pos=corner, size=(side, side), radius=[rounding] * 4)
