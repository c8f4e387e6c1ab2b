"""Standard streams that are closed, full, or read by nobody: one line, and an exit code."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.command import ROOT, heed_ctrl_c

FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
SPEAKING = ["games", "--help", "simulate --help", "--version", "matches --help"]


def in_a_shell(tmp_path: Path, command: str, ending: str) -> subprocess.CompletedProcess[str]:
    """The command as somebody types it into bash, with what follows it in the line."""
    program = shlex.join([sys.executable, "-m", "companion.app.entry"])
    return subprocess.run(
        ["bash", "-c", f"set -o pipefail; {program} {command} {ending}"],
        cwd=ROOT, env={**os.environ, "XDG_STATE_HOME": str(tmp_path), "LC_ALL": "C.UTF-8"},
        capture_output=True, text=True, timeout=240,
    )  # fmt: skip


@pytest.mark.parametrize("command", SPEAKING)
def test_closed_stdout_is_told_in_one_line(tmp_path: Path, command: str) -> None:
    done = in_a_shell(tmp_path, command, ">&-")
    told = "heelstone: what this command says cannot be written: it is closed\n"
    assert (done.returncode, done.stderr) == (2, told)


@FULL
@pytest.mark.parametrize("command", SPEAKING)
def test_a_full_disk_behind_stdout_is_told_in_one_line(tmp_path: Path, command: str) -> None:
    done = in_a_shell(tmp_path, command, ">/dev/full")
    told = "heelstone: what this command says cannot be written: No space left on device\n"
    assert (done.returncode, done.stderr) == (2, told)


@pytest.mark.parametrize("command", ["games", "simulate knizia_stonehenge --json", "--help"])
def test_a_reader_that_has_seen_enough_is_no_mistake(tmp_path: Path, command: str) -> None:
    done = in_a_shell(tmp_path, command, "| head -n 1")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("\n") == 1


@pytest.mark.parametrize("ending", ["2>&-", "2>/dev/full", ">&- 2>&-", "<&- >&- 2>&-"])
def test_without_stderr_the_exit_code_still_says_it(tmp_path: Path, ending: str) -> None:
    done = in_a_shell(tmp_path, "simulate chess", ending)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "")


@pytest.mark.parametrize("command", ["club join -", "why dominion --state - 'p0 done'"])
def test_closed_stdin_is_told_in_one_line(tmp_path: Path, command: str) -> None:
    done = in_a_shell(tmp_path, command, "<&-")
    told = "heelstone: nothing can be read from the standard input: it is closed\n"
    assert (done.returncode, done.stderr) == (2, told)


def test_no_file_gets_the_number_of_a_closed_stream(tmp_path: Path) -> None:
    """What is printed must not end up in the journal."""
    done = in_a_shell(tmp_path, f"backup --data {tmp_path}", "<&- >&- 2>&-")
    assert done.returncode == 2
    assert all(b"heelstone:" not in path.read_bytes() for path in tmp_path.rglob("*.db*"))


def test_ctrl_c_ends_a_command_without_a_word(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "companion.app.entry", "simulate", "dominion", "--json",
         "--player", "1=archdruid", "--seconds", "2"],
        cwd=ROOT, env={**os.environ, "XDG_STATE_HOME": str(tmp_path)},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=heed_ctrl_c,
    ) as program:  # fmt: skip
        assert program.stdout is not None and program.stderr is not None
        program.stdout.readline()
        program.send_signal(signal.SIGINT)
        assert (program.wait(60), program.stderr.read()) == (130, b"")
