"""Cards that a seat cannot see: which they are, and among which places they are spread."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from rules.core import Json

__all__ = ["Heap", "Unseen"]


@dataclass(frozen=True, slots=True)
class Heap:
    """Cards of which nobody can tell which lies where: what was shuffled together once."""

    cards: tuple[int, ...]
    places: tuple[tuple[str, int], ...]
    """Where they lie, and how many there; together as many as ``cards``."""


@dataclass(frozen=True, slots=True)
class Unseen:
    """All cards that lie hidden somewhere."""

    heaps: tuple[Heap, ...]
    known: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Cards that are known to lie at a place, such as those taken openly into a hand."""

    @classmethod
    def one_heap(cls, cards: Iterable[int], places: Iterable[tuple[str, int]]) -> Unseen:
        """Nothing is known but how many lie where."""
        return cls((Heap(tuple(sorted(cards)), tuple(places)),))

    @classmethod
    def of_zones(cls, zones: Json, number: Mapping[str, int]) -> Unseen:
        """What ``rules.hidden.Zones`` of a physical match know; ``number`` of each card's name."""
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
        """Whether as many cards lie everywhere as ``sizes`` says."""
        found: dict[str, int] = {place: len(cards) for place, cards in self.known.items()}
        for heap in self.heaps:
            if sum(count for _, count in heap.places) != len(heap.cards):
                return False
            for place, count in heap.places:
                found[place] = found.get(place, 0) + count
        return _counted(found) == _counted(sizes)


def _counted(sizes: Mapping[str, int]) -> Sequence[tuple[str, int]]:
    return tuple(sorted((place, size) for place, size in sizes.items() if size))
