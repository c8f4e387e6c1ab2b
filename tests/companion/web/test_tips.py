"""A tip asked for on a phone is for that phone: nobody else's page, and no screen, tells of it."""

from __future__ import annotations

import json

from companion.journal.events import Source, TipGiven
from companion.match.messages import GiveTip
from companion.match.view import AskTip
from companion.presentation.words.company import tip_here
from rules.core import Move
from rules.players import Choice, Reason, Thought
from tests.support.served import Served, served
from tests.support.waiting import until


def _asked(table: Served) -> int:
    prompt = table.session.view.prompt
    assert prompt is not None and prompt.player is not None
    return prompt.player


def _ask(table: Served, seat: int, *, ply: int | None = None) -> int:
    phone = table.phones[seat]
    hand = phone.get("/api/hand").json
    body = {"match": hand["match"], "ply": hand["public"]["ply"] if ply is None else ply,
            "moves": [], "tip": True}  # fmt: skip
    return phone.post("/api/moves", body).status


def _choice(move: Move) -> Choice:
    return Choice(move, Reason("best_chances"), (Thought(move, 0.7, 9),))


def test_only_the_phone_that_asked_reads_the_tip_and_the_record_keeps_it() -> None:
    with served() as table:
        seat, session = _asked(table), table.session
        own, other = table.phone(0), table.phone(1)
        own, other = (own, other) if seat == 0 else (other, own)
        assert own.get("/api/hand").json["may_tip"] and not other.get("/api/hand").json["may_tip"]
        assert _ask(table, seat) == 202
        assert until(lambda: own.get("/api/hand").json["tip"] is not None)
        assert tip_here(session.view) is None
        move = session.view.legal[-1]
        told = len(session.table.record.told)
        session.post(GiveTip(_choice(move), told), Source.COMPUTER)
        assert until(lambda: "chances" in json.dumps(own.get("/api/hand").json["tip"]))
        for reply in (other.get("/api/hand"), own.get("/api/table"), other.get("/api/table")):
            assert "chances" not in reply.body.decode()
        assert other.get("/api/hand").json["tip"] is None
        events = session.table.record.journal.events(session.view.match_id)
        assert [e.what.move for e in events if isinstance(e.what, TipGiven)] == [move]
        # It is asked for again and goes.
        assert _ask(table, seat) == 202
        assert until(lambda: own.get("/api/hand").json["tip"] is None)


def test_a_tip_on_the_screen_is_on_no_phone() -> None:
    with served() as table:
        seat, session = _asked(table), table.session
        phones = [table.phone(0), table.phone(1)]
        session.post(AskTip())
        session.post(GiveTip(_choice(session.view.legal[-1]), len(session.table.record.told)))
        assert session.settle()
        assert session.view.tip is not None and session.view.tip.seat == seat
        assert tip_here(session.view) is not None
        for phone in phones:
            assert phone.get("/api/hand").json["tip"] is None
            assert "chances" not in phone.get("/api/table").body.decode()


def test_whoever_is_not_asked_or_looks_at_an_old_position_gets_none() -> None:
    with served() as table:
        seat = _asked(table)
        table.phone(0), table.phone(1)
        assert _ask(table, 1 - seat) == 409
        assert _ask(table, seat, ply=3) == 409
        assert table.session.settle()
        assert table.session.view.tip is None
