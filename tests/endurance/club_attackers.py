"""Members of a club that mean no good: ``python -m tests.endurance.club_attackers FOLDER …``.

Each has a key of the club and a raw client, and does in turn whatever a member could do to harm the
others: floods, rubbish, answers sent elsewhere, matches without end. Ends when ``stop`` appears.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nats.aio.client import Client
from nats.errors import Error as NatsError

from companion.club.connection import connect
from companion.club.membership import Membership, read_membership
from companion.club.naming import (
    answer_subject,
    asking_subject,
    stream_of,
    subject,
    talk_stream_of,
    together_subject,
)
from tests.support.hostile_letters import (
    HEADERS,
    POISON,
    begun,
    body,
    event,
    with_headers,
)

BURST = 400
"""Messages said at once."""


class Attacker:
    """One member; ``others``: the names of honest ones."""

    def __init__(self, member: Membership, others: list[str], seed: int) -> None:
        self._member, self._others, self._chance = member, others, random.Random(seed)
        self.said = 0

    async def run(self, stop: asyncio.Event) -> None:
        """One evil deed after the other; whoever is thrown out comes again."""
        deeds = [
            self._rubbish, self._flood, self._big, self._elsewhere, self._questions, self._talk,
            self._matches, self._endless, self._headers, self._listen, self._crowd, self._too_big,
        ]  # fmt: skip
        while not stop.is_set():
            try:
                client = await connect(self._member)
            except (NatsError, OSError, TimeoutError):
                await asyncio.sleep(1)
                continue
            try:
                while not stop.is_set() and not client.is_closed:
                    with contextlib.suppress(NatsError, OSError, TimeoutError):
                        await self._chance.choice(deeds)(client)
                        await asyncio.wait_for(client.flush(), 5)
                    await asyncio.sleep(self._chance.uniform(0.1, 1.5))
            finally:
                await client.close()

    # -- private --------------------------------------------------------------------------

    async def _say(self, client: Client, where: str, data: bytes, **more: Any) -> None:
        self.said += 1
        await client.publish(where, data, **more)

    def _own(self, what: str, match: str = "") -> str:
        club, table = self._member.club, self._member.table
        return subject(club, table, match or os.urandom(12).hex(), what)

    async def _rubbish(self, client: Client) -> None:
        for what, data in POISON:
            await self._say(client, self._own(what), data)

    async def _flood(self, client: Client) -> None:
        match = os.urandom(12).hex()
        for seq in range(1, BURST):
            await self._say(client, self._own("event", match), event(seq=seq))

    async def _big(self, client: Client) -> None:
        data = body("other", x="x" * 60_000)
        for _ in range(20):
            await self._say(client, self._own("event"), data)

    async def _elsewhere(self, client: Client) -> None:
        for where in (self._own("event"), asking_subject(self._member.club, self._member.table)):
            for reply in self._addresses():
                await self._say(client, where, b'{"v":1,"number":1,"matches":[]}', reply=reply)

    def _addresses(self) -> Iterator[str]:
        club, other = self._member.club, self._chance.choice(self._others)
        stream = stream_of(club, other)
        for api in ("STREAM.PURGE", "STREAM.DELETE"):
            for name in (stream, talk_stream_of(club)):
                yield f"$JS.API.{api}.{name}"
        yield f"$JS.API.CONSUMER.DELETE.{stream}.writer"
        yield subject(club, other, os.urandom(12).hex(), "event")
        yield f"_INBOX.{club}.{other}.x"
        yield answer_subject(club, other)
        yield together_subject(club, other, self._chance.choice(self._others))

    async def _questions(self, client: Client) -> None:
        asked = {"v": 1, "number": 1, "matches": [os.urandom(12).hex() for _ in range(200)]}
        for _ in range(100):
            where = asking_subject(self._member.club, self._member.table)
            await self._say(client, where, json.dumps(asked).encode())

    async def _talk(self, client: Client) -> None:
        club, table = self._member.club, self._member.table
        for _ in range(BURST):
            to = self._chance.choice([*self._others, ""])
            await self._say(client, together_subject(club, table, to), b'{"what":"who","v":1}')

    async def _matches(self, client: Client) -> None:
        for _ in range(100):
            match = os.urandom(12).hex()
            await self._say(client, self._own("begun", match), begun())
            end = body("end", reason="points", ranking=[[0], [1]], scores=[3, 2])
            await self._say(client, self._own("event", match), end)
            done = b'{"v":1,"status":"finished"}'
            await self._say(client, self._own("stands", match), done)

    async def _endless(self, client: Client) -> None:
        """One record that the hall follows, and moves that no game knows at its end."""
        match = os.urandom(12).hex()
        await self._say(client, self._own("begun", match), begun(game="dolmengoetter"))
        for seq in range(1, BURST, 2):
            move = "p0 pass" if self._chance.random() < 0.9 else "p9 fly ¿"
            await self._say(client, self._own("event", match), event(seq=seq, body={"move": move}))
            back = event(seq=seq + 1, type="takeback", body={"count": 1})
            await self._say(client, self._own("event", match), back)

    async def _headers(self, client: Client) -> None:
        for headers in (
            {"Status": "409"}, {"Nats-Rollup": "all"}, {"Nats-Expected-Stream": "other"},
            {"Nats-Msg-Id": "1"}, {"x": "y" * 4_000}, {"Status": "100", "Description": "Idle"},
        ):  # fmt: skip
            await self._say(client, self._own("event"), event(), headers=headers)
            where = together_subject(self._member.club, self._member.table, self._others[0])
            await self._say(client, where, b"{}", headers=headers)
        for raw in HEADERS:
            await with_headers(client, self._own("event"), raw)
            await with_headers(client, where, raw)

    async def _listen(self, client: Client) -> None:
        for where in (">", "$JS.API.>", "$SYS.>", "_INBOX.>", f"club.{self._member.club}.>"):
            found = await client.subscribe(where)
            await client.publish("$JS.API.INFO", b"", reply=self._member.table)
            await found.unsubscribe()

    async def _crowd(self, client: Client) -> None:
        more = []
        for _ in range(12):
            with contextlib.suppress(NatsError, OSError, TimeoutError):
                other = Client()
                more.append(other)
                await other.connect(
                    list(self._member.servers), nkeys_seed_str=self._member.seed,
                    allow_reconnect=False, connect_timeout=2,
                )  # fmt: skip
        for other in more:
            await other.close()

    async def _too_big(self, client: Client) -> None:
        await self._say(client, self._own("event"), b"x" * 900_000)


async def attack(folder: Path, names: list[str], others: list[str]) -> None:
    """Attack with all of them until ``stop`` appears; tell how often they spoke."""
    members = [read_membership(folder / "tables" / name / "club.toml") for name in names]
    attackers = [
        Attacker(member, others, number) for number, member in enumerate(members) if member
    ]
    stop, began_s = asyncio.Event(), time.monotonic()
    running = [asyncio.ensure_future(one.run(stop)) for one in attackers]
    while not (folder / "stop-attack").exists():
        await asyncio.sleep(0.2)
    stop.set()
    await asyncio.gather(*running)
    said = sum(one.said for one in attackers)
    print(json.dumps({"said": said, "s": round(time.monotonic() - began_s)}), flush=True)


if __name__ == "__main__":
    os.nice(5)
    # The client tells of everything that is refused.
    logging.disable()
    hostile = sys.argv[2].split(",")
    asyncio.run(attack(Path(sys.argv[1]), hostile, sys.argv[3].split(",")))
