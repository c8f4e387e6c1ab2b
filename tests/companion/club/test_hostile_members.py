"""A member of a club that means no good harms itself: its messages are set aside, others go on."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from nats.aio.msg import Msg
from nats.errors import Error as NatsError

from companion.club import writer as writing
from companion.club.connection import Line, connect
from companion.club.membership import Membership
from companion.club.naming import (
    answer_subject,
    asking_subject,
    passed_on_subject,
    stream_of,
    subject,
    talk_stream_of,
    together_subject,
    waiting_subject,
)
from companion.club.overview import Tables, Window
from companion.club.repository import Database
from companion.club.seasons.kept_up import Seasons
from companion.club.seasons.season import season_of
from companion.club.upload import Uploader
from companion.club.wire import Invites
from companion.club.wire import heard as read
from companion.club.writer import SETTLE, Writer
from companion.decoding import decoded
from companion.journal.store import Journal
from tests.support.club import CLUB, Servers, Writing, equal_at, play, servers
from tests.support.hostile_letters import (
    HEADER,
    HEADERS,
    MATCH,
    POISON,
    begun,
    event,
    with_headers,
)
from tests.support.waiting import PATIENCE_S, until


def within_patience(work: Coroutine[Any, Any, Any]) -> Any:
    async def patiently() -> Any:
        return await asyncio.wait_for(work, PATIENCE_S)

    return asyncio.run(patiently())


async def heard(
    speaker: Membership, listener: Membership, where: str, mark: str, reply: str = ""
) -> bool:
    """True if ``listener`` hears what ``speaker`` says at ``where``, or the answer to it at
    ``reply``; both may use ``mark``."""
    there, here = await connect(listener), await connect(speaker)
    found: list[str] = []
    done = asyncio.Event()

    async def hear(message: Msg) -> None:
        found.append(message.subject)
        if message.subject == mark:
            done.set()

    wanted = reply or where
    try:
        for subject in (wanted, mark):
            await there.subscribe(subject, cb=hear)
        await there.flush()
        # What one says arrives in its order: after the mark nothing of it is under way. Said again
        # because the broker may hang up on both when it reads its configuration anew.
        while not done.is_set():
            await here.publish(where, b"{}", reply=reply)
            await here.publish(mark, b"{}")
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(done.wait(), 1)
        return wanted in found
    finally:
        await here.close()
        await there.close()


@pytest.fixture(scope="module")
def written(club: Servers) -> Iterator[Servers]:
    """A club whose writer has set up the broker's streams."""
    club.make(["ours", "other"])
    with Writing(club):
        yield club


def test_a_table_speaks_under_its_own_name_and_under_no_other(written: Servers) -> None:
    ours, other = written.make(["ours", "other"])
    mark = together_subject(CLUB, "ours", "other")

    def arrives(where: str) -> bool:
        return bool(within_patience(heard(ours, other, where, mark)))

    assert arrives(together_subject(CLUB, "ours", ""))
    for where in (
        together_subject(CLUB, "third", "other"), together_subject(CLUB, "other", "other"),
        passed_on_subject(CLUB, "third", "other"), answer_subject(CLUB, "other"),
        f"_INBOX.{CLUB}.other.x",
    ):  # fmt: skip
        assert not arrives(where), where
    before = set_aside(written, "ours"), set_aside(written, "other")

    async def speaks() -> None:
        client = await connect(ours)
        for table in ("other", "ours"):
            for where in (subject(CLUB, table, MATCH, "event"), asking_subject(CLUB, table)):
                await client.publish(where, b"{}")
        await client.close()

    within_patience(speaks())
    assert until(lambda: set_aside(written, "ours") == before[0] + 2)
    assert set_aside(written, "other") == before[1]


def test_a_table_cannot_listen_to_what_is_meant_for_others(written: Servers) -> None:
    ours, other = written.make(["ours", "other"])
    mark = together_subject(CLUB, "other", "ours")

    def hears(where: str) -> bool:
        return bool(within_patience(heard(other, ours, where, mark)))

    assert hears(together_subject(CLUB, "other", ""))
    for where in (
        f"_INBOX.{CLUB}.other.x", subject(CLUB, "other", MATCH, "event"),
        answer_subject(CLUB, "other"), together_subject(CLUB, "other", "north"),
        f"club.{CLUB}.table.*.together.>", ">",
        waiting_subject(CLUB, "other"), passed_on_subject(CLUB, "other", "north"), "$SYS.>",
        "_INBOX.>", "$JS.>",
    ):  # fmt: skip
        assert not hears(where), where


REPLIES = (
    f"$JS.API.STREAM.PURGE.{stream_of(CLUB, 'other')}",
    f"$JS.API.STREAM.DELETE.{stream_of(CLUB, 'ours')}",
    f"$JS.API.STREAM.DELETE.{talk_stream_of(CLUB)}",
    f"$JS.API.CONSUMER.DELETE.{stream_of(CLUB, 'other')}.writer",
    f"$JS.ACK.{stream_of(CLUB, 'other')}.writer.1.1.1.1.0", "$SYS.REQ.SERVER.PING",
    subject(CLUB, "other", MATCH, "event"), asking_subject(CLUB, "other"),
    answer_subject(CLUB, "other"), waiting_subject(CLUB, "other"), f"_INBOX.{CLUB}.other.x",
    f"_INBOX.{CLUB}.club.x", together_subject(CLUB, "third", "other"),
    passed_on_subject(CLUB, "third", "other"),
)  # fmt: skip
"""Addresses at which an answer of the broker or the writer would do harm, or be heard by others."""
VICTIMS = (
    f"_INBOX.{CLUB}.other.>", answer_subject(CLUB, "other"),
    together_subject(CLUB, "*", "other"), together_subject(CLUB, "*", ""),
)  # fmt: skip
"""All that the other table may hear."""


@pytest.mark.parametrize("said", ["event", "asks", "together"])
def test_no_answer_goes_to_an_address_that_the_asker_chose(written: Servers, said: str) -> None:
    ours, other = written.make(["ours", "other"])
    where = {
        "event": subject(CLUB, "ours", MATCH, "event"), "asks": asking_subject(CLUB, "ours"),
        "together": together_subject(CLUB, "ours", "other"),
    }[said]  # fmt: skip

    def question(number: int) -> bytes:
        return json.dumps({"v": 1, "number": number, "matches": []}).encode()

    async def attack() -> set[str]:
        victim, attacker = await connect(other), await connect(ours)
        heard: set[str] = set()
        over = asyncio.Event()

        async def hear(message: Msg) -> None:
            heard.add(message.subject)

        async def answered(message: Msg) -> None:
            if json.loads(message.data)["number"] == 2:
                over.set()

        for mine in VICTIMS:
            await victim.subscribe(mine, cb=hear)
        await victim.flush()
        await attacker.subscribe(answer_subject(CLUB, "ours"), cb=answered)
        for reply in REPLIES:
            for headers in (None, {"Nats-Rollup": "all"}, {"Status": "409"}):
                await attacker.publish(where, question(1), reply=reply, headers=headers)
        # Answered last: all that came before has been dealt with.
        await attacker.publish(asking_subject(CLUB, "ours"), question(2))
        await over.wait()
        heard.discard(together_subject(CLUB, "ours", "other"))
        found = set(heard)
        # The stream of the other is still there.
        await victim.jetstream().publish(subject(CLUB, "other", MATCH, "event"), b"{}")
        await attacker.close()
        await victim.close()
        return found

    before = set_aside(written, "other")
    assert within_patience(attack()) == set()
    assert until(lambda: set_aside(written, "other") > before)
    assert set_aside(written, "other") == before + 1


def asked(club: Servers, query: str, *values: object) -> list[tuple[Any, ...]]:
    with psycopg.connect(club.database.dsn) as db:
        found = db.execute(query.encode(), values)
        return found.fetchall() if found.description else []


def set_aside(club: Servers, table: str) -> int:
    rows = asked(club, "select set_aside from tables where name = %s", table)
    return int(rows[0][0]) if rows else 0


@pytest.fixture
def own_club() -> Iterator[Servers]:
    """Servers whose writer nobody else uses."""
    with servers() as found:
        yield found


async def attack(member: Membership, letters: list[tuple[str, bytes]]) -> None:
    client = await connect(member)
    for what, data in letters:
        await client.publish(subject(CLUB, member.table, MATCH, what), data)
    for headers in HEADERS:
        await with_headers(client, subject(CLUB, member.table, MATCH, "event"), headers)
    await client.publish(asking_subject(CLUB, member.table), b'{"v": 1, "number": 1e999}')
    await client.drain()


def test_what_makes_no_sense_is_set_aside_and_an_honest_table_does_not_wait(
    club: Servers, tmp_path: Path
) -> None:
    hostile, honest = club.make(["hostile", "honest"])
    with Journal(tmp_path / "journal.db") as journal, Writing(club):
        within_patience(attack(hostile, POISON))
        sent = len(POISON) + len(HEADERS) + 1
        play(journal, "dolmengoetter", 1, most=20)
        uploader = Uploader(honest, tmp_path).start()
        try:
            assert until(lambda: equal_at(club, journal, honest))
        finally:
            uploader.close()
        assert until(lambda: set_aside(club, "hostile") == sent)
    assert set_aside(club, "honest") == 0
    assert asked(club, "select count(*) from events where tab = 'hostile'") == [(0,)]
    kept = asked(club, "select count(*), max(length(data)) from set_aside where tab = 'hostile'")
    assert kept == [(writing.KEPT, writing.KEPT_BYTES)]
    # The organiser sees who it was.
    found = asyncio.run(with_database(club, Database.set_aside))
    assert [(one.table, one.count) for one in found][:1] == [("hostile", sent)]


def test_a_table_goes_on_hearing_whatever_headers_another_one_writes(club: Servers) -> None:
    hostile, listens = club.make(["hostile", "listening"])
    found: list[bytes] = []
    came = threading.Event()
    line = Line(listens, came.set)
    said = together_subject(CLUB, "hostile", "listening")
    line.listen(said, lambda _, data: found.append(data))
    line.start()

    async def talk() -> None:
        client = await connect(hostile)
        for headers in HEADERS:
            await with_headers(client, said, headers)
        await client.publish(said, b"still there?")
        await client.drain()

    try:
        assert came.wait(PATIENCE_S)
        within_patience(talk())
        assert until(lambda: b"still there?" in found)
    finally:
        line.close()


def test_what_ends_the_writer_again_and_again_is_set_aside(
    own_club: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    hostile, honest = own_club.make(["ours", "other"])
    monkeypatch.setattr(writing, "AGAIN_S", 0.3)
    tried = []

    def deadly(data: bytes, kind: Any) -> Any:
        if b'"deadly"' in data:
            tried.append(data)
            raise SystemError("the writer ends")
        return decoded(data, kind)

    monkeypatch.setattr(writing, "decoded", deadly)

    async def written() -> None:
        await attack(hostile, [("event", event(type="deadly"))])
        await attack(honest, [("begun", begun()), ("event", event())])
        while set_aside(own_club, "ours") < len(HEADERS) + 2:
            client = await connect(own_club.own)
            over = asyncio.Event()
            asyncio.get_running_loop().call_later(1.0, over.set)
            try:
                await Writer(CLUB, client, own_club.database.dsn, lambda: own_club.tables).run(over)
            except SystemError:
                pass
            finally:
                await client.close()

    within_patience(written())
    assert len(tried) == writing.TRIES + 1
    assert asked(own_club, "select tab, seq from events") == [("other", 1)]


def test_a_member_is_given_so_much_room_and_no_more(
    club: Servers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "A_DAY", 100_000)
    monkeypatch.setattr(writing, "MATCHES_A_DAY", 3)
    greedy, modest = club.make(["greedy", "modest"])
    big = event(type="other", body={"x": "x" * 50_000})

    async def fills() -> int:
        client = await connect(greedy)
        stream, refused = client.jetstream(), 0
        for _ in range(2 * writing.WAITING // len(big)):
            try:
                await stream.publish(subject(CLUB, "greedy", MATCH, "event"), big)
            except NatsError:
                refused += 1
        await client.close()
        return refused

    # While nobody writes, the broker keeps so much of one table.
    assert within_patience(fills()) > 0
    with Journal(tmp_path / "journal.db") as journal, Writing(club):
        play(journal, "dolmengoetter", 1, most=20)
        uploader = Uploader(modest, tmp_path).start()
        try:
            assert until(lambda: equal_at(club, journal, modest))
        finally:
            uploader.close()
        assert until(lambda: set_aside(club, "greedy") > 3)
    assert asked(club, "select sum(length(body::text)) < 100000 from events where tab = 'greedy'")
    assert set_aside(club, "modest") == 0


async def with_database(club: Servers, ask: Callable[[Database], Any]) -> Any:
    database = Database(club.database.dsn)
    try:
        return await ask(database)
    finally:
        await database.close()


END = {"reason": "points", "ranking": [[0], [1]], "scores": [3, 2]}
ROWS: list[tuple[dict[str, Any], dict[str, Any], float]] = [
    (HEADER, END, 1e300), (HEADER, END, float("nan")), (HEADER, END, -1e12),
    ({**HEADER, "players": 10**9}, END, 1.79e9), ({**HEADER, "computers": ["x"] * 9}, END, 1.79e9),
    (HEADER, {**END, "scores": [3]}, 1.79e9), (HEADER, {**END, "scores": ["x", {}]}, 1.79e9),
    (HEADER, {**END, "ranking": [[0], [0]]}, 1.79e9), (HEADER, {**END, "ranking": [[7]]}, 1.79e9),
    ({**HEADER, "names": 3}, END, 1.79e9), ({}, END, 1.79e9), (HEADER, {}, 1.79e9),
]  # fmt: skip
"""What older programs stored: header, end, and time of the end."""


def test_a_stored_match_that_cannot_be_read_is_left_out_and_the_pages_stay(club: Servers) -> None:
    with psycopg.connect(club.database.dsn) as db:
        for number, (header, end, t) in enumerate([*ROWS, (HEADER, END, 1.79e9)]):
            table, id = f"old-{number}", f"{number:024x}"
            db.execute("insert into tables (name) values (%s)", (table,))
            db.execute(
                "insert into matches (tab, id, header, status, complete, highest) "
                "values (%s, %s, %s, 'finished', 1, 1)", (table, id, json.dumps(header)),
            )  # fmt: skip
            db.execute(
                "insert into events (tab, match, seq, t, type, src, body) "
                "values (%s, %s, 1, %s, 'end', 'dealer', %s)", (table, id, t, json.dumps(end)),
            )  # fmt: skip
            db.execute(SETTLE.encode(), {"tab": table, "match": id})

    async def shown(database: Database) -> tuple[list[str], list[str]]:
        recorded = await Seasons(club.database.dsn).played()
        played = [one for one in recorded if one.table.startswith("old-")]
        assert season_of(played, 2026)["matches"] == len(played)
        tables = Tables(CLUB, database, "en")
        for number in range(len(ROWS) + 1):
            assert await tables.table(f"old-{number}") is not None
        lines = json.loads(tables.picture(Window("en", "old-")))["tables"]
        return [one.table for one in played], [
            one["name"] for one in lines if one["name"].startswith("old-") and one["match"]
        ]

    played, lines = within_patience(with_database(club, shown))
    assert played == [f"old-{len(ROWS)}"]
    assert f"old-{len(ROWS)}" in lines and "old-3" not in lines


def invitation(name: str) -> bytes:
    return json.dumps({
        "what": "invites", "v": 1, "match": MATCH, "game": "dolmengoetter", "players": 2,
        "options": {}, "names": [name, "Ben"], "enforcement": "enforce", "seats": [1], "rules": "x",
    }).encode()  # fmt: skip


@pytest.mark.parametrize("name", ["\u001b[2JAda", "\u202eadA", "\ud800", "A\u0000da", "x" * 81])
def test_names_in_an_invitation_do_nothing_but_appear(name: str) -> None:
    assert read(invitation(name)) is None
    said = read(invitation("  Ada   Lovelace  "))
    assert isinstance(said, Invites)
    assert said.plan.names == ("Ada Lovelace", "Ben")
