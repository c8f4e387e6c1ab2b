"""An older journal is brought up to date, and a changed letter is noticed."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion.journal.entries import JournalError
from companion.journal.store import Journal
from tests.support.old_journals import MOVES, write_version_1
from tests.support.table_setup import header


def write(path: Path) -> None:
    """A journal as it is written today."""
    with Journal(path) as journal:
        journal.create(header())
        for move in MOVES:
            journal.append("m1", "move", {"move": move}, "touch")


def change(path: Path, statement: str) -> None:
    """Alter the file behind Heelstone's back, in a way SQLite itself finds nothing wrong with."""
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(statement)


def told(journal: Journal) -> list[str]:
    return [entry.move.text for entry in journal.load("m1").log]


def test_a_journal_of_the_first_version_is_played_on(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    write_version_1(path)
    with Journal(path) as journal:
        assert journal.salvage == ""
        assert told(journal) == list(MOVES)
        journal.append("m1", "move", {"move": "p0 place 4 E"}, "touch")
    with Journal(path) as again:
        assert told(again) == [*MOVES, "p0 place 4 E"]


def test_a_migration_that_fails_leaves_the_old_journal_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "journal.db"
    write_version_1(path)
    broken = {1: ("alter table events add column sum integer", "no such statement")}
    monkeypatch.setattr("companion.journal.schema._MIGRATIONS", broken)
    with pytest.raises(JournalError):
        Journal(path)
    monkeypatch.undo()
    with Journal(path) as journal:
        assert told(journal) == list(MOVES)


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
        assert "set aside" in journal.salvage
        assert told(journal) == list(MOVES[:kept])
    with Journal(path) as again:
        assert again.salvage == ""


def test_a_changed_header_is_not_believed(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    write(path)
    change(path, "update matches set header = replace(header, 'enforce', 'off')")
    with Journal(path) as journal:
        assert "set aside" in journal.salvage
        assert journal.matches() == []


def test_a_damaged_journal_of_the_first_version_is_salvaged_too(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    write_version_1(path)
    with path.open("r+b") as file:
        file.seek(path.stat().st_size - 4096)
        file.write(b"rubbish " * 20)
    with Journal(path) as journal:
        assert "set aside" in journal.salvage
