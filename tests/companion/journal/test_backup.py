"""Copies of the journal are whole, and a bad one never takes the place of a good one."""

from __future__ import annotations

import shutil
import sqlite3
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from companion.journal.backup import back_up, restore
from companion.journal.entries import JournalError
from companion.journal.store import Journal
from tests.support.command import Heelstone
from tests.support.table_setup import header

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "journal.db"
    with Journal(path) as opened:
        begin(opened, "m1")
    return path


def begin(journal: Journal, match_id: str) -> None:
    journal.create(header(match_id))


def test_a_copy_holds_every_match_even_while_the_journal_is_open(journal: Path) -> None:
    with Journal(journal) as opened:
        begin(opened, "m2")
        copy = back_up(journal, journal.parent / "backups", keep=3)
        with Journal(copy) as copied:
            assert {m.header.id for m in copied.matches()} == {"m1", "m2"}


def test_only_the_newest_copies_stay(journal: Path) -> None:
    folder = journal.parent / "backups"
    for day in range(5):
        back_up(journal, folder, keep=2, now=NOON + timedelta(days=day))
    assert [p.name for p in sorted(folder.iterdir())] == [
        "journal-20261123-120000.db",
        "journal-20261124-120000.db",
    ]


def test_a_clock_that_stands_still_loses_no_copy_and_never_drops_the_newest(journal: Path) -> None:
    folder = journal.parent / "backups"
    first = back_up(journal, folder, keep=3, now=NOON)
    second = back_up(journal, folder, keep=3, now=NOON)
    assert first != second and first.exists() and second.exists()
    newest = back_up(journal, folder, keep=1, now=NOON - timedelta(days=9000))
    assert newest.exists()


def test_a_damaged_journal_is_not_taken_for_a_copy(journal: Path) -> None:
    folder = journal.parent / "backups"
    good = back_up(journal, folder, keep=1, now=NOON)
    journal.write_bytes(b"rubbish " * 4000)
    with pytest.raises(JournalError, match="could not be copied"):
        back_up(journal, folder, keep=1)
    assert [p.name for p in folder.iterdir()] == [good.name]


def test_restoring_sets_the_present_journal_aside(journal: Path, tmp_path: Path) -> None:
    copy = back_up(journal, tmp_path / "backups", keep=1)
    with Journal(journal) as opened:
        begin(opened, "m2")
    aside = restore(copy, journal)
    with Journal(journal) as opened:
        assert [m.header.id for m in opened.matches()] == ["m1"]
    assert aside is not None
    with Journal(aside) as old:
        assert len(old.matches()) == 2


@pytest.mark.parametrize("rubbish", [b"", b"no database at all " * 100])
def test_a_bad_copy_changes_nothing(journal: Path, tmp_path: Path, rubbish: bytes) -> None:
    bad = tmp_path / "bad.db"
    bad.write_bytes(rubbish)
    with pytest.raises(JournalError, match="is not a whole journal"):
        restore(bad, journal)
    with Journal(journal) as opened:
        assert len(opened.matches()) == 1
    assert not journal.with_suffix(".part").exists()


def test_nothing_is_left_beside_a_copy_that_is_restored(journal: Path, tmp_path: Path) -> None:
    """A file that somebody just copied is in the mode in which SQLite begins a log."""
    for open_ in (False, True):
        stick = tmp_path / f"stick-{open_}"
        stick.mkdir()
        with Journal(journal) as opened:
            begin(opened, f"beside {open_}")
            names = ["journal.db", *(["journal.db-wal"] if open_ else [])]
            if not open_:
                opened._db.execute("pragma wal_checkpoint(truncate)")
            for name in names:
                shutil.copyfile(journal.with_name(name), stick / name)
        target = tmp_path / f"table-{open_}" / "journal.db"
        restore(stick / "journal.db", target)
        assert sorted(path.name for path in stick.iterdir()) == names
        with Journal(target) as opened:
            assert opened.header(f"beside {open_}")


@pytest.mark.thorough
def test_restoring_four_times_as_much_takes_about_four_times_as_long(tmp_path: Path) -> None:
    took = []
    for matches in (40, 160):
        path = tmp_path / str(matches) / "journal.db"
        path.parent.mkdir()
        with Journal(path) as opened:
            opened._db.execute("pragma synchronous = off")
            for number in range(matches):
                begin(opened, f"m{number}")
        copy = back_up(path, path.parent / "copies", keep=1)
        started = time.process_time()
        restore(copy, path.parent / "again.db")
        took.append(time.process_time() - started)
    assert took[1] < 9 * took[0], "the square would be sixteen times"


def test_a_copy_takes_the_place_of_a_damaged_journal_too(journal: Path, tmp_path: Path) -> None:
    """It is what copies are for."""
    copy = back_up(journal, tmp_path / "backups", keep=1)
    journal.write_bytes(b"rubbish " * 4000)
    aside = restore(copy, journal)
    assert aside is not None and aside.read_bytes().startswith(b"rubbish")
    with Journal(journal) as opened:
        assert (opened.salvage, len(opened.matches())) == (None, 1)


def test_nothing_is_restored_below_a_program_that_has_the_journal_open(
    journal: Path, tmp_path: Path
) -> None:
    copy = back_up(journal, tmp_path / "backups", keep=1)
    with Journal(journal) as opened:
        with pytest.raises(JournalError, match="is in use"):
            restore(copy, journal)
        begin(opened, "m2")
    with Journal(journal) as again:
        assert len(again.matches()) == 2


def test_a_torn_copy_does_not_stay_for_ever(journal: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    (folder / "journal-20260101-000000.part").write_text("torn")
    back_up(journal, folder, keep=1)
    assert list(folder.glob("*.part")) == []


def test_the_commands_copy_and_restore(journal: Path, heelstone: Heelstone) -> None:
    data = journal.parent
    (told,) = heelstone("backup", "--data", data, "--json").records
    with Journal(journal) as opened:
        begin(opened, "m2")
    (back,) = heelstone("restore", told["copy"], "--data", data, "--json").records
    assert back["matches"] == 1
    assert "must be at least 1" in heelstone("backup", "--keep", 0, "--data", data).complaint()
    assert "no copy" in heelstone("restore", data / "nothing.db", "--data", data).complaint()


def test_a_copy_is_a_plain_database_that_other_programs_read(journal: Path) -> None:
    copy = back_up(journal, journal.parent / "backups", keep=1)
    with sqlite3.connect(copy) as db:
        assert db.execute("pragma integrity_check").fetchone() == ("ok",)


def test_only_our_own_copies_make_room_for_new_ones(journal: Path) -> None:
    """Copies may go to the folder of the journal itself."""
    others = [
        "journal-damaged-20260101-000000-ab12.db",
        "journal-before-restore-20260101-000000-ab12.db",
        "journal-20260101-000000-old.db",
        "journal-holidays.db",
        "journal-rescued-20260101-000000.part",
    ]
    for name in others:
        (journal.parent / name).write_text("an original")
    for day in range(3):
        back_up(journal, journal.parent, keep=1, now=NOON + timedelta(days=day))
    left = {path.name for path in journal.parent.iterdir()}
    assert {*others, "journal.db", "journal-20261122-120000.db"} <= left
    assert len([name for name in left if name.startswith("journal-2026112")]) == 1


def test_two_programs_that_copy_at_once_leave_two_whole_copies(journal: Path) -> None:
    import subprocess
    import sys

    folder = journal.parent / "backups"
    command = (
        "import sys; from pathlib import Path; from companion.journal.backup import back_up; "
        "[back_up(Path(sys.argv[1]), Path(sys.argv[2]), 14) for _ in range(3)]"
    )
    programs = [subprocess.Popen([sys.executable, "-c", command, journal, folder]) for _ in "ab"]
    assert [program.wait(240) for program in programs] == [0, 0]
    copies = sorted(folder.iterdir())
    assert len(copies) == 6
    for copy in copies:
        with Journal(copy) as opened:
            assert (opened.salvage, len(opened.matches())) == (None, 1)


def test_with_a_clock_that_says_1970_the_newest_copies_stay(journal: Path) -> None:
    folder = journal.parent / "backups"
    for day in range(3):
        back_up(journal, folder, keep=3, now=NOON + timedelta(days=day))
    newest = []
    for minute in range(12):
        with Journal(journal) as opened:
            begin(opened, f"late-{minute}")
        newest.append(back_up(journal, folder, keep=3, now=LONG_AGO + timedelta(minutes=minute)))
    assert sorted(folder.iterdir()) == sorted(newest[-3:])
    with Journal(newest[-1]) as opened:
        assert len(opened.matches()) == 13
