"""The whole screen for a check of it: a target, fingers, or corners and stripes of colour."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

from kivy.core.window import Window
from kivy.graphics import Color, InstructionGroup, Line, Rectangle
from kivy.uix.floatlayout import FloatLayout

from companion.ui.theme.style import style
from companion.ui.widgets.base import Words
from companion.workshop.fieldtest.steps import Step, Touch

CROSS = 0.5
"""Length of the cross's arms, in sides of the smallest key."""
STRIPES = (
    (1, 1, 1), (1, 1, 0), (0, 1, 1), (0, 1, 0), (1, 0, 1), (1, 0, 0), (0, 0, 1),
)  # fmt: skip
"""Red, green and blue of the stripes: not the theme's, for it is the screen that is tried."""


class GlassPanel(FloatLayout):  # type: ignore[misc]
    """Covers everything below; touches of it are answers, those of its keys are choices."""

    def __init__(
        self, step: Step, words: str, keys: Sequence[Any], answer: Callable[[Touch], None],
        **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(**kwargs)
        self.step, self._answer = step, answer
        self._down: dict[Any, tuple[float, float]] = {}
        """The fingers on the glass, and where."""
        self._drawn = InstructionGroup()
        self._words, self._keys = Words(words, halign="center", width=1), list(keys)
        self.canvas.before.add(self._drawn)
        for widget in (self._words, *self._keys):
            widget.size_hint = (None, None)
            self.add_widget(widget)
        self.bind(pos=self._place, size=self._place)

    @property
    def target(self) -> tuple[float, float]:
        """The middle of the target, px."""
        across, up = self.step.at
        return self.x + across * self.width, self.y + up * self.height

    def on_touch_down(self, touch: Any) -> bool:
        if super().on_touch_down(touch):
            return True
        arrived_s = time.time() - touch.time_start
        self._down[touch.uid] = touch.pos
        if self.step.panel == "target":
            x, y = self.target
            off = (touch.x - x, touch.y - y)
            self._after_frame(lambda waited_ms: self._answer(Touch(off, waited_ms)), arrived_s)
        elif self.step.panel == "fingers" and len(self._down) > 1:
            self._answer(Touch(fingers=len(self._down)))
        self._draw()
        return True

    def on_touch_up(self, touch: Any) -> bool:
        if self._down.pop(touch.uid, None) is not None:
            self._draw()
        return bool(super().on_touch_up(touch))

    def _after_frame(self, call: Callable[[float], None], before_s: float) -> None:
        begun_s = time.perf_counter()

        def flipped(*_: Any) -> None:
            Window.unbind(on_flip=flipped)
            call((before_s + time.perf_counter() - begun_s) * 1000)

        Window.bind(on_flip=flipped)

    def _place(self, *_: Any) -> None:
        high = style.button
        room = self.width - 4 * style.margin - 2 * style.target
        self._words.width = room
        count, left = len(self._keys), self.x + (self.width - room) / 2
        share, level = (0.3 if self.step.panel == "colours" else 0.2), self.width > self.height
        base = self.y + self.height * share
        across = (room - style.gap_s * (count - 1)) / count if level else room
        for number, key in enumerate(self._keys):
            key.size, key.pos = (across, high), (left + number * (across + style.gap_s), base)
            if not level:
                key.pos = (left, base + (count - 1 - number) * (high + style.gap_s))
        above = base + (1 if level else count) * (high + style.gap_s)
        self._words.pos = (left, above)
        self._draw()

    def _draw(self) -> None:
        group = self._drawn
        group.clear()
        group.add(Color(*style.night))
        group.add(Rectangle(pos=self.pos, size=self.size))
        if self.step.panel == "target":
            self._draw_target()
        elif self.step.panel == "colours":
            self._draw_corners()
            self._draw_stripes()
        for at in self._down.values():
            group.add(Color(*style.dawn))
            group.add(Line(circle=(*at, style.target * 0.7), width=style.hairline))

    def _draw_target(self) -> None:
        (x, y), arm = self.target, style.target * CROSS
        self._drawn.add(Color(*style.bone))
        for points in ((x - arm, y, x + arm, y), (x, y - arm, x, y + arm)):
            self._drawn.add(Line(points=points, width=style.hairline))

    def _draw_corners(self) -> None:
        """Angles on the outermost pixels of the screen."""
        arm = style.target * CROSS
        self._drawn.add(Color(*style.bone))
        for right, top in product((0, 1), repeat=2):
            x, y = self.x + right * (self.width - 1), self.y + top * (self.height - 1)
            inward = (x + arm * (1 - 2 * right), y + arm * (1 - 2 * top))
            bent = (inward[0], y, x, y, x, inward[1])
            self._drawn.add(Line(points=bent, width=style.hairline, cap="none", joint="miter"))

    def _draw_stripes(self) -> None:
        step = (self.width - 2 * style.target) / len(STRIPES)
        for number, rgb in enumerate(STRIPES):
            pos = (self.x + style.target + number * step, self.y + self.height * 0.7)
            self._drawn.add(Color(*rgb))
            self._drawn.add(Rectangle(pos=pos, size=(step - 2, self.height * 0.18)))
