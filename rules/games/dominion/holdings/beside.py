"""One player's cards at a table with real ones, if the program deals them: hand and piles exist in
the program only, and all that is owned lies on one heap, face up."""

from __future__ import annotations

from typing import Any

from rules.core import Json
from rules.games.dominion.holdings.dealt import DealtCards
from rules.games.dominion.holdings.holdings import card_named


class CardsBeside(DealtCards):
    """Cards that the program deals, and the heap of them on the table."""

    __slots__ = ("heap",)

    def __init__(self) -> None:
        super().__init__()
        self.heap = ""
        """The uppermost card of the heap; empty if nobody knows it, because a card was looked for
        below it."""

    def own(self, card: str) -> None:
        super().own(card)
        self.heap = card

    def disown(self, card: str) -> None:
        super().disown(card)
        if self.heap == card:
            self.heap = ""

    def uppermost(self) -> str:
        """What the heap shows; where nobody knows it, the commonest card stands for any of it."""
        return self.heap or max(sorted(self.owned), key=self.owned.__getitem__, default="")

    def problems(self) -> list[str]:
        found = super().problems()
        if self.heap and self.heap not in self.owned:
            found.append(f"{self.heap} lies on a heap that does not hold it")
        return found

    def clone(self) -> CardsBeside:
        other = CardsBeside.__new__(CardsBeside)
        self._clone_dealt(other)
        other.heap = self.heap
        return other

    def to_json(self) -> dict[str, Any]:
        return {**super().to_json(), "heap": self.heap}

    @classmethod
    def from_json(cls, data: Json) -> CardsBeside:
        """Read ``to_json()`` back; raises StateError, KeyError or TypeError."""
        new = cls()
        new._read_dealt(data)
        new.heap = "" if data["heap"] == "" else card_named(data["heap"])
        return new
