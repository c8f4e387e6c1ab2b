"""The service: without permissions, without a listener, and asked to end."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.app.application import Application
from companion.journal.reading import only_readable, reading
from companion.journal.store import Journal
from companion.match.view import PlayMove
from companion.settings.people import MatchSetup
from companion.settings.settings import Settings
from hardware.settings import MOCK_RIG
from tests.support.command import ROOT, Heelstone
from tests.support.guests import as_guest, open_folder
from tests.support.journals import filled
from tests.support.table_setup import header
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


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_a_journal_that_may_only_be_read_is_read_and_nothing_is_written_beside_it(
    heelstone: Heelstone, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_folder() as outer:
        monkeypatch.setenv("XDG_CONFIG_HOME", str(outer / "config"))
        data, out = outer / "data", outer / "out"
        data.mkdir()
        out.mkdir()
        out.chmod(0o777)
        lines = ["matches", "export m1", "records", "doctor --json", f"report --out {out}/r.zip"]
        # Its last entries are in the log only.
        journal = filled(data / "journal.db")
        assert (data / "journal.db-wal").stat().st_size > 0
        usual = [heelstone(*line.split(), "--data", data) for line in lines]
        (out / "r.zip").unlink()
        before = contents(data)
        data.chmod(0o555)
        with as_guest():
            assert only_readable(data / "journal.db")
            told = [heelstone(*line.split(), "--data", data) for line in lines]
        assert [one.code for one in told] == [0] * len(lines), told
        assert [one.out for one in told[:3]] == [one.out for one in usual[:3]]
        assert '"check": "journal", "level": "ok"' in told[3].out
        with zipfile.ZipFile(out / "r.zip") as report:
            assert report.read("match.jsonl").count(b"\n") > 30
        assert contents(data) == before
        journal.close()


def test_a_damaged_journal_that_may_only_be_read_stays_and_is_told_of(tmp_path: Path) -> None:
    with open_folder() as data:
        filled(data / "journal.db").close()
        torn = (data / "journal.db").read_bytes()[:-3000]
        (data / "journal.db").write_bytes(torn)
        data.chmod(0o555)
        with as_guest(), reading(data / "journal.db") as journal:
            assert "stays as it is" in str(journal.salvage)
        assert (data / "journal.db").read_bytes() == torn


COMMANDS = [
    "matches", "export m1", "import FILE", "courses", "courses --keep Hof", "records", "backup",
    "restore FILE", "report", "board knizia_stonehenge --save",
    "games", "simulate knizia_stonehenge", "watch PICTURES --game knizia_stonehenge",
    "calibrate PICTURES --camera pi",
]  # fmt: skip


@pytest.mark.parametrize("line", COMMANDS)
def test_a_data_folder_that_nobody_may_enter_is_one_sentence(
    heelstone: Heelstone, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, line: str
) -> None:
    with open_folder() as outer:
        monkeypatch.setenv("XDG_CONFIG_HOME", str(outer / "config"))
        data = outer / "data"
        data.mkdir()
        with Journal(data / "journal.db") as journal:
            journal.create(header())
        (outer / "file").write_text("{}")
        words = [str(outer / "file") if word == "FILE" else word for word in line.split()]
        words = [str(outer) if word == "PICTURES" else word for word in words]
        # Loads what the command needs, which a guest perhaps may not read.
        heelstone(*words, "--data", tmp_path / "own")
        data.chmod(0)
        with as_guest():
            told = heelstone(*words, "--data", data)
    if line.startswith(("games", "simulate")):
        assert told.code == 0
    else:
        assert told.complaint()


def test_the_doctor_names_a_data_folder_that_may_not_be_entered(heelstone: Heelstone) -> None:
    with open_folder() as outer:
        heelstone("doctor", "--data", outer / "own")
        (outer / "data").mkdir()
        (outer / "data").chmod(0)
        with as_guest():
            told = heelstone("doctor", "--json", "--data", outer / "data")
    assert told.code == 0
    found = {one["check"]: one["level"] for one in told.records}
    assert found["state folder"] == "trouble"


def test_where_nobody_may_enter_people_play_unsaved(tmp_path: Path) -> None:
    plan = MatchSetup("knizia_stonehenge", 2, physical=False)

    def evening(state: Path) -> Application:
        house = Application(Settings(), state, "en")
        house.start(plan)
        house.begin()
        _ = house.is_new, house.notices()
        _ = house.workshop, house.library, house.games(), house.unfinished(), house.last_played()
        house.preferences.choose(volume=0.5)
        house.close()
        return house

    evening(tmp_path / "own")
    with open_folder() as outer:
        (outer / "data").mkdir()
        (outer / "data").chmod(0)
        with as_guest():
            house = evening(outer / "data")
    assert any("not saved" in str(told) for told in house.notices())


LISTENING, UNCONNECTED = "0A", "07"
"""States in /proc/net: a TCP socket that listens, a UDP socket that takes from anybody."""


def own_listeners() -> list[str]:
    """Lines of /proc/net about sockets of this program that take what strangers send."""
    own = set()
    for link in Path("/proc/self/fd").iterdir():
        try:
            own.add(str(link.readlink()))
        except FileNotFoundError:
            continue
    found = []
    for name, state in (("tcp", LISTENING), ("tcp6", LISTENING), ("udp", UNCONNECTED),
                        ("udp6", UNCONNECTED)):  # fmt: skip
        path = Path("/proc/self/net") / name
        for line in path.read_text().splitlines()[1:] if path.exists() else ():
            fields = line.split()
            if fields[3] == state and f"socket:[{fields[9]}]" in own:
                found.append(f"{name} {fields[1]}")
    return found


def test_a_match_with_every_output_opens_no_port(tmp_path: Path) -> None:
    house = Application(Settings(rig=MOCK_RIG), tmp_path, "en")
    try:
        session = house.start(MatchSetup("knizia_stonehenge", 2, physical=False))
        house.begin()
        session.post(PlayMove(session.view.legal[0]))
        session.settle()
        assert own_listeners() == []
    finally:
        house.close()


def test_a_port_that_is_open_would_be_seen() -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)):
        assert [line.split()[0] for line in own_listeners()] == ["tcp"]
