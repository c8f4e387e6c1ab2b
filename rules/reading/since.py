"""Origin of a look: the time that hands had, and how much of the record is still open.

A single picture cannot show either. What is *seen* is settled; what was *concluded*, from the
absence of something or from one of two moves that look alike, stays open until later looks fit it.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Final

from rules.core import Move
from rules.reading.dice import Trays
from rules.reading.sighting import Look

TAKEBACK = 1.5
"""Cost of moves taken back (natural-log odds against going on) …"""
MORE_TAKEN_BACK = 0.2
"""… and of one move more."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A point in the record from which it may be told anew."""

    takeback: int
    """Number of moves of the record after it, draws included."""
    cost: float
    """Cost of a record that is wrong from there (natural-log odds)."""
    concluded: bool = False
    """True if the camera concluded the first of those, and nothing since shows: that it was another
    move which leaves the same on the table costs nothing."""
    then: tuple[Move, ...] = ()
    """Moves that people entered, and that end whatever else is told."""
    touched: bool = False
    """True if people entered some of those moves by touch: then they are asked."""


@dataclass(frozen=True, slots=True)
class Since:
    """Time and hands since the table last lay as the record has it."""

    hands_s: float = inf
    """Seconds from the last look that agreed with the record until everything lay as it lies now:
    the time that hands had."""
    elapsed_s: float = inf
    """Seconds from the last entry of the record until then: the time that anybody had to say
    something."""
    at_once: bool = True
    """True if that was too little for one player, and another after them."""
    long_calm: bool = False
    """True if, since the last entry, there was time for a round of turns without a trace."""
    behind: bool = False
    """True if hands did something that the record lacks, so that nobody can be shown to have
    broken a rule."""
    hidden: frozenset[str] = frozenset()
    """Sites that were hidden while the open end of the record was concluded."""
    lay: frozenset[tuple[str, Look]] = frozenset()
    """Things that lay still at a site meanwhile, and that the record lacks there."""
    trays: Trays | None = None
    """Contents of trays, now and when no throw was due; None: only the look is known."""
    openings: tuple[Opening, ...] = ()
    """Where the record may be told anew, the latest point first."""


LONG_AGO: Final = Since()
"""Nothing is known but the picture."""
