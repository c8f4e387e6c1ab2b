"""Years at the table in a few minutes: ``python -m tests.endurance.soak``.

10,000 moves of all games with every output connected (simulated devices behind real drivers),
while the clock jumps about. Memory, threads, open files and queues must stay as they were after
the warm-up.
"""

from __future__ import annotations

import argparse
import gc
import os
import random
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from unittest.mock import patch

from companion.app.application import Application
from companion.match.view import PlayMove, Undo
from companion.settings.people import MatchSetup
from companion.settings.settings import Settings
from hardware.settings import MOCK_RIG
from rules.games import find_game, game_ids

YEAR_S = 365 * 24 * 3600.0
MOST_GROWTH_MB = 5.0


@dataclass
class Soaked:
    """The program's state at several moments."""

    moves: int = 0
    matches: int = 0
    rss_mb: list[float] = field(default_factory=list)
    """After the warm-up and then now and again; the last at the end."""
    threads: list[int] = field(default_factory=list)
    files: list[int] = field(default_factory=list)
    waiting: list[int] = field(default_factory=list)
    """Messages in the session's inbox."""
    wrong: list[str] = field(default_factory=list)
    """Matches whose journal does not replay to what was played."""

    @property
    def growth_mb(self) -> float:
        """Memory gained since the warm-up."""
        return self.rss_mb[-1] - self.rss_mb[0]

    @property
    def leaks(self) -> list[str]:
        """Growth, as sentences; empty if there was none."""
        told = list(self.wrong)
        if self.growth_mb > MOST_GROWTH_MB:
            told.append(f"memory grew by {self.growth_mb:.1f} MB")
        for name, values in (("threads", self.threads), ("open files", self.files)):
            if max(values) > values[0] + 2:
                told.append(f"{name} grew from {values[0]} to {max(values)}")
        if max(self.waiting) > 50:
            told.append(f"{max(self.waiting)} messages waited")
        return told


def soak(
    moves: int, warm_up: int, folder: Path, seed: int = 3, samples: int = 8, longest: int = 300
) -> Soaked:
    """Play ``moves`` moves after ``warm_up`` others, at most ``longest`` of them in one match."""
    chance, found = random.Random(seed), Soaked()
    house = Application(Settings(rig=MOCK_RIG), folder, "de")
    try:
        with _jumping_clock(chance):
            games = _games(chance)
            count, next_sample = 0, warm_up
            while count < warm_up + moves:
                for _ in _play(house, next(games), chance, found, longest):
                    count += 1
                    if count >= next_sample:
                        sample(found)
                        next_sample += max(moves // samples, 1)
                    if count >= warm_up + moves:
                        break
            sample(found)
        found.moves = count
    finally:
        house.close()
    return found


def _games(chance: random.Random) -> Iterator[MatchSetup]:
    while True:
        for name in chance.sample(game_ids(), len(game_ids())):
            game = find_game(name)
            players = chance.choice(game.players)
            yield MatchSetup(name, players, physical=False)


def _play(
    house: Application, plan: MatchSetup, chance: random.Random, found: Soaked, longest: int
) -> Iterator[None]:
    """One match, at most so long that every game has its turn; yields at every move."""
    session = house.start(plan)
    house.begin()
    table = session.table
    for _ in range(longest):
        if table.match.outcome is not None:
            break
        if chance.random() < 0.04 and table.match.ply > 3:
            session.post(Undo(1))
        else:
            legal = list(session.view.legal)
            move = table.match.state.choose(legal, chance)
            session.post(PlayMove(move))
        found.waiting.append(session.waiting)
        del found.waiting[:-100]
        session.settle()
        yield
    found.matches += 1
    header = table.record.header
    again = house.journal.load(header.id)
    if [e.move for e in again.log] != [e.move for e in table.match.log]:
        found.wrong.append(f"match {header.id} of {header.game} does not replay")


def sample(found: Soaked) -> None:
    """Note how the program stands now."""
    gc.collect()
    found.rss_mb.append(_rss_mb())
    found.threads.append(threading.active_count())
    found.files.append(len(list(Path("/proc/self/fd").iterdir())))


def _rss_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


@contextmanager
def _jumping_clock(chance: random.Random) -> Iterator[None]:
    """A clock without a battery: it jumps by up to a year, forwards and back, at any call."""
    true_time = time.time
    offset = 0.0

    def jump() -> float:
        nonlocal offset
        if chance.random() < 0.05:
            offset = chance.uniform(-YEAR_S, YEAR_S)
        return true_time() + offset

    with patch("time.time", jump):
        yield


def main() -> int:
    """Soak and print the figures; 1 if something leaked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=10_000)
    parser.add_argument("--warm-up", type=int, default=15_000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = soak(given.moves, given.warm_up, Path(folder))
    return tell(found)


def tell(found: Soaked) -> int:
    """Print the figures; 1 if something leaked."""
    print(f"{found.moves} moves in {found.matches} matches")
    print("resident memory, MB: " + " ".join(f"{value:.1f}" for value in found.rss_mb))
    print(f"threads {found.threads}, open files {found.files}")
    for sentence in found.leaks:
        print(f"  {sentence}")
    return 1 if found.leaks else 0


if __name__ == "__main__":
    sys.exit(main())
