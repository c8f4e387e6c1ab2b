"""Things on their way across the screen: drawn in each frame while anything moves, in no other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from kivy.clock import Clock

from companion.presentation.theme import tokens as theme

W = TypeVar("W")


class Flights(Generic[W]):
    """Draws ways in a ``group`` of a canvas. ``draw`` is called for each, with how far it is, 0 to
    1; ``arrived`` when all are where they were going to."""

    def __init__(
        self, group: Any, draw: Callable[[Any, W, float], None],
        arrived: Callable[[Sequence[W]], None],
    ) -> None:  # fmt: skip
        self._group, self._draw, self._arrived = group, draw, arrived
        self.ways: tuple[W, ...] = ()
        self._passed_s = 0.0
        self._begun = False
        self._clock = Clock.create_trigger(self._move, 1 / 60, interval=True)

    @property
    def moving(self) -> bool:
        """True while anything is on its way."""
        return bool(self.ways)

    def start(self, ways: Sequence[W]) -> None:
        """Sets these on their way; others are where they were going to."""
        self.stop()
        self.ways, self._passed_s, self._begun = tuple(ways), 0.0, False
        if self.ways:
            self._clock()
            self._show(0.0)

    def stop(self) -> None:
        """Nothing is on its way any more, and nothing of it is drawn."""
        self._end()
        self._group.clear()

    def _end(self) -> None:
        self._clock.cancel()
        self.ways = ()

    def _move(self, passed: float) -> None:
        # The frame that everything was built in may have taken longer than the whole way.
        self._passed_s += passed if self._begun else 0.0
        self._begun = True
        part = min(self._passed_s / theme.MOTION_S, 1.0)
        self._show(1 - (1 - part) ** 3)
        if part >= 1.0:
            ways = self.ways
            self._end()
            self._arrived(ways)

    def _show(self, part: float) -> None:
        self._group.clear()
        for way in self.ways:
            self._draw(self._group, way, part)
