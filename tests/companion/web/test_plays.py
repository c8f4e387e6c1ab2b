"""Moves and tips by phone: a phone can say every move."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from random import Random

import pytest

from companion.journal.events import MovePlayed, Source, TipGiven
from companion.match.messages import ComputerPlays, GiveTip
from companion.match.record import MatchRecord
from companion.match.session import Session
from companion.match.state import TableState
from companion.match.view import AskTip, PlayMove, Redo, Undo
from companion.presentation.words.company import tip_here
from companion.presentation.words.translate import speaking
from companion.web.connections import Limits
from companion.web.move_requests import Asked, judge
from rules.core import Actor, Move
from rules.games import find_game, game_ids
from rules.match import Match
from rules.players import Choice, Reason, Thought
from rules.testing.playout import pick
from tests.support.pads import typed_on_phone
from tests.support.phone_pictures import (
    play_on,
    public_json,
    seat_json,
    session_of,
    table_of,
    taken,
)
from tests.support.served import Phone, Served, served
from tests.support.sweep import some
from tests.support.waiting import until


def asked_seat(session: Session) -> int:
    prompt = session.view.prompt
    assert prompt is not None and prompt.player is not None
    return prompt.player


def journal_of(session: Session) -> list[tuple[str, Source]]:
    record = session.table.record
    return [
        (event.what.move.text, event.src)
        for event in record.journal.events(record.header.id)
        if isinstance(event.what, MovePlayed)
    ]


def settled(table: Served, reply_of: Phone) -> None:
    """Waits until all that was posted was dealt with, and phones know."""
    assert table.session.settle()
    ply = table.session.view.ply
    assert until(lambda: reply_of.get("/api/table").json["ply"] == ply)


def test_a_phone_plays_and_the_journal_says_that_it_was_a_phone() -> None:
    with served() as table:
        seat = asked_seat(table.session)
        phone = table.phone(seat)
        move = table.session.view.legal[0].text
        assert phone.play(move).status == 202
        settled(table, phone)
        assert (move, Source.PHONE) in journal_of(table.session)


def test_the_picture_of_a_match_is_for_all_once_the_table_shows_it() -> None:
    with served() as table:
        phone = table.phone()
        assert phone.get("/api/picture").status == 204
        table.server.lend(b"a picture")
        assert phone.get("/api/picture").body == b"a picture"
        table.server.follow(table.session)
        assert phone.get("/api/picture").status == 204, "another match has none yet"


def test_a_move_that_is_sent_again_counts_once_and_is_answered_the_same() -> None:
    with served() as table:
        seat = asked_seat(table.session)
        phone = table.phone(seat)
        since, moves = table.session.view.changes, [table.session.view.legal[0].text]
        for _number in range(3):
            assert phone.play(*moves, since=since).status == 202
        settled(table, phone)
        assert phone.play(*moves, since=since).status == 202
        assert table.session.settle()
        assert [src for _move, src in journal_of(table.session)].count(Source.PHONE) == 1


def test_of_two_different_moves_for_the_same_moment_the_first_counts() -> None:
    with served("knizia_stonehenge") as table:
        phone = table.phone(asked_seat(table.session))
        since, legal = table.session.view.changes, table.session.view.legal
        replies = [phone.play(move.text, since=since).status for move in legal[:3]]
        settled(table, phone)
        assert replies[0] == 202 and set(replies) <= {202, 409}
        assert [m for m, src in journal_of(table.session) if src is Source.PHONE] == [legal[0].text]


def test_what_was_decided_counts_only_in_the_position_that_was_shown() -> None:
    """At the table another move takes the place of the last one meanwhile: as many moves lie there,
    and they are not the same."""
    with served("knizia_stonehenge", moves=0) as table:
        session, record = table.session, table.session.table.record
        seat = 1 - asked_seat(session)
        phone = table.phone(seat)
        for number in range(6):
            here = [move for move in session.view.legal if move.verb == "place"]
            session.post(PlayMove(here[0]))
            assert session.settle()
            shown, then = session.view, len(journal_of(session))
            mine = next(m for m in shown.legal if m.player == seat)
            session.post(Undo())
            session.post(PlayMove(here[1]))
            if number % 2:
                # With the newest picture the phone is answered; else the session says no.
                assert session.settle()
                settled(table, phone)
            assert phone.play(mine.text, since=shown.changes).status in (202, 409)
            assert back(table, phone, shown.changes) in (202, 409)
            assert session.settle() and session.view.ply == shown.ply
            assert Source.PHONE not in [src for _move, src in journal_of(session)[then:]]
            session.post(Undo())
            assert session.settle()
        again = MatchRecord(record.journal, record.header)
        assert len(again.told) == session.view.changes, "a restart keeps the moment"


def back(table: Served, phone: Phone, since: int | None = None) -> int:
    hand = phone.get("/api/hand").json
    since = hand["changes"] if since is None else since
    asked = {"match": hand["match"], "since": since, "moves": [], "take_back": True}
    return phone.post("/api/moves", asked).status


def test_a_seat_takes_its_last_touch_back_once_and_nobody_elses() -> None:
    with served("knizia_stonehenge", moves=0) as table:
        seat = asked_seat(table.session)
        phone, other = table.phone(seat), table.phone(1 - seat)
        assert back(table, phone) == 409, "nothing was played yet"
        assert phone.play(table.session.view.legal[0].text).status == 202
        settled(table, phone)
        assert phone.get("/api/hand").json["take_back"]
        assert other.get("/api/hand").json["take_back"] == ""
        now = table.session.view.changes
        assert back(table, other) == 409
        # Sent twice: the second one finds another moment.
        assert {back(table, phone, now), back(table, phone, now)} <= {202, 409}
        assert table.session.settle() and table.session.view.ply == 0


def test_what_brought_cards_is_not_taken_back_from_a_phone() -> None:
    with served("dominion", moves=0) as table:
        seat = asked_seat(table.session)
        phone = table.phone(seat)
        done = next(m for m in table.session.view.legal if m.verb == "done")
        assert phone.play(done.text).status == 202
        settled(table, phone)
        assert phone.get("/api/hand").json["take_back"] == ""
        ply = table.session.view.ply
        assert back(table, phone) == 409
        assert table.session.settle() and table.session.view.ply == ply


def test_only_who_is_asked_may_play_and_nobody_for_another_seat() -> None:
    with served() as table:
        seat = asked_seat(table.session)
        other = table.phone(1 - seat)
        move = table.session.view.legal[0].text
        assert other.play(move).status == 422
        assert other.play(move.replace(f"p{seat}", f"p{1 - seat}")).status == 409
        assert other.play("dealer draw p0 copper").status == 422
        assert (
            table.phone().post("/api/moves", {"match": "x", "since": 0, "moves": [move]}).status
            == 401
        )
        assert table.session.settle()
        assert Source.PHONE not in [src for _move, src in journal_of(table.session)]


def test_what_is_not_allowed_is_answered_with_a_sentence_in_the_phones_language() -> None:
    with served() as table:
        seat = asked_seat(table.session)
        phone = table.phone(seat)
        hand = phone.get("/api/hand").json
        for lang in ("de", "en"):
            reply = phone.post(
                f"/api/moves?lang={lang}",
                {"match": hand["match"], "since": hand["changes"],
                 "moves": [f"p{seat} buy province"]},
            )  # fmt: skip
            assert reply.status == 422
            assert reply.json["title"] and reply.json["do"]
        assert table.session.view.objections == ()


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b'{"match":1,"since":0,"moves":[]}', b'{"match":"m","since":"0","moves":[]}',
     b'{"match":"m","since":0,"moves":"p0 done"}', b'{"match":"m","since":0,"moves":[],"x":1}',
     b'{"match":"m","since":1e400,"moves":["p0 done"]}', b"\xff\xfe", b"[" * 5000,
     b'{"match":"m","since":0,"moves":[' + b",".join([b'"p0 done"'] * 61) + b"]}",
     b'{"match":"m","since":0,"moves":["p0 ' + b"x" * 300 + b'"]}'],
)  # fmt: skip
def test_rubbish_is_refused(body: bytes) -> None:
    with served() as table:
        phone = table.phone(asked_seat(table.session))
        assert phone.post("/api/moves", body).status == 422
        assert table.session.settle()
        assert Source.PHONE not in [src for _move, src in journal_of(table.session)]


@pytest.mark.parametrize(
    "moves",
    [[], ["nonsense"], ["p9 done"], [""], ["p0 done", "p1 done"], ["dealer draw p0 copper"]],
)  # fmt: skip
def test_what_is_no_move_of_the_seat_is_refused(moves: list[str]) -> None:
    table = table_of("dominion", 2)
    snapshot = taken(table)
    verdict = judge(Asked("m", len(snapshot.told), moves), 0, snapshot, "en")
    assert verdict.status == 422 and verdict.post is None


WITH_SECRETS = {"dominion": {}, "dolmengoetter": {}, "erbaut_stonehenge": {}, "hoher_rat": {},
                "knizia_stonehenge": {"hidden": "on"}, "opferroulette": {},
                "trilithen_knallen": {}}  # fmt: skip


def told_more(match: Match, move: Move) -> bool:
    """A table would log more for it than the move."""
    return bool(match.state.shown(move) != (match.state.public(move, None),))


@pytest.mark.parametrize(("game", "options"), WITH_SECRETS.items())
def test_nothing_is_read_of_what_a_move_would_turn_up_without_making_it(
    game: str, options: dict[str, str]
) -> None:
    """Behind such a move every question has the same answer, and it is played alone all the
    same."""
    table, random, asked = table_of(game, seed=3, options=options), Random(3), 0
    while table.match.outcome is None and asked < 12:
        match = table.match
        seat = None if match.prompt is None else match.prompt.player
        turns_up = [m for m in table.record.legal if m.player is not None and told_more(match, m)]
        if seat is not None and turns_up:
            snapshot, asked = taken(table), asked + 1
            move = random.choice(turns_up)
            alone = judge(Asked("m", len(snapshot.told), [move.text]), seat, snapshot, "en")
            assert alone.status == 202
            behind = [f"p{seat} done", f"p{seat} claim H1", move.text, f"p{seat} nonsense"]
            answers = {
                judge(Asked("m", len(snapshot.told), [move.text, one]), seat, snapshot, "en").body
                for one in behind
            }
            (told,) = answers
            assert told is not None and "brings something to light" in told.title
        play_on(table, 1, random)
    turning_up = {"dolmengoetter", "knizia_stonehenge"}
    assert asked or game not in turning_up


@pytest.mark.parametrize(("game", "options"), WITH_SECRETS.items())
def test_what_anybody_learnt_is_taken_back_at_the_table_only(
    game: str, options: dict[str, str]
) -> None:
    table, random, learnt = table_of(game, seed=5, options=options), Random(5), 0
    for _number in range(160):
        match = table.match
        if match.outcome is not None:
            break
        move = pick(match.state, match.state.legal_moves(), random)
        seat, before = move.player, match.ply
        told = told_more(match, move)
        table.handle(PlayMove(move), 0.0)
        if seat is None:
            continue
        dealt = any(entry.move.player is None for entry in table.match.log[before:])
        if told or dealt:
            learnt += 1
            assert seat_json(taken(table), seat, "en")["take_back"] == ""
            ply = table.match.ply
            table.handle(Undo(1, len(table.record.told)), 0.0, Source.PHONE)
            assert table.match.ply == ply, "however a phone asks"
            if learnt == 1:
                table.handle(Undo(), 0.0)
                assert table.match.ply <= before, "a slip is put right at the table by one touch"
                table.handle(Redo(), 0.0)
    assert learnt


def test_another_seat_does_not_feel_what_is_tried_in_vain_in_secret() -> None:
    """By a key that goes, it would learn which stone is not in that hand."""
    table, random = table_of("knizia_stonehenge", seed=5, options={"hidden": "on"}), Random(5)
    seat = table.match.state.turn_of()
    while table.match.state.turn_of() == seat:
        state = table.match.state
        table.handle(PlayMove(pick(state, state.legal_moves(), random)), 0.0)
    calm = taken(table)
    assert seat_json(calm, seat, "en")["take_back"]
    tried = replace(
        calm.view, state=TableState.ILLEGAL, refused=Move.parse(f"p{1 - seat} place 6 A")
    )
    assert seat_json(replace(calm, view=tried), seat, "en") == seat_json(calm, seat, "en")


@pytest.mark.parametrize(
    ("game", "options", "goes"),
    [("knizia_stonehenge", {}, True), ("knizia_stonehenge", {"hidden": "on"}, False)],
)
def test_a_computers_move_is_taken_back_from_a_phone_if_it_told_nothing(
    game: str, options: dict[str, str], goes: bool
) -> None:
    table = table_of(game, options=options, computers=("", "normal"))
    for seat in (0, 1):
        while (prompt := table.match.prompt) is not None and prompt.player == seat:
            since, move = len(table.record.told), table.record.legal[-1]
            if seat == 0:
                table.handle(PlayMove(move), 0.0)
            else:
                why = Reason("only_move")
                table.handle(ComputerPlays((move,), why, since), 0.0, Source.COMPUTER)
    page = seat_json(taken(table), 0, "en")
    assert bool(page["take_back"]) is goes


def test_another_match_or_an_earlier_moment_is_told_apart() -> None:
    table = table_of("knizia_stonehenge", 2)
    play_on(table, 9, Random(1))
    snapshot = taken(table)
    seat = snapshot.view.prompt.player if snapshot.view.prompt else None
    assert seat is not None
    move = [snapshot.view.legal[0].text]
    now = len(snapshot.told)
    assert judge(Asked("m", now, move), seat, snapshot, "en").status == 202
    assert judge(Asked("other", now, move), seat, snapshot, "en").status == 409
    assert judge(Asked("m", now, move), seat, None, "en").status == 409
    for wrong in (now - 1, now + 1, -5, 10**9):
        assert judge(Asked("m", wrong, move), seat, snapshot, "en").status == 409


def test_with_real_pieces_a_phone_is_for_looking_only() -> None:
    table = table_of("knizia_stonehenge", 2, physical=True)
    snapshot = taken(table)
    picture = seat_json(snapshot, 0, "en")
    assert picture["asked"] and not picture["may_play"]
    move = snapshot.view.legal[0].text
    assert judge(Asked("m", 0, [move]), 0, snapshot, "en").status == 409


def _offered(picture: dict[str, object]) -> set[str]:
    """Every move that the data of a hand offer to a finger."""
    found: set[str] = set()

    def look(value: object) -> None:
        if isinstance(value, dict):
            for key, inner in value.items():
                if key == "moves" and isinstance(inner, list):
                    found.update(one for one in inner if isinstance(one, str))
                # A line of the list, or something that a touch of a card or a place may mean.
                touched = value.get("things", True) or value.get("sites")
                if key == "move" and isinstance(inner, str) and touched:
                    found.add(inner)
                look(inner)
        elif isinstance(value, list):
            for inner in value:
                look(inner)

    look({key: value for key, value in picture.items() if key != "public"})
    return found | typed_on_phone(picture)


@pytest.mark.parametrize("game", some(game_ids()))
def test_everything_that_a_dealt_match_asks_a_seat_can_be_played_from_its_phone(
    game: str, thorough: bool
) -> None:
    for seed in range(6 if thorough else 1):
        rules = find_game(game)
        table = table_of(game, rules.players[seed % len(rules.players)], seed=seed)
        random, looked = Random(seed), 0
        while table.match.outcome is None and looked < (400 if thorough else 30):
            snapshot = taken(table)
            prompt = snapshot.view.prompt
            assert prompt is not None
            if prompt.actor is Actor.PLAYER and prompt.player is not None and random.random() < 0.3:
                picture = seat_json(snapshot, prompt.player, "en")
                legal = {move.text for move in snapshot.view.legal}
                assert picture["may_play"] and _offered(picture) >= legal, prompt
                others = seat_json(snapshot, (prompt.player + 1) % rules.players[0], "en")
                if not others["asked"] and not others["may_play"]:
                    assert not _offered(others)
                looked += 1
            play_on(table, 1, random)


@pytest.mark.parametrize("game", ["dominion", "knizia_stonehenge", "opferroulette"])
def test_a_match_is_played_to_its_end_by_phones_alone(game: str, thorough: bool) -> None:
    table = table_of(game, 2)
    random = Random(4)
    if not thorough:
        play_on(table, 40 if game != "dominion" else 160, random)
    # Nobody plays that many moves in a second.
    limits = Limits(requests_s=1e6, burst=100_000)
    with closing(session_of(table)) as session, served(session=session, limits=limits) as here:
        phones = [here.phone(seat) for seat in range(2)]
        for _number in range(2000 if thorough else 15):
            view = session.view
            if view.outcome is not None or view.prompt is None:
                break
            if view.prompt.player is None or view.prompt.actor is not Actor.PLAYER:
                session.post(PlayMove(random.choice(view.legal)))
            else:
                phone = phones[view.prompt.player]
                picture = phone.get("/api/hand").json
                move = random.choice(sorted(_offered(picture) & {m.text for m in view.legal}))
                reply = phone.play(move, since=view.changes)
                assert reply.status == 202, reply.body
            settled(here, phones[0])
            assert session.view.ply > view.ply
        assert Move.parse(journal_of(session)[-1][0])


@pytest.mark.parametrize("game", some(game_ids()))
def test_every_legal_move_can_be_said_in_some_way(game: str, thorough: bool) -> None:
    options = {"hidden": "on"} if game == "knizia_stonehenge" else {}
    table = table_of(game, find_game(game).players[-1], seed=5, options=options)
    chance = Random(5)
    for _number in range(150 if thorough else 40):
        view = table.view()
        if view.outcome is not None or view.prompt is None:
            break
        seat = view.prompt.player
        if seat is not None and view.prompt.actor is Actor.PLAYER:
            told = seat_json(taken(table), seat, "de")
            said = {move for one in told["keys"] for move in one["moves"]}
            for part in ("hand", "wares", "open"):
                said |= {move for one in told[part] for move in one["moves"]}
            said |= {one["move"] for one in told["moves"] if one["things"] or one["sites"]}
            said |= {tile["move"] for part in told["choices"] for tile in part["tiles"]}
            said |= typed_on_phone(told)
            assert {move.text for move in view.legal} <= said, view.prompt
            held = dict(table.hands[seat].things)
            assert {one["id"]: one["count"] for one in told["hand"]} == held
        play_on(table, 1, chance)


@pytest.mark.parametrize("game", ["dominion", "hoher_rat", "knizia_stonehenge"])
def test_who_is_not_asked_gets_the_hand_and_nothing_to_do(game: str) -> None:
    options = {"hidden": "on"} if game == "knizia_stonehenge" else {}
    table = table_of(game, seed=5, options=options)
    play_on(table, 4, Random(1))
    view = table.view()
    told = seat_json(taken(table), 1 if view.asked == 0 else 0, "en")
    del told["public"]
    assert told["hand"] and not told["may_play"]
    for part in ("wares", "keys", "choices", "moves", "figures"):
        assert not told[part], part
    assert not any(one["able"] or one["moves"] or one["why_not"] for one in told["hand"])
    for move in view.legal:
        assert move.text not in json.dumps(told)


def test_what_is_for_sale_says_nothing_about_who_may_buy() -> None:
    table = table_of("dominion", seed=5)
    play_on(table, 30, Random(2))
    wares = public_json(taken(table), "en")["market"]
    assert wares is not None and len(wares["wares"]) == 17
    assert {"copper", "province"} <= {ware["kind"] for ware in wares["wares"]}
    assert "moves" not in json.dumps(wares) and "able" not in json.dumps(wares)
    assert all(ware["text"] and ware["name"] for ware in wares["wares"])


def test_words_of_one_thread_leave_those_of_another_alone() -> None:
    from companion.presentation.words.translate import language

    before = language()
    with speaking("en"):
        assert language() == "en"
        with speaking("de"):
            assert language() == "de"
        assert language() == "en"
    assert language() == before


def _asked(table: Served) -> int:
    prompt = table.session.view.prompt
    assert prompt is not None and prompt.player is not None
    return prompt.player


def _ask(table: Served, seat: int, *, since: int | None = None) -> int:
    phone = table.phones[seat]
    hand = phone.get("/api/hand").json
    body = {"match": hand["match"], "since": hand["changes"] if since is None else since,
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


def test_nothing_is_pushed_to_others_while_a_seat_acts_in_secret() -> None:
    """That a picture came, if it is the same one, would tell of tips and of what was tried."""
    with served() as table:
        seat, session = _asked(table), table.session
        phones = [table.phone(0), table.phone(1)]
        own, other = phones[seat], phones[1 - seat]
        with (
            own.stream("/api/hand/stream") as mine,
            other.stream("/api/hand/stream") as theirs,
            table.phone().stream() as everybody,
        ):
            for stream in (mine, theirs, everybody):
                stream.next()
            assert _ask(table, seat) == 202
            assert mine.next("hand")[2]["tip"]
            told = len(session.table.record.told)
            session.post(GiveTip(_choice(session.view.legal[-1]), told), Source.COMPUTER)
            assert "chances" in json.dumps(mine.next("hand")[2]["tip"])
            session.post(PlayMove(Move.parse(f"p{seat} buy province")))
            assert until(lambda: session.view.objections != ())
            assert _ask(table, seat) == 202
            assert mine.next("hand")[2]["tip"] is None
            session.post(PlayMove(session.view.legal[0]))
            assert session.settle()
            now = session.view.ply
            assert theirs.next()[2]["public"]["ply"] == now
            assert everybody.next()[2]["ply"] == now


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
        assert _ask(table, seat, since=3) == 409
        assert table.session.settle()
        assert table.session.view.tip is None


@pytest.mark.parametrize("game", ["dolmengoetter", "dominion", "hoher_rat"])
def test_without_a_screen_any_phone_says_who_begins_and_with_one_the_screen_does(game: str) -> None:
    table = table_of(game, physical=True)
    for seat in range(table.view().players):
        shared = replace(taken(table), shared=True)
        page = seat_json(shared, seat, "en")
        assert not page["asked"] and page["may_play"]
        said = [key["moves"] for key in page["keys"]]
        assert ["dealer start p0"] in said and ["dealer start p1"] in said
        asked = Asked(match="m", since=page["changes"], moves=said[0])
        assert judge(asked, seat, shared, "en").status == 202
        assert not seat_json(taken(table), seat, "en")["may_play"]
        assert judge(asked, seat, taken(table), "en").status == 422
    # A player's own decision stays that player's.
    table.handle(PlayMove(Move.parse("dealer start p0")), 0.0)
    if table.view().asked == 0:
        other = replace(taken(table), shared=True)
        assert not seat_json(other, 1, "en")["may_play"]
