"""A game's little pictures of cards, as textures: drawn once for every size."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from kivy.graphics import ClearBuffers, ClearColor, Color, Fbo, Mesh, SmoothEllipse, SmoothLine
from kivy.graphics.tesselator import Tesselator

from companion.presentation.theme import tokens as theme
from rules.core import Picture, Shape
from rules.games import find_game

__all__ = ["emblem"]

_SIDE = 100.0
"""Of a picture, in its own units."""
_HEM = 1.1
"""Width of the soft edge around an area, px."""


@lru_cache(maxsize=160)
def emblem(game: str, kind: str, side_px: int) -> Any:
    """The picture of a card as a square texture for a ``RoundedRectangle``, which shows what an
    ``Fbo`` drew upside down; None if the game has none of it."""
    picture = _pictures(game).get(kind)
    if picture is None or side_px < 1:
        return None
    ground = theme.rgba(picture[0].colour)
    fbo = Fbo(size=(side_px, side_px))
    with fbo:
        # Opaque: soft edges would be blended twice on a transparent ground.
        ClearColor(*ground)
        ClearBuffers()
        for shape in picture[1:]:
            _draw(shape, side_px / _SIDE)
    fbo.draw()
    return fbo.texture


def _pictures(game: str) -> Mapping[str, Picture]:
    return find_game(game).touch.pictures()


def _draw(shape: Shape, scale: float) -> None:
    """Into the canvas that is open."""
    Color(*theme.rgba(shape.colour))
    if shape.form == "oval":
        (x, y), (wide, high) = shape.points
        pos = ((x - wide) * scale, (y - high) * scale)
        SmoothEllipse(pos=pos, size=(2 * wide * scale, 2 * high * scale))
        return
    points = [part * scale for x, y in shape.points for part in (x, y)]
    if shape.form == "line":
        SmoothLine(points=points, width=shape.width * scale / 2, cap="round", joint="round")
        return
    tesselator = Tesselator()
    tesselator.add_contour(points)
    tesselator.tesselate()
    for vertices, indices in tesselator.meshes:
        Mesh(vertices=vertices, indices=indices, mode="triangle_fan")
    SmoothLine(points=points, width=_HEM / 2, close=True)
