"""Possible places of the cards of a deck, as known to a player who saw some of them.

Every card is there once. A card that was never shown is a *slot*: a place, and the set of cards
that it may be. Slots become known when their card is shown, and mix when they are shuffled
together, so that what was certain before a shuffle stays so for what was not shuffled. ``unseen``
is simpler and does where no unseen card is ever shuffled again.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from rules.core import Json

# Cards that a seat cannot see: which they are, and among which places they are spread.


@dataclass(frozen=True, slots=True)
class Heap:
    """Cards that cannot be told apart by place: they were shuffled together once."""

    cards: tuple[int, ...]
    places: tuple[tuple[str, int], ...]
    """Places where they lie, and how many at each; together as many as ``cards``."""


@dataclass(frozen=True, slots=True)
class Unseen:
    """All cards that lie hidden somewhere."""

    heaps: tuple[Heap, ...]
    known: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Cards that are known to lie at a place, such as those taken openly into a hand."""

    @classmethod
    def one_heap(cls, cards: Iterable[int], places: Iterable[tuple[str, int]]) -> Unseen:
        """The knowledge of how many cards lie where, and of nothing else."""
        return cls((Heap(tuple(sorted(cards)), tuple(places)),))

    @classmethod
    def of_zones(cls, zones: Json, number: Mapping[str, int]) -> Unseen:
        """From the ``rules.hidden.Zones`` of a physical match; ``number`` of each card's name."""
        places: list[list[tuple[str, int]]] = [[] for _ in zones["pools"]]
        known: dict[str, tuple[int, ...]] = {}
        for zone, entry in zones["zones"].items():
            for pool, count in entry.get("unknown", {}).items():
                places[int(pool)].append((zone, int(count)))
            names = [*entry.get("known", ()), *entry.get("top", ())]
            if names:
                known[zone] = tuple(number[name] for name in names)
        heaps = (
            Heap(tuple(sorted(number[name] for name in pool)), tuple(lies))
            for pool, lies in zip(zones["pools"], places, strict=True)
        )
        return cls(tuple(heaps), known)

    def deal(self, random: Random) -> dict[str, list[int]]:
        """One way the cards may lie, all equally likely; places without a card are left out."""
        found = {place: list(cards) for place, cards in self.known.items()}
        for heap in self.heaps:
            cards = list(heap.cards)
            random.shuffle(cards)
            for place, count in heap.places:
                found.setdefault(place, []).extend(cards[:count])
                del cards[:count]
        return found

    def adds_up(self, sizes: Mapping[str, int]) -> bool:
        """True if as many cards lie everywhere as ``sizes`` says."""
        found: dict[str, int] = {place: len(cards) for place, cards in self.known.items()}
        for heap in self.heaps:
            if sum(count for _, count in heap.places) != len(heap.cards):
                return False
            for place, count in heap.places:
                found[place] = found.get(place, 0) + count
        return _counted(found) == _counted(sizes)


def _counted(sizes: Mapping[str, int]) -> Sequence[tuple[str, int]]:
    return tuple(sorted((place, size) for place, size in sizes.items() if size))


Place = Hashable
"""A hand, a pile; whatever the game calls it."""
Dealt = dict[Place, list[int]]
"""Cards by place."""

_TRIES = 20


class Whereabouts:
    """The places of cards 0, 1, 2 …, with what each card in them may be."""

    __slots__ = ("_slots",)

    def __init__(self) -> None:
        self._slots: dict[Place, list[int]] = {}
        # A set of cards is a number: bit c says that it may be card c.

    @classmethod
    def of_zones(cls, data: Json, number: Mapping[str, int]) -> Whereabouts:
        """Unique cards from ``Zones.to_json()``; ``number``: each card's by its name."""
        new = cls()
        pools = [_mask(number[name] for name in pool) for pool in data["pools"]]
        for zone, entry in data["zones"].items():
            shown = [*entry.get("known", ()), *entry.get("top", ())]
            slots = [1 << number[name] for name in shown]
            for pool, count in entry.get("unknown", {}).items():
                slots += [pools[int(pool)]] * count
            new._slots[zone] = slots
        return new

    def join(self, other: Whereabouts) -> None:
        """Take in what is known of other cards, at other places."""
        self._slots.update(other._slots)

    # -- what happens -----------------------------------------------------------------------

    def fill(self, place: Place, cards: Iterable[int]) -> None:
        """Cards are shuffled and laid down; more than one at a place that is empty."""
        cards = list(cards)
        self._slots.setdefault(place, []).extend([_mask(cards)] * len(cards))

    def size(self, place: Place) -> int:
        """Number of cards at a place."""
        return len(self._slots.get(place, ()))

    def move(self, source: Place, target: Place, card: int | None) -> None:
        """A card goes from one place to another; None: it is not told which."""
        slots = self._slots[source]
        if card is None:
            taken = self._mixed(slots, slots)
        else:
            bit = 1 << card
            if not any(slot & bit for slot in slots):
                # A forbidden move that people let pass: it came from where it can have been.
                slots = next(s for s in self._slots.values() if any(slot & bit for slot in s))
            self._mixed(slots, [slot for slot in slots if slot & bit])
            for place, others in self._slots.items():
                self._slots[place] = [slot & ~bit for slot in others]
            taken = bit
        self._slots.setdefault(target, []).append(taken)

    def move_all(self, source: Place, target: Place) -> None:
        """All cards of a place go to another one together, without being shuffled."""
        self._slots.setdefault(target, []).extend(self._slots.pop(source, ()))

    def gather(self, sources: Iterable[Place], target: Place) -> None:
        """All cards of ``sources`` are shuffled and laid down at ``target``."""
        slots = [slot for source in sources for slot in self._slots.pop(source, ())]
        slots += self._slots.pop(target, ())
        self._slots[target] = [_union(slots)] * len(slots)

    # -- what may be ------------------------------------------------------------------------

    def may_lie(self, place: Place, card: int) -> bool:
        """True if a card may lie at a place."""
        return any(slot >> card & 1 for slot in self._slots.get(place, ()))

    def dealer(self) -> Callable[[Random], Dealt]:
        """Lays every card somewhere where it may lie, each way to do so about equally likely."""
        known: Dealt = {place: [] for place in self._slots}
        unknown: dict[int, list[Place]] = {}
        for place, slots in self._slots.items():
            for slot in slots:
                if slot.bit_count() == 1:
                    known[place].append(slot.bit_length() - 1)
                else:
                    unknown.setdefault(slot, []).append(place)
        shown = _mask(card for cards in known.values() for card in cards)
        # The group that may hold the fewest cards gets theirs first.
        groups = sorted(
            ((mask & ~shown, places) for mask, places in unknown.items()),
            key=lambda group: group[0].bit_count(),
        )
        free = _bits(_union(mask for mask, _ in groups))

        def deal(random: Random) -> Dealt:
            dealt = {place: cards[:] for place, cards in known.items()}
            for place, card in _drawn(groups, free, random):
                dealt[place].append(card)
            return dealt

        return deal

    # -- private ----------------------------------------------------------------------------

    @staticmethod
    def _mixed(slots: list[int], among: list[int]) -> int:
        """Take one of ``among``, it is unknown which, out of ``slots``; what it may be."""
        either = _union(among)
        taken = set(among)
        slots.remove(among[0])
        if len(taken) > 1:
            # Any of the others may be any of those that were there.
            slots[:] = [either if slot in taken else slot for slot in slots]
        return either


def _drawn(
    groups: list[tuple[int, list[Place]]], free: list[int], random: Random
) -> list[tuple[Place, int]]:
    for _ in range(_TRIES):
        cards = free[:]
        random.shuffle(cards)
        found: list[tuple[Place, int]] = []
        for mask, places in groups:
            rest = []
            wanted = iter(places)
            place = next(wanted, None)
            for card in cards:
                if place is not None and mask >> card & 1:
                    found.append((place, card))
                    place = next(wanted, None)
                else:
                    rest.append(card)
            if place is not None:
                break
            cards = rest
        else:
            return found
    return _matched(groups, free, random)


def _matched(
    groups: list[tuple[int, list[Place]]], free: list[int], random: Random
) -> list[tuple[Place, int]]:
    """Deal where sets overlap crosswise: cards change places until each has one (H. Kuhn, *The
    Hungarian method for the assignment problem*, 1955)."""
    slots = [(mask, place) for mask, places in groups for place in places]
    random.shuffle(slots)
    cards = free[:]
    random.shuffle(cards)
    holder: dict[int, int] = {}

    def placed(slot: int, tried: set[int]) -> bool:
        for card in cards:
            if slots[slot][0] >> card & 1 and card not in tried:
                tried.add(card)
                if card not in holder or placed(holder[card], tried):
                    holder[card] = slot
                    return True
        return False

    for slot in range(len(slots)):
        if not placed(slot, set()):
            raise ValueError("there are more cards than can be told apart")
    return [(slots[slot][1], card) for card, slot in holder.items()]


def _mask(cards: Iterable[int]) -> int:
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def _union(masks: Iterable[int]) -> int:
    union = 0
    for mask in masks:
        union |= mask
    return union


def _bits(mask: int) -> list[int]:
    return [card for card in range(mask.bit_length()) if mask >> card & 1]
