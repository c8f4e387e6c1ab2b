"""Commands about the journal: matches listed, exported, imported; a journal that is damaged."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.journal.events import Source
from companion.journal.fold import replay
from companion.journal.store import Journal
from tests.support.command import Heelstone
from tests.support.journals import filled
from tests.support.library import finished
from tests.support.table_setup import header, played

KNIZIA = "knizia_stonehenge"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A state folder with a journal of one match, ``m1``."""
    folder = tmp_path / "data"
    filled(folder / "journal.db", 12).close()
    return folder


def test_an_empty_journal_lists_nothing(heelstone: Heelstone, tmp_path: Path) -> None:
    result = heelstone("matches", "--data", tmp_path / "new", "--json")
    assert (result.code, result.out, result.err) == (0, "", "")


def test_matches_lists_what_the_journal_holds(heelstone: Heelstone, data: Path) -> None:
    (record,) = heelstone("matches", "--data", data, "--json").records
    assert (record["id"], record["game"], record["status"]) == ("m1", KNIZIA, "open")
    assert record["events"] == 12
    assert heelstone("--data", data, "matches").out.startswith("m1  knizia_stonehenge")


def test_an_exported_match_comes_back_in_another_journal(
    heelstone: Heelstone, data: Path, tmp_path: Path
) -> None:
    exported = heelstone("export", "m1", "--data", data)
    assert exported.code == 0
    assert exported.records[0]["match"]["id"] == "m1"
    assert [record["seq"] for record in exported.records[1:]] == list(range(1, 13))
    file = tmp_path / "match.jsonl"
    assert heelstone("export", "m", "--data", data, "--out", file).out == ""
    assert file.read_text(encoding="utf-8") == exported.out
    taken = heelstone("import", file, "--data", tmp_path / "other", "--json")
    assert taken.records == [{"id": "m1", "moves": 12, "over": False}]
    assert heelstone("export", "m1", "--data", tmp_path / "other").out == exported.out
    again = heelstone("import", file, "--data", tmp_path / "other")
    assert "already in the journal" in again.complaint()


def test_a_finished_match_is_looked_back_at_once(heelstone: Heelstone, tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.db") as journal:
        finished(journal)
    arguments = ("review", "m1", "--data", tmp_path)
    (told,) = heelstone(*arguments, "--seconds", 1, "--json").records
    assert told["id"] == "m1" and told["moments"][-1]["chances"] == [0, 1]
    again = heelstone(*arguments, "--lang", "de").out.splitlines()
    assert len(again) == max(len(told["turning_points"]), 1)
    points = zip(again, told["turning_points"], strict=False)
    assert all(line.startswith(f"Zug {point['ply']}: ") for line, point in points)
    assert heelstone(*arguments, "--json").records == [told], "it is known from then on"


def test_a_match_that_goes_on_is_not_looked_back_at(heelstone: Heelstone, data: Path) -> None:
    assert "once it is over" in heelstone("review", "m1", "--data", data).complaint()
    assert "at least 1" in heelstone("review", "m1", "--data", data, "--seconds", 0).complaint()


def test_a_beginning_that_fits_two_matches_is_refused(heelstone: Heelstone, data: Path) -> None:
    with Journal(data / "journal.db") as journal:
        journal.create(header("m2"))
    assert "2 matches with the id 'm'" in heelstone("export", "m", "--data", data).complaint()
    assert heelstone("export", "m2", "--data", data).code == 0


Spoil = Callable[[str], str]


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda t: "", "is empty"),
        (lambda t: t[: len(t) // 2], "is not JSON"),
        (lambda t: t.replace("p0 place", "p0 shove", 1), "event 1 does not fit"),
        (lambda t: t.replace('"seq": 3', '"seq": 4'), "line 4"),
        (lambda t: t.split("\n", 1)[1], "not a match exported by Heelstone"),
        (lambda t: t.replace(KNIZIA, "chess"), "there is no game 'chess'"),
        (lambda t: t.replace('"players": 2', '"players": 9'), "is for 2 players"),
        (lambda t: t.replace('"players": 2', '"players": "many"'), "not a header"),
        (lambda t: t.replace('"players": 2', '"players": 1e999'), "not a header"),
        (lambda t: t.replace('"src": "touch"', '"src": "\\ud800"', 1), "not JSON"),
    ],
    ids=[
        "empty",
        "torn",
        "no move",
        "gap",
        "headless",
        "game",
        "players",
        "type",
        "infinite",
        "half a letter",
    ],
)
def test_a_damaged_export_is_refused_and_nothing_is_taken_in(
    heelstone: Heelstone, data: Path, tmp_path: Path, spoil: Spoil, said: str
) -> None:
    file, other = tmp_path / "match.jsonl", tmp_path / "other"
    file.write_text(spoil(heelstone("export", "m1", "--data", data).out), encoding="utf-8")
    complaint = heelstone("import", file, "--data", other).complaint()
    assert said in complaint and str(file) in complaint
    assert heelstone("matches", "--data", other, "--json").out == ""


def test_a_file_that_is_no_text_is_not_imported(heelstone: Heelstone, tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    file.write_bytes(b"\xff\xfe\x00\x01")
    assert "not a text file in UTF-8" in heelstone("import", file).complaint()
    assert str(tmp_path) in heelstone("import", tmp_path).complaint()


def test_a_torn_journal_is_set_aside_what_is_readable_is_saved_and_the_program_goes_on(
    heelstone: Heelstone, tmp_path: Path
) -> None:
    folder = tmp_path / "data"
    with filled(folder / "journal.db", 40) as journal:
        for number in range(2, 60):
            journal.create(header(f"m{number}"))
            for move in ("p0 place 1 G", "p0 done"):
                journal.append(f"m{number}", played(move), src=Source.TOUCH)
        moves = [entry.move.text for entry in replay(header(), journal.events("m1")).match.log]
    file = folder / "journal.db"
    torn = file.read_bytes()[:-3000]
    file.write_bytes(torn)
    first = heelstone("matches", "--data", folder, "--json")
    assert first.code == 0
    assert first.err.count("\n") == 1
    assert "was damaged" in first.err and "set aside" in first.err
    (kept,) = folder.glob("journal-damaged-*.db")
    assert kept.read_bytes() == torn
    second = heelstone("matches", "--data", folder, "--json")
    assert (second.code, second.err, second.out) == (0, "", first.out)
    assert len(second.records) > 30
    for record in second.records:
        saved = heelstone("export", record["id"], "--data", folder).records[1:]
        told = [event["body"]["move"] for event in saved]
        wanted = moves if record["id"] == "m1" else ["p0 place 1 G", "p0 done"]
        assert told == wanted[: len(told)]


def test_a_journal_that_sqlite_cannot_read_is_one_line(
    heelstone: Heelstone, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(Journal, "matches", broken)
    assert "disk I/O error" in heelstone("matches").complaint()
