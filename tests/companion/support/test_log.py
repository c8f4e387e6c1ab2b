"""A table that fell or hung still has the log of that run for a problem report."""

from __future__ import annotations

import logging
import zipfile
from pathlib import Path

import pytest

from companion.match.events import Refused
from companion.match.view import PlayMove
from companion.support.heartbeat import Heartbeat
from companion.support.log import RunLog, note_events, run_before
from rules.core import Move
from tests.support.command import Heelstone
from tests.support.phone_pictures import table_of


def test_a_run_that_fell_is_told_after_the_next_start(tmp_path: Path) -> None:
    first = RunLog(lambda: ["it went well", "then it hung"], tmp_path)
    Heartbeat({"camera": lambda: False}, each=first).beat()
    said: list[str] = []
    second = RunLog(lambda: list(said), tmp_path)
    second()
    said.append("a new start")
    second()
    before = ["it went well", "then it hung", "-- the run before ended here --"]
    assert run_before(tmp_path, running=True) == before
    assert run_before(tmp_path, running=False) == [*before, "a new start"]


def test_nothing_is_kept_where_there_is_no_service_or_no_room(tmp_path: Path) -> None:
    RunLog(lambda: ["a line"], None)()
    file = tmp_path / "file"
    file.write_text("")
    RunLog(lambda: ["a line"], file / "inside")()
    assert run_before(None, running=False) == []
    assert run_before(tmp_path / "none", running=True) == []


def test_a_report_holds_the_run_that_hung(
    heelstone: Heelstone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    RunLog(lambda: ["the camera hung"], folder)()
    RunLog(lambda: ["a new start"], folder)()
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(folder))
    out = tmp_path / "report.zip"
    assert heelstone("report", "--data", tmp_path / "state", "--out", out).code == 0
    with zipfile.ZipFile(out) as archive:
        told = archive.read("log.txt").decode()
    assert told.splitlines()[0] == "the camera hung"
    assert told.splitlines()[-1] == "a new start"


@pytest.mark.parametrize(("game", "told"), [("knizia_stonehenge", True), ("dominion", False)])
def test_a_log_tells_no_refusal_that_not_everybody_may_know(
    game: str, told: bool, caplog: pytest.LogCaptureFixture
) -> None:
    table = table_of(game, 2)
    asked = table.view().asked or 0
    tried = Move.of(asked, "claim", "A2") if told else Move.of(asked, "buy", "province")
    events = table.handle(PlayMove(tried), 0.0)
    assert any(isinstance(event, Refused) for event in events)
    with caplog.at_level(logging.INFO, "companion.support.log"):
        note_events(table.view(), events)
    assert ("objections=" in caplog.text) == told
