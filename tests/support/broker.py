"""A real MQTT broker for tests, and a client that listens to it."""

from __future__ import annotations

import json
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from paho.mqtt.client import Client, MQTTMessage, MQTTv5
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.subscribeoptions import SubscribeOptions

from tests.support.needed import path_of
from tests.support.waiting import PATIENCE_S, until


@dataclass
class Broker:
    """A mosquitto at a port of its own; it may be killed and started again."""

    folder: Path
    port: int
    more: tuple[str, ...] = ("allow_anonymous true",)
    """Lines of its settings."""
    _running: subprocess.Popen[bytes] | None = None

    def start(self) -> Broker:
        """Start it, with nothing it knew before, and wait until it listens."""
        settings = self.folder / "mosquitto.conf"
        lines = [f"listener {self.port} 127.0.0.1", "persistence false", "user root", *self.more]
        settings.write_text("\n".join(lines) + "\n")
        self._running = subprocess.Popen(
            [_program(), "-c", str(settings)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        assert until(self._listens), "mosquitto does not listen"
        return self

    def kill(self) -> None:
        """The power goes."""
        if self._running is not None:
            self._running.kill()
            self._running.wait(timeout=PATIENCE_S)
        self._running = None

    @contextmanager
    def ear(self, user: str = "", password: str = "") -> Iterator[Ear]:
        """A client that hears everything from now on."""
        ear = Ear()
        client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTv5)
        if user:
            client.username_pw_set(user, password)
        client.on_message, client.on_connect = ear.hear, ear.came
        client.on_subscribe = ear.listens
        client.reconnect_delay_set(1, 1)
        client.connect("127.0.0.1", self.port)
        client.loop_start()
        try:
            assert until(lambda: ear.ready)
            yield ear
        finally:
            client.disconnect()
            client.loop_stop()

    def say(self, topic: str, payload: bytes, times: int = 1) -> None:
        """Publishes something as another client."""
        client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTv5)
        client.connect("127.0.0.1", self.port)
        client.loop_start()
        last = [client.publish(topic, payload, 1) for _ in range(times)][-1]
        last.wait_for_publish(PATIENCE_S)
        client.disconnect()
        client.loop_stop()

    def _listens(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1):
                return True
        except OSError:
            return False


@dataclass
class Ear:
    """Messages from a broker, in order."""

    heard: list[tuple[str, bytes, bool]] = field(default_factory=list)
    """Topic, payload, and whether the broker had kept it."""
    ready: bool = False

    def came(self, client: Client, *_: Any) -> None:
        client.subscribe("#", options=SubscribeOptions(qos=1))

    def listens(self, *_: Any) -> None:
        self.ready = True

    def hear(self, _: Client, __: Any, message: MQTTMessage) -> None:
        self.heard.append((message.topic, bytes(message.payload), message.retain))

    def all(self, topic: str) -> list[Any]:
        """All messages under a topic, as data."""
        return [_read(payload) for told, payload, _ in list(self.heard) if told == topic]

    def last(self, topic: str) -> Any:
        """The last message under a topic; None if there was none."""
        return next(iter(reversed(self.all(topic))), None)

    def events(self, table: str = "table") -> list[str]:
        """The types of the events that came."""
        return [event["event_type"] for event in self.all(f"heelstone/{table}/event")]


@contextmanager
def broker(folder: Path, *more: str) -> Iterator[Broker]:
    """A broker that runs; the test is skipped where there is none."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    made = Broker(folder, port, more or ("allow_anonymous true",))
    try:
        yield made.start()
    finally:
        made.kill()


def _program() -> str:
    return path_of("mosquitto")


def _read(payload: bytes) -> Any:
    try:
        return json.loads(payload)
    except ValueError:
        return payload.decode()
