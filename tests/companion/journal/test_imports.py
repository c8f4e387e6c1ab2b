"""A match from elsewhere: what it claims of this table is not believed, no start waits for it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.app.application import Application
from companion.journal.entries import OPEN, JournalError
from companion.journal.exports import MAX_IMPORT_EVENTS
from companion.journal.store import Journal
from companion.settings.settings import Settings
from tests.support.command import Heelstone
from tests.support.journals import filled
from tests.support.table_setup import header


def exported(tmp_path: Path, match: str = "m9", **changed: Any) -> list[str]:
    """An open match of six moves, as another table would hand it on."""
    with filled(tmp_path / "elsewhere.db", 6) as journal:
        lines = list(journal.export("m1"))
    head = json.loads(lines[0])
    head["match"] |= {"id": match, **changed}
    (tmp_path / "elsewhere.db").unlink()
    return [json.dumps(head), *lines[1:]]


def event(place: int, kind: str, **body: object) -> str:
    return json.dumps({"seq": place, "type": kind, "src": "touch", "body": body})


@pytest.mark.parametrize(
    ("type", "body", "told"),
    [
        ("stickers", {"groups": ["\u202e"], "have": True}, "printable"),
        ("stickers", {"groups": "stone", "have": True}, "line 8.*a list of groups"),
        ("stickers", {"groups": [], "have": "perhaps"}, "line 8.*a list of groups"),
        ("penalty", {"player": 9, "rule": "K1", "code": "taken"}, "a breach"),
        ("penalty", {"player": 0, "rule": "\u009b31m", "code": "taken"}, "a breach"),
        ("end", {"reason": "won", "ranking": [[0], [1]], "scores": [9, 0]}, "not over"),
        ("opened", {"number": -1}, "line 8"),
        ("opened", {"number": 10**30}, "line 8"),
        ("\u202egnp", {}, "printable"),
    ],
)
def test_what_makes_no_sense_for_the_match_is_refused_at_the_door(
    tmp_path: Path, type: str, body: dict[str, object], told: str
) -> None:
    text = "\n".join([*exported(tmp_path), event(7, type, **body)])
    with Journal(tmp_path / "journal.db") as journal:
        with pytest.raises(JournalError, match=told):
            journal.import_match(text, "file")
        assert journal.matches() == []


@pytest.mark.parametrize(
    "changed",
    [
        {"course": "\u001b[31mred"},
        {"course": "x" * 65},
        {"seed": "\u202e"},
        {"series": "../x"},
        {"commit": "\u009b"},
        {"clock": "player\n9"},
        {"names": ["Ada\u200f", "Ben"]},
    ],
)
def test_no_text_that_moves_a_cursor_or_turns_words_around_comes_in(
    tmp_path: Path, changed: dict[str, Any]
) -> None:
    with Journal(tmp_path / "journal.db") as journal, pytest.raises(JournalError):
        journal.import_match("\n".join(exported(tmp_path, **changed)), "file")


def test_an_imported_match_does_not_claim_to_be_the_one_that_was_played_last(
    tmp_path: Path,
) -> None:
    with filled(tmp_path / "journal.db", 4) as journal:
        journal.note_opened("m1")
        text = "\n".join([*exported(tmp_path), event(7, "opened", number=10**11)])
        journal.import_match(text, "file")
        assert [m.header.id for m in journal.unfinished()] == ["m1", "m9"]
        journal.note_opened("m1")
        again = list(journal.export("m9"))
        assert json.loads(again[-1])["body"] == {"number": 10**11}


def test_an_import_during_a_match_locks_nobody_out(tmp_path: Path, heelstone: Heelstone) -> None:
    data = tmp_path / "data"
    data.mkdir()
    filled(data / "journal.db", 4).close()
    path = tmp_path / "hostile.jsonl"
    path.write_text("\n".join(exported(tmp_path, "m1-b")))
    heelstone("import", path, "--data", data)
    assert '"id": "m1"' in heelstone("export", "m1", "--data", data).out
    house = Application(Settings(), data, "en")
    try:
        assert {m.match_id for m in house.unfinished()} == {"m1", "m1-b"}
        house.resume("m1").close()
    finally:
        house.close()


def test_two_imports_of_one_match_at_once_say_that_it_is_there(tmp_path: Path) -> None:
    text = "\n".join(exported(tmp_path))
    with Journal(tmp_path / "journal.db") as one, Journal(tmp_path / "journal.db") as other:
        # The other is faster, after this one had looked.
        def late(done: int, of: int) -> None:
            raise AssertionError("six events are no progress worth a word")

        is_new, looked = one._is_new, list[object]()

        def look(*given: Any) -> None:
            is_new(*given)
            if not looked:
                looked.append(other.import_match(text, "file"))

        one._is_new = look  # type: ignore[method-assign, assignment]
        with pytest.raises(JournalError, match="already in the journal"):
            one.import_match(text, "file", late)
        assert len(one.events("m9")) == 6


def test_a_very_long_match_is_refused_and_a_long_one_keeps_no_start_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = exported(tmp_path)
    back_and_forth = json.loads(lines[6])["body"]["move"]
    told: list[int] = []
    for number in range(7, 1207, 2):
        lines.append(event(number, "takeback", count=1))
        lines.append(event(number + 1, "move", move=back_and_forth))
    with Journal(tmp_path / "journal.db") as journal:
        with pytest.raises(JournalError, match="lines"):
            journal.import_match("\n".join(lines + lines[1:2] * MAX_IMPORT_EVENTS), "file")
        journal.import_match("\n".join(lines), "file", lambda done, of: told.append(done))
        assert (told, journal.status("m9")) == ([500, 1000], OPEN)
        journal.create(header("m2"))
    monkeypatch.setattr("companion.app.match_setup.MOST_REPLAYED", 1000)
    house = Application(Settings(), tmp_path, "en")
    try:
        found = {m.match_id: m.scores for m in house.unfinished()}
        assert found["m9"] == () and len(found["m2"]) == 2
    finally:
        house.close()
