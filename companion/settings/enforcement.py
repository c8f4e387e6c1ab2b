"""The strictness with which the rules are applied in a match."""

from __future__ import annotations

from enum import StrEnum


class Enforcement(StrEnum):
    """Strictness with which the rules are applied in a match."""

    OFF = "off"
    """Only the score is kept; whatever is played counts."""
    ADVISE = "advise"
    """A breach is explained; players may play on all the same."""
    ENFORCE = "enforce"
    """A breach is explained and must be put right."""
    PENALISE = "penalise"
    """As ``enforce``, and the journal notes the player."""
