"""A thread-safe signal; callbacks run in the emitting thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, ParamSpec

from hardware.supervised_thread import tell_failure

P = ParamSpec("P")


class Signal(Generic[P]):
    """Callbacks in the order in which they were added, called by calling it.

    Reentrant: a callback may add or remove others. One that fails is reported, and the others are
    called all the same.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._callbacks: dict[object, Callable[P, object]] = {}

    def add(self, callback: Callable[P, object]) -> Callable[[], None]:
        """Call ``callback`` from now on; returns how to stop that."""
        handle = object()
        with self._lock:
            self._callbacks[handle] = callback

        def stop() -> None:
            with self._lock:
                self._callbacks.pop(handle, None)

        return stop

    def clear(self) -> None:
        """Forget every callback."""
        with self._lock:
            self._callbacks.clear()

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Call every callback, in this thread."""
        with self._lock:
            callbacks = list(self._callbacks.values())
        for callback in callbacks:
            try:
                callback(*args, **kwargs)
            except Exception as error:
                # One callback's fault must not stop the match or the other callbacks.
                tell_failure(error)
