"""Quiet bars that fill: while a recognised move waits for stillness, and while something is worked
out."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from kivy.clock import Clock
from kivy.lang import Builder
from kivy.properties import NumericProperty
from kivy.uix.widget import Widget

from companion.ui.theme.style import style

__all__ = ["Bar", "Progress"]


class Bar(Widget):  # type: ignore[misc]
    """Shows how large a ``part``, 0 … 1, is done."""

    part = NumericProperty(0.0)

    def __init__(self, part: float = 0.0, **kwargs: Any) -> None:
        kwargs.setdefault("size_hint_y", None)
        super().__init__(**kwargs)
        self.part = part


class Progress(Bar):
    """Fills once within ``seconds``, then stays full."""

    def __init__(self, seconds: float, **kwargs: Any) -> None:
        super().__init__(height=style.grid, **kwargs)
        self.seconds = max(seconds, 0.01)
        self.part = 0.0 if style.motion else 0.6
        self._clock = Clock.schedule_interval(self._grow, 1 / 30) if style.motion else None

    def _grow(self, passed: float) -> bool:
        self.part = min(self.part + passed / self.seconds, 1.0)
        return bool(self.part < 1.0)


Builder.load_file(str(files("companion.ui.widgets") / "progress.kv"))
