"""Those who want to hear that something has changed, told in whatever thread changes it."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable

__all__ = ["Callbacks"]

Callback = Callable[[], None]


class Callbacks:
    """May be added to, called and cleared in any thread, also by those who are called."""

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
