"""Tables without a screen play together: one invites, the other waits to be invited."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app.application import Application
from companion.app.service import Meeting
from companion.club.membership import FILE, write_secret
from companion.journal.entries import JournalError
from companion.match.view import PlayMove
from companion.settings.people import MatchSetup
from companion.settings.settings import Settings
from hardware.settings import MOCK_RIG
from rules.core import Move
from tests.support.club import Servers
from tests.support.command import inside
from tests.support.waiting import until

PLAN = MatchSetup("knizia_stonehenge", 2)


@pytest.fixture(autouse=True)
def lively(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.club.two_tables.HEART_S", 0.1)


@pytest.fixture
def houses(club: Servers, tmp_path: Path) -> Iterator[list[Application]]:
    made = []
    for member in club.make(["attic", "cellar"]):
        folder = tmp_path / member.table
        folder.mkdir()
        write_secret(folder / FILE, member.toml())
        made.append(Application(Settings(rig=MOCK_RIG), folder, "en"))
    yield made
    for house in made:
        house.close()


def test_one_invites_the_other_says_yes_and_both_go_on_after_a_restart(
    houses: list[Application],
) -> None:
    attic, cellar = houses
    waits = Meeting(cellar, "attic")
    invites = Meeting(attic, "cellar", PLAN, (0,))
    assert until(lambda: not invites.begun() and waits.begun())
    assert until(invites.begun)
    assert attic.session is not None and cellar.session is not None
    attic.session.post(PlayMove(Move.parse("p0 place 3 A")))
    there = cellar.session
    assert until(lambda: there.view.ply == 2)
    match_id = there.view.match_id
    cellar.pause()
    cellar.resume(match_id).post(PlayMove(Move.parse("p1 place 3 B")))
    here = attic.session
    assert until(lambda: here.view.ply == 4)


def test_a_table_that_does_not_want_to_play_ends_the_waiting_with_a_sentence(
    houses: list[Application],
) -> None:
    attic, cellar = houses
    tables = cellar.neighbours.join_tables()
    assert tables is not None
    meeting = Meeting(attic, "cellar", PLAN, (1,))
    assert until(lambda: not meeting.begun() and tables.now.received is not None)
    tables.refuse()
    with pytest.raises(JournalError) as said:
        until(meeting.begun)
    assert said.value.sentence.code == "declined_no"


def test_what_cannot_be_played_so_is_said_at_once(
    houses: list[Application], tmp_path: Path
) -> None:
    with pytest.raises(JournalError) as said:
        Meeting(houses[0], "cellar", MatchSetup("dominion", 2), (0,))
    assert said.value.sentence.code == "not_for_two_tables"
    alone = Application(Settings(rig=MOCK_RIG), tmp_path / "alone", "en")
    try:
        with pytest.raises(JournalError) as said:
            Meeting(alone, "cellar", PLAN, (0,))
        assert said.value.sentence.code == "in_no_club"
    finally:
        alone.close()


def test_the_command_wants_some_of_the_seats(capfd: pytest.CaptureFixture[str]) -> None:
    for seats in ("3", "1,2", "x", ""):
        told = inside(capfd)(
            "serve", "--game", PLAN.game, "--with", "cellar", "--here", seats, "--lang", "en"
        )
        assert told.code == 2 and "--here names some of the seats" in told.err
