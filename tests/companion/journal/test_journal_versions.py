"""A journal of the version before is brought up to date, any other is left alone, and a changed
letter is noticed."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion.journal import schema
from companion.journal.backup import back_up, restore
from companion.journal.entries import JournalError
from companion.journal.events import Source, TakenBack
from companion.journal.store import Journal
from tests.support.journals import filled, made_older
from tests.support.table_setup import header, played

MOVES = ("p0 place 2 C", "p0 done", "p1 place 5 A", "p1 done")


def write(path: Path) -> None:
    """A journal as it is written today."""
    with Journal(path) as journal:
        journal.create(header())
        for move in MOVES:
            journal.append("m1", played(move), src=Source.TOUCH)


def of_version(path: Path, version: int) -> None:
    """Let a whole journal say that another Heelstone wrote it."""
    change(path, f"pragma user_version = {version}")
    change(path, f"pragma application_id = {schema.seal_of(version)}")


def change(path: Path, statement: str) -> None:
    """Alter the file behind Heelstone's back, in a way SQLite itself finds nothing wrong with."""
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(statement)


def told(journal: Journal) -> list[str]:
    return [entry.move.text for entry in journal.load("m1").log]


@pytest.mark.parametrize(("version", "said"), [(1, "older Heelstone"), (4, "newer Heelstone")])
@pytest.mark.parametrize("damaged", [False, True])
def test_a_journal_of_another_version_is_refused_and_stays_as_it_is(
    tmp_path: Path, version: int, said: str, damaged: bool
) -> None:
    path = tmp_path / "journal.db"
    write(path)
    of_version(path, version)
    if damaged:
        with path.open("r+b") as file:
            file.seek(path.stat().st_size - 4096)
            file.write(b"rubbish " * 20)
    before = path.read_bytes()
    with pytest.raises(JournalError, match=said):
        Journal(path)
    assert path.read_bytes() == before
    with pytest.raises(JournalError, match="not a whole journal" if damaged else said):
        restore(path, tmp_path / "other" / "journal.db")
    assert list((tmp_path / "other").glob("*.db")) == []


def test_a_journal_from_before_there_were_seals_is_refused_and_stays_as_it_is(
    tmp_path: Path,
) -> None:
    path = tmp_path / "journal.db"
    change(path, "create table matches (id text primary key, header text, status text) strict")
    change(path, "pragma user_version = 1")
    before = path.read_bytes()
    with pytest.raises(JournalError, match="older Heelstone"):
        Journal(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("statement", "kept"),
    [
        ("update events set body = replace(body, '5 A', '5 B') where seq = 3", 2),
        ("update events set src = 'camera' where seq = 4", 3),
        ("update events set type = 'takeback' where seq = 1", 0),
    ],
)
def test_a_changed_letter_is_noticed_and_what_came_before_it_is_saved(
    tmp_path: Path, statement: str, kept: int
) -> None:
    path = tmp_path / "journal.db"
    write(path)
    change(path, statement)
    with Journal(path) as journal:
        assert "set aside" in str(journal.salvage)
        assert told(journal) == list(MOVES[:kept])
    with Journal(path) as again:
        assert again.salvage is None


def test_a_changed_header_is_not_believed(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    write(path)
    change(path, "update matches set header = replace(header, 'enforce', 'off')")
    with Journal(path) as journal:
        assert "set aside" in str(journal.salvage)
        assert journal.matches() == []


def test_a_journal_of_the_version_before_is_brought_up_to_date_and_the_old_file_stays(
    tmp_path: Path,
) -> None:
    path = tmp_path / "journal.db"
    with filled(path, 12) as journal:
        journal.create(header("m2"))
        before = list(journal.export("m1"))
    made_older(path)
    with Journal(path) as journal:
        assert "brought up to date, with all its 12 events" in str(journal.salvage)
        assert list(journal.export("m1")) == before
        assert [m.header.id for m in journal.matches()] == ["m2", "m1"]
        journal.append("m1", TakenBack(1), src=Source.TOUCH)
    (aside,) = tmp_path.glob("journal-before-upgrade-*.db")
    with closing(sqlite3.connect(aside)) as db:
        assert db.execute("select count(*) from events").fetchone() == (12,)
    with Journal(path) as again:
        assert (again.salvage, len(again.events("m1"))) == (None, 13)


def test_a_copy_of_the_version_before_is_restored(tmp_path: Path) -> None:
    path, copy = tmp_path / "journal.db", tmp_path / "copy.db"
    filled(copy, 12).close()
    made_older(copy)
    restore(copy, path)
    with Journal(path) as journal:
        assert (journal.salvage, len(journal.events("m1"))) == (None, 12)
    made_older(path)
    kept = back_up(path, tmp_path / "backups", keep=1)
    with Journal(kept) as journal:
        assert len(journal.events("m1")) == 12


def test_of_a_damaged_journal_of_the_version_before_what_can_be_read_is_saved(
    tmp_path: Path,
) -> None:
    path = tmp_path / "journal.db"
    filled(path, 12).close()
    made_older(path)
    change(path, "update events set src = 'rot' where seq = 9")
    with Journal(path) as journal:
        assert "set aside" in str(journal.salvage)
        assert len(journal.events("m1")) == 8
