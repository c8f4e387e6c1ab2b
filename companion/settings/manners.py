"""Timing of the referee at the table: how quick it is to speak and to conclude."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import msgspec

Seconds = Annotated[float, msgspec.Meta(ge=0, le=600)]


class Commit(StrEnum):
    """The way to agree on a recognised move."""

    STILLNESS = "stillness"
    BUTTON = "button"


class Manners(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Delays before Heelstone speaks or concludes. All times in seconds."""

    commit_s: Seconds = 0.8
    """A recognised move must hold still this long before it is agreed."""
    quiet_s: Seconds = 1.0
    """Silence after a hand has left."""
    reason_s: Seconds = 3.0
    """After this long a refusal is explained in words."""
    desync_s: Seconds = 6.0
    """After this long without an explanation the board is guided back."""
    commit: Commit = Commit.STILLNESS
    """Agree to a move by stillness, or only by a player's button."""
