"""Calls back once per second while the clock runs."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from math import ceil

from companion.match.view import ClockView
from hardware.supervised_thread import SupervisedThread

__all__ = ["ClockBeat"]

LATE_S = 0.02
"""A beat comes a little after the second, so that it is never shown too early."""


class ClockBeat:
    """Calls ``beat`` at every full second of the clock that it follows, in a thread of its own; no
    thread is started before a clock runs."""

    def __init__(self, beat: Callable[[], None]) -> None:
        self._beat = beat
        self._changed = threading.Condition()
        self._clock: ClockView | None = None
        self._thread: threading.Thread | None = None
        self._ended = False

    def follow(self, clock: ClockView | None) -> None:
        """Beat with this clock from now on; returns at once."""
        with self._changed:
            if clock == self._clock or self._ended:
                return
            self._clock = clock
            if self._thread is None and clock is not None and clock.running:
                self._thread = SupervisedThread("clock", self._run)
                self._thread.start()
            self._changed.notify()

    def close(self) -> None:
        """End the thread, if there is one."""
        with self._changed:
            self._ended = True
            self._changed.notify()
        if self._thread is not None and threading.current_thread() is not self._thread:
            self._thread.join(timeout=5)

    def _run(self) -> None:
        while True:
            with self._changed:
                if self._ended:
                    return
                new = self._changed.wait(_until_next(self._clock, time.monotonic()))
                if self._ended:
                    return
            if not new:
                self._beat()


def _until_next(clock: ClockView | None, now: float) -> float | None:
    """Seconds until another second is shown; None if none will be."""
    if clock is None or clock.asked is None or not clock.running:
        return None
    left = clock.left_at(clock.asked, now)
    return left - ceil(left) + 1 + LATE_S if left > 0 else None
