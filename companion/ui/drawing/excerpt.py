"""A part of the board in a small picture."""

from __future__ import annotations

from typing import Any

from kivy.graphics import Color, ScissorPop, ScissorPush, SmoothLine, SmoothRoundedRectangle
from kivy.uix.widget import Widget

from companion.presentation.scene import Scene
from companion.ui.drawing.board import Board
from companion.ui.theme.style import style

Rect = tuple[float, float, float, float]


class Excerpt(Widget):  # type: ignore[misc]
    """Shows the ``part`` (left, bottom, right, top in mm; None: all) of ``scene``, and whatever of
    the board lies around it as far as there is room."""

    def __init__(self, scene: Scene, part: Rect | None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.board = Board()
        self.board.part = part
        with self.canvas.before:
            Color(*style.tone("night", 0.55))
            self._wall = SmoothRoundedRectangle(radius=[style.grid] * 4)
            self._frame = ScissorPush()
        self.add_widget(self.board)
        with self.canvas.after:
            ScissorPop()
            Color(*style.edge)
            self._edge = SmoothLine(width=style.hairline * 0.55)
        self.bind(pos=self._place, size=self._place)
        self._place()
        self.board.show(scene)

    def _place(self, *_: Any) -> None:
        self.board.pos, self.board.size = self.pos, self.size
        self._wall.pos, self._wall.size = self.pos, self.size
        left, bottom = self.to_window(self.x, self.y)
        self._frame.pos = (round(left), round(bottom))
        self._frame.size = (round(self.width), round(self.height))
        self._edge.rounded_rectangle = (*self.pos, *self.size, style.grid, 12)
