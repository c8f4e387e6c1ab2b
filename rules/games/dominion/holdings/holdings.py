"""One player's cards: hand, draw pile, discard pile, play area, cards set aside.

Everything a card text says about them is a method of ``Holdings``. ``dealt`` carries them out where
the program deals, ``watched`` where the cards are real and only their owner sees them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any, ClassVar, Self

from rules.core import Json, StateError
from rules.games.dominion.components import CARDS

Counts = dict[str, int]
"""Number of cards of each kind; missing kinds have no entry."""

_KNOWN = frozenset(CARDS)


def add(counts: Counts, card: str, number: int = 1) -> None:
    """Put cards in."""
    counts[card] = counts.get(card, 0) + number


def take(counts: Counts, card: str) -> bool:
    """Take a card out; False if there is none."""
    number = counts.get(card, 0)
    if number > 1:
        counts[card] = number - 1
    elif number == 1:
        del counts[card]
    else:
        return False
    return True


class Holdings(ABC):
    """The common part of all players' cards: everything open."""

    __slots__ = ("aside", "face", "owned", "play", "shuffled")

    dealt: ClassVar[bool]
    """True if the program deals these cards, so that each has a name; otherwise only their owner
    sees what is drawn."""

    def __init__(self) -> None:
        self.play: list[str] = []
        """Cards in play, in the order in which they were laid."""
        self.aside: list[str] = []
        """Cards revealed or set aside, openly."""
        self.face = ""
        """The card on top of the discard pile; empty if there is none or it is not known (DO17)."""
        self.owned: Counts = {}
        """All own cards, wherever they are; they are public (DO17)."""
        self.shuffled = ""
        """The card on top of the discards when they were shuffled in this turn, which may still lie
        there; a matter of looking (8.7), not of the position."""

    def begin_with(self, cards: Mapping[str, int]) -> None:
        """8.1: these, shuffled, are the draw pile."""
        self.owned = dict(cards)

    def own(self, card: str) -> None:
        """A card is the player's own from now on."""
        self.owned[card] = self.owned.get(card, 0) + 1

    def disown(self, card: str) -> None:
        """A card is the player's own no longer."""
        take(self.owned, card)

    # -- numbers, which are public --------------------------------------------------------

    @abstractmethod
    def hand_size(self) -> int:
        """Cards in hand."""

    @abstractmethod
    def draw_size(self) -> int:
        """Cards in the draw pile."""

    @abstractmethod
    def discard_size(self) -> int:
        """Cards in the discard pile."""

    # -- the draw pile --------------------------------------------------------------------

    @abstractmethod
    def ready(self) -> bool:
        """True if there is a card to draw; shuffles the discards first if need be (DO20)."""

    @abstractmethod
    def top(self) -> str:
        """The top card of the draw pile, if it is public."""

    @abstractmethod
    def draws(self) -> Mapping[str, int]:
        """Cards that the top one may be, and the weight of each."""

    @abstractmethod
    def draw(self, card: str) -> bool:
        """The top card goes to the hand; False if it cannot be ``card``."""

    @abstractmethod
    def look(self, card: str) -> bool:
        """The top card is looked at by its owner (Library); False if it cannot be ``card``."""

    @abstractmethod
    def reveal(self, card: str) -> bool:
        """The top card is turned up and laid aside; False if it cannot be ``card``."""

    @abstractmethod
    def turn_over(self) -> None:
        """The draw pile goes on the discard pile (Chancellor)."""

    # -- the hand -------------------------------------------------------------------------

    @abstractmethod
    def kinds(self) -> Collection[str]:
        """Kinds that may be in hand."""

    @abstractmethod
    def may_hold(self, card: str) -> bool:
        """True if ``card`` may be in hand."""

    @abstractmethod
    def surely_holds(self, cards: Collection[str]) -> bool:
        """True if one of these is in hand beyond doubt."""

    @abstractmethod
    def take(self, card: str) -> bool:
        """Take a card out of the hand; False if it cannot be there."""

    def discard_unseen(self) -> bool:
        """A card of the hand goes unseen below the top of the discard pile (DO22); False where
        every card is known."""
        return False

    @abstractmethod
    def show(self, card: str) -> None:
        """A card is shown and goes back to the hand."""

    @abstractmethod
    def may_be_hand(self, cards: list[str]) -> bool:
        """True if exactly these may be the hand."""

    @abstractmethod
    def show_hand(self, cards: list[str]) -> None:
        """The whole hand is shown."""

    @abstractmethod
    def hands_without(self, cards: Collection[str]) -> list[list[str]]:
        """The hands they may have, if none of these is in it; at most as many as can be listed."""

    # -- the card looked at ---------------------------------------------------------------

    @abstractmethod
    def looked_at(self) -> Collection[str]:
        """Cards that the one looked at may be."""

    @abstractmethod
    def keep(self) -> None:
        """The card looked at goes to the hand."""

    @abstractmethod
    def set_aside(self, card: str) -> bool:
        """The card looked at is laid aside openly; False if it cannot be ``card``."""

    # -- cards coming in ------------------------------------------------------------------

    @abstractmethod
    def to_hand(self, card: str) -> None:
        """A card seen by everybody goes to the hand."""

    @abstractmethod
    def to_top(self, card: str) -> None:
        """A card seen by everybody goes on the draw pile."""

    @abstractmethod
    def to_discard(self, card: str) -> None:
        """A card seen by everybody goes on the discard pile."""

    @abstractmethod
    def clean_up(self) -> None:
        """8.2: hand, then the cards played go to the discard pile."""

    # -- safety and storing ---------------------------------------------------------------

    @abstractmethod
    def whereabouts(self, card: str) -> list[str]:
        """Places other than the hand where the owner's copies of ``card`` may be."""

    @abstractmethod
    def everything(self) -> Counter[str]:
        """All own cards, counted where they lie."""

    @abstractmethod
    def problems(self) -> list[str]:
        """Sums that do not add up."""

    @abstractmethod
    def clone(self) -> Self:
        """An independent copy."""

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """The holdings as plain JSON data."""

    def _clone_open(self, other: Holdings) -> None:
        other.play, other.aside = self.play[:], self.aside[:]
        other.face, other.owned = self.face, self.owned.copy()
        other.shuffled = self.shuffled

    def _open_json(self) -> dict[str, Any]:
        return {"face": self.face, "play": self.play[:], "aside": self.aside[:]}

    def _read_open(self, data: Json) -> None:
        self.face = "" if data["face"] == "" else card_named(data["face"])
        self.shuffled = ""
        self.play = read_cards(data["play"])
        self.aside = read_cards(data["aside"])


def read_counts(data: Json) -> Counts:
    """A table of cards and their numbers; raises StateError."""
    counts = {}
    for card, number in data.items():
        if not isinstance(number, int) or isinstance(number, bool) or number < 1:
            raise StateError("unfit", key=card, found=number)
        counts[card_named(card)] = number
    return counts


def card_named(name: Json) -> str:
    """A card by its name; raises StateError."""
    if not isinstance(name, str) or name not in _KNOWN:
        raise StateError("unfit", key="card", found=name)
    return name


def read_cards(names: Json) -> list[str]:
    """A list of cards; raises StateError."""
    if not isinstance(names, list):
        raise StateError("unfit", key="cards", found=names)
    return [card_named(name) for name in names]
