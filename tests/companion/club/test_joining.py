"""A table becomes one of a club with one command, and from then on tells it what is played."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.app.application import Application
from companion.app.cli import main
from companion.club.membership import FILE, join, write_secret
from companion.match.view import PlayMove
from companion.settings.people import MatchSetup
from companion.settings.settings import Settings
from rules.core import Move
from tests.support.club import Servers, Writing, expected, stored
from tests.support.waiting import patience, until


def test_a_house_without_a_club_sends_nothing(tmp_path: Path) -> None:
    house = Application(Settings(), tmp_path, "en")
    try:
        assert house.neighbours.uploader is None
    finally:
        house.close()


def test_what_is_played_at_a_table_of_a_club_is_stored_there(club: Servers, tmp_path: Path) -> None:
    (ours,) = club.make(["joined"])
    write_secret(tmp_path / "usb.toml", ours.toml())
    join(tmp_path / "usb.toml", tmp_path)
    with patience():
        house = Application(Settings(), tmp_path, "en")
        try:
            with Writing(club):
                session = house.start(
                    MatchSetup(game="knizia_stonehenge", players=2, physical=False)
                )
                house.begin()
                session.post(PlayMove(Move.parse("p0 place 3 L")))
                assert until(lambda: session.view.ply == 1)
                assert until(
                    lambda: stored(club.database.dsn, "joined") == expected(house.journal, ours)
                )
                assert house.neighbours.uploader is not None
                assert house.neighbours.uploader.trouble == ""
        finally:
            house.close()


def test_a_damaged_file_of_the_club_is_told_and_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("club = 7")
    with patience():
        house = Application(Settings(), tmp_path, "en")
        try:
            session = house.start(MatchSetup(game="knizia_stonehenge", players=2, physical=False))
            assert until(lambda: session.view.devices.get("club") == "club_file")
        finally:
            house.close()


def test_two_commands_make_a_club_and_two_a_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["club", "found", "circle", "--address", "10.0.0.7", "--lang", "en"]) == 0
    assert "password" in capsys.readouterr().out
    assert main(["club", "new-table", "north", "--lang", "de"]) == 0
    told = capsys.readouterr().out
    assert "heelstone club join north.table.toml" in told
    assert (tmp_path / "north.table.toml").stat().st_mode & 0o077 == 0
    state = tmp_path / "state"
    assert main(["club", "join", "north.table.toml", "--data", str(state), "--lang", "en"]) == 0
    assert (state / FILE).stat().st_mode & 0o077 == 0
    assert main(["club", "leave", "--data", str(state)]) == 0
    assert not (state / FILE).exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ["club"],
        ["club", "found", "No Name"],
        ["club", "new-table", "north"],
        ["club", "join", "nothing.toml"],
        ["club", "serve", "nothing.toml"],
    ],
)
def test_bad_use_is_one_clear_line(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert main([*arguments, "--lang", "en"]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1
