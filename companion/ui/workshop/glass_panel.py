"""The whole screen for a check of it: a target, fingers, or corners and stripes of colour."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
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
        edge, high = style.margin * 2, style.button
        colours = self.step.panel == "colours"
        room = self.width - 2 * edge - 2 * style.target
        self._words.width = room
        count, left = len(self._keys), self.x + (self.width - room) / 2
        base, level = self.y + self.height * (0.3 if colours else 0.2), self.width > self.height
        across = (room - style.gap_s * (count - 1)) / count if level else room
        for number, key in enumerate(self._keys):
            key.size, key.pos = (across, high), (left + number * (across + style.gap_s), base)
            if not level:
                key.pos = (left, base + (count - 1 - number) * (high + style.gap_s))
        above = base + (1 if level else count) * (high + style.gap_s)
        self._words.pos = (left, above)
        self._draw()

    def _draw(self) -> None:
        group, width, height = self._drawn, self.width, self.height
        group.clear()
        group.add(Color(*style.night))
        group.add(Rectangle(pos=self.pos, size=self.size))
        arm = style.target * CROSS
        group.add(Color(*style.bone))
        if self.step.panel == "target":
            x, y = self.target
            for points in ((x - arm, y, x + arm, y), (x, y - arm, x, y + arm)):
                group.add(Line(points=points, width=style.hairline))
        elif self.step.panel == "colours":
            for right in (0, 1):
                for top in (0, 1):
                    x, y = self.x + right * (width - 1), self.y + top * (height - 1)
                    inward = (x + arm * (1 - 2 * right), y + arm * (1 - 2 * top))
                    bent = (inward[0], y, x, y, x, inward[1])
                    group.add(Line(points=bent, width=style.hairline, cap="none", joint="miter"))
            step = (width - 2 * style.target) / len(STRIPES)
            for number, rgb in enumerate(STRIPES):
                group.add(Color(*rgb))
                left = self.x + style.target + number * step
                size = (step - 2, height * 0.18)
                group.add(Rectangle(pos=(left, self.y + height * 0.7), size=size))
        for at in self._down.values():
            group.add(Color(*style.dawn))
            group.add(Line(circle=(*at, style.target * 0.7), width=style.hairline))
