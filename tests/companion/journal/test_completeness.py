"""Everything that was told is in the journal, also on a full disk."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from companion.journal.entries import FINISHED, OPEN, Header, JournalError
from companion.journal.events import Happening, MatchEnded, MovePlayed, Source
from companion.journal.mark import JournalMark, Reached
from companion.journal.store import Journal
from companion.match.events import MatchOver, MovesCommitted, TableEvent, Trouble
from companion.match.messages import Tick
from companion.match.table import Table
from companion.match.view import PlayMove, Undo
from companion.settings.manners import Manners
from rules.core import Actor, Outcome
from rules.games import find_game
from tests.support.journals import filled, made_older
from tests.support.table_setup import Hands, header, played


def change(path: Path, *statements: str) -> None:
    """Alter the file behind Heelstone's back, in a way SQLite itself finds nothing wrong with."""
    with closing(sqlite3.connect(path)) as db, db:
        for statement in statements:
            db.execute(statement)


def three(path: Path) -> None:
    """Three matches of four events each."""
    with Journal(path) as journal:
        for match in ("m1", "m2", "m3"):
            journal.create(header(match))
        for place in ("2 C", "5 A", "6 D", "3 L"):
            for match in ("m1", "m2", "m3"):
                journal.append(match, played(f"p0 place {place}"), src=Source.TOUCH)


@pytest.mark.parametrize(
    ("statements", "kept"),
    [
        (["delete from events where match = 'm2' and seq = 2"], [4, 1, 4]),
        (["delete from events where match = 'm2' and seq > 2"], [4, 2, 4]),
        (["delete from events where match = 'm2'"], [4, 0, 4]),
        (["delete from matches where id = 'm2'"], [4, 4]),
        (["delete from matches where id = 'm2'", "delete from events where match = 'm2'"], [4, 4]),
        (["delete from matches where id = 'm3'", "delete from events where match = 'm3'"], [4, 4]),
        (
            [
                "update events set seq = 9 where match = 'm2' and seq = 2",
                "update events set seq = 2 where match = 'm2' and seq = 3",
                "update events set seq = 3 where match = 'm2' and seq = 9",
            ],
            [4, 1, 4],
        ),
        (["update matches set events = 3 where id = 'm2'"], [4, 4, 4]),
        (["update matches set status = 'finished' where id = 'm2'"], [4, 4, 4]),
        (["update events set t_utc = 7.0 where match = 'm2' and seq = 2"], [4, 4, 4]),
        (["update events set t_utc = 7.0 where match = 'm2' and seq = 4"], [4, 4, 4]),
        (["update events set chain = 7 where match = 'm2' and seq = 2"], [4, 1, 4]),
    ],
)
def test_whatever_is_missing_or_misplaced_is_spoken_of_and_the_rest_is_kept(
    tmp_path: Path, statements: list[str], kept: list[int]
) -> None:
    path = tmp_path / "journal.db"
    three(path)
    change(path, *statements)
    with Journal(path) as journal:
        assert journal.salvage is not None
        assert [m.events for m in reversed(journal.matches())] == kept
        for summary in journal.matches():
            assert len(journal.events(summary.header.id)) == summary.events
    with Journal(path) as again:
        assert again.salvage is None


def test_times_that_were_damaged_count_as_unknown(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    three(path)
    change(path, "update events set t_utc = 7.0 where match = 'm2' and seq = 2")
    with Journal(path) as journal:
        assert [e.t_utc > 0 for e in journal.events("m2")] == [True, False, True, True]


def test_a_match_whose_last_page_is_newer_than_its_row_is_over_when_it_is_over(
    tmp_path: Path,
) -> None:
    path = tmp_path / "journal.db"
    with filled(path, 6) as journal:
        with closing(sqlite3.connect(path)) as db:
            before = db.execute("select * from matches").fetchone()
        ended = MatchEnded(Outcome("most_stones", ((0,), (1,)), (3, 1)))
        journal.append("m1", ended, src=Source.TOUCH, status=FINISHED)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("delete from matches")
        db.execute("insert into matches values (?, ?, ?, ?, ?, ?, ?, ?)", before)
    with Journal(path) as journal:
        assert "set aside" in str(journal.salvage)
        assert (journal.status("m1"), len(journal.events("m1"))) == (FINISHED, 7)


def test_a_whole_file_of_an_hour_ago_is_noticed_by_its_mark(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    three(path)
    old = path.read_bytes()
    with Journal(path) as journal:
        journal.append("m1", played("p0 place 7 F"), src=Source.TOUCH)
        # The match that was played last is whole in the old file; another has lost an event.
        journal.append("m2", played("p0 place 7 F"), src=Source.TOUCH)
    JournalMark(path).write(Reached("m3", 4, 14, 3))
    path.write_bytes(old)
    with Journal(path) as journal:
        assert "ends too early: 2 entries" in str(journal.salvage)
    with Journal(path) as again:
        assert again.salvage is None


def test_a_match_without_events_that_is_gone_is_told_as_a_match(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    three(path)
    JournalMark(path).write(Reached("m3", 4, 12, 4))
    with Journal(path) as journal:
        assert "0 entries and 1 matches" in str(journal.salvage)


def test_a_lost_end_is_spoken_of_though_the_journal_is_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    three(path)
    made_older(path)
    JournalMark(path).path.write_text("m3 6".ljust(63) + "\n")
    with Journal(path) as journal:
        assert "2 entries of the match m3" in str(journal.salvage)


def test_no_flipped_bit_of_the_mark_raises_an_alarm(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    three(path)
    mark = path.with_suffix(".mark")
    whole = mark.read_bytes()
    for bit in range(len(whole.rstrip()) * 8):
        flipped = bytearray(whole)
        flipped[bit // 8] ^= 1 << bit % 8
        mark.write_bytes(flipped)
        found = JournalMark(path).read()
        assert found in (None, Reached("m3", 4, 12, 3)), bit
    mark.write_bytes(whole)
    with Journal(path) as journal:
        assert journal.salvage is None
        assert journal.status("m1") == OPEN


def test_a_long_id_leaves_no_remains_in_the_mark(tmp_path: Path) -> None:
    mark = JournalMark(tmp_path / "journal.db")
    long, short = Reached("x" * 64, 999_999, 9_999_999, 99_999), Reached("m1", 2, 2, 1)
    for reached in (long, short, long):
        mark.write(reached)
        assert JournalMark(tmp_path / "journal.db").read() == reached
    mark.close()


class Disk:
    """Has no room for entries that ``refused`` picks."""

    def __init__(
        self, patch: pytest.MonkeyPatch, refused: Callable[[Happening, Source], bool]
    ) -> None:
        self.full, real = True, Journal.append

        def append(
            journal: Journal,
            match_id: str,
            *happened: Happening,
            src: Source,
            status: str | None = None,
        ) -> int:
            if self.full and any(refused(what, src) for what in happened):
                raise JournalError("the disk is full")
            return real(journal, match_id, *happened, src=src, status=status)

        patch.setattr(Journal, "append", append)


def kinds(events: list[TableEvent]) -> list[type[TableEvent]]:
    return [type(event) for event in events]


def test_what_chance_owes_is_dealt_as_soon_as_there_is_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else nobody could move any more until the program is started anew."""
    disk = Disk(monkeypatch, lambda _, src: src is Source.DEALER)
    game = find_game("opferroulette")
    options = game.complete_options(3, {})
    with Journal(":memory:") as journal:
        journal.create(Header("m1", game.id, 3, options, False, "5", (), "enforce", 0.0))
        # The first draws fall due when the table is laid.
        table = Table(journal, journal.header("m1"), Manners())
        assert table.match.ply == 0
        assert kinds(table.handle(Tick(), 0.0)) == [Trouble]
        assert kinds(table.handle(Tick(), 1.0)) == [], "it is told once, not with every picture"
        assert kinds(table.handle(Undo(), 2.0)) == [Trouble], "but to whoever asks for something"
        disk.full = False
        assert MovesCommitted in kinds(table.handle(Tick(), 3.0))
        log = table.match.log
        assert log and all(entry.move.actor is Actor.DEALER for entry in log)
        assert table.view().legal
        assert [e.what for e in journal.events("m1")] == [MovePlayed(e.move) for e in log]


def test_the_end_is_written_down_as_soon_as_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    disk = Disk(monkeypatch, lambda what, _: isinstance(what, MatchEnded))
    with Journal(":memory:") as journal:
        journal.create(header())
        table, told = Table(journal, journal.header("m1"), Manners()), list[TableEvent]()
        while table.match.outcome is None:
            legal = table.match.legal_moves()
            claims = [move for move in legal if move.verb == "claim"]
            told = table.handle(PlayMove((claims or legal)[0]), 0.0)
        assert kinds(told)[-1] is Trouble
        assert journal.status("m1") != FINISHED
        disk.full = False
        assert MatchOver in kinds(table.handle(Tick(), 1.0))
        assert journal.status("m1") == FINISHED


def test_a_recognised_move_without_room_is_told_once_and_agreed_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    disk, hands = Disk(monkeypatch, lambda _, src: src is Source.CAMERA), Hands()
    hands.look()
    hands.lay("G", "stone black 1", seconds=5.0)
    assert kinds(hands.events).count(Trouble) == 1
    assert hands.moves == []
    disk.full = False
    hands.hold_still(1.0)
    assert hands.moves == ["p0 place 1 G"]
