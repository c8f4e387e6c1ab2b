"""A table without a touchscreen, as systemd runs it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.journal.store import Journal
from tests.support.command import ROOT, Heelstone
from tests.support.waiting import PATIENCE_S


@contextmanager
def served(data: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], socket.socket]]:
    """The command as a service; gives the program and systemd's end of the line."""
    address = data / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        address.unlink(missing_ok=True)
        line.bind(str(address))
        line.settimeout(PATIENCE_S)
        environment = {**os.environ, "NOTIFY_SOCKET": str(address), "WATCHDOG_USEC": "600000"}
        environment |= {"XDG_CONFIG_HOME": str(data / "config")}
        program = subprocess.Popen(
            [sys.executable, "-m", "companion.app.cli", "serve", "--data", str(data), *arguments],
            cwd=ROOT, env=environment, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        try:
            yield program, line
        finally:
            program.kill()
            program.communicate()


def heard(line: socket.socket) -> str:
    return line.recv(1000).decode()


def test_it_reports_lives_and_ends_when_asked_and_the_match_waits(tmp_path: Path) -> None:
    with served(tmp_path, "--game", "knizia_stonehenge") as (program, line):
        assert heard(line).startswith("READY=1")
        assert heard(line) == "WATCHDOG=1"
        program.send_signal(signal.SIGTERM)
        said = heard(line)
        while said != "STOPPING=1":
            assert said == "WATCHDOG=1"
            said = heard(line)
        assert program.wait(PATIENCE_S) == 0
    with Journal(tmp_path / "journal.db") as journal:
        (first,) = journal.unfinished()
    with served(tmp_path) as (program, line):
        assert heard(line).startswith("READY=1")
        program.kill()
    with Journal(tmp_path / "journal.db") as journal:
        assert [m.header.id for m in journal.unfinished()] == [first.header.id]


def test_with_nothing_to_play_it_says_what_to_name(heelstone: Heelstone, tmp_path: Path) -> None:
    assert "name a game to begin" in heelstone("serve", "--data", tmp_path).complaint()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--players", "2"), "need --game"),
        (("--game", "chess"), "chess"),
        (("--game", "knizia_stonehenge", "--players", "9"), "9"),
    ],
)
def test_a_wrong_call_is_one_line(
    heelstone: Heelstone, arguments: tuple[str, ...], told: str
) -> None:
    assert told in heelstone("serve", *arguments).complaint()
