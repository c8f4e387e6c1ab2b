"""Unexpected failures of threads, reported to the log and the screen.

``hardware.supervised_thread`` reports every failure to ``threading.excepthook``, and so does Python
with the threads of libraries. A camera's driver or a foreign display may raise anything at all;
without this only a log would know, and people would wonder why something no longer happens.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

log = logging.getLogger(__name__)


class FailureWatch:
    """Hears of every thread that fails; ``start`` and ``stop`` it."""

    def __init__(self, told: Callable[[], None]) -> None:
        """``told``: called in the thread that failed; returns at once."""
        self._tell = told
        self._before = threading.excepthook
        self._mine = self._heard
        self._listening = False

    def start(self) -> FailureWatch:
        """Listen from now on."""
        self._listening = True
        self._before, threading.excepthook = threading.excepthook, self._mine
        return self

    def stop(self) -> None:
        """Listens no longer, even if another hook was set meanwhile."""
        self._listening = False
        if threading.excepthook is self._mine:
            threading.excepthook = self._before

    def _heard(self, args: threading.ExceptHookArgs) -> None:
        if not self._listening:
            self._before(args)
            return
        if args.exc_type is SystemExit:
            return
        name = "a thread" if args.thread is None else f"the thread '{args.thread.name}'"
        error = args.exc_value
        log.error(
            "a mistake in %s", name,
            exc_info=None if error is None else (args.exc_type, error, args.exc_traceback),
        )  # fmt: skip
        self._tell()
