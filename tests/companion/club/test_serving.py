"""A whole club, from the command that founds it to the page that shows its first move."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from companion.app.cli import main
from companion.club.membership import FILE, read_membership
from companion.club.naming import ClubError
from companion.club.serving import LocalBroker, LocalDatabase
from companion.club.upload import Uploader
from companion.journal.events import MovePlayed, Source
from companion.journal.store import Journal
from tests.support.club import free_port, play
from tests.support.needed import skip_without
from tests.support.waiting import until


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that the database may enter, which runs as another user if we are root."""
    made = Path(tempfile.mkdtemp(prefix="heelstone-club-test-"))
    made.chmod(0o755)
    yield made
    shutil.rmtree(made, ignore_errors=True)


def needs_the_programs() -> None:
    skip_without("nats-server")
    try:
        LocalDatabase._program("postgres")
    except ClubError as error:
        pytest.skip(str(error))


def test_a_club_is_served_from_nothing_and_shows_the_first_move(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    needs_the_programs()
    file, table, state = folder / "club.toml", tmp_path / "north.toml", tmp_path / "state"
    broker, hall = free_port(), free_port()
    assert main(["club", "found", "circle", "--club", str(file)]) == 0
    # Two clubs on one computer, as in these tests, want ports of their own.
    text = file.read_text().replace("[broker]", f"[broker]\nport = {broker}")
    file.write_text(text.replace("[pages]", f"[pages]\nport = {hall}"))
    serving = subprocess.Popen(
        [sys.executable, "-m", "companion.app.entry", "club", "serve", str(file), "--json"],
        stdout=subprocess.PIPE, env={**os.environ, "HEELSTONE_LOG": "ERROR"},
    )  # fmt: skip
    try:
        assert serving.stdout is not None
        ready = json.loads(serving.stdout.readline())
        assert ready["broker"] == f"nats://127.0.0.1:{broker}"
        # A table that is new while the club runs.
        assert main(["club", "new-table", "north", "--club", str(file), "--out", str(table)]) == 0
        assert main(["club", "join", str(table), "--data", str(state)]) == 0
        member = read_membership(state / FILE)
        assert member is not None
        with Journal(state / "journal.db") as journal:
            play(journal, "knizia_stonehenge", 1, most=7, corrections=False)
            uploader = Uploader(member, state).start()
            try:
                seen = f"http://127.0.0.1:{hall}/table/north/api/table"
                assert until(lambda: _ply(seen) == 7)
                # Whatever is killed comes back, and nothing is missing.
                for child in _children(serving.pid):
                    os.kill(child, signal.SIGKILL)
                match_id = journal.stands()[0].id
                move = journal.load(match_id).legal_moves()[0]
                journal.append(match_id, MovePlayed(move), src=Source.TOUCH)
                assert until(lambda: _ply(seen) == 8)
            finally:
                uploader.close()
    finally:
        serving.send_signal(signal.SIGTERM)
        serving.wait(60)
    assert serving.returncode == 0
    capsys.readouterr()
    # Nothing of it is left running.
    assert _ply(seen) is None


def test_a_missing_program_is_named_with_its_package(tmp_path: Path) -> None:
    with pytest.raises(ClubError) as broker:
        LocalBroker(tmp_path, program="no-such-broker").start()
    assert broker.value.params["package"] == "nats-server"


def test_a_club_that_is_there_is_not_founded_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "club.toml"
    assert main(["club", "found", "circle", "--club", str(file)]) == 0
    before = file.read_text()
    assert main(["club", "found", "other", "--club", str(file), "--lang", "en"]) == 2
    assert file.read_text() == before
    assert "club.toml" in capsys.readouterr().err


def _children(pid: int) -> list[int]:
    """The programs that a program has started itself."""
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(child) for child in text.split()]


def _ply(address: str) -> int | None:
    with suppress(OSError), urllib.request.urlopen(address, timeout=5) as answer:
        told = json.loads(answer.read())
        return int(told["ply"]) if told["match"] else 0
    return None
