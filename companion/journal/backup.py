"""Copies of the journal: whole ones, taken while people play, a few of them kept."""

from __future__ import annotations

import errno
import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

from companion.journal.entries import JournalError
from companion.journal.lock import FolderLock, JournalLock
from companion.journal.mark import JournalMark
from companion.journal.reserve import AMPLE, free_bytes
from companion.journal.salvage import RESTORED, TORN, finish, next_journal, pending, read_anew
from companion.journal.schema import (
    DamageError,
    OlderError,
    check_version,
    connect,
    in_words,
    layout_of,
)
from companion.settings.writing import settle_folder, writing

_OURS = re.compile(r"journal-(\d{8}-\d{6})(?:-(\d{1,9}))?\.db")
"""Names of our own copies, and of no other file beside them."""
COPYING_S = 120.0
"""Maximum wait for a program that makes a copy, seconds: that of a large journal onto a slow
stick."""
_DRAFT = re.compile(r"journal-\d{8}-\d{6}(?:-\d{1,9})?\.part(?:-journal|-wal|-shm)?")


def back_up(journal: Path, folder: Path, keep: int, now: datetime | None = None) -> Path:
    """Copy the journal into ``folder``; of all copies there the newest ``keep`` stay.

    The copy gets its name only when it is whole and was read once, so a torn one is never taken
    for a good one, and old copies go only after that. Returns its path. Raises JournalError,
    WriteError.
    """
    if not journal.exists():
        raise JournalError("nothing_to_copy", file=journal)
    moment = now or datetime.now(UTC)

    def waiting(seconds: float) -> None:
        if seconds > COPYING_S:
            raise JournalError("copying_elsewhere", folder=folder)

    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        lock = FolderLock(folder, waiting)
        try:
            return _back_up(journal, folder, keep, moment)
        finally:
            lock.close()


def _back_up(journal: Path, folder: Path, keep: int, moment: datetime) -> Path:
    """As ``back_up``, in a folder into which no other program copies meanwhile."""
    path = _next(folder, f"{moment:%Y%m%d-%H%M%S}")
    if free_bytes(folder) - journal.stat().st_size < AMPLE:
        # On a card that is nearly full, the next moves come before a copy of the last ones.
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    # The remains of a copy that the power cut short.
    for torn in folder.iterdir():
        if _DRAFT.fullmatch(torn.name):
            torn.unlink()
    draft = path.with_suffix(".part")
    try:
        _copy(journal, draft)
        draft.replace(path)
        settle_folder(folder)
    except TORN as error:
        draft.unlink(missing_ok=True)
        raise JournalError(
            "copy_failed", file=journal, folder=folder, reason=in_words(error)
        ) from error
    for _order, old in sorted(_copies(folder))[:-keep]:
        old.unlink()
    return path


def restore(copy: Path, journal: Path) -> Path | None:
    """Put a copy in the journal's place; returns where the current one was set aside, if any.

    Whenever the power goes, the old one or the new one is there at the next start. Raises
    JournalError if the copy is not a whole journal or another program has the journal open; nothing
    has been changed then.
    """
    if not copy.is_file():
        raise JournalError("no_copy", file=copy)
    lock = JournalLock(journal)
    try:
        if not lock.alone():
            raise JournalError("journal_in_use", file=journal)
        return _restore(copy, journal)
    finally:
        lock.close()


def _restore(copy: Path, journal: Path) -> Path | None:
    if pending(journal) is not None:
        finish(journal)
    draft = journal.with_suffix(".part")
    scratch = journal.with_name(f"{journal.stem}-copy.part")
    try:
        journal.parent.mkdir(parents=True, exist_ok=True)
        _fetch(copy, scratch)
        with closing(connect(scratch)) as db, suppress(OlderError):
            check_version(db, copy)
        read_anew(scratch, draft)
    except JournalError:
        draft.unlink(missing_ok=True)
        raise
    except TORN as error:
        draft.unlink(missing_ok=True)
        raise JournalError("copy_broken", file=copy, reason=in_words(error)) from error
    finally:
        scratch.unlink(missing_ok=True)
    before = journal.exists()
    # What is still in the log beside the file belongs to it, and goes with it if it cannot be read.
    if before:
        with suppress(*TORN), closing(sqlite3.connect(journal)) as db:
            db.execute("pragma wal_checkpoint(truncate)")
    JournalMark(journal).forget()
    draft.replace(next_journal(journal, RESTORED))
    settle_folder(journal.parent)
    aside, _ = finish(journal)
    return aside if before else None


def _copy(source: Path, target: Path, way: str = "mode=ro") -> None:
    """Copy a journal page by page, with what is in its log. Raises DatabaseError."""
    target.unlink(missing_ok=True)
    with (
        closing(sqlite3.connect(f"file:{_quoted(source)}?{way}", uri=True)) as old,
        closing(connect(target)) as new,
    ):
        old.backup(new)
        _check(new)


def _fetch(copy: Path, target: Path) -> None:
    """The same of a copy to be restored; nothing is left beside it. Raises DatabaseError."""
    log, index = (copy.with_name(copy.name + end) for end in ("-wal", "-shm"))
    if not log.exists():
        # It is a file like any other. SQLite would begin a log: on a stick that may only be read
        # it cannot, and anywhere else it would stay.
        _copy(copy, target, "immutable=1")
        return
    had_index = index.exists()
    try:
        _copy(copy, target)
    finally:
        if not had_index:
            index.unlink(missing_ok=True)


def _check(new: sqlite3.Connection) -> None:
    """Raises DatabaseError if it is no whole journal."""
    # Before anything is asked of it: a layout of somebody else's may never answer.
    if layout_of(new) is None:
        raise DamageError("layout_foreign")
    (told,) = new.execute("pragma integrity_check(1)").fetchone()
    if told != "ok":
        raise DamageError("pages_unfit")


def _quoted(path: Path) -> str:
    return str(path).replace("%", "%25").replace("?", "%3f").replace("#", "%23")


def _copies(folder: Path) -> Iterator[tuple[tuple[str, int], Path]]:
    """Our copies in ``folder``, with what they are sorted by."""
    for path in folder.iterdir():
        if ours := _OURS.fullmatch(path.name):
            yield (ours[1], int(ours[2] or 1)), path


def _next(folder: Path, stamp: str) -> Path:
    """A path in ``folder`` that sorts behind all others there.

    A Raspberry Pi that lost its clock must not throw away its newest copies for old.
    """
    newest = max((order for order, _ in _copies(folder)), default=("", 0))
    if stamp > newest[0]:
        return folder / f"journal-{stamp}.db"
    return folder / f"journal-{newest[0]}-{newest[1] + 1}.db"
