"""Settings of services: computer players, the pages for phones, and the MQTT broker."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec

# -- computer players -------------------------------------------------------------------------

ThinkingTime = Annotated[float, msgspec.Meta(ge=0.05, le=120)]
Pause = Annotated[float, msgspec.Meta(ge=0, le=30)]


class PlayersSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Computer players at the table."""

    seconds: ThinkingTime = 1.5
    """Maximum time for a decision, seconds; weaker ones need less."""
    pause_s: Pause = 0.8
    """Seconds between two moves at least, so that people can follow."""


# -- pages for phones -------------------------------------------------------------------------

HostName = Annotated[
    str, msgspec.Meta(pattern=r"^([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)?\Z")
]
"""One part of a name in a network (RFC 1123); empty: none."""


class WebSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Own cards on the phone, and spectators. Off: nothing listens and nothing is loaded."""

    enabled: bool = False
    """True if phones are let in, until it is chosen on the screen."""
    port: Port = 8750
    """Port of the pages; below 1024 only for root."""
    name: HostName = ""
    """Name of the table in the network, ``kitchen`` for ``kitchen.local``; empty: that of the
    computer."""


PLAIN_PORT: Final = 1883
TLS_PORT: Final = 8883

Port = Annotated[int, msgspec.Meta(ge=1, le=65535)]
TopicName = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_-]{1,40}\Z")]
"""A part of a topic that every broker, and Home Assistant's ids, can take."""


class MqttSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Broker for score, turn and events. Without ``host`` nothing is sent and nothing is loaded."""

    host: str = ""
    """Name or address of the broker; empty: none."""
    port: Port | None = None
    """Without it 1883, with ``tls`` 8883."""
    user: str = ""
    password: str = ""
    tls: bool = False
    """Encrypts the connection, and only with a broker whose certificate is known here."""
    ca_file: str = ""
    """Certificates that are trusted; empty: those of the system."""
    table: TopicName = "table"
    """Name of this table in topics: ``heelstone/<table>/state``."""
    discovery: bool = True
    """True if the table is described to Home Assistant."""
    discovery_prefix: TopicName = "homeassistant"
    """Prefix under which it looks for that."""

    @property
    def at(self) -> int:
        """The broker's port."""
        return self.port or (TLS_PORT if self.tls else PLAIN_PORT)
