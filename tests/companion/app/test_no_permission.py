"""Folders that may only be read, and folders that may not even be entered."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from companion.app.application import Application
from companion.journal.reading import only_readable, reading
from companion.journal.store import Journal
from companion.settings.people import MatchSetup
from companion.settings.settings import Settings
from tests.support.command import Heelstone
from tests.support.guests import as_guest, open_folder
from tests.support.journals import filled
from tests.support.table_setup import header


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
