"""Calls back once per second while the clock runs."""

from __future__ import annotations

import time
from collections.abc import Callable
from math import ceil

from companion.match.view import ClockView
from hardware.supervised_thread import InboxThread

__all__ = ["ClockBeat"]

LATE_S = 0.02
"""A beat comes a little after the second, so that it is never shown too early."""


class ClockBeat:
    """Calls ``beat`` at every full second of the clock that it follows, in a thread of its own; no
    thread is started before a clock runs."""

    def __init__(self, beat: Callable[[], None]) -> None:
        self._clock: ClockView | None = None
        self._thread = InboxThread[None](
            "clock", tick=beat, due=lambda: _until_next(self._clock, time.monotonic()), limit=1
        )

    def follow(self, clock: ClockView | None) -> None:
        """Beat with this clock from now on; returns at once."""
        if clock == self._clock:
            return
        self._clock = clock
        if clock is not None and clock.running:
            self._thread.start()
        # It asks anew when the next second is due.
        self._thread.put(None)

    def close(self) -> None:
        """End the thread, if there is one."""
        self._thread.close(5)


def _until_next(clock: ClockView | None, now: float) -> float | None:
    """Seconds until another second is shown; None if none will be."""
    if clock is None or clock.asked is None or not clock.running:
        return None
    left = clock.left_at(clock.asked, now)
    return left - ceil(left) + 1 + LATE_S if left > 0 else None
