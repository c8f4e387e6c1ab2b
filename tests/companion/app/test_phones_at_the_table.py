"""A whole Heelstone and its real pages: a phone is let in at the table, sees its hand, plays on."""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.app.application import Application
from companion.match.view import Undo
from companion.settings.people import MatchSetup
from companion.settings.services import WebSettings
from companion.settings.settings import Settings
from tests.support.waiting import PATIENCE_S, until

pytest.importorskip("starlette", reason="starlette is not installed here")
pytest.importorskip("uvicorn", reason="uvicorn is not installed here")

PLAN = MatchSetup("dominion", 2, physical=False, names=("Anna", "Ben"))


class Phone:
    """One phone: a browser with its cookie."""

    def __init__(self, port: int) -> None:
        self._port, self._cookie = port, ""

    def ask(self, path: str, body: Any = None) -> tuple[int, Any]:
        """Status and data of an answer."""
        line = http.client.HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE_S)
        headers = {"X-Heelstone": "1", "Content-Type": "application/json", "Cookie": self._cookie}
        sent = None if body is None else json.dumps(body)
        line.request("GET" if body is None else "POST", path, sent, headers)
        answer = line.getresponse()
        if cookie := answer.getheader("Set-Cookie"):
            self._cookie = cookie.partition(";")[0]
        told = answer.read()
        line.close()
        return answer.status, json.loads(told) if told else {}

    def scan(self, link: str) -> int:
        """Open what a seat's code says."""
        return self.ask("/api/claim", {"token": link.partition("#")[2]})[0]

    def hand(self) -> Any:
        """The phone's page about its seat."""
        return self.ask("/api/hand?lang=en")[1]


@pytest.fixture
def port() -> int:
    """A free port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def opened(folder: Path, port: int) -> Application:
    house = Application(Settings(web=WebSettings(port=port)), folder, "en")
    house.phones.turn(True)
    assert until(lambda: house.phones.now.ready)
    return house


@pytest.fixture
def house(tmp_path: Path, port: int) -> Iterator[Application]:
    built = opened(tmp_path, port)
    yield built
    built.close()


def let_in(house: Application, port: int, seat: int) -> Phone:
    """A phone that scanned the code of ``seat`` and was let in at the table."""
    phone = Phone(port)
    assert phone.scan(house.phones.now.seats[seat].link) == 200
    assert until(lambda: house.phones.now.waiting == (seat,))
    house.phones.confirm(seat)
    assert house.phones.now.has_phone(seat)
    assert until(lambda: phone.hand().get("state") == "open")
    return phone


def test_a_phone_is_let_in_at_the_table_and_plays_what_only_its_player_sees(
    house: Application, port: int
) -> None:
    session = house.start(PLAN)
    asked = session.view.prompt
    assert asked is not None and asked.player is not None
    phone = let_in(house, port, asked.player)
    picture = phone.hand()
    assert picture["may_play"] and sum(card["count"] for card in picture["hand"]) == 5
    assert house.phones.now.seats[asked.player].link == "", "its code is used up"
    ply = session.view.ply
    move = next(m for m in session.view.legal if m.verb == "done").text
    sent = {"match": picture["match"], "since": picture["changes"], "moves": [move]}
    assert phone.ask("/api/moves", sent)[0] == 202
    assert until(lambda: session.view.ply > ply)
    session.post(Undo())
    assert until(lambda: phone.hand()["public"]["ply"] == ply)


def test_a_phone_that_nobody_let_in_sees_no_card(house: Application, port: int) -> None:
    house.start(PLAN)
    phone = Phone(port)
    assert phone.scan(house.phones.now.seats[0].link) == 200
    assert "hand" not in phone.hand()
    house.phones.refuse(0)
    assert phone.ask("/api/hand")[0] == 401
    assert house.phones.now.seats[0].link, "the seat has a new code"


def test_a_phone_comes_back_with_its_match_after_a_restart_and_not_in_another(
    tmp_path: Path, port: int
) -> None:
    first = opened(tmp_path, port)
    match_id = first.start(PLAN).view.match_id
    phone = let_in(first, port, 1)
    first.close()
    with pytest.raises(OSError, match="refused"):
        phone.hand()
    second = opened(tmp_path, port)
    second.resume(match_id)
    assert until(lambda: phone.hand().get("state") == "open")
    assert second.phones.now.has_phone(1)
    second.start(PLAN)
    assert phone.ask("/api/hand")[0] == 401
    assert not second.phones.now.has_phone(1)
    second.close()


def test_turned_off_in_the_middle_of_a_match_nothing_listens_and_play_goes_on(
    house: Application, port: int
) -> None:
    session = house.start(PLAN)
    phone = let_in(house, port, 0)
    house.phones.turn(False)
    assert until(lambda: not house.phones.now.ready)

    def refused() -> bool:
        try:
            phone.hand()
        except OSError:
            return True
        return False

    assert until(refused)
    assert session.settle()


def test_a_phone_that_asks_is_called_out_once(
    house: Application, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    called: list[int] = []
    house.phones.when_asked(called.append)
    house.start(PLAN)
    assert until(lambda: len(house.phones.now.seats) == 2)
    assert Phone(port).scan(house.phones.now.seats[1].link) == 200
    assert until(lambda: called == [1])
    assert Phone(port).scan(house.phones.now.seats[0].link) == 200
    assert until(lambda: called == [1, 0])
    house.phones.refuse(1)
    assert Phone(port).scan(house.phones.now.seats[1].link) == 200
    assert until(lambda: called == [1, 0, 1]), "another request"
