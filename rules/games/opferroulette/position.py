"""The position of one match of Opferroulette: pits, ball, cards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import lru_cache

from rules.core import Item, Json
from rules.games.opferroulette.board import (
    BACK_ITEM,
    BALL_ITEM,
    CARD,
    CARDS,
    CLOCKWISE,
    COLOURS,
    DISCARD_ITEM,
    FACINGS,
    FIELD_COLOURS,
    HAND,
    NUMBER_CARDS,
    OFFERINGS,
    PITS,
    offering_items,
)
from rules.hidden import Certainty, Zones

NOBODY = -1
NO_COLOUR = -1
ZONES = tuple(f"p{seat}" for seat in range(len(COLOURS)))
PILE = "pile"


class Phase(StrEnum):
    """What is decided next."""

    OFFER = "offer"
    NEUTRAL = "neutral"
    TRILITHON = "trilithon"
    BALL = "ball"
    DEAL = "deal"
    START = "start"
    TURN = "turn"
    FALL = "fall"
    REFILL = "refill"
    OVER = "over"


class OpferrouletteState:
    """Position of one match. Seats come first everywhere; the neutral owner is ``players``."""

    __slots__ = (
        "alone", "ball", "colour", "crushed", "discards", "drawn", "facing", "hands", "holders",
        "own_left", "passes", "phase", "physical", "pile", "pits", "played", "players", "shared",
        "through", "turn", "undrawn", "zones",
    )  # fmt: skip

    def __init__(self, players: int, shared: bool, alone: bool, physical: bool) -> None:
        self.players, self.shared, self.alone = players, shared, alone
        self.physical = physical
        self.phase = Phase.OFFER
        self.turn = 0
        """Seat asked, or the one the dealer serves."""
        self.undrawn = list(range(len(CARDS)))
        """Cards not yet drawn in the set-up (6.2)."""
        self.holders = [NOBODY] * len(COLOURS)
        """Who still has an offering to place for each trilithon card of the set-up."""
        self.pits: list[tuple[int, ...]] = [()] * len(PITS)
        """Owners of the offerings in each pit, lowest first."""
        self.own_left = [0] * (players + 1)
        """Offerings in pits, by owner."""
        self.crushed = [[0] * (players + 1) for _ in range(players)]
        """Offerings crushed, by player and owner."""
        self.ball = 0
        """Field of the ball, 0 before it lies."""
        self.facing = CLOCKWISE
        self.hands: list[list[int]] = [[] for _ in range(players)]
        """Digital match: the cards of each player."""
        self.pile: list[int] = []
        """Digital match: the cards of the pile; they have no order before they are drawn."""
        self.zones: Zones | None = None
        """Physical match: what may be in the hands and the pile."""
        self.discards: list[int] = []
        """Cards lying openly, the last one on top."""
        self.drawn = 0
        """Cards dealt so far in the first deal (6.2 item 5)."""
        self.through = 0
        """How often the pile has been played through (OR13)."""
        self.passes = 0
        """Turns in a row without a card (OR5)."""
        self.played = False
        """Whether a card has been played in this turn."""
        self.colour = NO_COLOUR
        """Colour of the number cards of this turn; set once the ball has been rolled."""

    def clone(self) -> OpferrouletteState:
        other = OpferrouletteState.__new__(OpferrouletteState)
        other.players, other.shared, other.alone = self.players, self.shared, self.alone
        other.physical, other.phase, other.turn = self.physical, self.phase, self.turn
        other.undrawn, other.holders = self.undrawn[:], self.holders[:]
        other.pits, other.own_left = self.pits[:], self.own_left[:]
        other.crushed = [row[:] for row in self.crushed]
        other.ball, other.facing = self.ball, self.facing
        other.hands = [hand[:] for hand in self.hands]
        other.pile, other.discards = self.pile[:], self.discards[:]
        other.zones = None if self.zones is None else self.zones.clone()
        other.drawn, other.through, other.passes = self.drawn, self.through, self.passes
        other.played, other.colour = self.played, self.colour
        return other

    def to_json(self) -> Json:
        """Everything. Cards without order are sorted; offerings and discards lie lowest first."""
        data = {
            "players": self.players,
            "options": {
                "shared_pits": "on" if self.shared else "off",
                "trilithon_alone": "on" if self.alone else "off",
            },
            "physical": self.physical,
            "phase": self.phase.value,
            "turn": self.turn,
            "undrawn": card_names(sorted(self.undrawn)),
            "trilithon_offerings": {
                CARDS[NUMBER_CARDS + place]: seat
                for place, seat in enumerate(self.holders)
                if seat != NOBODY
            },
            "pits": {PITS[pit]: list(owners) for pit, owners in enumerate(self.pits) if owners},
            "crushed": [row[:] for row in self.crushed],
            "ball": [self.ball, FACINGS[self.facing]] if self.ball else None,
            "hands": [card_names(sorted(hand)) for hand in self.hands],
            "pile": card_names(sorted(self.pile)),
            "discards": card_names(self.discards),
            "drawn": self.drawn,
            "through": self.through,
            "passes": self.passes,
            "played": self.played,
            "colour": None if self.colour == NO_COLOUR else FIELD_COLOURS[self.colour],
        }
        if self.zones is not None:
            data["hands"] = [self.hand_size(seat) for seat in range(self.players)]
            data["pile"] = self.pile_size
            data["zones"] = self.zones.to_json()
        return data

    # -- cards ----------------------------------------------------------------------------

    def shuffle_all(self) -> None:
        """6.2 item 5: all 65 cards become the pile."""
        self.undrawn = []
        self.pile = list(range(len(CARDS)))
        if self.physical:
            self.pile = []
            self.zones = Zones()
            self.zones.fill(PILE, CARDS)

    def hand_size(self, seat: int) -> int:
        """Cards in a hand; everybody may know it."""
        return len(self.hands[seat]) if self.zones is None else self.zones.size(ZONES[seat])

    @property
    def pile_size(self) -> int:
        """Cards in the pile."""
        return len(self.pile) if self.zones is None else self.zones.size(PILE)

    def hand_limit(self, seat: int) -> int:
        """6.3: five and one for each own offering crushed by its owner."""
        return HAND + self.crushed[seat][seat]

    def playable(self, seat: int) -> list[int]:
        """Cards that are in the hand, or in a physical match may be."""
        if self.zones is None:
            return self.hands[seat]
        return [CARD[name] for name in self.zones.playable(ZONES[seat])]

    def holds(self, seat: int, card: int) -> bool:
        """Whether a card is in the hand, or in a physical match may be."""
        if self.zones is None:
            return card in self.hands[seat]
        return self.zones.certainty(ZONES[seat], CARDS[card]) is not Certainty.IMPOSSIBLE

    def holds_number_card(self, seat: int, besides: int) -> bool:
        """Whether a number card is in the hand (physical: may be) besides the card named."""
        if self.zones is None:
            return min(self.hands[seat], default=NUMBER_CARDS) < NUMBER_CARDS
        rest = self.zones.clone()
        rest.discard(ZONES[seat], CARDS[besides])
        return any(CARD[name] < NUMBER_CARDS for name in rest.playable(ZONES[seat]))

    def drawable(self) -> Sequence[int]:
        """Cards that may lie on top of the pile; OR20: of the discards if it is empty."""
        if self.zones is None:
            return self.pile or self.discards
        if self.pile_size:
            return [CARD[name] for name in self.zones.draws(PILE)]
        return self.discards

    def renew_pile(self) -> None:
        """OR20: a card is needed and the pile is empty, so the discards become the pile."""
        if not self.pile_size:
            if self.zones is None:
                self.pile = self.discards
            else:
                self.zones.fill(PILE, card_names(self.discards))
            self.discards = []

    def draw(self, seat: int, card: int | None) -> None:
        """The top card of the pile to a hand; ``card`` None: nobody else saw it."""
        if self.zones is not None:
            if self.zones.size(PILE):
                self.zones.draw(PILE, ZONES[seat], None)
        elif card is not None:
            self._lift(card)
            self.hands[seat].append(card)

    def lay_open(self, seat: int, card: int) -> None:
        """A card out of a hand on the discard pile."""
        if self.zones is None and card in self.hands[seat]:
            self.hands[seat].remove(card)
        else:
            self._lift(card, ZONES[seat])
        self.discards.append(card)

    def turn_up(self, card: int) -> None:
        """The top card of the pile on the discard pile."""
        self._lift(card, PILE)
        self.discards.append(card)

    def _lift(self, card: int, zone: str = PILE) -> None:
        """Take a card from ``zone``, or if it cannot be there from where it can.

        The other places matter only when a move is tried out that the rules forbid.
        """
        if self.zones is None:
            for cards in (self.pile, self.discards, *self.hands):
                if card in cards:
                    cards.remove(card)
                    return
            return
        for place in (zone, PILE, *ZONES[: self.players]):
            if self.zones.certainty(place, CARDS[card]) is not Certainty.IMPOSSIBLE:
                self.zones.discard(place, CARDS[card])
                return
        if card in self.discards:
            self.discards.remove(card)

    # -- offerings ------------------------------------------------------------------------

    def put_offering(self, owner: int, pit: int) -> None:
        """An offering goes into a pit, on top of those that lie there."""
        self.pits[pit] += (owner,)
        self.own_left[owner] += 1

    def crush(self, seat: int, pit: int) -> None:
        """All offerings of a pit go to ``seat``, whoever owned them."""
        for owner in self.pits[pit]:
            self.own_left[owner] -= 1
            self.crushed[seat][owner] += 1
        self.pits[pit] = ()

    def items(self) -> Iterable[tuple[Item, int]]:
        """What lies where, with counts."""
        for pit, owners in enumerate(self.pits):
            if owners:
                yield from ((item, 1) for item in _offerings(pit, owners, self.players))
        if self.ball:
            yield BALL_ITEM[self.facing][self.ball], 1
        if pile := self.pile_size:
            yield BACK_ITEM, pile
        if self.discards:
            yield DISCARD_ITEM[self.discards[-1]], 1

    # -- safety ---------------------------------------------------------------------------

    def problems(self) -> list[str]:
        """What is wrong with the position, as sentences."""
        found = []
        dealt = self.phase not in (Phase.OFFER, Phase.NEUTRAL, Phase.TRILITHON, Phase.BALL)
        cards = self.pile + self.discards + [card for hand in self.hands for card in hand]
        if not dealt:
            cards = self.undrawn
            if len(set(cards)) != len(cards):
                found.append("a card is twice among the undrawn ones")
        elif self.zones is None:
            if sorted(cards) != list(range(len(CARDS))):
                found.append("the cards are not complete")
        else:
            found += self.zones.invariants()
            counted = self.zones.count_all()
            counted.update(card_names(self.discards))
            if any(counted[name] != 1 for name in CARDS) or counted.total() != len(CARDS):
                found.append("the cards are not complete")
        for seat in range(self.players):
            gone = sum(row[seat] for row in self.crushed)
            waiting = self.holders.count(seat)
            total = self.own_left[seat] + gone + waiting
            if total > OFFERINGS or (dealt and total != OFFERINGS):
                found.append(f"p{seat} has {total} offerings")
            if self.hand_size(seat) > self.hand_limit(seat):
                found.append(f"p{seat} holds more cards than the hand limit")
        if not self.shared and any(len(owners) > 1 for owners in self.pits):
            found.append("a pit holds two offerings")
        if dealt and not self.ball:
            found.append("there is no ball")
        if self.turn not in range(self.players):
            found.append(f"it is the turn of nobody: {self.turn}")
        return found


@lru_cache(maxsize=4096)
def _offerings(pit: int, owners: tuple[int, ...], players: int) -> tuple[Item, ...]:
    return tuple(offering_items(pit, owners, players))


def card_names(cards: Iterable[int]) -> list[str]:
    """Cards as the move texts call them, in the order given."""
    return [CARDS[card] for card in cards]
