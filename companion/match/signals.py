"""A thread-safe signal; callbacks run in the emitting thread."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable

__all__ = ["Signal"]

Callback = Callable[[], None]


class Signal:
    """A list of callbacks, called by calling it. Reentrant: a callback may add or remove others."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._all: list[Callback] = []

    def add(self, callback: Callback) -> Callback:
        """Call ``callback`` after every change; returns how to stop that."""
        with self._lock:
            self._all.append(callback)

        def stop() -> None:
            with self._lock, contextlib.suppress(ValueError):
                self._all.remove(callback)

        return stop

    def clear(self) -> None:
        """Call nobody any more."""
        with self._lock:
            self._all.clear()

    def __call__(self) -> None:
        """Something has changed."""
        with self._lock:
            every = list(self._all)
        for callback in every:
            callback()
