"""The players' clock on the screen: the time of the player to move, large, and all times, small.

Both count by themselves and are drawn anew once a second; nothing around them is built again.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from kivy.clock import Clock
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.floatlayout import FloatLayout

from companion.match.view import ClockView, TableView
from companion.settings.clocks import ClockKind, clock_figures
from companion.ui.theme.lettering import line_width
from companion.ui.theme.style import BOLD, style
from companion.ui.widgets.base import Letters, Symbol, fit_one_line, side_of

_LOOK_S = 0.2
"""Seconds between two looks at whether another second has begun."""
_SOON_S = 30.0
"""Time below which it is shown in the colour of what matters now, seconds."""


def seat_times(view: TableView) -> ClockView | None:
    """The clock whose times stand beside the points: none for a sand timer, which is full for all
    but one."""
    clock = view.clock
    shown = clock is not None and clock.plan.kind is ClockKind.PLAYER and view.outcome is None
    return clock if shown else None


class _Counting:
    """Looks at a clock while it runs; ``renew`` is called when other figures are to be shown."""

    def __init__(self, renew: Callable[[], None], now: Callable[[], float]) -> None:
        self._renew, self._now = renew, now
        self.clock: ClockView | None = None
        self.seat: int | None = None
        self.shown = ""
        """The figures, such as ``9:41``."""
        self._event: Any = None

    def follow(self, clock: ClockView | None, seat: int | None) -> None:
        """Show how much time ``seat`` has left from now on."""
        self.clock, self.seat = clock, seat
        counts = clock is not None and clock.running and clock.asked == seat
        if counts and self._event is None:
            self._event = Clock.schedule_interval(self._look, _LOOK_S)
        elif not counts and self._event is not None:
            self._event.cancel()
            self._event = None
        self.shown = self._figures()
        self._renew()

    @property
    def left_s(self) -> float:
        """Seconds that are left; 0 without a clock."""
        if self.clock is None or self.seat is None:
            return 0.0
        return self.clock.left_at(self.seat, self._now())

    def ink(self) -> Any:
        """The colour of the figures: quiet while they stand, and what matters now near the end."""
        clock = self.clock
        if clock is None or clock.asked != self.seat:
            return style.ash
        if self.left_s <= min(_SOON_S, clock.plan.seconds / 4):
            return style.dawn
        return style.bone if clock.running else style.ash

    def _figures(self) -> str:
        if self.clock is None or self.seat is None:
            return ""
        return clock_figures(self.left_s)

    def _look(self, _passed: float) -> None:
        figures = self._figures()
        if figures != self.shown:
            self.shown = figures
            self._renew()


class TurnClock(ButtonBehavior, FloatLayout):  # type: ignore[misc]
    """The time of the player to move, at the right end of its place; a touch lets it stand or go
    on.

    Its sign says what a touch does. It is as large as there is room for.
    """

    def __init__(
        self,
        press: Callable[[bool], object],
        now: Callable[[], float] = time.monotonic,
        **kwargs: Any,
    ) -> None:
        """``press`` hears whether the clock is to go on."""
        super().__init__(**kwargs)
        self._press = press
        self._sign = Symbol(size_hint=(None, None))
        self._figures = Letters(font_name=BOLD, size_hint=(None, None))
        self.add_widget(self._sign)
        self.add_widget(self._figures)
        self._fitted: tuple[object, ...] = ()
        self._counting = _Counting(self._renew, now)
        self.bind(pos=self._renew, size=self._renew)
        self.bind(on_release=lambda *_: self._touched())

    def show(self, clock: ClockView | None) -> None:
        """Shows this clock; None, or one by which no player is asked: nothing."""
        self._counting.follow(clock, None if clock is None else clock.asked)

    @property
    def text(self) -> str:
        """The figures."""
        return self._counting.shown

    @property
    def least_width(self) -> float:
        """Width in which its figures are as small as they may be, px; 0 without a clock."""
        if not self.text:
            return 0.0
        figures = line_width(_wide(self.text), style.body)
        return float(side_of(style.body) + 2 * style.gap_s + figures)

    def collide_point(self, x: float, y: float) -> bool:
        """True if a touch is meant for it: a place of full size around the figures."""
        if not self.text:
            return False
        left = min(self._sign.x, self.right - style.target) - style.gap_s
        half = max(self.height, style.target) / 2
        return bool(left <= x <= self.right + style.gap_s and abs(y - self.center_y) <= half)

    def _touched(self) -> None:
        clock = self._counting.clock
        if clock is not None:
            self._press(clock.waits)

    def _renew(self, *_: Any) -> None:
        clock, text = self._counting.clock, self._counting.shown
        waits = clock is not None and clock.waits
        sign = "▶" if waits else "‖"
        self._figures.color = self._counting.ink()
        self._sign.color = style.ask if waits else style.ash
        fitted = (len(text), round(self.width), sign, style.figure, style.name)
        if fitted != self._fitted or not text:
            self._fitted = fitted
            self._sign.text = sign if text else ""
            self._sign.font_size = style.body
            self._sign.size = self._sign.extent if text else (0, 0)
            room = max(self.width - self._sign.width - 2 * style.gap_s, 1)
            sizes = (style.figure, style.type_l, style.type_m, style.body)
            self._figures.font_size = fit_one_line(_wide(text), sizes, room)
        self._figures.text = text
        self._figures.size = self._figures.extent if text else (0, 0)
        self._figures.pos = (
            self.right - self._figures.width, self.center_y - self._figures.height / 2
        )  # fmt: skip
        self._sign.pos = (
            self._figures.x - style.gap_s - self._sign.width,
            self.center_y - self._sign.height / 2,
        )


def _wide(figures: str) -> str:
    """Figures that are as wide as any others of this length."""
    return "0" * (len(figures) - 1) + ":"


class SeatTime(Letters):
    """Time left of one player, beside the points: small figures, quiet unless they count."""

    def __init__(
        self, clock: ClockView, seat: int, now: Callable[[], float] = time.monotonic, **kwargs: Any
    ) -> None:
        kwargs.setdefault("font_size", style.body)
        super().__init__(font_name=BOLD, size_hint=(None, None), **kwargs)
        self._counting = _Counting(self._renew, now)
        self.show(clock, seat)

    def show(self, clock: ClockView, seat: int) -> None:
        """Show this player's time."""
        self._counting.follow(clock, seat)

    def rest(self) -> None:
        """Count no more."""
        self._counting.follow(None, None)

    def _renew(self) -> None:
        self.color = self._counting.ink()
        self.text = self._counting.shown
        self.size = self.extent
