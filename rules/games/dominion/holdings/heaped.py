"""One player's cards in a ledger (DO31): one heap, wherever they lie at the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.core import Json
from rules.games.dominion.components import TENS
from rules.games.dominion.holdings.dealt import DealtCards
from rules.games.dominion.holdings.holdings import add, read_counts, take


class HeapedCards(DealtCards):
    """Cards of which only the owner is known. Nothing can be drawn, and no hand is asked about."""

    __slots__ = ()

    def begin_with(self, cards: Mapping[str, int]) -> None:
        self.owned, self.discards = dict(cards), dict(cards)

    def ready(self) -> bool:
        return False

    def take(self, card: str) -> bool:
        return take(self.discards, card)

    def to_hand(self, card: str) -> None:
        add(self.discards, card)

    to_top = to_discard = to_hand

    def change(self, card: str, by: int) -> None:
        """DO32: ``by`` more of a card were counted; ``tens`` stay known when there are none."""
        for counts in (self.owned, self.discards):
            counts[card] = counts.get(card, 0) + by
            if not counts[card] and card != TENS:
                del counts[card]

    def problems(self) -> list[str]:
        return [f"there are {n} {card}" for card, n in self.owned.items() if n < (card != TENS)]

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
        owned = dict(data["owned"])
        tens = owned.pop(TENS, None)
        new.discards = read_counts(owned)
        if tens is not None:
            new.discards[TENS] = int(tens)
        new.owned = new.discards.copy()
        return new
