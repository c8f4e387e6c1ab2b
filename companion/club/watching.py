"""Public views of the club's tables, kept up with the database while they are watched."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import msgspec
import psycopg

from companion.club.public_events import ToldHeader
from companion.club.repository import Database, StoredEvent, StoredMatch, TableLine
from companion.decoding import fitted
from companion.journal.entries import Header, JournalError
from companion.journal.events import MISFIT, MovePlayed, TakenBack, from_row
from companion.journal.fold import Fold
from companion.match.public_log import last_sites, last_turn, public_log, turn_of
from companion.match.view import TableView, still_view
from companion.presentation.views import Snapshot
from companion.web.event_stream import Happenings
from companion.web.move_requests import Verdict
from companion.web.public_page import public_page
from companion.web.seats import Seats
from companion.web.stream import Readers
from companion.web.view_cache import Feed
from rules.core import Move
from rules.match import Match
from rules.texts import LANGUAGES

# -- replay of a match ------------------------------------------------------------------------
#
# The rules referee it like a match with real pieces: they know what was shown and no more.


class Spectated:
    """One match, kept up by ``take``. Raises Unfit, JournalError for an unknown header or game."""

    def __init__(self, name: str, header: Mapping[str, Any]) -> None:
        fitted(header, ToldHeader)
        told = Header.from_json({**header, "id": name, "seed": ""})
        fold = Fold(told)
        # Of a ledger everything is known; nothing else is ever dealt here.
        ledger = fold.match.game.keeps_ledger(fold.match.options)
        self.header = replace(told, physical=told.physical or not ledger)
        self._fold = Fold(self.header)
        self._spans: list[int] = []
        """For each move of the table's record: how many moves it is here."""
        self.seq = 0
        """Number of the last event that was taken."""

    def take(self, seq: int, type: str, body: Mapping[str, Any]) -> None:
        """The next event. Raises JournalError if it does not fit."""
        try:
            what = from_row(type, body)
            match what:
                case MovePlayed(move, forced, joined):
                    shown = [Move.parse(str(text)) for text in body.get("shown", [move.text])]
                    for number, one in enumerate(shown):
                        self._fold.take(MovePlayed(one, forced, joined or number > 0))
                    self._spans.append(len(shown))
                case TakenBack(count):
                    gone = sum(self._spans[-count:])
                    del self._spans[-count:]
                    if gone:
                        self._fold.take(TakenBack(gone))
                case _:
                    self._fold.take(what)
        except MISFIT as error:
            raise JournalError(
                "event_damaged", match=self.header.id, event=seq, reason=error
            ) from error
        self.seq = seq

    @property
    def match(self) -> Match:
        """The match as it stands; ``take`` changes it."""
        return self._fold.match

    def snapshot(self) -> Snapshot:
        """Immutable snapshot of the match as it is now."""
        fold = self._fold.clone()
        told = tuple(public_log(fold))
        view = still_view(
            self.header, fold.match, turn_of(fold), told[-1] if told else None, last_sites(fold),
            told=told, last_turn=last_turn(fold),
        )  # fmt: skip
        return Snapshot(self.header.id, self.header, fold.match, view, tuple(fold.played))


log = logging.getLogger(__name__)

LOOKED_S: Final = 60.0
"""Seconds after a request in which the hall counts as watched."""
REST_S: Final = 0.2
"""Seconds between two rounds of the hall's picture."""
STEP_S: Final = 0.25
"""Seconds that one table is followed in a round, …"""
STEP: Final = 500
"""… and events: a long record must not keep the others waiting."""
UNFIT_S: Final = 60.0
"""Seconds before a match that cannot be shown is tried again."""
RECENT_S: Final = 14 * 24 * 3600.0
"""Seconds without news after which a table is looked at only on request."""


class Watched:
    """One table, for its spectators (a ``companion.web.routes.Desk``) and for the hall."""

    def __init__(self, name: str, lang: str) -> None:
        self.name, self.lang = name, lang
        self.feed = Feed()
        self.keepsake = b""
        self.seats = Seats(None, lambda: None)
        """Empty: no seat is claimed from afar."""
        self.readers, self.hands = Readers(), Readers()
        self.happenings = Happenings()
        self.lines: dict[str, Mapping[str, Any]] = {}
        """Its line in the hall, by language; empty before the first look."""
        self.looked_s = -LOOKED_S
        """Time of the last request, monotonic seconds."""
        self._seen: Spectated | None = None
        self._unfit = "", -UNFIT_S
        """The match that cannot be shown, and when that was seen."""

    @property
    def phone_lines(self) -> None:
        """None: no phone is let in here."""

    @property
    def view(self) -> TableView | None:
        """The match that is shown; None without one."""
        snapshot = self.feed.snapshot
        return None if snapshot is None else snapshot.view

    def play(self, verdict: Verdict) -> None:
        """Does nothing: moves are not played from here."""

    def link(self, seat: int) -> str:
        """Empty: no seat is claimed from afar."""
        return ""

    async def refresh(self, database: Database) -> bool:
        """Bring it up to date; False if there is more of it. Raises psycopg.Error."""
        match = await database.newest_match(self.name)
        if match is None:
            self._leave({"match": None})
            return True
        unfit, tried_s = self._unfit
        if match.id == unfit and time.monotonic() - tried_s < UNFIT_S:
            return True
        try:
            return await self._follow(database, match)
        except psycopg.Error:
            raise
        except Exception as error:
            # Of a newer Heelstone than this one, perhaps, or no match at all. Whatever a game makes
            # of it, the other tables go on.
            log.warning("the match at table %s cannot be shown: %r", self.name, error)
            self._unfit = match.id, time.monotonic()
            self._leave({"match": None, "unknown": True})
            return True

    # -- private --------------------------------------------------------------------------

    async def _follow(self, database: Database, match: StoredMatch) -> bool:
        seen = self._seen
        if seen is None or seen.header.id != match.id or seen.seq > match.complete:
            seen = Spectated(match.id, match.header)
        until = min(match.complete, seen.seq + STEP)
        events = await database.events(self.name, match.id, seen.seq, until)
        # Until it is whole again it cannot be gone on with.
        self._seen = None
        snapshot, lines = await asyncio.to_thread(_followed, seen, events, match)
        self._seen, self.lines = seen, lines
        self._show(snapshot)
        return seen.seq >= match.complete

    def _leave(self, line: Mapping[str, Any]) -> None:
        self._seen = None
        self._show(None)
        self.lines = dict.fromkeys(LANGUAGES, line)

    def _show(self, snapshot: Snapshot | None) -> None:
        self.feed.take(snapshot)
        self.readers.wake()


def _followed(
    seen: Spectated, events: Sequence[StoredEvent], match: StoredMatch
) -> tuple[Snapshot, dict[str, Mapping[str, Any]]]:
    end_s = time.monotonic() + STEP_S
    for event in events:
        seen.take(event.seq, event.type, event.body)
        if time.monotonic() > end_s:
            break
    snapshot = seen.snapshot()
    return snapshot, {lang: _line(snapshot, match, lang) for lang in LANGUAGES}


def _line(snapshot: Snapshot, match: StoredMatch, lang: str) -> Mapping[str, Any]:
    """Line of a match in the hall."""
    page = public_page(snapshot.public, lang)
    keys = ("seat", "name", "colour", "rgb", "face", "score", "asked")
    return {
        "match": match.id, "game": page.game, "game_name": page.game_name,
        "turn": page.turn, "ply": page.ply, "status": match.status,
        "changed_s": round(match.changed_s),
        "players": [{key: getattr(player, key) for key in keys} for player in page.players],
        "prompt": page.prompt and page.prompt.title, "outcome": page.outcome and page.outcome.title,
        "waits_for": match.complete + 1 if match.highest > match.complete else None,
    }  # fmt: skip


class Tables:
    """All tables of a club."""

    def __init__(self, club: str, database: Database, lang: str) -> None:
        self.readers = Readers()
        """Readers of the hall."""
        self._club, self._database, self._lang = club, database, lang
        self._tables: dict[str, Watched] = {}
        self._heard: dict[str, TableLine] = {}
        self._due: dict[str, None] = {}
        self._bell = asyncio.Event()
        self._looked_s = -LOOKED_S
        self._pictures: dict[str, bytes] = {}

    async def table(self, name: str) -> Watched | None:
        """A table to be watched; None if the club has none of that name."""
        if name not in self._heard:
            await self._list()
            if name not in self._heard:
                return None
        table = self._watched(name)
        table.looked_s = time.monotonic()
        if not table.lines:
            self._due |= {} if await table.refresh(self._database) else {name: None}
        if name in self._due:
            self._bell.set()
        return table

    def look(self) -> None:
        """Notes that the hall was asked for."""
        self._looked_s = time.monotonic()
        if self._due:
            self._bell.set()

    def picture(self, lang: str) -> bytes:
        """The hall as it is now."""
        if lang not in self._pictures:
            self._pictures[lang] = msgspec.json.encode({
                "v": 1, "club": self._club, "lang": lang, "now_s": round(time.time()),
                "tables": [
                    {
                        "name": line.name, "heard_s": round(line.heard_s),
                        **self._watched(line.name).lines.get(lang, {"match": None, "wait": True}),
                    }
                    for line in self._heard.values()
                ],
            })  # fmt: skip
        return self._pictures[lang]

    async def follow(self) -> None:
        """Hear what is stored; never ends."""
        async for name in self._database.changed():
            try:
                if not name or name not in self._heard:
                    await self._list()
            except psycopg.Error as error:
                log.warning("the tables cannot be listed: %s", error)
                continue
            if name:
                self._due[name] = None
            else:
                since_s = time.time() - RECENT_S
                recent = [n for n, line in self._heard.items() if line.heard_s > since_s]
                self._due.update(dict.fromkeys([*recent, *self._looked_at()]))
            self._bell.set()

    async def keep_up(self) -> None:
        """Bring up to date what is looked at; never ends."""
        while True:
            await self._bell.wait()
            self._bell.clear()
            hall = len(self.readers) > 0 or time.monotonic() - self._looked_s < LOOKED_S
            looked_at = set(self._looked_at())
            # Tables with spectators first.
            due = sorted(self._due, key=lambda name: name not in looked_at)
            for name in due:
                if hall or name in looked_at:
                    self._due.pop(name, None)
                    await self._refresh(name)
            self._pictures.clear()
            self.readers.wake()
            await asyncio.sleep(REST_S)

    # -- private --------------------------------------------------------------------------

    async def _refresh(self, name: str) -> None:
        try:
            if not await self._watched(name).refresh(self._database):
                self._due[name] = None
                self._bell.set()
        except psycopg.Error as error:
            # It is due again with all others as soon as the database is back.
            log.warning("table %s cannot be read: %s", name, error)

    async def _list(self) -> None:
        self._heard = {line.name: line for line in await self._database.tables()}
        self._pictures.clear()

    def _watched(self, name: str) -> Watched:
        return self._tables.setdefault(name, Watched(name, self._lang))

    def _looked_at(self) -> list[str]:
        now_s = time.monotonic()
        return [
            name for name, table in self._tables.items()
            if len(table.readers) or now_s - table.looked_s < LOOKED_S
        ]  # fmt: skip
