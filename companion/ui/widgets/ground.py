"""The board below the pieces: its lines and its sites, in colours of the theme."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from kivy.graphics import (
    Color,
    InstructionGroup,
    Mesh,
    SmoothEllipse,
    SmoothLine,
    SmoothRoundedRectangle,
)

from companion.ui import theme
from companion.ui.piece_colours import fill_of
from companion.ui.scene import Scene
from companion.ui.style import style
from companion.ui.widgets.pieces import draw_text
from companion.ui.widgets.plan import Plan, Px
from rules.box import Box, Site, Stroke
from rules.core import Item

__all__ = ["draw_ground", "owner_of"]


def draw_ground(group: InstructionGroup, plan: Plan, scene: Scene) -> None:
    """Add everything below the pieces to ``group``."""
    holders = {item.site: item for item in scene.items if item.owner is not None}
    for stroke in scene.box.strokes:
        _draw_stroke(group, plan, scene, stroke, holders)
    taken = {item.site for item in scene.items} | {item.site for item in scene.ghosts}
    for site in scene.box.sites.values():
        if site.printed:
            _draw_site(group, plan, site, site.id in taken)


def _draw_stroke(
    group: InstructionGroup,
    plan: Plan,
    scene: Scene,
    stroke: Stroke,
    holders: Mapping[str, Item],
) -> None:
    points = [plan.px(point) for point in stroke.points]
    width = stroke.width * plan.px_per_mm
    if stroke.kind == "line":
        flat = [c for point in points for c in point]
        holder = owner_of(stroke, scene.box, holders)
        wrong = stroke.sites and stroke.sites[-1] in scene.wrong
        if wrong:
            _dashes(group, points, style.tone("stop"))
        elif holder is not None:
            group.add(Color(*_line_tone(scene.box, holder)))
            group.add(SmoothLine(points=flat, width=max(width * 0.55, 1.5)))
        else:
            group.add(Color(*style.tone("dawn", 0.42)))
            group.add(SmoothLine(points=flat, width=max(width * 0.31, 0.9)))
        return
    tone = theme.mix(style.tone("slate"), theme.rgba(stroke.colour), 0.4)
    if stroke.kind == "text":
        draw_text(group, stroke.text, points[0], max(width, 6), style.tone("ash"), 0.7, "text")
        return
    group.add(Color(*tone))
    if stroke.kind == "circle":
        group.add(SmoothLine(circle=(*points[0], width), width=style.hairline))
    elif stroke.width > 0:
        flat = [c for point in points for c in point]
        group.add(SmoothLine(points=flat, close=True, width=max(width / 2, style.hairline)))
    elif len(points) >= 3:
        vertices = [v for x, y in points for v in (x, y, 0, 0)]
        group.add(Mesh(vertices=vertices, indices=range(len(points)), mode="triangle_fan"))


def _line_tone(box: Box, holder: Item) -> theme.Rgba:
    kind = box.kinds.get(holder.kind)
    tone = fill_of(kind, style.piece_colours) if kind else style.tone("ash")
    if theme.contrast(tone, style.tone("night")) < 1.8:
        tone = theme.mix(style.tone("ash"), style.tone("night"), 0.42)
    return tone


def _dashes(group: InstructionGroup, points: list[Px], tone: theme.Rgba) -> None:
    group.add(Color(*tone))
    dash, gap = style.gap * 0.55, style.gap * 0.75
    for (x0, y0), (x1, y1) in pairwise(points):
        length = max(((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5, 0.01)
        at = 0.0
        while at < length:
            a, b = at / length, min(at + dash, length) / length
            ends = [x0 + (x1 - x0) * a, y0 + (y1 - y0) * a]
            ends += [x0 + (x1 - x0) * b, y0 + (y1 - y0) * b]
            group.add(SmoothLine(points=ends, width=style.stroke))
            at += dash + gap


def _draw_site(group: InstructionGroup, plan: Plan, site: Site, taken: bool) -> None:
    x, y = plan.px(site.at)
    width, height = plan.half(site)
    box = plan.box
    printed = box.colours.get(site.colour or site.kind, box.colours.get(site.kind, ""))
    ground = style.tone("slate")
    part = style.palette.site_mix
    tint = theme.rgba(printed) if printed.startswith("#") else style.tone("stone")
    fill = theme.mix(ground, tint, part * 0.55)
    line = theme.mix(style.tone("edge"), tint, part * 1.6)
    pos, size = (x - width, y - height), (2 * width, 2 * height)
    group.add(Color(*fill))
    if site.size is None:
        group.add(SmoothEllipse(pos=pos, size=size))
        group.add(Color(*line))
        group.add(SmoothLine(circle=(x, y, width), width=style.hairline * 0.75))
    else:
        rounding = min(width, height) * 0.2
        group.add(SmoothRoundedRectangle(pos=pos, size=size, radius=[rounding] * 4))
        group.add(Color(*line))
        shape = (*pos, *size, rounding, 12)
        group.add(SmoothLine(rounded_rectangle=shape, width=style.hairline * 0.75))
    small = min(width, height)
    if site.label and not taken and small >= style.gap_l and len(site.label) <= 3:
        draw_text(group, site.label, (x, y), small * 0.58, style.tone("ash"), 0.62, "text")


def owner_of(stroke: Stroke, box: Box, holders: Mapping[str, Item]) -> Item | None:
    """The owned piece at the end of a line, if its last site is the place for one.

    That is: of another kind than the sites before it. ``holders``: an owned item per site.
    """
    # Lines of the board may lead past sites that this game does not use.
    kinds = [box.sites[name].kind if name in box.sites else "" for name in stroke.sites]
    if len(kinds) < 2 or kinds[-1] in kinds[:-1]:
        return None
    return holders.get(stroke.sites[-1])
