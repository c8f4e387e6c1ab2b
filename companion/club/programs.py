"""The club's own programs, each a process of its own: the writer and the pages."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections.abc import Collection
from pathlib import Path

import psycopg
from nats.errors import Error as NatsError

from companion.club.connection import connect
from companion.club.naming import ClubError
from companion.club.serving import DSN
from companion.club.settings import Club
from companion.club.writer import Writer
from companion.settings.checking import SettingsError

log = logging.getLogger(__name__)

AGAIN_S = 1.0


def dsn_of(club: Club) -> str:
    """Connection string of the club's database."""
    return os.environ.get(DSN) or club.settings.database.dsn


async def write(file: Path) -> None:
    """Store what the broker has until SIGTERM or SIGINT; begins again whenever either is away."""
    club, over = Club(file), asyncio.Event()
    tables = _Tables(club)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, over.set)
    while not over.is_set():
        try:
            client = await connect(club.own())
            try:
                await Writer(club.name, client, dsn_of(club), tables).run(over)
            finally:
                await client.close()
        except (NatsError, psycopg.Error, OSError, TimeoutError) as error:
            log.warning("the writer begins again: %s", str(error) or type(error).__name__)
            await asyncio.sleep(AGAIN_S)


class _Tables:
    """The names of a club's tables, as its file says now."""

    def __init__(self, club: Club) -> None:
        self._club, self._read = club, _changed(club.file)

    def __call__(self) -> Collection[str]:
        changed = _changed(self._club.file)
        if changed != self._read:
            self._read = changed
            try:
                self._club = Club(self._club.file)
            except (ClubError, SettingsError) as error:
                # What was read before still holds.
                log.warning("%s", error)
        return self._club.tables


def _changed(file: Path) -> int:
    """Time of the last change of a file; 0 while it is not there."""
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return 0


def show_pages(file: Path) -> None:
    """Show the hall's pages until SIGTERM or SIGINT."""
    from companion.club.hall import run_hall

    club = Club(file)
    run_hall(club, dsn_of(club))
