"""A club for tests: a real broker and a real database, its writer, and tables with journals."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
import pytest
from nats.errors import Error as NatsError

from companion.club.connection import connect
from companion.club.membership import Membership, write_secret
from companion.club.naming import ClubError
from companion.club.public_events import PublicForm
from companion.club.schema import migrate
from companion.club.serving import DSN, LocalBroker, LocalDatabase, broker_config
from companion.club.settings import new_seed, public_key, scrambled
from companion.club.writer import Writer, prepare_table, prepare_talk
from companion.journal.entries import ABANDONED, FINISHED, Header, new_match_id
from companion.journal.events import (
    EntryAmended,
    Happening,
    MatchEnded,
    MovePlayed,
    Source,
    TakenBack,
)
from companion.journal.store import Journal
from hardware.supervised_thread import AsyncThread
from rules.games import find_game
from rules.match import Match
from rules.testing.playout import pick
from tests.support.waiting import PATIENCE_S, until

CLUB = "circle"
KNOWN = ("ours", "other", "all-games")
"""Tables that the broker knows from its start."""
GAMES = (
    "knizia_stonehenge", "hoher_rat", "erbaut_stonehenge", "rollende_steine",
    "trilithen_knallen", "opferroulette", "dolmengoetter", "dominion",
)  # fmt: skip


@dataclass
class Servers:
    """A broker and a database, with as many tables as were asked for."""

    folder: Path
    broker: LocalBroker
    database: LocalDatabase
    port: int
    own: Membership
    """The club's own programs."""
    pages_port: int = field(default_factory=lambda: free_port())
    tables: dict[str, Membership] = field(default_factory=dict)
    _prepared: set[str] = field(default_factory=set)

    def table(self, name: str) -> Membership:
        """A table of that name; from now on the broker knows it."""
        return self.make([name])[0]

    def make(self, names: list[str]) -> list[Membership]:
        """Tables of these names."""
        for name in names:
            if name not in self.tables:
                self.tables[name] = Membership(
                    club=CLUB, table=name, servers=self.own.servers, seed=new_seed()
                )
        if self.configure():
            asyncio.run(self.prepare())
        return [self.tables[name] for name in names]

    async def prepare(self) -> None:
        """Has the broker's streams made, which nobody may read."""
        client = await connect(self.own)
        try:
            stream = client.jetstream()
            async with asyncio.timeout(PATIENCE_S):
                while self.tables.keys() != self._prepared:
                    # While the broker reads its configuration it does not answer.
                    with suppress(NatsError):
                        await prepare_talk(stream, CLUB)
                        for name in self.tables.keys() - self._prepared:
                            await prepare_table(stream, CLUB, name)
                            self._prepared.add(name)
        finally:
            await client.close()

    def configure(self) -> bool:
        """Tells the broker of all tables; True if that was new to it."""
        before = self.broker.config.read_text() if self.broker.config.exists() else ""
        keys = {name: public_key(member.seed) for name, member in self.tables.items()}
        own_key = public_key(self.own.seed)
        listen = f"127.0.0.1:{self.port}"
        store = self.folder / "broker" / "store"
        self.broker.configure(broker_config(CLUB, listen, store, keys, own_key))
        return self.broker.config.read_text() != before


@contextmanager
def servers() -> Iterator[Servers]:
    """Both programs, from nothing; skips the test where they are not installed."""
    # PostgreSQL runs as another user if we are root, and must be able to enter.
    folder = Path(tempfile.mkdtemp(prefix="heelstone-club-test-"))
    folder.chmod(0o755)
    port = free_port()
    own = Membership(
        club=CLUB, table="club", servers=(f"nats://127.0.0.1:{port}",), seed=new_seed()
    )
    broker, database = LocalBroker(folder / "broker"), LocalDatabase(folder / "database")
    found = Servers(folder, broker, database, port, own)
    for name in KNOWN:
        found.tables[name] = Membership(club=CLUB, table=name, servers=own.servers, seed=new_seed())
    try:
        found.configure()
        try:
            broker.start()
            database.start()
        except ClubError as error:
            pytest.skip(str(error))
        asyncio.run(_migrate(database.dsn))
        asyncio.run(found.prepare())
        yield found
    finally:
        broker.end()
        database.stop()
        shutil.rmtree(folder, ignore_errors=True)


class Writing:
    """The writer, in a thread of its own."""

    def __init__(self, servers: Servers) -> None:
        self._servers = servers
        self._writer: Writer | None = None
        self._thread = AsyncThread("writer", self._run)

    def __enter__(self) -> Writing:
        self._thread.start()
        assert until(lambda: self._writer is not None and self._writer.listens)
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.close(60)

    async def _run(self, over: asyncio.Event) -> None:
        servers = self._servers
        client = await connect(servers.own)
        try:
            self._writer = Writer(CLUB, client, servers.database.dsn, lambda: list(servers.tables))
            await self._writer.run(over)
        finally:
            await client.close()


PASSWORD = "henge"
"""Password of the organiser."""


def writer_process(servers: Servers) -> subprocess.Popen[bytes]:
    """The writer as a club runs it, in a process of its own."""
    return _process(servers, "writer", servers.pages_port)


def pages_process(servers: Servers) -> subprocess.Popen[bytes]:
    """The hall's pages, likewise."""
    return _process(servers, "pages", servers.pages_port)


@contextmanager
def pages(servers: Servers, origin: str = "") -> Iterator[str]:
    """The hall's pages as a club runs them; gives their address. ``origin``: where a proxy shows
    them."""
    # Those of the club itself may run meanwhile.
    port = free_port() if origin else servers.pages_port
    running = _process(servers, "pages", port, origin)
    try:
        assert until(lambda: listens(port))
        yield f"http://127.0.0.1:{port}/"
    finally:
        running.terminate()
        running.wait()


def _process(servers: Servers, name: str, port: int, origin: str = "") -> subprocess.Popen[bytes]:
    file = settings_file(servers, port, origin)
    environment = {**os.environ, DSN: servers.database.dsn, "HEELSTONE_LOG": "ERROR"}
    return subprocess.Popen(
        [sys.executable, "-m", "companion.app.entry", "club", name, str(file)], env=environment
    )


def settings_file(servers: Servers, port: int, origin: str = "") -> Path:
    """The settings of the club's programs, with the pages at ``port``."""
    file = servers.folder / f"club-{port}.toml"
    write_secret(servers.folder / "keys" / "club.seed", servers.own.seed)
    tables = [
        f'[[tables]]\nname = "{name}"\nkey = "{public_key(member.seed)}"\n'
        for name, member in servers.tables.items()
    ]
    file.write_text(
        f'club = "{CLUB}"\n[broker]\nport = {servers.port}\n[pages]\nlang = "en"\n'
        f'listen = "127.0.0.1"\nport = {port}\n'
        f'password = "{scrambled(PASSWORD)}"\norigin = "{origin}"\n' + "".join(tables)
    )
    return file


def listens(port: int) -> bool:
    """True if something listens at a port of this machine."""
    with socket.socket() as asking:
        return asking.connect_ex(("127.0.0.1", port)) == 0


def play(
    journal: Journal, game: str, seed: int, *, corrections: bool = True, most: int = 400,
    names: tuple[str, ...] = (), options: Mapping[str, str] | None = None,
    physical: bool = False,
) -> str:  # fmt: skip
    """Write a random match into a journal, with moves taken back and put right; gives its id."""
    rules, chance = find_game(game), random.Random(seed)
    players = len(names) or min(rules.players)
    header = Header(
        id=new_match_id(), game=game, players=players,
        options=rules.complete_options(players, options or {}), physical=physical, seed=f"{seed:x}",
        names=names or ("Ada", "Ben", "Cleo", "Dan")[:players], enforcement="enforce",
        created_s=1_790_000_000.0 + seed,
    )  # fmt: skip
    journal.create(header)
    match = Match(rules, players, header.options, physical=physical, seed=header.seed)
    plies = 0
    while match.outcome is None and plies < most:
        moves = match.state.legal_moves()
        some: list[Happening] = []
        move = pick(match.state, moves, chance)
        match.push(move)
        some.append(MovePlayed(move))
        if corrections and match.ply > 3 and chance.random() < 0.02:
            match.pop()
            some.append(TakenBack(1))
            if chance.random() < 0.5:
                # Entered once more by whoever put it right.
                match.push(move)
                some.insert(1, EntryAmended(match.ply, 1))
                some.append(MovePlayed(move))
        journal.append(header.id, *some, src=Source.TOUCH)
        plies += 1
    if match.outcome is None:
        journal.set_status(header.id, ABANDONED)
    else:
        journal.append(header.id, MatchEnded(match.outcome), src=Source.DEALER, status=FINISHED)
    return header.id


def expected(journal: Journal, member: Membership, edition: int = 1) -> dict[str, list[Any]]:
    """Expected contents of the club's database for a table: by match its status and its events."""
    found: dict[str, list[Any]] = {}
    for stand in journal.stands():
        form = PublicForm(journal.header(stand.id), member.key, CLUB, member.table, edition)
        events = []
        for event in journal.events(stand.id):
            events.append(form.event(event))
            form.take(event)
        found[form.match] = [stand.status, events]
    return found


def equal_at(club: Servers, journal: Journal, member: Membership) -> bool:
    """True if the club's database holds what a table's journal says."""
    return stored(club.database.dsn, member.table) == expected(journal, member)


def stored(dsn: str, table: str) -> dict[str, list[Any]]:
    """Contents of the club's database for a table."""
    with psycopg.connect(dsn) as db:
        # Matches and events as they were at one moment.
        db.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        found: dict[str, list[Any]] = {
            str(id): [status, []]
            for id, status in db.execute("select id, status from matches where tab = %s", (table,))
        }
        rows = db.execute(
            "select match, seq, t, type, src, body from events where tab = %s order by match, seq",
            (table,),
        )
        for match, seq, t, type, src, body in rows:
            found[match][1].append({"seq": seq, "t": t, "type": type, "src": src, "body": body})
    return found


async def _migrate(dsn: str) -> None:
    async with await psycopg.AsyncConnection.connect(dsn, autocommit=True) as db:
        await migrate(db)


def free_port() -> int:
    """A port at which nothing listens just now; none of those that the system lends to connections
    (32768 and more), or another program's could have it before ours."""
    chance = random.SystemRandom()
    while True:
        with socket.socket() as taken, suppress(OSError):
            taken.bind(("127.0.0.1", chance.randrange(20_000, 32_000)))
            return int(taken.getsockname()[1])
