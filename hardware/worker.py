"""Threads that do not end by accident: a failure is told, and the work is taken up again.

What nobody expected goes to ``threading.excepthook``, where Python reports whatever ends a thread.
So there is one place that hears of every failure, ours or a library's: the program at a table hangs
itself in there and tells people (``companion.care.failures``); anywhere else Python prints it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

__all__ = ["TOLD_S", "Worker", "tell_failure"]

FIRST_AGAIN_S = 0.1
LONGEST_AGAIN_S = 2.0
"""Work that fails again and again is taken up this rarely."""
CALM_S = 10.0
"""Work that went well for this long is taken up soon again."""
TOLD_S = 60.0
"""The same failure is not told again sooner: it may happen with every picture."""

_told: dict[tuple[str, str, int], float] = {}
"""When a failure was told last: by thread, kind of error and the line of the program."""


class Worker(threading.Thread):
    """A thread that does ``work``. If that raises, it is told and, unless ``once``, begun anew.

    ``work`` returns when it is to end. It may be begun at any moment of its life, and returns at
    once if it was to end meanwhile. ``failed`` is called after each failure, in this thread.
    ``over``: whether it is to end, for work that may fail on its last way too.
    """

    def __init__(
        self,
        work: Callable[[], None],
        name: str,
        *,
        failed: Callable[[], None] | None = None,
        over: Callable[[], bool] = lambda: False,
        once: bool = False,
    ) -> None:
        super().__init__(name=name, daemon=True)
        self._work, self._failed, self._over, self._once = work, failed, over, once

    def run(self) -> None:
        """The life of the thread."""
        wait_s = FIRST_AGAIN_S
        while True:
            began = time.monotonic()
            try:
                self._work()
                return
            except Exception as error:
                tell_failure(error)
            self._tell_owner()
            if self._once or self._over():
                return
            if time.monotonic() - began > CALM_S:
                wait_s = FIRST_AGAIN_S
            # Not sleep: a thread that waits in ``threading`` rests, and does not hang.
            threading.Event().wait(wait_s)
            wait_s = min(2 * wait_s, LONGEST_AGAIN_S)

    def _tell_owner(self) -> None:
        if self._failed is None:
            return
        try:
            self._failed()
        except Exception as error:
            tell_failure(error)


def tell_failure(error: Exception) -> None:
    """Tell what nobody expected, as if it had ended this thread; never raises."""
    thread = threading.current_thread()
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    key = (thread.name, type(error).__name__, 0 if trace is None else trace.tb_lineno)
    now_s = time.monotonic()
    if now_s - _told.get(key, -TOLD_S) < TOLD_S:
        return
    for old in [known for known, when in _told.items() if now_s - when >= TOLD_S]:
        _told.pop(old, None)
    _told[key] = now_s
    args = threading.ExceptHookArgs((type(error), error, error.__traceback__, thread))
    try:
        threading.excepthook(args)
    except Exception:
        # Whoever listens has failed as well; Python's own hook only prints.
        threading.__excepthook__(args)
