"""Many tables of a club in one process: ``python -m tests.endurance.club_tables FOLDER …``.

Each has a journal, a key and a connection of its own, as if it were alone; only the process is
shared. They play recorded matches. A process that was killed goes on where its journals end.
"""

from __future__ import annotations

import asyncio
import json
import random
import resource
import sys
import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from companion.club.membership import read_membership
from companion.club.upload import FILE, Upload
from companion.journal.entries import FINISHED, OPEN, Header, new_match_id
from companion.journal.events import MatchEnded, Source, from_row, to_row
from companion.journal.store import Journal
from tests.support.club import GAMES, play

MOST = 200
"""Moves of a recorded match."""


def record(folder: Path) -> None:
    """Write one match of each game into ``folder``, for tables to play."""
    with Journal(":memory:") as journal:
        lines = []
        for number, game in enumerate(GAMES):
            match_id = play(journal, game, number, most=MOST)
            events = [to_row(event.what) for event in journal.events(match_id)]
            lines.append(json.dumps([journal.header(match_id).to_json(), events]))
    (folder / "matches.jsonl").write_text("\n".join(lines), encoding="utf-8")


class Table:
    """One table: it plays until it is told to stop, and uploads until all is stored."""

    def __init__(self, folder: Path, scripts: list[Any], every_s: float, full: int) -> None:
        self.folder, self._scripts, self._every_s, self._full = folder, scripts, every_s, full
        self.journal = Journal(folder / "journal.db")
        self.member = read_membership(folder / "club.toml")
        assert self.member is not None
        self._chance = random.Random()
        self.events = 0
        self.done = False
        self._upload: Upload | None = None

    async def play(self, stop: asyncio.Event) -> None:
        """Play one recorded match after the other."""
        if self._every_s:
            await asyncio.sleep(self._chance.random() * self._every_s)
        number = len(self.journal.stands())
        while not stop.is_set():
            header, rows = self._scripts[(number + hash(self.folder.name)) % len(self._scripts)]
            unfinished = [stand for stand in self.journal.stands() if stand.status == OPEN]
            if unfinished:
                match_id = unfinished[-1].id
                game = self.journal.header(match_id).game
                header, rows = next(s for s in self._scripts if s[0]["game"] == game)
                rows = rows[unfinished[-1].events :]
            else:
                match_id, number = new_match_id(), number + 1
                told = Header.from_json({**header, "seed": match_id})
                self.journal.create(replace(told, id=match_id, created_s=time.time()))
            for type, body in rows:
                if stop.is_set() or 0 < self._full <= self.events:
                    return
                what = from_row(type, body)
                status = FINISHED if isinstance(what, MatchEnded) else None
                self.journal.append(match_id, what, src=Source.TOUCH, status=status)
                self.events += 1
                if self._upload is not None:
                    self._upload.wake()
                pause_s = self._chance.expovariate(1 / self._every_s) if self._every_s else 0
                await asyncio.sleep(pause_s)
            self.journal.set_status(match_id, FINISHED)

    async def tell(self, stop: asyncio.Event) -> None:
        """Upload, except while the network is away."""
        assert self.member is not None
        away, over = self.folder / "away", self.folder / "over"
        while not self.done:
            if away.exists() and not over.exists():
                await asyncio.sleep(0.2)
                continue
            hang_up = asyncio.Event()
            self._upload = Upload(self.member, self.folder / "journal.db", self.folder / FILE)
            running = asyncio.ensure_future(self._upload.run(hang_up))
            while not away.exists() and not self.done and not running.done():
                self.done = stop.is_set() and self._upload.done and self._told()
                await asyncio.sleep(0.2)
            hang_up.set()
            await running
            self._upload = None

    def _told(self) -> bool:
        """True if everything in the journal was sent, as far as the table knows."""
        assert self._upload is not None
        return self._upload.told_of(self.journal.stands())


async def tell_to(folder: Path, names: Iterable[str], every_s: float, full: int) -> None:
    """Run tables until the file ``stop`` appears, then until everything of them is stored.

    ``every_s``: mean time between two entries, 0: as fast as possible; ``full``: so many entries
    of each, 0: no end.
    """
    lines = (folder / "matches.jsonl").read_text(encoding="utf-8").splitlines()
    scripts = [json.loads(line) for line in lines]
    tables = [Table(folder / "tables" / name, scripts, every_s, full) for name in names]
    stop = asyncio.Event()

    async def watch() -> None:
        while not (folder / "stop").exists():
            await asyncio.sleep(0.1)
        stop.set()

    async def play(table: Table) -> None:
        await table.play(stop)
        if full:
            stop.set()

    watching = asyncio.ensure_future(watch())
    await asyncio.gather(*(play(table) for table in tables), *(t.tell(stop) for t in tables))
    watching.cancel()
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(json.dumps({
        "tables": len(tables), "events": sum(table.events for table in tables),
        "cpu_s": round(used.ru_utime + used.ru_stime, 2), "mb": used.ru_maxrss // 1024,
    }), flush=True)  # fmt: skip


if __name__ == "__main__":
    asyncio.run(tell_to(Path(sys.argv[1]), sys.argv[4:], float(sys.argv[2]), int(sys.argv[3])))
