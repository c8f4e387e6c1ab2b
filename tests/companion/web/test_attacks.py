"""More attacks from the network, in shapes that a careful client would never send."""

from __future__ import annotations

import contextlib
import http.client
import json
import threading
import time
from collections.abc import Iterator

import pytest

from companion.web.connections import Limits
from companion.web.network import Names
from tests.support.served import Phone, Served, served
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
    """Whoever stands between must see the same requests as we do: what is unclear ends the line."""
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
    assert not Names(8750).knows(f"{host}:8750")


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
