"""One player's cards: hand, draw pile, discard pile, play area, cards set aside.

Everything a card text says about them is a method here, once for a digital match, in which the
program deals and knows every card (``DealtCards``), and once for a physical one, in which it
knows what the table has seen (``WatchedCards``).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Self

from rules.core import Json, StateError
from rules.games.dominion.cards import CARDS
from rules.hidden import UNSEEN, Certainty, Zones

Counts = dict[str, int]
"""How many of each kind; kinds that are not there have no entry."""

HANDS_LISTED = 1000
"""At most so many possible hands are listed where a whole hidden hand must be shown (DO27)."""

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
    """What all players' cards have in common: everything open."""

    __slots__ = ("aside", "face", "owned", "play")

    def __init__(self) -> None:
        self.play: list[str] = []
        """Cards in play, in the order in which they were laid."""
        self.aside: list[str] = []
        """Cards revealed or set aside, openly."""
        self.face = ""
        """The card on top of the discard pile; empty if there is none or nobody knows it (DO17)."""
        self.owned: Counts = {}
        """All own cards, wherever they are; everybody can know them (DO17)."""

    # -- numbers, which everybody may know ------------------------------------------------

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
        """Whether there is a card to draw; shuffles the discards first if need be (DO20)."""

    @abstractmethod
    def top(self) -> str:
        """The top card of the draw pile, if everybody knows it."""

    @abstractmethod
    def draws(self) -> Mapping[str, int]:
        """What the top card may be, and how likely each is."""

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
        """What may be in hand."""

    @abstractmethod
    def may_hold(self, card: str) -> bool:
        """Whether ``card`` may be in hand."""

    @abstractmethod
    def surely_holds(self, cards: Collection[str]) -> bool:
        """Whether one of these is in hand beyond doubt."""

    @abstractmethod
    def take(self, card: str) -> bool:
        """Take a card out of the hand; False if it cannot be there."""

    @abstractmethod
    def show(self, card: str) -> None:
        """A card is shown and goes back to the hand."""

    @abstractmethod
    def may_be_hand(self, cards: list[str]) -> bool:
        """Whether exactly these may be the hand."""

    @abstractmethod
    def show_hand(self, cards: list[str]) -> None:
        """The whole hand is shown."""

    @abstractmethod
    def hands_without(self, cards: Collection[str]) -> list[list[str]]:
        """The hands he may have, if none of these is in it; at most ``HANDS_LISTED``."""

    # -- the card looked at ---------------------------------------------------------------

    @abstractmethod
    def looked_at(self) -> Collection[str]:
        """What the card looked at may be."""

    @abstractmethod
    def keep(self) -> None:
        """The card looked at goes to the hand."""

    @abstractmethod
    def set_aside(self, card: str) -> bool:
        """The card looked at is laid aside openly; False if it cannot be ``card``."""

    # -- cards coming in ------------------------------------------------------------------

    @abstractmethod
    def to_hand(self, card: str) -> None:
        """A card everybody sees goes to the hand."""

    @abstractmethod
    def to_top(self, card: str) -> None:
        """A card everybody sees goes on the draw pile."""

    @abstractmethod
    def to_discard(self, card: str) -> None:
        """A card everybody sees goes on the discard pile."""

    @abstractmethod
    def clean_up(self) -> None:
        """8.2: hand, then the cards played go to the discard pile."""

    # -- safety and storing ---------------------------------------------------------------

    @abstractmethod
    def whereabouts(self, card: str) -> list[str]:
        """Where his copies of ``card`` may lie, but in his hand."""

    @abstractmethod
    def everything(self) -> Counter[str]:
        """All own cards, counted where they lie."""

    @abstractmethod
    def problems(self) -> list[str]:
        """What does not add up."""

    @abstractmethod
    def clone(self) -> Self:
        """An independent copy."""

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """Everything, as plain JSON data."""

    def _clone_open(self, other: Holdings) -> None:
        other.play, other.aside = self.play[:], self.aside[:]
        other.face, other.owned = self.face, self.owned.copy()

    def _open_json(self) -> dict[str, Any]:
        return {"face": self.face, "play": self.play[:], "aside": self.aside[:]}

    def _read_open(self, data: Json) -> None:
        self.face = "" if data["face"] == "" else _card(data["face"])
        self.play = read_cards(data["play"])
        self.aside = read_cards(data["aside"])


class DealtCards(Holdings):
    """A digital match: the program deals."""

    __slots__ = ("deck", "discards", "drawn", "hand", "known_top")

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
        pass  # a digital match knows the hand already

    def may_be_hand(self, cards: list[str]) -> bool:
        return Counter(cards) == Counter(self.hand)

    def show_hand(self, cards: list[str]) -> None:
        pass  # a digital match knows the hand already

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
            # Which of the two piles it is in is nobody's business (DO17).
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
        self._clone_open(other)
        other.hand, other.deck = self.hand.copy(), self.deck.copy()
        other.known_top, other.discards = self.known_top[:], self.discards.copy()
        other.drawn = self.drawn
        return other

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
        new._read_open(data)
        new.hand, new.deck = read_counts(data["hand"]), read_counts(data["draw"])
        new.discards, new.known_top = read_counts(data["discard"]), read_cards(data["top"])
        new.drawn = "" if data["drawn"] == "" else _card(data["drawn"])
        new.owned = dict(new.everything())
        return new


class WatchedCards(Holdings):
    """A physical match: what the table has seen, and how many cards lie where."""

    __slots__ = ("zones",)

    def __init__(self) -> None:
        super().__init__()
        self.zones = Zones()
        """``hand``, ``draw`` and ``discard`` pile, and ``drawn``, the card looked at."""

    def hand_size(self) -> int:
        return self.zones.size("hand") + self.zones.size("drawn")

    def draw_size(self) -> int:
        return self.zones.size("draw")

    def discard_size(self) -> int:
        return self.zones.size("discard")

    def ready(self) -> bool:
        if self.zones.size("draw"):
            return True
        if not self.zones.size("discard"):
            return False
        self.zones.shuffle(["discard"], "draw")
        self.face = ""
        return True

    def top(self) -> str:
        return self.zones.top("draw") or ""

    def draws(self) -> Mapping[str, int]:
        return self.zones.draws("draw")

    def _lift(self, card: str, target: str) -> bool:
        zones = self.zones
        top = zones.top("draw")
        if not zones.size("draw") or (top is not None and card != top):
            return False
        if card == UNSEEN:
            zones.draw("draw", target, None)
            return True
        if zones.certainty("draw", card) is Certainty.IMPOSSIBLE:
            return False
        zones.draw("draw", target, card)
        return True

    def draw(self, card: str) -> bool:
        return self._lift(card, "hand")

    def look(self, card: str) -> bool:
        return self._lift(card, "drawn")

    def reveal(self, card: str) -> bool:
        if card == UNSEEN or not self._lift(card, "aside"):
            return False
        # Open cards are kept in lists; only hidden ones need a zone.
        self.zones.discard("aside", card)
        self.aside.append(card)
        return True

    def turn_over(self) -> None:
        known_top = self.zones.top("draw") if self.zones.size("draw") == 1 else None
        while self.zones.size("draw"):
            self.zones.draw("draw", "discard", None)
        self.face = known_top or ""

    def kinds(self) -> Collection[str]:
        return self.zones.playable("hand")

    def may_hold(self, card: str) -> bool:
        return self.zones.certainty("hand", card) is not Certainty.IMPOSSIBLE

    def surely_holds(self, cards: Collection[str]) -> bool:
        zones = self.zones
        if any(zones.certainty("hand", card) is Certainty.SURE for card in cards):
            return True
        # More unknown cards than there are others: one of these must be among them.
        others = sum(n for card, n in zones.unseen("hand").items() if card not in cards)
        return zones.unknown("hand") > others

    def take(self, card: str) -> bool:
        if not self.may_hold(card):
            return False
        self.zones.discard("hand", card)
        return True

    def show(self, card: str) -> None:
        if self.may_hold(card) and not self.zones.known("hand")[card]:
            self.zones.reveal("hand", card)

    def may_be_hand(self, cards: list[str]) -> bool:
        return self._bound(cards) is not None

    def show_hand(self, cards: list[str]) -> None:
        bound = self._bound(cards)
        if bound is not None:
            self.zones = bound

    def _bound(self, cards: list[str]) -> Zones | None:
        """The zones if exactly these are the hand; None if that cannot be."""
        known = self.zones.known("hand")
        counts = Counter(cards)
        if len(cards) != self.zones.size("hand") or known - counts:
            return None
        zones = self.zones.clone()
        for card in (counts - known).elements():
            if zones.unseen("hand")[card] < 1:
                return None
            zones.reveal("hand", card)
        return zones

    def hands_without(self, cards: Collection[str]) -> list[list[str]]:
        known = self.zones.known("hand")
        if any(card in cards for card in known):
            return []
        pool = {c: n for c, n in self.zones.unseen("hand").items() if c not in cards and n > 0}
        found: list[list[str]] = []
        for rest in _choices(sorted(pool.items()), self.zones.unknown("hand")):
            hand = [*known.elements(), *rest]
            if self.may_be_hand(hand):
                found.append(hand)
                if len(found) == HANDS_LISTED:
                    break
        return found

    def looked_at(self) -> Collection[str]:
        return self.zones.playable("drawn")

    def keep(self) -> None:
        if self.zones.size("drawn"):
            known = next(iter(self.zones.known("drawn")), None)
            self.zones.move("drawn", "hand", known)

    def set_aside(self, card: str) -> bool:
        if self.zones.certainty("drawn", card) is Certainty.IMPOSSIBLE:
            return False
        self.zones.discard("drawn", card)
        self.aside.append(card)
        return True

    def to_hand(self, card: str) -> None:
        self.zones.put("hand", [card])

    def to_top(self, card: str) -> None:
        self.zones.put("aside", [card])
        self.zones.place_on_top("aside", "draw", card)

    def to_discard(self, card: str) -> None:
        self.zones.put("discard", [card])
        self.face = card

    def clean_up(self) -> None:
        zones = self.zones
        if zones.size("hand"):
            self.face = ""
            for card in list(zones.known("hand").elements()):
                zones.move("hand", "discard", card)
            for _ in range(zones.unknown("hand")):
                zones.move("hand", "discard", None)
        for pile in (self.aside, self.play):
            if pile:
                zones.put("discard", pile)
                self.face = pile[-1]
                pile.clear()

    def whereabouts(self, card: str) -> list[str]:
        places = ["play"] if card in self.play else []
        for zone in ("draw", "discard"):
            if self.zones.certainty(zone, card) is not Certainty.IMPOSSIBLE:
                places.append(zone)
        return places

    def everything(self) -> Counter[str]:
        found = self.zones.count_all()
        found.update(self.play)
        found.update(self.aside)
        return +found

    def problems(self) -> list[str]:
        return self.zones.invariants()

    def clone(self) -> WatchedCards:
        other = WatchedCards.__new__(WatchedCards)
        self._clone_open(other)
        other.zones = self.zones.clone()
        return other

    def to_json(self) -> dict[str, Any]:
        return {"zones": self.zones.to_json(), **self._open_json()}

    @classmethod
    def from_json(cls, data: Json) -> WatchedCards:
        """Read ``to_json()`` back; raises StateError, KeyError or TypeError."""
        new = cls()
        new._read_open(data)
        new.zones = Zones.from_json(data["zones"])
        new.owned = dict(new.everything())
        if unknown := set(new.owned) - _KNOWN:
            raise StateError(f"there is no card '{min(unknown)}'")
        return new


def _choices(pool: list[tuple[str, int]], number: int) -> Iterator[list[str]]:
    """Every choice of ``number`` cards from a pool of kinds and their counts."""
    if number == 0:
        yield []
        return
    if not pool:
        return
    (card, most), rest = pool[0], pool[1:]
    for taken in range(min(most, number), -1, -1):
        for more in _choices(rest, number - taken):
            yield [card] * taken + more


def read_counts(data: Json) -> Counts:
    """A table of cards and their numbers; raises StateError."""
    counts = {}
    for card, number in data.items():
        if not isinstance(number, int) or isinstance(number, bool) or number < 1:
            raise StateError(f"{card} is there {number!r} times")
        counts[_card(card)] = number
    return counts


def _card(name: Json) -> str:
    if not isinstance(name, str) or name not in _KNOWN:
        raise StateError(f"there is no card {name!r}")
    return name


def read_cards(names: Json) -> list[str]:
    """A list of cards; raises StateError."""
    if not isinstance(names, list):
        raise StateError(f"this is no list of cards: {names!r}")
    return [_card(name) for name in names]
