"""The surface of a board below words and cards, over a whole screen."""

from __future__ import annotations

from typing import Any

from kivy.graphics import Color, InstructionGroup, Rectangle
from kivy.uix.widget import Widget

from companion.presentation.theme.board_look import cloth_tone
from companion.ui.drawing.ink import grain_texture
from companion.ui.theme.style import style
from rules.box import Box


class Cloth:
    """Lies below all that ``widget`` shows."""

    def __init__(self, widget: Widget) -> None:
        self._widget = widget
        self._drawing = InstructionGroup()
        self._drawn: tuple[object, ...] = ()
        widget.canvas.before.add(self._drawing)

    def lay(self, box: Box) -> None:
        """Draw the surface of this box's board."""
        pos, size = tuple(self._widget.pos), tuple(self._widget.size)
        now = (box.id, pos, size, style.name)
        if now == self._drawn:
            return
        self._drawn = now
        self._drawing.clear()
        self._drawing.add(Color(*cloth_tone(box, style.palette)))
        self._drawing.add(Rectangle(pos=pos, size=size))
        texture: Any = grain_texture(box.surfaces.get("board", "wood"))
        wide, high = (side / texture.width for side in size)
        corners = (0, 0, wide, 0, wide, high, 0, high)
        self._drawing.add(Color())
        self._drawing.add(Rectangle(texture=texture, pos=pos, size=size, tex_coords=corners))
