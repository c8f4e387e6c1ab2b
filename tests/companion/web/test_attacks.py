"""Attacks on the server: by asking oddly, or by looking at every byte."""

from __future__ import annotations

import contextlib
import http.client
import json
import select
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

import companion.match.lookahead
import tests.support.attackers
from companion.presentation.views import PrivateView, PublicView, Snapshot, public_view
from companion.web.connections import Limits
from companion.web.move_requests import Asked, Verdict, judge
from companion.web.network import Names
from rules.games import find_game
from tests.support.leaks import (
    HIDDEN,
    Found,
    Recorded,
    Sent,
    look_for_leaks,
    sent_anywhere,
    sent_by_phones,
    sent_later,
    sent_to_the_house,
)
from tests.support.served import Phone, Served, served
from tests.support.sweep import some
from tests.support.waiting import PATIENCE_S, until


@pytest.fixture(scope="module")
def table() -> Iterator[Served]:
    """One table for all of them: what one attack breaks, the next would notice."""
    limits = Limits(requests_s=1e6, burst=100_000, head_s=0.5, body_s=0.5)
    with served("dominion", limits=limits) as found:
        yield found


def said_to(table: Served, raw: bytes) -> bytes:
    """Everything that is answered to these bytes, until the table hangs up."""
    with table.phone().line() as line:
        line.sendall(raw)
        told = b""
        with contextlib.suppress(ConnectionResetError):
            while part := line.recv(65_536):
                told += part
    return told


def answers(told: bytes) -> list[int]:
    return [int(part.split()[0]) for part in told.split(b"HTTP/1.1 ")[1:]]


CLAIM = (
    "POST /api/claim HTTP/1.1\r\nHost: {host}\r\nX-Heelstone: 1\r\n"
    "Content-Type: application/json\r\n"
)
INNER = "GET /api/hand HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"


@pytest.mark.parametrize(
    "head",
    [
        "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "Content-Length: 2\r\nContent-Length: 60\r\n\r\n{{}}",
        "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
        "Content-Length: +2\r\n\r\n{{}}",
        "Content-Length: 2\r\n Folded: 1\r\n\r\n{{}}",
        "Content-Length: 2\rX: 1\r\n\r\n{{}}",
    ],
)  # fmt: skip
def test_nothing_is_smuggled_behind_a_body_of_two_lengths(table: Served, head: str) -> None:
    """A proxy must see the same requests as we do: anything unclear ends the line."""
    host = f"127.0.0.1:{table.server.port}"
    token = table.server.seats.token(0)
    told = said_to(table, (CLAIM + head + INNER).format(host=host).encode())
    assert answers(told) == [400]
    assert table.server.seats.token(0) == token


@pytest.mark.parametrize(
    ("line", "host", "allowed"),
    [
        ("GET http://evil.example/api/table HTTP/1.1", "{host}", {400, 404}),
        ("GET http://{host}/api/table HTTP/1.1", "evil.example", {400, 421}),
        ("GET //evil.example/api/table HTTP/1.1", "{host}", {400, 404}),
        ("GET /static/..%2f..%2fserver.py HTTP/1.1", "{host}", {404}),
        ("GET /api/./hand HTTP/1.1", "{host}", {404}),
        ("CONNECT 127.0.0.1:22 HTTP/1.1", "{host}", {400, 404, 405}),
        ("OPTIONS * HTTP/1.1", "{host}", {400, 404, 405}),
        ("GET /api/table HTTP/1.1", "{host}\r\nHost: {host}", {400, 421}),
        ("GET /api/table HTTP/1.0", "", {400, 421}),
        ("GET /api/plies/" + "9" * 4000 + " HTTP/1.1", "{host}", {404}),
        ("GET /api/plies/" + "9" * 5000 + " HTTP/1.1", "{host}", {404}),
        ("GET /api/plies/" + "9" * 9 + " HTTP/1.1", "{host}", {404}),
        ("GET /api/plies/-1 HTTP/1.1", "{host}", {404}),
        ("GET /api/plies/\u0663 HTTP/1.1", "{host}", {400, 404}),
    ],
)  # fmt: skip
def test_requests_in_strange_forms_are_refused(
    table: Served, line: str, host: str, allowed: set[int]
) -> None:
    ours = f"127.0.0.1:{table.server.port}"
    told = said_to(
        table, f"{line}\r\nHost: {host}\r\nConnection: close\r\n\r\n".format(host=ours).encode()
    )
    assert answers(told) and set(answers(told)) <= allowed


@pytest.mark.parametrize(
    "host",
    ["0x7f.1", "2130706433", "127.1", "0177.0.0.1", "[::1%25lo]", "[fe80::1%eth0]", "localhost.",
     "127.0.0.1.nip.io", "127.0.0.1.", "LOCALHOST.evil.example", "[127.0.0.1]", "\u0661.0.0.1"],
)  # fmt: skip
def test_a_number_in_disguise_is_no_name_of_the_table(host: str) -> None:
    assert not Names(8750).knows(f"{host}:8750", "192.168.1.10")


@pytest.mark.parametrize(
    "cookie",
    ["heelstone_hand=" + "A" * 12_000, "; " * 3000, "heelstone_hand=\xff\xfe\x80",
     "=;=;heelstone_hand", 'heelstone_hand="' + "\\" * 400, "heelstone_hand=\u00e4"],
)  # fmt: skip
def test_a_cookie_of_any_shape_opens_nothing(table: Served, cookie: str) -> None:
    host = f"127.0.0.1:{table.server.port}"
    raw = f"GET /api/hand HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\n"
    raw += "Connection: close\r\n\r\n"
    assert answers(said_to(table, raw.encode("latin-1"))) == [401]


def test_a_token_in_the_query_is_not_taken_and_stays_good(table: Served) -> None:
    """A link that somebody shortened, or an old QR reader that drops the fragment's sign."""
    token = table.server.seats.token(1)
    phone = table.phone()
    assert phone.get(f"/hand?{token}").status == 200
    assert phone.get(f"/api/claim?token={token}").status == 405
    assert table.server.seats.token(1) == token and table.server.seats.waiting() == ()


def test_whoever_guesses_codes_by_the_thousand_keeps_nobody_else_out() -> None:
    with served("dominion") as table:
        port, over = table.server.port, threading.Event()
        tried: list[int] = []

        def guess() -> None:
            body = json.dumps({"token": "A" * 22})
            head = {"X-Heelstone": "1", "Content-Type": "application/json"}
            while not over.is_set():
                line = http.client.HTTPConnection(
                    "127.0.0.1", port, timeout=PATIENCE_S, source_address=("127.0.0.66", 0)
                )
                try:
                    line.request("POST", "/api/claim", body, head)
                    tried.append(line.getresponse().status)
                except (OSError, http.client.HTTPException):
                    tried.append(0)
                finally:
                    line.close()

        crowd = [threading.Thread(target=guess) for _number in range(3)]
        for one in crowd:
            one.start()
        assert until(lambda: len(tried) > 300)
        phone = table.phone(0)
        assert phone.get("/api/hand").json["state"] == "open"
        over.set()
        for one in crowd:
            one.join(PATIENCE_S)
        assert 200 not in tried and tried.count(403) <= 15, "most were not even looked at"


def test_a_clock_that_goes_back_an_hour_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    with served("dominion") as table:
        phone = table.phone(0)
        real = time.time
        monkeypatch.setattr(time, "time", lambda: real() - 3600)
        with phone.stream("/api/hand/stream") as stream:
            assert stream.next("hand")[2]["state"] == "open"
        assert phone.get("/api/hand").status == 200
        assert Phone(table.server.port).claim(table.server.seats.token(1)).status == 200


def test_going_back_again_and_again_is_put_off_and_the_newest_picture_is_not() -> None:
    with served("dominion", moves=60) as table:
        phone = table.phone()
        seen = {phone.get(f"/api/plies/{ply}").status for ply in range(60)}
        assert seen == {200, 429}
        assert phone.get("/api/table").status == 200


def test_eight_addresses_that_look_back_at_a_long_match_keep_no_phone_waiting() -> None:
    with served("dominion", moves=400) as table, contextlib.ExitStack() as lines:
        port, ply = table.server.port, table.session.view.ply
        phone, asking = table.phone(0), []
        for number in range(32):
            source = (f"127.0.1.{2 + number % 8}", 0)
            line = socket.create_connection(("127.0.0.1", port), PATIENCE_S, source_address=source)
            asking.append(lines.enter_context(line))
        for number, line in enumerate(asking):
            head = f"GET /api/plies/{ply - 1 - number} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"
            line.sendall(head.encode())
        assert phone.get("/api/hand").status == 200
        answered, _, _ = select.select(asking, [], [], 0)
        assert len(answered) < 16, "their turn comes after a phone's"
        for line in asking:
            assert line.recv(99).split()[1] in (b"200", b"429"), "and it comes"


MOST_MATCHES = 4


def searched(game: str, sent: Sent, *, matches: int, positions: int) -> Found:
    """The findings in that number of matches, or more if other worlds are rare in a game."""
    found, players = Found(), find_game(game).players
    for seed in range(max(matches, MOST_MATCHES)):
        if found.leaks or (seed >= matches and found.other_hands.get(game, 0)):
            break
        number = players[(seed + 1) % len(players)]
        found.add(look_for_leaks(game, number, seed, sent, positions=positions, others=1))
    return found


@pytest.mark.parametrize("game", some([*HIDDEN]))
def test_nothing_that_is_sent_tells_a_secret(game: str, thorough: bool) -> None:
    matches, positions = (20, 3) if thorough else (1, 2)
    found = searched(game, sent_anywhere, matches=matches, positions=positions)
    assert found.leaks == []
    assert found.other_hands.get(game, 0) > 0, "no other world was found: nothing was tried"


@pytest.mark.parametrize(
    "game", [pytest.param("dominion", marks=pytest.mark.thorough), "hoher_rat"]
)
def test_nobody_at_a_table_with_real_cards_learns_what_the_program_deals(game: str) -> None:
    found = Found()
    for seed in range(2):
        found.add(look_for_leaks(game, 2, seed, sent_anywhere, positions=2, others=1, dealt=(1,)))
    assert found.leaks == []
    assert found.other_hands.get(game, 0) > 0, "no other world was found: nothing was tried"


@pytest.mark.parametrize("game", ["trilithen_knallen", "knizia_stonehenge"])
def test_who_comes_later_is_not_told_what_a_game_has_made_everybody_forget(game: str) -> None:
    found = Found()
    for seed in range(2):
        found.add(look_for_leaks(game, 2, seed, sent_later, positions=3, others=1, later=True))
    assert found.leaks == []
    assert found.worlds or game != "trilithen_knallen", "no other world was found"


# -- a test of the test -----------------------------------------------------------------------


_seat = Snapshot.seat


def _counts_moves(patch: pytest.MonkeyPatch) -> None:
    """The number of a player's moves says what they hold."""

    def leaky(self: Snapshot) -> PublicView:
        return replace(public_view(self.view, self.public_id), turn=len(self.view.legal))

    patch.setattr(Snapshot, "public", property(leaky))


def _tells_all_moves(patch: pytest.MonkeyPatch) -> None:
    """The record as it is, not as everybody may know it."""

    def leaky(self: Snapshot) -> PublicView:
        return replace(
            public_view(self.view, self.public_id),
            told=tuple(entry.move for entry in self.match.log),
        )

    patch.setattr(Snapshot, "public", property(leaky))


def _lets_everybody_play(patch: pytest.MonkeyPatch) -> None:
    """Every phone is sent what whoever is asked may do."""

    def leaky(self: Snapshot, seat: int) -> PrivateView:
        view = self.view
        return replace(
            _seat(self, seat), may_play=True, legal=view.legal, places=view.places,
            usual=view.usual, ahead=view.ahead,
        )  # fmt: skip

    patch.setattr(Snapshot, "seat", leaky)


def _mixes_hands_up(patch: pytest.MonkeyPatch) -> None:
    """A phone is sent the hand of the next seat."""

    def leaky(self: Snapshot, seat: int) -> PrivateView:
        return replace(_seat(self, seat), hand=self.hands[(seat + 1) % len(self.hands)])

    patch.setattr(Snapshot, "seat", leaky)


def _tries_what_turns_something_up(patch: pytest.MonkeyPatch) -> None:
    """A phone that asks for two moves at once learns what the first would show."""
    patch.setattr(companion.match.lookahead, "reveals", lambda *_about: False)


def _works_longer_for_some(patch: pytest.MonkeyPatch) -> None:
    """The same answer, after looking at every card of the others."""

    def slower(asked: Asked, seat: int, snapshot: Snapshot, lang: str) -> Verdict:
        things = [thing for hand in snapshot.hands for thing, _count in hand.things]
        sorted(things, key=lambda thing: thing[-1:]) if any("1" in one for one in things) else None
        return judge(asked, seat, snapshot, lang)

    patch.setattr(tests.support.attackers, "judge", slower)


PLANTED = [
    *(
        (plant, "opferroulette") for plant in (
            _counts_moves, _tells_all_moves, _lets_everybody_play, _mixes_hands_up,
            _works_longer_for_some,
        )
    ),
    (_tries_what_turns_something_up, "knizia_stonehenge"),
]  # fmt: skip


@pytest.mark.parametrize(("plant", "game"), some(PLANTED, 2))
def test_a_planted_leak_is_found(
    plant: Callable[[pytest.MonkeyPatch], None], game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    found = searched(game, sent_by_phones, matches=3, positions=4)
    assert found.leaks, "the search would not have found this"


def test_a_single_bit_in_what_goes_to_the_house_is_found() -> None:
    def sent(snapshot: Recorded, seat: int | None) -> bytes:
        number = sum(len(thing) for thing, _count in snapshot.hands[0].things)
        return sent_to_the_house(snapshot, seat) + bytes([number % 2])

    assert searched("opferroulette", sent, matches=4, positions=4).leaks
