"""Public views of single tables of a club, kept up with the database while they are watched."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import psycopg

from companion.club.public_events import ToldHeader
from companion.club.repository import Database, StoredEvent, StoredMatch
from companion.decoding import fitted
from companion.journal.entries import Header, JournalError
from companion.journal.events import MISFIT, MovePlayed, TakenBack, from_row
from companion.journal.fold import Fold
from companion.match.public_log import last_sites, last_turn, public_log, turn_of
from companion.match.view import TableView, still_view
from companion.presentation.views import Snapshot
from companion.web.event_stream import Happenings
from companion.web.hosting import Host
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
"""Seconds after a request in which what was asked for counts as watched."""
STEP_S: Final = 0.25
"""Seconds that one table is followed in a round, …"""
STEP: Final = 500
"""… and events: a long record must not keep the others waiting."""
UNFIT_S: Final = 60.0
"""Seconds before a match that cannot be shown is tried again."""


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
        self._shown: StoredMatch | None = None
        """The match as it was stored when it was shown last."""
        self._unfit = "", -UNFIT_S
        """The match that cannot be shown, and when that was seen."""

    host: Host | None = None
    """None: no phone looks after it from afar."""
    address = ""

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

    def is_behind(self, match: StoredMatch | None) -> bool:
        """True if a match as it is stored now, None: no match, is to be shown yet."""
        if match is None or self._shown is None:
            return match is not self._shown or not self.lines
        if match.id == self._unfit[0]:
            return time.monotonic() - self._unfit[1] >= UNFIT_S
        return match != self._shown or self._seen is None or self._seen.seq < match.complete

    async def refresh(self, database: Database, match: StoredMatch | None) -> None:
        """Bring it up to date, or at least nearer to it. Raises psycopg.Error."""
        if not self.is_behind(match):
            return
        if match is None:
            self._leave({"match": None})
            return
        try:
            await self._follow(database, match)
        except psycopg.Error:
            raise
        except Exception as error:
            # Of a newer Heelstone than this one, perhaps, or no match at all. Whatever a game makes
            # of it, the other tables go on.
            log.warning("the match at table %s cannot be shown: %r", self.name, error)
            self._unfit = match.id, time.monotonic()
            self._leave({"match": None, "unknown": True})
        self._shown = match

    # -- private --------------------------------------------------------------------------

    async def _follow(self, database: Database, match: StoredMatch) -> None:
        seen, header = self._seen, dict[str, Any]()
        if seen is None or seen.header.id != match.id or seen.seq > match.complete:
            seen, header = None, dict(await database.header(self.name, match.id))
        after = seen.seq if seen else 0
        until = min(match.complete, after + STEP)
        events = await database.events(self.name, match.id, after, until)
        # Until it is whole again it cannot be gone on with.
        self._seen = None
        seen, snapshot, lines = await asyncio.to_thread(_followed, seen, header, events, match)
        self._seen, self.lines = seen, lines
        self._show(snapshot)

    def _leave(self, line: Mapping[str, Any]) -> None:
        self._seen = self._shown = None
        self._show(None)
        self.lines = dict.fromkeys(LANGUAGES, line)

    def _show(self, snapshot: Snapshot | None) -> None:
        self.feed.take(snapshot)
        self.readers.wake()


def _followed(
    seen: Spectated | None, header: Mapping[str, Any], events: Sequence[StoredEvent],
    match: StoredMatch,
) -> tuple[Spectated, Snapshot, dict[str, Mapping[str, Any]]]:  # fmt: skip
    seen = seen or Spectated(match.id, header)
    end_s = time.monotonic() + STEP_S
    for event in events:
        seen.take(event.seq, event.type, event.body)
        if time.monotonic() > end_s:
            break
    snapshot = seen.snapshot()
    return seen, snapshot, {lang: _line(snapshot, match, lang) for lang in LANGUAGES}


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
