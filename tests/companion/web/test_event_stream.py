"""The stream of what happens: numbered, versioned, and for people who build their own things."""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import fields
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.journal.events import Source
from companion.match.events import MatchOver, MovesCommitted, MovesUndone, TableEvent
from companion.match.view import PlayMove, Undo
from companion.web.event_stream import KINDS, VERSION, Happened, Happenings
from companion.web.public_page import PublicPage
from companion.web.stream import Reader, event
from rules.core import Move
from rules.testing.playout import pick
from tests.support.phone_pictures import play_on, session_of, table_of, taken
from tests.support.served import served
from tests.support.waiting import until


def read(one: Happened, lang: str = "en") -> dict[str, Any]:
    found: dict[str, Any] = json.loads(one.told[lang])
    return found


def test_a_match_is_won_and_ended_by_two_happenings_in_this_order() -> None:
    table = table_of("knizia_stonehenge", 2)
    play_on(table, 10_000, Random(1))
    snapshot = taken(table)
    outcome = snapshot.match.outcome
    assert outcome is not None
    told = Happenings()
    told.opened(snapshot.public)
    last = [read(one) for one in told.heard(snapshot.public, [MatchOver(outcome)])]
    assert [one["what"] for one in last] == ["match.won", "match.ended"]
    assert last[0]["seats"] == list(outcome.ranking[0])
    assert last[1]["reason"] == outcome.reason and last[1]["scores"] == list(outcome.scores)


def test_every_happening_says_its_version_its_number_and_its_match() -> None:
    table = table_of("knizia_stonehenge", 2)
    told = Happenings()
    found = told.opened(taken(table).public)
    play_on(table, 1, Random(1))
    snapshot = taken(table)
    found += told.heard(snapshot.public, [MovesCommitted(snapshot.view.told, Source.TOUCH, ())])
    numbers = [read(one)["n"] for one in found]
    assert numbers == list(range(1, len(found) + 1))
    assert all(read(one)["v"] == VERSION and read(one)["match"] == "m" for one in found)
    assert {read(one)["what"] for one in found} >= {"match.started", "move.agreed"}


def test_moves_are_numbered_as_the_record_numbers_them_and_corrections_are_told() -> None:
    table = table_of("knizia_stonehenge", 2)
    play_on(table, 6, Random(1))
    snapshot = taken(table)
    told = Happenings()
    told.opened(snapshot.public)
    moves = snapshot.view.told[-2:]
    gone = (Move.parse("p0 place 1 A"),) * 3
    events: list[TableEvent] = [MovesUndone(gone, ()), MovesCommitted(moves, Source.TOUCH, ())]
    found = [read(one) for one in told.heard(snapshot.public, events)]
    assert [one["what"] for one in found] == [
        "move.taken_back", "entry.amended", "move.agreed", "move.agreed",
    ]  # fmt: skip
    assert [one["ply"] for one in found] == [
        snapshot.match.ply - 2, snapshot.match.ply - 1, snapshot.match.ply - 1, snapshot.match.ply,
    ]  # fmt: skip


def test_who_comes_back_hears_what_was_missed_and_nothing_twice() -> None:
    with served("knizia_stonehenge") as table:
        phone, session = table.phone(), table.session
        with phone.stream() as stream:
            assert stream.next()[0] == "table"
            session.post(PlayMove(session.view.legal[0]))
            name, last, first = stream.next("happened")
        session.post(Undo())
        assert session.settle()
        with phone.stream(headers={"Last-Event-ID": last}) as stream:
            while True:
                _name, _id, told = stream.next("happened")
                assert told["n"] > first["n"]
                if told["what"] == "move.taken_back":
                    break
        assert name == "happened" and first["what"] == "move.agreed"


def test_numbers_of_an_earlier_start_of_the_program_bring_nothing_back() -> None:
    table, told = table_of("knizia_stonehenge", 2), Happenings()
    (first,) = told.opened(taken(table).public)
    assert told.since(first.id) == []
    assert told.since(f"{first.run}.0") == [first]
    for id in ("", "x", "other.0", f"{first.run}.x", f"{first.run}.-1"):
        assert told.since(id) == []


@pytest.mark.parametrize(
    ("game", "options"), [("trilithen_knallen", {}), ("knizia_stonehenge", {"hidden": "on"})]
)
def test_who_comes_back_is_told_only_what_is_public_now_and_how_much_is_left_out(
    game: str, options: dict[str, str]
) -> None:
    table, told, random = table_of(game, 2, options=options), Happenings(), Random(2)
    (first,) = told.opened(taken(table).public)
    changed = 0
    for number in range(140):
        match, before = table.match, taken(table).view.told
        if match.outcome is not None:
            break
        wrong = number % 7 == 6
        move = pick(match.state, match.state.legal_moves(), random)
        events = table.handle(Undo() if wrong else PlayMove(move), 0.0)
        now = taken(table)
        told.heard(now.public, events)
        changed += now.view.told[: len(before)] != before and not wrong
        last = first.number
        for one in map(read, told.since(first.id)):
            last += one["count"] if one["what"] == "missed" else 1
            assert one["n"] == last
            if one["what"] == "move.agreed":
                assert one["move"] == now.view.told[one["ply"] - 1].text
    assert changed or game != "trilithen_knallen"


def test_a_match_that_left_the_table_unfinished_is_not_told_move_by_move_any_more() -> None:
    table, told = table_of("knizia_stonehenge", 2), Happenings()
    (first,) = told.opened(taken(table).public)
    events = table.handle(PlayMove(table.record.legal[0]), 0.0)
    assert [read(one)["what"] for one in told.heard(taken(table).public, events)]
    told.left()
    assert [read(one)["what"] for one in told.since(first.id)] == ["missed", "match.left"]


def test_a_reader_that_was_away_for_long_gets_the_newest_picture_and_the_last_happenings() -> None:
    async def listen() -> bytes:
        made = 0

        def newest() -> bytes:
            nonlocal made
            made += 1
            return event("table", b"%d" % made)

        reader = Reader("en", newest, happenings=True)
        one = Happened("run", 1, {"en": b"{}"})
        for _number in range(1000):
            reader.wake()
            reader.tell(one)
        return await reader.next()

    told = asyncio.run(listen())
    assert told.count(b"event: table\n") == 1
    assert told.count(b"event: happened\n") == 200


def test_a_match_that_is_left_and_taken_up_again_is_told_so() -> None:
    table = table_of("knizia_stonehenge", 2)
    play_on(table, 4, Random(1))
    session = session_of(table)
    with served(session=session) as here, here.phone().stream() as stream:
        assert stream.next("table")[2]["ply"] == session.view.ply
        here.server.follow(None)
        assert stream.next("happened")[2]["what"] == "match.left"
        here.server.follow(session)
        told = stream.next("happened")[2]
        assert told["what"] == "match.resumed" and told["ply"] == session.view.ply
    session.close()


PAGE = (Path(__file__).parents[3] / "docs" / "events.md").read_text(encoding="utf-8")


def _listed(text: str) -> set[str]:
    """The names that entries of its lists begin with."""
    heads = re.findall(r"(?m)^- ((?:`[a-z._]+`(?:, )?)+): ", text)
    return {name for head in heads for name in re.findall(r"`(.*?)`", head)}


def test_everything_that_may_be_told_is_on_the_page_about_it() -> None:
    section = PAGE.partition("## Happenings")[2].partition("## The picture")[0]
    assert _listed(section) == set(KINDS)


def test_every_field_of_the_picture_is_on_the_page_about_it() -> None:
    assert _listed(PAGE.partition("## The picture")[2]) == {
        field.name for field in fields(PublicPage)
    }


def test_a_change_that_could_not_be_told_is_reported_and_the_next_one_is_told(
    monkeypatch: pytest.MonkeyPatch, failures: list[str]
) -> None:
    def fail(_snapshot: object) -> None:
        raise ValueError("no picture")

    with served("knizia_stonehenge") as table:
        with monkeypatch.context() as patched:
            patched.setattr(table.server.feed, "take", fail)
            table.session.post(Undo(1))
            assert until(lambda: failures == ["no picture"])
        table.session.post(Undo(1))
        table.session.settle()
        ply = table.session.view.ply
        assert until(lambda: table.phone().get("/api/table").json["ply"] == ply)
