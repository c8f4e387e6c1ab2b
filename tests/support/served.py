"""Phones that ask a table's own server, by real sockets."""

from __future__ import annotations

import http.client
import json
import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from companion.match.session import Session
from companion.web.connections import Limits
from companion.web.server import TableServer
from tests.support.phone_pictures import play_on, table_of
from tests.support.waiting import PATIENCE_S, until

Headers = Mapping[str, str]


@dataclass(frozen=True)
class Reply:
    """Answer of the server."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body, read."""
        return json.loads(self.body)


@dataclass
class Served:
    """A table whose server is on."""

    session: Session
    server: TableServer
    phones: list[Phone] = field(default_factory=list)

    def phone(self, seat: int | None = None, *, let_in: bool = True) -> Phone:
        """A new phone; with a seat it has scanned the seat's code."""
        phone = Phone(self.server.port)
        self.phones.append(phone)
        if seat is not None:
            assert phone.claim(self.server.seats.token(seat)).status == 200
            assert not let_in or self.server.seats.confirm(seat)
        return phone

    def refused(self) -> int:
        """Number of connections that were cut off because there were too many."""
        return self.server.lines.refused


@contextmanager
def served(
    game: str = "dominion", players: int = 2, *, moves: int = 30, seed: int = 1,
    kept: Path | None = None, limits: Limits | None = None, session: Session | None = None,
    options: Mapping[str, str] | None = None,
) -> Iterator[Served]:  # fmt: skip
    """A match under way at a table without a camera, and the table's server in English."""
    own = session is None
    if session is None:
        table = table_of(game, players, seed=seed, options=options)
        play_on(table, moves, Random(seed))
        session = Session(table).start()
    server = TableServer(0, "en", kept, limits)
    server.start()
    server.follow(session)
    table_is = Served(session, server)
    probe = Phone(server.port)
    try:
        assert until(lambda: probe.get("/api/table").json["match"] is not None)
        yield table_is
    finally:
        server.close()
        if own:
            session.close()


class Phone:
    """A browser, as far as a server can tell."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.cookie = ""

    def get(self, path: str, headers: Headers | None = None) -> Reply:
        """Sends a GET request."""
        return self._ask("GET", path, None, dict(headers or {}))

    def post(self, path: str, body: Any, headers: Headers | None = None) -> Reply:
        """Send something as the pages do; ``headers`` replace theirs, empty ones leave them out."""
        own = {"Content-Type": "application/json", "X-Heelstone": "1", **(headers or {})}
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self._ask("POST", path, data, own)

    def claim(self, token: str) -> Reply:
        """Scan a code."""
        reply = self.post("/api/claim", {"token": token})
        if reply.status == 200:
            self.cookie = reply.headers["set-cookie"].partition(";")[0]
        return reply

    def play(self, *moves: str, since: int | None = None, match: str | None = None) -> Reply:
        """Make moves, of the hand as it is now."""
        hand = self.get("/api/hand").json
        since = hand["changes"] if since is None else since
        return self.post(
            "/api/moves", {"match": match or hand["match"], "since": since, "moves": [*moves]}
        )

    def stream(self, path: str = "/api/stream", headers: Headers | None = None) -> Stream:
        """Listen."""
        return Stream(self, path, dict(headers or {}))

    def line(self) -> socket.socket:
        """A bare connection."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE_S)

    def _ask(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> Reply:
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        if self.cookie:
            headers.setdefault("Cookie", self.cookie)
        try:
            line.request(method, path, body, {k: v for k, v in headers.items() if v})
            reply = line.getresponse()
            told = {name.lower(): value for name, value in reply.getheaders()}
            return Reply(reply.status, told, reply.read())
        finally:
            line.close()


class Stream:
    """Server-sent events as they come; close it after use."""

    def __init__(self, phone: Phone, path: str, headers: dict[str, str]) -> None:
        self._line = phone.line()
        head = {"Host": f"127.0.0.1:{phone.port}", "Cookie": phone.cookie, **headers}
        told = "".join(f"{name}: {value}\r\n" for name, value in head.items() if value)
        self._line.sendall(f"GET {path} HTTP/1.1\r\n{told}\r\n".encode())
        self._file = self._line.makefile("rb")
        self.status = int(self._file.readline().split()[1])
        while self._file.readline().strip():
            pass

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_args: object) -> None:
        self.close()

    def close(self) -> None:
        """Hang up."""
        self._file.close()
        self._line.close()

    def next(self, name: str = "") -> tuple[str, str, Any]:
        """Name, id and data of the next event; with ``name`` the next of this name. Raises EOFError
        at the end."""
        end = time.monotonic() + PATIENCE_S
        event, number = "", ""
        while time.monotonic() < end:
            line = self._file.readline()
            if not line:
                raise EOFError
            key, _, value = line.decode().rstrip("\r\n").partition(": ")
            if key == "event":
                event, number = value, ""
            elif key == "id":
                number = value
            elif key == "data" and (not name or event == name):
                return event, number, json.loads(value)
        raise TimeoutError(name)
