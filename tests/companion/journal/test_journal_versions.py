"""A journal of another version is left alone, and a changed letter is noticed."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion.journal.backup import restore
from companion.journal.entries import JournalError
from companion.journal.events import Source
from companion.journal.store import Journal
from tests.support.table_setup import header, played

MOVES = ("p0 place 2 C", "p0 done", "p1 place 5 A", "p1 done")


def write(path: Path) -> None:
    """A journal as it is written today."""
    with Journal(path) as journal:
        journal.create(header())
        for move in MOVES:
            journal.append("m1", played(move), src=Source.TOUCH)


def change(path: Path, statement: str) -> None:
    """Alter the file behind Heelstone's back, in a way SQLite itself finds nothing wrong with."""
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(statement)


def told(journal: Journal) -> list[str]:
    return [entry.move.text for entry in journal.load("m1").log]


@pytest.mark.parametrize(("version", "said"), [(1, "older Heelstone"), (3, "newer Heelstone")])
@pytest.mark.parametrize("damaged", [False, True])
def test_a_journal_of_another_version_is_refused_and_stays_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: int, said: str, damaged: bool
) -> None:
    path = tmp_path / "journal.db"
    with monkeypatch.context() as other:
        other.setattr("companion.journal.schema.SCHEMA", version)
        write(path)
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
