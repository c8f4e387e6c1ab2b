"""A connection to the club's broker, and one that lives in a thread of its own."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import ssl
from collections.abc import Callable
from typing import Any

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError

from companion.club.membership import Membership
from companion.club.naming import inbox_of
from hardware.supervised_thread import AsyncThread, tell_failure

log = logging.getLogger(__name__)

CONNECT_S = 15.0
AGAIN_S = 2.0
END_S = 5.0

Heard = Callable[[str, bytes], object]
"""Callback with subject and message, called in the line's thread; must return at once."""


class Line:
    """A connection to the club's broker, for use in any thread; no call waits.

    Messages are lost while there is no connection: the sender repeats those that need an answer.
    ``came``: called in the line's thread whenever the connection has come (again).
    """

    def __init__(self, member: Membership, came: Callable[[], object] = lambda: None) -> None:
        self.member = member
        self.up = False
        """True if there is a connection now."""
        self._came = came
        self._heard: dict[str, Heard] = {}
        self._client: Client | None = None
        self._thread = AsyncThread("club line", self._run)

    def listen(self, subject: str, heard: Heard) -> None:
        """Hear what is said under ``subject``; to be called before ``start``."""
        self._heard[subject] = heard

    def start(self) -> Line:
        """Connect, and connect again whenever that is needed."""
        self._thread.start()
        return self

    def say(self, subject: str, data: bytes) -> bool:
        """Sends a message; True if there was a connection."""
        client = self._client
        if client is None or not self.up:
            return False

        async def said() -> None:
            try:
                await client.publish(subject, data)
            except NatsError as error:
                log.info("not said to the club: %s", error)

        return self._thread.call(lambda: asyncio.ensure_future(said()))

    def close(self) -> None:
        """Hang up."""
        self._thread.close(END_S)

    # -- private --------------------------------------------------------------------------

    async def _run(self, over: asyncio.Event) -> None:
        try:
            while not over.is_set():
                try:
                    self._client = await connect(self.member, self._changed)
                except (NatsError, OSError, TimeoutError) as error:
                    log.info("no connection to the club: %s", error)
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(over.wait(), AGAIN_S)
                    continue
                await self._stay(self._client, over)
        finally:
            self._client = None
            self.up = False

    async def _stay(self, client: Client, over: asyncio.Event) -> None:
        try:
            for subject, heard in self._heard.items():
                await client.subscribe(subject, cb=_passing_on(heard))
            with contextlib.suppress(NatsError, TimeoutError):
                # Who is told that it is there may speak to it at once.
                await client.flush()
            self._changed(True)
            await over.wait()
        finally:
            await client.close()

    def _changed(self, up: bool) -> None:
        came = up and not self.up
        self.up = up
        if came:
            self._came()


def _passing_on(heard: Heard) -> Callable[[Msg], Any]:
    async def passed_on(message: Msg) -> None:
        try:
            heard(message.subject, message.data)
        except Exception as error:
            # The client would only print it; here it is told where every failure is.
            tell_failure(error)

    return passed_on


class SturdyClient(Client):
    """A client that does not go deaf at headers which mean nothing: a member of the club may have
    written them, and none is of interest but the broker's own."""

    async def _process_headers(self, headers: bytes) -> dict[str, str] | None:
        try:
            found: dict[str, str] | None = await super()._process_headers(headers)
        except (LookupError, ValueError) as error:
            log.info("headers that mean nothing: %r", error)
            return None
        return found


async def connect(
    member: Membership, changed: Callable[[bool], object] = lambda _up: None
) -> Client:
    """A connection to the club's broker, which comes back by itself.

    ``changed`` hears when it is gone and when it is back. Raises NatsError, OSError, TimeoutError.
    """

    async def trouble(error: Exception) -> None:
        log.info("the club's broker: %s", error)

    async def gone() -> None:
        changed(False)

    async def back() -> None:
        changed(True)

    client = SturdyClient()
    try:
        async with asyncio.timeout(CONNECT_S):
            await client.connect(
                reconnect_time_wait=2, max_reconnect_attempts=-1, ping_interval=20,
                error_cb=trouble, disconnected_cb=gone, reconnected_cb=back, **_as_member(member),
            )  # fmt: skip
    except BaseException:
        await client.close()
        raise
    return client


async def broker_trouble(member: Membership) -> str:
    """Code of why the club's broker does not take this table, tried once: empty, ``club_refuses``
    (it does not know the key), ``club_certificate`` or ``club_away``. Nothing is sent."""
    heard: list[Exception] = []

    async def hear(error: Exception) -> None:
        heard.append(error)

    client = Client()
    try:
        async with asyncio.timeout(CONNECT_S):
            await client.connect(
                allow_reconnect=False, max_reconnect_attempts=1, reconnect_time_wait=0,
                error_cb=hear, **_as_member(member),
            )  # fmt: skip
        return ""
    except (NatsError, OSError, TimeoutError) as error:
        heard.append(error)
    finally:
        await client.close()
    if any("authorization" in str(error).lower() for error in heard):
        return "club_refuses"
    if any(isinstance(error, ssl.SSLError) for error in heard):
        return "club_certificate"
    return "club_away"


def _as_member(member: Membership) -> dict[str, Any]:
    """Connection options that identify this table to the broker."""
    given: dict[str, Any] = {
        "servers": list(member.servers), "name": member.table, "nkeys_seed_str": member.seed,
        # A table may listen to answers of its own only.
        "inbox_prefix": inbox_of(member.club, member.table),
        "connect_timeout": 5,
    }  # fmt: skip
    if any(server.startswith("tls://") for server in member.servers):
        given["tls"] = ssl.create_default_context(cadata=member.authority or None)
    return given
