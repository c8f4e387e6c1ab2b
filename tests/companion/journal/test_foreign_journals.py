"""A file with tables of somebody else's: nothing in it is executed, and nothing waits for it."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from companion.journal.backup import back_up, restore
from companion.journal.entries import JournalError
from companion.journal.events import Source
from companion.journal.store import Journal
from tests.support.journals import filled
from tests.support.table_setup import played

TRIGGER = "create trigger gone after insert on events begin delete from events; end"
ENDLESS = "with recursive n(x) as (select 1 union all select x + 1 from n) select x from n"
FOREIGN = {
    "a trigger that deletes": [TRIGGER],
    "a view that never ends": [
        "drop table matches",
        f"create view matches as select x as id, x as header, x as status, x as sum, x as number, "
        f"x as events, x as head, x as seal from ({ENDLESS})",
    ],
    "a check that never ends": [
        "alter table events add column more integer check ((select 1) or more is null) default 0",
    ],
    "an index": ["create index more on events (body)"],
    "a table": ["create table more (x)"],
}


def spoil(path: Path, statements: list[str]) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for statement in statements:
            try:
                db.execute(statement)
            except sqlite3.OperationalError:
                # What SQLite refuses to declare can be written past it.
                db.execute("pragma writable_schema = on")
                db.execute(
                    "update sqlite_master set sql = replace(sql, 'body text not null', "
                    f"'body text not null check (exists ({ENDLESS}))') where name = 'events'"
                )


@pytest.mark.parametrize("what", FOREIGN)
def test_a_copy_with_anything_of_somebody_elses_is_refused_at_once(
    tmp_path: Path, what: str
) -> None:
    path, copy = tmp_path / "journal.db", tmp_path / "copy.db"
    filled(path, 6).close()
    back_up(path, tmp_path / "backups", keep=1).rename(copy)
    spoil(copy, FOREIGN[what])
    before, begun = path.read_bytes(), time.monotonic()
    with pytest.raises(JournalError, match="is not a whole journal"):
        restore(copy, path)
    assert time.monotonic() - begun < 20
    assert path.read_bytes() == before
    assert not list(tmp_path.glob("*.part*"))


@pytest.mark.parametrize("what", FOREIGN)
def test_a_journal_with_anything_of_somebody_elses_is_set_aside_and_its_events_are_saved(
    tmp_path: Path, what: str
) -> None:
    path = tmp_path / "journal.db"
    filled(path, 6).close()
    with closing(sqlite3.connect(path)) as db:
        db.execute("pragma journal_mode = delete")
    spoil(path, FOREIGN[what])
    with Journal(path) as journal:
        assert "set aside" in str(journal.salvage)
        if what != "a view that never ends":
            assert len(journal.events("m1")) == 6
            journal.append("m1", played("p0 done"), src=Source.TOUCH)
            assert len(journal.events("m1")) == 7
    with Journal(path) as again:
        assert again.salvage is None


def test_pages_that_lead_in_circles_are_read_for_a_while_only(tmp_path: Path) -> None:
    """Each interior cell of a crafted tree may lead to the same page again."""
    from companion.journal.schema import connect, within_reason

    path = tmp_path / "journal.db"
    filled(path, 6).close()
    with closing(connect(path)) as db:
        within_reason(db, path)
        with pytest.raises(sqlite3.OperationalError, match="interrupted"):
            db.execute(ENDLESS).fetchall()
