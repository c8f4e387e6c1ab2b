"""What the shell offers when somebody presses Tab."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rules.box import box_ids
from rules.games import game_ids
from tests.support.command import ROOT, Heelstone
from tests.support.journals import filled


def offered(tmp_path: Path, line: str) -> list[str]:
    """The words that the program offers a shell for the end of a line."""
    answer = tmp_path / "answer"
    asking = {
        "_ARGCOMPLETE": "1", "_ARGCOMPLETE_IFS": "\n", "_ARGCOMPLETE_SHELL": "bash",
        "_ARGCOMPLETE_STDOUT_FILENAME": str(answer), "COMP_LINE": line,
        "COMP_POINT": str(len(line)), "XDG_STATE_HOME": str(tmp_path),
    }  # fmt: skip
    subprocess.run(
        [sys.executable, "-m", "companion.app.entry"],
        cwd=ROOT, env={**os.environ, **asking}, check=True, timeout=240,
    )  # fmt: skip
    return [word.strip() for word in answer.read_text().splitlines()]


def test_commands_options_games_and_boxes_are_offered(tmp_path: Path) -> None:
    assert {"games", "simulate", "phones"} <= set(offered(tmp_path, "heelstone "))
    assert offered(tmp_path, "heelstone simulate dominion --sec") == ["--seconds"]
    assert offered(tmp_path, "heelstone simulate ") == [*game_ids()]
    assert set(box_ids()) <= set(offered(tmp_path, "heelstone print "))
    assert offered(tmp_path, "heelstone club n") == ["new-table"]


def test_the_options_and_seats_of_the_game_in_the_line_are_offered(tmp_path: Path) -> None:
    line = "heelstone simulate knizia_stonehenge"
    assert offered(tmp_path, f"{line} --option hidden=") == ["hidden=off", "hidden=on"]
    assert offered(tmp_path, f"{line} --players ") == ["2"]
    assert "2=druid" in offered(tmp_path, f"{line} --player ")


def test_the_matches_of_the_journal_are_offered_and_none_is_begun_for_it(tmp_path: Path) -> None:
    assert offered(tmp_path, f"heelstone --data {tmp_path / 'new'} export ") == []
    assert not (tmp_path / "new").exists()
    filled(tmp_path / "journal.db").close()
    assert offered(tmp_path, f"heelstone export --data {tmp_path} ") == ["m1"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_understands_what_it_reads(heelstone: Heelstone, shell: str) -> None:
    script = heelstone("completion", shell).out
    assert "heelstone" in script
    if shutil.which(shell) is not None:
        subprocess.run([shell, "-n"], input=script, text=True, check=True)
