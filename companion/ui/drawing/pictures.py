"""Little pictures of simple shapes (``rules.core.pictures``) as textures."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from kivy.graphics import ClearBuffers, ClearColor, Color, Fbo, Mesh, SmoothEllipse, SmoothLine
from kivy.graphics.tesselator import Tesselator

from companion.presentation.theme import tokens as theme
from rules.core import Picture, Shape, outline

_SIDE = 100.0
"""Side of a picture, in its own units."""
_HEM = 1.1
"""Width of the soft edge around an area, px."""


@lru_cache(maxsize=256)
def picture_texture(picture: Picture, side_px: int) -> Any:
    """A picture as a square texture for a ``RoundedRectangle``, which shows what an ``Fbo`` drew
    upside down."""
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
    tesselator = Tesselator()
    tesselator.add_contour(points)
    tesselator.tesselate()
    for vertices, indices in tesselator.meshes:
        Mesh(vertices=vertices, indices=indices, mode="triangle_fan")
    SmoothLine(points=points, width=_HEM / 2, close=True)
