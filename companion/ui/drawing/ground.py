"""The board below the pieces: its lines and its sites, in colours of the theme."""

from __future__ import annotations

from dataclasses import replace
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
from companion.presentation.theme.board_look import (
    ground_shapes,
    held_width,
    line_tone,
    tone_of,
)
from companion.presentation.theme.piece_colours import fill_of
from companion.ui.drawing.pieces import draw_text
from companion.ui.theme.style import style
from rules.box import BoardShape, Box, Site, Stroke
from rules.core import Item


class BoardGround:
    """Draws everything below the pieces; what did not change is not drawn again."""

    def __init__(self, group: InstructionGroup) -> None:
        self._group = group
        self._look: tuple[object, ...] = ()
        self._parts: list[tuple[BoardShape, _Part]] = []

    def draw(self, plan: Plan, scene: Scene) -> None:
        """Draw the board of ``scene`` where ``plan`` says."""
        look = (plan, style.name, style.factor, style.chosen.piece_colours)
        if look != self._look:
            self._look = look
            self._group.clear()
            unit = 1 / plan.px_per_mm
            sizes = (style.hairline, style.gap_l)
            shapes = ground_shapes(scene.box, unit, *sizes)
            self._parts = [(shape, self._part()) for shape in shapes]
        holders = {item.site: item for item in scene.items if item.owner is not None}
        taken = {item.site for item in scene.items} | {item.site for item in scene.ghosts}
        for shape, part in self._parts:
            wrong, holder = False, None
            if shape.role == "line" and isinstance(shape.of, Stroke):
                wrong = bool(shape.of.sites) and shape.of.sites[-1] in scene.wrong
                holder = owner_of(shape.of, scene.box, holders)
            hidden = shape.role == "label" and isinstance(shape.of, Site) and shape.of.id in taken
            if not part.is_new((wrong, hidden, "" if holder is None else holder.kind)) or hidden:
                continue
            if wrong:
                _dashes(part.group, [plan.px(at) for at in shape.points], style.tone("stop"))
            elif holder is not None:
                held = replace(shape, width=held_width(shape, 1 / plan.px_per_mm))
                _paint(part.group, plan, held, _line_tone(plan.box, holder), crisp=False)
            else:
                _paint(part.group, plan, shape, tone_of(shape, style.palette))

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
        """True if it must be redrawn; it is then bare."""
        if drawn == self._drawn:
            return False
        self._drawn = drawn
        self.group.clear()
        return True


def _paint(
    group: InstructionGroup, plan: Plan, shape: BoardShape, tone: theme.Rgba, *, crisp: bool = True
) -> None:
    points = [plan.px(point) for point in shape.points]
    (x, y), (wide, high) = points[0], (reach * plan.px_per_mm for reach in shape.reach)
    if shape.form == "text":
        draw_text(group, shape.text, points[0], high, tone, tone[3], "text")
        return
    group.add(Color(*tone))
    # Kivy counts from the middle of a line.
    half = shape.width * plan.px_per_mm / 2
    pos, size, bend = (x - wide, y - high), (2 * wide, 2 * high), shape.bend * plan.px_per_mm
    match shape.form, half > 0:
        case "circle", True:
            group.add(SmoothLine(circle=(x, y, wide), width=half))
        case "circle", False:
            group.add(SmoothEllipse(pos=pos, size=size))
        case "box", True:
            group.add(SmoothLine(rounded_rectangle=(*pos, *size, bend, 12), width=half))
        case "box", False:
            group.add(SmoothRoundedRectangle(pos=pos, size=size, radius=[bend] * 4))
        case "polygon", False:
            _polygon(group, points)
        case form, _:
            at = _crisp(points, 2 * half) if crisp and form == "line" else points
            flat = [c for point in at for c in point]
            group.add(SmoothLine(points=flat, close=form == "polygon", width=half))


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
"""Lean below which a line is straight, px."""
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
    fill = fill_of(kind, style.chosen.piece_colours) if kind else style.tone("ash")
    return line_tone(fill, style.palette)


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
