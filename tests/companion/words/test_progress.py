"""How far long work has come: live on a terminal, a line per stage elsewhere, never on stdout."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from companion.words import progress as subject
from companion.words.progress import progress
from tests.support.command import ROOT

KNIZIA = "knizia_stonehenge"


def test_elsewhere_a_stage_is_one_line_however_often_it_is_told(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subject, "PATIENCE_S", 0.0)
    with progress("en") as stage:
        for name in ("review", "import"):
            step = stage(name)
            for done in range(50):
                step(done, 50)
    told = capfd.readouterr()
    assert told.err == "Looking back at the match\nReplaying the match\n"
    assert told.out == ""


def test_what_is_done_soon_is_worth_no_line(capfd: pytest.CaptureFixture[str]) -> None:
    with progress("de") as stage:
        stage("review")(1, 2)
    assert capfd.readouterr().err == ""


def test_other_programs_are_told_nothing(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subject, "PATIENCE_S", 0.0)
    with progress("en", quiet=True) as stage:
        stage("review")(1, 2)
    assert capfd.readouterr() == ("", "")


def test_a_live_line_names_the_stage_and_the_share_however_narrow_the_terminal(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subject, "AGAIN_S", 0.0)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    for columns, told in (("40", "Looking back at the match … 50 %"), ("18", "Looking ba … 50 %")):
        monkeypatch.setenv("COLUMNS", columns)
        with progress("en") as stage:
            stage("review")(1, 2)
        assert told in [line.rstrip() for line in capfd.readouterr().err.split("\r")]


@pytest.mark.parametrize("as_json", [False, True])
def test_on_a_terminal_one_line_shows_how_far_it_is_and_is_gone_in_the_end(
    tmp_path: Path, as_json: bool
) -> None:
    parent, child = pty.openpty()
    command = [sys.executable, "-m", "companion.app.entry", "check", KNIZIA, "--matches", "2"]
    done = subprocess.run(
        [*command, "--lang", "de", *(["--json"] if as_json else [])],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=child, timeout=240, check=True,
        env={**os.environ, "XDG_STATE_HOME": str(tmp_path), "COLUMNS": "60"},
    )  # fmt: skip
    os.close(child)
    shown = os.read(parent, 1 << 16).decode()
    os.close(parent)
    assert "\n" not in shown and "\x1b" not in shown
    lines = shown.split("\r")
    assert any("Zufällige Partien werden gespielt: knizia_stonehenge …" in line for line in lines)
    assert max(map(len, lines)) == 59 and lines[-2:] == [" " * 59, ""]
    assert done.stdout.startswith(b'{"game"' if as_json else b"knizia_stonehenge: 2 Partien")
