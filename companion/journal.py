"""The journal: the append-only record of every match, in one SQLite file.

State is replay: a match is its header plus the fold of its events. Every event is on the disk
(WAL, ``synchronous=FULL``) before ``append`` returns, and only then may anybody hear of it. Events
are ordered by their number, never by a clock, for a Raspberry Pi has none that can be trusted.
"""

from __future__ import annotations

import json
import logging
import sqlite3
import time
import uuid
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from companion.journal_mark import JournalMark, Reached
from rules.core import GameError, Move
from rules.games import game_on_board
from rules.match import Entry, Match

__all__ = ["Event", "Header", "Journal", "JournalError", "MatchSummary", "read_export"]

log = logging.getLogger(__name__)

SCHEMA = 2
EXPORT_FORMAT = 1
MAX_IMPORT_BYTES = 16 << 20
MAX_IMPORT_EVENTS = 400_000

OPEN, FINISHED, ABANDONED = "open", "finished", "abandoned"

_TABLES = """
create table if not exists matches (
    id text primary key,
    header text not null,
    status text not null,
    sum integer not null
) strict;
create table if not exists events (
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

_MIGRATIONS = {
    # SQLite notices torn pages but not a letter that changed within one; sums notice that too.
    1: (
        "alter table matches add column sum integer not null default 0",
        "alter table events add column sum integer not null default 0",
        f"update matches set sum = {_MATCH_SUM}",
        f"update events set sum = {_EVENT_SUM}",
    ),
}
"""By the version they start from: what makes the next version of it."""

_NEW_MATCH = "insert into matches values (?, ?, ?, ?)"
_NEW_EVENT = "insert into events values (?, ?, ?, ?, ?, ?, ?, ?)"


class JournalError(Exception):
    """The journal cannot be read or written; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Header:
    """What a match started with; everything its replay needs."""

    id: str
    game: str
    players: int
    options: Mapping[str, str]
    physical: bool
    seed: str
    names: tuple[str, ...]
    enforcement: str
    created_s: float
    """Seconds since the epoch, as far as the clock was right."""
    series: str = ""
    """Id shared by the matches of one series, empty for a single match."""
    course: str = ""
    """Name of a course of one's own (Rollende Steine), else empty."""
    commit: str = ""
    """How a recognised move is agreed: ``stillness`` or ``button``; empty: as the settings say."""
    board: str = ""
    """Played on a board of one's own: the whole file of it, so that the match replays anywhere."""

    def to_json(self) -> dict[str, Any]:
        """Plain JSON data."""
        return {
            "id": self.id,
            "game": self.game,
            "players": self.players,
            "options": dict(self.options),
            "physical": self.physical,
            "seed": self.seed,
            "names": list(self.names),
            "enforcement": self.enforcement,
            "created": self.created_s,
            "series": self.series,
            "course": self.course,
            "commit": self.commit,
            **({"board": self.board} if self.board else {}),
        }

    @classmethod
    def from_json(cls, data: Any) -> Self:
        """Read ``to_json()`` back; raises JournalError.

        A board of one's own is known to the rules from then on.
        """
        try:
            header = cls(
                id=str(data["id"]),
                game=str(data["game"]),
                players=int(data["players"]),
                options={str(k): str(v) for k, v in data["options"].items()},
                physical=bool(data["physical"]),
                seed=str(data["seed"]),
                names=tuple(str(name) for name in data["names"]),
                enforcement=str(data["enforcement"]),
                created_s=float(data["created"]),
                series=str(data.get("series", "")),
                course=str(data.get("course", "")),
                commit=str(data.get("commit", "")),
                board=str(data.get("board", "")),
            )
        except (KeyError, TypeError, ValueError, OverflowError, AttributeError) as error:
            raise JournalError(f"this is no header of a match: {error!r}") from error
        if header.board:
            base, where = header.game.partition("@")[0], f"the board of match {header.id}"
            try:
                game = game_on_board(base, header.board, where)
            except GameError as error:
                raise JournalError(str(error)) from error
            if game.id != header.game:
                raise JournalError(f"{where} is not the one the match was played on")
        return header


@dataclass(frozen=True, slots=True)
class Event:
    """One entry of the journal."""

    seq: int
    type: str
    """``move``, ``takeback``, ``penalty``, ``amended`` or ``end``.

    ``amended`` says that what follows it puts a wrong entry right; it changes nothing itself.
    """
    src: str
    """Who brought it about: ``camera``, ``touch``, ``button``, ``dealer``, ``import``."""
    body: Mapping[str, Any]
    t_utc: float = 0.0
    mono: float = 0.0


@dataclass(frozen=True, slots=True)
class MatchSummary:
    """A line in the list of matches."""

    header: Header
    status: str
    events: int


@dataclass
class Journal:
    """The record of all matches in ``path`` (``:memory:`` for a match nobody keeps)."""

    path: Path | str
    salvage: str = field(default="", init=False)
    """What happened to a damaged file, or is missing of it, as a sentence; empty if all was
    well."""

    def __post_init__(self) -> None:
        if isinstance(self.path, Path):
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise JournalError(
                    f"the folder {self.path.parent} cannot be made: {error.strerror}; choose "
                    "another with --data"
                ) from error
        try:
            self._db = self._open()
        except sqlite3.OperationalError as error:
            raise JournalError(
                f"the journal {self.path} cannot be opened: {error}; check that the folder may be "
                "written to and the disk is not full"
            ) from error
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            # A page overwritten with rubbish can break even the words sqlite complains in.
            self._db = self._set_aside(str(error))
        self._mark = JournalMark(self.path) if isinstance(self.path, Path) else None
        self._compare()

    # -- writing --------------------------------------------------------------------------

    def create(self, header: Header) -> None:
        """Begin a match."""
        with self._transaction() as db:
            db.execute(_NEW_MATCH, _match_row(header, OPEN))

    def append(self, match_id: str, type: str, body: Mapping[str, Any], src: str) -> int:
        """Write one event; on the disk when this returns. Gives its number."""
        return self.append_all(match_id, [(type, body, src)])

    def append_all(
        self, match_id: str, events: Iterable[tuple[str, Mapping[str, Any], str]]
    ) -> int:
        """Write several events at once, all or none; gives the number of the last."""
        with self._transaction() as db:
            (last,) = db.execute(
                "select coalesce(max(seq), 0) from events where match = ?", (match_id,)
            ).fetchone()
            for type, body, src in events:
                last += 1
                event = Event(last, type, src, body, time.time(), time.monotonic())
                db.execute(_NEW_EVENT, _event_row(match_id, event))
        if self._mark is not None:
            self._mark.write(Reached(match_id, int(last)))
        return int(last)

    def set_status(self, match_id: str, status: str) -> None:
        """Mark a match as open, finished or abandoned."""
        with self._transaction() as db:
            db.execute("update matches set status = ? where id = ?", (status, match_id))

    # -- reading --------------------------------------------------------------------------

    def matches(self) -> list[MatchSummary]:
        """All matches, the newest first."""
        rows = self._db.execute(
            "select header, status, (select count(*) from events where match = matches.id) "
            "from matches order by rowid desc"
        ).fetchall()
        found = []
        for header, status, events in rows:
            try:
                found.append(MatchSummary(_header(header), status, events))
            except JournalError as error:
                log.warning("a match is left out: %s", error)
        return found

    def unfinished(self) -> list[MatchSummary]:
        """Matches that were neither finished nor abandoned, the newest first."""
        return [summary for summary in self.matches() if summary.status == OPEN]

    def header(self, match_id: str) -> Header:
        """What a match started with; a unique beginning of its id is enough."""
        rows = self._db.execute(
            "select header from matches where substr(id, 1, ?) = ?", (len(match_id), match_id)
        ).fetchall()
        if len(rows) != 1 or not match_id:
            found = "no match" if not rows else f"{len(rows)} matches"
            raise JournalError(
                f"{found} with the id '{match_id}'; 'heelstone matches' lists them all"
            )
        return _header(rows[0][0])

    def status(self, match_id: str) -> str:
        """``open``, ``finished`` or ``abandoned``."""
        row = self._db.execute("select status from matches where id = ?", (match_id,)).fetchone()
        if row is None:
            raise JournalError(f"no match with the id '{match_id}'")
        return str(row[0])

    def events(self, match_id: str) -> list[Event]:
        """All events of a match in order."""
        rows = self._db.execute(
            "select seq, type, src, body, t_utc, mono from events where match = ? order by seq",
            (match_id,),
        ).fetchall()
        try:
            return [Event(s, t, src, json.loads(body), u, m) for s, t, src, body, u, m in rows]
        except ValueError as error:
            raise JournalError(f"match {match_id}: an event is damaged: {error}") from error

    def ending(self, match_id: str) -> Mapping[str, Any] | None:
        """What was written down when the match ended; None if it did not, or goes on again."""
        row = self._db.execute(
            "select type, body from events where match = ? "
            "and type in ('move', 'takeback', 'end') order by seq desc limit 1",
            (match_id,),
        ).fetchone()
        if row is None or row[0] != "end":
            return None
        try:
            body = json.loads(row[1])
        except ValueError as error:
            raise JournalError(f"match {match_id}: its end is damaged: {error}") from error
        return body if isinstance(body, dict) else None

    def load(self, match_id: str) -> Match:
        """The match as it stands: its header and the fold of its events."""
        header = self.header(match_id)
        return replay(header, self.events(header.id))

    # -- export and import ----------------------------------------------------------------

    def export(self, match_id: str) -> Iterator[str]:
        """A match as JSON lines: the header, then every event."""
        header = self.header(match_id)
        yield json.dumps(
            {
                "heelstone": EXPORT_FORMAT,
                "match": header.to_json(),
                "status": self.status(header.id),
            },
            ensure_ascii=False,
        )
        for event in self.events(header.id):
            yield json.dumps(
                {
                    "seq": event.seq,
                    "t": event.t_utc,
                    "type": event.type,
                    "src": event.src,
                    "body": event.body,
                },
                ensure_ascii=False,
            )

    def import_match(self, text: str, where: str) -> str:
        """Take in an exported match after replaying it; gives its id. Raises JournalError."""
        header, status, events = read_export(text, where)
        if any(summary.header.id == header.id for summary in self.matches()):
            raise JournalError(
                f"{where}: the match {header.id} is already in the journal; nothing was changed"
            )
        match = replay(header, events, where)
        if (match.outcome is not None) != (status == FINISHED):
            status = FINISHED if match.outcome is not None else ABANDONED
        with self._transaction() as db:
            db.execute(_NEW_MATCH, _match_row(header, status))
            for event in events:
                db.execute(_NEW_EVENT, _event_row(header.id, event))
        return header.id

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()
        if self._mark is not None:
            self._mark.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- private --------------------------------------------------------------------------

    def _open(self) -> sqlite3.Connection:
        # The session thread owns the connection; whoever opened it hands it over once.
        db = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False, timeout=5)
        db.text_factory = _readable_text
        db.create_function("checksum", -1, _checksum, deterministic=True)
        try:
            (verdict,) = db.execute("pragma quick_check(1)").fetchone()
            if verdict != "ok":
                raise sqlite3.DatabaseError(str(verdict))
            (version,) = db.execute("pragma user_version").fetchone()
            if version > SCHEMA:
                raise JournalError(
                    f"{self.path} was written by a newer Heelstone (journal version {version}); "
                    "please update Heelstone"
                )
            db.execute("pragma journal_mode = wal")
            db.execute("pragma synchronous = full")
            _migrate(db, version)
            _verify(db)
        except BaseException:
            db.close()
            raise
        return db

    def _compare(self) -> None:
        """Say what is missing of what the journal held when it was marked last."""
        reached = None if self._mark is None else self._mark.read()
        if self._mark is None or reached is None:
            return
        (kept,) = self._db.execute(
            "select coalesce(max(seq), 0) from events where match = ?", (reached.match,)
        ).fetchone()
        if kept >= reached.seq:
            return
        self._mark.forget()
        if not self.salvage:
            # Of a journal that was set aside it is said already that entries are lost.
            self.salvage = (
                f"The end of the journal is missing: {reached.seq - kept} entries of the match "
                f"{reached.match} were there and are gone. Play goes on from what is left."
            )

    def _set_aside(self, reason: str) -> sqlite3.Connection:
        """Move a damaged file out of the way, and save from it what can be read."""
        path = Path(self.path)
        stamp = time.strftime("%Y%m%d-%H%M%S")
        damaged = path.with_name(f"{path.stem}-damaged-{stamp}-{uuid.uuid4().hex[:4]}{path.suffix}")
        path.rename(damaged)
        for tail in ("-wal", "-shm"):
            extra = path.with_name(path.name + tail)
            if extra.exists():
                extra.rename(damaged.with_name(damaged.name + tail))
        db = self._open()
        saved = _salvage(damaged, db)
        self.salvage = (
            f"The journal was damaged ({reason}). It was set aside as {damaged.name}; "
            f"{saved} events of it could be saved, and play goes on."
        )
        return db

    def _transaction(self) -> _Transaction:
        return _Transaction(self._db, self.path)


def _migrate(db: sqlite3.Connection, version: int) -> None:
    """Bring a journal to the present version, all at once or not at all."""
    if version == SCHEMA:
        return
    db.execute("begin immediate")
    try:
        if version:
            for step in range(version, SCHEMA):
                for statement in _MIGRATIONS[step]:
                    db.execute(statement)
        else:
            for statement in _TABLES.split(";"):
                db.execute(statement)
        db.execute(f"pragma user_version = {SCHEMA}")
    except BaseException:
        db.execute("rollback")
        raise
    db.execute("commit")


def _verify(db: sqlite3.Connection) -> None:
    """Raises DatabaseError if an entry is not what was written."""
    for query in (
        f"select id from matches where sum is not {_MATCH_SUM} limit 1",
        f"select match || ', event ' || seq from events where sum is not {_EVENT_SUM} limit 1",
    ):
        for (which,) in db.execute(query):
            raise sqlite3.DatabaseError(f"match {which} was changed")


def _checksum(*values: object) -> int:
    """CRC-32 of a row's values; found again only if all of them are unchanged."""
    texts = [v.decode("utf-8", "replace") if isinstance(v, bytes) else str(v) for v in values]
    return zlib.crc32("\0".join(texts).encode())


def _match_row(header: Header, status: str) -> tuple[object, ...]:
    text = json.dumps(header.to_json())
    return (header.id, text, status, _checksum(header.id, text))


def _event_row(match_id: str, event: Event) -> tuple[object, ...]:
    body = json.dumps(event.body)
    total = _checksum(match_id, event.seq, event.type, event.src, body)
    return (match_id, event.seq, event.t_utc, event.mono, event.type, event.src, body, total)


class _Transaction:
    """``with`` block that commits to the disk or changes nothing."""

    def __init__(self, db: sqlite3.Connection, path: Path | str) -> None:
        self.db, self.path = db, path

    def __enter__(self) -> sqlite3.Connection:
        try:
            self.db.execute("begin immediate")
        except sqlite3.Error as error:
            raise self._trouble(error) from error
        return self.db

    def __exit__(self, kind: object, error: BaseException | None, _: object) -> None:
        try:
            self.db.execute("rollback" if error is not None else "commit")
        except sqlite3.Error as trouble:
            if self.db.in_transaction:
                self.db.execute("rollback")
            raise self._trouble(trouble) from trouble
        if isinstance(error, sqlite3.Error):
            raise self._trouble(error) from error

    def _trouble(self, error: sqlite3.Error) -> JournalError:
        return JournalError(
            f"the journal {self.path} cannot be written: {error}; nothing was lost, but nothing "
            "new is kept until there is room on the disk"
        )


def new_match_id() -> str:
    """An id nobody else has, short enough to type its beginning."""
    return uuid.uuid4().hex[:12]


def replay(header: Header, events: Iterable[Event], where: str = "the journal") -> Match:
    """Fold events into a match; raises JournalError naming the event that does not fit."""
    try:
        match = Match(
            header.game,
            header.players,
            header.options,
            physical=header.physical,
            seed=header.seed,
        )
    except GameError as error:
        raise JournalError(f"{where}: match {header.id}: {error}") from error
    for event in events:
        try:
            if event.type == "move":
                entry = Entry(
                    Move.parse(str(event.body["move"])), bool(event.body.get("forced", False))
                )
                match.replay([entry])
            elif event.type == "takeback":
                for _ in range(int(event.body["count"])):
                    match.pop()
        except (GameError, KeyError, TypeError, ValueError, OverflowError) as error:
            raise JournalError(
                f"{where}: match {header.id}, event {event.seq} does not fit: {error}"
            ) from error
    return match


def read_export(text: str, where: str) -> tuple[Header, str, list[Event]]:
    """Read an exported match; raises JournalError naming the line."""
    if len(text.encode()) > MAX_IMPORT_BYTES:
        raise JournalError(f"{where} is larger than {MAX_IMPORT_BYTES >> 20} MiB; not imported")
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        raise JournalError(f"{where} is empty")
    if len(lines) > MAX_IMPORT_EVENTS:
        raise JournalError(f"{where} has more than {MAX_IMPORT_EVENTS} lines; not imported")
    records: list[Any] = []
    for number, line in enumerate(lines, 1):
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise JournalError(f"{where}, line {number} is no JSON: {error}") from error
        if not isinstance(record, dict):
            raise JournalError(f"{where}, line {number}: expected a JSON object")
        records.append(record)
    head = records[0]
    if head.get("heelstone") != EXPORT_FORMAT:
        raise JournalError(
            f"{where} is no match exported by Heelstone (format {EXPORT_FORMAT}): its first line "
            "must hold the match"
        )
    header = Header.from_json(head.get("match"))
    events = []
    for number, record in enumerate(records[1:], 1):
        body = record.get("body")
        if record.get("seq") != number or not isinstance(body, dict):
            raise JournalError(f"{where}, line {number + 1}: expected event {number} with a body")
        try:
            when = float(record.get("t", 0.0))
        except (TypeError, ValueError, OverflowError) as error:
            raise JournalError(f"{where}, line {number + 1}: t is no time: {error}") from error
        events.append(Event(number, str(record.get("type")), str(record.get("src")), body, when))
    return header, str(head.get("status", OPEN)), events


def _readable_text(data: bytes) -> str:
    """Text of a damaged file may be no UTF-8; what is wrong with it is found where it is used."""
    return data.decode("utf-8", "replace")


def _header(text: str) -> Header:
    try:
        return Header.from_json(json.loads(text))
    except ValueError as error:
        raise JournalError(f"the header of a match is damaged: {error}") from error


def _salvage(damaged: Path, db: sqlite3.Connection) -> int:
    """Copy whatever can still be read of a damaged journal; gives the number of events."""
    saved = 0
    try:
        old = sqlite3.connect(damaged, isolation_level=None)
    except sqlite3.Error:
        return 0
    try:
        (version,) = old.execute("pragma user_version").fetchone()
    except sqlite3.DatabaseError:
        version = SCHEMA
    # Before version 2 nothing was summed up; what can be read must be believed.
    summed = version >= 2
    try:
        db.execute("begin immediate")
        for row in _readable(
            old, f"select id, header, status{', sum' if summed else ''} from matches"
        ):
            total = _checksum(row[0], row[1])
            if (summed and row[3] != total) or not _insert(db, _NEW_MATCH, (*row[:3], total)):
                continue
            expected = 1
            rows = _readable(
                old,
                "select match, seq, t_utc, mono, type, src, body"
                f"{', sum' if summed else ''} from events where match = ? order by seq",
                row[0],
            )
            for event in rows:
                total = _checksum(event[0], event[1], *event[4:7])
                # A gap would change the meaning of everything behind it.
                if event[1] != expected or (summed and event[7] != total):
                    break
                if not _insert(db, _NEW_EVENT, (*event[:7], total)):
                    break
                expected += 1
                saved += 1
        db.execute("commit")
    finally:
        old.close()
    return saved


def _insert(db: sqlite3.Connection, statement: str, row: tuple[object, ...]) -> bool:
    """Put a saved row in; False if damage left values in it that no column takes."""
    try:
        db.execute(statement, row)
    except sqlite3.IntegrityError:
        return False
    return True


def _readable(db: sqlite3.Connection, query: str, *values: str) -> Iterator[tuple[Any, ...]]:
    """The rows before the first one that is damaged."""
    try:
        yield from db.execute(query, values)
    except (sqlite3.DatabaseError, UnicodeDecodeError):
        # What lies behind the damage is lost; that is what the caller reports.
        return
