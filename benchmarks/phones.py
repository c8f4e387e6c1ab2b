"""Phones at a table: their delay, and their cost to the table. About two minutes.

Phones and attackers are processes of their own and speak through real sockets; the moments are of
one clock, which all processes of a machine share.
"""

from __future__ import annotations

import http.client
import json
import multiprocessing
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from benchmarks.lamps import COUNT, heard_first
from benchmarks.measure import Result
from benchmarks.phone_crowd import Seen, attack, listen
from companion.app.application import Application
from companion.match.session import Session
from companion.match.view import PlayMove, TableView, Undo
from companion.settings.people import MatchSetup
from companion.settings.settings import Settings
from hardware.settings import LampSettings, RigSettings
from hardware.simulated.strip import Pixel
from hardware.simulated.wled import WledTwin
from rules.testing.playout import pick

if TYPE_CHECKING:
    from companion.web.server import TableServer

PHONES: Final = 20
UPDATES: Final = 150
EVENTS: Final = 120
APART_S: Final = 0.12


def results() -> Iterator[Result]:
    """All figures."""
    yield from _updates()
    for name, phones, attacked in (
        ("alone", False, False), (f"{PHONES} phones", True, False),
        (f"{PHONES} phones, under attack", True, True),
    ):  # fmt: skip
        yield from _lamps(name, phones=phones, attacked=attacked)
    yield from _memory()


# -- how soon phones know ---------------------------------------------------------------------


def _updates() -> Iterator[Result]:
    """Dominion with four players on four phones, and sixteen spectators."""
    with house() as table:
        session = table.start(MatchSetup("dominion", 4, {}, names=tuple("ABCD"), physical=False))
        with served(session) as server, crowd_at(server, session) as seen:
            at: dict[int, float] = {}

            def heard(view: TableView, _events: object) -> None:
                at.setdefault(view.ply, time.monotonic())

            session.listen(heard)
            for _ in moves(session, UPDATES):
                time.sleep(APART_S)
        spans, last = _spans(seen, at)
    yield _figure("phones: event to phone, median", statistics.median(spans), "ms", "")
    yield _figure("phones: event to phone, 95 of 100", _p95(spans), "ms", "100")
    yield _figure(
        f"phones: event to the last of {PHONES}, median", statistics.median(last), "ms", ""
    )
    yield _figure(f"phones: event to the last of {PHONES}, 95 of 100", _p95(last), "ms", "100")


def _spans(seen: list[Seen], at: dict[int, float]) -> tuple[list[float], list[float]]:
    """Per phone and update, and per update for the last phone, ms."""
    first: dict[tuple[int, int], float] = {}
    for phone, ply, when in seen:
        first.setdefault((phone, ply), when)
    by_ply: dict[int, list[float]] = {}
    for (_phone, ply), when in first.items():
        if ply in at and when >= at[ply]:
            by_ply.setdefault(ply, []).append((when - at[ply]) * 1e3)
    whole = [spans for spans in by_ply.values() if len(spans) == PHONES]
    assert len(whole) > UPDATES / 2, f"only {len(whole)} updates reached every phone"
    return [span for spans in whole for span in spans], [max(spans) for spans in whole]


# -- what they cost the lamps -----------------------------------------------------------------


def _lamps(name: str, *, phones: bool, attacked: bool) -> Iterator[Result]:
    """Time from an event of the session until its frame has come through the serial line."""
    with _Watched(COUNT) as twin, house(twin.url) as table:
        plan = MatchSetup("knizia_stonehenge", 2, {}, names=("A", "B"), physical=False)
        session = table.start(plan)
        _until(lambda: table.rig.status()[0].code == "connected")
        if not phones:
            spans = _lamp_spans(session, twin)
        else:
            with served(session) as server, crowd_at(server, session):
                if attacked:
                    with _attacked(server.port) as count:
                        spans = _lamp_spans(session, twin)
                    yield _figure("phones: attacks meanwhile", count[0], "attacks", "")
                else:
                    spans = _lamp_spans(session, twin)
    yield _figure(f"phones: event to lamp, {name}, median", statistics.median(spans), "ms", "50")
    yield _figure(f"phones: event to lamp, {name}, 95 of 100", _p95(spans), "ms", "100")


class _Watched(WledTwin):
    """A strip that notes when every frame was whole."""

    def __init__(self, count: int) -> None:
        self.whole: list[float] = []
        super().__init__(count)

    def light(self, data: bytes) -> None:
        super().light(data)
        self.whole.append(time.monotonic())


def _lamp_spans(session: Session, twin: _Watched) -> list[float]:
    spans: list[float] = []
    at = [0.0]

    def heard(_view: Any, _events: Any) -> None:
        at[0] = time.monotonic()

    stop = heard_first(session, heard)
    shown: list[Pixel] = []
    chance = random.Random(7)
    while len(spans) < EVENTS:
        for _ in moves(session, 1, chance):
            time.sleep(APART_S + chance.random() * 0.05)
        # Two moves may leave the same lamps as they are; then nothing is sent.
        newest = islice(twin.whole, max(len(twin.whole) - 5, 0), None)
        later = [when for when in newest if when > at[0]]
        if later and twin.pixels != shown:
            spans.append((later[0] - at[0]) * 1e3)
        shown = twin.pixels
    stop()
    return spans


# -- what they cost in memory -----------------------------------------------------------------


def _memory() -> Iterator[Result]:
    """In a process of its own: what a table has loaded anyway, then with the server on."""
    command = [sys.executable, "-m", "benchmarks.phone_memory"]
    told = subprocess.run(command, capture_output=True, text=True, check=True)
    found = json.loads(told.stdout.splitlines()[-1])
    yield _figure("phones: memory when turned on", found["on"], "MB", "30")
    yield _figure(f"phones: memory with {PHONES} phones", found["phones"], "MB", "30")


# -- helpers ----------------------------------------------------------------------------------


@contextmanager
def house(strip: str = "") -> Iterator[Application]:
    """A table's program; ``strip``: the port of its lamps."""
    lamps = LampSettings(kind="wled", port=strip, count=COUNT)
    settings = Settings(rig=RigSettings(lamps=lamps)) if strip else Settings()
    with tempfile.TemporaryDirectory() as folder:
        made = Application(settings, Path(folder), "en")
        try:
            yield made
        finally:
            made.close()


@contextmanager
def served(session: Session) -> Iterator[TableServer]:
    """The table's own server."""
    from companion.web.connections import Limits
    from companion.web.server import TableServer

    # Here all come from one address.
    server = TableServer(0, "en", limits=Limits(lines_each=60))
    server.start()
    server.follow(session)
    try:
        yield server
    finally:
        server.close()


@contextmanager
def crowd_at(server: TableServer, session: Session) -> Iterator[list[Seen]]:
    """Phones that listen; what they saw is known after the ``with`` block."""
    cookies = [_claimed(server, seat) for seat in range(session.view.players)]
    cookies += [""] * (PHONES - len(cookies))
    seen: list[Seen] = []
    with _process(listen, server.port, cookies) as line:
        assert line.recv() == "listening"
        _until(lambda: server.phones == PHONES)
        yield seen
        line.send("enough")
        seen += line.recv()


@contextmanager
def _attacked(port: int) -> Iterator[list[int]]:
    count = [0]
    with _process(attack, port) as line:
        yield count
        line.send("enough")
        count[0] = line.recv()


@contextmanager
def _process(work: Callable[..., None], *args: object) -> Iterator[Connection]:
    spawn = multiprocessing.get_context("spawn")
    mine, theirs = spawn.Pipe()
    process = spawn.Process(target=work, args=(*args, theirs), daemon=True)
    process.start()
    # Ours alone is left: if the process ends, that is noticed.
    theirs.close()
    try:
        yield mine
    finally:
        process.terminate()
        process.join()


def _claimed(server: TableServer, seat: int) -> str:
    line = http.client.HTTPConnection("127.0.0.1", server.port)
    body = json.dumps({"token": server.seats.token(seat)})
    line.request(
        "POST", "/api/claim", body, {"Content-Type": "application/json", "X-Heelstone": "1"}
    )
    reply = line.getresponse()
    cookie = (reply.getheader("set-cookie") or "").partition(";")[0]
    line.close()
    assert server.seats.confirm(seat)
    return cookie


def moves(session: Session, count: int, chance: random.Random | None = None) -> Iterator[None]:
    """Play ``count`` random moves, one by one; go back a little at the end of the match."""
    chance = chance or random.Random(7)
    for _number in range(count):
        match = session.table.match
        if match.outcome is not None:
            session.post(Undo(20))
        else:
            session.post(PlayMove(pick(match.state, match.legal_moves(), chance)))
        session.settle()
        yield


def _until(done: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not done():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.01)


def _p95(spans: list[float]) -> float:
    return sorted(spans)[round(0.95 * (len(spans) - 1))]


def _figure(name: str, value: float, unit: str, aim: str) -> Result:
    return Result(name, value, unit, "", None, None, aim)
