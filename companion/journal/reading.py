"""A journal that may only be read: it is read from a copy, and nothing is written beside it.

SQLite itself writes when it reads: a log, an index of it, and what the power left unfinished.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from companion.journal.entries import JournalError
from companion.journal.mark import JournalMark
from companion.journal.salvage import pending
from companion.journal.store import Journal
from companion.words.errors import notice

TRIES = 5
"""Maximum number of copies of a journal that another program writes to meanwhile."""


@contextmanager
def reading(path: Path) -> Iterator[Journal]:
    """Opens a journal only for reading; from a copy if it cannot be written to.

    Raises JournalError.
    """
    if not only_readable(path):
        with Journal(path) as journal:
            yield journal
        return
    with tempfile.TemporaryDirectory(prefix="heelstone-") as folder:
        copy = Path(folder) / path.name
        try:
            _copy(path, copy)
        except OSError as error:
            raise JournalError("journal_uncopied", file=path, reason=error) from error
        with Journal(copy) as journal:
            if journal.salvage is not None:
                # It was put in order in the copy; the file itself stays as it is.
                journal.salvage = notice("journal_only_read", file=path, reason=journal.salvage)
            yield journal


def only_readable(path: Path) -> bool:
    """True if there is a journal, and it or its folder may not be written to."""
    if not os.path.isfile(path):  # noqa: PTH113 - in a folder nobody may enter this is no error
        return False
    needed = [path.parent, *(file for file in _files(path) if os.path.exists(file))]  # noqa: PTH110
    return not all(os.access(each, os.W_OK, effective_ids=True) for each in needed)


def _files(path: Path) -> list[Path]:
    """A journal, and what of its contents lies beside it."""
    log = path.with_name(path.name + "-wal")
    return [path, log, JournalMark(path).path]


def _copy(path: Path, copy: Path) -> None:
    """Copy a journal with its log. Raises OSError."""
    lock = None
    with suppress(OSError):
        # Whoever puts a journal in order moves files about; shared, a lock needs no permission.
        lock = os.open(path.with_suffix(".lock"), os.O_RDONLY)
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    try:
        waiting = pending(path)
        files = [*_files(path), *([] if waiting is None else [waiting])]
        for _try in range(TRIES):
            before = _state(files)
            for file in files:
                target = copy.with_name(file.name)
                target.unlink(missing_ok=True)
                with suppress(FileNotFoundError):
                    shutil.copyfile(file, target)
            if _state(files) == before:
                return
        # Somebody writes all the time. Whatever does not fit together is found when it is read.
    finally:
        if lock is not None:
            os.close(lock)


def _state(files: list[Path]) -> list[tuple[int, int, int] | None]:
    found: list[tuple[int, int, int] | None] = []
    for file in files:
        try:
            now = file.stat()
            found.append((now.st_ino, now.st_size, now.st_mtime_ns))
        except FileNotFoundError:
            found.append(None)
    return found
