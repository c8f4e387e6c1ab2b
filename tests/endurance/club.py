"""A club of hundreds of tables, measured and mistreated: ``python -m tests.endurance.club``.

Real broker, real database, the writer as a process of its own, and tables that play recorded
matches of all games, each with a journal, a key and a connection of its own.

``scale``: 50, 100, 250 and 500 tables at the pace of play; what a broker and a database hold at
most. ``kills``: broker, writer, database and the tables' programs are each killed a hundred times
at random moments, and tables are cut off; at the end the database must equal all journals, event
by event.

``attack``: as many hostile members (``club_attackers``) as honest ones, while broker, writer and
database are killed: nothing of honest tables is lost, nor late, and the hall's pages answer.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections import Counter
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psycopg

from companion.club.membership import FILE, write_secret
from companion.journal.store import Journal
from tests.endurance.club_tables import record
from tests.support.club import Servers, expected, pages, servers, stored, writer_process

PROCESSES = 4
"""Tables are shared out among so many."""
SIZES = (50, 100, 250, 500)
TICK = os.sysconf("SC_CLK_TCK")


def tell(what: dict[str, object]) -> None:
    """One line of figures."""
    print(json.dumps(what), flush=True)


@dataclass
class Hall:
    """Everything that runs."""

    servers: Servers
    names: list[str]
    every_s: float
    full: int = 0
    writer: subprocess.Popen[bytes] | None = None
    tables: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def prepare(self) -> None:
        """Keys and folders for all tables."""
        record(self.servers.folder)
        for member in self.servers.make(self.names):
            folder = self.servers.folder / "tables" / member.table
            write_secret(folder / FILE, member.toml())

    def start_writer(self) -> None:
        self.writer = writer_process(self.servers)

    def start_tables(self, number: int) -> None:
        """Start the process with a share of the tables."""
        command = [
            sys.executable, "-m", "tests.endurance.club_tables", str(self.servers.folder),
            str(self.every_s), str(self.full), *self.names[number::PROCESSES],
        ]  # fmt: skip
        started = subprocess.Popen(command, stdout=subprocess.PIPE)
        if number < len(self.tables):
            self.tables[number] = started
        else:
            self.tables.append(started)

    def end(self) -> list[dict[str, float]]:
        """Let all tables finish; gives what each process said."""
        (self.servers.folder / "stop").touch()
        said = []
        for process in self.tables:
            out, _ = process.communicate()
            assert process.returncode == 0, "tables ended with an error"
            said.append(json.loads(out))
        return said

    def close(self) -> None:
        for process in [*self.tables, *([self.writer] if self.writer else [])]:
            if process.poll() is None:
                process.kill()
            process.wait()


def scale(sizes: tuple[int, ...], seconds: float, every_s: float) -> None:
    """Tables at the pace of play."""
    for size in sizes:
        with servers() as found:
            hall = Hall(found, [f"t{n:04}" for n in range(size)], every_s)
            try:
                hall.prepare()
                hall.start_writer()
                for number in range(PROCESSES):
                    hall.start_tables(number)
                _wait_for(found, size)
                before = _used(hall)
                began_s = time.monotonic()
                time.sleep(seconds)
                after, took_s = _used(hall), time.monotonic() - began_s
                counted = _count(found, took_s)
                memory = {name: _memory_mb(pids) for name, pids in _pids(hall).items()}
                said = hall.end()
                tell({
                    "tables": size, "every_s": every_s, **counted,
                    "cpu_share": {n: round((after[n] - before[n]) / took_s, 3) for n in after},
                    "mb": memory, "mb_per_table": round(sum(p["mb"] for p in said) / size, 2),
                    "differences": differences(found, hall.names),
                })  # fmt: skip
            finally:
                hall.close()


def drain(size: int, each: int) -> None:
    """Speed of the club's side: everything waits at the broker when the writer starts."""
    with servers() as found:
        hall = Hall(found, [f"t{n:04}" for n in range(size)], 0.0, each)
        try:
            hall.prepare()
            began_s = time.monotonic()
            for number in range(PROCESSES):
                hall.start_tables(number)
            hall.start_writer()
            assert hall.writer is not None
            _wait_for(found, 1)
            # Tables go on sending; the writer sleeps.
            hall.writer.send_signal(signal.SIGSTOP)
            already = _rows(found)
            sent = _sent(found, size, each) - already
            filled_s = time.monotonic() - began_s
            before, began_s = _used(hall), time.monotonic()
            hall.writer.send_signal(signal.SIGCONT)
            while _rows(found) < sent + already:
                time.sleep(0.05)
            took_s, after = time.monotonic() - began_s, _used(hall)
            hall.end()
            tell({
                "tables": size, "events": sent, "to_the_broker_per_s": round(sent / filled_s),
                "stored_per_s": round(sent / took_s),
                "cpu_ms_per_event": {
                    n: round(1000 * (after[n] - before[n]) / sent, 3) for n in after
                },
                "differences": differences(found, hall.names),
            })  # fmt: skip
        finally:
            hall.close()


def kills(size: int, times: int, every_s: float, seed: int) -> None:
    """Each part killed ``times`` times, and every third table cut off for a third of the time."""
    chance = random.Random(seed)
    with servers() as found:
        hall = Hall(found, [f"t{n:04}" for n in range(size)], every_s)
        try:
            hall.prepare()
            hall.start_writer()
            for number in range(PROCESSES):
                hall.start_tables(number)
            _wait_for(found, 1)
            cut = hall.names[::3]
            order = ["broker", "writer", "database", "tables"] * times
            chance.shuffle(order)
            for number, part in enumerate(order):
                if number == len(order) // 3:
                    for name in cut:
                        (found.folder / "tables" / name / "away").touch()
                if number == 2 * len(order) // 3:
                    for name in cut:
                        (found.folder / "tables" / name / "away").unlink()
                time.sleep(chance.uniform(0.05, 1.5))
                _kill(hall, part, chance)
                if number % 20 == 19:
                    tell({"kills": number + 1, "stored": _rows(found)})
            began_s = time.monotonic()
            hall.end()
            tell({
                "tables": size, "kills": len(order), "events": _rows(found),
                "until_equal_s": round(time.monotonic() - began_s, 1),
                "differences": differences(found, hall.names),
            })  # fmt: skip
        finally:
            hall.close()


def attack(size: int, seconds: float, every_s: float, seed: int) -> None:
    """Honest and hostile members, ``size`` of each."""
    chance = random.Random(seed)
    honest, hostile = [f"t{n:04}" for n in range(size)], [f"h{n:04}" for n in range(size)]
    with servers() as found, ExitStack() as ending:
        hall = Hall(found, [*honest, *hostile], every_s)
        ending.callback(hall.close)
        hall.prepare()
        hall.names = honest
        hall.start_writer()
        address = ending.enter_context(pages(found))
        for number in range(PROCESSES):
            hall.start_tables(number)
        _wait_for(found, size)
        command = [
            sys.executable, "-m", "tests.endurance.club_attackers", str(found.folder),
            ",".join(hostile), ",".join(honest),
        ]  # fmt: skip
        attackers = subprocess.Popen(command, stdout=subprocess.PIPE)
        ending.callback(attackers.kill)
        visitor = Visitor(address, honest)
        kills, began_s, kill_s = Counter[str](), time.monotonic(), 5.0
        while (now_s := time.monotonic() - began_s) < seconds:
            visitor.look()
            if now_s > kill_s:
                part = chance.choice(["broker", "writer", "database"])
                _kill(hall, part, chance)
                kills[part] += 1
                kill_s = now_s + chance.uniform(5, 25)
            time.sleep(0.5)
        (found.folder / "stop-attack").touch()
        said, _ = attackers.communicate()
        ended_s = time.monotonic()
        hall.end()
        with psycopg.connect(found.database.dsn) as db:
            row = db.execute(
                "select count(*), percentile_cont(array[0.5, 0.99, 1]) within group "
                "(order by extract(epoch from stored_at) - t) from events where tab like 't%'"
            ).fetchone()
            aside = db.execute(
                "select sum(set_aside) filter (where name like 't%'), "
                "sum(set_aside) filter (where name like 'h%') from tables"
            ).fetchone()
        assert row is not None and aside is not None
        tell({
            "honest": size, "hostile": size, "seconds": seconds, "kills": dict(kills),
            "attackers": json.loads(said), "honest_events": row[0],
            "p50_p99_max_s": [round(value, 3) for value in row[1]],
            "set_aside_of_honest_and_hostile": [int(one or 0) for one in aside],
            "until_equal_s": round(time.monotonic() - ended_s, 1),
            "differences": differences(found, honest), "pages": visitor.told(),
        })  # fmt: skip


class Visitor:
    """Asks for the hall's pages, and notes what came and how long it took."""

    def __init__(self, address: str, tables: list[str]) -> None:
        self._address, self._tables = address, tables
        self._answers: Counter[str] = Counter()
        self._longest_s = 0.0

    def look(self) -> None:
        """Ask for one page of each kind."""
        for path in (
            "api/hall",
            "api/season",
            "api/tournaments",
            f"table/{self._tables[0]}/api/table",
        ):
            began_s = time.monotonic()
            try:
                with urllib.request.urlopen(self._address + path, timeout=30) as answer:
                    answer.read()
                    told = str(answer.status)
            except urllib.error.HTTPError as error:
                told = str(error.code)
            except OSError as error:
                told = type(error).__name__
            self._answers[told] += 1
            self._longest_s = max(self._longest_s, time.monotonic() - began_s)

    def told(self) -> dict[str, object]:
        """Answers by status, and the longest wait."""
        return {**self._answers, "longest_s": round(self._longest_s, 2)}


def differences(found: Servers, names: list[str]) -> int:
    """Of how many tables the database holds anything else than what their journals say."""
    different = 0
    for name in names:
        with Journal(found.folder / "tables" / name / "journal.db") as journal:
            if stored(found.database.dsn, name) != expected(journal, found.tables[name]):
                different += 1
    return different


# -- private ------------------------------------------------------------------------------------


def _kill(hall: Hall, part: str, chance: random.Random) -> None:
    match part:
        case "broker":
            hall.servers.broker.kill()
            hall.servers.broker.start()
        case "database":
            hall.servers.database.kill()
            hall.servers.database.start()
        case "writer":
            assert hall.writer is not None
            hall.writer.kill()
            hall.writer.wait()
            hall.start_writer()
        case "tables":
            number = chance.randrange(len(hall.tables))
            hall.tables[number].kill()
            hall.tables[number].wait()
            hall.start_tables(number)


def _wait_for(found: Servers, tables: int) -> None:
    """Until so many tables were heard of."""
    while _ask(found, "select count(*) from tables") < tables:
        time.sleep(0.2)


def _rows(found: Servers) -> int:
    return _ask(found, "select count(*) from events")


def _sent(found: Servers, size: int, each: int) -> int:
    """Until the broker holds everything; how many events that are."""
    while True:
        done = 0
        for folder in (found.folder / "tables").iterdir():
            with suppress(OSError, ValueError):
                known = json.loads((folder / "club-sent.json").read_text())
                done += sum(max(match["sent"], 0) for match in known.values())
        if done >= size * each:
            return done
        time.sleep(0.5)


def _ask(found: Servers, query: str) -> int:
    # The database may have been killed just now.
    while True:
        try:
            with psycopg.connect(found.database.dsn) as db:
                row = db.execute(query.encode()).fetchone()
                return int(row[0]) if row else 0
        except psycopg.OperationalError:
            time.sleep(0.2)


def _count(found: Servers, seconds: float) -> dict[str, object]:
    """Events of the last ``seconds``, and how long they were under way."""
    with psycopg.connect(found.database.dsn) as db:
        row = db.execute(
            "select count(*), percentile_cont(array[0.5, 0.99, 1]) within group "
            "(order by extract(epoch from stored_at) - t) from events "
            "where stored_at > now() - make_interval(secs => %s)", (seconds,),
        ).fetchone()  # fmt: skip
    assert row is not None
    p50, p99, most = (round(1000 * value, 1) for value in row[1])
    return {"per_s": round(row[0] / seconds, 1), "p50_ms": p50, "p99_ms": p99, "max_ms": most}


def _pids(hall: Hall) -> dict[str, list[int]]:
    broker, database = hall.servers.broker.process, hall.servers.database.process
    assert broker and database and hall.writer
    children = Path(f"/proc/{database.pid}/task/{database.pid}/children").read_text().split()
    return {
        "broker": [broker.pid], "writer": [hall.writer.pid],
        "database": [database.pid, *map(int, children)],
        "tables": [process.pid for process in hall.tables],
    }  # fmt: skip


def _used(hall: Hall) -> dict[str, float]:
    """Processor time of each part so far, s."""
    found = {}
    for name, pids in _pids(hall).items():
        ticks = 0
        for pid in pids:
            with suppress(OSError):
                parts = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                ticks += int(parts[11]) + int(parts[12])
        found[name] = ticks / TICK
    return found


def _memory_mb(pids: list[int]) -> float:
    """Memory of a part, what is shared counted once, MB."""
    kb = 0
    for pid in pids:
        with suppress(OSError):
            for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
                if line.startswith("Pss:"):
                    kb += int(line.split()[1])
    return round(kb / 1024, 1)


def main() -> int:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "what", choices=["scale", "drain", "kills", "attack"], nargs="?", default="scale"
    )
    parser.add_argument("--tables", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--every", type=float, default=5.0, help="mean time between entries, s")
    parser.add_argument("--kills", type=int, default=100, help="of each part")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    match given.what:
        case "scale":
            sizes = (given.tables,) if given.tables else SIZES
            scale(sizes, given.seconds, given.every)
        case "drain":
            drain(given.tables or 50, 200)
        case "kills":
            kills(given.tables or 20, given.kills, given.every, given.seed)
        case "attack":
            attack(given.tables or 20, given.seconds, given.every, given.seed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
