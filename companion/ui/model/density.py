"""How closely the column of words beside the board is set. Free of Kivy."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

__all__ = ["DENSITIES", "Density"]


@dataclass(frozen=True, slots=True)
class Density:
    """What gives way when room is short; sizes are in the units of the theme."""

    airy: bool = True
    """Rows stand well apart."""
    title: int = 0
    """Step from the largest title size, 0 to 3, at which fitting the title begins."""
    text: int = 0
    """Step from the largest size of the words below the title, 0 to 2."""
    compact: bool = False
    """Cards and pictures are small, and nothing is explained that can be seen."""
    players: Literal["cards", "rows", "waiting paired", "paired"] = "cards"
    """Cards for all; one row for each player who waits; two of these per row; everybody so."""
    last_move: Literal["always", "unless asked", "never"] = "always"
    """Whether it says what was played last: not while something is to be put down; never."""
    chart: Literal["tall", "low", "asked for"] = "tall"
    """The score over time, at the end: the share of room it takes, or a key that opens it."""
    reason_apart: bool = True
    """At the end, a new record has a row of its own."""
    next_match: bool = True
    """At the end, it says who begins the next match."""


_AIRY = Density()
_CLOSE = replace(_AIRY, airy=False, title=1, chart="low")
_SMALL_TYPE = replace(_CLOSE, text=1, last_move="unless asked")
_ROWS = replace(_SMALL_TYPE, title=2, text=2, compact=True, players="rows")
_BARE = replace(_ROWS, last_move="never", chart="asked for", reason_apart=False)
_WAITING_PAIRED = replace(_BARE, players="waiting paired", next_match=False)
_PAIRED = replace(_WAITING_PAIRED, title=3, players="paired")

DENSITIES: Final = (_AIRY, _CLOSE, _SMALL_TYPE, _ROWS, _BARE, _WAITING_PAIRED, _PAIRED)
"""From the airiest to the closest; the first that fits is shown."""
