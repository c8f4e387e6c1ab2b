"""Messages that wait to be sent: the newest state of the table, and a few events."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from companion.match.events import TableEvent
from companion.match.public_log import PublicIds
from companion.match.view import TableView
from companion.mqtt.public import EVENT_TYPES, NobodyPlays, PublicTable, happened, public_table
from companion.mqtt.topics import Topics
from companion.presentation.views import PublicView, public_view, told_alike
from rules.texts import Texts

# -- discovery by Home Assistant --------------------------------------------------------------
#
# One retained message describes the table as one device (device discovery, since Home Assistant
# 2024.11), so that it can be removed again with one empty message.

MOST_SEATS: Final = 8
"""Maximum number of seats with a score."""
QOS: Final = 1
"""Quality of service that Home Assistant asks for, at least once. Each component says it: a device
does not hand it on to its components (``SHARED_OPTIONS`` of Home Assistant's
``components/mqtt/schemas.py``)."""
LONGEST_STATE: Final = 255
"""Longest state that Home Assistant takes, letters."""

Component = dict[str, Any]


def discovery(topics: Topics, seats: Sequence[str], lang: str, version: str) -> dict[str, Any]:
    """The message that describes the table ``topics`` belong to. ``seats``: the names at every
    seat that ever had points here, empty where nobody sits."""
    words = Texts("mqtt", lang)
    scores = {f"score_{n + 1}": _score(topics, n, seats, words) for n in range(MOST_SEATS)}
    components = {**_always(topics, words), **scores}
    return {
        "device": {
            "identifiers": [topics.device],
            "name": words("device", table=topics.table),
            "manufacturer": "Heelstone",
            "model": words("model"),
            "sw_version": version,
        },
        "origin": {"name": "heelstone", "sw_version": version},
        "availability": [{"topic": topics.availability}],
        "state_topic": topics.state,
        # Of a component that is only a platform, and so removed, nothing more may be said.
        "components": {k: {**c, "qos": QOS} if len(c) > 1 else c for k, c in components.items()},
    }


def _always(topics: Topics, words: Texts) -> dict[str, Component]:
    """Components that are there with any players."""

    def sensor(key: str, value: str, icon: str, **more: Any) -> Component:
        said = f"value_json.{value}"
        # An empty state would be left out and the old one stay; None becomes "unknown".
        template = f"{{{{ {said}[:{LONGEST_STATE}] if {said} else None }}}}"
        return {"platform": "sensor", "unique_id": f"{topics.device}_{key}", "name": words(key),
                "icon": f"mdi:{icon}", "value_template": template, **more}  # fmt: skip

    return {
        "turn_of": sensor("turn_of", "turn_of", "account-arrow-right"),
        "state": sensor("state", "state_text", "table-furniture"),
        "game": sensor("game", "game_name", "dice-multiple"),
        "winner": sensor("winner", "winner", "trophy"),
        "last": sensor("last", "last", "history"),
        "running": {
            "platform": "binary_sensor",
            "unique_id": f"{topics.device}_running",
            "name": words("running"),
            "icon": "mdi:play-circle",
            "device_class": "running",
            "value_template": "{{ 'ON' if value_json.running else 'OFF' }}",
        },
        "happened": {
            "platform": "event",
            "unique_id": f"{topics.device}_happened",
            "name": words("happened"),
            "icon": "mdi:bell",
            "state_topic": topics.event,
            "event_types": list(EVENT_TYPES),
        },
    }


def _score(topics: Topics, seat: int, seats: Sequence[str], words: Texts) -> Component:
    """Points of a seat, unavailable while nobody sits there; only the platform, which removes it,
    of a seat never used."""
    if seat >= len(seats):
        return {"platform": "sensor"}
    key = f"score_{seat + 1}"
    here = f"value_json.players | count > {seat}"
    name = words("score", name=seats[seat]) if seats[seat] else words("score_at", seat=seat + 1)
    return {
        "platform": "sensor",
        "unique_id": f"{topics.device}_{key}",
        "name": name,
        "icon": "mdi:counter",
        "state_class": "measurement",
        "availability_mode": "all",
        "availability": [
            {"topic": topics.availability},
            {
                "topic": topics.state,
                "value_template": f"{{{{ 'online' if {here} else 'offline' }}}}",
            },
        ],
        "value_template": f"{{{{ value_json.players[{seat}].score if {here} else None }}}}",
    }


MOST_EVENTS: Final = 200
"""Maximum number of events that wait while the broker is away; then the oldest go."""
EVENT_LIVES_S: Final = 60.0
"""Seconds for which a waiting event is worth sending; the state of the table is sent anyway."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message under a topic."""

    topic: str
    payload: bytes
    happened_s: float | None = None
    """Time of an event, monotonic seconds. None: this is a state, which the broker keeps for later
    subscribers."""
    moves: int = 0
    """Number of first moves of the match that an event may tell of …"""
    era: int = 0
    """… and how often moves had been taken back or forgotten by then."""


@dataclass
class Outbox:
    """Makes messages of views and events; not for several threads at once."""

    topics: Topics
    version: str
    """Version of this program."""
    with_discovery: bool = True
    aliases: PublicIds = field(default_factory=PublicIds)
    """Ids of matches outside the table."""
    clock: Callable[[], float] = time.monotonic
    seats_used: int = 0
    """Most seats of any match so far: their points stay known to Home Assistant."""

    def __post_init__(self) -> None:
        self._view: PublicView | None = None
        self._events: deque[Message] = deque(maxlen=MOST_EVENTS)
        self._number = self._era = 0
        self._sent: dict[str, bytes] = {}
        """Payloads that the broker keeps, by topic, as far as they were sent since it was last
        new."""

    def take(self, view: TableView | None, events: Sequence[TableEvent], lang: str) -> None:
        """Takes another view, and the events that led to it; None: there is no match."""
        public = None if view is None else public_view(view, self.aliases.of(view.match_id))
        if public is not None:
            now_s, alike = self.clock(), told_alike(self._view, public)
            if alike is not None:
                self._era += self._view is not None and alike < self._view.ply
                # What waits for a broker is told as it is public by then.
                waiting = [one for one in self._events if one.moves <= alike]
                self._events = deque(waiting, maxlen=MOST_EVENTS)
            moves = max(public.ply, 0 if self._view is None else self._view.ply)
            for told in happened(self._view, public, events, lang):
                self._number += 1
                payload = msgspec.json.encode({**told, "n": self._number})
                self._events.append(Message(self.topics.event, payload, now_s, moves, self._era))
        self._view = public

    def forget(self, *topics: str) -> None:
        """The broker may not know what it was told under these topics; without any: at all."""
        for topic in topics or tuple(self._sent):
            self._sent.pop(topic, None)

    def put_back(self, lost: Sequence[Message]) -> None:
        """The broker went before it confirmed these; what happened is told again, if nothing was
        taken back or forgotten since."""
        now = [one for one in lost if one.happened_s and one.era == self._era]
        self._events.extendleft(reversed(now))

    def kept(self, lang: str) -> list[Message]:
        """Retained messages that the broker does not know yet."""
        view = self._view
        table = NobodyPlays(lang=lang) if view is None else public_table(view, lang)
        wanted = [Message(self.topics.availability, b"online"), self._described(table, lang),
                  Message(self.topics.state, msgspec.json.encode(table))]  # fmt: skip
        new = [m for m in wanted if m is not None and self._sent.get(m.topic) != m.payload]
        self._sent |= {message.topic: message.payload for message in new}
        return new

    def events(self, most: int) -> list[Message]:
        """The oldest ``most`` events that are still of interest; they wait no longer."""
        taken: list[Message] = []
        while self._events and len(taken) < most:
            message = self._events.popleft()
            if self.clock() - (message.happened_s or 0.0) <= EVENT_LIVES_S:
                taken.append(message)
        return taken

    def _described(self, table: PublicTable | NobodyPlays, lang: str) -> Message | None:
        if not self.with_discovery:
            return None
        here = [player.name for player in table.players]
        self.seats_used = max(self.seats_used, len(here))
        # What the broker keeps names nobody once a match is over and gone.
        seats = [*here, *[""] * (self.seats_used - len(here))]
        described = discovery(self.topics, seats, lang, self.version)
        return Message(self.topics.discovery, msgspec.json.encode(described))
