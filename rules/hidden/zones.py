"""Zones: the places of hidden things, as far as the table knows.

Rules never ask what a hidden card *is* except where it is played or revealed. A ``Zones`` object
knows, for every zone (hand, draw pile, face-down field), which things are known to lie there and
how many unknown ones; unknown things belong to *pools*, multisets whose members lie somewhere
among the zones that share the pool. A digital match names every thing that is moved; a physical
one moves unknown things and binds them when the table shows them. The same code serves both.

Everything here is sound: what really happened on a table is never called impossible. Where
exact bookkeeping would need case distinctions (one kind in two pools of a hand) pools are merged,
which forgets a little and never claims too much.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any, Self

from rules.core import GameError, Json, StateError

_NOTHING: Mapping[str, int] = {}

UNSEEN = "?"
"""The argument that stands for a secret thing."""


class HiddenError(GameError):
    """A thing was taken from where it cannot be."""


class Certainty(Enum):
    """The certainty that a thing is in a zone."""

    SURE = "sure"
    POSSIBLE = "possible"
    IMPOSSIBLE = "impossible"


class Zones:
    """The hidden things of a match and their zones, as far as the table knows.

    A zone holds ``known`` things (a multiset), ``unknown`` ones (a number per pool), and where
    order matters a known ``top`` (last element uppermost), which is not contained in ``known``.
    Zones come into being when used.
    """

    __slots__ = ("_known", "_next_pool", "_pools", "_shared", "_top", "_unknown")

    def __init__(self) -> None:
        self._known: dict[str, Counter[str]] = {}
        self._unknown: dict[str, dict[int, int]] = {}
        self._top: dict[str, list[str]] = {}
        self._pools: dict[int, Counter[str]] = {}
        self._next_pool = 0
        self._shared = False
        """True while a copy may have the same tables: whoever changes them makes its own before."""

    # -- reading --------------------------------------------------------------------------

    def size(self, zone: str) -> int:
        """Number of things in ``zone``."""
        number = len(self._top.get(zone, ()))
        if known := self._known.get(zone):
            number += sum(known.values())
        if unknown := self._unknown.get(zone):
            number += sum(unknown.values())
        return number

    def known(self, zone: str) -> Counter[str]:
        """The things known to lie in ``zone``, the top included; a fresh counter."""
        found = Counter(self._known.get(zone, {}))
        found.update(self._top.get(zone, ()))
        return +found

    def top(self, zone: str) -> str | None:
        """The top thing, None if it is not known."""
        pile = self._top.get(zone)
        return pile[-1] if pile else None

    def unknown(self, zone: str) -> int:
        """Number of unknown things in ``zone``."""
        return sum(self._unknown.get(zone, {}).values())

    def unseen(self, zone: str) -> Counter[str]:
        """The things that the unknown ones in ``zone`` may be; at least those that they are."""
        pools = self._unknown.get(zone)
        if not pools:
            return Counter()
        if len(pools) == 1:
            (pool,) = pools
            return +self._pools[pool]
        found: Counter[str] = Counter()
        for pool in pools:
            found += self._pools[pool]
        return found

    def certainty(self, zone: str, kind: str) -> Certainty:
        """The certainty that ``kind`` is in ``zone``."""
        if self._known.get(zone, _NOTHING).get(kind, 0) > 0 or kind in self._top.get(zone, ()):
            return Certainty.SURE
        found = Certainty.IMPOSSIBLE
        for pool, number in self._unknown.get(zone, {}).items():
            counts = self._pools[pool]
            if (of_kind := counts.get(kind, 0)) > 0:
                if sum(counts.values()) in (number, of_kind):
                    return Certainty.SURE
                found = Certainty.POSSIBLE
        return found

    def may_hold(self, zone: str, kinds: Iterable[str]) -> bool:
        """True if all of ``kinds`` may lie in ``zone`` at once."""
        unknown = self._unknown.get(zone, {})
        if len(unknown) > 1:
            rest = self.clone()
            try:
                for kind in kinds:
                    rest.discard(zone, kind)
            except HiddenError:
                return False
            return True
        known, top = self._known.get(zone, _NOTHING), self._top.get(zone, ())
        counts = self._pools[next(iter(unknown))] if unknown else _NOTHING
        left = sum(unknown.values())
        for kind, number in Counter(kinds).items():
            missing = number - known.get(kind, 0) - top.count(kind)
            if missing > 0:
                left -= missing
                if left < 0 or counts.get(kind, 0) < missing:
                    return False
        return True

    def shares(self, zone: str) -> list[tuple[Counter[str], int]]:
        """The origins of the things in ``zone``: what may be there, and how many of it.

        The known ones first; then, for every pool with unknown things here, what it still holds.
        """
        known = self.known(zone)
        found = [(known, sum(known.values()))] if known else []
        unknown = self._unknown.get(zone, {})
        return found + [(+self._pools[pool], unknown[pool]) for pool in sorted(unknown)]

    def playable(self, zone: str) -> list[str]:
        """The kinds that may be in ``zone``, known or possible, sorted."""
        pools = [self._pools[pool] for pool in self._unknown.get(zone, ())]
        counts = [self._known.get(zone, _NOTHING), *pools]
        found = {kind for each in counts for kind, number in each.items() if number > 0}
        return sorted(found.union(self._top.get(zone, ())))

    def draws(self, zone: str) -> Counter[str]:
        """Things that may be drawn from the top of ``zone`` next, with their weights."""
        top = self.top(zone)
        if top is not None:
            return Counter({top: 1})
        if not (known := self._known.get(zone)):
            return self.unseen(zone)
        found = Counter(known)
        found += self.unseen(zone)
        return +found

    def whereabouts(self, kind: str) -> dict[str, int]:
        """The zones known to hold ``kind`` and how many of it, for explaining a refusal."""
        places = {zone: self.known(zone)[kind] for zone in self._all_zones()}
        return {zone: count for zone, count in places.items() if count}

    # -- putting things in ----------------------------------------------------------------

    def put(self, zone: str, kinds: Mapping[str, int] | Iterable[str]) -> None:
        """Lay things openly into ``zone``."""
        self._own()
        self._known.setdefault(zone, Counter()).update(Counter(kinds))

    def fill(self, zone: str, kinds: Mapping[str, int] | Iterable[str]) -> None:
        """Lay things into ``zone`` shuffled: what they are is known, but not which is which."""
        self._own()
        counts = +Counter(kinds)
        if counts:
            pool = self._new_pool(counts)
            self._unknown.setdefault(zone, {})[pool] = sum(counts.values())

    # -- moving ---------------------------------------------------------------------------

    def draw(self, source: str, target: str, kind: str | None) -> None:
        """Move the top thing of ``source`` to ``target``; ``kind`` None: it was not seen."""
        self._own()
        top = self.top(source)
        if top is not None:
            if kind is not None and kind != top:
                raise HiddenError("other_on_top", zone=source, top=top, found=kind)
            self._top[source].pop()
            self._known.setdefault(target, Counter())[top] += 1
            return
        self.move(source, target, kind)

    def move(self, source: str, target: str, kind: str | None) -> None:
        """Move one thing, order aside; ``kind`` None: an unknown one. Raises HiddenError."""
        self._own()
        if kind is not None:
            self._take(source, kind)
            self._known.setdefault(target, Counter())[kind] += 1
            return
        if self.size(source) == 0:
            raise HiddenError("zone_empty", zone=source)
        if self._known.get(source) and sum(self._known[source].values()):
            # A thing taken unseen may be one of the known ones; that cannot be told any more.
            self._forget_into_pool(source)
        self.move_unknown(source, target)

    def move_unknown(self, source: str, target: str) -> None:
        """Move one thing that is none of the known ones; raises HiddenError."""
        self._own()
        pools = self._unknown.get(source)
        if not pools:
            raise HiddenError("zone_empty", zone=source)
        pool = self._merge(pools) if len(pools) > 1 else next(iter(pools))
        pools[pool] -= 1
        if not pools[pool]:
            del pools[pool]
        there = self._unknown.setdefault(target, {})
        there[pool] = there.get(pool, 0) + 1

    def place_on_top(self, source: str, target: str, kind: str) -> None:
        """Move ``kind`` openly onto the pile ``target``."""
        self._own()
        self._take(source, kind)
        self._top.setdefault(target, []).append(kind)

    def discard(self, zone: str, kind: str) -> None:
        """Take ``kind`` out of the match."""
        self._own()
        self._take(zone, kind)

    def reveal(self, zone: str, kind: str) -> None:
        """The table shows that one unknown thing in ``zone`` is ``kind``; raises HiddenError."""
        self._own()
        if self._known.get(zone, Counter())[kind] > 0 and not self.unknown(zone):
            return
        self._bind(zone, kind)
        self._known.setdefault(zone, Counter())[kind] += 1

    def shuffle(self, sources: Iterable[str], target: str) -> None:
        """Shuffle everything of ``sources`` (and what is left in ``target``) into ``target``."""
        self._own()
        zones = [target, *(zone for zone in sources if zone != target)]
        counts: Counter[str] = Counter()
        pools: dict[int, int] = {}
        for zone in zones:
            counts += self.known(zone)
            for pool, number in self._unknown.get(zone, {}).items():
                pools[pool] = pools.get(pool, 0) + number
            for table in (self._known, self._unknown, self._top):
                table.pop(zone, None)
        if counts:
            pool = self._new_pool(counts)
            pools[pool] = sum(counts.values())
        if pools:
            self._unknown[target] = pools
            if len(pools) > 1:
                self._merge(pools)

    def forget_pools(self) -> None:
        """Any of the unknown things may lie wherever one lies: it is not certain any more which
        were put together."""
        self._own()
        if len(self._pools) > 1:
            self._merge(dict.fromkeys(self._pools, 0))

    # -- copying and storing --------------------------------------------------------------

    def clone(self) -> Self:
        """An independent copy."""
        other = type(self).__new__(type(self))
        other._known, other._unknown = self._known, self._unknown
        other._top, other._pools, other._next_pool = self._top, self._pools, self._next_pool
        # Most copies are only asked, or forgotten before they are changed.
        other._shared = self._shared = True
        return other

    def to_json(self) -> Json:
        """The zones, as plain JSON data in a canonical order."""
        pools = sorted(pool for pool in self._pools if any(self._pools[pool].values()))
        number = {pool: place for place, pool in enumerate(pools)}
        zones: dict[str, Any] = {}
        for zone in sorted(self._all_zones()):
            if not self.size(zone):
                continue
            entry: dict[str, Any] = {}
            if known := +self._known.get(zone, Counter()):
                entry["known"] = dict(sorted(known.items()))
            if unknown := self._unknown.get(zone):
                entry["unknown"] = {str(number[p]): unknown[p] for p in sorted(unknown)}
            if top := self._top.get(zone):
                entry["top"] = list(top)
            zones[zone] = entry
        return {"zones": zones, "pools": [dict(sorted((+self._pools[p]).items())) for p in pools]}

    @classmethod
    def from_json(cls, data: Json) -> Self:
        """Read ``to_json()`` back; raises StateError."""
        new = cls()
        try:
            for number, counts in enumerate(data["pools"]):
                new._pools[number] = Counter({str(k): int(n) for k, n in counts.items()})
            new._next_pool = len(new._pools)
            for zone, entry in data["zones"].items():
                if "known" in entry:
                    new._known[zone] = Counter({k: int(n) for k, n in entry["known"].items()})
                if "unknown" in entry:
                    new._unknown[zone] = {int(p): int(n) for p, n in entry["unknown"].items()}
                if "top" in entry:
                    new._top[zone] = list(entry["top"])
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise StateError("zones_unreadable", reason=error) from error
        if problems := new.invariants():
            raise StateError("zones_unsound", detail="; ".join(problems))
        return new

    def invariants(self) -> list[str]:
        """Sums that do not add up; empty if all is sound."""
        problems = []
        totals: Counter[int] = Counter()
        for unknown in self._unknown.values():
            totals.update(unknown)
        for pool, counts in self._pools.items():
            if min(counts.values(), default=0) < 0:
                problems.append(f"pool {pool} holds a negative count")
            if totals[pool] != sum(counts.values()):
                problems.append(
                    f"pool {pool} has {sum(counts.values())} things in {totals[pool]} places"
                )
        for pool in totals:
            if totals[pool] and pool not in self._pools:
                problems.append(f"pool {pool} does not exist")
        for zone, counts in self._known.items():
            if min(counts.values(), default=0) < 0:
                problems.append(f"zone {zone} holds a negative count")
        return problems

    def count_all(self) -> Counter[str]:
        """Every thing in every zone, for conservation checks."""
        found: Counter[str] = Counter()
        for zone in self._all_zones():
            found += self.known(zone)
        for counts in self._pools.values():
            found += counts
        return found

    # -- private --------------------------------------------------------------------------

    def _own(self) -> None:
        """Make tables of one's own before they are changed."""
        if self._shared:
            self._known = {zone: _copy(c) for zone, c in self._known.items()}
            self._unknown = {zone: dict(p) for zone, p in self._unknown.items()}
            self._top = {zone: list(p) for zone, p in self._top.items()}
            self._pools = {pool: _copy(c) for pool, c in self._pools.items()}
            self._shared = False

    def _all_zones(self) -> set[str]:
        return {*self._known, *self._unknown, *self._top}

    def _new_pool(self, counts: Counter[str]) -> int:
        pool = self._next_pool
        self._next_pool += 1
        self._pools[pool] = counts
        return pool

    def _take(self, zone: str, kind: str) -> None:
        known = self._known.get(zone)
        if known and known[kind] > 0:
            known[kind] -= 1
            return
        if any(self._pools[pool].get(kind, 0) > 0 for pool in self._unknown.get(zone, ())):
            self._bind(zone, kind)
            return
        top = self._top.get(zone, [])
        if kind in top:
            top.remove(kind)
            return
        raise HiddenError("cannot_hold", zone=zone, kind=kind)

    def _bind(self, zone: str, kind: str) -> None:
        pools = self._unknown.get(zone, {})
        fitting = [pool for pool in pools if self._pools[pool][kind] > 0]
        if not fitting:
            raise HiddenError("cannot_hold", zone=zone, kind=kind)
        pool = fitting[0]
        if len(fitting) > 1:
            pool = self._merge(dict.fromkeys(fitting, 0))
            pools = self._unknown[zone]
        self._pools[pool][kind] -= 1
        pools[pool] -= 1
        if not pools[pool]:
            del pools[pool]

    def _merge(self, pools: Mapping[int, int]) -> int:
        # The oldest pool stays, so that a stored match goes on like the one it was taken from.
        keep, *others = sorted(pools)
        for other in others:
            self._pools[keep] += self._pools.pop(other)
            for unknown in self._unknown.values():
                if other in unknown:
                    unknown[keep] = unknown.get(keep, 0) + unknown.pop(other)
        return keep

    def _forget_into_pool(self, zone: str) -> None:
        known = +self._known.pop(zone)
        self._unknown.setdefault(zone, {})[self._new_pool(known)] = sum(known.values())


def _copy(counter: Counter[str]) -> Counter[str]:
    """The same as ``Counter(counter)``, which takes several times as long."""
    copy: Counter[str] = Counter.__new__(Counter)
    dict.update(copy, counter)
    return copy
