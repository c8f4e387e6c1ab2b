"""systemd hears that all is well only while it is."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.support.heartbeat import Heartbeat, Notifier
from tests.support.waiting import PATIENCE_S


@pytest.fixture
def systemd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """The other end of the line."""
    path = tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(str(path))
        line.settimeout(PATIENCE_S)
        monkeypatch.setenv("NOTIFY_SOCKET", str(path))
        monkeypatch.setenv("WATCHDOG_USEC", "90000")
        yield line


def heard(line: socket.socket) -> str:
    return line.recv(1000).decode()


def test_ready_is_said_once_and_the_watchdog_is_fed_from_then_on(systemd: socket.socket) -> None:
    heartbeat = Heartbeat({"session": lambda: True}).start()
    assert heard(systemd).splitlines()[0] == "READY=1"
    assert heard(systemd) == "WATCHDOG=1"
    assert heard(systemd) == "WATCHDOG=1"
    heartbeat.close()
    said = ""
    while said != "STOPPING=1":
        said = heard(systemd)


def test_the_watchdog_starves_when_one_part_hangs_and_the_status_names_it(
    systemd: socket.socket,
) -> None:
    alive = {"camera": True}
    heartbeat = Heartbeat({"session": lambda: True, "camera": lambda: alive["camera"]})
    assert heartbeat.beat() == ()
    assert heard(systemd) == "WATCHDOG=1"
    alive["camera"] = False
    assert heartbeat.beat() == ("camera",)
    assert heard(systemd) == "STATUS=no sign of life from: camera"
    heartbeat.beat()
    alive["camera"] = True
    assert heartbeat.beat() == ()
    # Nothing was sent by the second dead beat: the next thing heard is the recovery.
    assert heard(systemd) == "WATCHDOG=1"
    assert heard(systemd) == "STATUS=at the table"


def test_a_part_that_fails_when_asked_counts_as_dead(systemd: socket.socket) -> None:
    def broken() -> bool:
        raise RuntimeError("no answer")

    assert Heartbeat({"outputs": broken}).beat() == ("outputs",)


def test_without_systemd_nothing_is_sent_and_nothing_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    monkeypatch.setenv("WATCHDOG_USEC", "rubbish")
    heartbeat = Heartbeat({"session": lambda: True}).start()
    assert heartbeat.beat() == ()
    heartbeat.close()


def test_a_line_that_leads_nowhere_is_survived(tmp_path: Path) -> None:
    Notifier(str(tmp_path / "nobody"))("READY=1")


def test_an_address_without_a_file_works_too() -> None:
    name = "@heelstone-test-notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind("\0" + name[1:])
        line.settimeout(PATIENCE_S)
        Notifier(name)("READY=1")
        assert heard(line) == "READY=1"
