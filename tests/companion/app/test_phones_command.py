"""Phones at a table without a screen: the command that answers for it, and the players' buttons."""

from __future__ import annotations

import json
import socket
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app.application import Application
from companion.app.service import FORGOTTEN_S, TOO_SOON_S, Doorbell
from companion.settings.people import MatchSetup
from companion.settings.services import WebSettings
from companion.settings.settings import Settings
from hardware.settings import MOCK_RIG
from tests.support.command import Heelstone
from tests.support.served import Phone
from tests.support.waiting import until

pytest.importorskip("starlette", reason="starlette is not installed here")
pytest.importorskip("uvicorn", reason="uvicorn is not installed here")

PLAN = MatchSetup("dominion", 2, physical=False, names=("Anna", "Ben"))


@pytest.fixture
def unused_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@pytest.fixture
def house(tmp_path: Path, unused_port: int) -> Iterator[Application]:
    settings = Settings(web=WebSettings(port=unused_port), rig=MOCK_RIG)
    built = Application(settings, tmp_path / "state", "en")
    built.phones.want(True)
    built.start(PLAN)
    assert until(lambda: len(built.phones.now.seats) == 2 and built.phones.now.ready)
    (tmp_path / "settings.toml").write_text(f"[web]\nport = {unused_port}\n")
    yield built
    built.close()


def scanned(house: Application, seat: int) -> Phone:
    phone = Phone(house.settings.web.port)
    assert phone.claim(house.phones.now.seats[seat].link.partition("#")[2]).status == 200
    return phone


def state(phone: Phone) -> object:
    told = phone.get("/api/hand").json
    return told.get("state") or told["reason"]


def let_in(phone: Phone) -> bool:
    """Wait until the phone gets its hand: after the first picture of the match."""
    return until(lambda: state(phone) == "open")


@pytest.fixture
def phones(house: Application, heelstone: Heelstone, tmp_path: Path) -> Heelstone:
    def run(*arguments: object) -> object:
        return heelstone(
            "phones", *arguments, "--data", tmp_path / "state", "--lang", "en",
            "--settings", tmp_path / "settings.toml",
        )  # fmt: skip

    return run  # type: ignore[return-value]


def test_the_command_shows_a_code_and_lets_phones_in_and_out(
    house: Application, phones: Heelstone
) -> None:
    assert phones().out == "1 Anna: no phone yet\n2 Ben: no phone yet\n"
    shown = phones("code", "Ben").out
    link = house.phones.now.seats[1].link
    assert shown.startswith("Ben\n") and shown.rstrip().endswith(link) and shown.count("\n") > 15
    phone = scanned(house, 1)
    assert phones("yes", 2).out == "2 Ben: a phone is here\n"
    assert let_in(phone)
    assert "heelstone phones new 2" in phones("code", 2).complaint()
    assert "another one may" in phones("new", "Ben").out
    assert phones("back", "Ben").out == "2 Ben: no phone yet\n"
    assert state(phone) == "taken_back"
    assert "no phone waits for Ben" in phones("yes", 2).complaint()
    other = scanned(house, 0)
    assert phones("no", 1).code == 0 and state(other) == "refused"
    assert [one["seat"] for one in phones("--json").records] == [0, 1]


def test_where_no_phone_can_come_the_command_says_why_and_a_table_with_a_screen_has_no_host(
    phones: Heelstone, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "has a screen" in phones("code").complaint()
    monkeypatch.setattr("companion.web.network.addresses", lambda: ())
    for words in ((), ("new", 1)):
        assert "no network" in phones(*words).out
    assert "no network" in phones("code", 1).complaint()


def test_a_seat_that_is_none_is_named_with_those_that_are(phones: Heelstone) -> None:
    for named in (("yes",), ("no", 3), ("back", "Carl")):
        assert "1 Anna" in phones(*named).complaint()


@pytest.fixture
def slow_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.web.server._LAMPS_FIRST_S", 3600.0)


@pytest.mark.usefixtures("slow_pictures")
def test_names_are_known_before_the_first_picture_of_the_match(phones: Heelstone) -> None:
    assert "1 Anna, 2 Ben" in phones("back", "Carl").complaint()
    assert phones().out == "1 Anna: no phone yet\n2 Ben: no phone yet\n"


def test_without_a_running_table_the_command_says_what_to_do(
    heelstone: Heelstone, tmp_path: Path, unused_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "settings.toml").write_text(f"[web]\nport = {unused_port}\n")
    # Another test may run one.
    monkeypatch.setattr("companion.support.doctor.finding.Place.tables", lambda _: ())

    def complaint() -> str:
        words = ("--settings", tmp_path / "settings.toml", "--data", tmp_path, "--lang", "en")
        return heelstone("phones", *words).complaint()

    assert "settings set web.enabled=true" in complaint()
    (tmp_path / "settings.toml").write_text(f"[web]\nport = {unused_port}\nenabled = true\n")
    assert "heelstone serve" in complaint()
    with socket.create_server(("127.0.0.1", unused_port)) as other:
        answering = threading.Thread(target=_say_hello, args=(other,))
        answering.start()
        assert "Another program" in complaint()
        answering.join()
    monkeypatch.setattr("companion.web.network.addresses", lambda: ())
    assert "no network" in complaint()


def _say_hello(server: socket.socket) -> None:
    """A page of somebody else's, for the command and for the question why."""
    for _ in range(2):
        line, _address = server.accept()
        with line:
            line.recv(4096)
            line.sendall(b"HTTP/1.0 200 OK\r\n\r\n<p>hello")


def test_a_table_that_keeps_its_matches_elsewhere_or_has_no_match_is_told(
    house: Application, heelstone: Heelstone, phones: Heelstone, tmp_path: Path
) -> None:
    (tmp_path / "settings.toml").write_text(
        f"[web]\nport = {house.settings.web.port}\nenabled = true\n"
    )
    words = ("--settings", tmp_path / "settings.toml", "--lang", "en")
    assert "--data" in heelstone("phones", *words, "--data", tmp_path / "other").complaint()
    house.pause()
    assert until(lambda: not house.phones.now.seats)
    assert "No match is on the table" in phones().complaint()


def test_nobody_gives_orders_who_cannot_read_the_tables_own_file(
    house: Application, tmp_path: Path
) -> None:
    phone = scanned(house, 0)
    kept = tmp_path / "state" / "phones.json"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    for key in ("", "A" * 22, phone.cookie.partition("=")[2]):
        order = {"key": key, "do": "confirm", "seat": 0}
        assert phone.post("/api/seats", order).status == 404
    key = json.loads(kept.read_text())["key"]
    order = {"key": key, "do": "confirm", "seat": 0}
    assert phone.post("/api/seats", order, {"X-Heelstone": ""}).status == 403
    assert phone.post("/api/seats", order, {"Origin": "http://evil.example"}).status == 403
    assert phone.post("/api/seats", order | {"do": "begin"}).status == 422
    assert state(phone) == "waiting"
    assert phone.post("/api/seats", order).status == 200
    assert let_in(phone)


def test_the_players_buttons_answer_where_no_screen_asks(house: Application) -> None:
    assert until(lambda: Phone(house.settings.web.port).get("/api/table").json["match"])
    now = 100.0
    bell = Doorbell(house, lambda: now)
    house.phones.when_asked(bell.rung)
    assert not bell.answered(True), "nobody asks"
    anna, ben = scanned(house, 0), scanned(house, 1)
    assert until(lambda: len(bell._asking) == 2)
    now += TOO_SOON_S / 2
    assert not bell.answered(True), "that was meant for the game"
    now += TOO_SOON_S
    assert bell.answered(True)
    assert let_in(anna) and state(ben) == "waiting"
    assert not bell.answered(False), "Ben's was only now asked about"
    now += TOO_SOON_S
    assert bell.answered(False)
    assert (state(anna), state(ben)) == ("open", "refused")
    late = scanned(house, 1)
    assert until(lambda: len(bell._asking) == 1)
    now += FORGOTTEN_S
    assert not bell.answered(True)
    assert state(late) == "waiting"
