"""Tells the tables of a club which games of tournaments wait for them; part of the writer."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection

import msgspec
import psycopg
from nats.aio.client import Client
from nats.errors import Error as NatsError

from companion.club.naming import calls_subject
from companion.club.public_events import VERSION, Calls
from companion.club.repository import Database
from companion.club.schema import PAIRINGS
from companion.club.tournament.sending import Sending

log = logging.getLogger(__name__)

CALM_S = 0.3
"""Time between two looks at what waits, seconds: of a crowd of changes only the last is told."""
AGAIN_S = 1.0


class Calling:
    """Tells each table what waits for it whenever that changes, and when it asks.

    ``tables``: the names of the club's tables now.
    """

    def __init__(
        self, club: str, client: Client, dsn: str, tables: Callable[[], Collection[str]]
    ) -> None:
        self._club, self._client, self._tables = club, client, tables
        self._database = Database(dsn)
        self._sending = Sending(self._database)
        self._told: dict[str, bytes] = {}
        self._bell = asyncio.Event()

    def wake(self, table: str = "") -> None:
        """Something may wait now, or no more; ``table`` wants to be told in any case."""
        self._told.pop(table, None)
        self._bell.set()

    async def run(self) -> None:
        """Tell them until it is cancelled."""
        hearing = asyncio.ensure_future(self._hear())
        try:
            while True:
                await self._bell.wait()
                self._bell.clear()
                try:
                    await self._call()
                except (psycopg.Error, NatsError, TimeoutError) as error:
                    log.warning("the tables are not told: %s", str(error) or type(error).__name__)
                    self._bell.set()
                    await asyncio.sleep(AGAIN_S)
                await asyncio.sleep(CALM_S)
        finally:
            hearing.cancel()
            await self._database.close()

    async def _hear(self) -> None:
        async for _told in self._database.changed(PAIRINGS):
            self._bell.set()

    async def _call(self) -> None:
        for table, games in (await self._sending.calls(self._tables())).items():
            message = msgspec.json.encode(Calls(v=VERSION, games=tuple(games)))
            if self._told.get(table) != message:
                await self._client.publish(calls_subject(self._club, table), message)
                self._told[table] = message
