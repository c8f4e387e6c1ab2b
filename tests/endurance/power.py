"""The power goes out: kills at random moments, torn and damaged journals.

``python -m tests.endurance.power`` kills a playing program 300 times, damages a journal at 1,000
places, and cuts every other deed short at each change of a file (``tests.endurance.cuts``). Nothing
that anybody heard of may be lost, and no start may be refused.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from companion.journal.entries import JournalError
from companion.journal.events import to_row
from companion.journal.fold import replay
from companion.journal.store import Journal
from tests.endurance.cuts import run_shimmed
from tests.endurance.player import fingerprint

PAGE = 4096
WHOLE_PAGES = ("swapped", "twice", "stale")
KINDS = ("cut", "zeroes", "noise", "bit", "rows missing", *WHOLE_PAGES)
LONGEST_S = 0.6
"""The program plays at most so long after its first words."""


@dataclass
class Kills:
    """Results of killing."""

    kills: int = 0
    heard: int = 0
    """Changes that listeners were told of."""
    matches: int = 0
    events: int = 0
    lost: list[str] = field(default_factory=list)
    """Records that somebody had heard of and the journal does not know."""
    salvages: list[str] = field(default_factory=list)


def kill_often(times: int, folder: Path, seed: int = 1) -> Kills:
    """Play in ``folder`` and kill the program ``times`` times, each time at another moment."""
    chance, found = random.Random(seed), Kills()
    for number in range(times):
        heard, salvage = _play_and_kill(folder, seed * 100_000 + number, chance)
        found.kills += 1
        found.heard += len(heard)
        found.salvages += salvage
        with Journal(folder / "journal.db") as journal:
            if journal.salvage:
                found.salvages.append(str(journal.salvage))
            for match_id in {match for match, _ in heard}:
                kept = histories(journal, match_id)
                found.lost += [f"{m} {mark}" for m, mark in heard if m == match_id and
                               mark not in kept]  # fmt: skip
    with Journal(folder / "journal.db") as journal:
        summaries = journal.matches()
        found.matches = len(summaries)
        found.events = sum(summary.events for summary in summaries)
        for summary in summaries:
            # Everything that was ever agreed must still replay.
            journal.load(summary.header.id)
    return found


def _play_and_kill(
    folder: Path, seed: int, chance: random.Random
) -> tuple[list[tuple[str, str]], list[str]]:
    """Events heard before the kill, as (match, fingerprint), and words about salvage."""
    command = [sys.executable, "-m", "tests.endurance.player", str(folder), str(seed)]
    with (folder / "heard.txt").open("w+") as out:
        program = subprocess.Popen(command, stdout=out)
        deadline = time.monotonic() + 120
        while Path(out.name).stat().st_size == 0:
            if program.poll() is not None or time.monotonic() > deadline:
                program.kill()
                raise RuntimeError(f"the player does not play: exit code {program.wait()}")
            time.sleep(0.002)
        time.sleep(chance.uniform(0, LONGEST_S))
        program.kill()
        program.wait()
        out.seek(0)
        # The last line may be cut off by the kill itself.
        lines = out.read().split("\n")[:-1]
    heard = [tuple(line.split()[1:3]) for line in lines if line.startswith("heard ")]
    return [(m, f) for m, f in heard], [line for line in lines if line.startswith("salvage ")]


def histories(journal: Journal, match_id: str) -> set[str]:
    """Fingerprints of the match after each of its events."""
    header, events = journal.header(match_id), journal.events(match_id)
    fold = replay(header, [])
    marks = {fingerprint(fold.match)}
    for event in events:
        fold.take(event.what)
        marks.add(fingerprint(fold.match))
    return marks


@dataclass
class Tears:
    """Results of damaging."""

    places: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    """``whole``, ``shorter`` or ``set aside``, how often."""
    refused: list[str] = field(default_factory=list)
    """Starts that were refused."""
    invented: list[str] = field(default_factory=list)
    """Records that hold what nobody played."""
    lost_without_a_word: list[str] = field(default_factory=list)
    """Damage that cost agreed moves and was not spoken of."""


def tear_often(
    places: int, original: Path, seed: int = 2, earlier: Sequence[Path] = ()
) -> Tears:  # fmt: skip
    """Damage copies of the journal in folder ``original``, and of its log, and open them.

    ``earlier``: the file as it was at earlier moments; a card may give back old pages of it.
    """
    chance, found = random.Random(seed), Tears()
    truth = _truth(original)
    names = [n for n in ("journal.db", "journal.db-wal") if (original / n).exists()]
    with tempfile.TemporaryDirectory() as scratch:
        for number in range(places):
            folder = Path(scratch) / str(number)
            shutil.copytree(original, folder)
            # The index of the log is rebuilt after a crash; keeping it would be another test.
            (folder / "journal.db-shm").unlink(missing_ok=True)
            kind = chance.choice(KINDS if earlier else KINDS[:-1])
            if kind in WHOLE_PAGES:
                what = _misplace(folder / "journal.db", kind, chance, earlier)
            else:
                what = _damage(folder / chance.choice(names), kind, chance)
            found.places += 1
            _open_damaged(folder, what, truth, found)
            shutil.rmtree(folder)
    return found


def _truth(folder: Path) -> dict[str, list[str]]:
    """Every match's events as text, as they were before any damage."""
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / "copy"
        shutil.copytree(folder, copy)
        with Journal(copy / "journal.db") as journal:
            return {m.header.id: _told(journal, m.header.id) for m in journal.matches()}


def _told(journal: Journal, match_id: str) -> list[str]:
    return [f"{e.src} {to_row(e.what)}" for e in journal.events(match_id)]


def _misplace(path: Path, kind: str, chance: random.Random, earlier: Sequence[Path]) -> str:
    """Pages that are whole, and not those that belong there."""
    pages = path.stat().st_size // PAGE
    one, other = chance.randrange(pages), chance.randrange(pages)
    with path.open("r+b") as file:

        def page(number: int, new: bytes | None = None) -> bytes:
            file.seek(number * PAGE)
            old = file.read(PAGE)
            if new is not None:
                file.seek(number * PAGE)
                file.write(new)
            return old

        if kind == "swapped":
            page(one, page(other, page(one)))
        elif kind == "twice":
            page(one, page(other))
        else:
            before = chance.choice(earlier).read_bytes()
            one %= len(before) // PAGE
            page(one, before[one * PAGE : (one + 1) * PAGE])
    return f"{kind}: page {one} ({other}) of {pages}"


def _lose_rows(path: Path, chance: random.Random) -> str:
    """Rows are missing, and everything else is as SQLite wants it."""
    with closing(sqlite3.connect(path)) as db, db:
        rows = db.execute("select match, seq from events order by match, seq").fetchall()
        match, seq = chance.choice(rows)
        many = chance.choice((1, 1, 7, 10_000))
        gone = db.execute(
            "delete from events where match = ? and seq >= ? and seq < ?", (match, seq, seq + many)
        )
        if chance.random() < 0.2:
            db.execute("delete from matches where id = ?", (match,))
    return f"{gone.rowcount} rows missing from {seq} of {match} on"


def _damage(path: Path, kind: str, chance: random.Random) -> str:
    if kind == "rows missing":
        return _lose_rows(path.with_name("journal.db"), chance)
    size = path.stat().st_size
    place = chance.randrange(size)
    with path.open("r+b") as file:
        if kind == "cut":
            file.truncate(place)
        else:
            file.seek(place)
            length = 1 if kind == "bit" else min(chance.choice((8, 512, 4096)), size - place)
            if kind == "bit":
                (old,) = file.read(1)
                file.seek(place)
                file.write(bytes([old ^ (1 << chance.randrange(8))]))
            else:
                file.write(bytes(length) if kind == "zeroes" else chance.randbytes(length))
    return f"{kind} at {place} of {path.name} ({size} bytes)"


def _open_damaged(folder: Path, what: str, truth: dict[str, list[str]], found: Tears) -> None:
    try:
        journal = Journal(folder / "journal.db")
    except JournalError as error:
        found.refused.append(f"{what}: {error}")
        return
    with journal:
        kept = {m.header.id: _told(journal, m.header.id) for m in journal.matches()}
        for match_id, told in kept.items():
            if told != truth.get(match_id, [])[: len(told)]:
                found.invented.append(f"{what}: match {match_id}")
        # Playing on must be possible.
        for match_id in kept:
            journal.load(match_id)
        if "The end of the journal" in str(journal.salvage) or "too early" in str(journal.salvage):
            found.outcomes["said to be shorter"] += 1
        elif journal.salvage:
            found.outcomes["set aside"] += 1
        elif kept == truth:
            found.outcomes["whole"] += 1
        else:
            found.outcomes["shorter"] += 1
            # A log that was cut or whose end is damaged reads as if it had ended there; that is
            # how SQLite treats the power cut it was made for. The mark beside the journal tells,
            # but for an entry whose writer was killed before it had told anybody.
            lost = sum(map(len, truth.values())) - sum(map(len, kept.values()))
            if lost > 1 or "-wal" not in what:
                found.lost_without_a_word.append(what)


def main() -> int:
    """Run both and print what came of it; 1 if anything was lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--places", type=int, default=1000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch, tempfile.TemporaryDirectory() as aside:
        folder = Path(scratch)
        kills = kill_often(given.kills, folder)
        print(
            f"{kills.kills} kills, {kills.heard} changes heard, {kills.matches} matches with "
            f"{kills.events} events: {len(kills.lost)} lost, {len(kills.salvages)} damaged"
        )
        for line in (*kills.lost, *kills.salvages):
            print(f"  {line}")
        # Killed once more and not opened, so that there is a log to be torn.
        earlier = []
        for number in range(6):
            _play_and_kill(folder, number, random.Random(number))
            earlier.append(folder / f"earlier-{number}.bin")
            shutil.copy(folder / "journal.db", earlier[-1])
        before = [path.rename(Path(aside) / path.name) for path in earlier]
        tears = tear_often(given.places, folder, earlier=before)
        print(
            f"{tears.places} damaged copies: {dict(tears.outcomes)}; {len(tears.refused)} starts "
            f"refused, {len(tears.invented)} records with moves nobody made, "
            f"{len(tears.lost_without_a_word)} losses without a word"
        )
        for line in (*tears.refused, *tears.invented, *tears.lost_without_a_word):
            print(f"  {line}")
    if shutil.which("cc") is None:
        print("no C compiler: deeds were not cut short at every change")
    else:
        cuts = run_shimmed([])
        print(cuts.stdout + cuts.stderr, end="")
        kills.lost += ["see above"] * (cuts.returncode != 0)
    bad = kills.lost + kills.salvages + tears.refused + tears.invented
    return 1 if bad or tears.lost_without_a_word else 0


if __name__ == "__main__":
    sys.exit(main())
