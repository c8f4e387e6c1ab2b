"""Phones at the table: turned on and off, remembered, and told what is on the table."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app.application import Application
from companion.presentation.phones import SeatState
from companion.settings.people import MatchSetup
from companion.settings.services import WebSettings
from companion.settings.settings import Settings
from tests.support.phone_server import TableServer
from tests.support.waiting import until

PLAN = MatchSetup("dominion", 2, physical=False)


@pytest.fixture
def servers(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[TableServer]]:
    """The servers that were made, instead of real ones."""
    monkeypatch.setattr("companion.app.phones.SERVER", "tests.support.phone_server")
    monkeypatch.setattr(TableServer, "next_trouble", "")
    TableServer.made.clear()
    yield TableServer.made


@pytest.fixture
def house(tmp_path: Path, servers: list[TableServer]) -> Iterator[Application]:
    built = Application(Settings(), tmp_path, "de")
    yield built
    built.close()


def test_nothing_listens_before_somebody_turns_it_on(
    house: Application, servers: list[TableServer]
) -> None:
    house.start(PLAN)
    assert not house.phones.now.on
    assert servers == []


def test_turned_on_during_a_match_phones_are_at_its_seats(
    house: Application, servers: list[TableServer]
) -> None:
    session = house.start(PLAN)
    house.phones.turn(True)
    assert until(lambda: house.phones.now.ready)
    assert servers[0].followed == [session]
    seats = house.phones.now.seats
    assert [one.state for one in seats] == [SeatState.FREE, SeatState.FREE]
    assert seats[1].link.endswith("hand#1")


def test_each_new_match_is_followed_and_none_when_it_is_left(
    house: Application, servers: list[TableServer]
) -> None:
    house.phones.turn(True)
    assert until(lambda: house.phones.now.ready)
    first = house.start(PLAN)
    second = house.start(PLAN)
    house.pause()
    assert servers[0].followed == [None, None, first, None, second, None]
    assert house.phones.now.seats == ()


def test_turned_off_it_is_closed_and_on_again_it_is_another(
    house: Application, servers: list[TableServer]
) -> None:
    for _ in range(2):
        house.phones.turn(True)
        assert until(lambda: house.phones.now.ready)
        house.phones.turn(False)
        assert until(lambda: not servers[-1].open)
        assert not house.phones.now.on
    assert len(servers) == 2


def test_turned_on_and_off_at_once_nothing_stays_open(
    house: Application, servers: list[TableServer]
) -> None:
    for on in (True, False, True, False):
        house.phones.turn(on)
    assert until(lambda: not house.phones.now.on and not house.phones.now.ready)
    house.phones.close()
    assert not any(server.open for server in servers)


def test_it_is_remembered_over_a_restart(tmp_path: Path, servers: list[TableServer]) -> None:
    first = Application(Settings(), tmp_path, "de")
    first.phones.turn(True)
    first.close()
    second = Application(Settings(), tmp_path, "de")
    assert second.preferences.now.phones
    for step in second.steps_ahead():
        step()
    assert until(lambda: second.phones.now.ready)
    second.close()
    assert not any(server.open for server in servers)


def test_the_settings_may_say_so_until_somebody_chooses(
    tmp_path: Path, servers: list[TableServer]
) -> None:
    house = Application(Settings(web=WebSettings(enabled=True, port=9999)), tmp_path, "en")
    assert house.preferences.now.phones
    house.phones.turn(False)
    assert not house.preferences.now.phones
    house.close()


def test_what_goes_wrong_is_said_and_trying_again_helps(
    house: Application, servers: list[TableServer]
) -> None:
    TableServer.next_trouble = "phones_port_taken"
    house.phones.turn(True)
    assert until(lambda: house.phones.now.trouble == "phones_port_taken")
    TableServer.next_trouble = ""
    house.phones.turn(True)
    assert until(lambda: house.phones.now.ready)
    assert house.phones.now.trouble == ""
    assert len(servers) == 2


def test_without_its_packages_a_table_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.app.phones.SERVER", "no_such_package_here")
    house = Application(Settings(), tmp_path, "de")
    house.phones.turn(True)
    assert until(lambda: house.phones.now.trouble == "phones_web_missing")
    house.close()


def test_who_listens_hears_of_phones_and_answers_reach_the_server(
    house: Application, servers: list[TableServer]
) -> None:
    house.start(PLAN)
    house.phones.turn(True)
    assert until(lambda: house.phones.now.ready)
    heard: list[tuple[int, ...]] = []
    stop = house.phones.listen(lambda: heard.append(house.phones.now.waiting))
    servers[0].seats.put(1, SeatState.WAITING)
    assert heard == [(1,)]
    house.phones.confirm(1)
    assert house.phones.now.has_phone(1) and not house.phones.now.has_phone(0)
    stop()
    servers[0].seats.put(0, SeatState.WAITING)
    assert heard == [(1,), ()]


def test_pages_that_name_no_language_speak_that_of_the_screen(
    house: Application, servers: list[TableServer]
) -> None:
    house.phones.turn(True)
    assert until(lambda: house.phones.now.ready)
    house.preferences.choose(lang="en")
    assert servers[0].lang == "en"


def test_a_table_without_phones_and_broker_loads_nothing_of_them(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path\n"
        "from companion.app.application import Application\n"
        "from companion.settings.people import MatchSetup\n"
        "from companion.settings.settings import Settings\n"
        f"house = Application(Settings(), Path({str(tmp_path)!r}), 'en')\n"
        "house.start(MatchSetup('knizia_stonehenge', 2, physical=False)); house.close()\n"
        "names = ('starlette', 'uvicorn', 'paho', 'companion.web', 'companion.mqtt')\n"
        "print([name for name in sys.modules if name.startswith(names)])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
