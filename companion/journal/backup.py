"""Copies of the journal: whole ones, taken while people play, a few of them kept."""

from __future__ import annotations

import logging
import sqlite3
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

from companion.journal.entries import JournalError
from companion.journal.lock import JournalLock
from companion.journal.mark import JournalMark
from companion.journal.salvage import RESTORED, TORN, finish, next_journal, pending
from companion.journal.schema import DamageError, check_version, in_words
from companion.settings.writing import settle_folder

log = logging.getLogger(__name__)

__all__ = ["back_up", "restore"]

PATTERN = "journal-*.db"


def back_up(journal: Path, folder: Path, keep: int, now: datetime | None = None) -> Path:
    """Copy the journal into ``folder``; of all copies there the newest ``keep`` stay.

    The copy gets its name only when it is whole and was read once, so a torn one is never taken
    for a good one, and old copies go only after that. Returns its path. Raises JournalError.
    """
    if not journal.exists():
        raise JournalError("nothing_to_copy", file=journal)
    moment = now or datetime.now(UTC)
    folder.mkdir(parents=True, exist_ok=True)
    path = _free(folder, f"journal-{moment:%Y%m%d-%H%M%S}")
    # The remains of a copy that the power cut short.
    for torn in folder.glob("journal-*.part*"):
        torn.unlink()
    draft = path.with_suffix(".part")
    try:
        _copy(journal, draft)
        draft.replace(path)
        settle_folder(folder)
    except TORN as error:
        draft.unlink(missing_ok=True)
        raise JournalError("copy_failed", file=journal, reason=in_words(error)) from error
    # By name, not by time: a Raspberry Pi that lost its clock must not throw away the newest.
    copies = sorted(folder.glob(PATTERN))
    for old in copies[: max(len(copies) - keep, 0)]:
        if old != path:
            old.unlink()
    return path


def restore(copy: Path, journal: Path) -> Path | None:
    """Put a copy in the journal's place; returns where the current one was set aside, if any.

    Whenever the power goes, the old one or the new one is there at the next start. Raises
    JournalError if the copy is not a whole journal or somebody has the journal open; nothing has
    been changed then.
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
    try:
        journal.parent.mkdir(parents=True, exist_ok=True)
        _copy(copy, draft)
        with closing(sqlite3.connect(draft)) as db:
            check_version(db, copy)
            db.execute("select count(*) from matches, events").fetchone()
    except JournalError:
        draft.unlink(missing_ok=True)
        raise
    except TORN as error:
        draft.unlink(missing_ok=True)
        raise JournalError("copy_broken", file=copy, reason=in_words(error)) from error
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


def _copy(source: Path, target: Path) -> None:
    target.unlink(missing_ok=True)
    with (
        closing(sqlite3.connect(f"file:{_quoted(source)}?mode=ro", uri=True)) as old,
        closing(sqlite3.connect(target)) as new,
    ):
        old.backup(new)
        (told,) = new.execute("pragma integrity_check").fetchone()
        if told != "ok":
            log.info("%s: %s", target, told)
            raise DamageError("pages_unfit")


def _quoted(path: Path) -> str:
    return str(path).replace("%", "%25").replace("?", "%3f").replace("#", "%23")


def _free(folder: Path, name: str) -> Path:
    """A path in ``folder`` that is not taken; names sort in the order they were given."""
    path, number = folder / f"{name}.db", 2
    while path.exists():
        path, number = folder / f"{name}-{number}.db", number + 1
    return path
