"""Players' faces: round, in a rim of the seat's colour, glowing for whoever is to move."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, InstructionGroup, Rectangle
from kivy.graphics.texture import Texture
from kivy.uix.widget import Widget

from companion.presentation.faces import PICTURES
from companion.presentation.players import Player
from companion.presentation.theme.board_look import rim_tone
from companion.presentation.theme.tokens import Rgba, contrast, mix
from companion.ui.drawing.ink import RoundPicture, disc
from companion.ui.drawing.pictures import picture_texture
from companion.ui.drawing.pieces import draw_badge
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
    seat: tuple[str, Rgba] | None = None,
    *,
    glow: bool = False,
) -> None:
    """Add a face to ``group``, centred at ``at`` (px); ``seat``: the colour of its seat, by name
    and as it is shown."""
    x, y, reach = *at, side / 2
    if glow:
        group.add(Color(*style.dawn[:3], 0.85))
        far = reach * (1 + 2 * GLOW)
        group.add(Rectangle(texture=_glow(), pos=(x - far, y - far), size=(2 * far, 2 * far)))
    texture = picture_texture(PICTURES[face], max(round(side * _FINE), 1))
    group.add(Color(1, 1, 1, 1))
    inner = reach - 0.7
    group.add(RoundPicture(texture, (x - inner, y - inner), (2 * inner, 2 * inner), inner))
    line = max(side * _RIM, 1.4)
    rim = style.edge if seat is None else _seen(seat[1])
    group.add(Color(*(style.dawn if glow else rim)))
    group.add(disc(at, reach - line / 2, line / 2))
    if seat is None:
        return
    radius = max(side * _BADGE, _BADGE_LEAST * style.factor)
    away = (reach - radius * 0.75) * 0.9
    middle = (x + away, y - away)
    group.add(Color(*(style.night if rim == seat[1] else rim)))
    group.add(disc(middle, radius))
    draw_badge(group, *seat, middle, 2 * radius * 0.86)


_LEAST_CONTRAST = 1.5


def _seen(tone: Rgba) -> Rgba:
    """A colour as a rim that is seen on the ground."""
    if contrast(tone, style.tone("night")) >= _LEAST_CONTRAST:
        return tone
    return mix(tone, rim_tone(tone, style.palette), 0.4)


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
    """A face as a widget."""

    def __init__(
        self, face: str, side: float, seat: tuple[str, Rgba] | None = None, *, glow: bool = False
    ) -> None:
        super().__init__(size_hint=(None, None), size=(side, side))
        self.face, self.seat, self.glow = face, seat, glow
        self._drawing = InstructionGroup()
        self.canvas.add(self._drawing)
        # Place and size come one after the other.
        self._later = Clock.create_trigger(self._draw, -1)
        self.bind(pos=self._later, size=self._later)
        self._later()

    def _draw(self, *_: Any) -> None:
        self._drawing.clear()
        at = (self.x + self.width / 2, self.y + self.height / 2)
        draw_face(self._drawing, self.face, at, min(self.size), self.seat, glow=self.glow)


def face_of(player: Player, side: float, *, glow: bool = False) -> Face:
    """The face of a player of a match."""
    return Face(player.face, side, seat_of(player), glow=glow)


def seat_of(player: Player) -> tuple[str, Rgba]:
    """A player's colour, by name and as it is shown."""
    return player.colour, player.tone(style.chosen.piece_colours)
