"""Drawing helpers for the board: text, signs and dashed rings as textures, tinted when drawn."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from kivy.core.text import Label as CoreLabel
from kivy.graphics.texture import Texture

from companion.ui.theme.style import BOLD, SYMBOL, TEXT
from rules.box import sign_of


@lru_cache(maxsize=512)
def text_texture(text: str, size_px: int, font: str = "bold") -> Any:
    """White text of ``size_px`` in ``bold``, ``text`` or ``symbol``."""
    name = {"bold": BOLD, "text": TEXT, "symbol": SYMBOL}[font]
    label = CoreLabel(text=text, font_size=size_px, font_name=name, color=(1, 1, 1, 1))
    label.refresh()
    return label.texture


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
    for outline in outlines:
        for (x0, y0), (x1, y1) in zip(outline, (*outline[1:], outline[0]), strict=True):
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
