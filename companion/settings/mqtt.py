"""Settings of the MQTT broker that a table publishes to."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec

__all__ = ["MqttSettings"]

PLAIN_PORT: Final = 1883
TLS_PORT: Final = 8883

Port = Annotated[int, msgspec.Meta(ge=1, le=65535)]
TopicName = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_-]{1,40}\Z")]
"""A part of a topic that every broker, and Home Assistant's ids, can take."""


class MqttSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where score, turn and events go. Without ``host`` nothing is sent and nothing is loaded."""

    host: str = ""
    """Name or address of the broker; empty: none."""
    port: Port | None = None
    """Without it 1883, with ``tls`` 8883."""
    user: str = ""
    password: str = ""
    tls: bool = False
    """Speak encrypted, and only with a broker whose certificate is known here."""
    ca_file: str = ""
    """Certificates that are trusted; empty: those of the system."""
    table: TopicName = "table"
    """What this table is called in topics: ``heelstone/<table>/state``."""
    discovery: bool = True
    """Whether Home Assistant is told what there is."""
    discovery_prefix: TopicName = "homeassistant"
    """Where it looks for that."""

    @property
    def at(self) -> int:
        """The broker's port."""
        return self.port or (TLS_PORT if self.tls else PLAIN_PORT)
