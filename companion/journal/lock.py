"""Locks on journals, tables and folders; they end with the program.

Every program that has a journal open shares ``journal.lock``; only one that holds it alone may put
another file in the journal's place, since others would go on writing to the old one in vain. One
program at a time plays at a table and holds ``table.lock``: two would append to the same match in
turns. The kernel releases both when a program ends, however it ends.
"""

from __future__ import annotations

import fcntl
import logging
import os
import time
from collections.abc import Callable
from pathlib import Path

from companion.journal.entries import JournalError

log = logging.getLogger(__name__)

PATIENCE_S = 10.0
"""Maximum wait for a program that is putting the journal in order, seconds."""
PAUSE_S = 0.05


class JournalLock:
    """A share in ``journal.lock``; without effect if the file cannot be made."""

    def __init__(self, journal: Path) -> None:
        self._journal = journal
        self._file = _opened(journal.with_suffix(".lock"))

    def share(self) -> None:
        """Waits until no program holds the journal alone. Raises JournalError if that takes too
        long."""
        deadline = time.monotonic() + PATIENCE_S
        while not self._take(fcntl.LOCK_SH):
            if time.monotonic() > deadline:
                raise JournalError("journal_in_work", file=self._journal)
            time.sleep(PAUSE_S)

    def alone(self) -> bool:
        """Holds the journal alone if no other program has it open; else the share is lost."""
        return self._take(fcntl.LOCK_EX)

    def release(self) -> None:
        """Releases the lock; ``share`` takes it again."""
        if self._file is not None:
            fcntl.flock(self._file, fcntl.LOCK_UN)

    def close(self) -> None:
        """Release it for good."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _take(self, how: int) -> bool:
        return self._file is None or _locked(self._file, how)


class TableLock:
    """Only one program plays with a state folder. Raises JournalError if another one does."""

    def __init__(self, state: Path) -> None:
        self._file = _opened(state / "table.lock")
        if self._file is not None and not _locked(self._file, fcntl.LOCK_EX):
            self.close()
            raise JournalError("table_taken", folder=state)

    def close(self) -> None:
        """Releases the table for other programs."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


class FolderLock:
    """An exclusive lock on a folder that one program at a time fills."""

    def __init__(self, folder: Path, waiting: Callable[[float], object]) -> None:
        """Wait until no other program holds it; meanwhile ``waiting`` is called again and again
        with the seconds that have passed, and may raise. Raises OSError."""
        self._file: int | None = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        began_s = time.monotonic()
        try:
            while not _locked(self._file, fcntl.LOCK_EX):
                waiting(time.monotonic() - began_s)
                time.sleep(PAUSE_S)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Release it."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


def _opened(path: Path) -> int | None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        # Where nothing can be written nothing can be spoilt; the journal itself says what is wrong.
        log.info("%s cannot be made: %s", path, error.strerror)
        return None


def _locked(file: int, how: int) -> bool:
    try:
        fcntl.flock(file, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        # Some network drives have no locks.
        log.info("no lock: %s", error.strerror)
    return True
