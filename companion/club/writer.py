"""The writer: from the broker into the database. It may be killed at any moment.

A message is acknowledged only after the database has committed what it says, so one that was under
way comes again; and whatever comes again changes nothing. Events that come before others of lower
numbers are kept, and are not read beyond the gap until it is filled.

Whatever fails is the fault of its message, and of the table that sent it. Every table has a queue
of its own, of bounded size and speed, so none waits because of another; and what cannot be stored
is set aside, counted, and never tried for ever.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any

import msgspec
import psycopg
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from nats.js import JetStreamContext
from nats.js.api import (
    AckPolicy,
    ConsumerConfig,
    DiscardPolicy,
    RePublish,
    RetentionPolicy,
    StorageType,
    StreamConfig,
)
from psycopg import AsyncConnection
from psycopg.types.json import Jsonb

from companion.club.calling import Calling
from companion.club.naming import (
    Place,
    answer_subject,
    passed_on_subject,
    stream_of,
    subjects_of,
    talk_stream_of,
    together_subject,
    waiting_subject,
)
from companion.club.public_events import (
    VERSION,
    Answer,
    Asks,
    ToldBegun,
    ToldEvent,
    ToldStands,
)
from companion.club.schema import CHANNEL, migrate
from companion.decoding import MOST_BYTES, Unfit, decoded
from rules.printable import one_line

log = logging.getLogger(__name__)

DURABLE = "writer"
AT_ONCE = 500
"""Maximum number of messages in one transaction, …"""
BYTES_AT_ONCE = 4 << 20
"""… and of bytes, so that no table waits long for its turn."""
UNDER_WAY = 32
"""Maximum number of messages of one table that wait at the writer."""
PER_S = 64 * 1024
"""Bytes per second that the broker gives the writer of one table."""
WAITING = 4 << 20
"""Bytes of one table that wait at the broker; then it takes no more of that table."""
AGAIN_S = 10.0
"""Seconds after which a message without an acknowledgement comes again."""
KEEP_S = 30 * 24 * 3600.0
"""Seconds for which the broker keeps what waits; a table sends again what the database lacks."""
TALK_S = 10.0
TALK = 8 << 20
"""Seconds for which, and bytes that, the broker keeps of what tables say to each other."""
TRIES = 5
"""Deliveries after which a message is suspected of ending the writer, and tried alone."""
A_DAY = 64 << 20
MATCHES_A_DAY = 2_000
"""Bytes of a day, and matches, that are stored of one table; people need a hundredth."""
LEAST = 256
"""Bytes that a message counts at least."""
KEPT = 20
"""Number of messages set aside that are kept of one table, …"""
KEPT_BYTES = 2_000
"""… and of each so many bytes."""
LOOK_S = 1.0
"""Seconds between looks for new tables."""


@dataclass(slots=True)
class _Letter:
    """A message of a table, as the broker delivered it."""

    message: Msg
    place: Place
    number: int
    """In the table's stream."""
    when: datetime
    tries: int

    @property
    def size(self) -> int:
        return max(len(self.message.data), LEAST)


@dataclass
class _Batch:
    """Rows of several messages."""

    begun: list[tuple[Jsonb, str, str]] = field(default_factory=list)
    replaced: list[tuple[str, str, str]] = field(default_factory=list)
    events: list[tuple[str, str, int, float, str, str, Jsonb]] = field(default_factory=list)
    stands: list[tuple[str, datetime, str, str, datetime]] = field(default_factory=list)
    matches: dict[tuple[str, str], None] = field(default_factory=dict)
    asked: list[tuple[str, Asks]] = field(default_factory=list)
    called: set[str] = field(default_factory=set)
    """Tables for which other games of a tournament may wait than before."""

    def take(self, letter: _Letter) -> None:
        """Raises Unfit for what makes no sense."""
        place, data = letter.place, letter.message.data
        of = (place.table, place.match)
        if place.what != "event":
            self.called.add(place.table)
        match place.what:
            case "begun":
                begun = decoded(data, ToldBegun)
                self.begun.append((Jsonb(msgspec.to_builtins(begun.header)), *of))
                if begun.replaces:
                    self.replaced.append((place.match, place.table, begun.replaces))
            case "event":
                event = decoded(data, ToldEvent)
                said = (event.t, event.type, event.src, Jsonb(event.body))
                if event.type in ("end", "takeback"):
                    self.called.add(place.table)
                self.events.append((*of, event.seq, *said))
            case "stands":
                stands = decoded(data, ToldStands)
                self.stands.append((stands.status, letter.when, *of, letter.when))
            case "asks":
                self.asked.append((place.table, decoded(data, Asks)))
                return
            case _:
                raise Unfit(f"nothing is called {place.what[:40]!r}")
        self.matches[of] = None


@dataclass
class _Lane:
    """The queue of one table at the writer, with how much it has said today."""

    waiting: deque[_Letter] = field(default_factory=deque)
    done: deque[int] = field(default_factory=lambda: deque(maxlen=2 * UNDER_WAY))
    """Numbers of those dealt with lately: one may come again before the broker hears of it."""
    day: date = date.min
    bytes: int = 0
    matches: int = 0

    def allows(self, letter: _Letter) -> bool:
        """Counts a message; False if it is too much for a day."""
        today = datetime.now(UTC).date()
        if today != self.day:
            self.day, self.bytes, self.matches = today, 0, 0
        self.bytes += letter.size
        self.matches += letter.place.what == "begun"
        return self.bytes <= A_DAY and self.matches <= MATCHES_A_DAY


class Writer:
    """Stores what the tables of ``club`` tell; ``tables``: their names now."""

    def __init__(
        self, club: str, client: Client, dsn: str, tables: Callable[[], Collection[str]]
    ) -> None:
        self._club, self._client, self._dsn, self._tables = club, client, dsn, tables
        self._lanes: dict[str, _Lane] = {}
        self._bell = asyncio.Event()
        self._calling = Calling(club, client, dsn, tables)
        self._connected = -1
        """Count of connections for which everything is set up at the broker."""
        self.listens = False
        """True as soon as every table is heard."""
        self._settled_s = 0.0
        """When all has come again that was given to a writer before; questions wait until then."""

    async def run(self, over: asyncio.Event) -> None:
        """Write until ``over``. Raises psycopg.Error, NatsError; it may be begun again."""
        async with await AsyncConnection.connect(self._dsn, autocommit=True) as db:
            await migrate(db)
            calling = asyncio.ensure_future(self._calling.run())
            try:
                await self._write(db, over, calling)
            finally:
                calling.cancel()

    # -- private --------------------------------------------------------------------------

    async def _write(
        self, db: AsyncConnection[Any], over: asyncio.Event, calling: asyncio.Future[None]
    ) -> None:
        stream, loop = self._client.jetstream(), asyncio.get_running_loop()
        looked_s = -LOOK_S
        while not over.is_set():
            if calling.done():
                calling.result()
            if loop.time() - looked_s >= LOOK_S:
                await self._look(stream, db)
                looked_s = loop.time()
            letters = self._next()
            if not letters:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._bell.wait(), LOOK_S)
                self._bell.clear()
                continue
            if loop.time() < self._settled_s:
                early = [one for one in letters if one.place.what == "asks"]
                letters = [one for one in letters if one.place.what != "asks"]
                await asyncio.gather(*(one.message.nak(AGAIN_S) for one in early))
            await self._take(db, letters)
            await asyncio.gather(*(one.message.ack() for one in letters))

    async def _look(self, stream: JetStreamContext, db: AsyncConnection[Any]) -> None:
        """Begin to hear new tables; have the broker set up again what it may have forgotten."""
        connected = self._client.stats["reconnects"]
        try:
            if connected != self._connected:
                await prepare_talk(stream, self._club)
                for table, lane in self._lanes.items():
                    await self._prepare(stream, table)
                    lane.done.clear()
                self._connected = connected
            for table in set(self._tables()) - set(self._lanes):
                await self._prepare(stream, table)
                await self._open(db, table)
            self.listens = True
        except (NatsError, TimeoutError) as error:
            # It reads its configuration just now, or is away.
            log.warning("the broker is not ready: %s", str(error) or type(error).__name__)

    async def _open(self, db: AsyncConnection[Any], table: str) -> None:
        found = await db.execute("select day, bytes, matches from tables where name = %s", (table,))
        lane = _Lane()
        if row := await found.fetchone():
            lane.day, lane.bytes, lane.matches = row

        async def hear(message: Msg) -> None:
            place, told = Place.of(message.subject), message.metadata
            if place is None:
                place = Place(table, "", message.subject.rpartition(".")[2])
            lane.waiting.append(_Letter(
                message, place, told.sequence.stream, told.timestamp, told.num_delivered
            ))  # fmt: skip
            self._bell.set()

        await self._client.subscribe(waiting_subject(self._club, table), cb=hear)
        self._lanes[table] = lane

    async def _prepare(self, stream: JetStreamContext, table: str) -> None:
        if await prepare_table(stream, self._club, table):
            self._settled_s = asyncio.get_running_loop().time() + 1.5 * AGAIN_S

    def _next(self) -> list[_Letter]:
        """The next messages, of all tables in turn."""
        found: list[_Letter] = []
        room = BYTES_AT_ONCE
        lanes = deque(lane.waiting for lane in self._lanes.values() if lane.waiting)
        while lanes and room > 0 and len(found) < AT_ONCE:
            lane = lanes.popleft()
            found.append(lane.popleft())
            room -= found[-1].size
            if lane:
                lanes.append(lane)
        return found

    async def _take(self, db: AsyncConnection[Any], letters: Sequence[_Letter]) -> None:
        """Store or set aside all of them; what they ask is answered."""
        sound, aside = [], []
        for letter in letters:
            lane = self._lanes[letter.place.table]
            if letter.number in lane.done:
                continue
            lane.done.append(letter.number)
            if not lane.allows(letter):
                aside.append((letter, "more than is taken on one day"))
            elif letter.tries > TRIES:
                await self._try_alone(db, letter)
            else:
                sound.append(letter)
        aside += await self._store(db, sound)
        await self._put_aside(db, aside)
        await self._count(db, {letter.place.table for letter in letters})

    async def _try_alone(self, db: AsyncConnection[Any], letter: _Letter) -> None:
        """One that came too often is aside before it is tried: if it ends the writer, for good."""
        key = letter.place.table, letter.number
        known = await db.execute("select 1 from set_aside where tab = %s and number = %s", key)
        if await known.fetchone():
            return
        await self._put_aside(db, [(letter, "ended the writer")])
        aside = await self._store(db, [letter])
        await db.execute("delete from set_aside where tab = %s and number = %s", key)
        await db.execute("update tables set set_aside = set_aside - 1 where name = %s", key[:1])
        await self._put_aside(db, aside)

    async def _store(
        self, db: AsyncConnection[Any], letters: Sequence[_Letter]
    ) -> list[tuple[_Letter, str]]:
        """Store them; gives those that cannot be, and why."""
        batch, fitting, aside = _Batch(), [], []
        for letter in letters:
            try:
                batch.take(letter)
                fitting.append(letter)
            except Unfit as error:
                aside.append((letter, str(error)))
        try:
            await _write(db, batch)
        except psycopg.Error as error:
            if _is_away(db, error):
                raise
            if len(fitting) == 1:
                return [*aside, (fitting[0], str(error))]
            # One of them; the others are stored.
            middle = len(fitting) // 2
            for some in (fitting[:middle], fitting[middle:]):
                aside += await self._store(db, some)
            return aside
        for table, asks in batch.asked:
            await self._answer(db, table, asks)
        for table in batch.called:
            self._calling.wake(table)
        return aside

    async def _put_aside(
        self, db: AsyncConnection[Any], aside: Iterable[tuple[_Letter, str]]
    ) -> None:
        by_table: dict[str, list[tuple[_Letter, str]]] = {}
        for letter, why in aside:
            by_table.setdefault(letter.place.table, []).append((letter, why))
        for table, those in by_table.items():
            log.warning("%d messages of table %s are set aside", len(those), table)
            async with db.transaction(), db.cursor() as cursor:
                await cursor.execute(
                    "insert into tables (name, set_aside) values (%s, %s) on conflict (name) "
                    "do update set set_aside = tables.set_aside + excluded.set_aside",
                    (table, len(those)),
                )
                await cursor.executemany(
                    "insert into set_aside (tab, number, why, data) values (%s, %s, %s, %s) "
                    "on conflict (tab, number) do update "
                    "set at = clock_timestamp(), why = excluded.why, data = excluded.data", [
                        (table, letter.number, one_line(why)[:200],
                         letter.message.data[:KEPT_BYTES])
                        for letter, why in those[-KEPT:]
                    ],
                )  # fmt: skip
                await cursor.execute(
                    "delete from set_aside where tab = %s and number not in (select number "
                    "from set_aside where tab = %s order by at desc, number desc limit %s)",
                    (table, table, KEPT),
                )

    async def _count(self, db: AsyncConnection[Any], tables: Iterable[str]) -> None:
        async with db.cursor() as cursor:
            await cursor.executemany(
                "update tables set day = %s, bytes = %s, matches = %s where name = %s", [
                    (lane.day, lane.bytes, lane.matches, table)
                    for table in sorted(tables)
                    for lane in (self._lanes[table],)
                ],
            )  # fmt: skip

    async def _answer(self, db: AsyncConnection[Any], table: str, asks: Asks) -> None:
        """Tell a table how many events of its matches are stored, and how they stand."""
        rows = await db.execute(
            "select id, complete, status from matches where tab = %s and id = any(%s) "
            "and header is not null", (table, list(asks.matches)),
        )  # fmt: skip
        stored = {str(id): (int(complete), str(status)) async for id, complete, status in rows}
        answer = Answer(v=VERSION, number=asks.number, stored=stored)
        await self._client.publish(answer_subject(self._club, table), msgspec.json.encode(answer))


async def prepare_table(stream: JetStreamContext, club: str, table: str) -> int:
    """Sets up a table's stream, and the writer's place in it; gives how many messages another
    writer was given and has not stored. Raises NatsError."""
    name = stream_of(club, table)
    await _make(stream, StreamConfig(
        name=name, subjects=list(subjects_of(club, table)), max_age=KEEP_S, duplicate_window=120,
        retention=RetentionPolicy.WORK_QUEUE, discard=DiscardPolicy.NEW, max_bytes=WAITING,
        max_msg_size=MOST_BYTES + 1024,
    ))  # fmt: skip
    config = ConsumerConfig(
        durable_name=DURABLE, ack_policy=AckPolicy.EXPLICIT, ack_wait=AGAIN_S,
        max_ack_pending=UNDER_WAY, rate_limit_bps=8 * PER_S,
        deliver_subject=waiting_subject(club, table),
    )  # fmt: skip
    place = await stream.add_consumer(name, config)
    kept = await stream.stream_info(name)
    if (place.num_ack_pending or 0) + (place.num_pending or 0) > kept.state.messages:
        # A broker that was killed may wait for ever for what it has deleted (nats-server 2.9).
        await stream.delete_consumer(name, DURABLE)
        place = await stream.add_consumer(name, config)
    return place.num_ack_pending or 0


async def prepare_talk(stream: JetStreamContext, club: str) -> None:
    """Has the broker pass on what tables say to each other, without an answer to anybody. Raises
    NatsError."""
    said, heard = together_subject(club, "*", ">"), passed_on_subject(club, "{{wildcard(1)}}", ">")
    await _make(stream, StreamConfig(
        name=talk_stream_of(club), subjects=[said], storage=StorageType.MEMORY, no_ack=True,
        max_age=TALK_S, duplicate_window=TALK_S, max_bytes=TALK,
        republish=RePublish(src=said, dest=heard),
    ))  # fmt: skip


async def _make(stream: JetStreamContext, config: StreamConfig) -> None:
    try:
        await stream.add_stream(config)
    except NatsError:
        await stream.update_stream(config)


def _is_away(db: AsyncConnection[Any], error: psycopg.Error) -> bool:
    """True for a failure of the database, not of what it was given (SQLSTATE classes)."""
    kind = (error.sqlstate or "")[:2]
    return db.broken or db.closed or kind in ("", "08", "40", "53", "57", "58")


async def _write(db: AsyncConnection[Any], batch: _Batch) -> None:
    """All of it or nothing."""
    told = {table for table, _ in batch.matches}
    tables = sorted(told | {table for table, _ in batch.asked})
    if not tables:
        return
    matches = sorted(batch.matches)
    async with db.transaction(), db.pipeline(), db.cursor() as cursor:
        await cursor.executemany(
            "insert into tables (name) values (%s) "
            "on conflict (name) do update set heard_at = now()", [(name,) for name in tables],
        )  # fmt: skip
        await cursor.executemany(
            "insert into matches (tab, id) values (%s, %s) on conflict do nothing", matches
        )
        await cursor.executemany(
            "update matches set header = %s where tab = %s and id = %s", batch.begun
        )
        await cursor.executemany(
            "update matches set replaced_by = %s where tab = %s and id = %s", batch.replaced
        )
        # The table's journal is the truth: what it says last is so.
        await cursor.executemany(
            "insert into events (tab, match, seq, t, type, src, body) "
            "values (%s, %s, %s, %s, %s, %s, %s) on conflict (tab, match, seq) do update "
            "set t = excluded.t, type = excluded.type, src = excluded.src, body = excluded.body "
            "where (events.t, events.type, events.src, events.body) "
            "is distinct from (excluded.t, excluded.type, excluded.src, excluded.body)",
            batch.events,
        )
        await cursor.executemany(
            "update matches set status = %s, stood_at = %s "
            "where tab = %s and id = %s and (stood_at is null or stood_at <= %s)",
            batch.stands,
        )
        await cursor.executemany(
            _COMPLETE, [{"tab": table, "match": match} for table, match in matches]
        )
        settled = sorted({*matches, *((table, match) for _, table, match in batch.replaced)})
        await cursor.executemany(
            SETTLE, [{"tab": table, "match": match} for table, match in settled]
        )
        await cursor.executemany(
            f"select pg_notify('{CHANNEL}', %s)", [(name,) for name in sorted(told)]
        )


_COMPLETE = """
with later as (
    select seq, row_number() over (order by seq) as place
    from events where tab = %(tab)s and match = %(match)s
    and seq > (select complete from matches where tab = %(tab)s and id = %(match)s)
)
update matches set
    complete = complete + (select count(*) from later where seq = matches.complete + place),
    highest = greatest(highest, (select max(seq) from later)),
    changed_at = now()
where tab = %(tab)s and id = %(match)s
"""

SETTLE = """
update matches m set ended = found.body, ended_t = found.t, settled_at = clock_timestamp()
from (
    select e.body, e.t from matches o left join lateral (
        select type, body, t from events where tab = o.tab and match = o.id
        and seq <= o.complete and type in ('move', 'takeback', 'end') order by seq desc limit 1
    ) e on e.type = 'end' and o.status = 'finished' and o.header is not null
    and o.replaced_by is null
    and coalesce(o.header -> 'together' ->> 'hosting', 'true') <> 'false'
    where o.tab = %(tab)s and o.id = %(match)s
) found
where m.tab = %(tab)s and m.id = %(match)s and (m.status = 'finished' or m.ended is not null)
and (m.ended, m.ended_t) is distinct from (found.body, found.t)
"""
"""Notes the outcome of a match that is over beside it, or that it is not over after all: a season
reads no events. Of a match that was played at two tables the record of the one that invited the
other counts."""
