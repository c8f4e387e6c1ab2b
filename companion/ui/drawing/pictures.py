"""Pictures of simple shapes as textures: little ones (``rules.core.pictures``), and the fronts of
boxes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from kivy.graphics import (
    ClearBuffers,
    ClearColor,
    Color,
    Ellipse,
    Fbo,
    Line,
    Mesh,
    PopMatrix,
    PushMatrix,
    Rectangle,
    RoundedRectangle,
    Scale,
    SmoothEllipse,
    SmoothLine,
    Translate,
)
from kivy.graphics.tesselator import Tesselator
from kivy.graphics.texture import Texture

from companion.presentation.theme import tokens as theme
from companion.setup.covers import HEIGHT, WIDTH, Cover
from companion.setup.covers import Shape as CoverShape
from companion.setup.shelf import Fronts
from companion.ui.drawing.ink import text_texture
from rules.core import Picture, Shape, outline

_SIDE = 100.0
"""Side of a picture, in its own units."""
_HEM = 1.1
"""Width of the soft edge around an area, px."""


@lru_cache(maxsize=256)
def picture_texture(picture: Picture, side_px: int) -> Any:
    """A picture as a square texture for a ``RoundPicture``; an ``Fbo`` draws it upside down."""
    fbo = Fbo(size=(side_px, side_px))
    with fbo:
        # Opaque: soft edges would be blended twice on a transparent ground.
        ClearColor(*theme.rgba(picture[0].colour))
        ClearBuffers()
        for shape in picture[1:]:
            draw_shape(shape, side_px / _SIDE)
    fbo.draw()
    return fbo.texture


def draw_shape(shape: Shape, scale: float) -> None:
    """Draws a shape into the canvas that is open."""
    Color(*theme.rgba(shape.colour))
    if shape.form == "oval":
        (x, y), (wide, high) = shape.points
        pos = ((x - wide) * scale, (y - high) * scale)
        SmoothEllipse(pos=pos, size=(2 * wide * scale, 2 * high * scale))
        return
    points = [part * scale for x, y in outline(shape) for part in (x, y)]
    if shape.width:
        SmoothLine(points=points, width=shape.width * scale / 2, cap="round", joint="round")
        return
    _polygon(points)
    SmoothLine(points=points, width=_HEM / 2, close=True)


# -- fronts of boxes ---------------------------------------------------------------------------


Size = tuple[int, int]

FINER = 2
"""Factor by which covers are drawn larger, and then made smaller: edges get soft."""
SKY_STEPS = 64


class CoverPictures:
    """Textures of the covers on ``fronts``, by game and size in px."""

    def __init__(self, fronts: Fronts) -> None:
        self.fronts = fronts
        self._textures: dict[tuple[str, str], Any] = {}
        self._canvases: dict[Size, tuple[Any, Any]] = {}

    def of(self, game: str, size: Size, radius: int, *, below: bool = True) -> Any:
        """The picture of a game; it fills the size, so its rim may be cut off. Corners are rounded
        by ``radius`` px, the lower ones only if ``below``.

        Drawn and saved if need be, which takes a hundredth of a second.
        """
        look = f"cover-{size[0]}x{size[1]}-{radius}{'all' if below else 'top'}"
        if (game, look) not in self._textures:
            pixels = self.fronts.picture(game, look, size)
            if pixels is None:
                pixels = self._drawn(self.fronts.of(game).cover, size)
                pixels = _rounded(pixels, size, radius, below=below)
                self.fronts.keep_picture(game, look, pixels)
            texture = Texture.create(size=size, colorfmt="rgba")
            texture.blit_buffer(pixels, colorfmt="rgba", bufferfmt="ubyte")
            self._textures[game, look] = texture
        return self._textures[game, look]

    def _drawn(self, cover: Cover, size: Size) -> bytes:
        large = (size[0] * FINER, size[1] * FINER)
        if size not in self._canvases:
            # A canvas of its own costs as much as a picture, so covers take turns.
            self._canvases[size] = (Fbo(size=large), Fbo(size=size))
        fine, small = self._canvases[size]
        px = max(large[0] / WIDTH, large[1] / HEIGHT)
        fine.clear()
        with fine:
            Color()
            Rectangle(texture=_sky(*cover.sky), size=large)
            PushMatrix()
            Translate((large[0] - WIDTH * px) / 2, (large[1] - HEIGHT * px) / 2, 0)
            Scale(px, px, 1)
            for shape in cover.shapes:
                _draw(shape, px)
            PopMatrix()
        fine.draw()
        small.clear()
        with small:
            Color()
            Rectangle(texture=fine.texture, size=size)
        small.draw()
        pixels: bytes = small.texture.pixels
        return pixels


def _rounded(pixels: bytes, size: Size, radius: int, *, below: bool) -> bytes:
    """The corners made transparent; rows are counted from below."""
    (width, height), soft = size, bytearray(pixels)
    for row in range(radius):
        for column in range(radius):
            away = math.hypot(radius - 0.5 - row, radius - 0.5 - column)
            seen = round(255 * min(max(radius - away + 0.5, 0.0), 1.0))
            if seen < 255:
                for y in (row, height - 1 - row) if below else (height - 1 - row,):
                    for x in (column, width - 1 - column):
                        soft[(y * width + x) * 4 + 3] = seen
    return bytes(soft)


def _sky(top: str, bottom: str) -> Any:
    high, low = theme.rgba(top), theme.rgba(bottom)
    rows = [theme.mix(low, high, step / (SKY_STEPS - 1)) for step in range(SKY_STEPS)]
    texture = Texture.create(size=(1, SKY_STEPS), colorfmt="rgb")
    pixels = bytes(round(part * 255) for row in rows for part in row[:3])
    texture.blit_buffer(pixels, colorfmt="rgb", bufferfmt="ubyte")
    return texture


def _draw(shape: CoverShape, px: float) -> None:
    """Draws a shape into the canvas that is open; ``px`` per unit, for letters."""
    Color(*theme.rgba(shape.fill))
    if shape.polygon:
        _polygon(shape.polygon)
    if shape.line:
        Line(points=shape.line, width=shape.width / 2, cap="round", joint="round")
    if shape.circle is not None:
        _disc(*shape.circle)
    if shape.rect is not None:
        x, y, width, height, radius = shape.rect
        RoundedRectangle(pos=(x, y), size=(width, height), radius=[radius] * 4)
    if shape.wheel is not None:
        _wheel(shape.wheel, shape.fills)
    if shape.discs is not None:
        _discs(shape.discs, shape.fills)
    if shape.text:
        word = text_texture(shape.text, round(shape.size * px))
        wide, high = word.width / px, word.height / px
        at = (shape.at[0] - wide / 2, shape.at[1] - high / 2)
        Rectangle(texture=word, pos=at, size=(wide, high))


def _disc(x: float, y: float, radius: float) -> None:
    Ellipse(pos=(x - radius, y - radius), size=(2 * radius, 2 * radius), segments=60)


def _polygon(corners: Sequence[float]) -> None:
    cut = Tesselator()
    cut.add_contour(list(corners))
    if cut.tesselate():
        for vertices, indices in cut.meshes:
            Mesh(vertices=vertices, indices=indices, mode="triangle_fan")


def _wheel(wheel: tuple[float, float, float, float, int], fills: tuple[str, ...]) -> None:
    x, y, outer, inner, count = wheel
    for field in range(count):
        Color(*theme.rgba(fills[field % len(fills)]))
        ends = [2 * math.pi * (field + part / 4) / count for part in range(5)]
        rim = [(x + outer * math.sin(a), y + outer * math.cos(a)) for a in ends]
        rim += [(x + inner * math.sin(a), y + inner * math.cos(a)) for a in reversed(ends)]
        _polygon(tuple(part for point in rim for part in point))


def _discs(discs: tuple[float, float, float, int, float], fills: tuple[str, ...]) -> None:
    x, y, reach, count, radius = discs
    for number in range(count):
        Color(*theme.rgba(fills[number % len(fills)]))
        angle = 2 * math.pi * number / count
        _disc(x + reach * math.sin(angle), y + reach * math.cos(angle), radius)
