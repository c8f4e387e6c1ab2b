"""One match at two tables, played whole, and mistreated: ``python -m tests.endurance.two_tables``.

``boards``: a whole match of each game on two virtual boards with cameras. Hands at one make its
moves, hands at the other set what lamps and screen say there; every few moves the network of one of
them is gone for a while. ``kills``: matches between two programs that play as fast as they can,
each killed at random moments, sometimes both at once, as are the broker and the club's writer and
pages: whatever a journal said when its program was killed it says at the end, and both say the
same.
``soon``: how soon the lamps of the other table know of a move.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from companion.club.membership import FILE, Membership, read_membership, write_secret
from companion.club.two_tables import ClubTables
from companion.journal.entries import OPEN
from companion.journal.events import EntryAmended, MovePlayed, TakenBack
from companion.journal.fold import replay
from companion.journal.store import Journal
from companion.match.events import MovesCommitted, TableEvent
from companion.match.session import Session
from companion.match.table import Table
from companion.match.view import PlayMove, TableView, Undo
from companion.outputs.cues import CueDirector
from companion.settings.manners import Manners
from hardware.rig import Rig
from hardware.settings import LampSettings, RigSettings
from rules.testing.playout import pick
from tests.support.club import Servers, pages_process, servers, writer_process
from tests.support.two_boards import BoardThere, TwoBoards, header_there
from tests.support.waiting import until

GAMES = (("knizia_stonehenge", 2), ("dolmengoetter", 3))
PATIENCE_S = 300.0


def tell(what: dict[str, object]) -> None:
    """One line of figures."""
    print(json.dumps(what), flush=True)


# -- whole matches on boards with cameras -----------------------------------------------------


def boards(club: Servers, games: Sequence[tuple[str, int]], most: int | None, seed: int) -> bool:
    """True if whole matches went well."""
    well = True
    for game, players in games:
        first, second = club.make(["first", "second"])
        here, there = tuple(range(0, players, 2)), tuple(range(1, players, 2))
        folder = Path(tempfile.mkdtemp(prefix=f"two-{game}-"))
        one = BoardThere(game, folder / "first", first, "second", here, players)
        other = BoardThere(game, folder / "second", second, "first", there, players)
        began_s, cuts = time.monotonic(), _Cuts((one, other), random.Random(seed))
        try:
            match = TwoBoards(one, other, seed, cuts)
            moves = match.play(most)
            logs = [board.journal_match().log for board in (one, other)]
            wrong = sum(side.tally.wrong for side in match.sides)
            asked = sum(side.tally.asked for side in match.sides)
            good = logs[0] == logs[1] and wrong == 0
            well = well and good
            tell({
                "game": game, "moves": moves, "set_and_seen_at_the_other": match.set_by_hand,
                "over": one.view.outcome is not None and other.view.outcome is not None,
                "asked": asked, "wrong": wrong, "cuts": cuts.number, "equal": good,
                "minutes": round((time.monotonic() - began_s) / 60, 1),
            })  # fmt: skip
        finally:
            one.close()
            other.close()
    return well


class _Cuts:
    """Every few moves the network of one table is gone, and comes back during the next move."""

    def __init__(self, pair: tuple[BoardThere, BoardThere], chance: random.Random) -> None:
        self._pair, self._chance, self.number = pair, chance, 0

    def __call__(self, move: int) -> None:
        if move % 7 == 0:
            self.number += 1
            board = self._chance.choice(self._pair)
            board.tables._line.close()
            threading.Timer(0.5, lambda: _connect_again(board)).start()


def _connect_again(board: BoardThere) -> None:
    tables = ClubTables(board.tables.member, board.out)
    tables.follow(board.session)
    board.tables.close()
    board.tables = tables.start()


# -- killed programs --------------------------------------------------------------------------


def play(folder: Path, seed: int) -> None:
    """One of the two programs: plays what it is asked, until it is ended."""
    chance = random.Random(seed)
    member = read_membership(folder / FILE)
    assert member is not None
    journal = Journal(folder / "journal.db")
    while True:
        found = journal.unfinished()
        if not found:
            time.sleep(0.02)
            continue
        _play_one(journal, found[0].header.id, member, folder, chance)


def _play_one(
    journal: Journal, match_id: str, member: Membership, folder: Path, chance: random.Random
) -> None:
    session = Session(Table(journal, journal.header(match_id), Manners()))
    tables = ClubTables(member, folder)
    tables.follow(session)
    tables.start()
    session.start()
    (folder / "playing").write_text(match_id)
    while (folder / "over").read_text() != match_id:
        time.sleep(chance.random() * 0.03)
        view = session.view
        if view.legal and view.outcome is None:
            match = session.table.match
            session.post(PlayMove(pick(match.state, list(view.legal), chance)))
            session.settle()
        if view.can_undo and chance.random() < 0.05:
            session.post(Undo())
            session.settle()
    session.close()
    tables.close()


def told(folder: Path, match_id: str) -> tuple[list[Any], bool]:
    """The record in a journal, and whether the match is over."""
    with Journal(folder / "journal.db", beside=True) as journal:
        fold = replay(journal.header(match_id), journal.events(match_id))
    return list(fold.told), fold.match.outcome is not None


def kills(club: Servers, number: int, seed: int) -> bool:
    """True if both journals were equal after each match of programs killed ``number`` times."""
    members = club.make(["first", "second"])
    chance, folders = random.Random(seed), [club.folder / one.table for one in members]
    for folder, member in zip(folders, members, strict=True):
        folder.mkdir()
        write_secret(folder / FILE, member.toml())
        (folder / "over").write_text("")
    killed, matches, moves, takebacks, broker, well = [0, 0], 0, 0, 0, 0, True
    both = lost = 0
    running = [_player(folder, seed) for folder in folders]
    hall = [writer_process(club), pages_process(club)]
    try:
        while min(killed) < number:
            game, players = chance.choice(GAMES)
            shared = f"{matches:024x}"
            seats = (tuple(range(0, players, 2)), tuple(range(1, players, 2)))
            ids = []
            for at in (0, 1):
                header = header_there(
                    game, players, seats[at], members[1 - at].table, hosting=not at, shared=shared
                )
                with Journal(folders[at] / "journal.db") as journal:
                    journal.create(header)
                ids.append(header.id)
            began_s, equal = time.monotonic(), False
            noted: list[tuple[int, list[Any]]] = []
            records = [told(folders[n], ids[n]) for n in (0, 1)]
            while not equal and time.monotonic() - began_s < PATIENCE_S:
                time.sleep(0.5 + 2.5 * chance.random())
                ends = [0, 1] if chance.random() < 0.2 else [chance.randrange(2)]
                if all(killed[at] < number for at in ends):
                    both += len(ends) == 2
                    for at in ends:
                        running[at].send_signal(signal.SIGKILL)
                    for at in ends:
                        running[at].wait()
                        killed[at] += 1
                    kept = [told(folders[at], ids[at])[0] for at in ends]
                    if chance.random() < 0.15:
                        club.broker.kill()
                        club.broker.start()
                        broker += 1
                    if chance.random() < 0.15:
                        end_all(hall)
                        hall = [writer_process(club), pages_process(club)]
                    for at in ends:
                        running[at] = _player(folders[at], chance.randrange(10**6))
                    noted += zip(ends, kept, strict=True)
                records = [told(folders[n], ids[n]) for n in (0, 1)]
                # Somebody may take the end back a moment later.
                equal = records[0] == records[1] and records[0][1]
            gone = sum(records[at][0][: len(kept)] != kept for at, kept in noted)
            lost += gone
            well, matches = well and equal and not gone, matches + 1
            moves += sum(isinstance(one, MovePlayed) for one in records[0][0])
            takebacks += sum(isinstance(one, TakenBack | EntryAmended) for one in records[0][0])
            for at in (0, 1):
                (folders[at] / "over").write_text(ids[at])
                with Journal(folders[at] / "journal.db") as journal:
                    if journal.status(ids[at]) == OPEN:
                        journal.set_status(ids[at], "abandoned")
            if not equal:
                tell({"match": matches, "game": game, "records": [len(r[0]) for r in records]})
    finally:
        end_all([*running, *hall])
    tell({
        "matches": matches, "moves": moves, "taken_back": takebacks, "kills": killed,
        "both_at_once": both, "broker_kills": broker, "agreed_and_lost": lost, "equal": well,
    })  # fmt: skip
    return well


def end_all(programs: Sequence[subprocess.Popen[bytes]]) -> None:
    """Programs are gone, in the middle of whatever they do."""
    for one in programs:
        one.kill()
    for one in programs:
        one.wait()


def _player(folder: Path, seed: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.endurance.two_tables", "play", str(folder), str(seed)]
    )


# -- how soon ---------------------------------------------------------------------------------


class _Timed:
    """A table without a camera whose lamps note when they are lit."""

    def __init__(self, folder: Path, member: Membership, other: str, at: int, shared: str) -> None:
        folder.mkdir()
        self.journal = Journal(folder / "journal.db")
        header = header_there(GAMES[0][0], 2, (at,), other, hosting=not at, shared=shared)
        self.journal.create(header)
        self.rig = Rig(RigSettings(lamps=LampSettings(kind="mock", count=64)))
        self.lit_s = self.agreed_s = 0.0
        self._shows = self.rig.lamps.show
        self.rig.lamps.show = self._show  # type: ignore[method-assign]
        self.session = Session(Table(self.journal, header, Manners()))
        self.session.listen(self._hear)
        self.session.listen(CueDirector(self.rig, "en"))
        self.tables = ClubTables(member, folder)
        self.tables.follow(self.session)
        self.tables.start()
        self.session.start()

    def _hear(self, _view: TableView, events: Sequence[TableEvent]) -> None:
        if any(isinstance(event, MovesCommitted) for event in events):
            self.agreed_s = time.perf_counter()

    def _show(self, lights: Any) -> None:
        self._shows(lights)
        self.lit_s = time.perf_counter()

    def close(self) -> None:
        """End everything in order."""
        self.session.close()
        self.tables.close()
        self.rig.close()
        self.journal.close()


def soon(club: Servers, number: int) -> bool:
    """Tell how soon a move that is agreed at one table lights lamps at the other."""
    members, took, chance = club.make(["first", "second"]), list[float](), random.Random(1)
    folder = Path(tempfile.mkdtemp(prefix="two-soon-"))
    for match in range(number):
        sides = [
            _Timed(
                folder / f"{match}-{at}", members[at], members[1 - at].table, at, f"{match:024x}"
            )
            for at in (0, 1)
        ]
        assert until(lambda pair=sides: all(one.tables._line.up for one in pair))  # type: ignore[misc]
        while sides[0].session.view.outcome is None and len(took) < number:
            movers = [one for one in sides if one.session.view.legal]
            if movers:
                took.append(_one_move(movers[0], sides[movers[0] is sides[0]], chance))
            time.sleep(0.01)
        for side in sides:
            side.close()
        if len(took) >= number:
            break
    took.sort()
    tell({
        "moves": len(took), "p50_ms": round(statistics.median(took), 1),
        "p95_ms": round(took[int(len(took) * 0.95)], 1), "most_ms": round(took[-1], 1),
    })  # fmt: skip
    return True


def _one_move(mover: _Timed, other: _Timed, chance: random.Random) -> float:
    """Milliseconds from the word of the journal to the lamps at the other table."""
    match, ply = mover.session.table.match, other.session.view.ply
    move = pick(match.state, list(mover.session.view.legal), chance)
    mover.session.post(PlayMove(move))
    assert until(lambda: other.session.view.ply > ply and other.lit_s > mover.agreed_s)
    return (other.lit_s - mover.agreed_s) * 1000


def main() -> int:
    """Run what is asked for; 1 if something went wrong."""
    asking = argparse.ArgumentParser(description=__doc__)
    asking.add_argument("what", nargs="?", choices=("boards", "kills", "soon", "play"))
    asking.add_argument("rest", nargs="*")
    asking.add_argument("--most", type=int, default=None, help="so many moves of each match")
    asking.add_argument("--kills", type=int, default=100, help="of each of the two programs")
    asking.add_argument("--moves", type=int, default=300, help="that are timed")
    asking.add_argument("--seed", type=int, default=1)
    given = asking.parse_args()
    if given.what == "play":
        play(Path(given.rest[0]), int(given.rest[1]))
        return 0
    games = [one for one in GAMES if not given.rest or one[0] in given.rest]
    well = True
    with servers() as club:
        if given.what in (None, "soon"):
            well = soon(club, given.moves) and well
        if given.what in (None, "boards"):
            well = boards(club, games, given.most, given.seed) and well
        if given.what in (None, "kills"):
            well = kills(club, given.kills, given.seed) and well
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
