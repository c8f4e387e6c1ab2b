"""A line to pull along: from the first to the last move of a match, or any other range."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from kivy.graphics import Color, InstructionGroup, SmoothEllipse, SmoothLine, SmoothRoundedRectangle

from companion.ui.drawing.chart import Pulled
from companion.ui.theme.style import style


class Scrubber(Pulled):
    """A number from 0 to ``last``; ``on_pull`` hears each new one while it is pulled.

    ``marks``: places worth stopping at, drawn as notches above the line.
    """

    def __init__(
        self, last: int, on_pull: Callable[[int], None], marks: Iterable[int] = (), **kwargs: Any
    ) -> None:
        kwargs.setdefault("size_hint_y", None)
        kwargs.setdefault("height", style.target)
        super().__init__(**kwargs)
        self.last, self.value, self.marks = last, 0, tuple(marks)
        self._on_pull = on_pull
        self._drawing = InstructionGroup()
        self.canvas.add(self._drawing)
        self.bind(pos=self._draw, size=self._draw)

    def show(self, value: int) -> None:
        """Stand at ``value``."""
        self.value = max(0, min(value, self.last))
        self._draw()

    def at(self, value: int) -> float:
        """Position of a value, px from the left of the window."""
        room = self.width - style.target * 0.5
        return float(self.x + style.target * 0.25 + room * value / max(self.last, 1))

    def pull(self, x: float) -> None:
        room = max(self.width - style.target * 0.5, 1)
        value = round((x - self.x - style.target * 0.25) / room * self.last)
        value = max(0, min(value, self.last))
        if value != self.value:
            self.show(value)
            self._on_pull(value)

    def _draw(self, *_: Any) -> None:
        add, middle = self._drawing.add, self.y + self.height / 2
        self._drawing.clear()
        left, here, right = self.at(0), self.at(self.value), self.at(self.last)
        thick = style.grid * 1.25
        for start, end, tone in ((left, right, "edge"), (left, here, "dawn")):
            add(Color(*style.tone(tone)))
            add(
                SmoothRoundedRectangle(
                    pos=(start, middle - thick / 2), size=(max(end - start, 0.1), thick),
                    radius=[thick / 2] * 4,
                )
            )  # fmt: skip
        add(Color(*style.tone("stop")))
        for mark in self.marks:
            x = self.at(mark)
            add(SmoothLine(points=[x, middle + thick, x, middle + style.gap], width=style.hairline))
        reach = style.gap
        add(Color(*style.tone("dawn")))
        add(SmoothEllipse(pos=(here - reach, middle - reach), size=(2 * reach, 2 * reach)))
        add(Color(*style.tone("night")))
        add(SmoothLine(circle=(here, middle, reach * 0.45), width=style.stroke * 0.6))
