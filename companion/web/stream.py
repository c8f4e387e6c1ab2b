"""Server-sent events: the newest picture to all readers, never an old one, and never the same
again: that it came would tell of what another seat did in secret.

A reader holds no pictures, only that there is a newer one: a slow reader misses those in between,
and one that does not read at all is cut off by the guard.
"""

from __future__ import annotations

import asyncio
import zlib
from collections import deque
from collections.abc import Callable
from typing import Final

from starlette.types import Message, Receive, Scope, Send

from companion.web.event_stream import Happened

BEAT_S: Final = 10.0
"""Seconds after which something is sent in any case: a page notices that its Wi-Fi is gone."""
_MOST_WAITING: Final = 200
"""Maximum number of happenings that wait for a slow reader; the oldest give way."""
_BEAT: Final = b"event: beat\ndata: {}\n\n"


class Reader:
    """A listening connection. ``newest``: makes what is sent after a change; ``rest_s``: minimum
    time between two of them, seconds."""

    def __init__(
        self, lang: str, newest: Callable[[], bytes], *, happenings: bool, rest_s: float = 0.0
    ) -> None:
        self.lang, self._newest, self.rest_s = lang, newest, rest_s
        self._wants_happenings = happenings
        self._waiting: deque[Happened] = deque(maxlen=_MOST_WAITING)
        self._due, self._sent = True, 0
        self._woken = asyncio.Event()
        self._woken.set()
        self.ended = False
        """True if nothing follows what waits."""

    def wake(self) -> None:
        """Notes a change."""
        self._due = True
        self._woken.set()

    def tell(self, happened: Happened) -> None:
        """Adds an event."""
        if self._wants_happenings:
            self._waiting.append(happened)
            self._woken.set()

    def end(self) -> None:
        """Send what waits, and nothing after it."""
        self.ended = True
        self._woken.set()

    async def next(self) -> bytes:
        """Bytes to send next, as soon as there are some."""
        parts = list[bytes]()
        try:
            async with asyncio.timeout(BEAT_S):
                while not parts and not self.ended:
                    await self._woken.wait()
                    self._woken.clear()
                    parts = self._new()
        except TimeoutError:
            return _BEAT
        return b"".join(parts)

    def _new(self) -> list[bytes]:
        parts = []
        if self._due:
            self._due = False
            newest = self._newest()
            if hash(newest) != self._sent:
                self._sent = hash(newest)
                parts.append(newest)
        while self._waiting:
            one = self._waiting.popleft()
            parts.append(event("happened", one.told[self.lang], one.id))
        return parts


class Readers:
    """All who listen; belongs to the thread that serves."""

    def __init__(self) -> None:
        self._all: set[Reader] = set()

    def __len__(self) -> int:
        return len(self._all)

    def add(self, reader: Reader) -> None:
        """Adds a reader."""
        self._all.add(reader)

    def remove(self, reader: Reader) -> None:
        """Removes a reader."""
        self._all.discard(reader)

    def wake(self) -> None:
        """Tells all readers of a change."""
        for reader in self._all:
            reader.wake()

    def tell(self, happened: Happened) -> None:
        """Tells all readers of an event."""
        for reader in self._all:
            reader.tell(happened)


def event(name: str, data: bytes, id: str = "") -> bytes:
    """One server-sent event; ``data``: JSON without line breaks."""
    number = f"id: {id}\n" if id else ""
    return f"event: {name}\n{number}data: ".encode() + data + b"\n\n"


async def listen_to(
    reader: Reader, readers: Readers, scope: Scope, receive: Receive, send: Send
) -> None:
    """Send everything that ``reader`` is to hear, until it has gone."""
    headers = [
        (b"content-type", b"text/event-stream; charset=utf-8"), (b"connection", b"close"),
    ]  # fmt: skip
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    if scope["method"] == "HEAD":
        await send({"type": "http.response.body", "body": b""})
        return
    gone = asyncio.create_task(_until_gone(receive))
    readers.add(reader)
    try:
        while not gone.done() and not reader.ended:
            coming = asyncio.create_task(reader.next())
            await asyncio.wait({gone, coming}, return_when=asyncio.FIRST_COMPLETED)
            if not coming.done():
                coming.cancel()
                break
            await send({"type": "http.response.body", "body": coming.result(), "more_body": True})
            if reader.rest_s:
                await asyncio.wait({gone}, timeout=reader.rest_s)
        if gone.done():
            gone.result()
        else:
            await send({"type": "http.response.body", "body": b""})
    finally:
        readers.remove(reader)
        gone.cancel()


class Packed:
    """Sends an answer in gzip's format, each part of it at once. What was sent before is known to
    the format, so a picture that repeats most of the last one is short."""

    def __init__(self, send: Send) -> None:
        self._send = send
        # 15 bits of history, a gzip header (16), and little memory for each of many readers.
        self._packer = zlib.compressobj(6, zlib.DEFLATED, 15 + 16, 6)

    async def __call__(self, message: Message) -> None:
        """Send a message as in ASGI."""
        if message["type"] == "http.response.start":
            more = [(b"content-encoding", b"gzip"), (b"vary", b"accept-encoding")]
            message = {**message, "headers": [*message["headers"], *more]}
        elif message["type"] == "http.response.body":
            ends = not message.get("more_body", False)
            body = self._packer.compress(message.get("body", b""))
            body += self._packer.flush(zlib.Z_FINISH if ends else zlib.Z_SYNC_FLUSH)
            message = {**message, "body": body}
        await self._send(message)


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
