"""The board below the pieces: its lines and its sites, in colours of the theme."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import Any

from kivy.graphics import Color, InstructionGroup, Rectangle, SmoothLine

from companion.presentation.plan import Plan, Px, belongs, owner_of
from companion.presentation.scene import Scene
from companion.presentation.theme import tokens as theme
from companion.presentation.theme.board_look import (
    ground_shapes,
    held_width,
    line_tone,
    slab_tone,
    tone_of,
)
from companion.presentation.theme.piece_colours import fill_of
from companion.ui.drawing.ink import picture_texture
from companion.ui.drawing.pieces import draw_sign, draw_text
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
        look = (plan, style.look)
        if look != self._look:
            self._look = look
            self._group.clear()
            shapes = _shapes(plan)
            self._group.add(Color())
            texture, pos, size = _laid(plan)
            self._group.add(Rectangle(texture=texture, pos=pos, size=size))
            # What changes, or is written, lies on the picture.
            self._parts = [
                (shape, self._part())
                for shape in shapes
                if shape.role in _OVER and _shown(shape, plan)
            ]
        holders = {item.site: item for item in scene.items if item.owner is not None}
        taken = {item.site for item in scene.items} | {item.site for item in scene.ghosts}
        for shape, part in self._parts:
            wrong, holder, hidden = False, None, False
            if isinstance(shape.of, Stroke) and shape.role == "line":
                wrong = bool(shape.of.sites) and shape.of.sites[-1] in scene.wrong
                holder = owner_of(shape.of, scene.box, holders)
                hidden = holder is None and not wrong
            elif isinstance(shape.of, Site):
                small = 2 * shape.reach[1] * plan.px_per_mm < _LEAST_SIGN
                hidden = shape.of.id in taken or (small and shape.role == "sign")
            if not part.is_new((wrong, hidden, "" if holder is None else holder.kind)) or hidden:
                continue
            points = [plan.px(at) for at in shape.points]
            tone = tone_of(shape, style.palette)
            if wrong:
                _dashes(part.group, points, style.tone("stop"))
            elif holder is not None and isinstance(shape.of, Stroke):
                width = held_width(shape, 1 / plan.px_per_mm) * plan.px_per_mm
                part.group.add(Color(*_line_tone(plan.box, holder)))
                for ends in _between(plan, shape.of, points):
                    part.group.add(SmoothLine(points=ends, width=width / 2))
            elif shape.role == "sign":
                side = 2 * shape.reach[1] * plan.px_per_mm
                draw_sign(part.group, shape.text, points[0], side * 0.9, tone)
            else:
                high = shape.reach[1] * plan.px_per_mm
                draw_text(part.group, shape.text, points[0], high, tone, tone[3], "text")

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


_OVER = ("line", "text", "label", "sign")
"""Roles of shapes that are drawn over the picture of the board."""
_RISE = {"outline": -0.8, "line": -1.0, "hollow": -2.4}
"""Heights of shapes over the board, px; below it with a minus."""
_LEAST_SIGN = 7.0
"""Height below which the sign of a place could not be read, px: on the small boards of lists."""
_EDGE = 4.0
"""Width of the board around what is on it, at a short side of 480, px."""
_SHADE = {"night": 0.6, "limestone": 0.35}
"""Strength of the board's shadow."""


def _shapes(plan: Plan) -> tuple[BoardShape, ...]:
    return _shapes_of(plan.box, 1 / plan.px_per_mm, style.hairline, style.gap_l)


@lru_cache(maxsize=16)
def _shapes_of(box: Box, unit: float, hairline: float, label: float) -> tuple[BoardShape, ...]:
    return tuple(ground_shapes(box, unit, hairline, label))


def _shown(shape: BoardShape, plan: Plan) -> bool:
    """False for an ornament outside of the board itself."""
    left, bottom, right, top = plan.extent
    return belongs(shape.of) or all(left < x < right and bottom < y < top for x, y in shape.points)


def _size(plan: Plan) -> tuple[int, int]:
    return (max(round(plan.width), 1), max(round(plan.height), 1))


_MOST_TIMES = 3.0
"""Largest factor by which the picture of a whole board is enlarged rather than drawn anew: a touch
that shows a part of it larger is answered at once."""


def _laid(plan: Plan) -> tuple[Any, Px, Px]:
    """The texture of a board, its lower left corner, and its size, px."""
    whole = replace(plan, part=None)
    times = plan.px_per_mm / whole.px_per_mm
    drawn = whole if times <= _MOST_TIMES else plan
    (x, y), (zero_x, zero_y) = plan.px((0.0, 0.0)), drawn.px((0.0, 0.0))
    times = plan.px_per_mm / drawn.px_per_mm
    wide, high = _size(drawn)
    corner = (x + (plan.x - zero_x) * times, y + (plan.y - zero_y) * times)
    texture = _picture(replace(drawn, x=0.0, y=0.0), style.name, style.factor)
    if times == 1:
        corner = (round(corner[0]), round(corner[1]))
    return texture, corner, (wide * times, high * times)


@lru_cache(maxsize=12)
def _picture(plan: Plan, palette: str, factor: float) -> Any:
    """The texture of a board: everything that stays the same during a match, ``factor`` times as
    large as on a screen with a short side of 480."""
    from companion.ui.drawing.material import Part, board_picture

    tones = theme.PALETTES[palette]
    size, scale = _size(plan), plan.px_per_mm
    parts = []
    for shape in _shapes(plan):
        if shape.form in ("text", "sign") or shape.role == "rim" or not _shown(shape, plan):
            continue
        points = [(x, size[1] - y) for x, y in map(plan.px, shape.outline)]
        tone, surface = tone_of(shape, tones), shape.surface
        rise = _RISE.get(surface if surface == "hollow" else shape.role, 1.2)
        if isinstance(shape.of, Site) and surface != "hollow":
            rise = -0.6
        width = max(shape.width * scale, 1.5) if shape.width else 0.0
        closed = shape.form != "line"
        parts.append(Part(points, tone, surface, rise * factor, width, closed, tone[3]))
    slab = Part((), slab_tone(plan.box, tones), plan.box.surfaces.get("board", "wood"))
    return picture_texture(board_picture(size, parts, slab, _EDGE * factor, _SHADE[palette]))


def _between(plan: Plan, stroke: Stroke, points: list[Px]) -> Iterator[list[float]]:
    """The pieces of a line between its places, below which it goes on."""
    sites = [plan.box.sites[name] for name in stroke.sites if name in plan.box.sites]
    for (x0, y0), (x1, y1) in pairwise(points):
        long = max(math.dist((x0, y0), (x1, y1)), 0.01)
        ux, uy = (x1 - x0) / long, (y1 - y0) / long
        at = 0.0
        gaps = []
        for site in sites:
            (x, y), reach = plan.px(site.at), min(plan.half(site))
            along, off = (x - x0) * ux + (y - y0) * uy, abs((x - x0) * uy - (y - y0) * ux)
            if off < reach:
                half = math.sqrt(reach**2 - off**2)
                gaps.append((along - half, along + half))
        for start, end in (*sorted(gaps), (long, long)):
            if start > at:
                yield [x0 + ux * at, y0 + uy * at, x0 + ux * start, y0 + uy * start]
            at = max(at, end)


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
