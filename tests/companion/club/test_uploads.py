"""From a table's journal through the broker into the club's database, with real programs."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from companion.club.membership import Membership
from companion.club.upload import FILE, Acknowledged, Uploader
from companion.journal.entries import ABANDONED
from companion.journal.events import MovePlayed, Source, TakenBack
from companion.journal.store import Journal
from rules.core import Move
from tests.support.club import (
    GAMES,
    Servers,
    Writing,
    expected,
    play,
    servers,
    stored,
    writer_process,
)
from tests.support.waiting import PATIENCE_S, until

FEW = 40


@contextmanager
def uploading(member: Membership, state: Path) -> Iterator[Uploader]:
    uploader = Uploader(member, state).start()
    try:
        yield uploader
    finally:
        uploader.close()


def equal(club: Servers, journal: Journal, member: Membership) -> bool:
    return stored(club.database.dsn, member.table) == expected(journal, member)


def test_the_database_holds_what_the_journals_say_event_by_event(
    club: Servers, tmp_path: Path
) -> None:
    (member,) = club.make(["all-games"])
    with Journal(tmp_path / "journal.db") as journal:
        for number, game in enumerate(GAMES):
            play(journal, game, number, most=FEW)
        with Writing(club), uploading(member, tmp_path):
            assert until(lambda: equal(club, journal, member))


def test_moves_taken_back_and_put_right_arrive_as_events_of_their_own(
    club: Servers, tmp_path: Path
) -> None:
    (member,) = club.make(["put-right"])
    with Journal(tmp_path / "journal.db") as journal:
        match_id = play(journal, "knizia_stonehenge", 4, most=6, corrections=False)
        with Writing(club), uploading(member, tmp_path):
            assert until(lambda: equal(club, journal, member))
            gone = journal.load(match_id).log[-1].move
            journal.append(match_id, TakenBack(1), src=Source.TOUCH)
            journal.append(match_id, MovePlayed(gone), src=Source.TOUCH, status=ABANDONED)
            # Nobody told the uploader: it looks by itself when it is begun anew.
        with Writing(club), uploading(member, tmp_path):
            assert until(lambda: equal(club, journal, member))


def test_days_without_a_network_are_caught_up_in_order(
    club: Servers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (member,) = club.make(["away"])
    monkeypatch.setattr("companion.club.connection.CONNECT_S", 0.5)
    with Journal(tmp_path / "journal.db") as journal:
        lost = Membership(
            club=member.club, table=member.table, servers=("nats://127.0.0.1:9",), seed=member.seed
        )
        with uploading(lost, tmp_path) as uploader:
            for number in range(3):
                play(journal, GAMES[number], number, most=FEW)
            assert until(lambda: uploader.trouble != "")
        monkeypatch.setattr("companion.club.connection.CONNECT_S", PATIENCE_S)
        with Writing(club), uploading(member, tmp_path):
            assert until(lambda: equal(club, journal, member))


def test_what_was_sent_before_is_sent_again_without_any_harm(club: Servers, tmp_path: Path) -> None:
    (member,) = club.make(["twice"])
    with Journal(tmp_path / "journal.db") as journal:
        play(journal, "dolmengoetter", 1, most=FEW)
        with Writing(club):
            with uploading(member, tmp_path):
                assert until(lambda: equal(club, journal, member))
            (tmp_path / FILE).unlink()
            play(journal, "opferroulette", 2, most=FEW)
            with uploading(member, tmp_path):
                assert until(lambda: equal(club, journal, member))


def test_a_damaged_file_of_what_was_sent_is_set_aside(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"{broken")
    found = Acknowledged(tmp_path / FILE)
    assert found.matches == {}
    assert found.salvage is not None
    assert not (tmp_path / FILE).exists()


def test_a_copy_that_was_put_back_is_told_anew_and_replaces_what_was_told(
    club: Servers, tmp_path: Path
) -> None:
    (member,) = club.make(["restored"])
    path, copy = tmp_path / "journal.db", tmp_path / "copy.db"
    with Journal(path) as journal:
        match_id = play(journal, "knizia_stonehenge", 4, most=8, corrections=False)
        journal.set_status(match_id, "open")
    shutil.copy(path, copy)
    first, other = Move.parse("p0 done"), None
    with Writing(club):
        with Journal(path) as journal:
            moves = journal.load(match_id).legal_moves()
            first, other = moves[0], moves[-1]
            journal.append(match_id, MovePlayed(first), src=Source.TOUCH)
            with uploading(member, tmp_path):
                assert until(lambda: equal(club, journal, member))
        for beside in tmp_path.glob("journal.*"):
            beside.unlink()
        shutil.copy(copy, path)
        with Journal(path) as journal:
            journal.append(match_id, MovePlayed(other), src=Source.TOUCH)
            anew = expected(journal, member, edition=2)
            with uploading(member, tmp_path):
                assert until(
                    lambda: anew.items() <= stored(club.database.dsn, member.table).items()
                )
        with psycopg.connect(club.database.dsn) as db:
            told = db.execute(
                "select replaced_by from matches where tab = 'restored' order by began_at"
            ).fetchall()
        assert told == [(next(iter(anew)),), (None,)]


def test_events_beyond_a_gap_are_kept_and_not_counted(club: Servers, tmp_path: Path) -> None:
    (member,) = club.make(["gap"])
    with Journal(tmp_path / "journal.db") as journal:
        play(journal, "knizia_stonehenge", 4, most=10, corrections=False)
        with Writing(club), uploading(member, tmp_path):
            assert until(lambda: equal(club, journal, member))

    def complete() -> tuple[int, int]:
        with psycopg.connect(club.database.dsn) as db:
            row = db.execute("select complete, highest from matches where tab = 'gap'").fetchone()
            assert row is not None
            return int(row[0]), int(row[1])

    with psycopg.connect(club.database.dsn) as db:
        db.execute("delete from events where tab = 'gap' and seq = 4")
        db.execute("update matches set complete = 3 where tab = 'gap'")
    assert complete() == (3, 10)
    # The table asks what is stored, hears of the gap, and fills it.
    (tmp_path / FILE).unlink()
    with (
        Journal(tmp_path / "journal.db") as journal,
        Writing(club),
        uploading(member, tmp_path),
    ):
        assert until(lambda: complete() == (10, 10))
        assert until(lambda: equal(club, journal, member))


@pytest.fixture
def own_club() -> Iterator[Servers]:
    """Servers that may be killed: nobody else uses them."""
    with servers() as found:
        yield found


def test_broker_database_and_writer_may_be_killed_and_nothing_is_lost(
    own_club: Servers, tmp_path: Path
) -> None:
    (member,) = own_club.make(["ours"])
    writer = writer_process(own_club)
    try:
        with Journal(tmp_path / "journal.db") as journal, uploading(member, tmp_path):
            play(journal, "dolmengoetter", 1, most=FEW)
            writer.kill()
            writer.wait()
            play(journal, "opferroulette", 2, most=FEW)
            own_club.broker.kill()
            own_club.broker.start()
            play(journal, "hoher_rat", 3, most=FEW)
            own_club.database.kill()
            own_club.database.start()
            writer = writer_process(own_club)
            assert until(lambda: equal(own_club, journal, member))
    finally:
        writer.kill()
        writer.wait()


@pytest.mark.thorough
def test_a_broker_that_lost_its_disk_is_told_again(own_club: Servers, tmp_path: Path) -> None:
    (member,) = own_club.make(["ours"])
    with Journal(tmp_path / "journal.db") as journal, uploading(member, tmp_path):
        with Writing(own_club):
            play(journal, "knizia_stonehenge", 1, most=10)
            assert until(lambda: equal(own_club, journal, member))
        # The broker takes more while nobody writes, and then loses it.
        play(journal, "dolmengoetter", 2, most=FEW)
        file = tmp_path / FILE
        assert until(lambda: uploader_has_sent(file, journal))
        own_club.broker.kill()
        shutil.rmtree(own_club.folder / "broker" / "store")
        own_club.broker.start()
        with Writing(own_club):
            assert until(lambda: equal(own_club, journal, member))


def uploader_has_sent(file: Path, journal: Journal) -> bool:
    known = Acknowledged(file).matches if file.exists() else {}
    return all(
        stand.id in known and known[stand.id].sent == stand.events for stand in journal.stands()
    )
