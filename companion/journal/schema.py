"""The tables of the journal, its versions, and what its rows must look like."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterable
from contextlib import closing
from functools import cache
from hashlib import blake2b
from pathlib import Path

from companion.journal.entries import Header, JournalError
from companion.journal.events import Event, to_row
from companion.words.errors import HeelstoneError, notice
from rules.errors import Sentence, sentence_of

# -- the chain of hashes ----------------------------------------------------------------------
#
# Every event of a match carries a hash over itself and the hash of the one before it. A changed
# letter, a missing event, a stale page and two that were swapped all break the chain. Its last hash
# stands with the match, so that a missing end is found as well. This finds damage, not forgery: a
# forger can write a new chain.
#
# Chained hashes: R. C. Merkle, "A Digital Signature Based on a Conventional Encryption Function"
# (1987); BLAKE2: RFC 7693.


def begun(match_id: str, header: str) -> int:
    """First hash of a match's chain, before its first event: 64 bits, signed."""
    return _hash(b"", f"{match_id}\0{header}")


def linked(
    before: int, seq: int, t_utc: float, mono: float, type: str, src: str, body: str
) -> int:  # fmt: skip
    """The hash of an event, ``before`` being that of the one before it: 64 bits, signed."""
    link = before.to_bytes(8, "big", signed=True)
    return _hash(link, f"{seq}\0{t_utc!r}\0{mono!r}\0{type}\0{src}\0{body}")


def checksum(*values: object) -> int:
    """CRC-32 of a row's values; found again only if all of them are unchanged."""
    texts = [v.decode("utf-8", "replace") if isinstance(v, bytes) else str(v) for v in values]
    return zlib.crc32("\0".join(texts).encode())


def _hash(link: bytes, text: str) -> int:
    found = blake2b(link + text.encode("utf-8", "replace"), digest_size=8)
    return int.from_bytes(found.digest(), "big", signed=True)


SCHEMA = 3
UPGRADABLE = 2
"""Version of files that are read and written anew."""

_MATCHES_2 = """create table matches (
    id text primary key,
    header text not null,
    status text not null,
    sum integer not null
) strict"""
_EVENTS_2 = """create table events (
    match text not null,
    seq integer not null,
    t_utc real not null,
    mono real not null,
    type text not null,
    src text not null,
    body text not null,
    sum integer not null,
    primary key (match, seq)
) strict, without rowid"""
# New columns come last: what a damaged file of the older version holds can be read with the first
# page of a newer one.
_MATCHES = """create table matches (
    id text primary key,
    header text not null,
    status text not null,
    sum integer not null,
    number integer not null,
    events integer not null,
    head integer not null,
    seal integer not null
) strict"""
_EVENTS = """create table events (
    match text not null,
    seq integer not null,
    t_utc real not null,
    mono real not null,
    type text not null,
    src text not null,
    body text not null,
    sum integer not null,
    chain integer not null,
    primary key (match, seq)
) strict, without rowid"""
LAYOUTS = {UPGRADABLE: (_MATCHES_2, _EVENTS_2), SCHEMA: (_MATCHES, _EVENTS)}

MATCH_COLUMNS = {
    UPGRADABLE: "id, header, status, sum, null, null, null, null",
    SCHEMA: "id, header, status, sum, number, events, head, seal",
}
EVENT_COLUMNS = {
    UPGRADABLE: "seq, t_utc, mono, type, src, body, sum, null",
    SCHEMA: "seq, t_utc, mono, type, src, body, sum, chain",
}
"""Columns that are read of the events, by version; ``null`` for those that it had not yet."""

LONGEST_ROW = 64 << 20
"""Maximum size of a row, bytes; no row of ours comes near it."""
STEPS_PER_BYTE, LEAST_STEPS = 2, 1_000_000
"""Steps of SQLite's machine that a file may ask for, by its size, if its rows are read one by one:
a row of sixty bytes takes fifteen steps."""


def connect(path: object, *, settled: bool = False) -> sqlite3.Connection:
    """A connection that begins no transactions by itself, and reads any text.

    ``settled``: the file is whole and only read; nothing is created beside it. Nothing in a foreign
    file's schema is executed. Raises sqlite3.Error.
    """
    name = f"file:{_quoted(str(path))}?immutable=1" if settled else str(path)
    # The session thread owns the connection; the thread that opened it hands it over once.
    db = sqlite3.connect(
        name, isolation_level=None, check_same_thread=False, timeout=5, uri=settled
    )
    db.text_factory = _readable_text
    db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_ROW)
    db.execute("pragma trusted_schema = off")
    db.execute("pragma cell_size_check = on")
    return db


def check_version(db: sqlite3.Connection, path: object) -> bool:
    """True if this is a journal of the current version; False if it is still empty.

    Raises OlderError for one that can be upgraded, JournalError for one of another version,
    DatabaseError for one whose version was damaged.
    """
    version = _version(db)
    if version > SCHEMA:
        raise JournalError("journal_newer", file=path, version=version)
    if version == UPGRADABLE:
        raise OlderError("journal_older", file=path, version=version)
    if 0 < version < SCHEMA:
        raise JournalError("journal_older", file=path, version=version)
    return bool(version)


def check_layout(db: sqlite3.Connection) -> None:
    """Raises DatabaseError if the file's tables are not exactly ours: a foreign trigger or view
    could delete what is written, or never end."""
    if _layout(db) != _made(SCHEMA):
        raise DamageError("layout_damaged")


def layout_of(db: sqlite3.Connection) -> int | None:
    """The version whose tables a file has exactly; None for any other."""
    found = _layout(db)
    return next((version for version in LAYOUTS if found == _made(version)), None)


def within_reason(db: sqlite3.Connection, path: Path) -> None:
    """Ends reading with an error where pages that lead in circles would never let it end."""
    left = LEAST_STEPS + STEPS_PER_BYTE * path.stat().st_size
    every = 10_000

    def step() -> bool:
        nonlocal left
        left -= every
        return left < 0

    db.set_progress_handler(step, every)


def prepare(db: sqlite3.Connection, path: object) -> None:
    """Make the tables in an empty file, all at once or not at all. Raises as ``check_version``.

    Raises JournalError for a file that cannot be written, too.
    """
    if check_version(db, path):
        return
    db.execute("begin immediate")
    try:
        # Checked again: another program may have done it in the meantime.
        if not check_version(db, path):
            for statement in LAYOUTS[SCHEMA]:
                db.execute(statement)
            db.execute(f"pragma user_version = {SCHEMA}")
            db.execute(f"pragma application_id = {seal_of(SCHEMA)}")
        db.execute("commit")
    except BaseException as error:
        if db.in_transaction:
            db.execute("rollback")
        if isinstance(error, sqlite3.OperationalError):
            raise JournalError("journal_unbegun", file=path, reason=in_words(error)) from error
        raise


class DamageError(HeelstoneError, sqlite3.DatabaseError):
    """A journal is not what was written, as we found out and not SQLite."""


class OlderError(JournalError):
    """A journal of an older version that can be upgraded."""


_FOUND = {
    sqlite3.SQLITE_NOTADB: "not_a_database", sqlite3.SQLITE_CORRUPT: "pages_unfit",
    sqlite3.SQLITE_ERROR: "layout_damaged", sqlite3.SQLITE_FULL: "disk_full",
    sqlite3.SQLITE_READONLY: "write_protected", sqlite3.SQLITE_CANTOPEN: "file_closed",
    sqlite3.SQLITE_BUSY: "database_held", sqlite3.SQLITE_LOCKED: "database_held",
    sqlite3.SQLITE_IOERR: "card_fails",
}  # fmt: skip
"""Complaints of SQLite, by the lower byte of its codes."""


def in_words(error: Exception) -> Sentence:
    """Sentence on a fault of a journal: SQLite's errors are told by their codes."""
    if not isinstance(error, sqlite3.Error) or isinstance(error, DamageError):
        return sentence_of(error)
    # What Python itself finds wrong with a connection has no code.
    told = _FOUND.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)
    return notice(told) if told else notice("sqlite_says", detail=str(error))


def match_row(header: Header, status: str, number: int) -> tuple[object, ...]:
    """Row of a match before its first event; ``number`` counts the matches, from 1."""
    text = json.dumps(header.to_json())
    head = begun(header.id, text)
    total = checksum(header.id, text)
    return (header.id, text, status, total, number, 0, head, sealed(total, status, number, 0, head))


def sealed(total: int, status: str, number: int, events: int, head: int) -> int:
    """Checksum over all that a row of matches says; ``total``: that of its id and header."""
    return checksum(total, status, number, events, head)


def event_row(match_id: str, event: Event, before: int) -> tuple[object, ...]:
    """Row of an event; ``before``: the hash of the event before it."""
    type, content = to_row(event.what)
    src, body = event.src.value, json.dumps(content)
    total = checksum(match_id, event.seq, type, src, body)
    t_utc, mono = float(event.t_utc), float(event.mono)
    chain = linked(before, event.seq, t_utc, mono, type, src, body)
    return (match_id, event.seq, t_utc, mono, type, src, body, total, chain)


def add_match(db: sqlite3.Connection, header: Header, status: str) -> None:
    """Write a match before its first event."""
    (number,) = db.execute("select count(*) + 1 from matches").fetchone()
    db.execute("insert into matches values (?, ?, ?, ?, ?, ?, ?, ?)",
               match_row(header, status, number))  # fmt: skip


def add_events(
    db: sqlite3.Connection, match_id: str, events: Iterable[Event], status: str | None = None
) -> None:
    """Write the next events of a match, and how it stands then; None: as before."""
    kept = _kept(db, match_id)
    if kept is None:
        raise JournalError("no_match", match=match_id)
    total, before, number, count, head = kept
    rows = []
    for event in events:
        row = event_row(match_id, event, head)
        head, count = int(str(row[-1])), count + 1
        rows.append(row)
    db.executemany("insert into events values (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
    _stand(db, match_id, total, status or before, number, count, head)


def keep_status(db: sqlite3.Connection, match_id: str, status: str) -> None:
    """Write how a match stands; nothing happens if there is none of that id."""
    if (kept := _kept(db, match_id)) is not None:
        total, _before, number, count, head = kept
        _stand(db, match_id, total, status, number, count, head)


def _kept(db: sqlite3.Connection, match_id: str) -> tuple[int, str, int, int, int] | None:
    found: tuple[int, str, int, int, int] | None = db.execute(
        "select sum, status, number, events, head from matches where id = ?", (match_id,)
    ).fetchone()
    return found


def _stand(
    db: sqlite3.Connection, match_id: str,
    total: int, status: str, number: int, count: int, head: int,
) -> None:  # fmt: skip
    db.execute(
        "update matches set status = ?, events = ?, head = ?, seal = ? where id = ?",
        (status, count, head, sealed(total, status, number, count, head), match_id),
    )


def _version(db: sqlite3.Connection) -> int:
    """The file's version; raises DatabaseError if it was damaged."""
    (version,) = db.execute("pragma user_version").fetchone()
    (seal,) = db.execute("pragma application_id").fetchone()
    # A single flipped bit could have changed the number, and a whole journal would be turned away.
    if version < 0 or ((seal or version == SCHEMA) and seal != seal_of(version)):
        raise DamageError("version_changed")
    return int(version)


def _layout(db: sqlite3.Connection) -> list[tuple[str, str, str]]:
    """Type, name and text of everything that a file declares."""
    return db.execute(
        "select type, name, coalesce(sql, '') from sqlite_master order by type, name"
    ).fetchall()


@cache
def _made(version: int) -> list[tuple[str, str, str]]:
    """Layout of a file of ours, as ``_layout`` finds it."""
    with closing(sqlite3.connect(":memory:")) as db:
        for statement in LAYOUTS[version]:
            db.execute(statement)
        return _layout(db)


def seal_of(version: int) -> int:
    """The application id that goes with a version."""
    return zlib.crc32(f"Heelstone journal {version}".encode()) & 0x7FFFFFFF


def _readable_text(data: bytes) -> str:
    """Text of a damaged file may not be UTF-8; what is wrong with it is found where it is used."""
    return data.decode("utf-8", "replace")


def _quoted(path: str) -> str:
    return path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
