"""The journal: nothing agreed is lost, and damage is set aside with what could be saved."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.journal.entries import JournalError
from companion.journal.events import Other, Source, to_row
from companion.journal.exports import read_export
from companion.journal.mark import JournalMark
from companion.journal.store import Journal
from tests.support.journals import filled
from tests.support.table_setup import header, played


def test_a_match_comes_back_from_the_disk(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with filled(path) as journal:
        before = journal.load("m1").state.to_json()
    with Journal(path) as again:
        assert again.load("m1").state.to_json() == before
        assert [s.header.id for s in again.unfinished()] == ["m1"]
        assert again.salvage is None


def test_of_several_open_matches_the_one_taken_up_last_comes_first(tmp_path: Path) -> None:
    with filled(tmp_path / "journal.db") as journal:
        journal.create(header("m2"))
        journal.create(header("m3"))
        assert [s.header.id for s in journal.unfinished()] == ["m3", "m2", "m1"], "as begun"
        for taken_up in ("m2", "m1", "m2"):
            journal.note_opened(taken_up)
        assert [s.header.id for s in journal.unfinished()] == ["m2", "m1", "m3"]
        assert [s.played for s in journal.unfinished()] == [False, True, False]
        journal.append("m3", Other("opened", {"number": "x"}), src=Source.TOUCH)
        assert [s.header.id for s in journal.unfinished()] == ["m2", "m1", "m3"], "rubbish"
        text = "\n".join(journal.export("m2"))
    with Journal(tmp_path / "b.db") as other:
        assert other.import_match(text, "file").header.id == "m2"
        other.create(header("m4"))
        other.note_opened("m4")
        assert other.unfinished()[0].header.id == "m4", "later than all that were imported"


def test_of_matches_that_were_played_the_options_come_newest_first(tmp_path: Path) -> None:
    with filled(tmp_path / "journal.db") as journal:
        options = dict(journal.header("m1").options)
        changed = {**options, "hints": "on"}
        for number in ("m2", "m3"):
            journal.create(replace(header(number), options=changed))
        journal.append("m2", played("p0 place 2 C"), src=Source.TOUCH)
        game = header("m1").game
        assert journal.options_played(game) == [changed, options], "nothing was played in m3"
        assert journal.options_played("another_game") == []


def test_the_beginning_of_an_id_is_enough_if_it_is_the_only_one(tmp_path: Path) -> None:
    with filled(tmp_path / "journal.db") as journal:
        assert journal.named("m").id == "m1"
        for wrong in ("x", "", "%"):
            with pytest.raises(JournalError, match="heelstone matches"):
                journal.named(wrong)


def test_a_match_is_found_by_its_whole_id_whatever_others_begin_with(tmp_path: Path) -> None:
    with filled(tmp_path / "journal.db") as journal:
        journal.create(header("m1-b"))
        assert journal.header("m1").id == journal.named("m1").id == "m1"
        assert len(journal.load("m1").log) > 0
        with pytest.raises(JournalError, match="no match"):
            journal.header("m1-")
        with pytest.raises(JournalError, match="2 matches"):
            journal.named("m")


def test_an_export_imports_into_another_journal(tmp_path: Path) -> None:
    with filled(tmp_path / "a.db") as journal:
        text = "\n".join(journal.export("m1"))
        before = journal.load("m1").state.to_json()
    with Journal(tmp_path / "b.db") as other:
        assert other.import_match(text, "file").header.id == "m1"
        assert other.load("m1").state.to_json() == before
        with pytest.raises(JournalError, match="already in the journal"):
            other.import_match(text, "file")


def event(type: object, **body: object) -> str:
    """One more line of an export of 30 events."""
    return json.dumps({"seq": 31, "type": type, "src": "touch", "body": body})


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda t: "", "is empty"),
        (lambda t: "{", "line 1 is not JSON"),
        (lambda t: t.replace('"heelstone": 1', '"heelstone": 99'), "not a match exported"),
        (lambda t: t.replace("p0 place", "p0 shove", 1), "event 1 does not fit"),
        (lambda t: t.replace("knizia_stonehenge", "../../etc/passwd"), "there is no game"),
        (lambda t: t.replace('"seq": 2', '"seq": 7'), "line 3"),
        (lambda t: "[1]\n" + t, "expected a JSON object"),
        (lambda t: t + "\n" + "x" * (17 << 20), "larger than"),
        (lambda t: t + "\n{}" * 400_000, "more than 50000 lines"),
        (lambda t: t.replace('"id": "m1"', '"id": "../../x"'), "the id of a match"),
        (lambda t: t.replace('"id": "m1"', '"id": "a\\u0000"'), "the id of a match"),
        (lambda t: t.replace('"names": ["", ""]', '"names": ["\\u001b[2J", ""]'), "a name has"),
        (lambda t: t.replace('"names": ["", ""]', f'"names": ["{"x" * 99}"]'), "a name has"),
        (lambda t: t.replace('"names": ["", ""]', '"names": ["", "", ""]'), "3 names for 2"),
        (lambda t: t.replace('"names": ["", ""]', '"names": ["\\ud800"]'), "not JSON"),
        (lambda t: t.replace('"enforce"', '"sometimes"'), "one of its values is not possible"),
        (lambda t: t.replace('"status": "open"', '"status": "oqen"'), "the status cannot be"),
        (lambda t: f"{t}\n{event('takeback', count=-1)}", "how many moves are taken back"),
        (lambda t: f"{t}\n{event('takeback', count=True)}", "how many moves are taken back"),
        (lambda t: f"{t}\n{event('takeback', count=10**400)}", "no move to take back"),
        (lambda t: f"{t}\n{event(7)}", "type and src as texts"),
        (lambda t: f"{t}\n" + "[" * 100_000, "line 32 is not JSON"),
        (lambda t: t.replace('"seq": 1,', f'"seq": {"1" * 5000},', 1), "line 2 is not JSON"),
    ],
)
def test_a_damaged_export_is_refused_and_changes_nothing(change: object, complaint: str) -> None:
    with filled(":memory:") as journal:
        text = "\n".join(journal.export("m1"))
    assert callable(change)
    with Journal(":memory:") as other:
        with pytest.raises(JournalError, match=complaint):
            other.import_match(change(text), "file")
        assert other.matches() == []


def test_what_no_clock_shows_is_taken_for_unknown(tmp_path: Path) -> None:
    """A moment behind the end of all calendars would bring down every list it stands in."""
    with filled(":memory:", 2) as journal:
        text = "\n".join(journal.export("m1"))
    for number in ("1e300", "NaN", "-5", "Infinity"):
        spoilt = text.replace("1700000000.0", number)
        spoilt = re.sub(r'"t": [0-9.e+]+', f'"t": {number}', spoilt)
        with Journal(":memory:") as other:
            other.import_match(spoilt, "file")
            assert other.header("m1").created_s == 0.0
            assert {e.t_utc for e in other.events("m1")} == {0.0}


@given(st.text(max_size=300))
def test_any_text_is_imported_or_refused_in_words(text: str) -> None:
    with pytest.raises(JournalError):
        read_export(text, "file")


@pytest.mark.parametrize("seed", range(40))
def test_a_torn_file_is_set_aside_and_never_keeps_a_match_from_starting(
    tmp_path: Path, seed: int
) -> None:
    path = tmp_path / "journal.db"
    with filled(path, 40) as journal:
        moves = [e.what for e in journal.events("m1")]
    data = bytearray(path.read_bytes())
    random = Random(seed)
    if seed % 2:
        data = data[: random.randrange(1, len(data))]
    else:
        start = random.randrange(len(data))
        data[start : start + 900] = os.urandom(len(data[start : start + 900]))
    path.write_bytes(bytes(data))
    with Journal(path) as again:
        if again.salvage:
            assert "set aside" in str(again.salvage)
            assert list(tmp_path.glob("journal-damaged-*"))
        for summary in again.matches():
            saved = [e.what for e in again.events(summary.header.id)]
            assert saved == moves[: len(saved)]
        again.create(header("new"))
        again.append("new", played("p0 place 1 A"), src=Source.TOUCH)


def test_a_text_file_in_its_place_is_set_aside(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    path.write_text("this is no database, whatever its name says" * 50)
    with Journal(path) as journal:
        assert "was damaged" in str(journal.salvage)
        assert journal.matches() == []
    assert len(list(tmp_path.glob("journal-damaged-*"))) == 1


def test_a_folder_that_cannot_be_made_is_explained(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalError, match="--data"):
        Journal(tmp_path / "file" / "journal.db")


WRITER = """
import sys
from pathlib import Path
from companion.journal.events import Other, Source
from companion.journal.store import Journal
from tests.support.table_setup import header
journal = Journal(Path(sys.argv[1]))
journal.create(header())
number = 0
while True:
    number += 1
    journal.append("m1", Other("note", {"number": number}), src=Source.TOUCH)
    print(number, flush=True)
"""


@pytest.mark.parametrize("seed", range(6))
def test_a_kill_at_any_moment_loses_nothing_that_was_told(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "journal.db"
    root = Path(__file__).parents[3]
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, cwd=root
    )
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(Random(seed).random() * 0.15)
    process.send_signal(signal.SIGKILL)
    told = [int(line) for line in process.stdout.read().split(b"\n")[:-1] if line]
    process.wait()
    with Journal(path) as journal:
        assert journal.salvage is None
        numbers = [to_row(e.what)[1]["number"] for e in journal.events("m1")]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) >= (told[-1] if told else 1)


def test_the_session_writes_while_a_screen_reads_and_begins_matches(tmp_path: Path) -> None:
    journal = filled(tmp_path / "journal.db", moves=0)
    wrong: list[BaseException] = []

    def play() -> None:
        try:
            for _ in range(120):
                journal.append("m1", Other("note", {}), src=Source.TOUCH)
        except JournalError as error:
            wrong.append(error)

    session = threading.Thread(target=play)
    session.start()
    begun = 0
    while session.is_alive():
        journal.create(replace(header(), id=f"other{begun}"))
        journal.unfinished()
        begun += 1
    session.join()
    assert wrong == []
    assert len(journal.events("m1")) == 120
    assert len(journal.matches()) == begun + 1
    journal.close()


def test_a_journal_closed_below_somebody_who_writes_refuses_with_a_sentence(tmp_path: Path) -> None:
    program = """
import sys, threading
from pathlib import Path
from companion.journal.events import Other, Source
from companion.journal.store import Journal
from companion.journal.entries import JournalError
from tests.support.table_setup import header

journal, told = Journal(Path(sys.argv[1])), []
journal.create(header())
begun = threading.Event()

def play():
    try:
        while True:
            journal.append("m1", Other("note", {}), src=Source.TOUCH)
            begun.set()
    except JournalError as error:
        told.append(str(error))

session = threading.Thread(target=play)
session.start()
begun.wait()
journal.close()
session.join()
print(told[0])
"""
    for number in range(4):
        path = tmp_path / str(number) / "journal.db"
        done = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True)
        assert done.returncode == 0, done.stderr.decode()
        assert b"cannot be written" in done.stdout


def test_exports_are_json_lines_with_the_moves_in_order() -> None:
    with filled(":memory:", 5) as journal:
        lines = [json.loads(line) for line in journal.export("m1")]
    assert lines[0]["match"]["game"] == "knizia_stonehenge"
    assert [line["seq"] for line in lines[1:]] == [1, 2, 3, 4, 5]


def test_a_torn_end_of_the_log_is_told_of(tmp_path: Path) -> None:
    """SQLite itself ends at the last whole entry and says nothing."""
    path = tmp_path / "journal.db"
    journal = filled(path, 6)
    shutil.copytree(tmp_path, tmp_path / "cut")
    log = tmp_path / "cut" / "journal.db-wal"
    log.write_bytes(log.read_bytes()[: -2 * 4096])
    journal.close()
    with Journal(tmp_path / "cut" / "journal.db") as cut:
        (match,) = cut.matches()
        assert match.events < 6
        assert f"{6 - match.events} entries of the match {match.header.id}" in str(cut.salvage)
    with Journal(tmp_path / "cut" / "journal.db") as again:
        assert again.salvage is None, "it is said once"


def test_a_journal_that_has_come_further_than_its_mark_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    filled(path, 6).close()
    mark = JournalMark(path)
    reached = mark.read()
    assert reached is not None and reached.seq == 6
    for text in (f"{reached.match} 3", "rubbish", "", "m 1 2"):
        mark.path.write_text(text)
        with Journal(path) as journal:
            assert journal.salvage is None


def test_a_journal_whose_mark_cannot_be_written_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    path.with_suffix(".mark").mkdir()
    with filled(path, 3) as journal:
        assert journal.matches()[0].events == 3
