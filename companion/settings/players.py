"""Settings of computer players."""

from __future__ import annotations

from typing import Annotated

import msgspec

__all__ = ["PlayersSettings", "ThinkingTime"]

ThinkingTime = Annotated[float, msgspec.Meta(ge=0.05, le=120)]
Pause = Annotated[float, msgspec.Meta(ge=0, le=30)]


class PlayersSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How computer players sit at the table."""

    seconds: ThinkingTime = 1.5
    """How long they think about a decision, at most; weaker ones need less."""
    pause_s: Pause = 0.8
    """Seconds between two moves at least, so that people can follow."""
