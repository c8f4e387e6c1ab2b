"""The tables of the journal, its version, and the sums of its rows."""

from __future__ import annotations

import json
import sqlite3
import zlib

from companion.journal.entries import STATUSES, Header, JournalError
from companion.journal.events import Event, to_row

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

# As blobs, for damaged text may be no text at all.
_MATCH_SUM = "checksum(cast(id as blob), cast(header as blob))"
_EVENT_SUM = (
    "checksum(cast(match as blob), seq, cast(type as blob), cast(src as blob), cast(body as blob))"
)

NEW_MATCH = "insert into matches values (?, ?, ?, ?)"
NEW_EVENT = "insert into events values (?, ?, ?, ?, ?, ?, ?, ?)"


def connect(path: object, *, settled: bool = False) -> sqlite3.Connection:
    """A connection that begins no transactions unasked, and reads any text.

    ``settled``: the file is whole and only read; nothing is made beside it. What a foreign file's
    schema would like to have run is not run. Raises sqlite3.Error.
    """
    name = f"file:{_quoted(str(path))}?immutable=1" if settled else str(path)
    # The session thread owns the connection; whoever opened it hands it over once.
    db = sqlite3.connect(
        name, isolation_level=None, check_same_thread=False, timeout=5, uri=settled
    )
    db.text_factory = _readable_text
    db.create_function("checksum", -1, checksum, deterministic=True)
    db.execute("pragma trusted_schema = off")
    db.execute("pragma cell_size_check = on")
    return db


def check_version(db: sqlite3.Connection, path: object) -> bool:
    """Whether this is a journal of the present version; False if it is still empty.

    Raises JournalError for one of another version, DatabaseError for one whose version was damaged.
    """
    (version,) = db.execute("pragma user_version").fetchone()
    (seal,) = db.execute("pragma application_id").fetchone()
    # The number alone could have been changed by a single bit, and a whole journal be turned away.
    if version < 0 or ((seal or version == SCHEMA) and seal != _seal(version)):
        raise sqlite3.DatabaseError("its version was changed")
    if version > SCHEMA:
        raise JournalError(
            f"{path} was written by a newer Heelstone (journal version {version}); please update "
            "Heelstone"
        )
    if 0 < version < SCHEMA:
        raise JournalError(
            f"{path} was written by an older Heelstone (journal version {version}) and cannot be "
            "read; move it away, or choose another folder with --data"
        )
    return bool(version)


def prepare(db: sqlite3.Connection, path: object) -> None:
    """Make the tables in an empty file, all at once or not at all. Raises as ``check_version``.

    Raises JournalError for a file that cannot be written, too.
    """
    if check_version(db, path):
        return
    db.execute("begin immediate")
    try:
        # Looked at again: another program may have done it in the meantime.
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
            raise JournalError(
                f"the journal {path} cannot be begun: {error}; nothing was changed"
            ) from error
        raise


def verify(db: sqlite3.Connection) -> None:
    """Raises DatabaseError if an entry is not what was written."""
    words = ", ".join(f"'{word}'" for word in STATUSES)
    for query in (
        f"select id from matches where sum is not {_MATCH_SUM} or status not in ({words}) limit 1",
        f"select match || ', event ' || seq from events where sum is not {_EVENT_SUM} limit 1",
    ):
        for (which,) in db.execute(query):
            raise sqlite3.DatabaseError(f"match {which} was changed")


def checksum(*values: object) -> int:
    """CRC-32 of a row's values; found again only if all of them are unchanged."""
    texts = [v.decode("utf-8", "replace") if isinstance(v, bytes) else str(v) for v in values]
    return zlib.crc32("\0".join(texts).encode())


def match_row(header: Header, status: str) -> tuple[object, ...]:
    """What stands in the table of matches."""
    text = json.dumps(header.to_json())
    return (header.id, text, status, checksum(header.id, text))


def event_row(match_id: str, event: Event) -> tuple[object, ...]:
    """What stands in the table of events."""
    type, content = to_row(event.what)
    src, body = event.src.value, json.dumps(content)
    total = checksum(match_id, event.seq, type, src, body)
    return (match_id, event.seq, event.t_utc, event.mono, type, src, body, total)


def _seal(version: int) -> int:
    """The application id that goes with a version."""
    return zlib.crc32(f"Heelstone journal {version}".encode()) & 0x7FFFFFFF


def _readable_text(data: bytes) -> str:
    """Text of a damaged file may be no UTF-8; what is wrong with it is found where it is used."""
    return data.decode("utf-8", "replace")


def _quoted(path: str) -> str:
    return path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
