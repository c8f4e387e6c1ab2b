"""Drawings that stand still, drawn once: a frame then costs one rectangle, however much was
drawn."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from kivy.graphics import (
    ClearBuffers,
    ClearColor,
    Color,
    Fbo,
    InstructionGroup,
    PopMatrix,
    PushMatrix,
    Rectangle,
    Translate,
)

from companion.ui.theme.style import style


class Still:
    """Shows ``groups`` over a ground as a picture. Each is redrawn when it or one below it changes,
    and lies on a picture of those below it.

    ``ground`` is a ``companion.ui.background.Ground``. With it the picture has no transparent
    parts: soft edges are blended with what is behind them exactly as on the screen itself.
    """

    def __init__(self, canvas: Any, ground: Any, groups: Sequence[InstructionGroup]) -> None:
        self._ground = ground
        self._layers = [_Layer(canvas, group) for group in groups]
        self._shown = Rectangle()
        self._placed = (0, 0, 0, 0)
        canvas.add(Color())
        canvas.add(self._shown)
        ground.bind(pos=self._follow, size=self._follow, glow=self._follow)
        self._follow()

    def place(self, pos: tuple[float, float], size: tuple[float, float]) -> None:
        """Show what lies within these px of the window."""
        left, bottom = math.floor(pos[0]), math.floor(pos[1])
        wide = max(math.ceil(pos[0] + size[0]) - left, 1)
        high = max(math.ceil(pos[1] + size[1]) - bottom, 1)
        if (left, bottom, wide, high) == self._placed:
            return
        self._placed = (left, bottom, wide, high)
        below: Any = None
        for layer in self._layers:
            layer.place((left, bottom), (wide, high))
            if below is not None:
                layer.lie_on(below.texture, (left, bottom), (wide, high))
            below = layer
        self._shown.texture = below.texture
        self._shown.pos, self._shown.size = (left, bottom), (wide, high)

    def part(self, left: float, bottom: float, side: float) -> Any:
        """A square piece of the picture, by its corner and side in px of the window; None outside
        of it."""
        texture, (x, y, wide, high) = self._shown.texture, self._placed
        if texture is None or side >= min(wide, high):
            return None
        left = min(max(left - x, 0), wide - side)
        bottom = min(max(bottom - y, 0), high - side)
        return texture.get_region(left, bottom, side, side)

    def _follow(self, *_: Any) -> None:
        self._layers[0].lie_on(self._ground.glow, self._ground.pos, self._ground.size)
        # A texture does not show that what lies below looks different.
        for layer in self._layers:
            layer.draw_again()


class _Layer:
    """A group of drawings and the picture of it."""

    def __init__(self, canvas: Any, group: InstructionGroup) -> None:
        self._fbo = Fbo(size=(1, 1))
        with self._fbo:
            self._clear = ClearColor(*style.night[:3], 1)
            ClearBuffers()
            PushMatrix()
            self._shift = Translate(0, 0, 0)
            Color()
            self._behind = Rectangle()
        self._fbo.add(group)
        self._fbo.add(PopMatrix())
        canvas.add(self._fbo)

    @property
    def texture(self) -> Any:
        """The picture."""
        return self._fbo.texture

    def place(self, pos: tuple[int, int], size: tuple[int, int]) -> None:
        if tuple(self._fbo.size) != size:
            self._fbo.size = size
        self._shift.xy = (-pos[0], -pos[1])

    def lie_on(self, texture: Any, pos: Any, size: Any) -> None:
        self._behind.texture, self._behind.pos, self._behind.size = texture, pos, size

    def draw_again(self) -> None:
        self._clear.rgba = (*style.night[:3], 1)
        self._fbo.ask_update()
