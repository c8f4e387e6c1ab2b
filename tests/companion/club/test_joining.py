"""Joining a club: its keys, what a table is told, and the check of it."""

from __future__ import annotations

import asyncio
import subprocess
import threading
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import msgspec
import pytest
from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.js.api import Header

from companion.app.application import Application
from companion.app.checkup import reaching
from companion.app.cli import main
from companion.club.connection import Line, connect
from companion.club.membership import FILE, Membership, join, write_secret
from companion.club.naming import subject, together_subject
from companion.club.serving import LocalBroker, broker_config
from companion.club.settings import new_seed, public_key
from companion.match.view import PlayMove
from companion.settings.people import MatchSetup
from companion.settings.settings import Settings
from companion.support.doctor.finding import Place
from rules.core import Move
from tests.support.club import CLUB, Servers, Writing, expected, free_port, listens, stored
from tests.support.needed import skip_without
from tests.support.waiting import PATIENCE_S, patience, until


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
                assert until(lambda: session.view.ply == 2)
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


MATCH = "0123456789abcdef01234567"


def within_patience(work: Coroutine[Any, Any, Any]) -> Any:
    async def patiently() -> Any:
        return await asyncio.wait_for(work, PATIENCE_S)

    return asyncio.run(patiently())


@pytest.mark.parametrize("known", [True, False])
def test_who_has_no_key_of_the_club_is_not_let_in(club: Servers, known: bool) -> None:
    (ours,) = club.make(["ours"])
    seed = ours.seed if known else new_seed()

    async def enters() -> bool:
        client = Client()
        try:
            await client.connect(
                list(ours.servers), nkeys_seed_str=seed, allow_reconnect=False, connect_timeout=5
            )
        except NatsError:
            return False
        await client.close()
        return True

    assert within_patience(enters()) is known


def test_what_is_sent_twice_is_kept_once(club: Servers) -> None:
    (ours,) = club.make(["ours"])

    async def twice() -> list[bool]:
        client = await connect(ours)
        stream = client.jetstream()
        where = subject(CLUB, "ours", MATCH, "event")
        try:
            said = [
                await stream.publish(where, b"{}", headers={Header.MSG_ID: f"{MATCH}.1"})
                for _ in range(2)
            ]
        finally:
            await client.close()
        return [bool(one.duplicate) for one in said]

    assert within_patience(twice()) == [False, True]


def test_two_tables_talk_to_each_other_under_their_own_names(club: Servers) -> None:
    ours, other = club.make(["ours", "other"])
    found: list[tuple[str, bytes]] = []
    came = threading.Event()
    listener = Line(other, came.set)
    said = together_subject(CLUB, "ours", "other")
    listener.listen(said, lambda s, data: found.append((s, data)))
    listener.start()
    speaker = Line(ours).start()
    try:
        assert came.wait(PATIENCE_S)
        assert until(lambda: speaker.up)
        assert until(lambda: speaker.say(said, b"hello") and bool(found))
        assert found[0] == (said, b"hello")
    finally:
        speaker.close()
        listener.close()


def test_the_file_of_a_table_is_for_nobody_elses_eyes(tmp_path: Path) -> None:
    from companion.club.settings import Club, found_club

    file = tmp_path / "club.toml"
    found_club(file, "circle", "10.0.0.7")
    member = Club(file).new_table("north")
    assert member.servers == ("nats://10.0.0.7:4222",)
    assert file.stat().st_mode & 0o077 == 0
    Club(file).own()
    assert (tmp_path / "keys" / "club.seed").stat().st_mode & 0o077 == 0
    assert member.seed not in file.read_text()


def test_with_a_certificate_tables_connect_encrypted_and_trust_nobody_else(tmp_path: Path) -> None:
    skip_without("nats-server", "openssl")
    for name in ("ours", "foreign"):
        subprocess.run(
            [
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                "-nodes", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
                "-keyout", f"{name}.key", "-out", f"{name}.crt", "-days", "2",
            ],
            cwd=tmp_path, check=True, capture_output=True,
        )  # fmt: skip
    port, seed = free_port(), new_seed()
    broker = LocalBroker(tmp_path)
    broker.configure(broker_config(
        CLUB, f"127.0.0.1:{port}", tmp_path / "store", {"north": public_key(seed)},
        public_key(new_seed()), certificate=str(tmp_path / "ours.crt"),
        certificate_key=str(tmp_path / "ours.key"),
    ))  # fmt: skip
    broker.start()

    async def enters(authority: str) -> bool:
        member = Membership(
            club=CLUB, table="north", servers=(f"tls://localhost:{port}",), seed=seed,
            authority=(tmp_path / authority).read_text(),
        )  # fmt: skip
        try:
            client = await connect(member)
        except (NatsError, OSError, TimeoutError):
            return False
        await client.close()
        return True

    try:
        assert until(lambda: listens(port))
        assert within_patience(enters("ours.crt"))
        with pytest.MonkeyPatch.context() as patch:
            # It would go on trying.
            patch.setattr("companion.club.connection.CONNECT_S", 1.0)
            assert not within_patience(enters("foreign.crt"))
    finally:
        broker.end()


def told(member: Membership | str, state: Path) -> str:
    text = member if isinstance(member, str) else member.toml()
    write_secret(state / FILE, text)
    found = [one for one in reaching(Place("en", state), Settings(), state) if one.check == "club"]
    assert len(found) == 1
    return f"{found[0].level}: {found[0].text}"


def test_the_club_is_called_with_the_tables_own_key(club: Servers, tmp_path: Path) -> None:
    member = club.table("examined")
    assert told(member, tmp_path) == f"ok: The club {member.club} knows this table as examined."
    stranger = msgspec.structs.replace(member, seed=new_seed())
    assert "does not know this table" in told(stranger, tmp_path)
    away = msgspec.structs.replace(member, servers=(f"nats://127.0.0.1:{free_port()}",))
    assert "does not answer" in told(away, tmp_path)
    assert told("club = 3", tmp_path).startswith("trouble: ")
