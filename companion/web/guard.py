"""The checks before every page: whom it is for, where it was asked from, and how much of it.

A browser is made to attack machines in its own network by pages from elsewhere: so the Host must be
ours (a foreign name may point here), an Origin must be the very page's, what changes something
carries a header that no foreign form can send, and nothing is loaded from elsewhere.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, MutableMapping
from ipaddress import IPv6Address
from typing import Any, Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from companion.web.connections import Limits, Lines
from companion.web.network import Names
from hardware.supervised_thread import tell_failure

HEADER: Final = b"x-heelstone"
"""Header that every POST must carry, with the value 1."""
_MOST_ADDRESSES: Final = 1024

_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
_ALWAYS: Final[list[tuple[bytes, bytes]]] = [
    (b"content-security-policy", _POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
]


class TooLong(Exception):
    """A body is longer than anything that is ever asked, or does not come to its end."""


class Rates:
    """Limits the requests from each address; forgets quiet ones."""

    def __init__(
        self, per_s: float, burst: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._per_s, self._burst, self._clock = per_s, burst, clock
        self._left: dict[str, tuple[float, float]] = {}

    def allow(self, address: str) -> bool:
        """True if one more request from there is allowed."""
        now = self._clock()
        left, then = self._left.pop(address, (float(self._burst), now))
        left = min(left + (now - then) * self._per_s, float(self._burst))
        allowed = left >= 1
        self._left[address] = (left - allowed, now)
        if len(self._left) > _MOST_ADDRESSES:
            del self._left[next(iter(self._left))]
        return allowed


class Guard:
    """ASGI middleware around all pages."""

    def __init__(
        self, app: ASGIApp, names: Names, lines: Lines, limits: Limits, proxy: str = ""
    ) -> None:
        """``proxy``: the address of a server of ours that passes requests on to here."""
        self._app, self._names, self._lines, self._limits = app, names, lines, limits
        self._proxy = proxy
        self._requests = Rates(limits.requests_s, limits.burst)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or refuse."""
        if scope["type"] != "http":
            return
        answer = _Answer(scope, send, self._lines, self._limits)
        refused = self._refusal(scope)
        if refused is not None:
            await answer.refuse(*refused)
            return
        try:
            await self._app(scope, self._limited(receive), answer.send)
        except TooLong:
            await answer.refuse(413, "too much")
        except _Stalled:
            self._lines.cut(scope["client"])
        except Exception as error:
            tell_failure(error)
            await answer.refuse(500, "a mistake in the table's program")

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        """Status and reason, if this is not to be answered."""
        headers = _Headers(scope)
        host = headers.only(b"host")
        # The address that this connection was made to.
        here = str((scope.get("server") or ("",))[0])
        if host is None or not self._names.knows(host, here):
            return 421, "this table has another name"
        if not self._requests.allow(caller_of(scope, self._proxy)):
            return 429, "too often"
        if headers.has(b"content-length") and headers.has(b"transfer-encoding"):
            # Whoever stands between might have read another end of the body.
            return 400, "one length of the body only"
        if scope["method"] not in ("GET", "HEAD", "POST"):
            return 405, "GET and POST only"
        origin = headers.only(b"origin")
        if headers.has(b"origin") and not self._names.is_page(origin, host):
            return 403, "asked from another page"
        site = headers.only(b"sec-fetch-site")
        inside = scope["path"].startswith("/api/")
        if inside and site not in (None, "same-origin", "none"):
            return 403, "asked from another page"
        if scope["method"] == "POST":
            return self._refused_post(headers)
        return None

    def _refused_post(self, headers: _Headers) -> tuple[int, str] | None:
        if headers.only(HEADER) != "1":
            return 403, "the header X-Heelstone: 1 is missing"
        kind = headers.only(b"content-type") or ""
        if kind.partition(";")[0].strip().lower() != "application/json":
            return 415, "JSON only"
        length = headers.only(b"content-length")
        if length is not None and (
            not length.isdecimal() or len(length) > 9 or int(length) > self._limits.body_bytes
        ):
            return 413, "too much"
        return None

    def _limited(self, receive: Receive) -> Receive:
        """``receive`` that raises TooLong."""
        taken = 0
        ends_s = time.monotonic() + self._limits.body_s
        over = False

        async def limited() -> Message:
            nonlocal taken, over
            if over:
                return await receive()
            left_s = ends_s - time.monotonic()
            try:
                message = await asyncio.wait_for(receive(), max(left_s, 0.001))
            except TimeoutError as error:
                raise TooLong from error
            taken += len(message.get("body", b""))
            if taken > self._limits.body_bytes:
                raise TooLong
            over = not message.get("more_body", False)
            return message

        return limited


def caller_of(scope: Scope, proxy: str) -> str:
    """Address of the caller: the other end of the connection, or the one that our own proxy names
    last. Of IPv6 it is the network: everybody has 2^64 addresses in theirs."""
    peer = str(scope["client"][0])
    if proxy and peer == proxy:
        named = _Headers(scope).only(b"x-forwarded-for") or ""
        peer = named.rpartition(",")[2].strip()[:64] or peer
    try:
        address = IPv6Address(peer)
    except ValueError:
        return peer
    return str(address.ipv4_mapped or IPv6Address(int(address) >> 64 << 64))


class _Stalled(Exception):
    """The other end reads nothing."""


class _Answer:
    """One answer: with the headers that all have, and cut off if it is not read."""

    def __init__(self, scope: Scope, send: Send, lines: Lines, limits: Limits) -> None:
        self._scope, self._send, self._lines, self._limits = scope, send, lines, limits
        self._begun = False

    async def send(self, message: Message) -> None:
        """Sends a message as in ASGI. Raises ``_Stalled``."""
        if message["type"] == "http.response.start":
            self._begun = True
            message = _with_headers(message)
        try:
            await asyncio.wait_for(self._send(message), self._limits.stall_s)
        except TimeoutError as error:
            raise _Stalled from error

    async def refuse(self, status: int, reason: str) -> None:
        """Say no, in a few words for people who build things, and hang up."""
        if self._begun:
            self._lines.cut(self._scope["client"])
            return
        body = f"{reason}\n".encode()
        headers = [
            (b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close"),
            (b"content-length", str(len(body)).encode()), (b"cache-control", b"no-store"),
        ]  # fmt: skip
        if status == 429:
            headers.append((b"retry-after", b"5"))
        try:
            await self.send({"type": "http.response.start", "status": status, "headers": headers})
            await self.send({"type": "http.response.body", "body": body})
        except _Stalled:
            self._lines.cut(self._scope["client"])


def _with_headers(message: MutableMapping[str, Any]) -> Message:
    given = list(message.get("headers", []))
    names = {name.lower() for name, _value in given}
    added = [entry for entry in _ALWAYS if entry[0] not in names]
    if b"cache-control" not in names:
        added.append((b"cache-control", b"no-store"))
    return {**message, "headers": [*given, *added]}


class _Headers:
    """The headers of a request."""

    def __init__(self, scope: Scope) -> None:
        self._all: list[tuple[bytes, bytes]] = list(scope["headers"])

    def has(self, name: bytes) -> bool:
        """True if it was sent at all."""
        return any(one == name for one, _value in self._all)

    def only(self, name: bytes) -> str | None:
        """Its value; None if it is not there, or there more than once."""
        found = [value for one, value in self._all if one == name]
        return found[0].decode("latin-1") if len(found) == 1 else None
