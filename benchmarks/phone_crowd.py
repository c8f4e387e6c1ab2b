"""Phones and attackers for the benchmark ``phones``, in processes of their own."""

from __future__ import annotations

import contextlib
import re
import selectors
import socket
import time
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Final

Seen = tuple[int, int, float]
"""Number of the phone, moves in the picture, monotonic seconds when all of it was there."""

_PLY: Final = re.compile(rb'"ply":(\d+)')
_CLAIM: Final = (
    "POST /api/claim HTTP/1.1\r\nHost: {host}\r\nX-Heelstone: 1\r\n"
    "Content-Type: application/json\r\n"
)


@dataclass
class _Phone:
    number: int
    line: socket.socket
    left: bytes = b""


def listen(port: int, cookies: list[str], answer: Connection) -> None:
    """Listen with as many phones as there are ``cookies`` (empty: a spectator) until something
    comes from ``answer``; then send what was seen, a list of ``Seen``."""
    seen: list[Seen] = []
    with selectors.DefaultSelector() as selector, contextlib.ExitStack() as stack:
        for number, cookie in enumerate(cookies):
            phone = _Phone(number, stack.enter_context(_connected(port, cookie, number)))
            selector.register(phone.line, selectors.EVENT_READ, phone)
        answer.send("listening")
        while not answer.poll():
            for key, _events in selector.select(0.05):
                _read(key.data, seen)
    answer.recv()
    answer.send(seen)


def _connected(port: int, cookie: str, number: int) -> socket.socket:
    line = socket.create_connection(("127.0.0.1", port), timeout=30)
    path = "/api/hand/stream" if cookie else "/api/stream"
    lang = "de" if number % 2 else "en"
    line.sendall(
        f"GET {path}?lang={lang} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\n\r\n"
        "".encode()
    )
    return line


def _read(phone: _Phone, seen: list[Seen]) -> None:
    phone.left += phone.line.recv(262_144)
    now = time.monotonic()
    *whole, phone.left = phone.left.split(b"\n\n")
    for event in whole:
        # The public picture comes last in a hand, with the same number.
        plies = _PLY.findall(event) if b"event: table" in event or b"event: hand" in event else []
        if plies:
            seen.append((phone.number, max(map(int, plies)), now))


def attack(port: int, stop: Connection) -> None:
    """Attack until something comes from ``stop``; then send how many attacks there were."""
    kept: list[socket.socket] = []
    tried = 0
    host = f"127.0.0.1:{port}"
    while not stop.poll():
        for head in (
            f"GET /api/table HTTP/1.1\r\nHost: evil.example:{port}\r\n\r\n",
            f"GET /api/table HTTP/1.1\r\nHost: {host}\r\nOrigin: http://evil.example\r\n\r\n",
            _CLAIM.format(host=host) + 'Content-Length: 19\r\n\r\n{"token":"guessed"}',
            _CLAIM.format(host=host) + "Content-Length: 104857600\r\n\r\n" + " " * 65_536,
            f"GET /api/stream HTTP/1.1\r\nHost: {host}\r\n\r\n",
            "GET /api/ta",
            "",
        ):
            with contextlib.suppress(OSError):
                line = socket.create_connection(("127.0.0.1", port), timeout=0.2)
                line.setblocking(False)
                kept.append(line)
                line.send(head.encode())
            tried += 1
        # A few hundred stay open, half asked, and their answers are not read.
        while len(kept) > 400:
            kept.pop(0).close()
        time.sleep(0.002)
    stop.recv()
    stop.send(tried)
    for line in kept:
        line.close()
