"""Drawing helpers: text, icons, signs and dashed rings as textures, tinted when drawn."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

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


@lru_cache(maxsize=4)
def grain_texture(surface: str) -> Any:
    """A tile of the grain of a surface, to be repeated over its colour."""
    import numpy as np

    from companion.ui.drawing.material import GRAIN, grain

    tile = grain(surface)
    pixels = np.zeros((*tile.shape, 4), dtype=np.uint8)
    pixels[..., :3] = np.where(tile > 0, 255, 0)[..., None]
    pixels[..., 3] = np.abs(tile) * GRAIN[surface][0] * 140
    texture = picture_texture(pixels)
    texture.wrap = "repeat"
    return texture


def picture_texture(pixels: Any) -> Any:
    """A texture of ``pixels``: rows from the top, RGBA."""
    rows, columns = pixels.shape[:2]
    texture = Texture.create(size=(columns, rows), colorfmt="rgba")
    texture.blit_buffer(pixels[::-1].tobytes(), colorfmt="rgba", bufferfmt="ubyte")
    return texture
