"""What touches of a ledger enter, and what its tiles say. Free of Kivy.

A touch of a pile means: the player to move gained this. A pen taken up before says something else,
for the next touch only: it was trashed, or it concerns another player.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rules.core import Ledger, Move

__all__ = [
    "GAIN",
    "MOST_KEYS",
    "TRASH",
    "Pen",
    "PileTile",
    "entry",
    "keys_of",
    "pile_tiles",
    "taken",
]

GAIN, TRASH = "gain", "trash"
MOST_KEYS = 3
"""Maximum number of keys for likely entries."""


@dataclass(frozen=True, slots=True)
class Pen:
    """What the next touch of a pile means."""

    mover: int
    seat: int
    """Whom it concerns."""
    deed: str = GAIN

    @staticmethod
    def of(mover: int) -> Pen:
        """What a touch means while nothing else was said."""
        return Pen(mover, mover)

    def touch_deed(self, deed: str) -> Pen:
        """The switch was set to ``deed``."""
        return replace(self, deed=deed)

    def touch_seat(self, seat: int, ledger: Ledger) -> Pen:
        """A player was touched; a second time: the player to move again."""
        if seat in (self.seat, self.mover):
            return Pen.of(self.mover)
        return Pen(self.mover, seat, ledger.others)


def entry(pen: Pen, kind: str) -> Move:
    """The move that a touch of the pile ``kind`` makes."""
    if pen.seat == pen.mover:
        return Move.of(pen.mover, pen.deed, kind)
    return Move.of(pen.mover, pen.deed, f"p{pen.seat}", kind)


def keys_of(ledger: Ledger) -> tuple[Move, ...]:
    """Entries that have keys of their own."""
    return ledger.likely[:MOST_KEYS]


def taken(legal: Sequence[Move]) -> tuple[Move, ...]:
    """What may be taken out of the trash now."""
    return tuple(move for move in legal if move.verb == "take")


@dataclass(frozen=True, slots=True)
class PileTile:
    """A pile as it is shown."""

    kind: str
    group: str
    count: int
    """Cards in the pile; while cards are being trashed: how many of them the player owns."""
    gained: int
    trashed: int
    """Cards entered in this turn."""


def pile_tiles(ledger: Ledger, pen: Pen) -> tuple[PileTile, ...]:
    """The piles, for what ``pen`` would enter."""
    gained = Counter(move.args[-1] for move in ledger.entered if move.verb == GAIN)
    trashed = Counter(move.args[-1] for move in ledger.entered if move.verb == TRASH)
    return tuple(
        PileTile(
            pile.kind,
            pile.group,
            pile.left if pen.deed == GAIN else ledger.owned[pen.seat].get(pile.kind, 0),
            gained[pile.kind],
            trashed[pile.kind],
        )
        for pile in ledger.piles
    )
