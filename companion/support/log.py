"""The log of a run: its last minutes in memory, and a copy that survives a crash.

The copy is in systemd's runtime folder, also in memory, so writing there wears out no card. A table
that hung and was started again still has the log of the previous run, which is the one that a
problem report needs.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from companion.settings.writing import write_whole
from rules.printable import harmless

if TYPE_CHECKING:
    from companion.match.events import TableEvent
    from companion.match.view import TableView

PACKAGES = ("rules", "vision", "hardware", "companion")
LINE = logging.Formatter("%(asctime)s %(levelname)-7s %(name)s: %(message)s", "%H:%M:%S")

NOW, BEFORE = "run.log", "run-before.log"
CUT = "-- the run before ended here --"

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
            line = harmless(self.format(record))
        except Exception:
            # A log line that cannot be put together must not end the code that wanted to log it.
            self.handleError(record)
            return
        with self._keeping:
            self._kept.append((record.created, line))

    def lines(self, now_s: float | None = None) -> list[str]:
        """Lines of the last minutes, the oldest first."""
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
    """Logs events at the table in their public form; a session's listener."""
    from companion.match.events import Refused

    for event in events:
        told = repr(event)
        if isinstance(event, Refused):
            told = "something was refused that not everybody may know"
            if view.refuses_openly:
                told = repr(replace(event, objections=view.open_objections))
        log.info("%s, ply %s: %s", view.state.value, view.ply, told)


def runtime_folder() -> Path | None:
    """The service's RuntimeDirectory; None where Heelstone is not a service."""
    folder = os.environ.get("RUNTIME_DIRECTORY", "").partition(":")[0]
    return Path(folder) if folder else None


class RunLog:
    """Call it now and then to save ``lines``; without a ``folder`` it saves nothing."""

    def __init__(self, lines: Callable[[], Sequence[str]], folder: Path | None) -> None:
        self._lines = lines
        self._folder = folder
        self._kept: Sequence[str] = ()
        if folder is not None:
            self._try(lambda: (folder / NOW).replace(folder / BEFORE))

    def __call__(self) -> None:
        """Save what was said so far; never raises."""
        lines = self._lines()
        if self._folder is None or lines == self._kept:
            return
        path, self._kept = self._folder / NOW, lines
        self._try(lambda: write_whole(path, "".join(f"{line}\n" for line in lines)))

    def _try(self, act: Callable[[], object]) -> None:
        try:
            act()
        except FileNotFoundError:
            # The first run since the computer was started.
            return
        except OSError as error:
            log.debug("the log of this run cannot be kept: %s", error)


def run_before(folder: Path | None, running: bool) -> list[str]:
    """Lines of the previous run, followed by the current one if this program is not ``running`` the
    table itself."""
    if folder is None:
        return []
    before = _lines(folder / BEFORE)
    told = [*before, CUT] if before else []
    return told if running else told + _lines(folder / NOW)


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        # There was none.
        return []
