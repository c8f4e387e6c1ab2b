"""Things on their way across the screen: drawn in each frame while anything moves, in no other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from kivy.clock import Clock
from kivy.graphics import InstructionGroup, PopMatrix, PushMatrix, Scale, Translate

from companion.presentation.theme import tokens as theme
from companion.ui.drawing.numbered_cards import Rect

W = TypeVar("W")
_FRAMES = 3
"""Least number of frames in which a way is seen, however slow they are."""


class Flights(Generic[W]):
    """Draws ways in a ``group`` of a canvas. ``draw`` is called for each, with how far it is, 0 to
    1; ``arrived`` when all are where they were going to; without it, they are gone then."""

    def __init__(
        self, group: Any, draw: Callable[[Any, W, float], None],
        arrived: Callable[[Sequence[W]], None] | None = None, *, lasts_s: float = theme.MOTION_S,
    ) -> None:  # fmt: skip
        self._group, self._draw, self._arrived = group, draw, arrived
        self.ways: tuple[W, ...] = ()
        self._lasts_s, self._passed_s = lasts_s, 0.0
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
        self._passed_s += min(passed, self._lasts_s / _FRAMES) if self._begun else 0.0
        self._begun = True
        part = min(self._passed_s / self._lasts_s, 1.0)
        self._show(1 - (1 - part) ** 3)
        if part < 1.0:
            return
        ways = self.ways
        if self._arrived is None:
            self.stop()
        else:
            self._end()
            self._arrived(ways)

    def _show(self, part: float) -> None:
        self._group.clear()
        for way in self.ways:
            self._draw(self._group, way, part)


# -- cards ------------------------------------------------------------------------------------


class CardFlight:
    """A card on its way from its pile to the place of a player, or ``back``. ``draw`` draws it into
    a group, at a place that it gets as ``cell``."""

    def __init__(self, draw: Callable[..., None], pile: Rect, to: Rect, *, back: bool) -> None:
        self.drawing = InstructionGroup()
        self.drawing.add(PushMatrix())
        # Moved, not drawn anew: letters of another size would take longer than a frame.
        self._shift, self._size = Translate(), Scale(1.0)
        self.drawing.add(self._shift)
        self.drawing.add(self._size)
        draw(self.drawing, cell=(-pile[2] / 2, -pile[3] / 2, *pile[2:]))
        self.drawing.add(PopMatrix())
        self.at = (0.0, 0.0)
        """Middle of it, px."""
        self._ends = [(x + width / 2, y + height / 2) for x, y, width, height in (pile, to)]
        self._sizes = [1.0, min(to[2] / pile[2], to[3] / pile[3])]
        if back:
            self._ends.reverse()
            self._sizes.reverse()

    def go(self, part: float) -> None:
        """Place it this far (0 to 1) along its way."""
        (x, y), (to_x, to_y) = self._ends
        self.at = self._shift.xy = (x + (to_x - x) * part, y + (to_y - y) * part)
        size = self._sizes[0] + (self._sizes[1] - self._sizes[0]) * part
        self._size.xyz = (size, size, 1)


def card_flights(canvas: Any) -> Flights[CardFlight]:
    """Flights of cards, drawn over what a canvas has so far."""
    group = InstructionGroup()
    canvas.add(group)
    return Flights(group, _draw_card)


def _draw_card(group: Any, flight: CardFlight, part: float) -> None:
    flight.go(part)
    group.add(flight.drawing)
