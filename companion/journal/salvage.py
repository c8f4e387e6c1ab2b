"""A damaged journal: what can still be read of it takes its place, and it is set aside untouched.

Damage is read in copies. What is to take the journal's place is complete in a separate file before
anything is moved, so that the next start makes up for a power cut in the middle: ``finish``
continues where it was.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from companion.journal.checking import verify
from companion.journal.entries import ABANDONED, FINISHED, OPEN, STATUSES, JournalError
from companion.journal.schema import (
    EVENT_COLUMNS,
    MATCH_COLUMNS,
    SCHEMA,
    DamageError,
    begun,
    checksum,
    connect,
    in_words,
    layout_of,
    linked,
    prepare,
    sealed,
    within_reason,
)
from companion.settings.writing import settle_folder
from companion.words.errors import notice
from rules.errors import Sentence, because

PAGE = 4096
TAILS = ("", "-wal", "-shm", "-journal")
RESCUED, RESTORED, UPGRADED = "rescued", "restored", "upgraded"
"""Reasons why a file takes the journal's place, as words in its name."""
_ASIDE = {RESCUED: "damaged", RESTORED: "before-restore", UPGRADED: "before-upgrade"}
"""Words in the name that the current file is then given."""
TORN = (sqlite3.Error, UnicodeDecodeError)
"""Exceptions from a damaged file: it can even break SQLite's error messages."""
MOST_MISSES = 256
"""Number of unreadable rows after which there is nothing: more than a page has room for."""

_ELSEWHERE = frozenset(
    getattr(sqlite3, f"SQLITE_{name}")
    for name in ("AUTH", "BUSY", "CANTOPEN", "FULL", "INTERRUPT", "IOERR", "LOCKED", "NOLFS",
                 "NOMEM", "PERM", "PROTOCOL", "READONLY")
)  # fmt: skip
"""Codes of trouble with the disk, the folder or another program: the file itself may be whole."""
_UNREADABLE = frozenset(
    getattr(sqlite3, f"SQLITE_IOERR_{name}")
    for name in ("CORRUPTFS", "DATA", "READ", "SHORT_READ")
)  # fmt: skip
"""Codes of a card that no longer returns what was written to it."""


def is_damage(error: Exception) -> bool:
    """True if the file is to blame, and not what is around it."""
    code = getattr(error, "sqlite_errorcode", None)
    if code is None or code in _UNREADABLE:
        return True
    return code & 0xFF not in _ELSEWHERE


def is_emptied(path: Path) -> bool:
    """True if nothing is left of a journal; SQLite would begin a new one and delete its log."""
    with suppress(FileNotFoundError):
        return path.stat().st_size == 0 and (_longer(path, "-wal") or _marked(path))
    return False


def rescue(path: Path, reason: Sentence) -> Sentence:
    """Put what can be read of a damaged journal in its place; returns what happened.

    The caller holds the journal alone. Raises JournalError if there is no room for it; nothing has
    been changed then.
    """
    copy, draft = path.with_name(f"{path.stem}-copy.part"), path.with_suffix(".part")
    try:
        saved = -1
        for renewed in (False, True):
            candidate = draft.with_suffix(f".part{int(renewed)}")
            _drop(copy, candidate)
            _copy(path, copy, renewed=renewed)
            found = _read_into(copy, candidate, renewed=renewed)
            if found > saved:
                saved = found
                candidate.replace(draft)
            _drop(copy, candidate)
        draft.replace(next_journal(path, RESCUED))
        settle_folder(path.parent)
    except (OSError, *TORN, JournalError) as error:
        _drop(copy, draft, draft.with_suffix(".part0"), draft.with_suffix(".part1"))
        raise JournalError(
            "journal_unmended", file=path, damage=reason, reason=in_words(error)
        ) from error
    return _told(*finish(path), reason)


def upgrade(path: Path) -> Sentence:
    """Write a journal of an older version anew; returns what happened. All of it, or it counts as
    damaged: then raises DatabaseError and has changed nothing.

    The caller holds the journal alone.
    """
    draft = path.with_suffix(".part")
    try:
        read_anew(path, draft)
    except BaseException:
        _drop(draft)
        raise
    draft.replace(next_journal(path, UPGRADED))
    settle_folder(path.parent)
    aside, events = finish(path)
    return notice("journal_upgraded", aside=aside.name, events=events)


def read_anew(path: Path, target: Path) -> None:
    """Write all that is in a whole journal of any version that is known into a new file.

    Nothing but rows is taken over: no foreign trigger, view or index. Raises DatabaseError if an
    entry is not as it was written or one is missing, and for a foreign layout.
    """
    _drop(target)
    with closing(connect(path)) as old, closing(connect(target)) as new:
        within_reason(old, path)
        version = layout_of(old)
        if version is None:
            raise DamageError("layout_foreign")
        if version == SCHEMA:
            verify(old)
        new.execute("pragma synchronous = extra")
        prepare(new, target)
        new.execute("begin immediate")
        for match in _matches(old, version):
            _save(old, new, match, version)
        new.execute("commit")
        for table in ("matches", "events"):
            (there,), (taken,) = (
                db.execute(f"select count(*) from {table}").fetchone() for db in (old, new)
            )
            if there != taken:
                raise DamageError("entries_misfit", there=there, taken=taken)


def next_journal(path: Path, why: str) -> Path:
    """The name under which ``finish`` finds a whole file that is to take the journal's place."""
    stamp = f"{time.strftime('%Y%m%d-%H%M%S')}-{os.urandom(2).hex()}"
    return path.with_name(f"{path.stem}-{why}-{stamp}{path.suffix}")


def pending(path: Path) -> Path | None:
    """A whole file that is to take the journal's place, if there is one."""
    for why in _ASIDE:
        for whole in sorted(path.parent.glob(f"{path.stem}-{why}-*{path.suffix}")):
            return whole
    return None


def finish(path: Path) -> tuple[Path, int]:
    """Put the pending file in the journal's place, as far as that is still to do.

    The caller holds the journal alone. Returns where the current one was set aside, and how many
    events there are from now on.
    """
    whole = pending(path)
    assert whole is not None
    why, stamp = whole.stem.removeprefix(f"{path.stem}-").split("-", 1)
    aside = path.with_name(f"{path.stem}-{_ASIDE[why]}-{stamp}{path.suffix}")
    for tail in TAILS:
        with suppress(FileNotFoundError):
            Path(f"{path}{tail}").rename(f"{aside}{tail}")
    with closing(connect(whole, settled=True)) as db:
        (events,) = db.execute("select count(*) from events").fetchone()
    whole.rename(path)
    settle_folder(path.parent)
    return aside, int(events)


def finish_in_words(path: Path) -> Sentence | None:
    """``finish`` what an earlier start began; returns what happened, if it is news."""
    whole = pending(path)
    assert whole is not None
    aside, events = finish(path)
    if whole.stem.startswith(f"{path.stem}-{UPGRADED}-"):
        return notice("journal_upgraded", aside=aside.name, events=events)
    rescued = whole.stem.startswith(f"{path.stem}-{RESCUED}-")
    return _told(aside, events, notice("found_earlier")) if rescued else None


def _told(aside: Path, events: int, reason: Sentence) -> Sentence:
    told = because(reason)
    return notice("journal_set_aside", because=told, aside=aside.name, events=events)


def _copy(path: Path, target: Path, *, renewed: bool) -> None:
    """Copy a journal and its log, with zeros for what cannot be read.

    ``renewed``: its first page, which says where all others are, is that of a fresh journal.
    """
    for tail in ("", "-wal", "-journal"):
        source = Path(f"{path}{tail}")
        if source.exists():
            _copy_readable(source, Path(f"{target}{tail}"))
    if renewed:
        first = _first_page(target.with_name(f"{target.name}-fresh"))
        pages = max(target.stat().st_size // PAGE, 1)
        # Where the header has the number of pages; 2, 2: what is in the log counts too.
        head = first[:18] + b"\2\2" + first[20:28] + pages.to_bytes(4, "big") + first[32:]
        with target.open("r+b") as file:
            file.write(head)


def _copy_readable(source: Path, target: Path) -> None:
    with source.open("rb", buffering=0) as old, target.open("wb") as new:
        size = os.fstat(old.fileno()).st_size
        for place in range(0, size, PAGE):
            length = min(PAGE, size - place)
            try:
                data = os.pread(old.fileno(), length, place)
            except OSError:
                # A worn card refuses single sectors; what is around them is still wanted.
                data = b""
            new.write(data.ljust(length, b"\0"))


def _first_page(scratch: Path) -> bytes:
    """The first page of an empty journal."""
    _drop(scratch)
    try:
        with closing(connect(scratch)) as db:
            db.execute(f"pragma page_size = {PAGE}")
            prepare(db, scratch)
        return scratch.read_bytes()[:PAGE]
    finally:
        _drop(scratch)


def _read_into(damaged: Path, target: Path, *, renewed: bool) -> int:
    """Copy whatever can still be read into a new journal; returns the number of events.

    ``renewed``: its first page is that of a journal of today.
    """
    saved = 0
    with closing(connect(target)) as db:
        db.execute("pragma synchronous = extra")
        prepare(db, target)
        with closing(connect(damaged)) as old:
            within_reason(old, damaged)
            version = SCHEMA if renewed else _readable_as(old)
            if version is None:
                return -1
            db.execute("begin immediate")
            for match in _matches(old, version):
                saved += _save(old, db, match, version)
            db.execute("commit")
    return saved


def _readable_as(old: sqlite3.Connection) -> int | None:
    """The version as which a damaged file can be read; None for whatever is not ours."""
    with suppress(*TORN):
        return layout_of(old)
    return None


def _matches(old: sqlite3.Connection, version: int) -> Iterator[tuple[Any, ...]]:
    """Rows of the table of matches; after a page that cannot be read others may follow."""
    query = f"select rowid, {MATCH_COLUMNS[version]} from matches where rowid > ? order by rowid"
    last = misses = 0
    while misses < MOST_MISSES:
        try:
            for row in old.execute(query, (last,)):
                last, misses = row[0], 0
                yield row[1:]
            return
        except TORN:
            last, misses = last + 1, misses + 1


def _save(
    old: sqlite3.Connection, db: sqlite3.Connection, match: tuple[Any, ...], version: int
) -> int:
    """One match with its events up to the first that is damaged; returns how many these are."""
    match_id, header, status, total, _number, _events, stood, _seal = match
    if total != checksum(match_id, header):
        return 0
    rows = _whole(match_id, header, _events_of(old, match_id, version), stood)
    ended = False
    for row in rows:
        ended = row[3] == "end" or (ended and row[3] not in ("move", "takeback"))
    status = status if status in STATUSES else OPEN
    if status == FINISHED and not ended:
        # An evening of last year must not ask to be resumed because it lost its end.
        status = ABANDONED
    elif ended and status == OPEN:
        # The page that said so was an older one.
        status = FINISHED
    (number,) = db.execute("select count(*) + 1 from matches").fetchone()
    head, written = begun(match_id, header), []
    for seq, t_utc, mono, type, src, body, of_row, _chain in rows:
        head = linked(head, seq, t_utc, mono, type, src, body)
        written.append((match_id, seq, t_utc, mono, type, src, body, of_row, head))
    seal = sealed(total, status, number, len(written), head)
    try:
        db.execute("insert into matches values (?, ?, ?, ?, ?, ?, ?, ?)",
                   (match_id, header, status, total, number, len(written), head, seal))  # fmt: skip
        db.executemany("insert into events values (?, ?, ?, ?, ?, ?, ?, ?, ?)", written)
    except sqlite3.IntegrityError:
        # The same match once more, from a page that lies there twice.
        return 0
    return len(written)


def _events_of(old: sqlite3.Connection, match_id: str, version: int) -> list[tuple[Any, ...]]:
    """The events of a match as far as they can be read."""
    query = f"select {EVENT_COLUMNS[version]} from events where match = ? order by seq"
    rows: list[tuple[Any, ...]] = []
    with suppress(*TORN):
        rows.extend(old.execute(query, (match_id,)))
    return rows


def _whole(
    match_id: str, header: str, rows: list[tuple[Any, ...]], head: object
) -> list[tuple[Any, ...]]:
    """``rows`` up to the first that is not what was written. ``head``: the hash of the last.

    A gap would change the meaning of everything after it. If only the time of an event was
    damaged, its own hash is right, for it is that on which the next one rests; it counts as
    unknown then.
    """
    whole: list[tuple[Any, ...]] = []
    last: object = begun(match_id, header)
    for place, row in enumerate(rows):
        seq, t_utc, mono, type, src, body, total, chain = row
        fits = seq == place + 1 and total == checksum(match_id, seq, type, src, body)
        times = isinstance(t_utc, float) and isinstance(mono, float)
        if not fits:
            break
        linked_right = chain is None or chain == _linked(last, row)
        if times and linked_right:
            whole.append(row)
        elif linked_right or _rests_on(rows[place + 1 : place + 2], chain, head):
            whole.append((seq, 0.0, 0.0, type, src, body, total, chain))
        else:
            break
        last = chain
    return whole


def _rests_on(after: list[tuple[Any, ...]], chain: object, head: object) -> bool:
    """True if the events after one confirm that its hash was ``chain``."""
    if not after:
        return chain == head
    return bool(after[0][-1] == _linked(chain, after[0]))


def _linked(before: object, row: tuple[Any, ...]) -> int | None:
    return linked(before, *row[:6]) if isinstance(before, int) else None


def _drop(*paths: Path) -> None:
    for path in paths:
        for tail in TAILS:
            Path(f"{path}{tail}").unlink(missing_ok=True)


def _longer(path: Path, tail: str) -> bool:
    with suppress(FileNotFoundError):
        return Path(f"{path}{tail}").stat().st_size > 0
    return False


def _marked(path: Path) -> bool:
    return path.with_suffix(".mark").exists()
