"""Hands and pile: who may hold which card, and what may be drawn next.

In a digital match every card has its place in the lists. In a physical one hands, the shuffled
part of the pile and face-down projects are unknown: ``zones`` knows what can be known of their
number cards. Trilithon cards are never hidden from the record, since they are shown when they come.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Sequence

from rules.games.erbaut_stonehenge.components import (
    CARD,
    CARD_NAMES,
    HIDDEN,
    NONE,
    NUMBER_CARDS,
    YARDS,
    is_trilithon,
)
from rules.hidden import Certainty, Zones

_HAND = ("p0", "p1", "p2", "p3")
_PILE = "pile"

Below = tuple[int, int]
"""A card under the pile and the seat that knows it; NONE: it is public."""


class HiddenCards:
    """Hands and pile of one match. Lists are indexed by seat."""

    __slots__ = ("below", "below_first", "hand_size", "hands", "pile", "zones")

    def __init__(self, players: int, physical: bool) -> None:
        self.hands: list[list[int]] = [[] for _ in range(players)]
        """Digital match: the cards of each player."""
        self.hand_size = [0] * players
        self.pile = [] if physical else list(range(NUMBER_CARDS))
        """Shuffled part, in no order; in a physical match its trilithon cards only."""
        self.below: list[Below] = []
        """ES34: cards put under the pile, the next one to come first."""
        self.below_first = 0
        """Number of the first card of ``below`` among all that ever lay there."""
        self.zones: Zones | None = None
        if physical:
            self.zones = Zones()
            self.zones.fill(_PILE, CARD_NAMES[:NUMBER_CARDS])

    def clone(self) -> HiddenCards:
        """An independent copy."""
        other = HiddenCards.__new__(HiddenCards)
        other.hands = [hand[:] for hand in self.hands]
        other.hand_size, other.pile = self.hand_size[:], self.pile[:]
        other.below, other.below_first = self.below[:], self.below_first
        other.zones = None if self.zones is None else self.zones.clone()
        return other

    @property
    def pile_left(self) -> bool:
        """True if the pile has a card."""
        return bool(self.pile or self.below or self.shuffled_numbers())

    def shuffled_numbers(self) -> int:
        """Number cards in the shuffled part that were never seen (physical)."""
        return 0 if self.zones is None else self.zones.size(_PILE)

    @property
    def shuffled_left(self) -> bool:
        """True if the shuffled part of the pile has a card."""
        return bool(self.pile or self.shuffled_numbers())

    def outcomes(self, open_card: bool) -> list[int]:
        """Cards that may be drawn from the pile next; HIDDEN for a secret number card."""
        if self.zones is None:
            return self.pile or [card for card, _ in self.below[:1]]
        if self.shuffled_left:
            numbers = [HIDDEN] if self.shuffled_numbers() else []
            if open_card:
                numbers = sorted(CARD[name] for name in self.zones.draws(_PILE))
            return numbers + self.pile
        # ES34: the cards put under the pile come in their order.
        card = self.below[0][0]
        if not open_card:
            return [HIDDEN]
        if card != HIDDEN:
            return [card]
        return sorted(CARD[name] for name in self.zones.playable(self._below_zone(0)))

    def chance(self, cards: Sequence[int]) -> list[int]:
        """Relative likelihood of each of ``outcomes`` in a physical match."""
        if self.zones is None or not self.shuffled_left:
            return [1] * len(cards)
        numbers = self.shuffled_numbers()
        unseen = sum(1 for card in cards if 0 <= card < NUMBER_CARDS)
        # Of the numbers that may come, all equally likely, only some are in the pile.
        share = {True: unseen or 1, False: numbers}
        return [share[is_trilithon(card)] for card in cards]

    def take_from_pile(self, card: int) -> bool:
        """An open card leaves the pile; False if it cannot come from there now."""
        if card not in self.outcomes(open_card=True):
            return False
        if card in self.pile:
            self.pile.remove(card)
        elif self.shuffled_left:
            assert self.zones is not None
            self.zones.discard(_PILE, CARD_NAMES[card])
        else:
            if self.below[0][0] == HIDDEN:
                assert self.zones is not None
                self.zones.discard(self._below_zone(0), CARD_NAMES[card])
            self._below_comes_up()
        return True

    def draw_unseen(self, seat: int) -> bool:
        """A number card goes from the pile to a hand, seen by no other player (physical)."""
        zones = self.zones
        if zones is None or not (self.shuffled_numbers() or (self.below and not self.pile)):
            return False
        if self.shuffled_numbers():
            zones.move(_PILE, _HAND[seat], None)
        else:
            card = self.below[0][0]
            if card == HIDDEN:
                zones.move(self._below_zone(0), _HAND[seat], None)
            else:
                zones.put(_HAND[seat], [CARD_NAMES[card]])
            self._below_comes_up()
        self.hand_size[seat] += 1
        return True

    def _below_comes_up(self) -> None:
        self.below.pop(0)
        self.below_first += 1

    def _below_zone(self, place: int) -> str:
        return f"below {self.below_first + place}"

    def put_below(self, card: int) -> None:
        """An open card goes under the pile."""
        self.below.append((card, NONE))

    def gain(self, seat: int, card: int) -> None:
        """A public card goes to a hand; in a digital match even an unseen one."""
        if self.zones is None:
            insort(self.hands[seat], card)
        else:
            self.zones.put(_HAND[seat], [CARD_NAMES[card]])
        self.hand_size[seat] += 1

    def holds(self, seat: int, *cards: int) -> bool:
        """True if a player has these different cards in hand; on a real table: may have."""
        zones = self.zones
        if zones is None:
            hand = self.hands[seat]
            return all(card in hand for card in cards)
        known = zones.known(_HAND[seat])
        missing = [CARD_NAMES[card] for card in cards if not known[CARD_NAMES[card]]]
        if len(missing) > zones.unknown(_HAND[seat]):
            return False
        trial = zones.clone() if len(missing) > 1 else zones
        for name in missing:
            if trial.certainty(_HAND[seat], name) is Certainty.IMPOSSIBLE:
                return False
            if trial is not zones:
                trial.discard(_HAND[seat], name)
        return True

    def pairs(self, seat: int, cards: Sequence[int]) -> Iterable[tuple[int, int]]:
        """Pairs of ``cards``, each possible alone, that can be in a hand together."""
        zones = self.zones
        for place, first in enumerate(cards):
            rest = cards[place + 1 :]
            if zones is None:
                yield from ((first, second) for second in rest)
            elif rest:
                trial = zones.clone()
                trial.discard(_HAND[seat], CARD_NAMES[first])
                left = set(trial.playable(_HAND[seat]))
                yield from ((first, second) for second in rest if CARD_NAMES[second] in left)

    def surely_holds(self, seat: int, card: int) -> bool:
        """True if it is public that a card is in a hand (physical)."""
        if self.zones is None:
            return card in self.hands[seat]
        return self.zones.certainty(_HAND[seat], CARD_NAMES[card]) is Certainty.SURE

    def hand(self, seat: int) -> list[int]:
        """The cards a player has, on a real table those they may have; sorted."""
        if self.zones is None:
            return self.hands[seat]
        return sorted(CARD[name] for name in self.zones.playable(_HAND[seat]))

    def lose(self, seat: int, card: int) -> bool:
        """A named card leaves a hand; False if it cannot be there."""
        if not self.holds(seat, card):
            return False
        if self.zones is None:
            self.hands[seat].remove(card)
        else:
            self.zones.discard(_HAND[seat], CARD_NAMES[card])
        self.hand_size[seat] -= 1
        return True

    def hand_over(self, seat: int, other: int) -> None:
        """A card goes from hand to hand, and the record does not see which (physical)."""
        assert self.zones is not None
        self.zones.move(_HAND[seat], _HAND[other], None)
        self.hand_size[seat] -= 1
        self.hand_size[other] += 1

    def hand_below(self, seat: int, card: int) -> bool:
        """A hand card goes face down under the pile; HIDDEN where it is secret."""
        if card != HIDDEN:
            if not self.lose(seat, card):
                return False
            self.below.append((card, seat))
            return True
        if self.zones is None or not self.hand_size[seat]:
            return False
        self.zones.move(_HAND[seat], self._below_zone(len(self.below)), None)
        self.below.append((HIDDEN, seat))
        self.hand_size[seat] -= 1
        return True

    def lay_face_down(self, seat: int) -> bool:
        """A secret hand card goes into the yard (physical)."""
        zones = self.zones
        if zones is None or not self.hand_size[seat]:
            return False
        # Only day cards lie face down, so a night card known to be in the hand stays there.
        nights = [name for name in zones.known(_HAND[seat]) if name[0] == "n"]
        if len(nights) == self.hand_size[seat]:
            nights = []
        for name in nights:
            zones.discard(_HAND[seat], name)
        zones.move(_HAND[seat], YARDS[seat], None)
        zones.put(_HAND[seat], nights)
        self.hand_size[seat] -= 1
        return True

    def may_lie_face_down(self, seat: int) -> list[int]:
        """Cards that the face-down one in a yard may be, even against the rules (physical)."""
        assert self.zones is not None
        names = set(self.zones.playable(YARDS[seat]))
        names |= {name for name in self.zones.known(_HAND[seat]) if name[0] == "n"}
        return sorted(CARD[name] for name in names)

    def turn_up(self, seat: int, card: int) -> None:
        """The table shows the card in a yard (physical)."""
        zones, name = self.zones, CARD_NAMES[card]
        assert zones is not None
        if zones.certainty(YARDS[seat], name) is not Certainty.IMPOSSIBLE:
            zones.discard(YARDS[seat], name)
        else:
            # A known night card was laid face down after all: the other card is in hand.
            zones.discard(_HAND[seat], name)
            zones.move(YARDS[seat], _HAND[seat], None)

    def face_down_below(self, seat: int, card: int) -> None:
        """The face-down ``card`` in a yard goes unseen under the pile."""
        if card == HIDDEN:
            assert self.zones is not None
            self.zones.move(YARDS[seat], self._below_zone(len(self.below)), None)
        self.below.append((card, seat))
