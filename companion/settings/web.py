"""Settings of the pages that phones open."""

from __future__ import annotations

from typing import Annotated

import msgspec

__all__ = ["WebSettings"]

Port = Annotated[int, msgspec.Meta(ge=1, le=65535)]


class WebSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Own cards on the phone, and spectators. Off: nothing listens and nothing is loaded."""

    enabled: bool = False
    """Until somebody chooses on the screen."""
    port: Port = 8750
    """Where the pages are; below 1024 only for root."""
