"""The log of the last minutes, kept in memory for problem reports."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Sequence

from companion.match.events import TableEvent
from companion.match.view import TableView

__all__ = ["RecentLog", "note_events"]

PACKAGES = ("rules", "vision", "hardware", "companion")
LINE = logging.Formatter("%(asctime)s %(levelname)-7s %(name)s: %(message)s", "%H:%M:%S")

log = logging.getLogger(__name__)


class RecentLog(logging.Handler):
    """Keeps the newest lines of Heelstone's own loggers; ``start`` and ``stop`` it."""

    def __init__(self, keep_s: float = 900.0, most_lines: int = 4000) -> None:
        super().__init__(logging.INFO)
        self._keep_s = keep_s
        self._kept: deque[tuple[float, str]] = deque(maxlen=most_lines)
        self._keeping = threading.Lock()
        self._stderr: logging.Handler | None = None
        self._levels: dict[str, int] = {}
        self.setFormatter(LINE)

    def emit(self, record: logging.LogRecord) -> None:
        try:
            line = self.format(record)
        except Exception:
            # A log line that cannot be put together must not end what wanted to say it.
            self.handleError(record)
            return
        with self._keeping:
            self._kept.append((record.created, line))

    def lines(self, now_s: float | None = None) -> list[str]:
        """What was said in the last minutes, the oldest first."""
        since = (time.time() if now_s is None else now_s) - self._keep_s
        with self._keeping:
            return [line for when, line in self._kept if when >= since]

    def start(self) -> RecentLog:
        """Listen to the loggers of Heelstone's packages from now on."""
        root = logging.getLogger()
        if not root.handlers:
            # With any handler in place Python no longer prints warnings by itself.
            self._stderr = logging.StreamHandler()
            self._stderr.setLevel(logging.WARNING)
            root.addHandler(self._stderr)
        for name in PACKAGES:
            logger = logging.getLogger(name)
            self._levels[name] = logger.level
            logger.setLevel(min(logger.level or logging.INFO, logging.INFO))
            logger.addHandler(self)
        return self

    def stop(self) -> None:
        """Listen no longer."""
        for name, level in self._levels.items():
            logger = logging.getLogger(name)
            logger.removeHandler(self)
            logger.setLevel(level)
        self._levels = {}
        if self._stderr is not None:
            logging.getLogger().removeHandler(self._stderr)
            self._stderr = None


def note_events(view: TableView, events: Sequence[TableEvent]) -> None:
    """A session's listener: what happened at the table goes into the log."""
    for event in events:
        log.info("%s, ply %s: %r", view.state.value, view.ply, event)
