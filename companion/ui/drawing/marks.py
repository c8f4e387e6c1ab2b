"""Signs on the places of a board: rings, ways of pieces, what is wrong, good or asked there; and in
the middle of a ring the aim, with arcs for points that lie side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import atan2, cos, degrees, dist, radians, sin
from typing import Any

from kivy.graphics import (
    Color,
    InstructionGroup,
    Point,
    Rectangle,
    SmoothLine,
)

from companion.presentation.plan import Plan, Px, inner_edge, rings
from companion.presentation.scene import Arc, Middle
from companion.presentation.theme import tokens as theme
from companion.ui.drawing.ink import Round, disc, text_texture
from companion.ui.drawing.pieces import draw_text
from companion.ui.theme.lettering import Setting
from companion.ui.theme.style import TEXT, style
from hardware.rhythm import Rhythm
from rules.box import Site

Pulse = tuple[Any, float, Rhythm]
"""A colour, its full strength, and its rhythm."""


def draw_ring(
    group: InstructionGroup, plan: Plan, site: Site, tone: theme.Rgba, factor: float,
    width: float = 0.0,
) -> Any:  # fmt: skip
    """Add a line around a site, ``factor`` times as large as that; returns its colour."""
    colour = Color(*tone)
    group.add(colour)
    line = width or max(style.stroke * 0.55, 1.0)
    x, y = plan.px(site.at)
    if site.size is None:
        group.add(disc((x, y), _reach(plan, site, factor), line))
    else:
        out = style.grid * factor
        w, h = (half + out for half in plan.half(site))
        group.add(Round((x - w, y - h), (2 * w, 2 * h), out * 1.5, line))
    return colour


def draw_ways(group: InstructionGroup, plan: Plan, ways: Iterable[tuple[str, ...]]) -> None:
    """Add dots along the ways of pieces, from place to place but not on the two ends."""
    found = set[Px]()
    for way in ways:
        sites = [plan.box.sites[name] for name in way]
        ends = [(plan.px(site.at), max(plan.half(site)) * 1.1) for site in sites]
        for (x, y), (to_x, to_y) in pairwise(at for at, _reach in ends):
            steps = max(round(dist((x, y), (to_x, to_y)) / style.gap_s), 1)
            parts = [number / steps for number in range(1, steps + 1)]
            found |= {(x + (to_x - x) * part, y + (to_y - y) * part) for part in parts}
        for end, reach in (ends[0], ends[-1]):
            found = {at for at in found if dist(at, end) > reach}
    group.add(Color(*style.tone("bone", 0.85)))
    points = [c for at in found for c in at]
    group.add(Point(points=points, pointsize=style.stroke * 0.6))


def draw_flags(group: InstructionGroup, plan: Plan, flags: Iterable[tuple[Site, str]]) -> None:
    """Add numbers of answers, or places' names, at the upper edges of sites; at another edge where
    one would cover another."""
    size, high = style.type_s, style.gap_l * 1.5
    stand: list[tuple[float, float, float]] = []
    for site, text in flags:
        wide = max(high, text_texture(text, round(size)).width + style.gap_l)
        spots = _around(plan, site, wide, high)
        apart = (
            (x, y) for x, y in spots
            if all(abs(x - a) >= (wide + w) / 2 or abs(y - b) >= high for a, b, w in stand)
        )  # fmt: skip
        x, y = next(apart, spots[0])
        stand.append((x, y, wide))
        group.add(Color(*style.tone("ask")))
        corner = (x - wide / 2, y - high / 2)
        group.add(Round(corner, (wide, high)))
        draw_text(group, text, (x, y), size, style.tone("night"))


def _around(plan: Plan, site: Site, wide: float, high: float) -> list[Px]:
    """Middles of a flag above, below, right and left of a site, within the picture."""
    x, y = plan.px(site.at)
    reach = _reach(plan, site, 1.18) or plan.half(site)[1] + style.grid
    up, along = reach + high * 0.4, reach + wide * 0.5
    return [
        (
            min(max(x + dx, plan.x + wide / 2), plan.x + plan.width - wide / 2),
            min(max(y + dy, plan.y + high / 2), plan.y + plan.height - high / 2),
        )
        for dx, dy in ((0.0, up), (0.0, -up), (along, 0.0), (-along, 0.0))
    ]


def draw_cross(group: InstructionGroup, plan: Plan, site: Site, *, aside: bool) -> list[Pulse]:
    """Add rings and a cross to a place where something is wrong; ``aside``: at its shoulder, so
    that what is printed on the piece stays readable."""
    tone = style.tone("stop")
    small = site.radius * 2 < 30
    outer = draw_ring(group, plan, site, (*tone[:3], 0.55), 2.15 if small else 1.5)
    inner = draw_ring(group, plan, site, tone, 1.65 if small else 1.22, style.stroke * 0.8)
    x, y = plan.px(site.at)
    half = min(plan.half(site))
    badge = max(half * 0.62, style.gap_s)
    if aside:
        x, y, badge = x + half * 0.85, y + half * 0.85, badge * 0.72
    group.add(Color(*tone))
    group.add(disc((x, y), badge))
    group.add(Color(*style.tone("rim_light")))
    arm = badge * 0.42
    for slope in (-1, 1):
        ends = [x - arm, y - slope * arm, x + arm, y + slope * arm]
        group.add(SmoothLine(points=ends, width=max(style.stroke * 0.6, badge * 0.13)))
    return [(outer, 0.55, Rhythm.DOUBLE_BLINK), (inner, 1.0, Rhythm.DOUBLE_BLINK)]


def draw_verdict(group: InstructionGroup, plan: Plan, site: Site, *, good: bool) -> None:
    """Add a result: a ring around a site, and a sign at its shoulder."""
    tone = style.tone("ok" if good else "stop")
    draw_ring(group, plan, site, tone, 1.1, style.stroke * 1.1)
    x, y = plan.px(site.at)
    wide, high = plan.half(site)
    badge = style.gap * 0.8
    x, y = x + wide * 0.92, y + high * 0.92
    group.add(Color(*tone))
    group.add(disc((x, y), badge))
    sign = "✓" if good else "✕"
    draw_text(group, sign, (x, y), badge * 1.2, style.tone("night"), 1.0, "symbol")


def draw_arrow(group: InstructionGroup, plan: Plan, start: Site, end: Site) -> list[Pulse]:
    """Add an arrow from one site to another."""
    (x0, y0), (x1, y1) = plan.px(start.at), plan.px(end.at)
    length = max(((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5, 0.01)
    ux, uy = (x1 - x0) / length, (y1 - y0) / length
    away, short = max(plan.half(start)) * 1.2, max(plan.half(end)) * 1.3
    x0, y0, x1, y1 = x0 + ux * away, y0 + uy * away, x1 - ux * short, y1 - uy * short
    colour = Color(*style.tone("ask"))
    group.add(colour)
    group.add(SmoothLine(points=[x0, y0, x1, y1], width=style.stroke))
    head = style.gap
    for side in (-1, 1):
        tip = [x1, y1, x1 - ux * head + side * uy * head * 0.7]
        tip.append(y1 - uy * head - side * ux * head * 0.7)
        group.add(SmoothLine(points=tip, width=style.stroke))
    return [(colour, 1.0, Rhythm.SLOW_PULSE)]


def _reach(plan: Plan, site: Site, factor: float) -> float:
    """Radius of a ring around a site, px: outside its piece too."""
    return max(max(plan.half(site)) * factor, style.grid) if site.size is None else 0.0


# -- the middle of a ring ----------------------------------------------------------------------

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
    first, last = _ends(plan, sites, centre)
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


def _ends(plan: Plan, sites: Sequence[Site], centre: tuple[float, float]) -> tuple[float, float]:
    """Degrees clockwise from the top from which to which the arc of neighbouring sites goes."""
    turns = [_turn(centre, site.at) for site in sites]
    for number in range(1, len(turns)):
        # On over the top of the ring.
        turns[number] += 360 * round((turns[number - 1] - turns[number]) / 360)
    step = _ASIDE * 360 / sum(site.kind == sites[0].kind for site in plan.box.sites.values())
    return min(turns) - step, max(turns) + step


def _draw_figure(
    group: InstructionGroup, told: str, at: tuple[float, float], tone: theme.Rgba
) -> None:
    group.add(Color(*style.tone("night")))
    group.add(disc(at, style.caption * 0.72))
    draw_text(group, told, at, style.caption, tone)


def _turn(centre: tuple[float, float], at: tuple[float, float]) -> float:
    """Degrees clockwise from the top."""
    return degrees(atan2(at[0] - centre[0], at[1] - centre[1]))
