"""The room behind every screen, and the cloth of a desk over it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, Rectangle
from kivy.graphics.texture import Texture
from kivy.properties import ObjectProperty
from kivy.uix.widget import Widget

from companion.presentation.theme import tokens as theme
from companion.presentation.theme.board_look import cloth_tone
from companion.ui.drawing.ink import picture_texture
from companion.ui.theme.style import style
from rules.box import Box


class Ground(Widget):  # type: ignore[misc]
    """The room behind everything: a soft glow on a dark (or sandy) wall, or a cloth over it."""

    glow = ObjectProperty(None, allownone=True)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._cloth: Box | None = None
        with self.canvas.before:
            Color()
            self._shown = Rectangle()
        self._place_soon = Clock.create_trigger(self._place, -1)
        self.bind(pos=self._place_soon, size=self._place_soon)
        style.bind(name=self._paint)
        self._paint()

    def lay(self, cloth: Box | None) -> None:
        """Cover it all with the surface of this box's board; None: show the glow again."""
        if cloth is not self._cloth:
            self._cloth = cloth
            self._place_soon()

    def _paint(self, *_: Any) -> None:
        self.glow = _glow(style.name)
        self._place_soon()

    def _place(self, *_: Any) -> None:
        self._shown.pos, self._shown.size = self.pos, self.size
        wide = high = 1.0
        if self._cloth is None:
            texture = self.glow
        else:
            surface = self._cloth.surfaces.get("board", "wood")
            texture = _cloth(surface, cloth_tone(self._cloth, style.palette))
            wide, high = (side / texture.width for side in self.size)
        self._shown.texture = texture
        self._shown.tex_coords = (0, 0, wide, 0, wide, high, 0, high)


_GLOW_PX = 96
_STEPS = 128
"""Number of steps from the middle of the glow to where it ends."""
_GRAINS = 8


@lru_cache(maxsize=2)
def _glow(_theme: str) -> Any:
    """A small texture, stretched over the screen: ground at the rim, dusk in the middle."""
    pixels = _glow_pixels(style.tone("night"), style.tone("dusk"))
    texture = Texture.create(size=(_GLOW_PX, _GLOW_PX), colorfmt="rgb")
    texture.blit_buffer(pixels, colorfmt="rgb", bufferfmt="ubyte")
    texture.mag_filter = "linear"
    return texture


def _glow_pixels(rim: theme.Rgba, middle: theme.Rgba) -> bytes:
    """Red, green and blue of every px.

    The first frame waits for it: how far each px is from the middle is worked out once, and then
    all px with the same grain, every eighth one, get their colours at once.
    """
    side, times = _GLOW_PX, _GRAINS
    slope = [(1 - (step / _STEPS) ** 0.5) ** 2 for step in range(_STEPS + 1)]
    slope = [near * (3 - 2 * near**0.5) for near in slope]
    # The square of the distance to the middle, in steps up to the end of the glow.
    scale = _STEPS / 0.72**2
    across = [((n + 0.5) / side - 0.42) ** 2 * scale + 0.5 for n in range(side)]
    down = [((n + 0.5) / side - 0.5) ** 2 * scale for n in range(side)]
    above = [bytes([min(int(x + y), _STEPS) for x in across]) for y in down[: side // 2]]
    lines = [*above, *reversed(above)]
    # A grain of ordered noise: eight bits would show bands on so soft a slope.
    grains = [grain / times - 0.5 for grain in range(times)]
    levels = [
        [(r + (m - r) * part) * 255 + 0.5 for part in slope]
        for r, m in zip(rim[:3], middle[:3], strict=True)
    ]
    tables = [[_table(level, grain) for grain in grains] for level in levels]
    rows = [b""] * side
    for first in range(times):
        steps = b"".join(lines[first::times])
        block = bytearray(3 * len(steps))
        for column in range(times):
            grain = (first * 7 + column * 13) % times
            for channel, table in enumerate(tables):
                tones = steps[column::times].translate(table[grain])
                block[3 * column + channel :: 3 * times] = tones
        parts = range(0, len(block), 3 * side)
        rows[first::times] = [bytes(block[at : at + 3 * side]) for at in parts]
    return b"".join(rows)


def _table(level: list[float], grain: float) -> bytes:
    """For every step from the middle of the glow its value, 0 to 255."""
    return bytes([max(0, min(255, int(one + grain))) for one in level]).ljust(256, b"\0")


@lru_cache(maxsize=4)
def _cloth(surface: str, tone: Sequence[float]) -> Any:
    """A tile of a surface of this colour, to be repeated."""
    import numpy as np

    from companion.ui.drawing.material import GRAIN, grain

    tile = grain(surface)
    part = np.abs(tile)[..., None] * GRAIN[surface][0] * 140 / 255
    light = np.where(tile > 0, 1.0, 0.0)[..., None]
    pixels = np.full((*tile.shape, 4), 255, dtype=np.uint8)
    pixels[..., :3] = np.round(255 * (np.array(tone[:3]) * (1 - part) + light * part))
    texture = picture_texture(pixels)
    texture.wrap = "repeat"
    return texture
