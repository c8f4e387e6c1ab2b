"""The tables of the journal, its version, and the checksums of its rows."""

from __future__ import annotations

import json
import sqlite3
import zlib

from companion.journal.entries import STATUSES, Header, JournalError
from companion.journal.events import Event, to_row
from companion.words.errors import HeelstoneError, notice
from rules.errors import Sentence, sentence_of

__all__ = [
    "NEW_EVENT",
    "NEW_MATCH",
    "SCHEMA",
    "check_version",
    "checksum",
    "connect",
    "event_row",
    "match_row",
    "prepare",
    "verify",
]

SCHEMA = 2

_TABLES = """
create table matches (
    id text primary key,
    header text not null,
    status text not null,
    sum integer not null
) strict;
create table events (
    match text not null,
    seq integer not null,
    t_utc real not null,
    mono real not null,
    type text not null,
    src text not null,
    body text not null,
    sum integer not null,
    primary key (match, seq)
) strict, without rowid;
"""

# As blobs, since damaged text may not be text at all.
_MATCH_SUM = "checksum(cast(id as blob), cast(header as blob))"
_EVENT_SUM = (
    "checksum(cast(match as blob), seq, cast(type as blob), cast(src as blob), cast(body as blob))"
)

NEW_MATCH = "insert into matches values (?, ?, ?, ?)"
NEW_EVENT = "insert into events values (?, ?, ?, ?, ?, ?, ?, ?)"


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
    db.create_function("checksum", -1, checksum, deterministic=True)
    db.execute("pragma trusted_schema = off")
    db.execute("pragma cell_size_check = on")
    return db


def check_version(db: sqlite3.Connection, path: object) -> bool:
    """Whether this is a journal of the current version; False if it is still empty.

    Raises JournalError for one of another version, DatabaseError for one whose version was damaged.
    """
    (version,) = db.execute("pragma user_version").fetchone()
    (seal,) = db.execute("pragma application_id").fetchone()
    # A single flipped bit could have changed the number, and a whole journal would be turned away.
    if version < 0 or ((seal or version == SCHEMA) and seal != _seal(version)):
        raise DamageError("version_changed")
    if version > SCHEMA:
        raise JournalError("journal_newer", file=path, version=version)
    if 0 < version < SCHEMA:
        raise JournalError("journal_older", file=path, version=version)
    return bool(version)


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
            for statement in _TABLES.split(";"):
                db.execute(statement)
            db.execute(f"pragma user_version = {SCHEMA}")
            db.execute(f"pragma application_id = {_seal(SCHEMA)}")
        db.execute("commit")
    except BaseException as error:
        if db.in_transaction:
            db.execute("rollback")
        if isinstance(error, sqlite3.OperationalError):
            raise JournalError("journal_unbegun", file=path, reason=in_words(error)) from error
        raise


class DamageError(HeelstoneError, sqlite3.DatabaseError):
    """A journal is not what was written, as we found out and not SQLite."""


_FOUND = {
    sqlite3.SQLITE_NOTADB: "not_a_database", sqlite3.SQLITE_CORRUPT: "pages_unfit",
    sqlite3.SQLITE_ERROR: "layout_damaged", sqlite3.SQLITE_FULL: "disk_full",
    sqlite3.SQLITE_READONLY: "write_protected", sqlite3.SQLITE_CANTOPEN: "file_closed",
    sqlite3.SQLITE_BUSY: "database_held", sqlite3.SQLITE_LOCKED: "database_held",
    sqlite3.SQLITE_IOERR: "card_fails",
}  # fmt: skip
"""What SQLite complains of, by the lower byte of its codes."""


def in_words(error: Exception) -> Sentence:
    """What is wrong with a journal: SQLite's errors are told by their codes."""
    if not isinstance(error, sqlite3.Error) or isinstance(error, DamageError):
        return sentence_of(error)
    # What Python itself finds wrong with a connection has no code.
    told = _FOUND.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)
    return notice(told) if told else notice("sqlite_says", detail=str(error))


def verify(db: sqlite3.Connection) -> None:
    """Raises DatabaseError if an entry is not what was written."""
    words = ", ".join(f"'{word}'" for word in STATUSES)
    query = f"select id from matches where sum is not {_MATCH_SUM} or status not in ({words})"
    for (match,) in db.execute(f"{query} limit 1"):
        raise DamageError("match_changed", match=match)
    query = f"select match, seq from events where sum is not {_EVENT_SUM}"
    for match, event in db.execute(f"{query} limit 1"):
        raise DamageError("event_changed", match=match, event=event)


def checksum(*values: object) -> int:
    """CRC-32 of a row's values; found again only if all of them are unchanged."""
    texts = [v.decode("utf-8", "replace") if isinstance(v, bytes) else str(v) for v in values]
    return zlib.crc32("\0".join(texts).encode())


def match_row(header: Header, status: str) -> tuple[object, ...]:
    """What is in the table of matches."""
    text = json.dumps(header.to_json())
    return (header.id, text, status, checksum(header.id, text))


def event_row(match_id: str, event: Event) -> tuple[object, ...]:
    """What is in the table of events."""
    type, content = to_row(event.what)
    src, body = event.src.value, json.dumps(content)
    total = checksum(match_id, event.seq, type, src, body)
    return (match_id, event.seq, event.t_utc, event.mono, type, src, body, total)


def _seal(version: int) -> int:
    """The application id that goes with a version."""
    return zlib.crc32(f"Heelstone journal {version}".encode()) & 0x7FFFFFFF


def _readable_text(data: bytes) -> str:
    """Text of a damaged file may not be UTF-8; what is wrong with it is found where it is used."""
    return data.decode("utf-8", "replace")


def _quoted(path: str) -> str:
    return path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
