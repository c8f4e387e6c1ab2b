"""A table that fell or hung still has the log of that run for a problem report."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from companion.care.heartbeat import Heartbeat
from companion.care.log import RunLog, run_before
from tests.support.command import Heelstone


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
