"""The writer: from the broker into the database. It may be killed at any moment.

A message is acknowledged only after the database has committed what it says, so one that was under
way comes again; and whatever comes again changes nothing. Events that come before others of lower
numbers are kept, and are not read beyond the gap until it is filled.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import psycopg
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from nats.js import JetStreamContext
from nats.js.api import AckPolicy, ConsumerConfig, StreamConfig
from psycopg import AsyncConnection
from psycopg.types.json import Jsonb

from companion.club.naming import Place, ask_subject, stream_of, subjects_of
from companion.club.public_events import VERSION
from companion.club.schema import migrate
from companion.journal.entries import STATUSES

log = logging.getLogger(__name__)

DURABLE = "writer"
AT_ONCE = 500
"""Maximum number of messages in one transaction."""
FETCH_S = 1.0
AGAIN_S = 30.0
"""Seconds after which a message without an acknowledgement comes again."""
KEEP_S = 30 * 24 * 3600.0
"""Seconds for which the broker keeps messages; a table sends again what the database lacks."""
CHANNEL = "heelstone_club"
"""Channel of the database that names tables with newly stored events."""


@dataclass
class _Batch:
    """Rows of several messages."""

    begun: list[tuple[Jsonb, str, str]] = field(default_factory=list)
    replaced: list[tuple[str, str, str]] = field(default_factory=list)
    events: list[tuple[str, str, int, float, str, str, Jsonb]] = field(default_factory=list)
    stands: list[tuple[str, datetime, str, str, datetime]] = field(default_factory=list)
    matches: dict[tuple[str, str], None] = field(default_factory=dict)

    def take(self, place: Place, told: Mapping[str, Any], when: datetime) -> None:
        """Raises KeyError, TypeError, ValueError for what makes no sense."""
        if told["v"] != VERSION:
            raise ValueError(told["v"])
        of = (place.table, place.match)
        match place.what:
            case "begun":
                self.begun.append((Jsonb(dict(told["header"])), *of))
                if "replaces" in told:
                    self.replaced.append((place.match, place.table, str(told["replaces"])))
            case "event":
                seq = int(told["seq"])
                if seq < 1:
                    raise ValueError(seq)
                body = Jsonb(dict(told["body"]))
                said = (float(told["t"]), str(told["type"]), str(told["src"]), body)
                self.events.append((*of, seq, *said))
            case "stands":
                if told["status"] not in STATUSES:
                    raise ValueError(told["status"])
                self.stands.append((str(told["status"]), when, *of, when))
            case _:
                raise ValueError(place.what)
        self.matches[of] = None


class Writer:
    """Stores what the tables of ``club`` tell."""

    def __init__(self, club: str, client: Client, dsn: str) -> None:
        self._club, self._client, self._dsn = club, client, dsn
        self._drained = False
        """True if nothing waits at the broker."""
        self.stored = 0
        """Messages since this writer began."""

    async def run(self, over: asyncio.Event) -> None:
        """Write until ``over``. Raises psycopg.Error, NatsError; it may be begun again."""
        stream = self._client.jetstream()
        await prepare_stream(stream, self._club)
        async with await AsyncConnection.connect(self._dsn, autocommit=True) as db:
            await migrate(db)
            db_lock = asyncio.Lock()

            async def asked(message: Msg) -> None:
                async with db_lock:
                    await self._answer(db, message)

            subscription = await stream.pull_subscribe_bind(
                durable=DURABLE, stream=stream_of(self._club)
            )
            asking = await self._client.subscribe(ask_subject(self._club, "*"), cb=asked)
            try:
                while not over.is_set():
                    try:
                        messages = await subscription.fetch(AT_ONCE, timeout=FETCH_S)
                    except TimeoutError:
                        self._drained = True
                        continue
                    self._drained = False
                    async with db_lock:
                        await self._store(db, messages)
                    await asyncio.gather(*(message.ack() for message in messages))
                    self.stored += len(messages)
            finally:
                await asking.unsubscribe()
                await subscription.unsubscribe()

    # -- private --------------------------------------------------------------------------

    async def _store(self, db: AsyncConnection[Any], messages: Sequence[Msg]) -> None:
        batch = _Batch()
        for message in messages:
            place = Place.of(message.subject)
            try:
                if place is None:
                    raise ValueError(message.subject)
                batch.take(place, json.loads(message.data), message.metadata.timestamp)
            except (KeyError, TypeError, ValueError, RecursionError) as error:
                # It will make no more sense the next time.
                log.warning("a message makes no sense and is left out: %s: %r", place, error)
        try:
            await _write(db, batch)
        except (psycopg.DataError, psycopg.IntegrityError) as error:
            if len(messages) == 1:
                log.warning("a message cannot be stored and is left out: %s", error)
                return
            # One of them; the others are stored.
            for message in messages:
                await self._store(db, [message])

    async def _answer(self, db: AsyncConnection[Any], message: Msg) -> None:
        """Tell a table how many events of its matches are stored, and how they stand."""
        table = message.subject.rpartition(".")[2]
        try:
            matches = [str(name) for name in json.loads(message.data)["matches"]]
        except (KeyError, TypeError, ValueError) as error:
            log.warning("a question of table %s makes no sense: %r", table, error)
            return
        rows = await db.execute(
            "select id, complete, status from matches where tab = %s and id = any(%s) "
            "and header is not null", (table, matches),
        )  # fmt: skip
        stored = {str(id): (int(complete), str(status)) async for id, complete, status in rows}
        answer = {"v": VERSION, "drained": self._drained, "stored": stored}
        await message.respond(json.dumps(answer).encode())


async def prepare_stream(stream: JetStreamContext, club: str) -> None:
    """Sets up the broker's stream of a club's tables, and the writer's place in it. Raises
    NatsError."""
    name = stream_of(club)
    config = StreamConfig(
        name=name, subjects=[subjects_of(club, "*")], max_age=KEEP_S, duplicate_window=120
    )
    try:
        await stream.add_stream(config)
    except NatsError:
        await stream.update_stream(config)
    await stream.add_consumer(
        name,
        ConsumerConfig(
            durable_name=DURABLE, ack_policy=AckPolicy.EXPLICIT, ack_wait=AGAIN_S,
            max_ack_pending=4 * AT_ONCE,
        ),
    )  # fmt: skip


async def _write(db: AsyncConnection[Any], batch: _Batch) -> None:
    """All of it or nothing."""
    if not batch.matches:
        return
    tables = sorted({table for table, _ in batch.matches})
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
        await cursor.executemany(f"select pg_notify('{CHANNEL}', %s)", [(name,) for name in tables])


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
