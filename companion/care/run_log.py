"""The log of a run, kept where a fall does not take it along: in systemd's runtime folder.

That folder lies in memory, so writing there wears no card out. A table that hung and was started
again still has the log of the run before, which is the one a problem report needs.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Sequence
from pathlib import Path

from companion.settings.writing import write_whole

__all__ = ["RunLog", "run_before", "runtime_folder"]

log = logging.getLogger(__name__)

NOW, BEFORE = "run.log", "run-before.log"
CUT = "-- the run before ended here --"


def runtime_folder() -> Path | None:
    """The service's RuntimeDirectory; None where Heelstone is no service."""
    folder = os.environ.get("RUNTIME_DIRECTORY", "").partition(":")[0]
    return Path(folder) if folder else None


class RunLog:
    """Call it now and then to keep ``lines``; without a ``folder`` it keeps nothing."""

    def __init__(self, lines: Callable[[], Sequence[str]], folder: Path | None) -> None:
        self._lines = lines
        self._folder = folder
        self._kept: Sequence[str] = ()
        if folder is not None:
            self._try(lambda: (folder / NOW).replace(folder / BEFORE))

    def __call__(self) -> None:
        """Keep what was said so far; never raises."""
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
    """What was said in the run before; with the present one behind it if this program is not
    ``running`` the table itself."""
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
