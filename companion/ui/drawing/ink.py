"""Drawing helpers for the board: text and dashed rings as textures, tinted when drawn."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

from kivy.core.text import Label as CoreLabel
from kivy.graphics.texture import Texture

from companion.ui.theme.style import BOLD, SYMBOL, TEXT


@lru_cache(maxsize=512)
def text_texture(text: str, size_px: int, font: str = "bold") -> Any:
    """White text of ``size_px`` in ``bold``, ``text`` or ``symbol``."""
    name = {"bold": BOLD, "text": TEXT, "symbol": SYMBOL}[font]
    label = CoreLabel(text=text, font_size=size_px, font_name=name, color=(1, 1, 1, 1))
    label.refresh()
    return label.texture


@lru_cache(maxsize=32)
def dashed_ring(radius_px: int, width_px: float, dashes: int = 16, part: float = 0.27) -> Any:
    """A white ring of round-ended dashes; the texture's side is ``2 * ring_reach(…)`` px. ``part``:
    half of a dash, as a share of the way from one to the next.

    Kivy draws dashes only one pixel wide and with hard edges, hence this small texture.
    """
    reach = ring_reach(radius_px, width_px)
    side = 2 * reach
    step = 2 * math.pi / dashes
    half = step * part
    pixels = bytearray(side * side * 4)
    for row in range(side):
        y = row + 0.5 - reach
        for column in range(side):
            x = column + 0.5 - reach
            away = math.hypot(x, y)
            if abs(away - radius_px) > width_px + 1:
                continue
            angle = math.atan2(y, x) % step - step / 2
            beyond = max(abs(angle) - half, 0.0) * radius_px
            inside = width_px / 2 - math.hypot(away - radius_px, beyond) + 0.5
            if inside > 0:
                at = (row * side + column) * 4
                pixels[at : at + 4] = bytes((255, 255, 255, round(255 * min(inside, 1.0))))
    texture = Texture.create(size=(side, side), colorfmt="rgba")
    texture.blit_buffer(bytes(pixels), colorfmt="rgba", bufferfmt="ubyte")
    return texture


def ring_reach(radius_px: int, width_px: float) -> int:
    """Half the side of the texture of such a ring, px."""
    return radius_px + math.ceil(width_px) + 1
