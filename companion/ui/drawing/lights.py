"""Light where a finger may go, and night (or, by day, paper) over the rest of the board."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

from kivy.graphics import (
    BorderImage,
    Callback,
    ClearBuffers,
    ClearColor,
    Color,
    Fbo,
    InstructionGroup,
    Point,
    PopMatrix,
    PushMatrix,
    Rectangle,
    Scale,
    SmoothLine,
    Translate,
)
from kivy.graphics.opengl import (
    GL_ONE,
    GL_ONE_MINUS_SRC_ALPHA,
    GL_SRC_ALPHA,
    GL_ZERO,
    glBlendFuncSeparate,
)
from kivy.graphics.texture import Texture

from companion.presentation.plan import Px
from companion.presentation.theme import tokens as theme
from companion.ui.drawing.ink import Round, disc
from companion.ui.drawing.pieces import draw_text
from companion.ui.theme.style import style

_BEAD = 3.25
"""Radius of a bead at a short side of 480, px …"""
_THICK, _THIN = 1.8, 1.1
"""… and half the width of a line of light: around a card, and where lights are crowded."""
_STEP = 1.32
"""Way from one bead to the next, in their diameters."""
_RIM = 2.2
"""Width of the casing beyond the beads, px."""
_COARSE = 3
"""Px of the screen per px of the cover: all its edges are soft."""
_FADE = 14.0
"""Width of the cover's edge towards the rest of the screen, px."""
_HOLE = 2.0
"""Size of a hole in the cover, in sizes of its light."""
_WARM = 0.17
"""Strength of the warmth on what is lit; many lights share it, so that they do not glare."""
_FEW = 8

_LABEL = 0.8
"""Height of letters within a ring, in its radii."""
_SOFT = 32
"""Half the side of the texture of a soft spot, px."""


@dataclass(frozen=True, slots=True)
class Light:
    """A place for the finger."""

    at: Px
    half: Px
    """Half its width and height, px."""
    is_round: bool = True
    label: str = ""
    """Words within the ring."""
    dot: bool = False
    """True if nothing lies in its middle that must be seen."""
    tone: str = theme.LIGHT
    crowded: bool = False
    """True if a finger cannot tell it from its neighbour before it is enlarged."""

    @property
    def beaded(self) -> bool:
        """True if it is a ring of beads."""
        return self.is_round and not self.crowded

    @property
    def line(self) -> float:
        """Half the width of its line, if it has no beads, px."""
        return (_THIN if self.crowded else _THICK) * float(style.factor)

    def beads(self, radius: float) -> list[float]:
        """The middles of its beads, of this radius, as x, y, x, y …"""
        (x, y), reach = self.at, self.half[0] - radius
        count = max(round(math.pi * reach / radius / _STEP), 6)
        angles = (2 * math.pi * number / count for number in range(count))
        return [c for a in angles for c in (x + reach * math.sin(a), y + reach * math.cos(a))]


def draw_lights(group: InstructionGroup, lights: Sequence[Light]) -> list[Any]:
    """Add rings of beads to ``group``, or lines around cards and where lights are crowded. Returns
    the colours that pulse."""
    if not lights:
        return []
    group.add(Color(*theme.rgba(theme.GLOW, _WARM * min(1.0, _FEW / len(lights)))))
    for light in lights:
        group.add(_soft(light.at, light.half, _HOLE))
    bead, out = _BEAD * style.factor, _RIM * style.factor
    group.add(Color(*theme.rgba(*theme.CASING)))
    for light in lights:
        _case(group, light, bead if light.beaded else light.line, out)
    pulsing = []
    for tone in sorted({light.tone for light in lights}):
        alike = [light for light in lights if light.tone == tone]
        colour = Color(*theme.rgba(tone))
        pulsing.append(colour)
        group.add(colour)
        points = [c for light in alike if light.beaded for c in light.beads(bead)]
        group.add(Point(points=points, pointsize=bead, texture=_disc()))
        for light in alike:
            if not light.beaded:
                _line(group, light, light.line, light.line)
            elif light.label:
                draw_text(group, light.label, light.at, light.half[0] * _LABEL, theme.rgba(tone))
            elif light.dot:
                _dot(group, light, bead)
    return pulsing


def draw_way_back(group: InstructionGroup, at: Px, reach: float) -> None:
    """Add the sign for the whole board: four corners that go apart."""
    x, y = at
    group.add(Color(*theme.rgba(*theme.CASING)))
    group.add(disc(at, reach))
    group.add(Color(*theme.rgba(theme.LIGHT)))
    out, arm = reach * 0.45, reach * 0.22
    for right, up in product((-1, 1), repeat=2):
        (far, high), (near, low) = ((x + right * by, y + up * by) for by in (out, out - arm))
        group.add(SmoothLine(points=(near, high, far, high, far, low), width=style.stroke * 0.6))


def draw_slip(group: InstructionGroup, at: Px, part: float) -> None:
    """Add the mark of a touch that did nothing: a ring with a bar, which fades unless nothing
    moves."""
    (x, y), reach = at, style.target * 0.6
    fade = (1 - part) ** (1 / 3) if style.chosen.animations else 1.0
    out = reach * math.sqrt(0.5)
    for tone, width in (("night", style.stroke * 1.6), ("bone", style.stroke * 0.8)):
        group.add(Color(*style.tone(tone, 0.9 * fade)))
        group.add(disc(at, reach, width))
        group.add(SmoothLine(points=(x - out, y - out, x + out, y + out), width=width))


def _case(group: InstructionGroup, light: Light, bead: float, out: float) -> None:
    """The dark ground of a light's beads; with words or a dot in it, of the whole light."""
    if (light.label or light.dot) and light.beaded:
        group.add(disc(light.at, light.half[0] + out))
    else:
        _line(group, light, bead, bead + out)


def _line(group: InstructionGroup, light: Light, bead: float, width: float) -> None:
    """A line through the middles of beads of this radius, to both sides of it so wide."""
    (x, y), (wide, high) = light.at, (side - bead for side in light.half)
    if light.is_round:
        group.add(disc(light.at, wide, width))
    else:
        group.add(Round((x - wide, y - high), (2 * wide, 2 * high), bead, width))


def _dot(group: InstructionGroup, light: Light, bead: float) -> None:
    """The middle of an empty light: a thing may be put down here."""
    group.add(disc(light.at, max(light.half[0] * 0.3, bead)))


def _soft(at: Px, half: Px, times: float) -> Any:
    """A spot with soft edges, around what has these halves of width and height."""
    least = min(half)
    wide, high = (side + least * (times - 1) for side in half)
    edge = min(wide, high) - 0.5
    pos, size = (at[0] - wide, at[1] - high), (2 * wide, 2 * high)
    if abs(wide - high) < 1:
        return Rectangle(pos=pos, size=size, texture=_spot())
    return BorderImage(
        pos=pos, size=size, texture=_spot(), border=(_SOFT - 1,) * 4, display_border=(edge,) * 4,
        auto_scale="off",
    )  # fmt: skip


class Cover:
    """Lies over the board while something is to be touched, with holes where things are lit."""

    def __init__(self, canvas: Any, group: InstructionGroup) -> None:
        self._group, self._fbo = group, Fbo(size=(1, 1))
        canvas.add(self._fbo)
        self._drawn: tuple[object, ...] = ()

    def show(
        self, place: tuple[float, float, float, float], holes: Sequence[Light],
        edges: tuple[bool, bool, bool, bool],
    ) -> None:  # fmt: skip
        """Covers ``place`` (corner and size, px) with holes where the lights are; ``edges`` (left,
        bottom, right, top) border on other things."""
        drawn = (place, tuple(holes), edges, style.look)
        if drawn == self._drawn:
            return
        self._drawn = drawn
        self._group.clear()
        if not holes:
            return
        x, y, wide, high = place
        size = (max(math.ceil(wide / _COARSE), 1), max(math.ceil(high / _COARSE), 1))
        if tuple(self._fbo.size) != size:
            self._fbo.size = size
        self._fbo.clear()
        colour, opacity = theme.COVERS[style.name]
        with self._fbo:
            ClearColor(*theme.rgba(colour, opacity))
            ClearBuffers()
            Callback(_takes_away)
            PushMatrix()
            Scale(1 / _COARSE, 1 / _COARSE, 1)
            Translate(-x, -y, 0)
            Color()
        for hole in holes:
            self._fbo.add(_soft(hole.at, hole.half, _HOLE))
        for strip in _fading(place, edges):
            self._fbo.add(strip)
        with self._fbo:
            PopMatrix()
            Callback(_covers)
        self._group.add(Color())
        self._group.add(Rectangle(pos=(x, y), size=(wide, high), texture=self._fbo.texture))


def _takes_away(*_: Any) -> None:
    """From now on what is drawn takes away from the picture, and leaves its colour."""
    glBlendFuncSeparate(GL_ZERO, GL_ONE, GL_ZERO, GL_ONE_MINUS_SRC_ALPHA)


def _covers(*_: Any) -> None:
    """From now on what is drawn covers the picture: so Kivy draws everything."""
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE)


def _fading(
    place: tuple[float, float, float, float], edges: tuple[bool, bool, bool, bool]
) -> Iterable[Any]:
    """Strips along the edges that border on other things: there the cover fades away."""
    x, y, wide, high = place
    fade = _FADE * style.factor
    left, bottom, right, top = edges
    clear, full = (0.0, 1.0)
    for wanted, pos, size, (u0, v0, u1, v1) in (
        (left, (x, y), (fade, high), (full, 0.5, clear, 0.5)),
        (right, (x + wide - fade, y), (fade, high), (clear, 0.5, full, 0.5)),
    ):
        if wanted:
            coords = (u0, v0, u1, v1, u1, v1, u0, v0)
            yield Rectangle(pos=pos, size=size, texture=_ramp(), tex_coords=coords)
    for wanted, pos, size, low, up in (
        (bottom, (x, y), (wide, fade), full, clear),
        (top, (x, y + high - fade), (wide, fade), clear, full),
    ):
        if wanted:
            coords = (low, 0.5, low, 0.5, up, 0.5, up, 0.5)
            yield Rectangle(pos=pos, size=size, texture=_ramp(), tex_coords=coords)


@lru_cache(maxsize=1)
def _disc() -> Any:
    """A white disc with a soft rim."""
    return _round_texture(24, lambda away: min(max((0.97 - away) * 12, 0.0), 1.0))


@lru_cache(maxsize=1)
def _spot() -> Any:
    """A white spot that fades from the middle to its rim."""

    def opacity(away: float) -> float:
        out = min(max((away - 0.5) / 0.5, 0.0), 1.0)
        return 1 - out * out * (3 - 2 * out)

    return _round_texture(_SOFT, opacity)


@lru_cache(maxsize=1)
def _ramp() -> Any:
    """From nothing to white, from left to right."""
    return _texture((32, 1), bytes(c for n in range(32) for c in (255, 255, 255, n * 255 // 31)))


def _round_texture(reach: int, opacity: Any) -> Any:
    steps = [(number + 0.5 - reach) / reach for number in range(2 * reach)]
    values = (round(255 * opacity(math.hypot(x, y))) for y in steps for x in steps)
    return _texture((2 * reach, 2 * reach), bytes(c for v in values for c in (255, 255, 255, v)))


def _texture(size: tuple[int, int], pixels: bytes) -> Any:
    texture = Texture.create(size=size, colorfmt="rgba")
    texture.blit_buffer(pixels, colorfmt="rgba", bufferfmt="ubyte")
    return texture
