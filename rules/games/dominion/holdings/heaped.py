"""One player's cards in a ledger (DO31): one heap, wherever they lie at the table."""

from __future__ import annotations

from typing import Any

from rules.core import Json
from rules.games.dominion.holdings.dealt import DealtCards
from rules.games.dominion.holdings.holdings import add, read_counts, take


class HeapedCards(DealtCards):
    """Cards of which only the owner is known. Nothing can be drawn, and no hand is asked about."""

    __slots__ = ()

    def ready(self) -> bool:
        return False

    def take(self, card: str) -> bool:
        return take(self.discards, card)

    def to_hand(self, card: str) -> None:
        add(self.discards, card)

    to_top = to_discard = to_hand

    def clone(self) -> HeapedCards:
        other = HeapedCards()
        other.owned, other.discards = self.owned.copy(), self.discards.copy()
        return other

    def to_json(self) -> dict[str, Any]:
        return {"owned": dict(sorted(self.owned.items()))}

    @classmethod
    def from_json(cls, data: Json) -> HeapedCards:
        """Read ``to_json()`` back; raises StateError, KeyError or TypeError."""
        new = cls()
        new.discards = read_counts(data["owned"])
        new.owned = new.discards.copy()
        return new
