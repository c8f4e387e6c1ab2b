"""Sightings: the camera's beliefs of what lies where, as the rules read them.

``vision`` makes sightings, ``rules.reading.reading`` reads them; the words between them are here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import inf
from typing import NamedTuple, Protocol, TypeAlias

from rules.box import Site
from rules.core import Item
from rules.core.tables import lacking


class Glimpse(NamedTuple):
    """One visible thing: what a camera above can tell of a piece."""

    kind: str
    pose: str = ""


Look = tuple[Glimpse, ...]
"""Everything visible at one site, sorted; empty for a bare site."""

EMPTY: Look = ()

Left: TypeAlias = Mapping[str, tuple[Look, Look]]
"""Per site: what lies there, and what the rules would want there."""

UNRECORDED = -0.3
"""Log likelihood that what lies where supplies may wait is not part of the match."""
IMPLAUSIBLE = 5.0
"""Log odds (natural) against a look, more than against the likeliest, that rule it out."""


HIDDEN = 3.0
"""Log odds against a piece that lies below others of its heap although there is room beside …"""
HIDDEN_IN_ROW = 8.0
"""… and of one in which pieces lie one behind the other."""
ROW = 0.8
"""Least length of such a place, in widths for each piece that has room."""


class Heap(NamedTuple):
    """A place where pieces may lie on each other: at least those that are seen are there."""

    room: int
    """Number that has room side by side."""
    most: int
    """Number that may lie there in all."""
    row: bool = False
    """True if they lie one behind the other."""

    def against(self, seen: Look, look: Look) -> float:
        """Log odds against seeing no more than ``seen`` of all that ``look`` has."""
        if not seen or len(look) > self.most or not within(seen, look):
            return inf
        missing = max(self.shown(len(look)) - len(seen), 0)
        return (HIDDEN_IN_ROW if self.row else HIDDEN) * missing

    def shown(self, number: int) -> int:
        """Number of pieces that show at least of ``number`` that lie as they like."""
        # Whatever has no room beside the others lies on some of them, and hides two at most.
        return number if number <= self.room else max(2 * self.room - number, -(-self.room // 2))


def heap_of(site: Site) -> Heap | None:
    """The heap at a site; None if it is none."""
    if not site.heap:
        return None
    row = site.size is not None and max(site.size) > ROW * site.room * min(site.size)
    return Heap(site.room, site.heap, row)


@dataclass(frozen=True, slots=True)
class SiteBelief:
    """The camera's doubt about one site."""

    looks: Mapping[Look, float]
    """Natural-log likelihood of the picture per look; only the plausible ones are listed."""
    floor: float = -12.0
    """Log likelihood of every look that is not listed."""
    occluded: bool = False
    """Something is in the way; nothing may be concluded about this site."""
    unread: bool = False
    """Something lies here that may be one more piece, of whichever kind."""
    heap: Heap | None = None
    """If it is a heap: more may lie there than its looks show."""
    at: tuple[tuple[float, float], ...] = field(default=(), compare=False)
    """Place of each thing of the best look in a tray, mm; empty if that is not known."""

    def score(self, look: Look) -> float:
        """Log likelihood of the picture if ``look`` lay here; 0 for every look if occluded."""
        if self.occluded:
            return 0.0
        if look in self.looks or self.heap is None:
            return self.looks.get(look, self.floor)
        likely = (score - self.heap.against(seen, look) for seen, score in self.looks.items())
        return max(self.floor, *likely) if self.looks else self.floor

    @property
    def best(self) -> Look:
        """The likeliest look."""
        return max(self.looks, key=self.looks.__getitem__, default=EMPTY)

    @property
    def plausible(self) -> list[Look]:
        """The looks that the picture does not rule out."""
        most = max(self.looks.values(), default=0.0)
        return [look for look, score in self.looks.items() if most - score < IMPLAUSIBLE]


@dataclass(frozen=True, slots=True)
class Stray:
    """A piece seen where no site is, or one that no site there takes."""

    kind: str
    at_mm: tuple[float, float]


class Sighting(Protocol):
    """One still look at the table."""

    @property
    def sites(self) -> Mapping[str, SiteBelief]:
        """Belief per site; sites that are missing were not looked at."""

    @property
    def hand(self) -> bool:
        """Something that is not a piece is over the board: nothing may be concluded."""

    @property
    def strays(self) -> Sequence[Stray]:
        """Pieces beside every site."""


def looks(layout: Mapping[Item, int]) -> dict[str, Look]:
    """Looks of ``layout`` for a camera, per site that shows anything."""
    found: dict[str, Look] = {}
    # Taken apart at once, for this is called for every position that is looked at.
    for (site, kind, _, _, pose, _, seen), count in layout.items():
        if seen:
            look = _one(kind, pose)
            if count != 1:
                look *= count
            before = found.get(site)
            found[site] = look if before is None else tuple(sorted(before + look))
    return found


@lru_cache(maxsize=4096)
def _one(kind: str, pose: str) -> Look:
    return (Glimpse(kind, pose),)


def within(part: Look, whole: Look) -> bool:
    """True if all of one look is in another."""
    return not lacking(part, whole)


def look_text(look: Look) -> str:
    """A look as one line, for logs and the ``table`` of ``heelstone watch``."""
    return " + ".join(f"{kind} {pose}" if pose else kind for kind, pose in look)
