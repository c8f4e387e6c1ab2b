"""Tells threads that wait for work from threads that hang in the middle of it.

A thread of the rig rests in a condition or an event of ``threading`` until it is wanted. One that
stays at the same place anywhere else (a port that never closes, a bus that never answers) will not
come back by itself, though it still counts as alive.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterable
from types import FrameType

__all__ = ["HANGS_S", "Stuck"]

HANGS_S = 40.0
"""No thread works in one place for longer: a phrase lasts 30 s at most, and a port that
closes may wait as long."""

_Place = tuple[int, int]


class Stuck:
    """Looks at threads again and again; ``clock`` returns seconds and may be replaced by tests."""

    def __init__(
        self,
        threads: Iterable[threading.Thread],
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._threads = tuple(threads)
        self._clock = clock
        self._seen: dict[int, tuple[_Place, float]] = {}

    def names(self) -> list[str]:
        """Names of threads that were in one and the same place in every look for that long."""
        frames = sys._current_frames()
        found = []
        for thread in self._threads:
            ident = thread.ident or 0
            place = _busy_at(frames.get(ident))
            if place is None:
                self._seen.pop(ident, None)
                continue
            before, since = self._seen.get(ident, (place, self._clock()))
            if before != place:
                since = self._clock()
            self._seen[ident] = (place, since)
            if self._clock() - since >= HANGS_S:
                found.append(thread.name)
        return found


def _busy_at(frame: FrameType | None) -> _Place | None:
    """Where a thread is at work; None if it has ended or rests."""
    if frame is None:
        return None
    if frame.f_globals.get("__name__") == "threading" and frame.f_code.co_name == "wait":
        return None
    return id(frame), frame.f_lasti
