"""Journals and exports of earlier versions and of others."""

from __future__ import annotations

import json
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.journal import schema
from companion.journal.backup import back_up, restore
from companion.journal.entries import Header, JournalError
from companion.journal.events import Source, TakenBack
from companion.journal.exports import read_export
from companion.journal.fold import begin, replay
from companion.journal.store import Journal
from companion.match.record import MatchRecord
from rules.games import find_game, game_ids
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


FOLDER = Path(__file__).with_name("exports")
STATES: dict[str, Any] = json.loads((FOLDER / "states.json").read_text(encoding="utf-8"))


def test_there_is_one_of_every_game() -> None:
    assert set(STATES) == {*game_ids(), "own_board"}
    assert {path.stem for path in FOLDER.glob("*.jsonl")} == set(STATES)


@pytest.mark.parametrize("name", STATES)
def test_an_old_export_replays_to_the_state_it_had(name: str) -> None:
    path = FOLDER / f"{name}.jsonl"
    header, _, events = read_export(path.read_text(encoding="utf-8"), path.name)
    fold, wanted = replay(header, events), STATES[name]
    outcome, game = fold.match.outcome, fold.match.game
    if "options" in wanted["state"]:
        # An option that did not exist yet stands at what everybody played then.
        asked = game.as_played(header.options)
        wanted["state"]["options"] = game.complete_options(header.players, asked)
    assert json.loads(json.dumps(fold.match.state.to_json())) == wanted["state"]
    assert list(fold.match.scores) == wanted["scores"]
    assert (None if outcome is None else outcome.to_json()) == wanted["outcome"]
    assert (fold.taken_back, fold.amended) == (wanted["taken_back"], wanted["amended"])


@pytest.mark.parametrize("name", STATES)
def test_an_old_export_is_taken_in_and_given_out_again_byte_for_byte(name: str) -> None:
    text = (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8")
    with Journal(":memory:") as journal:
        match_id = journal.import_match(text, name).header.id
        assert "".join(f"{line}\n" for line in journal.export(match_id)) == text
        record = MatchRecord(journal, journal.header(match_id))
        assert sorted(record.stickered) == STATES[name]["stickered"]
        assert [move.text for move in record.public_log] == STATES[name]["public"]


def test_a_match_from_before_an_option_goes_on_as_it_was_played() -> None:
    """Opferroulette ended when everybody had passed; stolen projects stayed with the thief."""
    for game_id in game_ids():
        game = find_game(game_id)
        known = {name: values[0] for name, values in game.options.items()}
        before = {name: value for name, value in known.items() if name not in game.formerly}
        players = game.players[-1]
        header = Header("m", game_id, players, before, False, "1", ("",) * players, "off", 0.0)
        match = begin(header)
        assert {name: match.options[name] for name in game.formerly} == game.formerly
        assert game.from_json(match.state.to_json() | {"options": before}).to_json() == (
            match.state.to_json()
        )
    assert find_game("opferroulette").formerly and find_game("erbaut_stonehenge").formerly


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
