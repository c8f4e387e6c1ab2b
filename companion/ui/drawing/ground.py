"""The board below the pieces: its lines and its sites, in colours of the theme."""

from __future__ import annotations

from itertools import pairwise

from kivy.graphics import (
    Color,
    InstructionGroup,
    Mesh,
    SmoothEllipse,
    SmoothLine,
    SmoothRoundedRectangle,
)

from companion.presentation.plan import Plan, Px, owner_of
from companion.presentation.scene import Scene
from companion.presentation.theme import tokens as theme
from companion.presentation.theme.piece_colours import fill_of
from companion.presentation.theme.stroke_looks import TEXT_ALPHA, is_outline, stroke_tone, thickness
from companion.ui.drawing.pieces import draw_text
from companion.ui.theme.style import style
from rules.box import Box, Site, Stroke
from rules.core import Item

__all__ = ["BoardGround"]


class BoardGround:
    """Everything below the pieces; what did not change is not drawn again."""

    def __init__(self, group: InstructionGroup) -> None:
        self._group = group
        self._look: tuple[object, ...] = ()
        self._strokes: list[_Part] = []
        self._sites: dict[str, _Part] = {}

    def draw(self, plan: Plan, scene: Scene) -> None:
        """Draw the board of ``scene`` where ``plan`` says."""
        box = scene.box
        look = (plan, style.name, style.factor, style.piece_colours)
        if look != self._look:
            self._look = look
            self._group.clear()
            self._strokes = [self._part() for _ in box.strokes]
            self._sites = {site.id: self._part() for site in box.sites.values() if site.printed}
        holders = {item.site: item for item in scene.items if item.owner is not None}
        for stroke, part in zip(box.strokes, self._strokes, strict=True):
            wrong = bool(stroke.sites) and stroke.sites[-1] in scene.wrong
            holder = owner_of(stroke, box, holders) if stroke.kind == "line" else None
            if part.is_new((wrong, "" if holder is None else holder.kind)):
                _draw_stroke(part.group, plan, box, stroke, holder, wrong=wrong)
        taken = {item.site for item in scene.items} | {item.site for item in scene.ghosts}
        for name, part in self._sites.items():
            if part.is_new((name in taken,)):
                _draw_site(part.group, plan, box.sites[name], name in taken)

    def _part(self) -> _Part:
        part = _Part()
        self._group.add(part.group)
        return part


class _Part:
    """A stroke or a site, and how it was drawn."""

    def __init__(self) -> None:
        self.group = InstructionGroup()
        self._drawn: tuple[object, ...] | None = None

    def is_new(self, drawn: tuple[object, ...]) -> bool:
        """Whether it must be redrawn; it is then bare."""
        if drawn == self._drawn:
            return False
        self._drawn = drawn
        self.group.clear()
        return True


def _draw_stroke(
    group: InstructionGroup,
    plan: Plan,
    box: Box,
    stroke: Stroke,
    holder: Item | None,
    *,
    wrong: bool,
) -> None:
    points = [plan.px(point) for point in stroke.points]
    flat = [c for point in points for c in point]
    width = stroke.width * plan.px_per_mm
    if stroke.kind == "line" and wrong:
        _dashes(group, points, style.tone("stop"))
        return
    if stroke.kind == "line" and holder is not None:
        group.add(Color(*_line_tone(box, holder)))
        group.add(SmoothLine(points=flat, width=max(width * 0.55, 1.5)))
        return
    tone, thick = stroke_tone(stroke, style.palette), thickness(stroke, plan.px_per_mm)
    if stroke.kind == "text":
        alpha = TEXT_ALPHA[stroke.weight]
        draw_text(group, stroke.text, points[0], max(width, 6), tone, alpha, "text")
        return
    group.add(Color(*tone))
    if stroke.kind == "line":
        flat = [c for point in _crisp(points, thick) for c in point]
        group.add(SmoothLine(points=flat, width=thick / 2))
    elif stroke.kind == "circle" and is_outline(stroke):
        group.add(SmoothLine(circle=(*points[0], width), width=style.hairline))
    elif stroke.kind == "circle":
        (x, y), wide = points[0], max(width, thick / 2)
        group.add(SmoothEllipse(pos=(x - wide, y - wide), size=(2 * wide, 2 * wide)))
    elif is_outline(stroke):
        group.add(SmoothLine(points=flat, close=True, width=max(width / 2, style.hairline)))
    elif len(points) >= 3:
        _polygon(group, points)


def _crisp(points: list[Px], thick: float) -> list[Px]:
    """A line straight across or up the board, moved by half a pixel at most: else some lines of one
    thickness would be sharp, and others soft and wide."""
    middle = 0.5 if round(thick) % 2 else 0.0
    columns, rows = ([point[axis] for point in points] for axis in (0, 1))
    if max(columns) - min(columns) < _STRAIGHT:
        return [(round(columns[0] - middle) + middle, y) for y in rows]
    if max(rows) - min(rows) < _STRAIGHT:
        return [(x, round(rows[0] - middle) + middle) for x in columns]
    return points


_STRAIGHT = 0.01
"""A line that leans by less is straight, px."""
_HAIR = 0.6
"""Half the width of the soft edge of a polygon, px."""


def _polygon(group: InstructionGroup, points: list[Px]) -> None:
    """A filled shape; the colour is set before. Triangles have hard edges, so a hair of the same
    colour goes around them, within the shape: gaps to the neighbours stay open."""
    inner = _inset(points, 1.5 * _HAIR)
    if inner is not None:
        line = [c for point in inner for c in point]
        group.add(SmoothLine(points=line, close=True, width=_HAIR))
    points = inner or points
    vertices = [v for x, y in points for v in (x, y, 0, 0)]
    group.add(Mesh(vertices=vertices, indices=range(len(points)), mode="triangle_fan"))


def _inset(points: list[Px], by: float) -> list[Px] | None:
    """The corners of a polygon moved inwards by ``by`` px; None if there is no room for it."""
    wide, high = (max(c) - min(c) for c in zip(*points, strict=True))
    if min(wide, high) < 6 * by:
        return None
    ends = list(zip(points, [*points[1:], points[0]], strict=True))
    area = sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in ends)
    sign = by if area > 0 else -by
    normals = []
    for (x0, y0), (x1, y1) in ends:
        length = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5
        if length < 0.01:
            return None
        normals.append(((y0 - y1) / length, (x1 - x0) / length))
    moved = []
    for number, (x, y) in enumerate(points):
        (ax, ay), (bx, by_) = normals[number - 1], normals[number]
        # At a pointed corner the two edges would meet far inside.
        part = sign / max(1 + ax * bx + ay * by_, 0.4)
        moved.append((x + (ax + bx) * part, y + (ay + by_) * part))
    return moved


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
    width, height = plan.drawn_half(site)
    if width <= 0:
        return
    printed = plan.box.colour_of(site)
    ground = style.tone("slate")
    part = style.palette.site_mix
    tint = theme.rgba(printed) if printed else style.tone("stone")
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
