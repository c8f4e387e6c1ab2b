"""The line to a real broker: what arrives, who is refused, what happens when it goes."""

from __future__ import annotations

import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

from companion.app.application import Application
from companion.match.session import Session
from companion.match.view import PlayMove, Undo
from companion.settings.people import MatchSetup
from companion.settings.services import MqttSettings
from companion.settings.settings import Settings
from rules.core import Move
from tests.support.broker import Broker, broker
from tests.support.needed import skip_without
from tests.support.waiting import until

PLAN = MatchSetup("knizia_stonehenge", 2, physical=False, names=("Anna", "Jörg"))
STATE, EVENT = "heelstone/table/state", "heelstone/table/event"
THERE = "heelstone/table/availability"
KNOWN = "homeassistant/device/heelstone_table/config"


@contextmanager
def house_at(server: Broker, folder: Path, **more: Any) -> Iterator[Application]:
    """A whole Heelstone whose settings name this broker."""
    mqtt = MqttSettings(host="127.0.0.1", port=server.port, **more)
    built = Application(Settings(mqtt=mqtt), folder, "en")
    try:
        yield built
    finally:
        built.close()


def play(session: Session, text: str) -> None:
    session.post(PlayMove(Move.parse(text)))
    assert session.settle()


def troubled(session: Session, code: str) -> Callable[[], bool]:
    return lambda: session.view.devices.get("house", "") == code


def test_a_match_arrives_move_by_move_and_the_table_as_it_is(tmp_path: Path) -> None:
    with broker(tmp_path) as server, server.ear() as ear:
        with house_at(server, tmp_path) as house:
            session = house.start(PLAN)
            assert until(lambda: ear.last(THERE) == "online")
            assert until(lambda: (ear.last(STATE) or {}).get("turn_of") == "Anna")
            play(session, "p0 place 3 L")
            assert until(lambda: (ear.last(STATE) or {}).get("turn_of") == "Jörg")
            session.post(Undo())
            assert until(lambda: "move.taken_back" in ear.events())
            assert until(lambda: (ear.last(STATE) or {}).get("turn_of") == "Anna")
        assert until(lambda: ear.last(THERE) == "offline")
        assert until(lambda: not ear.last(STATE)["running"])
    events = ear.all(EVENT)
    assert [event["n"] for event in events] == list(range(1, len(events) + 1))
    assert ear.events()[:3] == ["match.started", "turn.started", "move.agreed"]
    assert events[2]["text"] and events[2]["seat"] == 0
    assert not any(kept for topic, _, kept in ear.heard if topic == EVENT)


def test_who_comes_later_finds_how_the_table_stands_but_no_old_events(tmp_path: Path) -> None:
    with broker(tmp_path) as server, house_at(server, tmp_path) as house:
        session = house.start(PLAN)
        play(session, "p0 place 3 L")
        assert until(lambda: house.neighbours.line is not None and house.neighbours.line.connected)
        with server.ear() as first:
            assert until(lambda: (first.last(STATE) or {}).get("moves") == 2)
        with server.ear() as ear:
            assert until(lambda: ear.last(STATE) is not None and ear.last(KNOWN) is not None)
            assert ear.last(STATE)["last"]
            assert ear.last(THERE) == "online"
            assert ear.events() == []


def test_a_broker_that_is_killed_is_found_again_and_knows_everything(tmp_path: Path) -> None:
    with broker(tmp_path) as server, house_at(server, tmp_path) as house:
        session = house.start(PLAN)
        assert until(lambda: house.neighbours.line is not None and house.neighbours.line.connected)
        server.kill()
        assert until(lambda: session.view.devices.get("house") in ("broker_gone", "no_broker"))
        play(session, "p0 place 3 L")
        assert session.view.ply == 2, "a match does not wait for a broker"
        server.start()
        with server.ear() as ear:
            assert until(lambda: "move.agreed" in ear.events())
            assert until(lambda: (ear.last(STATE) or {}).get("moves") == 2)
            assert ear.last(KNOWN)["components"]["score_2"]["name"] == "Points Jörg"
        assert until(lambda: "house" not in session.view.devices)


def test_when_the_program_is_killed_its_last_will_says_so(tmp_path: Path) -> None:
    with broker(tmp_path) as server, server.ear() as ear, house_at(server, tmp_path) as house:
        house.start(PLAN)
        assert until(lambda: ear.last(THERE) == "online")
        line = house.neighbours.line
        assert line is not None and line._client is not None
        # As the kernel does it when a program dies.
        cast(socket.socket, line._client.socket()).shutdown(socket.SHUT_RDWR)
        assert until(lambda: "offline" in ear.all(THERE))
        assert until(lambda: ear.last(THERE) == "online")


def test_home_assistant_is_told_again_when_it_has_started(tmp_path: Path) -> None:
    with broker(tmp_path) as server, server.ear() as ear, house_at(server, tmp_path) as house:
        house.start(PLAN)
        assert until(
            lambda: ear.last(KNOWN) is not None and bool((ear.last(STATE) or {}).get("match"))
        )
        told = len(ear.all(KNOWN))
        server.say("homeassistant/status", b"online")
        assert until(lambda: len(ear.all(KNOWN)) > told)
        assert ear.all(KNOWN)[-1] == ear.all(KNOWN)[told - 1]


def test_without_discovery_home_assistant_is_told_nothing(tmp_path: Path) -> None:
    with broker(tmp_path) as server, server.ear() as ear:
        with house_at(server, tmp_path, discovery=False) as house:
            house.start(PLAN)
            assert until(lambda: (ear.last(STATE) or {}).get("match") is not None)
        assert until(lambda: ear.last(THERE) == "offline")
        assert not [topic for topic, _, _ in ear.heard if topic.startswith("homeassistant")]


def guarded(folder: Path) -> tuple[str, ...]:
    """A broker that wants a name and a password."""
    passwords = folder / "passwords"
    made = ["mosquitto_passwd", "-b", "-c", str(passwords), "anna", "nightingale"]
    try:
        subprocess.run(made, check=True, capture_output=True)
    except FileNotFoundError:
        skip_without("mosquitto_passwd")
    return ("allow_anonymous false", f"password_file {passwords}")


def test_a_refused_password_is_told_as_such_and_the_match_goes_on(tmp_path: Path) -> None:
    with (
        broker(tmp_path, *guarded(tmp_path)) as server,
        house_at(server, tmp_path, user="anna", password="wrong") as house,
    ):
        session = house.start(PLAN)
        assert until(troubled(session, "broker_refuses"))
        play(session, "p0 place 3 L")
        assert session.view.ply == 2


def test_the_right_password_opens_the_line(tmp_path: Path) -> None:
    with (
        broker(tmp_path, *guarded(tmp_path)) as server,
        server.ear("anna", "nightingale") as ear,
        house_at(server, tmp_path, user="anna", password="nightingale") as house,
    ):
        house.start(PLAN)
        assert until(lambda: (ear.last(STATE) or {}).get("match") is not None)
        assert "nightingale" not in repr(ear.heard)


def test_a_broker_that_talks_without_end_is_left_alone(tmp_path: Path) -> None:
    with broker(tmp_path) as server, house_at(server, tmp_path) as house:
        session = house.start(PLAN)
        assert until(lambda: house.neighbours.line is not None and house.neighbours.line.connected)
        server.say("homeassistant/status", b"online", times=300)
        assert until(troubled(session, "broker_floods"))
        play(session, "p0 place 3 L")
        assert session.view.ply == 2


def test_a_broker_whose_certificate_nobody_knows_is_not_spoken_with(tmp_path: Path) -> None:
    with broker(tmp_path) as server:
        missing = str(tmp_path / "no-such.pem")
        with house_at(server, tmp_path, tls=True, ca_file=missing) as house:
            assert until(troubled(house.start(PLAN), "broker_certificate"))
