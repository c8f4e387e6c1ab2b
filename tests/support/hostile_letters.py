"""Letters of a club's hostile member: letters that make no sense, and headers."""

from __future__ import annotations

import json
from typing import Any

from nats.aio.client import Client

MATCH = "0123456789abcdef01234567"


def event(**other: Any) -> bytes:
    told = {"v": 1, "seq": 1, "t": 1.79e9, "type": "move", "src": "touch",
            "body": {"move": "p0 done"}}  # fmt: skip
    return json.dumps({**told, **other}).encode()


HEADER: dict[str, Any] = {
    "game": "knizia_stonehenge", "players": 2, "options": {}, "physical": False,
    "names": ["Ada", "Ben"], "enforcement": "enforce", "created": 1.79e9, "series": "",
    "course": "", "commit": "",
}  # fmt: skip


def begun(**other: Any) -> bytes:
    return json.dumps({"v": 1, "header": {**HEADER, **other}}).encode()


def body(type: str, **said: Any) -> bytes:
    return event(type=type, body=said)


POISON: list[tuple[str, bytes]] = [
    *(("event", data) for data in (
        b"", b"\xff", b'{"v": 1, "seq": 1e999}', event(seq=10**400),
        event(seq=2**31), event(seq=0), event(seq=True), event(t=10**400), event(t=-1),
        event(t=1e300), event(v=2), event(body=[]), event(body={"move": "\ud800"}),
        event(body={"move": "\u0000"}), event(src="\u001b[2J"), event(type="x" * 17),
        body("move", move="x" * 201), body("move", move="p0 done", shown=["a"] * 101),
        body("takeback", count=10**9), body("end", reason="x", ranking=[[0]], scores=[10**12]),
        body("end", reason="x", ranking=[[-1]], scores=[1]), body("clock", left=[-1], turn=0),
        body("other", deep=[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]),
    )),
    *(("begun", data) for data in (
        b"{}", begun(players=10**9), begun(players=0), begun(names=["x"] * 3),
        begun(computers=["x"] * 3), begun(names=["\u202eadA", ""]), begun(created=1e300),
        begun(enforcement="perhaps"), begun(options={"x": "y" * 81}), begun(options=[]),
        begun(together={"match": "", "table": "", "here": [99], "hosting": True}),
    )),
    ("stands", b'{"v": 1, "status": "won"}'), ("nonsense", b'{"v": 1}'), ("more.words", b"{}"),
    ("event", b"[" * 50_000),
]  # fmt: skip

HEADERS = (
    b"NATS/1.0", b"NATS/1.0\r\n\r\n", b"NATS/1.0 \xff\xff\xff\r\n\r\n",
    b"NATS/1.0 409 \xff\r\n\r\n", b"NATS/1.0\r\n\xff:\xff\r\n", b"x", b"NATS/1.0 100 Idle\r\n\r\n",
)  # fmt: skip


async def with_headers(client: Client, where: str, headers: bytes) -> None:
    """Says something with headers as no client library writes them."""
    line = f"HPUB {where} {len(headers)} {len(headers) + 2}\r\n".encode()
    await client._send_command(line + headers + b"{}\r\n")
    await client.flush()
