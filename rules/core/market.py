"""Cards for sale, in public knowledge. Hands are not in here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from rules.core.moves import Objection


class Place(StrEnum):
    """Places of the cards that moves name."""

    HAND = "hand"
    WARES = "wares"
    OPEN = "open"
    """Face up between the players, because something is decided about it."""


@dataclass(frozen=True, slots=True)
class SupplyPile:
    """A pile of equal cards for sale, and the public facts about such a card."""

    kind: str
    cost: int
    left: int
    full: int
    """Number of cards at the beginning."""
    group: str
    """``treasure``, ``victory``, ``curse``, ``attack``, ``reaction``, ``action``: how it looks."""
    types: tuple[str, ...]
    """Types printed on it: keys of the section ``types`` of the texts."""
    sign: str
    """Its worth, as a figure to be drawn large; empty if it has none."""
    rule: str
    """Id of the rule that is its text."""
    refused: Objection | None = None
    """Reason why none can be taken now."""
    harms: bool = False
    """True if whoever takes one is worse off, so that a screen asks once more."""
    idle: Objection | None = None
    """Reason why one in the hand of the player asked would be of no use now."""


@dataclass(frozen=True, slots=True)
class Market:
    """The cards for sale, and the turn of the player to move so far."""

    wares: tuple[SupplyPile, ...]
    """The piles as they are to be shown, row by row; they keep their places during a match."""
    trash: tuple[str, ...]
    """Cards that are out of the match, the uppermost last."""
    turn: int | None = None
    """Seat whose turn it is; None before the first."""
    figures: tuple[tuple[str, int], ...] = ()
    """Amounts that are left for this turn: keys of the section ``figures`` of the texts, and how
    much. The last one is what is paid with."""
    played: tuple[str, ...] = ()
    """Cards played in this turn, the first one first."""
    open: tuple[tuple[int, str], ...] = ()
    """Cards that lie face up for a decision: whose, and which."""
    places: Mapping[str, Place] = field(default_factory=dict)
    """By verb: where the card lies that the last argument of such a move names now."""
    brings: Mapping[str, int] = field(default_factory=dict)
    """Cards of which most people play all they hold, and how much each brings to pay with."""
    naming: bool = False
    """True if nothing is for sale yet: it is being chosen what will be. A chosen ware is refused.
    """

    @property
    def purse(self) -> int:
        """The amount to pay with."""
        return self.figures[-1][1] if self.figures else 0

    def ware(self, kind: str) -> SupplyPile | None:
        """The pile of these cards."""
        return next((ware for ware in self.wares if ware.kind == kind), None)
