"""Phones and the seats they belong to."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from companion.presentation.phones import SeatState
from companion.web.seats import Gone, Seats
from companion.web.server import TableServer
from tests.support.phone_pictures import play_on, session_of, table_of
from tests.support.served import served
from tests.support.waiting import until


@pytest.fixture
def seats() -> Seats:
    made = Seats(None, lambda: None)
    made.begin("m1", 3)
    return made


def claimed(seats: Seats, seat: int) -> str:
    found = seats.claim(seats.token(seat))
    assert found is not None and found[0] == seat
    return found[1]


def test_a_phone_is_let_in_when_the_table_says_yes(seats: Seats) -> None:
    cookie = claimed(seats, 1)
    assert seats.waiting() == (1,) and seats.state(1) is SeatState.WAITING
    assert not seats.standing(cookie).confirmed
    assert seats.confirm(1)
    assert seats.standing(cookie).seat == 1 and seats.standing(cookie).confirmed
    assert seats.state(1) is SeatState.OPEN and seats.token(1) == ""


def test_a_token_is_good_once(seats: Seats) -> None:
    token = seats.token(0)
    assert seats.claim(token) is not None
    assert seats.claim(token) is None
    seats.refuse(0)
    assert seats.claim(token) is None


def test_an_answer_that_was_lost_is_given_again_to_whoever_asked_and_to_nobody_else(
    seats: Seats,
) -> None:
    token = seats.token(0)
    first = seats.claim(token, "key of the phone")
    assert first is not None
    assert seats.claim(token) is None and seats.claim(token, "another key") is None
    again = seats.claim(token, "key of the phone")
    assert again is not None and again[0] == 0 and again[1] != first[1]
    assert seats.standing(first[1]).seat is None
    assert seats.confirm(0) and seats.standing(again[1]).confirmed
    last = seats.claim(token, "key of the phone")
    assert last is not None and seats.standing(last[1]).confirmed
    assert seats.take_back(0)
    assert seats.claim(token, "key of the phone") is None


def test_a_phone_waits_for_the_seat_only_that_it_claimed_last(seats: Seats) -> None:
    wrong, token = seats.claim(seats.token(0)), seats.token(0)
    assert wrong is not None and token == ""
    right = seats.claim(seats.token(1), before=wrong[1])
    assert right is not None and seats.waiting() == (1,)
    assert seats.token(0) and seats.state(0) is SeatState.FREE
    assert not seats.confirm(0), "nobody waits there any more"


def test_of_many_who_claim_at_once_one_gets_the_seat(seats: Seats) -> None:
    token = seats.token(2)
    with ThreadPoolExecutor(8) as crowd:
        found = list(crowd.map(lambda _one: seats.claim(token), range(40)))
    assert sum(one is not None for one in found) == 1


def test_tokens_and_cookies_are_128_bits_that_nobody_had_before(seats: Seats) -> None:
    tokens = {seats.token(seat) for seat in range(3)} | {claimed(seats, 0)}
    assert len(tokens) == 4 and all(len(one) >= 22 for one in tokens)
    assert seats.claim(next(iter(tokens))[:-1]) is None
    assert seats.claim("") is None


def test_a_seat_is_given_to_another_phone_when_that_one_is_let_in(seats: Seats) -> None:
    first = claimed(seats, 0)
    seats.confirm(0)
    assert seats.renew(0) and seats.renewed(0)
    second = claimed(seats, 0)
    assert seats.standing(first).confirmed
    seats.confirm(0)
    assert seats.standing(first).gone is Gone.GIVEN_AWAY
    assert seats.standing(second).confirmed


def test_a_seat_is_taken_back(seats: Seats) -> None:
    cookie = claimed(seats, 2)
    seats.confirm(2)
    seats.take_back(2)
    assert seats.standing(cookie).gone is Gone.TAKEN_BACK
    assert seats.state(2) is SeatState.FREE and seats.token(2)


def test_a_phone_that_is_turned_away_is_told_and_the_seat_has_a_new_code(seats: Seats) -> None:
    cookie = claimed(seats, 2)
    assert seats.refuse(2)
    assert seats.standing(cookie).gone is Gone.REFUSED
    assert seats.token(2)
    assert not seats.refuse(2) and not seats.confirm(2)


def test_a_phone_of_a_past_match_gets_nothing(seats: Seats) -> None:
    cookie, token = claimed(seats, 0), seats.token(1)
    seats.confirm(0)
    seats.begin("m2", 3)
    assert seats.standing(cookie).gone is Gone.MATCH_OVER
    assert seats.claim(token) is None


def test_tokens_die_when_the_match_is_over_and_wait_while_it_is_only_left(seats: Seats) -> None:
    cookie = claimed(seats, 0)
    seats.confirm(0)
    seats.leave(over=False)
    assert seats.standing(cookie).confirmed
    assert seats.claim(seats.token(1)) is None
    seats.leave(over=True)
    assert seats.standing(cookie).gone is Gone.MATCH_OVER


def test_a_seat_that_is_none_changes_nothing(seats: Seats) -> None:
    for seat in (-1, 3, 99):
        assert not seats.confirm(seat) and not seats.refuse(seat)
        assert not seats.take_back(seat) and not seats.renew(seat)
        assert seats.token(seat) == ""


# -- over a restart ---------------------------------------------------------------------------


def test_phones_come_back_after_a_restart_in_the_same_match_only(tmp_path: Path) -> None:
    file = tmp_path / "phones.json"
    before = Seats(file, lambda: None)
    before.begin("m1", 2)
    cookie, token = claimed(before, 0), before.token(1)
    before.confirm(0)
    again = Seats(file, lambda: None)
    again.begin("m1", 2)
    assert again.standing(cookie).confirmed and again.token(1) == token
    other = Seats(file, lambda: None)
    other.begin("m2", 2)
    assert other.standing(cookie).gone is Gone.MATCH_OVER
    assert other.claim(token) is None


def test_the_file_is_nobody_elses_to_read_and_holds_no_cookie(tmp_path: Path) -> None:
    file = tmp_path / "phones.json"
    file.write_text("somebody else's")
    file.chmod(0o644)
    seats = Seats(file, lambda: None)
    seats.begin("m1", 2)
    cookie = claimed(seats, 0)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert cookie not in file.read_text()


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"v":1,"match":3}', b"\xff\x00"])
def test_a_damaged_file_means_that_codes_are_scanned_anew(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "phones.json"
    file.write_bytes(content)
    seats = Seats(file, lambda: None)
    seats.begin("m1", 2)
    assert seats.token(0)


def test_a_state_folder_that_cannot_be_written_keeps_nobody_from_playing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    seats = Seats(tmp_path / "file" / "phones.json", lambda: None)
    seats.begin("m1", 2)
    assert claimed(seats, 0)


# -- by the network ---------------------------------------------------------------------------


def test_what_a_phone_sees_before_and_after_the_tables_yes_and_when_it_is_shut_out() -> None:
    with served() as table:
        phone = table.phone()
        assert phone.get("/api/hand").status == 401
        assert phone.get("/api/hand").json == {"reason": "none"}
        phone = table.phone(0, let_in=False)
        waiting = phone.get("/api/hand")
        assert waiting.json["state"] == "waiting" and "hand" not in waiting.json
        assert phone.play("p0 done", since=0, match="x").status == 401
        with phone.stream("/api/hand/stream") as stream:
            assert stream.next()[0] == "waiting"
            table.server.seats.confirm(0)
            name, _id, hand = stream.next("hand")
            assert (name, hand["seat"]) == ("hand", 0) and hand["hand"]
            table.server.seats.take_back(0)
            assert stream.next("gone")[2] == {"reason": "taken_back"}
            with pytest.raises(EOFError):
                stream.next()
        assert phone.get("/api/hand").json == {"reason": "taken_back"}


def test_the_cookie_is_not_for_scripts_nor_for_other_sites() -> None:
    with served() as table:
        told = table.phone().claim(table.server.seats.token(0)).headers["set-cookie"].lower()
        assert "httponly" in told and "samesite=strict" in told and "path=/api" in told


def test_a_phone_that_was_replayed_or_guessed_gets_nothing() -> None:
    with served() as table:
        token = table.server.seats.token(0)
        first, second = table.phone(), table.phone()
        assert first.claim(token).status == 200
        assert second.claim(token).status == 403
        second.cookie = "heelstone_hand=" + "A" * 22
        assert second.get("/api/hand").status == 401
        assert second.get("/api/hand/stream").status == 401


def test_a_phone_comes_back_by_itself_after_the_tables_program_began_anew(tmp_path: Path) -> None:
    kept = tmp_path / "phones.json"
    table = table_of("dominion", 2)
    session = session_of(table)
    with served(session=session, kept=kept) as first:
        phone = first.phone(0)
        assert phone.get("/api/hand").json["state"] == "open"
    second = TableServer(0, "en", kept)
    assert not second.start()
    phone.port = second.port
    assert phone.get("/api/hand").json["state"] == "closed", "its match is not there yet"
    second.follow(session)
    assert until(lambda: phone.get("/api/hand").json["state"] == "open")
    second.close()
    session.close()


def test_a_phone_of_a_match_that_is_over_is_told_so() -> None:
    from random import Random

    table = table_of("knizia_stonehenge", 2)
    play_on(table, 10_000, Random(1))
    assert table.match.outcome is not None
    session = session_of(table)
    with served(session=session) as over:
        phone = over.phone(1)
        with phone.stream("/api/hand/stream") as stream:
            assert stream.next()[0] == "hand"
            over.server.follow(None)
            assert stream.next("gone")[2] == {"reason": "match_over"}
    session.close()


def test_what_a_seat_is_called_when_its_match_is_only_left() -> None:
    with served() as table:
        phone = table.phone(0)
        with phone.stream("/api/hand/stream") as stream:
            stream.next("hand")
            table.server.follow(None)
            assert stream.next("waiting")[2]["state"] == "closed"
            table.server.follow(table.session)
            assert stream.next("hand")[2]["seat"] == 0
