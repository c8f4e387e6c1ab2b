"""How much of Erbaut Stonehenge! somebody has learned."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["ALL", "Insight"]


@dataclass(frozen=True, slots=True)
class Insight:
    """What somebody has learned of the game."""

    thinks_of_rivals: bool = True
    """What a site, a theft or a sabotage costs the others."""
    counts_turns: bool = True
    """That a night card is built sooner than a day card, and a trilithon takes five turns."""
    looks_on: bool = True
    """To what a row may grow."""
    sees_rows: bool = True
    """That neighbours and long rows pay besides the elements themselves (3.8)."""


ALL = Insight()
