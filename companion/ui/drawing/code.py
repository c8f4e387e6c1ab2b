"""A code to be photographed with a phone: dark on light in every theme, in whole pixels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kivy.graphics import Color, Rectangle
from kivy.graphics.texture import Texture
from kivy.uix.widget import Widget

from companion.export.qr import QUIET

DARK, LIGHT = 16, 255
"""Colours of modules, not quite black: what is black on a screen may look transparent to a phone's
camera."""


class CodePicture(Widget):  # type: ignore[misc]
    """``rows`` of modules (1 is dark) with the quiet zone, as large as whole pixels allow."""

    def __init__(self, rows: Sequence[bytes], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._across = len(rows) + 2 * QUIET
        self.module_px = 0
        """Pixels of the screen along a module."""
        with self.canvas:
            Color(1, 1, 1, 1)
            self._drawn = Rectangle(texture=_texture(rows), size=(0, 0))
        self.bind(pos=self._place, size=self._place)
        self._place()

    def _place(self, *_: Any) -> None:
        self.module_px = max(int(min(self.size) // self._across), 1)
        side = self.module_px * self._across
        self._drawn.size = (side, side)
        self._drawn.pos = (
            int(self.x + (self.width - side) / 2), int(self.y + (self.height - side) / 2)
        )  # fmt: skip


def _texture(rows: Sequence[bytes]) -> Any:
    across = len(rows) + 2 * QUIET
    light, quiet = bytes([LIGHT]), bytes([LIGHT]) * QUIET
    lines = [light * across] * QUIET
    lines += [quiet + bytes(DARK if dark else LIGHT for dark in row) + quiet for row in rows]
    lines += [light * across] * QUIET
    texture = Texture.create(size=(across, across), colorfmt="luminance")
    texture.mag_filter = texture.min_filter = "nearest"
    # A texture begins at the bottom.
    texture.blit_buffer(b"".join(reversed(lines)), colorfmt="luminance", bufferfmt="ubyte")
    return texture
