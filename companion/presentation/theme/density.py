"""Density of the column of words beside the board. Free of Kivy."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal


@dataclass(frozen=True, slots=True)
class Density:
    """Details that give way when room is short; sizes are in the units of the theme."""

    airy: bool = True
    """True if rows stand well apart."""
    title: int = 0
    """Step from the largest title size, 0 to 4, at which fitting the title begins."""
    small: bool = False
    """True if words below the title are no larger than captions."""
    asks: bool = True
    """True if a question has a text below its title."""
    heading: bool = True
    """True if the player who is asked is named."""
    supply: bool = True
    """True if pieces in front of a player are shown; those that can be picked up always are."""
    notes: bool = True
    """True if keys say what comes of them."""
    paired: bool = False
    """True if two keys share a line."""
    last_move: bool = True
    """True if the last move is told."""
    compact: bool = False
    """True if cards and pictures are small, and nothing is explained that can be seen."""
    chart: Literal["tall", "low", "asked for"] = "tall"
    """The score over time, at the end: the share of room it takes, or a key that opens it."""
    reason_apart: bool = True
    """True if, at the end, a new record has a row of its own."""
    next_match: bool = True
    """True if, at the end, the player who begins the next match is named."""

    @property
    def step(self) -> int:
        """The size of the words on pictures, from the largest, 0 to 2."""
        return min(self.title, 2)


_AIRY = Density()
_CLOSE = replace(_AIRY, airy=False, title=1, chart="low")
_SMALLER = replace(_CLOSE, title=2, small=True)
_NO_SUPPLY = replace(_SMALLER, supply=False, compact=True)
_TWO_KEYS = replace(_NO_SUPPLY, paired=True)
"""The last turn is told as long as any words of a question can give way to it."""
_NO_LAST_MOVE = replace(_CLOSE, last_move=False)
_PAIRED = replace(_NO_LAST_MOVE, supply=False, compact=True, paired=True, title=2)
_SMALL_NOTES = replace(_PAIRED, small=True)
"""Notes of keys matter more than the size of words."""
_BARE = replace(_PAIRED, notes=False, chart="asked for", reason_apart=False)
_OWN = replace(_BARE, supply=True)
"""The barest density, with the pieces in front of the player, which may still have room."""
_SMALL_TITLE = replace(_BARE, title=3, next_match=False)
_SMALL = replace(_SMALL_TITLE, small=True)
_NO_TEXT = replace(_SMALL, asks=False, title=2)
_TITLE_ONLY = replace(_NO_TEXT, title=4)
"""With the largest words and the longest names; a key must never be out of sight."""

_CLOSEST = _PAIRED, _SMALL_NOTES, _OWN, _BARE, _SMALL_TITLE, _SMALL, _NO_TEXT, _TITLE_ONLY
DENSITIES: Final = (_AIRY, _CLOSE, _SMALLER, _NO_SUPPLY, _TWO_KEYS, *_CLOSEST)
"""From the airiest to the closest; the first that fits is shown."""

_AIRIEST = _AIRY, _CLOSE, _NO_LAST_MOVE, replace(_PAIRED, supply=True), _OWN
LED: Final = tuple(
    replace(density, asks=False)
    for density in (*_AIRIEST, replace(_SMALL, supply=True, heading=False), *_CLOSEST)
)
"""The same where something else on the screen says what is to be done: then what a player has
matters more than what comes of a key."""
