"""Attacks from the network: they are refused, and the table notices nothing."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator

import pytest

from companion.match.view import PlayMove
from companion.web.connections import Limits
from companion.web.guard import Rates
from companion.web.network import Names, is_near
from companion.web.stream import BEAT_S
from tests.support.served import Phone, Served, served
from tests.support.waiting import PATIENCE_S, until

OURS = {"Content-Type": "application/json", "X-Heelstone": "1"}


@contextlib.contextmanager
def unimpressed(table: Served) -> Iterator[None]:
    """Whatever happens within: afterwards a tap at the table counts and a page shows it."""
    yield
    session = table.session
    ply = session.view.ply
    session.post(PlayMove(session.view.legal[-1]))
    assert session.settle()
    assert session.view.ply > ply
    other = Phone(table.server.port)
    assert until(lambda: other.get("/api/table").json["ply"] == session.view.ply)


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:{port}", "127.0.0.1:1", "127.0.0.1",
     "localhost.evil.example:{port}", "[::1", "", "a:b:{port}", "127.0.0.1:{port}@evil.example",
     "8.8.8.8:{port}", "127.0.0.2:{port}", "[::1]:{port}", "0.0.0.0:{port}", "2130706433:{port}"],
)  # fmt: skip
def test_a_foreign_name_that_points_here_gets_nothing(host: str) -> None:
    with served() as table, unimpressed(table):
        host = host.format(port=table.server.port)
        with table.phone().line() as line:
            line.sendall(f"GET /api/table HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
            told = line.makefile("rb").readline()
        assert told.split()[1] in (b"400", b"421")


HERE = "192.168.1.10"


def test_two_hosts_or_none_are_refused() -> None:
    with served() as table:
        ours = f"Host: 127.0.0.1:{table.server.port}\r\n"
        for hosts in ("", ours + "Host: evil.example\r\n"):
            with table.phone().line() as line:
                line.sendall(f"GET / HTTP/1.1\r\n{hosts}\r\n".encode())
                assert line.makefile("rb").readline().split()[1] in (b"400", b"421")


def test_the_table_is_known_by_number_by_its_name_and_as_localhost() -> None:
    names = Names(8750)
    known = ["192.168.1.5:8750", "localhost:8750", f"{names.local}:8750"]
    assert all(names.knows(host, "192.168.1.5") for host in known)
    for foreign in ("192.168.1.5", "192.168.1.6:8750", "8.8.8.8:8750", "[fe80::1]:8750", ":8750"):
        assert not names.knows(foreign, "192.168.1.5")
    assert not names.knows(":8750", "")
    assert Names(80).knows("192.168.1.5", "192.168.1.5")


def test_a_table_with_a_name_of_its_own_is_known_by_that_and_by_its_computers() -> None:
    kitchen, computer = Names(8750, "Kitchen"), Names(8750)
    assert kitchen.local == "kitchen.local"
    assert kitchen.knows("KITCHEN.local:8750", HERE)
    assert kitchen.knows(f"{computer.local}:8750", HERE)
    assert not computer.knows("kitchen.local:8750", HERE)
    # Another one in the house was called so first; avahi counts on.
    assert kitchen.knows("kitchen-2.local:8750", HERE)
    assert kitchen.knows("kitchen-13.local:8750", HERE)
    assert Names(8750, "kitchen-2").knows("kitchen-2.local:8750", HERE)
    for foreign in (
        "kitchen:8750", "kitchen.local.evil.example:8750", "kitchen.evil.example:8750",
        "kitchen-2:8750", "kitchen-2.local.evil.example:8750", "x-2.local:8750",
    ):  # fmt: skip
        assert not kitchen.knows(foreign, HERE)


def test_only_homes_own_networks_are_near() -> None:
    assert all(map(is_near, ["192.168.1.5", "10.1.2.3", "172.20.0.1", "169.254.9.9", "127.0.0.1"]))
    assert not any(map(is_near, ["8.8.8.8", "172.32.0.1", "100.64.0.1", "fe80::1", "x"]))


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "https://127.0.0.1:{port}", "http://127.0.0.1",
     "http://localhost:{port}", "http://127.0.0.1:{port}.evil.example"],
)  # fmt: skip
def test_a_page_from_elsewhere_asks_in_vain(origin: str) -> None:
    with served() as table, unimpressed(table):
        phone = table.phone()
        told = {"Origin": origin.format(port=table.server.port)}
        assert phone.get("/api/table", told).status == 403
        claim = phone.post("/api/claim", {"token": table.server.seats.token(0)}, told)
        assert claim.status == 403
        assert table.server.seats.waiting() == ()


def test_our_own_page_is_answered_and_a_browser_that_tells_it_comes_from_elsewhere_is_not() -> None:
    with served() as table:
        phone, ours = table.phone(), f"http://127.0.0.1:{table.server.port}"
        assert phone.get("/api/table", {"Origin": ours}).status == 200
        for site, status in (("cross-site", 403), ("same-site", 403), ("same-origin", 200)):
            assert phone.get("/api/table", {"Sec-Fetch-Site": site}).status == status
        # A link somewhere else may lead to the page itself.
        assert phone.get("/", {"Sec-Fetch-Site": "cross-site"}).status == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [({"X-Heelstone": ""}, 403), ({"X-Heelstone": "2"}, 403),
     ({"Content-Type": "text/plain"}, 415), ({"Content-Type": ""}, 415),
     ({"Content-Type": "application/x-www-form-urlencoded"}, 415)],
)  # fmt: skip
def test_what_a_foreign_form_can_send_changes_nothing(headers: dict[str, str], status: int) -> None:
    with served() as table, unimpressed(table):
        phone = table.phone()
        told = phone.post("/api/claim", {"token": table.server.seats.token(0)}, headers)
        assert told.status == status
        assert table.server.seats.waiting() == ()


def test_other_methods_are_refused() -> None:
    with served() as table:
        for method in ("PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"):
            with table.phone().line() as line:
                host = f"Host: 127.0.0.1:{table.server.port}\r\n"
                line.sendall(f"{method} /api/table HTTP/1.1\r\n{host}\r\n".encode())
                assert line.makefile("rb").readline().split()[1] == b"405"


def test_pages_load_nothing_from_elsewhere_and_are_not_kept_where_they_are_private() -> None:
    with served() as table:
        phone = table.phone(0)
        for path in ("/", "/hand", "/overlay", "/api/table", "/api/hand", "/static/page.js"):
            reply = phone.get(path)
            assert reply.status == 200
            policy = reply.headers["content-security-policy"]
            assert "default-src 'none'" in policy and "unsafe" not in policy
            assert reply.headers["x-content-type-options"] == "nosniff"
            assert reply.headers["referrer-policy"] == "no-referrer"
            assert "access-control-allow-origin" not in reply.headers
        assert phone.get("/api/hand").headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "path", ["../server.py", "..%2fserver.py", "%2e%2e/server.py", "hand.html", "."]
)
def test_nothing_but_the_pages_own_files_is_handed_out(path: str) -> None:
    with served() as table:
        assert table.phone().get(f"/static/{path}").status == 404


# -- too much ---------------------------------------------------------------------------------


def test_100_megabytes_are_not_read() -> None:
    with served() as table, unimpressed(table):
        phone = table.phone()
        head = (
            "POST /api/claim HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nX-Heelstone: 1\r\n"
            "Content-Type: application/json\r\n{length}\r\n\r\n"
        )
        for length in ("Content-Length: 104857600", "Transfer-Encoding: chunked"):
            with phone.line() as line:
                line.sendall(head.format(port=phone.port, length=length).encode())
                sent = _pour(line, chunked="chunked" in length)
                assert sent < 16_000_000, "the whole body was taken in"


def _pour(line: socket.socket, *, chunked: bool) -> int:
    """Send 100 MB, until the other end hangs up; how much went."""
    piece, sent = b" " * 65_536, 0
    block = f"{len(piece):x}\r\n".encode() + piece + b"\r\n" if chunked else piece
    with contextlib.suppress(OSError):
        while sent < 100_000_000:
            line.sendall(block)
            sent += len(piece)
    return sent


def test_a_head_without_end_is_cut_off() -> None:
    with served() as table, unimpressed(table), table.phone().line() as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ")
        with contextlib.suppress(OSError):
            for _number in range(64):
                line.sendall(b"x" * 4096)
        assert _ended(line)


def test_half_a_request_is_not_waited_for() -> None:
    with served(limits=Limits(head_s=0.2, body_s=0.2)) as table, unimpressed(table):
        halves = [
            b"", b"GET /api/ta", b"GET /api/table HTTP/1.1\r\nHost: 127.0.0.1:1\r\n",
            f"POST /api/claim HTTP/1.1\r\nHost: 127.0.0.1:{table.server.port}\r\nX-Heelstone: 1\r\n"
            "Content-Type: application/json\r\nContent-Length: 30\r\n\r\n{".encode(),
        ]  # fmt: skip
        for half in halves:
            with table.phone().line() as line:
                line.sendall(half)
                assert _ended(line)


def test_a_second_request_that_never_ends_is_not_waited_for_either() -> None:
    with served(limits=Limits(head_s=0.2)) as table, table.phone().line() as line:
        host = f"Host: 127.0.0.1:{table.server.port}"
        line.sendall(f"GET /api/hand HTTP/1.1\r\n{host}\r\n\r\nGET /".encode())
        assert _ended(line)


def _ended(line: socket.socket) -> bool:
    """True if the other end hangs up, after whatever it says."""
    line.settimeout(PATIENCE_S)
    with contextlib.suppress(ConnectionError):
        while line.recv(65_536):
            pass
    return True


def test_of_a_thousand_connections_most_are_cut_off_at_once() -> None:
    limits = Limits(lines=30, lines_each=20)
    with served(limits=limits) as table, contextlib.ExitStack() as lines:
        listening = lines.enter_context(table.phone().stream())
        listening.next("table")
        for _number in range(1000):
            with contextlib.suppress(OSError):
                lines.enter_context(table.phone().line())
        assert until(lambda: table.refused() > 900)
        assert len(table.server.lines) <= 20
        # Whoever listened before goes on listening.
        session = table.session
        session.post(PlayMove(session.view.legal[-1]))
        assert session.settle()
        while listening.next("table")[2]["ply"] < session.view.ply:
            pass
    assert len(table.server.lines) == 0


def _listens(port: int, address: str) -> socket.socket:
    """A spectator at another address that never says anything again."""
    line = socket.create_connection(("127.0.0.1", port), PATIENCE_S, source_address=(address, 0))
    line.sendall(f"GET /api/stream HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
    line.recv(1)
    return line


@pytest.mark.parametrize("neighbour", ["127.0.0.2", "127.0.0.1"])
def test_silent_spectators_give_way_to_seats_that_were_let_in(neighbour: str) -> None:
    """From four other addresses, or from that of the phone, as behind a second router."""
    limits = Limits(lines=24, lines_each=6, lines_kept=3)
    with served(limits=limits) as table, contextlib.ExitStack() as lines:
        phone, port = table.phone(0), table.server.port
        addresses = [neighbour, *(f"127.0.0.{n}" for n in (3, 4, 5))]

        def crowd() -> None:
            for number in range(48):
                with contextlib.suppress(OSError):
                    lines.enter_context(_listens(port, addresses[number % 4]))

        crowd()
        assert until(lambda: len(table.server.lines) >= 24)
        with phone.stream("/api/hand/stream") as hand:
            hand.next("hand")
            crowd()
            assert phone.get("/api/hand").status == 200
            session = table.session
            session.post(PlayMove(session.view.legal[-1]))
            assert session.settle()
            while hand.next("hand")[2]["public"]["ply"] < session.view.ply:
                pass
            for _number in range(limits.lines_kept * 2):
                # Even a seat keeps no more than it needs.
                lines.enter_context(phone.stream("/api/hand/stream"))
            assert until(lambda: len(table.server.lines) <= 24)
            assert phone.get("/api/hand").status == 200
        with table.phone().stream() as another:
            assert another.next("table"), "the newest spectator is heard, the oldest gives way"


def test_who_reads_nothing_gets_only_the_newest_and_is_cut_off_in_the_end() -> None:
    with served(limits=Limits(stall_s=0.3)) as table:
        with table.phone().line() as deaf:
            deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            host = f"Host: 127.0.0.1:{table.server.port}"
            deaf.sendall(f"GET /api/stream HTTP/1.1\r\n{host}\r\n\r\n".encode())
            assert until(lambda: len(table.server.readers) == 1)
            assert until(lambda: _stir(table) and len(table.server.readers) == 0)
        with unimpressed(table):
            pass


def _stir(table: Served) -> bool:
    """Tells all readers anew, as if much happened at the table."""
    for _number in range(20):
        table.server.follow(table.session)
    time.sleep(0.01)
    return True


def test_whoever_asks_too_often_is_told_to_wait_and_others_are_not() -> None:
    now = 0.0
    rates = Rates(2.0, 3, lambda: now)
    assert [rates.allow("a") for _number in range(4)] == [True, True, True, False]
    assert rates.allow("b")
    now = 0.5
    assert [rates.allow("a") for _number in range(2)] == [True, False]


def test_codes_cannot_be_tried_quickly() -> None:
    with served(limits=Limits(claims=3, claims_s=0.0)) as table:
        phone = table.phone()
        assert [phone.claim(f"guess{n}").status for n in range(3)] == [403] * 3
        # Even the right one, which stays good.
        assert phone.claim(table.server.seats.token(0)).status == 429
        assert table.server.seats.waiting() == ()


def test_a_server_that_is_closed_hangs_up_on_everybody_and_can_be_started_again() -> None:
    with served() as table:
        stream = table.phone().stream()
        stream.next("table")
        table.server.close()
        with pytest.raises((EOFError, ConnectionError)):
            while True:
                stream.next()
        stream.close()
        assert table.server.start() == ""
        table.server.follow(table.session)
        phone = Phone(table.server.port)
        assert until(lambda: phone.get("/api/table").json["match"] is not None)


def test_whoever_is_back_at_once_does_not_keep_a_closing_server_up(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A page that is hung up on asks again within a tenth of a second."""
    with served() as table:
        port, over = table.server.port, threading.Event()
        heard: list[bytes] = []

        def insist() -> None:
            while not over.is_set():
                with contextlib.suppress(OSError), Phone(port).line() as line:
                    line.sendall(
                        f"GET /api/stream HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
                    )
                    heard.append(line.recv(100))
                    while line.recv(65536):
                        pass

        crowd = [threading.Thread(target=insist) for _number in range(4)]
        for one in crowd:
            one.start()
        assert until(lambda: len(heard) >= 4)
        table.server.close()
        over.set()
        for one in crowd:
            one.join(PATIENCE_S)
        assert [record.getMessage() for record in caplog.records] == []


def test_a_port_that_somebody_has_is_told_as_a_code() -> None:
    with served() as table:
        from companion.web.server import TableServer

        second = TableServer(table.server.port)
        assert second.start() == "phones_port_taken" == second.trouble
        second.close()


def test_a_beat_comes_before_a_page_would_believe_its_wifi_is_gone() -> None:
    assert BEAT_S < 25
