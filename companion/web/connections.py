"""Connections: how many, from where, and for how long; what is too much is cut off at once."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict, deque
from dataclasses import dataclass
from typing import Any, cast

from uvicorn.protocols.http.h11_impl import H11Protocol

from companion.web.network import is_near

_WATCH_S = 1.0


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of connections and requests. The page of a phone needs one or two connections, a
    browser makes no more than six."""

    lines: int = 160
    """Connections."""
    lines_each: int = 40
    """Connections from one address."""
    lines_kept: int = 8
    """Connections of one seat that give way to nobody."""
    head_s: float = 10.0
    """Maximum time until a request has begun and its head was sent, seconds."""
    body_bytes: int = 16_384
    body_s: float = 10.0
    """Maximum time for the body of a request, seconds."""
    stall_s: float = 15.0
    """Maximum time without reading; then the reader is cut off."""
    requests_s: float = 20.0
    """Requests per second from one address, on average …"""
    burst: int = 120
    """… and at once."""
    claims_s: float = 0.2
    """Codes tried per second from one address, on average …"""
    claims: int = 10
    """… and at once."""


class Lines:
    """All connections of a server; belongs to the thread that serves.

    If there are too many, one gives way to the newest: of the address that has most the oldest
    without a request, or else the oldest. The newest of seats that were let in are kept.
    """

    def __init__(self, limits: Limits, proxy: str = "") -> None:
        """``proxy``: an address that all connections may come from, as a server of ours is
        there."""
        self._limits, self._proxy = limits, proxy
        self._open: dict[tuple[str, int], _Line] = {}
        self._kept: defaultdict[int, deque[_Line]] = defaultdict(
            lambda: deque(maxlen=limits.lines_kept)
        )
        """Connections of seats that were let in, by seat."""
        self.closed = False
        """True if no connection is accepted any more: a page that was hung up on is back in no
        time."""
        self.refused = 0
        """Connections that were cut off because there were too many."""

    def __len__(self) -> int:
        return len(self._open)

    def admit(self, line: _Line) -> bool:
        """True if a connection that was just made may stay."""
        peer = line.client
        if self.closed or peer is None or not is_near(peer[0]):
            return False
        if not self._has_room_for(peer[0]):
            self.refused += 1
            return False
        self._open[peer] = line
        return True

    def keep(self, client: tuple[str, int] | None, seat: int) -> None:
        """The connection from this address and port is of a seat that was let in."""
        line = self._open.get(client) if client is not None else None
        if line is not None and line not in self._kept[seat]:
            self._kept[seat].append(line)

    def forget(self, line: _Line) -> None:
        """A connection has ended."""
        peer = line.client
        if peer is not None and self._open.get(peer) is line:
            del self._open[peer]
            for kept in self._kept.values():
                if line in kept:
                    kept.remove(line)

    def cut(self, client: tuple[str, int] | None) -> None:
        """End the connection from this address and port now, whatever is still to be sent."""
        line = self._open.get(client) if client is not None else None
        if line is not None:
            line.cut()

    def cut_all(self) -> None:
        """End every connection."""
        for line in list(self._open.values()):
            line.cut()

    def _has_room_for(self, address: str) -> bool:
        """True if there is room for a connection from there, perhaps since another was cut off."""
        each = Counter(host for host, _port in self._open)
        full = address != self._proxy and each[address] >= self._limits.lines_each
        if not full and len(self._open) < self._limits.lines:
            return True
        kept = {id(line) for lines in self._kept.values() for line in lines}
        ready = [peer for peer, line in self._open.items() if id(line) not in kept]
        each = Counter(host for host, _port in ready)
        most = address if full else max(each, key=each.__getitem__, default="")
        theirs = [self._open[peer] for peer in ready if peer[0] == most]
        if not theirs:
            return False
        self.refused += 1
        gone = next((line for line in theirs if not line.busy), theirs[0])
        gone.cut()
        self.forget(gone)
        return True

    async def watch(self) -> None:
        """Cuts off, again and again, connections without a request."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(_WATCH_S)
            now = loop.time()
            for line in list(self._open.values()):
                if line.busy:
                    line.since_s = now
                elif now - line.since_s > self._limits.head_s:
                    line.cut()


class _Line(H11Protocol):
    """One connection."""

    lines: Lines

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.since_s = self.loop.time()
        if not self.lines.admit(self):
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self.lines.forget(self)
        super().connection_lost(exc)

    @property
    def busy(self) -> bool:
        """True if a request is being answered."""
        cycle = cast(Any, self.cycle)
        return cycle is not None and not cycle.response_complete

    def cut(self) -> None:
        """End it now."""
        if self.busy:
            # It is nobody's mistake that the answer remains incomplete.
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        self.transport.abort()


def lines_of(lines: Lines) -> type[H11Protocol]:
    """The class of connections that are counted in ``lines``."""
    return type("Line", (_Line,), {"lines": lines})
