"""Damaged journals: the rest of them is saved, and none is moved from below its writers."""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from companion.app.application import Application
from companion.journal.entries import ABANDONED, FINISHED, OPEN, JournalError
from companion.journal.events import Other, Source, TakenBack, to_row
from companion.journal.lock import JournalLock, TableLock
from companion.journal.salvage import RESTORED, next_journal
from companion.journal.store import Journal
from companion.settings.settings import Settings
from tests.support.journals import filled
from tests.support.table_setup import header, played


def kept(journal: Journal) -> int:
    return sum(summary.events for summary in journal.matches())


def test_no_bit_of_the_first_page_keeps_a_match_from_starting_or_costs_a_move(
    tmp_path: Path,
) -> None:
    """It holds the schema, the version and where everything lies, and a fresh one can stand in."""
    path = tmp_path / "journal.db"
    filled(path, 12).close()
    whole, outcomes = path.read_bytes(), Counter[str]()
    places = [(byte, byte % 8) for byte in (*range(0, 100, 3), *range(60, 64), 44, 47)]
    places += [(byte, byte % 8) for byte in range(3400, 4096, 19)]
    for byte, bit in dict.fromkeys(places):
        damaged = bytearray(whole)
        damaged[byte] ^= 1 << bit
        folder = tmp_path / f"{byte}-{bit}"
        folder.mkdir()
        (folder / "journal.db").write_bytes(damaged)
        with Journal(folder / "journal.db") as journal:
            assert kept(journal) == 12, (byte, bit)
            outcomes["saved" if journal.salvage else "whole"] += 1
    assert min(outcomes["saved"], outcomes["whole"]) > 5


def test_matches_behind_a_torn_page_of_headers_are_saved(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with Journal(path) as journal:
        for number in range(120):
            journal.create(header(f"m{number}"))
            journal.append(f"m{number}", played("p0 place 2 C"), src=Source.TOUCH)
    with closing(sqlite3.connect(path)) as db:
        pages = [number for (number,) in db.execute(
            "select pageno from dbstat where name = 'matches' and pagetype = 'leaf'"
        )]  # fmt: skip
    data = bytearray(path.read_bytes())
    torn = (pages[len(pages) // 2] - 1) * 4096
    data[torn : torn + 4096] = bytes(4096)
    path.write_bytes(data)
    with Journal(path) as journal:
        assert "set aside" in str(journal.salvage)
        ids = {summary.header.id for summary in journal.matches()}
    assert {"m0", "m119"} <= ids
    assert len(ids) > 80


def test_a_journal_cut_to_nothing_is_said_to_be_gone_and_its_log_is_saved(tmp_path: Path) -> None:
    """SQLite would begin a new one in silence, and delete the log that holds everything."""
    path = tmp_path / "journal.db"
    with filled(path, 6):
        (tmp_path / "cut").mkdir()
        for name in ("journal.db-wal", "journal.mark"):
            (tmp_path / "cut" / name).write_bytes((tmp_path / name).read_bytes())
    (tmp_path / "cut" / "journal.db").write_bytes(b"")
    with Journal(tmp_path / "cut" / "journal.db") as journal:
        assert "set aside" in str(journal.salvage)
        assert kept(journal) == 6


def test_a_status_that_is_no_word_is_noticed_and_a_match_without_its_end_does_not_come_back(
    tmp_path: Path,
) -> None:
    path = tmp_path / "journal.db"
    with filled(path, 6) as journal:
        journal.append("m1", Other("end", {}), src=Source.TOUCH, status=FINISHED)
        journal.create(header("m2"))
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("update events set src = 'rot' where type = 'end'")
        db.execute("update matches set status = 'oqen' where id = 'm2'")
    with Journal(path) as journal:
        assert "set aside" in str(journal.salvage)
        assert (journal.status("m1"), journal.status("m2")) == (ABANDONED, OPEN)


def test_a_page_that_the_card_does_not_give_back_costs_that_page_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "journal.db"
    filled(path, 20).close()
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xff" * 4096 + whole[8192:])
    import os

    real = os.pread

    def worn(file: int, length: int, place: int) -> bytes:
        if place == 4096:
            raise OSError(5, "Input/output error")
        return real(file, length, place)

    monkeypatch.setattr("companion.journal.salvage.os.pread", worn)
    with Journal(path) as journal:
        assert "set aside" in str(journal.salvage)
        journal.create(header("new"))


def test_a_damaged_journal_is_not_moved_from_below_who_has_it_open(tmp_path: Path) -> None:
    """Anything still written to the old file would be lost."""
    path = tmp_path / "journal.db"
    with filled(path, 6) as open_one:
        open_one._db.execute("pragma wal_checkpoint(truncate)")
        with closing(sqlite3.connect(path)) as db, db:
            db.execute("update events set src = 'rot' where seq = 3")
        before = sorted(p.name for p in tmp_path.iterdir())
        with pytest.MonkeyPatch.context() as hurry:
            hurry.setattr("companion.journal.store.PATIENCE_S", 0.0)
            with pytest.raises(JournalError, match="another program has it open"):
                Journal(path)
        assert sorted(p.name for p in tmp_path.iterdir()) == before
        # Another connection of the same program finds everything where it was.
        with Journal(path, beside=True) as beside:
            assert kept(beside) == 6
    with Journal(path) as alone:
        assert kept(alone) == 2


def test_two_that_open_a_damaged_journal_at_once_save_it_once(tmp_path: Path) -> None:
    import subprocess
    import sys

    path = tmp_path / "journal.db"
    filled(path, 6).close()
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("update events set src = 'rot' where seq = 5")
    command = "import sys; from pathlib import Path; " \
              "from companion.journal.store import Journal; " \
              "Journal(Path(sys.argv[1])).close()"  # fmt: skip
    programs = [subprocess.Popen([sys.executable, "-c", command, path]) for _ in range(3)]
    assert [program.wait(240) for program in programs] == [0, 0, 0]
    assert len(list(tmp_path.glob("journal-damaged-*.db"))) == 1
    with Journal(path) as journal:
        assert (journal.salvage, kept(journal)) == (None, 4)


def test_what_takes_the_journals_place_does_so_at_the_next_start(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    filled(path, 6).close()
    with filled(tmp_path / "other.db", 3):
        pass
    (tmp_path / "other.db").rename(next_journal(path, RESTORED))
    path.with_suffix(".mark").unlink()
    with Journal(path) as journal:
        assert (journal.salvage, kept(journal)) == (None, 3)
    (aside,) = tmp_path.glob("journal-before-restore-*.db")
    with Journal(aside) as old:
        assert kept(old) == 6


def test_two_tables_cannot_mix_their_moves_in_one_match(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with filled(path, 2) as first, Journal(path) as second:
        assert first.events("m1") == second.events("m1")
        second.append("m1", TakenBack(1), src=Source.TOUCH)
        with pytest.raises(JournalError, match="played on by another Heelstone"):
            first.append("m1", played("p1 done"), src=Source.TOUCH)
        assert [to_row(e.what)[0] for e in first.events("m1")] == ["move", "move", "takeback"]
        first.append("m1", TakenBack(1), src=Source.TOUCH)


def test_a_second_heelstone_does_not_start_at_the_same_table(tmp_path: Path) -> None:
    house = Application(Settings(), tmp_path, "de")
    try:
        with pytest.raises(JournalError, match="another Heelstone is using"):
            Application(Settings(), tmp_path, "de")
    finally:
        house.close()
    TableLock(tmp_path).close()


def test_a_journal_that_cannot_be_opened_is_said_and_does_not_keep_the_screen_dark(
    tmp_path: Path,
) -> None:
    (tmp_path / "journal.db").mkdir()
    house = Application(Settings(), tmp_path, "de")
    try:
        assert any("Partien werden nicht aufgehoben" in told.told("de") for told in house.notices())
        assert house.unfinished() == []
        assert house.library.matches() == []
    finally:
        house.close()


def test_who_has_the_journal_alone_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    filled(path, 1).close()
    alone = JournalLock(path)
    assert alone.alone()
    with pytest.MonkeyPatch.context() as hurry:
        hurry.setattr("companion.journal.lock.PATIENCE_S", 0.1)
        with pytest.raises(JournalError, match="being put in order"):
            Journal(path)
    alone.close()
    Journal(path).close()


def test_of_a_full_disk_the_reason_is_told_and_nothing_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with filled(path, 4) as journal:
        (pages,) = journal._db.execute("pragma page_count").fetchone()
        journal._db.execute(f"pragma max_page_count = {pages}")
        with pytest.raises(JournalError, match="no space is left on the disk"):
            journal.append("m1", Other("note", {"text": "x" * 200_000}), src=Source.TOUCH)
        journal._db.execute(f"pragma max_page_count = {pages + 200}")
        assert journal.append("m1", Other("note", {"text": "x"}), src=Source.TOUCH) == 5


def test_another_program_that_holds_the_journal_is_named_and_not_the_disk(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with filled(path, 4) as journal, closing(sqlite3.connect(path, isolation_level=None)) as other:
        journal._db.execute("pragma busy_timeout = 1")
        other.execute("begin immediate")
        with pytest.raises(JournalError, match="another program holds it"):
            journal.append("m1", Other("note", {}), src=Source.TOUCH)
        other.execute("rollback")
        journal.append("m1", Other("note", {}), src=Source.TOUCH)


def test_the_disk_is_asked_to_keep_every_entry(tmp_path: Path) -> None:
    with filled(tmp_path / "journal.db", 1) as journal:
        assert journal._db.execute("pragma journal_mode").fetchone() == ("wal",)
        assert journal._db.execute("pragma synchronous").fetchone() == (3,)


def test_programs_that_begin_a_journal_at_once_all_start(tmp_path: Path) -> None:
    import subprocess
    import sys

    path = tmp_path / "journal.db"
    command = "import sys; from pathlib import Path; " \
              "from companion.journal.store import Journal; " \
              "Journal(Path(sys.argv[1])).close()"  # fmt: skip
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        # All have looked before any of them may write.
        db.execute("begin exclusive")
        programs = [subprocess.Popen([sys.executable, "-c", command, path]) for _ in range(3)]
        db.execute("rollback")
    assert [program.wait(240) for program in programs] == [0, 0, 0]
    with Journal(path) as journal:
        assert (journal.salvage, journal.matches()) == (None, [])
