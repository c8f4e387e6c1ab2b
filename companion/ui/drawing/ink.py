"""Drawing helpers: text, icons, signs and round shapes as textures, tinted when drawn."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise, product
from typing import Any

from kivy.clock import Clock
from kivy.core.window import Window
from kivy.graphics import (
    Color,
    Fbo,
    InstructionGroup,
    Mesh,
    Rectangle,
    StencilPop,
    StencilPush,
    StencilUnUse,
    StencilUse,
)
from kivy.graphics.texture import Texture

from companion.presentation.theme.icons import ICONS
from companion.ui.theme.lettering import Setting
from companion.ui.theme.style import BOLD, TEXT
from rules.box import Point, sign_of
from rules.core import outline


def text_texture(text: str, size_px: int, font: str = "bold") -> Any:
    """White text of ``size_px`` in ``bold`` or ``text``; ``symbol``: the icon of a sign."""
    if font == "symbol":
        return icon_texture(text, size_px)
    return Setting(text, size_px, {"bold": BOLD, "text": TEXT}[font]).texture


@lru_cache(maxsize=256)
def icon_texture(sign: str, side_px: int) -> Any:
    """The white icon of a sign in a square of ``side_px``.

    Worked out here, since Kivy gives lines neither round ends nor soft edges at once; without
    numpy, for which the first screen would wait.
    """
    cover, scale = [0.0] * side_px**2, side_px / 100
    for shape in ICONS[sign]:
        reach = shape.points[1][0] if shape.form == "oval" else shape.width / 2
        points = [(x * scale, (100 - y) * scale) for x, y in outline(shape)]
        if shape.form == "oval":
            _stroke(cover, side_px, points[0], points[0], reach * scale)
        elif shape.width:
            for start, end in pairwise(points):
                _stroke(cover, side_px, start, end, reach * scale)
        else:
            _fill(cover, side_px, points)
    pixels = b"".join(bytes((255, 255, 255, round(255 * min(part, 1.0)))) for part in cover)
    texture = Texture.create(size=(side_px, side_px), colorfmt="rgba")
    texture.blit_buffer(pixels, colorfmt="rgba", bufferfmt="ubyte")
    return texture


def _stroke(cover: list[float], side: int, start: Point, end: Point, reach: float) -> None:
    """Covers what is within ``reach`` px of a line."""
    (x0, y0), (dx, dy) = start, (end[0] - start[0], end[1] - start[1])
    long = dx * dx + dy * dy or 1.0
    beyond = reach + 0.5
    for row in range(*_rows(side, y0, end[1], beyond)):
        y = row + 0.5 - y0
        for column in range(*_rows(side, x0, end[0], beyond)):
            x = column + 0.5 - x0
            along = min(max((x * dx + y * dy) / long, 0.0), 1.0)
            inside = beyond - math.hypot(x - along * dx, y - along * dy)
            at = row * side + column
            if inside > cover[at]:
                cover[at] = min(inside, 1.0)


def _rows(side: int, one: float, other: float, beyond: float) -> tuple[int, int]:
    low, high = min(one, other) - beyond, max(one, other) + beyond
    return max(math.floor(low), 0), min(math.ceil(high) + 1, side)


def _fill(cover: list[float], side: int, points: Sequence[Point]) -> None:
    """Covers an area."""
    for row in range(side):
        parts = [0.0] * side
        for step in range(_FINE):
            y = row + (step + 0.5) / _FINE
            ends = zip(points, (*points[1:], points[0]), strict=True)
            across = sorted(
                x0 + (y - y0) * (x1 - x0) / (y1 - y0)
                for (x0, y0), (x1, y1) in ends if (y0 > y) != (y1 > y)
            )  # fmt: skip
            for left, right in zip(across[::2], across[1::2], strict=True):
                for column in range(max(int(left), 0), min(math.ceil(right), side)):
                    width = min(right, column + 1) - max(left, column)
                    parts[column] += max(width, 0.0) / _FINE
        for column, part in enumerate(parts):
            at = row * side + column
            cover[at] = max(cover[at], part)


_FINE = 4
"""Samples of a sign per pixel, across and up."""
_LEAST_SIGN = 6
"""Side of the smallest sign, px."""


@lru_cache(maxsize=256)
def sign_texture(colour: str, side_px: int) -> Any:
    """The white sign of a colour in a square of ``side_px``; None for a colour without one."""
    side_px = max(side_px, _LEAST_SIGN)
    outlines = sign_of(colour)
    if not outlines:
        return None
    import numpy as np

    fine = side_px * _FINE
    steps = (np.arange(fine) + 0.5) * 2 / fine - 1
    inside = np.zeros((fine, fine), dtype=bool)
    for line in outlines:
        for (x0, y0), (x1, y1) in zip(line, (*line[1:], line[0]), strict=True):
            rows = np.flatnonzero((steps < y0) != (steps < y1))
            across = x0 + (steps[rows] - y0) * (x1 - x0) / (y1 - y0 or 1.0)
            inside[rows] ^= steps < across[:, None]
    cover = inside.reshape(side_px, _FINE, side_px, _FINE).mean(axis=(1, 3))
    pixels = np.full((side_px, side_px, 4), 255, dtype=np.uint8)
    pixels[..., 3] = np.round(cover * 255)
    return picture_texture(pixels[::-1])


def picture_texture(pixels: Any) -> Any:
    """A texture of ``pixels``: rows from the top, RGBA."""
    rows, columns = pixels.shape[:2]
    texture = Texture.create(size=(columns, rows), colorfmt="rgba")
    texture.blit_buffer(pixels[::-1].tobytes(), colorfmt="rgba", bufferfmt="ubyte")
    return texture


def meet(sort: tuple[int, int, str]) -> None:
    """Draws a texture of this size, px, and format unseen: in a picture, in the next frame, and as
    in a list that scrolls there.

    A driver makes a program when it first meets a texture of a sort, and a touch would wait for
    that; sides that are powers of two are of a sort of their own.
    """
    wide, high, form = sort
    texture = Texture.create(size=(wide, high), colorfmt=form)
    texture.blit_buffer(bytes(len(form) * wide * high), colorfmt=form, bufferfmt="ubyte")
    picture, unseen = Fbo(size=(1, 1)), InstructionGroup()
    picture.add(Rectangle(texture=texture, size=(1, 1)))
    picture.draw()
    unseen.add(Color(1, 1, 1, 0))
    for begin in (None, StencilPush, StencilUse, StencilUnUse):
        if begin is not None:
            unseen.add(begin())
        unseen.add(Rectangle(texture=texture, size=(1, 1)))
    unseen.add(StencilPop())
    Window.canvas.add(unseen)
    Clock.schedule_once(lambda _passed: Window.canvas.remove(unseen), 0)


SORTS = tuple(product((2, 3), (2, 3), ("rgba", "rgb")))
"""One of each sort of texture."""


# -- round shapes -----------------------------------------------------------------------------

_SOFT = (0.4, 0.6)
"""Strength of a surface on its outline, and its growth per px inwards."""
_STEEP, _OFF = 1.66, 0.1
"""Strength that a line loses per px at its edge, and the px within half its width at which that
edge ends."""
_MASKS = ((16.0, 4, 0.5), (32.0, 4, 1.0), (64.0, 2, 2.0), (math.inf, 1, 4.0))
"""Up to a radius: texels of a mask for each px, and steps of its radius, px."""
_WHITE = [bytes((255, 255, 255, part)) for part in range(256)]


class Round(Mesh):  # type: ignore[misc]
    """A rectangle with round corners and soft edges, or a line along its outline.

    All its corners show one mask, which is made once. Kivy's own round shapes are fans of up to a
    thousand narrow triangles; drawn by software they take up to ten times as long.
    """

    def __init__(
        self, pos: Sequence[float] = (0.0, 0.0), size: Sequence[float] = (0.0, 0.0),
        radius: float = math.inf, line: float = 0.0,
    ) -> None:  # fmt: skip
        """``radius``: of the corners, px, at most half the shorter side; ``line``: half the width
        of the line, px; 0: the whole surface."""
        super().__init__(mode="triangles")
        self.place(pos, size, radius, line)

    def place(
        self, pos: Sequence[float], size: Sequence[float], radius: float, line: float = 0.0
    ) -> None:
        """Show it there, and like this."""
        half = min(size) / 2
        if half <= 0:
            self.indices = []
            return
        radius = max(min(radius, half), 0.5)
        step = next(step for most, _texels, step in _MASKS if radius <= most)
        alike = max(round(radius / step) * step, 0.5)
        self.texture, out, deep = _mask(alike, line)
        out, deep = out * radius / alike, min(deep * radius / alike, half)
        across, upward = (
            _stops(start, start + long, out, deep, min(line + 1.0, deep) if line else 0.0)
            for start, long in zip(pos, size, strict=True)
        )
        self.vertices = [c for y, v in upward for x, u in across for c in (x, y, u, v)]
        self.indices = _LINE if line else _SURFACE


def _stops(
    start: float, end: float, out: float, deep: float, side: float
) -> list[tuple[float, float]]:
    """Places along one side of a shape where its parts meet: px, and the share of the mask. A line
    needs no more of its sides than ``side``, px."""
    stops = [(start - out, 0.0), (start + deep, 1.0), (end - deep, 1.0), (end + out, 0.0)]
    if side:
        share = (out + side) / (out + deep)
        stops += [(start + side, share), (end - side, share)]
    return stops


def _corners(columns: int, parts: Iterable[tuple[tuple[int, int], tuple[int, int]]]) -> list[int]:
    """Numbers of the corners of two triangles for each part, from stop to stop, across and
    upwards."""
    found = []
    for (left, right), (low, top) in parts:
        a, b, c, d = (y * columns + x for y in (low, top) for x in (left, right))
        found += [a, b, d, a, d, c]
    return found


_ENDS, _MIDDLE, _SIDES = ((0, 1), (2, 3)), ((1, 2),), ((0, 4), (5, 3))
_SURFACE = _corners(4, product((*_ENDS, *_MIDDLE), (*_ENDS, *_MIDDLE)))
_LINE = _corners(6, [*product(_ENDS, _ENDS), *product(_MIDDLE, _SIDES), *product(_SIDES, _MIDDLE)])


@lru_cache(maxsize=256)
def _mask(radius: float, line: float) -> tuple[Any, float, float]:
    """Mask of the lower left corner of a shape, and the px that it reaches beyond the outline and
    within."""
    out = line + 1.0
    deep = max(radius, out)
    count = math.ceil((out + deep) * next(n for most, n, _step in _MASKS if radius <= most))
    wide = (out + deep) / count
    steps = [(number + 0.5) * wide - out for number in range(count)]
    # Between two bends the edge fades, and before and after them nothing changes.
    reach = max(line, 1.0) - _OFF
    bends: tuple[float, ...] = (-_SOFT[0] / _SOFT[1], (1 - _SOFT[0]) / _SOFT[1])
    if line:
        bends = (-reach, 1 / _STEEP - reach, reach - 1 / _STEEP, reach)
    pixels = bytearray()
    for y in steps:
        ends = [(_across(bend, y, radius) + out) / wide - 0.5 for bend in bends]
        whole = [math.ceil(min(max(end, 0.0), count)) for end in ends]
        for part, (start, end) in enumerate(pairwise((0, *whole, count))):
            if part % 2 == 0:
                pixels += _WHITE[255 if part == 2 else 0] * (end - start)
                continue
            for x in steps[start:end]:
                within = min(x, y)
                if max(x, y) < radius:
                    within = radius - math.hypot(radius - x, radius - y)
                faded = (reach - abs(within)) * _STEEP if line else _SOFT[0] + _SOFT[1] * within
                pixels += _WHITE[round(255 * min(max(faded, 0.0), 1.0))]
    texture = Texture.create(size=(count, count), colorfmt="rgba")
    texture.blit_buffer(bytes(pixels), colorfmt="rgba", bufferfmt="ubyte")
    return texture, out, deep


def _across(within: float, y: float, radius: float) -> float:
    """Distance along the line at ``y`` to the point ``within`` px inside the outline, px."""
    if within >= y:
        return math.inf
    if max(within, y) >= radius:
        return within
    return radius - math.sqrt((radius - within) ** 2 - (radius - y) ** 2)


def disc(at: Sequence[float], radius: float, line: float = 0.0) -> Round:
    """A disc, or a circle with a line of half this width; px."""
    corner = (at[0] - radius, at[1] - radius)
    return Round(corner, (2 * radius, 2 * radius), line=line)


class RoundPicture(Mesh):  # type: ignore[misc]
    """A picture drawn by an ``Fbo``, with round corners."""

    def __init__(
        self, texture: Any, pos: Sequence[float], size: Sequence[float], radius: float
    ) -> None:
        super().__init__(mode="triangle_strip", texture=texture)
        (x, y), (wide, high) = pos, size
        radius = min(radius, wide / 2, high / 2)
        steps = max(round(radius), _LEAST_STEPS)
        turns = [math.pi / 2 * step / steps for step in range(steps + 1)]
        inward = [(radius * (1 - math.sin(a)), radius * (1 - math.cos(a))) for a in turns]
        rows = inward + [(side, high - up) for side, up in reversed(inward)]
        self.vertices = [
            part
            for side, up in rows
            for across in (side, wide - side)
            for part in (x + across, y + up, across / wide, 1 - up / high)
        ]
        self.indices = list(range(2 * len(rows)))


_LEAST_STEPS = 10
"""Least number of corners in place of a round one."""
