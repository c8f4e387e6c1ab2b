"""The middle of a board on the screen: the aim of the game, and arcs along the ring for points that
lie side by side."""

from __future__ import annotations

from math import atan2, cos, degrees, radians, sin

from kivy.graphics import (
    Color,
    InstructionGroup,
    Rectangle,
    SmoothLine,
)

from companion.presentation.middle import Arc, Middle
from companion.presentation.plan import Plan, inner_edge, rings
from companion.presentation.theme import tokens as theme
from companion.ui.drawing.ink import Round, disc
from companion.ui.drawing.pieces import draw_text
from companion.ui.theme.lettering import Setting
from companion.ui.theme.style import TEXT, style

_GROUND = 0.72
"""Opacity of the plate below words."""
_ASIDE = 0.4
"""Share of the way to the next place by which an arc reaches beyond its ends."""


def draw_middle(group: InstructionGroup, plan: Plan, middle: Middle) -> None:
    """Add the aim, if there is room for it."""
    (left, low), (right, top) = plan.px(middle.part[:2]), plan.px(middle.part[2:])
    pad, brim = style.gap_s, style.grid
    for letters in (style.caption, style.type_xs):
        words = Setting(
            middle.aim, letters, TEXT, right - left - 2 * brim, align="center",
            colour=style.tone("bone"),
        )  # fmt: skip
        wide, high = words.extent
        if high + 2 * brim <= top - low:
            break
    else:
        return
    x, y = (left + right) / 2, (low + top) / 2
    size = (wide + 2 * pad, high + 2 * brim)
    group.add(Color(*style.tone("night", _GROUND)))
    corner = (x - size[0] / 2, y - size[1] / 2)
    group.add(Round(corner, size, style.radius * 0.7))
    texture = words.texture
    group.add(Color())
    corner = (round(x - texture.width / 2), round(y - texture.height / 2))
    group.add(Rectangle(texture=texture, pos=corner, size=texture.size))


def draw_arc(group: InstructionGroup, plan: Plan, arc: Arc) -> None:
    """Add the arc of one side inside the ring, its points at the middle of it, and dots for what
    the move in the hand would add."""
    sites = [plan.box.sites[name] for name in arc.sites]
    centre = rings(plan.box).get(sites[0].kind)
    if centre is None:
        return
    s, line = plan.px_per_mm, style.stroke * 1.6
    reach = inner_edge(plan.box, sites[0]) * s - 2.5 * line
    x, y = plan.px(centre)
    turns = [_turn(centre, site.at) for site in sites]
    for number in range(1, len(turns)):
        # On over the top of the ring.
        turns[number] += 360 * round((turns[number - 1] - turns[number]) / 360)
    step = _ASIDE * 360 / sum(site.kind == sites[0].kind for site in plan.box.sites.values())
    first, last = min(turns) - step, max(turns) + step
    tone = style.tone("dawn") if arc.active else style.tone("bone")
    for colour, wide in ((style.tone("night", 0.8), line * 1.9), (tone, line)):
        group.add(Color(*colour))
        group.add(SmoothLine(circle=(x, y, reach, first, last), width=wide / 2, cap="round"))

    def at(turn: float, away: float) -> tuple[float, float]:
        return (x + away * sin(radians(turn)), y + away * cos(radians(turn)))

    _draw_figure(group, arc.told, at((first + last) / 2, reach), tone)
    for name in arc.added:
        spot = at(_turn(centre, plan.box.sites[name].at), reach)
        for colour, radius in (
            (theme.rgba(*theme.CASING), line * 1.5),
            (theme.rgba(theme.LIGHT), line),
        ):
            group.add(Color(*colour))
            group.add(disc(spot, radius))


def _draw_figure(
    group: InstructionGroup, told: str, at: tuple[float, float], tone: theme.Rgba
) -> None:
    group.add(Color(*style.tone("night")))
    group.add(disc(at, style.caption * 0.72))
    draw_text(group, told, at, style.caption, tone)


def _turn(centre: tuple[float, float], at: tuple[float, float]) -> float:
    """Degrees clockwise from the top."""
    return degrees(atan2(at[0] - centre[0], at[1] - centre[1]))
