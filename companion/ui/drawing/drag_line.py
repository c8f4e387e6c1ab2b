"""The line that follows a dragging finger."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from kivy.uix.widget import Widget

__all__ = ["Pulled"]


class Pulled(Widget):  # type: ignore[misc]
    """A widget that one finger at a time pulls at; the others do not disturb it."""

    _held: int | None = None

    @abstractmethod
    def pull(self, x: float) -> None:
        """The finger is at ``x``, px from the left of the window."""

    def let_go(self, x: float) -> None:
        """The finger leaves at ``x``."""

    def on_touch_down(self, touch: Any) -> bool:
        if not self.collide_point(*touch.pos):
            return bool(super().on_touch_down(touch))
        self._held = touch.uid
        self.pull(touch.x)
        return True

    def on_touch_move(self, touch: Any) -> bool:
        if touch.uid != self._held:
            return bool(super().on_touch_move(touch))
        self.pull(touch.x)
        return True

    def on_touch_up(self, touch: Any) -> bool:
        if touch.uid != self._held:
            return bool(super().on_touch_up(touch))
        self._held = None
        self.let_go(touch.x)
        return True
