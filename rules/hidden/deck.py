"""One deck of cards in a match: hands, the draw pile, the cards that lie open.

In a digital match every card is known, and the pile has no order before it is drawn from. In a
physical one hands and pile are hidden, so ``Zones`` keep what may be in them, and a card
is bound when it is played or turned up. A card is the number by which its game knows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rules.core import Json
from rules.hidden.zones import Certainty, Zones

# Names of zones; they appear in journals and stored positions.
_PILE, _GONE = "pile", "out"
_HANDS = ("p0", "p1", "p2", "p3", "p4")


class Deck:
    """The cards of one match. Every card is there once; seats number the hands."""

    __slots__ = ("_names", "_number", "discards", "gone", "hands", "pile", "zones")

    def __init__(self, number: Mapping[str, int], players: int) -> None:
        """``number`` gives each card its number, from 0 on in this order."""
        self._number = number
        self._names = tuple(number)
        self.hands: list[list[int]] = [[] for _ in range(players)]
        """Digital match: the cards of each player."""
        self.pile: list[int] = []
        """Digital match: the cards of the pile; they have no order before they are drawn."""
        self.gone: list[int] = []
        """Digital match: cards that left the match unseen."""
        self.discards: list[int] = []
        """Cards lying openly, the last one on top."""
        self.zones: Zones | None = None
        """Physical match: possible cards of the hands and the pile, once they are shuffled."""

    def shuffle(self, physical: bool) -> None:
        """All cards become the pile."""
        if physical:
            self.zones = Zones()
            self.zones.fill(_PILE, self._names)
        else:
            self.pile = list(range(len(self._names)))

    # -- asking ---------------------------------------------------------------------------

    def hand_size(self, seat: int) -> int:
        """Cards in a hand; public knowledge."""
        return len(self.hands[seat]) if self.zones is None else self.zones.size(_HANDS[seat])

    @property
    def pile_size(self) -> int:
        """Cards in the pile."""
        return len(self.pile) if self.zones is None else self.zones.size(_PILE)

    def playable(self, seat: int) -> list[int]:
        """Cards that are in the hand, or in a physical match may be; not to be changed."""
        if self.zones is None:
            return self.hands[seat]
        return [self._number[name] for name in self.zones.playable(_HANDS[seat])]

    def holds(self, seat: int, card: int) -> bool:
        """True if a card is in the hand, or in a physical match may be."""
        if self.zones is None:
            return card in self.hands[seat]
        return self._may_lie(_HANDS[seat], card)

    def holds_all(self, seat: int, cards: Iterable[int]) -> bool:
        """True if the hand holds all of ``cards`` at once, or in a physical match may."""
        if self.zones is None:
            return all(card in self.hands[seat] for card in cards)
        return self.zones.may_hold(_HANDS[seat], self.names(cards))

    def playable_besides(self, seat: int, card: int) -> list[int]:
        """Cards that a player who also holds ``card`` may play."""
        if self.zones is None:
            return [other for other in self.hands[seat] if other != card]
        if not self.holds(seat, card):
            return []
        rest = self.zones.clone()
        rest.discard(_HANDS[seat], self._names[card])
        return [self._number[name] for name in rest.playable(_HANDS[seat])]

    def drawable(self) -> Sequence[int]:
        """Cards that may lie on top of the pile; of the discards if it is empty."""
        if self.zones is None:
            return self.pile or self.discards
        if self.zones.size(_PILE):
            return [self._number[name] for name in self.zones.draws(_PILE)]
        return self.discards

    # -- moving ---------------------------------------------------------------------------

    def renew(self) -> None:
        """If the pile is empty the discards become the pile; for when a card is needed."""
        if not self.pile_size:
            if self.zones is None:
                self.pile = self.discards
            else:
                self.zones.fill(_PILE, self.names(self.discards))
            self.discards = []

    def draw(self, seat: int, card: int | None) -> None:
        """The top card of the pile to a hand; ``card`` None: no other player saw it."""
        if self.zones is not None:
            self.renew()
            if self.zones.size(_PILE):
                self.zones.draw(_PILE, _HANDS[seat], None)
            return
        if not self.pile:
            self.renew()
        if card is not None:
            self._lift(card, _PILE)
            self.hands[seat].append(card)

    def forget(self) -> None:
        """Physical match: cards may have been played unseen, so any may be in any hand or the
        pile that does not lie openly."""
        if self.zones is not None:
            self.zones.forget_pools()

    def turn_up(self, card: int) -> None:
        """The top card of the pile on the discard pile."""
        self.renew()
        self._lift(card, _PILE)
        self.discards.append(card)

    def lay_open(self, seat: int, card: int) -> None:
        """A card out of a hand on the discard pile."""
        if self.zones is None and card in self.hands[seat]:
            self.hands[seat].remove(card)
        else:
            self._lift(card, _HANDS[seat])
        self.discards.append(card)

    def put_away(self, seat: int) -> None:
        """A whole hand leaves the match unseen."""
        if self.zones is None:
            self.gone += self.hands[seat]
            self.hands[seat] = []
        else:
            for _ in range(self.zones.size(_HANDS[seat])):
                self.zones.move(_HANDS[seat], _GONE, None)

    # -- copying and storing --------------------------------------------------------------

    def clone(self) -> Deck:
        """An independent copy."""
        other = Deck.__new__(Deck)
        other._names, other._number = self._names, self._number
        other.hands = [hand[:] for hand in self.hands]
        other.pile, other.gone, other.discards = self.pile[:], self.gone[:], self.discards[:]
        other.zones = None if self.zones is None else self.zones.clone()
        return other

    def to_json(self) -> Json:
        """By name: cards without order are sorted, discards lie lowest first.

        Of a physical match ``hands``, ``pile`` and ``gone`` are numbers, and ``zones`` say more.
        """
        if self.zones is None:
            return {
                "hands": [self.names(sorted(hand)) for hand in self.hands],
                "pile": self.names(sorted(self.pile)),
                "gone": self.names(sorted(self.gone)),
                "discards": self.names(self.discards),
            }
        return {
            "hands": [self.hand_size(seat) for seat in range(len(self.hands))],
            "pile": self.pile_size,
            "gone": self.zones.size(_GONE),
            "discards": self.names(self.discards),
            "zones": self.zones.to_json(),
        }

    def read(self, data: Json) -> None:
        """Take over what ``to_json()`` wrote; raises StateError, KeyError or TypeError."""
        self.discards = self.numbers(data["discards"])
        if "zones" in data:
            self.zones = Zones.from_json(data["zones"])
            return
        self.hands = [self.numbers(data["hands"][seat]) for seat in range(len(self.hands))]
        self.pile, self.gone = self.numbers(data["pile"]), self.numbers(data.get("gone", ()))

    def conceal(self, data: Json, seat: int | None) -> None:
        """Leave in the ``data`` of a position what ``seat`` may see; of all else, the number."""
        if self.zones is None:
            for name in {"pile", "gone"} & data.keys():
                data[name] = len(data[name])
            data["hands"] = [
                hand if owner == seat else len(hand) for owner, hand in enumerate(data["hands"])
            ]

    def names(self, cards: Iterable[int]) -> list[str]:
        """Cards as the move texts call them, in the order given."""
        names = self._names
        return [names[card] for card in cards]

    def numbers(self, names: Iterable[str]) -> list[int]:
        """The inverse of ``names``; raises KeyError."""
        return [self._number[name] for name in names]

    def problems(self, called: str) -> list[str]:
        """Faults of the cards, as sentences; ``called`` is what they are called."""
        if self.zones is None:
            cards = [*self.pile, *self.discards, *self.gone]
            for hand in self.hands:
                cards += hand
            complete = sorted(cards) == list(range(len(self._names)))
            return [] if complete else [f"{called} are not complete"]
        found = self.zones.invariants()
        counted = self.zones.count_all()
        counted.update(self.names(self.discards))
        if any(counted[name] != 1 for name in self._names) or counted.total() != len(self._names):
            found.append(f"{called} are not complete")
        return found

    # -- private --------------------------------------------------------------------------

    def _may_lie(self, zone: str, card: int) -> bool:
        assert self.zones is not None
        return self.zones.certainty(zone, self._names[card]) is not Certainty.IMPOSSIBLE

    def _lift(self, card: int, zone: str) -> None:
        """Take a card from ``zone``, or from where it can be if it cannot be there.

        The other places matter only when a forbidden move is tried out.
        """
        if self.zones is None:
            if card in self.pile:
                self.pile.remove(card)
                return
            for cards in (self.discards, *self.hands, self.gone):
                if card in cards:
                    cards.remove(card)
                    return
            return
        for place in (zone, _PILE, *_HANDS[: len(self.hands)], _GONE):
            if self._may_lie(place, card):
                self.zones.discard(place, self._names[card])
                return
        if card in self.discards:
            self.discards.remove(card)
