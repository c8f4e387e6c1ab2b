"""The line to the broker: a session's listener that keeps a house up to date.

Two threads, neither of them the session's: one makes messages and hands them over, one speaks with
the broker and finds it again. Of how the table stands only the newest waits. A broker that takes
nothing, comes and goes, or talks without end delays only this line.
"""

from __future__ import annotations

import logging
import ssl
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final

from paho.mqtt.client import (
    Client,
    ConnectFlags,
    DisconnectFlags,
    MQTTMessage,
    MQTTMessageInfo,
    MQTTv5,
)
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from companion.match.events import TableEvent
from companion.match.public_log import PublicIds
from companion.match.view import TableView
from companion.mqtt.messages import EVENT_LIVES_S, Message, Outbox
from companion.mqtt.topics import Topics
from companion.settings.services import MqttSettings
from companion.support.version import heelstone_version
from hardware.supervised_thread import InboxThread, SupervisedThread

log = logging.getLogger(__name__)

KEEPALIVE_S: Final = 30
"""Seconds between signs of life; a broker that says nothing for one and a half times as long is
gone."""
FIRST_AGAIN_S, LONGEST_AGAIN_S = 1.0, 30.0
"""Shortest and longest wait before an absent broker is tried again, seconds."""
MOST_IN_FLIGHT: Final = 20
"""Maximum number of messages on their way; more wait here."""
MOST_HEARD: Final = 100
FLOOD_S: Final = 10.0
"""Seconds in which a broker may say ``MOST_HEARD`` things; after more it is left alone …"""
REST_S: Final = 60.0
"""… for this time."""
NOT_FOR_US: Final = (0x84, 0x85, 0x86, 0x87, 0x8A, 0x8C)
"""Reason codes of MQTT 5 for "you may not": version, name, password, rights, ban, method."""
MOST_WAITING: Final = 500
"""Maximum number of waiting views; if the thread hangs, the oldest go."""
LONGEST_PACKET: Final = 64 * 1024
"""Longest packet that a broker may send, bytes."""
GOODBYE_S: Final = 2.0
"""Maximum wait for the last message when the program ends, seconds."""

_News = tuple[TableView | None, tuple[TableEvent, ...]]
Trouble = Callable[[str], object]
"""Callback with a code of trouble, in a thread of the line; empty: all is well."""


class BrokerLink:
    """Tells a broker of the table; ``start`` and ``close`` it. A session's listener."""

    def __init__(
        self,
        settings: MqttSettings,
        lang: str,
        trouble: Trouble = lambda _: None,
        aliases: PublicIds | None = None,
        seats_used: int = 0,
    ) -> None:
        """``trouble`` hears how the line is: a code of ``companion.presentation.words.troubles``.
        ``aliases``: what matches are called outside of the table. ``seats_used``: most seats of any
        match before."""
        self._settings, self._lang, self._tell_trouble = settings, lang, trouble
        self.topics = Topics(settings.table, settings.discovery_prefix)
        self.trouble = ""
        """Code of the line's trouble; empty if all is well."""
        version = str(heelstone_version())
        self._outbox = Outbox(
            self.topics, version, settings.discovery, aliases or PublicIds(), seats_used=seats_used
        )
        self._lock = threading.Lock()
        self._client: Client | None = None
        """Client connected to the broker, while it listens."""
        self._on_their_way: dict[int, Message] = {}
        """Messages that the broker has not confirmed yet, by their numbers."""
        self._quick: set[int] = set()
        """Messages that it confirmed before they were known to be on their way."""
        self._lost: list[Message] = []
        """Messages that it did not confirm before the connection was lost."""
        self._new_broker = self._reborn = False
        self._heard: deque[float] = deque(maxlen=MOST_HEARD)
        self._sender = InboxThread[_News](
            "house", self._take, tick=self._hand_over, last=self._hand_over, limit=MOST_WAITING
        )
        self._network = SupervisedThread("house network", self._speak, failed=self._failed)

    def start(self) -> BrokerLink:
        """Look for the broker."""
        self._sender.start()
        self._network.start()
        return self

    def __call__(self, view: TableView, events: Sequence[TableEvent]) -> None:
        """A session's listener; returns at once."""
        self._sender.put((view, tuple(events)))

    def rest(self) -> None:
        """Reports that no match is on the table."""
        self._sender.put((None, ()))

    def speak(self, lang: str) -> None:
        """Use this language from now on."""
        self._lang = lang
        self._sender.wake()

    @property
    def connected(self) -> bool:
        """True if the broker listens."""
        return self._client is not None

    def close(self) -> None:
        """Say goodbye, as far as the broker listens, and end."""
        self._sender.close(GOODBYE_S)
        client = self._client
        self._network.end()
        if client is not None:
            for message in self._outbox.kept(self._lang):
                _sent(client, message)
            goodbye = client.publish(self.topics.availability, b"offline", 1, True)
            with suppress(RuntimeError, ValueError):  # It may go at this very moment.
                goodbye.wait_for_publish(GOODBYE_S)
            client.disconnect()
        self._network.close(GOODBYE_S)

    # -- making and handing over ----------------------------------------------------------

    def _take(self, news: _News) -> None:
        with self._lock:
            self._take_up()
        self._outbox.take(*news, self._lang)
        self._sender.wake()

    def _hand_over(self) -> None:
        """Give the broker what it does not know yet, once no more news waits."""
        with self._lock:
            self._take_up()
            client = self._client
            table_waits = any(m.happened_s is None for m in self._on_their_way.values())
            room = MOST_IN_FLIGHT - len(self._on_their_way)
        if client is None:
            return
        # The newest of how the table stands goes as soon as the last of it has arrived.
        messages = [] if table_waits else self._outbox.kept(self._lang)
        for message in [*messages, *self._outbox.events(room - len(messages))]:
            self._publish(client, message)

    def _take_up(self) -> None:
        """Makes the outbox send again what a new broker or a restarted Home Assistant lacks; with
        the lock."""
        if self._new_broker:
            self._outbox.put_back(self._lost)
            self._outbox.forget()
            self._lost.clear()
        elif self._reborn:
            self._outbox.forget(self.topics.discovery, self.topics.state)
        self._new_broker = self._reborn = False

    def _publish(self, client: Client, message: Message) -> None:
        sent = _sent(client, message)
        with self._lock:
            if client is not self._client:
                self._lost.append(message)
            elif sent.mid in self._quick:
                self._quick.remove(sent.mid)
            else:
                self._on_their_way[sent.mid] = message

    # -- the broker -----------------------------------------------------------------------

    def _speak(self) -> None:
        """Find the broker and speak with it until the end, each time with a new client: nothing of
        an old one is sent again that is no longer so."""
        wait_s = FIRST_AGAIN_S
        while not self._network.closing:
            before = self.trouble
            if self._connect():
                wait_s = FIRST_AGAIN_S
            elif self.trouble == before == "":
                # It took the call and hung up, or never said who it is.
                self._note("broker_silent")
            if self.trouble == "broker_floods":
                wait_s = REST_S
            self._network.rest(wait_s)
            wait_s = min(2 * wait_s, LONGEST_AGAIN_S)

    def _connect(self) -> bool:
        """Speaks with the broker while it listens; True if it did."""
        settings = self._settings
        client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTv5, reconnect_on_failure=False)
        if settings.user or settings.password:
            client.username_pw_set(settings.user, settings.password or None)
        client.will_set(self.topics.availability, b"offline", 1, True)
        client.max_inflight_messages_set(MOST_IN_FLIGHT)
        client.on_connect, client.on_disconnect = self._came, self._went
        client.on_publish, client.on_message = self._confirmed, self._told
        came: list[bool] = []
        client.user_data_set(came)
        try:
            if settings.tls:
                client.tls_set(ca_certs=settings.ca_file or None)
            client.connect(settings.host, settings.at, KEEPALIVE_S, properties=_limits())
        except ssl.SSLError as error:
            self._note("broker_certificate", error)
        except FileNotFoundError as error:
            self._note("broker_certificate", error)
        except OSError as error:
            self._note("no_broker", error)
        else:
            client.loop_forever()
        return bool(came)

    def _came(
        self, client: Client, came: list[bool], _: ConnectFlags, reason: ReasonCode, __: Any
    ) -> None:
        if reason.is_failure:
            refused = reason.value in NOT_FOR_US
            self._note("broker_refuses" if refused else "broker_busy", reason)
            return
        came.append(True)
        if self._settings.discovery:
            client.subscribe(self.topics.birth)
        with self._lock:
            self._client, self._new_broker = client, True
        self._sender.wake()
        self._note("")

    def _went(
        self, _: Client, came: list[bool], __: DisconnectFlags, reason: ReasonCode, ___: Any
    ) -> None:
        with self._lock:
            self._client = None
            self._lost += self._on_their_way.values()
            self._on_their_way.clear()
            self._quick.clear()
        if came and not self._network.closing and self.trouble != "broker_floods":
            self._note("broker_gone", reason)

    def _confirmed(self, _: Client, __: Any, number: int, ___: ReasonCode, ____: Any) -> None:
        with self._lock:
            if self._on_their_way.pop(number, None) is None:
                self._quick.add(number)
        self._sender.wake()

    def _told(self, client: Client, _: Any, message: MQTTMessage) -> None:
        """Home Assistant has started; nothing else is of interest."""
        now_s = time.monotonic()
        self._heard.append(now_s)
        if len(self._heard) == MOST_HEARD and now_s - self._heard[0] < FLOOD_S:
            self._heard.clear()
            self._note("broker_floods")
            client.disconnect()
        elif message.topic == self.topics.birth and message.payload == b"online":
            with self._lock:
                self._reborn = True
            self._sender.wake()

    def _failed(self) -> None:
        with self._lock:
            self._client = None
        self._note("mistake")

    def _note(self, code: str, why: object = None) -> None:
        if code == self.trouble:
            return
        if code:
            log.warning("%s:%s: %s (%s)", self._settings.host, self._settings.at, code, why)
        else:
            log.info("the broker at %s listens", self._settings.host)
        self.trouble = code
        self._tell_trouble(code)


def _sent(client: Client, message: Message) -> MQTTMessageInfo:
    """Send a message; what it returns knows its number."""
    happened = message.happened_s is not None
    more = _properties(PacketTypes.PUBLISH)
    if happened:
        more.MessageExpiryInterval = int(EVENT_LIVES_S)
    return client.publish(message.topic, message.payload, 1, not happened, more)


def _properties(packet: int) -> Properties:
    return Properties(packet)  # type: ignore[no-untyped-call]


def _limits() -> Properties:
    limits = _properties(PacketTypes.CONNECT)
    limits.MaximumPacketSize = LONGEST_PACKET
    return limits
