"""The hall's pages under load: ``python -m tests.endurance.hall_load``.

``hall``: tables whose matches go on, and visitors: bytes that one of them is sent, height of the
page, processor time of the pages, and the longest time for which one step held their event loop.
``season``: seconds of a request after the first, after one more match, and after one that comes
late, with thousands of recorded matches. The database is real and filled directly; the pages are a
process of their own. Times are of processors unless they are called wall, as the machine may be
busy.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import http.client
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

import psycopg
from psycopg.types.json import Jsonb

from companion.club import hall as pages
from companion.club.public_events import PublicForm
from companion.club.settings import Club
from companion.club.writer import SETTLE
from companion.journal.store import Journal
from tests.support.browser import PHONE, WIDE, chromium, visits
from tests.support.club import CLUB, GAMES, Servers, play, servers, settings_file
from tests.support.waiting import until

PEOPLE = 200
YEAR_S = 365 * 24 * 3600.0
_TICK = os.sysconf("SC_CLK_TCK")


# -- the pages, and how long a step of their event loop takes ----------------------------------


def serve(file: Path, dsn: str) -> None:
    """Run the hall's pages; each line of the input asks for the longest step since the last one."""
    longest = [0.0, ""]
    run = asyncio.Handle._run

    def timed(handle: asyncio.Handle) -> None:
        began = time.thread_time()
        run(handle)
        if threading.current_thread() is not threading.main_thread():
            return
        took = time.thread_time() - began
        if took > cast(float, longest[0]):
            longest[:] = [took, repr(handle)[:200]]

    def answer() -> None:
        for _ in sys.stdin:
            print(json.dumps([*longest, time.process_time()]), flush=True)
            longest[:] = [0.0, ""]

    asyncio.Handle._run = timed  # type: ignore[assignment,method-assign]
    threading.Thread(target=answer, daemon=True).start()
    pages.run_hall(Club(file), dsn)


class Pages:
    """That process, and requests to it."""

    def __init__(self, found: Servers) -> None:
        self.address = f"http://127.0.0.1:{found.pages_port}/"
        command = [
            sys.executable, "-m", "tests.endurance.hall_load", "serve",
            str(settings_file(found, found.pages_port)), found.database.dsn,
        ]  # fmt: skip
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert until(lambda: self._answers())

    def _answers(self) -> bool:
        try:
            return bool(self.get("api/words"))
        except OSError:
            return False

    def get(self, path: str) -> bytes:
        """The body of the answer, compressed as it was sent."""
        where = urlsplit(self.address)
        line = http.client.HTTPConnection(where.netloc, timeout=120)
        line.request("GET", "/" + path, headers={"Accept-Encoding": "gzip"})
        answer = line.getresponse()
        assert answer.status == 200, (path, answer.status)
        return answer.read()

    def step(self) -> tuple[float, str, float]:
        """Longest step since the last question, s, what it was, and the process's time, s."""
        assert self._process.stdin and self._process.stdout
        print(file=self._process.stdin, flush=True)
        longest, what, spent = json.loads(self._process.stdout.readline())
        return longest, what, spent

    def close(self) -> None:
        """End it."""
        self._process.send_signal(signal.SIGTERM)
        self._process.communicate()


# -- the database --------------------------------------------------------------------------------


class Tables:
    """Tables whose matches go on by themselves."""

    def __init__(self, found: Servers, count: int, seed: int) -> None:
        self._chance, self._dsn = random.Random(seed), found.database.dsn
        member = found.tables["ours"]
        scripts = list[tuple[Any, list[Any]]]()
        with Journal(":memory:") as journal:
            for number, game in enumerate(GAMES):
                id = play(journal, game, seed + number, most=300, corrections=False)
                form = PublicForm(journal.header(id), member.key, CLUB, "ours")
                header, told = json.loads(form.begun().body)["header"], []
                for event in journal.events(id):
                    told.append(form.event(event))
                    form.take(event)
                scripts.append((header, told))
        self._scripts = [scripts[n % len(scripts)] for n in range(count)]
        self.names = [f"t{n:05}" for n in range(count)]
        self._at = [0] * count
        self._number = [0] * count
        self._over = threading.Event()
        with psycopg.connect(self._dsn) as db, db.pipeline(), db.cursor() as cursor:
            for table in range(count):
                self._begin(cursor, table, self._chance.randrange(10, 150))

    def _begin(self, cursor: psycopg.Cursor[Any], table: int, already: int) -> None:
        header, events = self._scripts[table]
        self._number[table] += 1
        name, id = self.names[table], f"m{self._number[table]}"
        header = {**header, "names": [f"{one} {table % PEOPLE}" for one in header["names"]]}
        cursor.execute("insert into tables (name) values (%s) on conflict do nothing", (name,))
        cursor.execute(
            "insert into matches (tab, id, header) values (%s, %s, %s)", (name, id, Jsonb(header))
        )
        self._at[table] = 0
        for _ in range(min(already, len(events) - 1)):
            self._event(cursor, table)

    def _event(self, cursor: psycopg.Cursor[Any], table: int) -> None:
        _, events = self._scripts[table]
        name, id, told = self.names[table], f"m{self._number[table]}", events[self._at[table]]
        self._at[table] += 1
        cursor.execute(
            "insert into events (tab, match, seq, t, type, src, body) "
            "values (%s, %s, %s, %s, %s, %s, %s)",
            (name, id, told["seq"], time.time(), told["type"], told["src"], Jsonb(told["body"])),
        )
        cursor.execute(
            "update matches set complete = %s, highest = %s, changed_at = now() "
            "where tab = %s and id = %s", (self._at[table], self._at[table], name, id),
        )  # fmt: skip
        if told["type"] == "end" or self._at[table] == len(events):
            finish(cursor, name, id)
        cursor.execute("update tables set heard_at = now() where name = %s", (name,))

    def go_on(self, per_s: float) -> None:
        """Play until ``stop``, in a thread of its own."""

        def play_on() -> None:
            with psycopg.connect(self._dsn, autocommit=True) as db:
                while not self._over.is_set():
                    began = time.monotonic()
                    with db.transaction(), db.pipeline(), db.cursor() as cursor:
                        for _ in range(max(1, round(per_s / 10))):
                            table = self._chance.randrange(len(self.names))
                            if self._at[table] == len(self._scripts[table][1]):
                                self._begin(cursor, table, 1)
                            else:
                                self._event(cursor, table)
                            cursor.execute(
                                "select pg_notify('heelstone_club', %s)", (self.names[table],)
                            )
                    self._over.wait(max(0.0, 0.1 - (time.monotonic() - began)))

        self._thread = threading.Thread(target=play_on)
        self._thread.start()

    def stop(self) -> None:
        """No more is played."""
        self._over.set()
        self._thread.join()


def finish(cursor: psycopg.Cursor[Any], table: str, match: str) -> None:
    """A match is over, as the writer notes it."""
    cursor.execute(
        "update matches set status = 'finished' where tab = %s and id = %s", (table, match)
    )
    cursor.execute(SETTLE.encode(), {"tab": table, "match": match})


def recorded(dsn: str, count: int, seed: int, *, number: int = 0, ended_s: float = 0.0) -> None:
    """Matches played to their end in the last year, of six games and many people; all or, with
    ``number``, one that ended at ``ended_s``."""
    chance = random.Random(seed + number)
    names = [f"Player {n}" for n in range(PEOPLE)]
    rows = list[tuple[str, str, dict[str, Any], float, list[list[int]], list[int]]]()
    for n in range(number, number + count):
        game, seats = chance.choice([("knizia_stonehenge", 2), ("hoher_rat", 3), ("dominion", 4)])
        order = chance.sample(range(seats), seats)
        header = {
            "game": game, "players": seats, "options": {}, "physical": True,
            "names": chance.sample(names, seats), "enforcement": "enforce", "created": 1.0,
        }  # fmt: skip
        at_s = ended_s or time.time() - YEAR_S * (1 - n / (count + 1)) - 60
        scores = [0] * seats
        for place, seat in enumerate(order):
            scores[seat] = 60 - 10 * place + chance.randrange(9)
        rows.append((f"s{n % 50:03}", f"r{n}", header, at_s, [[one] for one in order], scores))
    with psycopg.connect(dsn) as db, db.cursor() as cursor:
        cursor.executemany(
            "insert into tables (name) values (%s) on conflict do nothing",
            [(name,) for name in sorted({row[0] for row in rows})],
        )
        with cursor.copy(
            "copy matches (tab, id, header, status, complete, highest) from stdin"
        ) as copy:
            for table, id, header, *_ in rows:
                copy.write_row((table, id, Jsonb(header), "open", 2, 2))
        with cursor.copy("copy events (tab, match, seq, t, type, src, body) from stdin") as copy:
            for table, id, _, at_s, ranking, scores in rows:
                end = {"reason": "", "ranking": ranking, "scores": scores}
                copy.write_row((table, id, 1, at_s - 1, "move", "touch", Jsonb({"move": "x"})))
                copy.write_row((table, id, 2, at_s, "end", "dealer", Jsonb(end)))
        cursor.execute("update matches set status = 'finished' where id like 'r%'")
        settled = [{"tab": table, "match": id} for table, id, *_ in rows]
        cursor.executemany(SETTLE.encode(), settled)
        if not number:
            cursor.execute("update matches set settled_at = to_timestamp(ended_t)")


# -- what is measured ----------------------------------------------------------------------------


def measure_season(count: int, seed: int) -> None:
    """A season's page with ``count`` recorded matches."""
    with servers() as found:
        recorded(found.database.dsn, count, seed)
        with psycopg.connect(found.database.dsn, autocommit=True) as db:
            db.execute("analyze")
        with _running(found) as running:
            for what in ("first", "again", "one more match", "again", "one that comes late"):
                if what == "one more match":
                    recorded(found.database.dsn, 1, seed, number=10**6, ended_s=time.time())
                if what == "one that comes late":
                    late_s = time.time() - 20 * 24 * 3600
                    recorded(found.database.dsn, 1, seed, number=10**6 + 1, ended_s=late_s)
                if "match" in what or "late" in what:
                    # What was worked out is good for a while.
                    time.sleep(60)
                running.step()
                before, began = running.step()[2], time.monotonic()
                answer = running.get("api/season?lang=en")
                wall_s, (longest_s, step, spent_s) = time.monotonic() - began, running.step()
                told = json.loads(gzip.decompress(answer) if answer[:2] == b"\x1f\x8b" else answer)
                _tell({
                    "matches": told["matches"], "request": what, "wall_s": round(wall_s, 3),
                    "processor_s": round(spent_s - before, 3),
                    "longest_hold_ms": round(1000 * longest_s, 1), "kB": round(len(answer) / 1e3),
                    "step": step,
                })  # fmt: skip


def measure_hall(count: int, per_s: float, visitors: int, seconds: float, query: str,
                 seed: int) -> None:  # fmt: skip
    """The hall with ``count`` tables and ``per_s`` entries a second of all of them together."""
    with servers() as found:
        tables = Tables(found, count, seed)
        with _running(found) as running:
            tables.go_on(per_s)
            try:
                heard = [Heard(running.address, query) for _ in range(visitors)]
                time.sleep(20)
                first = [one.bytes for one in heard]
                running.step()
                before = running.step()[2]
                time.sleep(seconds)
                longest_s, step, spent_s = running.step()
                later = [one.bytes - was for one, was in zip(heard, first, strict=True)]
                heights = page_heights(running.address)
            finally:
                tables.stop()
            _tell({
                "tables": count, "entries_per_s": per_s, "visitors": visitors,
                "kB_s_each_first_20_s": round(sum(first) / len(first) / 20 / 1e3, 1),
                "kB_s_each_later": round(sum(later) / len(later) / seconds / 1e3, 1),
                "cores": round((spent_s - before) / seconds, 2),
                "longest_hold_ms": round(1000 * longest_s, 1), "step": step, **heights,
            })  # fmt: skip


class Heard:
    """A visitor who reads the hall's stream, and counts."""

    def __init__(self, address: str, query: str) -> None:
        self.bytes = 0
        where = urlsplit(address)
        self._line = http.client.HTTPConnection(where.netloc, timeout=120)
        threading.Thread(target=self._read, args=(query,), daemon=True).start()

    def _read(self, query: str) -> None:
        head = {"Accept-Encoding": "gzip"}
        self._line.request("GET", f"/api/hall/stream?lang=en{query}", headers=head)
        answer = self._line.getresponse()
        with suppress(http.client.IncompleteRead):
            while some := answer.read1(65536):
                self.bytes += len(some)


def page_heights(address: str) -> dict[str, Any]:
    """Height of the hall's page on a phone and on a desk, px."""
    found = dict[str, Any]()
    with chromium() as browser, visits(browser) as seen:
        for name, size in (("phone", PHONE), ("desk", WIDE)):
            at = seen.go(address, size)
            at.wait_for_selector(".table-card .seats")
            at.wait_for_timeout(1500)
            found[f"{name}_px"] = at.evaluate("document.documentElement.scrollHeight")
            at.close()
    return found


@contextmanager
def _running(found: Servers) -> Iterator[Pages]:
    running = Pages(found)
    try:
        yield running
    finally:
        running.close()


def _tell(what: dict[str, Any]) -> None:
    print(json.dumps(what), flush=True)


def main() -> int:
    """Measure what was asked for."""
    if sys.argv[1:2] == ["serve"]:
        serve(Path(sys.argv[2]), sys.argv[3])
        return 0
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=["hall", "season"])
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--per-s", type=float, default=200.0)
    parser.add_argument("--visitors", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--matches", type=int, default=10_000)
    parser.add_argument("--query", default="")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if given.what == "season":
        measure_season(given.matches, given.seed)
    else:
        measure_hall(
            given.tables, given.per_s, given.visitors, given.seconds, given.query, given.seed
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
