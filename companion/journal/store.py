"""The journal: the append-only record of every match, in one SQLite file.

State is replay: a match is its header plus the fold of its events. Every event is on the disk (WAL,
``synchronous=EXTRA``) before ``append`` returns, and only then may it be reported. Events are
ordered by their number, never by a clock, since a Raspberry Pi has none that can be trusted. Its
contents are in ``entries`` and ``events``, what they amount to in ``fold``, its tables in
``schema``, the rescue of a damaged one in ``salvage``, and its locks in ``lock``.
"""

from __future__ import annotations

import json
import logging
import random
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from companion.journal.admission import Admitted, Tell, admit, nobody
from companion.journal.checking import check_chain, check_links, verify
from companion.journal.entries import (
    OPEN,
    STATUSES,
    Header,
    JournalError,
    MatchSummary,
    Stand,
    believable_time,
)
from companion.journal.events import (
    MISFIT,
    Event,
    Happening,
    MatchEnded,
    Opened,
    Source,
    from_row,
)
from companion.journal.exports import export_lines, read_export
from companion.journal.fold import replay
from companion.journal.lock import PATIENCE_S, JournalLock
from companion.journal.mark import JournalMark, Reached
from companion.journal.reserve import Reserve
from companion.journal.salvage import (
    TORN,
    finish_in_words,
    is_damage,
    is_emptied,
    pending,
    rescue,
    upgrade,
)
from companion.journal.schema import (
    EVENT_COLUMNS,
    SCHEMA,
    DamageError,
    OlderError,
    add_events,
    add_match,
    begun,
    check_layout,
    check_version,
    connect,
    in_words,
    keep_status,
    prepare,
)
from companion.settings.writing import settle_folder
from companion.words.errors import notice
from rules.core import Outcome
from rules.errors import Sentence, Where
from rules.match import Match

log = logging.getLogger(__name__)


@dataclass
class Journal:
    """The record of all matches in ``path`` (``:memory:`` for a match that is not saved).

    ``beside``: another connection to a journal that this program already has open; it is not
    checked again, and nothing is moved. Raises JournalError if it cannot be opened.
    """

    path: Path | str
    beside: bool = False
    clock: Callable[[], float] = field(default=time.time, kw_only=True)
    """The time that events get, s since 1970."""
    salvage: Sentence | None = field(default=None, init=False)
    """Report on a damaged file, or on what is missing from it; None if all was well."""

    def __post_init__(self) -> None:
        # One connection serves the session and the screens: SQLite allows one transaction on it at
        # a time, and fails if it is closed while somebody writes.
        self._using = threading.RLock()
        self._last: dict[str, int] = {}
        """Number of the last event of a match, as far as this connection knows."""
        self._lock: JournalLock | None = None
        self._mark: JournalMark | None = None
        self._reserve: Reserve | None = None
        if not isinstance(self.path, Path):
            self._db = self._open(self.path)
            return
        _make_folder(self.path.parent)
        self._reserve = Reserve(self.path)
        self._reserve.let_go()
        self._lock = JournalLock(self.path)
        try:
            self._lock.share()
            self._db = self._opened(self.path, self._lock)
        except BaseException:
            self._lock.close()
            raise
        self._mark = JournalMark(self.path)
        if not self.beside:
            self._compare()

    # -- writing --------------------------------------------------------------------------

    def create(self, header: Header) -> None:
        """Begin a match."""
        with self._transaction() as db:
            add_match(db, header, OPEN)

    def append(
        self, match_id: str, *happened: Happening, src: Source, status: str | None = None
    ) -> int:
        """Write events at once, and how the match stands then: all or nothing.

        They are on the disk when this returns. Returns the number of the last. Raises JournalError;
        also if another connection added to the match since this connection read it or wrote to it,
        since what was meant no longer fits then.
        """
        with self._using:
            with self._transaction() as db:
                (last,) = db.execute(
                    "select coalesce(max(seq), 0) from events where match = ?", (match_id,)
                ).fetchone()
                if last != self._last.get(match_id, last):
                    raise JournalError("played_elsewhere", match=match_id)
                new = [
                    Event(last + number, what, src, self.clock(), time.monotonic())
                    for number, what in enumerate(happened, 1)
                ]
                add_events(db, match_id, new, status)
                last += len(new)
            self._reached(match_id, int(last))
        return int(last)

    def note_opened(self, match_id: str) -> None:
        """People sit down to this match: of all open ones it is now the newest."""
        number = 1 + max(self._opened_last().values(), default=0)
        self.append(match_id, Opened(number), src=Source.DEALER)

    def set_status(self, match_id: str, status: str) -> None:
        """Mark a match as open, finished or abandoned."""
        with self._transaction() as db:
            keep_status(db, match_id, status)

    # -- reading --------------------------------------------------------------------------

    def matches(self) -> list[MatchSummary]:
        """All matches, the newest first."""
        return self._summaries(*STATUSES)

    def _summaries(self, *statuses: str) -> list[MatchSummary]:
        rows = self._rows(
            "select header, status, (select count(*) from events where match = matches.id), "
            "exists (select 1 from events where match = matches.id "
            "and type = 'move' and src not in ('dealer', 'computer')) "
            f"from matches where status in ({', '.join('?' * len(statuses))}) order by rowid desc",
            *statuses,
        )
        found = []
        for header, status, events, played in rows:
            try:
                found.append(MatchSummary(_header(header), status, events, bool(played)))
            except JournalError as error:
                log.warning("a match is left out: %s", error)
        return found

    def unfinished(self) -> list[MatchSummary]:
        """Matches that were neither finished nor abandoned; the one taken up last comes first."""
        opened = self._opened_last()
        # Those that were never noted as taken up are older than all others.
        return sorted(self._summaries(OPEN), key=lambda s: -opened.get(s.header.id, 0))

    def _opened_last(self) -> dict[str, int]:
        """Number of the last time that people sat down to it, by open match."""
        rows = self._rows(
            # What comes from elsewhere has no time of this table's clock.
            "select match, body from events where type = 'opened' and mono > 0 "
            "and match in (select id from matches where status = ?) order by seq", OPEN,
        )  # fmt: skip
        found: dict[str, int] = {}
        for match, body in rows:
            with suppress(*MISFIT, RecursionError):
                # Opening the match says what is wrong with it.
                what = from_row("opened", json.loads(body))
                found[match] = what.number if isinstance(what, Opened) else 0
        return found

    def header(self, match_id: str) -> Header:
        """Header of a match."""
        rows = self._rows("select header from matches where id = ?", match_id)
        if not rows:
            raise JournalError("no_match", match=match_id)
        return _header(rows[0][0])

    def named(self, beginning: str) -> Header:
        """Header of a match that people name by its id, or by a unique beginning of it.

        Only for what people type; an imported match may have an id that begins like another's.
        """
        rows = self._rows(
            "select header from matches where substr(id, 1, ?) = ? order by id <> ?",
            len(beginning), beginning, beginning,
        )  # fmt: skip
        if not rows or not beginning:
            raise JournalError("no_match_of_these", match=beginning)
        first = _header(rows[0][0])
        if len(rows) > 1 and first.id != beginning:
            raise JournalError("many_matches", count=len(rows), match=beginning)
        return first

    def last_begun_s(self) -> dict[str, float]:
        """Time the last match was begun, seconds since 1970, by game; only those that were
        played."""
        rows = self._rows(
            "select json_extract(header, '$.game'), max(json_extract(header, '$.created')) "
            "from matches where json_valid(header) and exists (select 1 from events "
            "where match = matches.id and type = 'move' and src not in ('dealer', 'computer')) "
            "group by 1"
        )
        return {str(game): _moment(begun) for game, begun in rows}

    def options_played(self, game: str) -> list[dict[str, str]]:
        """Options of the last matches of a game that were played, the newest first."""
        rows = self._rows(
            "select json_extract(header, '$.options') from matches where json_valid(header) "
            "and json_extract(header, '$.game') = ? and exists (select 1 from events "
            "where match = matches.id and type = 'move' and src not in ('dealer', 'computer')) "
            "order by rowid desc limit 60",
            game,
        )
        return [json.loads(options) for (options,) in rows if options]

    def seats_used(self) -> int:
        """Most players of any match; 0 without one."""
        rows = self._rows(
            "select max(json_extract(header, '$.players')) from matches where json_valid(header)"
        )
        most = rows[0][0]
        return most if isinstance(most, int) else 0

    def last_played_s(self, header: Header) -> float:
        """Time of the last entry about a match, seconds since 1970."""
        rows = self._rows(
            "select t_utc from events where match = ? and type <> 'opened' "
            "order by seq desc limit 1", header.id,
        )  # fmt: skip
        return believable_time(rows[0][0]) if rows else header.created_s

    def status(self, match_id: str) -> str:
        """``open``, ``finished`` or ``abandoned``."""
        rows = self._rows("select status from matches where id = ?", match_id)
        if not rows:
            raise JournalError("no_match", match=match_id)
        return str(rows[0][0])

    def events(self, match_id: str) -> list[Event]:
        """All events of a match in order."""
        rows = self._rows(
            f"select {EVENT_COLUMNS[SCHEMA]} from events where match = ? order by seq", match_id
        )
        header = self._rows("select header from matches where id = ?", match_id)
        try:
            # The card may have gone bad since the journal was opened.
            check_chain(match_id, header[0][0] if header else "", rows)
        except DamageError as error:
            raise JournalError("journal_unreadable", reason=in_words(error)) from error
        self._last[match_id] = int(rows[-1][0]) if rows else 0
        return [
            _event(match_id, seq, type, src, body, utc, mono)
            for seq, utc, mono, type, src, body, _total, _chain in rows
        ]

    def stands(self) -> list[Stand]:
        """Extent of every match's record, in the order in which they came into the journal."""
        rows = self._rows("select id, status, events, head from matches order by number")
        return [Stand(str(id), str(status), int(count), int(head))
                for id, status, count, head in rows]  # fmt: skip

    def events_after(self, match_id: str, seq: int, link: int) -> list[tuple[Event, int]] | None:
        """The events of a match after number ``seq``, each with its hash; ``link``: that of
        ``seq``.

        None if the journal holds another event there, or none: its record was replaced. Raises
        JournalError.
        """
        rows = self._rows(
            f"select {EVENT_COLUMNS[SCHEMA]} from events where match = ? and seq >= ? order by seq",
            match_id, seq,
        )  # fmt: skip
        if seq and (not rows or rows.pop(0)[-1] != link):
            return None
        if not seq:
            found = self._rows("select header from matches where id = ?", match_id)
            link = begun(match_id, found[0][0] if found else "")
        try:
            check_links(match_id, link, seq, rows)
        except DamageError as error:
            raise JournalError("journal_unreadable", reason=in_words(error)) from error
        return [
            (_event(match_id, number, type, src, body, utc, mono), int(chain))
            for number, utc, mono, type, src, body, _total, chain in rows
        ]

    def ending(self, match_id: str) -> Outcome | None:
        """Outcome that was written down when the match ended; None if it did not, or continues
        again."""
        rows = self._rows(
            "select type, body from events where match = ? "
            "and type in ('move', 'takeback', 'end') order by seq desc limit 1",
            match_id,
        )
        for type, body in rows:
            with suppress(*MISFIT, RecursionError):
                # A list can do without; opening the match says what is wrong with it.
                what = from_row(type, json.loads(body))
                return what.outcome if isinstance(what, MatchEnded) else None
        return None

    def load(self, match_id: str) -> Match:
        """The match as it stands."""
        header = self.header(match_id)
        return replay(header, self.events(header.id)).match

    # -- export and import ----------------------------------------------------------------

    def export(self, match_id: str) -> Iterator[str]:
        """A match as JSON lines: the header, then every event."""
        header = self.header(match_id)
        return export_lines(header, self.status(header.id), self.events(header.id))

    def import_match(self, text: str, where: Where, tell: Tell = nobody) -> Admitted:
        """Import an exported match after replaying it; all of it or nothing.

        ``tell`` hears how far that is. Raises JournalError.
        """
        header, status, events = read_export(text, where)
        self._is_new(header, where)
        admitted = admit(header, status, events, where, tell)
        with self._transaction() as db:
            # Somebody else may have imported it meanwhile.
            self._is_new(header, where)
            add_match(db, header, admitted.status)
            add_events(db, header.id, admitted.events)
        if events:
            self._reached(header.id, events[-1].seq)
        return admitted

    def _is_new(self, header: Header, where: Where) -> None:
        if self._rows("select 1 from matches where id = ?", header.id):
            raise JournalError("match_there", file=where, match=header.id)

    def close(self) -> None:
        """Release the file."""
        with self._using:
            self._db.close()
        if self._mark is not None:
            self._mark.close()
        if self._lock is not None:
            self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- private --------------------------------------------------------------------------

    def _opened(self, path: Path, lock: JournalLock) -> sqlite3.Connection:
        """Opens the journal, putting it in order first if it has to be and no other program has it
        open."""
        deadline = time.monotonic() + PATIENCE_S
        while True:
            try:
                if not self.beside and pending(path) is not None:
                    raise DamageError("another_waits")
                if not self.beside and is_emptied(path):
                    raise DamageError("nothing_left")
                return self._open(path)
            except OlderError:
                if self.beside:
                    raise
                if lock.alone():
                    self.salvage = self._upgraded(path)
                elif time.monotonic() > deadline:
                    raise JournalError("journal_older_open", file=path) from None
            except TORN as error:
                reason = in_words(error)
                if not is_damage(error):
                    raise JournalError("journal_unopened", file=path, reason=reason) from error
                if self.salvage:
                    raise JournalError("journal_hopeless", file=path, reason=reason) from error
                if not self.beside and lock.alone():
                    if pending(path) is None:
                        self.salvage = rescue(path, reason)
                    else:
                        self.salvage = finish_in_words(path)
                elif self.beside or time.monotonic() > deadline:
                    raise JournalError("journal_damaged_open", file=path, reason=reason) from error
            except OSError as error:
                # A folder that nobody may enter, for one.
                raise JournalError("journal_unopened", file=path, reason=error) from error
            # Neither holds the lock while it waits, or two would wait for each other.
            lock.release()
            time.sleep(random.uniform(0.02, 0.1))
            lock.share()

    def _upgraded(self, path: Path) -> Sentence:
        try:
            return upgrade(path)
        except TORN as error:
            if not is_damage(error):
                raise JournalError("journal_unopened", file=path, reason=in_words(error)) from error
            return rescue(path, in_words(error))
        except OSError as error:
            raise JournalError("journal_unopened", file=path, reason=error) from error

    def _open(self, path: Path | str) -> sqlite3.Connection:
        db = connect(path)
        try:
            if not self.beside:
                # First of all: what belongs to another Heelstone is not put in order.
                check_version(db, path)
                _sound(db, "quick_check(1)")
            db.execute("pragma journal_mode = wal")
            # In WAL mode the same as FULL; if a disk allows no WAL the folder is synced too.
            db.execute("pragma synchronous = extra")
            if not self.beside:
                prepare(db, path)
                check_layout(db)
                # The quick one leaves out whether matches are found by their ids.
                _sound(db, "integrity_check(matches)")
                verify(db)
        except BaseException:
            db.close()
            raise
        return db

    def _compare(self) -> None:
        """Say what is missing of what the journal held when it was last marked."""
        reached = None if self._mark is None else self._mark.read()
        if self._mark is None or reached is None:
            return
        ((kept,),) = self._rows(
            "select coalesce(max(seq), 0) from events where match = ?", reached.match
        )
        matches, events = self._extent()
        lost = max(reached.seq - kept, reached.events - events)
        if lost <= 0 and matches >= reached.matches:
            return
        self._mark.forget()
        if self.salvage and self.salvage.code != "journal_upgraded":
            # For a journal that was set aside, lost entries have been reported already.
            return
        if 0 < lost == reached.seq - kept:
            self.salvage = notice("journal_cut", events=lost, match=reached.match)
        else:
            gone = max(reached.matches - matches, 0)
            self.salvage = notice("journal_shorter", events=max(lost, 0), matches=gone)

    def _extent(self) -> tuple[int, int]:
        """Numbers of matches and events."""
        ((matches, events),) = self._rows("select count(*), coalesce(sum(events), 0) from matches")
        return int(matches), int(events)

    def _reached(self, match_id: str, seq: int) -> None:
        self._last[match_id] = seq
        if self._mark is not None:
            matches, events = self._extent()
            self._mark.write(Reached(match_id, seq, events, matches))

    def _rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        try:
            with self._using:
                return self._db.execute(query, values).fetchall()
        except TORN as error:
            raise JournalError("journal_unreadable", reason=in_words(error)) from error

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """Commits to the disk or changes nothing. Raises JournalError."""
        with self._using:
            if self._reserve is not None:
                self._reserve.mind()
            try:
                self._db.execute("begin immediate")
                try:
                    yield self._db
                    self._db.execute("commit")
                except BaseException:
                    # SQLite itself rolls back a transaction that found no room.
                    if self._db.in_transaction:
                        self._db.execute("rollback")
                    raise
            except sqlite3.Error as error:
                raise self._trouble(error) from error

    def _trouble(self, error: sqlite3.Error) -> JournalError:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY:
            return JournalError("journal_held", file=self.path)
        return JournalError("journal_unwritable", file=self.path, reason=in_words(error))


def _sound(db: sqlite3.Connection, check: str) -> None:
    """Raises DatabaseError if one of SQLite's own checks finds anything."""
    (verdict,) = db.execute(f"pragma {check}").fetchone()
    if verdict != "ok":
        log.info("%s: %s", check, verdict)
        raise DamageError("pages_unfit")


def _moment(found: object) -> float:
    """Seconds since 1970; 0 for whatever makes no sense."""
    return believable_time(found) if isinstance(found, int | float) else 0.0


def _header(text: str) -> Header:
    try:
        return Header.from_json(json.loads(text))
    except (ValueError, RecursionError) as error:
        raise JournalError("header_damaged", reason=error) from error


def _event(match_id: str, seq: int, type: str, src: str, body: str, utc: Any, mono: Any) -> Event:
    try:
        what = from_row(type, json.loads(body))
        return Event(seq, what, Source(src), believable_time(utc), mono)
    except (*MISFIT, RecursionError) as error:
        raise JournalError("event_damaged", match=match_id, event=seq, reason=error) from error


def _make_folder(folder: Path) -> None:
    try:
        if not folder.is_dir():
            folder.mkdir(parents=True, exist_ok=True)
            settle_folder(folder.parent)
    except OSError as error:
        raise JournalError("folder_unmade", folder=folder, reason=error) from error
