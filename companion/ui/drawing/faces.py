"""Players' faces: round, in a rim of the seat's colour, glowing for whoever is to move."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

from kivy.graphics import (
    Color,
    InstructionGroup,
    Rectangle,
    RoundedRectangle,
    SmoothEllipse,
    SmoothLine,
)
from kivy.graphics.texture import Texture
from kivy.uix.widget import Widget

from companion.presentation.faces import PICTURES
from companion.presentation.players import Player
from companion.presentation.theme.tokens import Rgba
from companion.ui.drawing.pictures import picture_texture
from companion.ui.theme.style import style

GLOW = 0.16
"""Reach of the glow beyond a face, as a share of its side."""
_FINE = 2
"""Pixels of a face's picture for each of the screen."""
_RIM, _BADGE = 0.055, 0.19
"""Width of the rim and radius of the badge, as shares of the side."""
_BADGE_LEAST = 6.0
"""Minimum radius of a badge, at a short side of 480, px."""


def draw_face(
    group: InstructionGroup,
    face: str,
    at: tuple[float, float],
    side: float,
    rim: Rgba | None = None,
    *,
    glow: bool = False,
) -> None:
    """Add a face to ``group``, centred at ``at`` (px); ``rim``: the colour of its seat."""
    x, y, reach = *at, side / 2
    if glow:
        group.add(Color(*style.dawn[:3], 0.85))
        far = reach * (1 + 2 * GLOW)
        group.add(Rectangle(texture=_glow(), pos=(x - far, y - far), size=(2 * far, 2 * far)))
    texture = picture_texture(PICTURES[face], max(round(side * _FINE), 1))
    group.add(Color(1, 1, 1, 1))
    inner = reach - 0.7
    round_part = {"size": (2 * inner, 2 * inner), "radius": [inner] * 4, "segments": 16}
    group.add(RoundedRectangle(texture=texture, pos=(x - inner, y - inner), **round_part))
    line = max(side * _RIM, 1.4)
    group.add(Color(*(style.edge if rim is None else style.dawn if glow else rim)))
    group.add(SmoothLine(circle=(x, y, reach - line / 2), width=line / 2))
    if rim is not None:
        radius = max(side * _BADGE, _BADGE_LEAST * style.factor)
        away = reach - radius * 0.75
        _draw_badge(group, (x + away * 0.9, y - away * 0.9), radius, rim)


def _draw_badge(
    group: InstructionGroup, at: tuple[float, float], radius: float, tone: Rgba
) -> None:
    """The colour of a seat, on a disc."""
    for colour, reach in ((style.tone("night"), radius), (tone, radius * 0.84)):
        group.add(Color(*colour))
        pos = (at[0] - reach, at[1] - reach)
        group.add(SmoothEllipse(pos=pos, size=(2 * reach, 2 * reach)))


_GLOW_PX = 64


@lru_cache(maxsize=1)
def _glow() -> Any:
    """White light around a circle, fading outwards."""
    pixels, middle = bytearray(), (_GLOW_PX - 1) / 2
    edge = 1 / (1 + 2 * GLOW)
    for row in range(_GLOW_PX):
        for column in range(_GLOW_PX):
            away = math.hypot(row - middle, column - middle) / middle
            left = max(1 - max(away - edge * 0.94, 0) / (1 - edge * 0.94), 0)
            pixels += bytes((255, 255, 255, round(255 * left * left)))
    texture = Texture.create(size=(_GLOW_PX, _GLOW_PX), colorfmt="rgba")
    texture.blit_buffer(bytes(pixels), colorfmt="rgba", bufferfmt="ubyte")
    return texture


class Face(Widget):  # type: ignore[misc]
    """A face as a widget; ``player`` has its seat's colour."""

    def __init__(
        self, face: str, side: float, rim: Rgba | None = None, *, glow: bool = False, **kwargs: Any
    ) -> None:
        super().__init__(size_hint=(None, None), size=(side, side), **kwargs)
        self.face, self.rim, self.glow = face, rim, glow
        self._drawing = InstructionGroup()
        self.canvas.add(self._drawing)
        self.bind(pos=self._draw, size=self._draw)
        self._draw()

    def _draw(self, *_: Any) -> None:
        self._drawing.clear()
        at = (self.x + self.width / 2, self.y + self.height / 2)
        draw_face(self._drawing, self.face, at, min(self.size), self.rim, glow=self.glow)


def face_of(player: Player, side: float, *, glow: bool = False) -> Face:
    """The face of a player of a match."""
    return Face(player.face, side, player.tone(style.chosen.piece_colours), glow=glow)
