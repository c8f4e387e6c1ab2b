"""A table for playouts: all players' cards as lists of numbers, no moves, no questions.

Only for the pace of playouts: it says the same as the rules (``rules.games.dominion``), turn by
turn and card by card, which the tests prove over whole matches. Draw piles lie in an order here;
one of unknown order is shuffled when the table is laid.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from rules.games.dominion.components import CARDS
from rules.games.dominion.holdings import DealtCards
from rules.games.dominion.state import QUIET_ROUNDS, DominionState
from rules.players.crafts.dominion.lists import CURSE, GARDENS, KINDS, MOAT, NUMBER, POINTS

if TYPE_CHECKING:
    from rules.players.crafts.dominion.lists import BuyList


class Seat:
    """One player's cards."""

    __slots__ = ("deck", "discards", "hand", "owned", "plan", "play", "turns")

    def __init__(self, plan: BuyList) -> None:
        self.hand: list[int] = []
        self.deck: list[int] = []
        """The draw pile, its top last."""
        self.discards: list[int] = []
        self.play: list[int] = []
        self.owned = [0] * KINDS
        self.turns = 0
        self.plan = plan
        """List by which cards are bought and gained."""

    @classmethod
    def of(cls, cards: DealtCards, turns: int, plan: BuyList, random: Random) -> Seat:
        """The cards of a position in which every card has a name."""
        new = cls(plan)
        new.hand, new.discards = _listed(cards.hand), _listed(cards.discards)
        new.deck = _listed(cards.deck)
        shuffle(new.deck, random)
        new.deck += [NUMBER[card] for card in cards.known_top]
        new.play = [NUMBER[card] for card in cards.play]
        for card, number in cards.owned.items():
            new.owned[NUMBER[card]] = number
        new.turns = turns
        return new

    def draw(self, number: int, random: Random) -> None:
        """DO20: shuffled when a card is needed and there is none."""
        deck = self.deck
        if len(deck) >= number:
            if number:
                self.hand += deck[: -number - 1 : -1]
                del deck[-number:]
            return
        self.hand += deck[::-1]
        number -= len(deck)
        deck = self.deck = self.discards
        self.discards = []
        shuffle(deck, random)
        if len(deck) < number:
            number = len(deck)
        if number:
            self.hand += deck[: -number - 1 : -1]
            del deck[-number:]

    def lift(self, random: Random) -> int:
        """The top card of the draw pile, -1 if there is none at all."""
        if not self.deck:
            if not self.discards:
                return -1
            self.deck, self.discards = self.discards, []
            shuffle(self.deck, random)
        return self.deck.pop()

    def points(self) -> int:
        """8.3, 8.4."""
        owned = self.owned
        found = owned[3] + 3 * owned[4] + 6 * owned[5] - owned[CURSE]
        if owned[GARDENS]:
            found += owned[GARDENS] * (sum(owned) // 10)
        return found

    def money(self) -> int:
        """Coins of all own treasures."""
        return self.owned[0] + 2 * self.owned[1] + 3 * self.owned[2]


class Table:
    """A position between two decisions of a turn; ``turns`` and ``effects`` play it on."""

    __slots__ = (
        "actions", "buying", "buys", "coins", "empty", "fresh", "lasting", "moats", "over",
        "quiet", "random", "seat", "seats", "supply",
    )  # fmt: skip

    def __init__(self, random: Random) -> None:
        self.random = random
        self.seats: list[Seat] = []
        self.supply = [0] * KINDS
        self.seat = 0
        self.actions = self.buys = 1
        self.coins = 0
        self.buying = False
        """DO12: True if there are no more actions in this turn."""
        self.empty = 0
        """DO4: empty piles."""
        self.quiet = 0
        self.fresh = False
        """DO29: True if a card has left the supply in this turn."""
        self.lasting = True
        """True if DO29 is played."""
        self.moats = False
        """DO18: True if Moat is one of the kingdom cards."""
        self.over = False

    @classmethod
    def of(cls, state: DominionState, plans: list[BuyList], random: Random) -> Table:
        """A position of the rules in which every card has a name and nothing is asked."""
        new = cls(random)
        for card, left in state.piles.items():
            new.supply[NUMBER[card]] = left
            new.empty += not left
        for seat, cards in enumerate(state.seats):
            assert isinstance(cards, DealtCards)
            new.seats.append(Seat.of(cards, state.turns[seat], plans[seat], random))
        new.seat = state.seat
        new.actions, new.buys, new.coins = state.actions, state.buys, state.coins
        new.buying = state.buying
        new.quiet, new.fresh = max(0, state.quiet), state.quiet < 0
        new.lasting = state.quiet_rounds
        new.moats = "moat" in state.kingdom
        new.over = bool(state.over)
        return new

    def gain(self, cards: Seat, card: int) -> bool:
        """A card from the supply to nowhere yet; False if there is none (DO10)."""
        left = self.supply[card]
        if not left:
            return False
        self.supply[card] = left - 1
        if left == 1:
            self.empty += 1
        cards.owned[card] += 1
        self.fresh = True
        return True

    def end_turn(self) -> None:
        """8.2 clean-up; DO15: cards away, the end is tested, then five cards are drawn."""
        cards = self.seats[self.seat]
        cards.discards += cards.hand
        cards.discards += cards.play
        cards.hand, cards.play = [], []
        cards.turns += 1
        self.quiet = 0 if self.fresh else self.quiet + 1
        if (
            not self.supply[5]
            or self.empty >= 3
            or (self.lasting and self.quiet >= QUIET_ROUNDS * len(self.seats))
        ):
            self.over = True
            return
        cards.draw(5, self.random)
        self.seat = (self.seat + 1) % len(self.seats)
        self.actions = self.buys = 1
        self.coins = 0
        self.buying = self.fresh = False

    def scores(self) -> list[int]:
        """Points by seat."""
        return [cards.points() for cards in self.seats]


def shuffle(cards: list[int], random: Random) -> None:
    """Sorting by random numbers takes a quarter of the time of ``Random.shuffle``."""
    draw = random.random
    cards.sort(key=lambda _card: draw())


def _listed(counts: dict[str, int]) -> list[int]:
    return [NUMBER[card] for card, number in sorted(counts.items()) for _ in range(number)]


assert POINTS[3:6] == (1, 3, 6) and CARDS[:3] == ("copper", "silver", "gold")
assert MOAT > CURSE
