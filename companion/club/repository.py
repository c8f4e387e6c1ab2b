"""Queries to the club's database, for its pages."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import AsyncConnection

from companion.club.public_events import ToldEnd, ToldHeader
from companion.club.schema import CHANNEL, migrate
from companion.decoding import Moment, Unfit, fitted
from rules.core import GameError
from rules.games import find_game

log = logging.getLogger(__name__)

AGAIN_S = 1.0


@dataclass(frozen=True, slots=True)
class TableLine:
    """A table of the club."""

    name: str
    heard_s: float
    """Time it was last heard of, seconds since 1970."""


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A match of a table, as far as it is stored without a gap."""

    id: str
    game: str
    names: tuple[str, ...]
    """Of the people at the table."""
    status: str
    complete: int
    """Number of the last event before the first gap."""
    highest: int
    """Number of the last event of all."""
    changed_s: float


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """One event of a match."""

    seq: int
    type: str
    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Played:
    """A match that was played to its end."""

    table: str
    match: str
    game: str
    names: tuple[str, ...]
    ranking: tuple[tuple[int, ...], ...]
    scores: tuple[int, ...]
    ended_s: float
    computers: bool = False
    """True if computer players took part."""
    faces: tuple[str, ...] = ()
    colours: tuple[str, ...] = ()
    """By seat, as the game calls them."""
    pairing: str = ""
    """The game of a tournament that it was begun as."""


@dataclass(frozen=True, slots=True)
class SetAside:
    """Messages of a table that were not stored."""

    table: str
    count: int
    """Number of all, ever."""
    last_s: float
    why: str
    """Reason of the last."""


class Database:
    """One connection, made again whenever it was lost. Raises psycopg.Error while it is away."""

    def __init__(self, dsn: str) -> None:
        self._dsn = dsn
        self._db: AsyncConnection[Any] | None = None
        self._using = asyncio.Lock()

    async def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Rows that a query finds; none if it only changes something."""
        async with self._using:
            try:
                return await self._ask(query, values)
            except psycopg.OperationalError:
                # It may have been away since the last question; that is seen only now.
                await self._hang_up()
                return await self._ask(query, values)

    async def change(self, *steps: tuple[str, Sequence[object]]) -> None:
        """Makes all changes, or none of them."""
        async with self._using:
            try:
                await self._make(steps)
            except psycopg.OperationalError:
                await self._hang_up()
                await self._make(steps)

    async def changed(self, channel: str = CHANNEL) -> AsyncIterator[str]:
        """Messages of a channel: the names of tables of which something new is stored; an empty
        text whenever the connection has come (again). Never ends."""
        while True:
            try:
                async with await AsyncConnection.connect(self._dsn, autocommit=True) as db:
                    await db.execute(f"listen {channel}".encode())
                    yield ""
                    async for told in db.notifies():
                        yield told.payload
            except psycopg.Error as error:
                log.warning("the database is away: %s", error)
                await asyncio.sleep(AGAIN_S)

    async def close(self) -> None:
        """Hang up."""
        async with self._using:
            await self._hang_up()

    # -- tables and matches -----------------------------------------------------------------

    async def names(self) -> list[str]:
        """The names of all tables."""
        return [str(name) for (name,) in await self.rows("select name from tables order by name")]

    async def newest(self, names: Sequence[str]) -> list[tuple[TableLine, StoredMatch | None]]:
        """Tables of these names, with the match that each told of last: one that is open before any
        other."""
        rows = await self.rows(
            "select name, extract(epoch from heard_at)::double precision, m.id, m.header -> 'game',"
            " m.header -> 'names', m.header -> 'computers', m.status, m.complete, m.highest, "
            "extract(epoch from m.changed_at)::double precision from tables left join lateral ("
            "select * from matches where tab = name and header is not null and replaced_by is null "
            "and (status <> 'abandoned' or complete > 1) "
            "order by status = 'open' and changed_at > now() - interval '12 hours' desc, "
            "changed_at desc limit 1) m on true where name = any(%s)", list(names),
        )  # fmt: skip
        return [
            (
                TableLine(name, heard_s),
                StoredMatch(id, str(game), _people(told, computers), *standing) if id else None,
            )
            for name, heard_s, id, game, told, computers, *standing in rows
        ]

    async def header(self, table: str, match: str) -> Mapping[str, Any]:
        """The header of a match."""
        rows = await self.rows(
            "select header from matches where tab = %s and id = %s", table, match
        )
        return dict(rows[0][0]) if rows else {}

    async def usual_lengths(self) -> dict[str, int]:
        """The number of events that half of the matches of a game had at most, by game: of those
        that ended in the last year."""
        rows = await self.rows(
            "select header ->> 'game', percentile_disc(0.5) within group (order by complete) "
            "from matches where settled_at > now() - interval '1 year' and ended is not null "
            "group by 1"
        )
        return {str(game): int(length) for game, length in rows}

    async def events(self, table: str, match: str, after: int, until: int) -> list[StoredEvent]:
        """The events of a match in order: those after ``after``, up to ``until``."""
        rows = await self.rows(
            "select seq, type, body from events where tab = %s and match = %s "
            "and seq > %s and seq <= %s order by seq", table, match, after, until,
        )  # fmt: skip
        return [StoredEvent(*row) for row in rows]

    async def settled(self, since_s: float) -> list[tuple[Any, ...]]:
        """Matches whose outcome was noted, changed or taken back from ``since_s`` on: table, id,
        header, outcome (None: it is not over), when it ended, and when that was noted."""
        return await self.rows(
            "select tab, id, header, ended, ended_t, "
            "extract(epoch from settled_at)::double precision from matches "
            "where settled_at >= to_timestamp(%s) order by settled_at", since_s,
        )  # fmt: skip

    async def set_aside(self) -> list[SetAside]:
        """Tables of which messages were set aside, the one of the last message first."""
        rows = await self.rows(
            "select name, tables.set_aside, extract(epoch from at), why from tables "
            "join lateral (select at, why from set_aside where tab = name "
            "order by at desc limit 1) last on true order by at desc"
        )
        return [SetAside(str(name), int(n), float(at), str(why)) for name, n, at, why in rows]

    # -- private --------------------------------------------------------------------------

    async def _connection(self) -> AsyncConnection[Any]:
        if self._db is None:
            self._db = await AsyncConnection.connect(self._dsn, autocommit=True)
            await migrate(self._db)
        return self._db

    async def _ask(self, query: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
        cursor = await (await self._connection()).execute(query.encode(), values)
        return await cursor.fetchall() if cursor.description else []

    async def _make(self, steps: Sequence[tuple[str, Sequence[object]]]) -> None:
        db = await self._connection()
        async with db.transaction():
            for query, values in steps:
                await db.execute(query.encode(), values)

    async def _hang_up(self) -> None:
        db, self._db = self._db, None
        if db is not None:
            await db.close()


def _people(names: Any, computers: Any) -> tuple[str, ...]:
    """Names of people in a header; whatever older programs stored instead is none."""
    told = names if isinstance(names, list) else []
    others = computers if isinstance(computers, list) else []
    seats = range(min(len(told), 16))
    return tuple(str(told[n])[:80] for n in seats if told[n] and not any(others[n : n + 1]))


def played_of(table: str, id: str, header: Any, body: Any, ended_s: Any) -> Played:
    """The match of a row of ``Database.settled``. Raises Unfit: older programs stored what would
    not be taken today."""
    told, end = fitted(header, ToldHeader), fitted(body, ToldEnd)
    placed = [seat for group in end.ranking for seat in group]
    if len(end.scores) != told.players or sorted(placed) != sorted(set(placed) & set(
        range(told.players)
    )):  # fmt: skip
        raise Unfit("an outcome for other seats")
    names = [*told.names, *("",) * (told.players - len(told.names))]
    for seat, computer in enumerate(told.computers):
        # Only people are rated, whatever a computer player is called.
        names[seat] = "" if computer else names[seat]
    return Played(
        table, id, told.game, tuple(names), end.ranking, end.scores,
        fitted(ended_s, Moment), any(told.computers), told.faces, _colours(told), told.pairing,
    )  # fmt: skip


def _colours(told: ToldHeader) -> tuple[str, ...]:
    """The colours of the seats; none of a game that is not known here, or with other options."""
    try:
        return find_game(told.game).colours(told.players, told.options)
    except GameError:
        return ()
