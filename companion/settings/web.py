"""Settings of the pages that phones open."""

from __future__ import annotations

from typing import Annotated

import msgspec

__all__ = ["WebSettings"]

Port = Annotated[int, msgspec.Meta(ge=1, le=65535)]
HostName = Annotated[
    str, msgspec.Meta(pattern=r"^([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)?\Z")
]
"""One part of a name in a network (RFC 1123); empty: none."""


class WebSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Own cards on the phone, and spectators. Off: nothing listens and nothing is loaded."""

    enabled: bool = False
    """Until somebody chooses on the screen."""
    port: Port = 8750
    """Where the pages are; below 1024 only for root."""
    name: HostName = ""
    """What the table is called in the network, ``kitchen`` for ``kitchen.local``; empty: as the
    computer is."""
