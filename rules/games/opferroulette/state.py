"""The position of one match of Opferroulette: pits, ball, cards."""

from __future__ import annotations

from enum import StrEnum
from typing import Self

from rules.colours import Paint
from rules.core import Json, State
from rules.games.opferroulette.components import (
    CARD,
    CARDS,
    CLOCKWISE,
    COLOURS,
    FACINGS,
    FIELD_COLOURS,
    FIELDS,
    HAND,
    NUMBER_CARDS,
    OFFERINGS,
    PIT,
    PITS,
)
from rules.hidden import Deck

NOBODY = -1
NO_COLOUR = -1


class Phase(StrEnum):
    """The next decision."""

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


class OpferrouletteState(State):
    """Position of one match. Seats come first everywhere; the neutral owner is ``players``."""

    __slots__ = (
        "all_pass_ends", "alone", "ball", "colour", "crushed", "deck", "drawn", "facing", "holders",
        "own_left", "paint", "passes", "phase", "physical", "pits", "played", "players", "shared",
        "through", "turn", "undrawn",
    )  # fmt: skip

    def __init__(
        self,
        players: int,
        shared: bool,
        alone: bool,
        all_pass_ends: bool,
        physical: bool,
        paint: Paint,
    ) -> None:
        self.players, self.shared, self.alone = players, shared, alone
        self.all_pass_ends, self.paint = all_pass_ends, paint
        self.physical = physical
        self.phase = Phase.OFFER
        self.turn = 0
        """Seat asked, or the one the dealer serves."""
        self.undrawn = list(range(len(CARDS)))
        """Cards not yet drawn in the set-up (6.2)."""
        self.holders = [NOBODY] * len(COLOURS)
        """Seat that still has an offering to place, for each trilithon card of the set-up."""
        self.pits: list[tuple[int, ...]] = [()] * len(PITS)
        """Owners of the offerings in each pit, lowest first."""
        self.own_left = [0] * (players + 1)
        """Offerings in pits, by owner."""
        self.crushed = [[0] * (players + 1) for _ in range(players)]
        """Offerings crushed, by player and owner."""
        self.ball = 0
        """Field of the ball, 0 before it lies."""
        self.facing = CLOCKWISE
        self.deck = Deck(CARD, players)
        """Hands, pile and discards; empty before the first deal."""
        self.drawn = 0
        """Cards dealt so far in the first deal (6.2 item 5)."""
        self.through = 0
        """Number of times the pile has been played through (OR13)."""
        self.passes = 0
        """Turns in a row without a card (OR5)."""
        self.played = False
        """True if a card has been played in this turn."""
        self.colour = NO_COLOUR
        """Colour of the number cards of this turn; set once the ball has been rolled."""

    def clone(self) -> Self:
        cls = type(self)
        other = cls.__new__(cls)
        other.players, other.shared, other.alone = self.players, self.shared, self.alone
        other.all_pass_ends, other.paint = self.all_pass_ends, self.paint
        other.physical, other.phase, other.turn = self.physical, self.phase, self.turn
        other.undrawn, other.holders = self.undrawn[:], self.holders[:]
        other.pits, other.own_left = self.pits[:], self.own_left[:]
        other.crushed = [row[:] for row in self.crushed]
        other.ball, other.facing = self.ball, self.facing
        other.deck = self.deck.clone()
        other.drawn, other.through, other.passes = self.drawn, self.through, self.passes
        other.played, other.colour = self.played, self.colour
        return other

    def to_json(self) -> Json:
        """The position. Cards without order are sorted; offerings and discards lie lowest first."""
        cards = self.deck.to_json()
        data = {
            "players": self.players,
            "options": {
                "shared_pits": "on" if self.shared else "off",
                "trilithon_alone": "on" if self.alone else "off",
                "all_pass_ends": "on" if self.all_pass_ends else "off",
                **self.paint.option(self.players),
            },
            "physical": self.physical,
            "phase": self.phase.value,
            "turn": self.turn,
            "undrawn": self.deck.names(sorted(self.undrawn)),
            "trilithon_offerings": {
                CARDS[NUMBER_CARDS + place]: seat
                for place, seat in enumerate(self.holders)
                if seat != NOBODY
            },
            "pits": {PITS[pit]: list(owners) for pit, owners in enumerate(self.pits) if owners},
            "crushed": [row[:] for row in self.crushed],
            "ball": [self.ball, FACINGS[self.facing]] if self.ball else None,
            "hands": cards["hands"],
            "pile": cards["pile"],
            "discards": cards["discards"],
            "drawn": self.drawn,
            "through": self.through,
            "passes": self.passes,
            "played": self.played,
            "colour": None if self.colour == NO_COLOUR else FIELD_COLOURS[self.colour],
        }
        if "zones" in cards:
            data["zones"] = cards["zones"]
        return data

    def read(self, data: Json) -> None:
        self.phase, self.turn = Phase(data["phase"]), int(data["turn"])
        self.undrawn = self.deck.numbers(data["undrawn"])
        for name, seat in data["trilithon_offerings"].items():
            self.holders[CARD[name] - NUMBER_CARDS] = int(seat)
        for name, owners in data["pits"].items():
            for owner in owners:
                self.put_offering(range(self.players + 1)[owner], PIT[name])
        self.crushed = [[int(number) for number in row] for row in data["crushed"]]
        if data["ball"] is not None:
            field, facing = data["ball"]
            self.ball, self.facing = range(FIELDS + 1)[field], FACINGS.index(facing)
        self.deck.read(data)
        self.drawn, self.through = int(data["drawn"]), int(data["through"])
        self.passes, self.played = int(data["passes"]), bool(data["played"])
        colour = data["colour"]
        self.colour = NO_COLOUR if colour is None else FIELD_COLOURS.index(colour)

    def problems(self) -> list[str]:
        if [len(row) for row in self.crushed] != [self.players + 1] * self.players:
            return ["some list is not as long as there are players"]
        found = []
        dealt = self.phase not in (Phase.OFFER, Phase.NEUTRAL, Phase.TRILITHON, Phase.BALL)
        if dealt:
            found += self.deck.problems("the cards")
            if self.physical != (self.deck.zones is not None):
                found.append("it is not said what may be in hands and pile")
        elif len(set(self.undrawn)) != len(self.undrawn):
            found.append("a card is twice among the undrawn ones")
        for seat in range(self.players):
            gone = sum(row[seat] for row in self.crushed)
            total = self.own_left[seat] + gone + self.holders.count(seat)
            if total > OFFERINGS or (dealt and total != OFFERINGS):
                found.append(f"p{seat} has {total} offerings")
            if self.deck.hand_size(seat) > self.hand_limit(seat):
                found.append(f"p{seat} holds more cards than the hand limit")
        if not self.shared and any(len(owners) > 1 for owners in self.pits):
            found.append("a pit holds two offerings")
        if dealt and not self.ball:
            found.append("there is no ball")
        if self.turn not in range(self.players):
            found.append(f"it is the turn of nobody: {self.turn}")
        return found

    # -- cards ----------------------------------------------------------------------------

    def shuffle_all(self) -> None:
        """6.2 item 5: all 65 cards become the pile."""
        self.undrawn = []
        self.deck.shuffle(self.physical)

    def hand_limit(self, seat: int) -> int:
        """6.3: five, and one more for each offering crushed by its own owner."""
        return HAND + self.crushed[seat][seat]

    def holds_number_card(self, seat: int, besides: int) -> bool:
        """True if a number card is in the hand (physical: may be) besides the card named."""
        return any(card < NUMBER_CARDS for card in self.deck.playable_besides(seat, besides))

    @property
    def last_through(self) -> int:
        """OR13: number of times the pile is played through when the match ends."""
        return 3 if self.players == 5 else 2

    # -- offerings ------------------------------------------------------------------------

    def put_offering(self, owner: int, pit: int) -> None:
        """An offering goes into a pit, on top of those that lie there."""
        self.pits[pit] += (owner,)
        self.own_left[owner] += 1

    def crush(self, seat: int, pit: int) -> None:
        """All offerings of a pit go to ``seat``, no matter who owned them."""
        for owner in self.pits[pit]:
            self.own_left[owner] -= 1
            self.crushed[seat][owner] += 1
        self.pits[pit] = ()
