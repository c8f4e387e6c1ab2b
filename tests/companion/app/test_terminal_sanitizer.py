"""The doors of texts: what would do more than appear neither comes in nor goes out."""

from __future__ import annotations

import json
import logging
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from companion.app.cli import at_the_door
from companion.journal.entries import FINISHED
from companion.journal.store import Journal
from companion.match.looking_back.standings import Courses
from companion.settings.people import People
from companion.support.log import RecentLog
from rules.games import game_on_board
from rules.games.dolmengoetter.board import BoardError, load_board
from rules.printable import harmless, json_line, only_letters
from tests.support.command import Heelstone
from tests.support.journals import filled
from tests.support.table_setup import header

EVIL = "\x1b[2Ja\x9b31m\u202eb\u2028c\rd\0\U000e0001\ud800"
OBEYED = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
PLAIN = "Ötzi’s „Stein“ – 10\u00a0mm \U0001f468\u200d\U0001f469 नमस्ते\t"


def test_json_stays_the_same_json_and_readable() -> None:
    record = {"name": EVIL + PLAIN}
    assert json.loads(json_line(record)) == record
    assert not OBEYED.search(json_line(record))
    assert json_line({"name": PLAIN}) == json.dumps({"name": PLAIN}, ensure_ascii=False)
    assert harmless(PLAIN) == PLAIN


@pytest.mark.parametrize("way", [(), ("--json",)])
def test_no_command_shows_a_terminal_what_it_would_obey(
    heelstone: Heelstone, tmp_path: Path, way: tuple[str, ...]
) -> None:
    # As a journal from elsewhere may hold it: halves of letters are no UTF-8, and never in a file.
    evil = EVIL[:-1]
    filled(tmp_path / "journal.db").close()
    with Journal(tmp_path / "journal.db") as journal:
        journal.create(replace(header(), id="m2", names=(evil, "b\nc"), course=evil))
        journal.set_status("m2", FINISHED)
    heelstone("courses", "--keep", f"Garten {evil}", "--notes", evil, "--data", tmp_path)
    for line in ("matches", "export m2", "records", "courses", "doctor", f"export {evil}"):
        told = heelstone(*line.split(" ", 1), *way, "--data", tmp_path)
        assert not OBEYED.search(told.out + told.err), line
        if line == "export m2":
            assert told.records[0]["match"]["course"] == evil
        if line == "matches":
            assert told.out.count("\n") == 2


def test_log_lines_pass_the_door_and_are_kept_without(capsys: pytest.CaptureFixture[str]) -> None:
    log = logging.getLogger("companion.test")
    with at_the_door():
        handler = logging.StreamHandler()
        logging.getLogger().addHandler(handler)
        recent = RecentLog().start()
        # Half a letter would break the wire on which test workers report their log.
        log.warning("the device says %s", EVIL.replace("\ud800", ""))
        recent.stop()
        logging.getLogger().removeHandler(handler)
        sys.stdout.writelines([EVIL])
    said = capsys.readouterr()
    assert "the device says" in said.err
    assert not OBEYED.search(said.err + said.out + "".join(recent.lines()))


def test_settings_and_boards_that_cannot_be_shown_are_refused(
    heelstone: Heelstone, tmp_path: Path
) -> None:
    path = tmp_path / "odd.toml"
    path.write_text('[rig.score]\nport = "/dev/\\u001b[2J"\n')
    assert "`rig.score.port`" in heelstone("games", "--settings", path).complaint()
    path.write_text('[board]\nname = "a\\u202eb"\n')
    with pytest.raises(BoardError, match=r"board\.name.*cannot be shown"):
        load_board(str(path))
    with pytest.raises(BoardError, match="cannot be shown"):
        game_on_board("dolmengoetter", path.read_text(), "odd")


def test_kept_names_and_courses_are_cleaned_as_they_are_read(tmp_path: Path) -> None:
    (tmp_path / "people.json").write_text(json.dumps({"names": ["\x1b[2JUlla", "\u202e"]}))
    assert People(tmp_path).recent == ("[2JUlla",)
    Courses(tmp_path).keep("Hof\x1b\n", "am\u202e Tor")
    kept = [{"name": "a\x9b", "notes": "\x1b", "picture": ""}]
    assert [(c.name, c.notes) for c in Courses(tmp_path).all()] == [("Hof", "am Tor")]
    (tmp_path / "courses.json").write_text(json.dumps(kept))
    assert all(only_letters(c.name + c.notes) for c in Courses(tmp_path).all())


def test_a_traceback_that_was_asked_for_passes_the_door_too(
    heelstone: Heelstone, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError(EVIL[:-1])

    monkeypatch.setattr("companion.app.commands.find_game", broken)
    monkeypatch.setenv("HEELSTONE_TRACEBACK", "1")
    told = heelstone("simulate", "knizia_stonehenge")
    assert told.code == 1 and "Traceback" in told.err and "ZeroDivisionError" in told.err
    assert not OBEYED.search(told.err)
