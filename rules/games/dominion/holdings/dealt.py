"""One player's cards, if the program deals them: every card is known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any

from rules.core import Json
from rules.games.dominion.components import TENS
from rules.games.dominion.holdings.holdings import (
    Counts,
    Holdings,
    add,
    card_named,
    read_cards,
    read_counts,
    take,
)


class DealtCards(Holdings):
    """The cards of a player for whom the program deals."""

    __slots__ = ("deck", "discards", "drawn", "hand", "known_top")

    dealt = True

    def __init__(self) -> None:
        super().__init__()
        self.hand: Counts = {}
        self.deck: Counts = {}
        """The draw pile, but for its known top."""
        self.known_top: list[str] = []
        """Cards put back openly, the uppermost last."""
        self.discards: Counts = {}
        self.drawn = ""
        """The card looked at (Library)."""

    def begin_with(self, cards: Mapping[str, int]) -> None:
        super().begin_with(cards)
        self.deck = dict(cards)

    def hand_size(self) -> int:
        return sum(self.hand.values()) + (self.drawn != "")

    def draw_size(self) -> int:
        return sum(self.deck.values()) + len(self.known_top)

    def discard_size(self) -> int:
        return sum(self.discards.values())

    def ready(self) -> bool:
        if self.deck or self.known_top:
            return True
        if not self.discards:
            return False
        self.deck, self.discards, self.face = self.discards, {}, ""
        return True

    def top(self) -> str:
        return self.known_top[-1] if self.known_top else ""

    def draws(self) -> Mapping[str, int]:
        return {self.known_top[-1]: 1} if self.known_top else self.deck

    def _lift(self, card: str) -> bool:
        if self.known_top:
            if self.known_top[-1] != card:
                return False
            self.known_top.pop()
            return True
        return take(self.deck, card)

    def draw(self, card: str) -> bool:
        deck = self.deck
        left = deck.get(card, 0)
        if self.known_top:
            if not self._lift(card):
                return False
        elif left > 1:
            deck[card] = left - 1
        elif left:
            del deck[card]
        else:
            return False
        self.hand[card] = self.hand.get(card, 0) + 1
        return True

    def look(self, card: str) -> bool:
        if not self._lift(card):
            return False
        self.drawn = card
        return True

    def reveal(self, card: str) -> bool:
        if not self._lift(card):
            return False
        self.aside.append(card)
        return True

    def turn_over(self) -> None:
        self.face = self.known_top[0] if self.known_top and not self.deck else ""
        for card in self.known_top:
            add(self.discards, card)
        for card, number in self.deck.items():
            add(self.discards, card, number)
        self.known_top, self.deck = [], {}

    def kinds(self) -> Collection[str]:
        return self.hand

    def may_hold(self, card: str) -> bool:
        return card in self.hand

    def surely_holds(self, cards: Collection[str]) -> bool:
        return any(card in cards for card in self.hand)

    def take(self, card: str) -> bool:
        return take(self.hand, card)

    def show(self, card: str) -> None:
        pass  # the program knows the hand already

    def may_be_hand(self, cards: list[str]) -> bool:
        return Counter(cards) == Counter(self.hand)

    def show_hand(self, cards: list[str]) -> None:
        pass  # the program knows the hand already

    def hands_without(self, cards: Collection[str]) -> list[list[str]]:
        return [] if self.surely_holds(cards) else [list(Counter(self.hand).elements())]

    def looked_at(self) -> Collection[str]:
        return (self.drawn,) if self.drawn else ()

    def keep(self) -> None:
        if self.drawn:
            add(self.hand, self.drawn)
            self.drawn = ""

    def set_aside(self, card: str) -> bool:
        if card != self.drawn:
            return False
        self.aside.append(card)
        self.drawn = ""
        return True

    def to_hand(self, card: str) -> None:
        add(self.hand, card)

    def to_top(self, card: str) -> None:
        self.known_top.append(card)

    def to_discard(self, card: str) -> None:
        add(self.discards, card)
        self.face = card

    def clean_up(self) -> None:
        discards = self.discards
        if self.hand:
            self.face = ""
            for card, number in self.hand.items():
                discards[card] = discards.get(card, 0) + number
            self.hand = {}
        for pile in (self.aside, self.play):
            if pile:
                for card in pile:
                    discards[card] = discards.get(card, 0) + 1
                self.face = pile[-1]
                pile.clear()

    def whereabouts(self, card: str) -> list[str]:
        places = ["play"] if card in self.play else []
        if self.owned.get(card, 0) > self.play.count(card) + self.hand.get(card, 0):
            # Its pile, of the two, is not public (DO17).
            places += ["draw", "discard"]
        return places

    def everything(self) -> Counter[str]:
        found = Counter(self.hand)
        for counts in (self.deck, self.discards):
            found.update(counts)
        for pile in (self.known_top, self.play, self.aside):
            found.update(pile)
        if self.drawn:
            found[self.drawn] += 1
        return found

    def problems(self) -> list[str]:
        found = []
        for name, counts in (
            ("hand", self.hand), ("draw pile", self.deck), ("discard pile", self.discards)
        ):  # fmt: skip
            found += [f"{name} holds {n} {card}" for card, n in counts.items() if n < 1]
        if self.face and self.face not in self.discards:
            found.append(f"{self.face} lies on a discard pile that does not hold it")
        return found

    def clone(self) -> DealtCards:
        other = DealtCards.__new__(DealtCards)
        self._clone_dealt(other)
        return other

    def _clone_dealt(self, other: DealtCards) -> None:
        self._clone_open(other)
        other.hand, other.deck = self.hand.copy(), self.deck.copy()
        other.known_top, other.discards = self.known_top[:], self.discards.copy()
        other.drawn = self.drawn

    def to_json(self) -> dict[str, Any]:
        return {
            "hand": dict(sorted(self.hand.items())),
            "draw": dict(sorted(self.deck.items())),
            "top": self.known_top[:],
            "discard": dict(sorted(self.discards.items())),
            "drawn": self.drawn,
            **self._open_json(),
        }

    @classmethod
    def from_json(cls, data: Json) -> DealtCards:
        """Read ``to_json()`` back; raises StateError, KeyError or TypeError."""
        new = cls()
        new._read_dealt(data)
        return new

    def _read_dealt(self, data: Json) -> None:
        self._read_open(data)
        self.hand, self.deck = read_counts(data["hand"]), read_counts(data["draw"])
        self.discards, self.known_top = read_counts(data["discard"]), read_cards(data["top"])
        self.drawn = "" if data["drawn"] == "" else card_named(data["drawn"])
        self.owned = dict(self.everything())


class CardsBeside(DealtCards):
    """Cards that the program deals, and the heap of them on a table with real cards.

    Hand and piles exist in the program only; all that is owned lies on one heap, face up.
    """

    __slots__ = ("heap",)

    def __init__(self) -> None:
        super().__init__()
        self.heap = ""
        """The uppermost card of the heap; empty if it is not known, because a card was looked for
        below it."""

    def own(self, card: str) -> None:
        super().own(card)
        self.heap = card

    def disown(self, card: str) -> None:
        super().disown(card)
        if self.heap == card:
            self.heap = ""

    def uppermost(self) -> str:
        """The card that the heap shows; if that is not known, the commonest card stands for it."""
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


class HeapedCards(DealtCards):
    """The cards of a player in a ledger (DO31): one heap, wherever they lie at the table.

    Only their owner is known. Nothing can be drawn, and no hand is asked about.
    """

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
