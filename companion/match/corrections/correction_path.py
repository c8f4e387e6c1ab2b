"""The shortest way back to the record: which piece goes where, one step after another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from rules.core import Item

if TYPE_CHECKING:
    from rules.reading.reading import Fix
    from rules.reading.sighting import Look


def arrows_of(fixes: Iterable[Fix]) -> tuple[tuple[str, str], ...]:
    """Ways for pieces that lie on a wrong site while the same kind is missing elsewhere."""
    fixes = tuple(fixes)
    missing = [
        (glimpse.kind, fix.site) for fix in fixes for glimpse in lacking(fix.wanted, fix.seen)
    ]
    ways = []
    for fix in fixes:
        for glimpse in extra(fix):
            for kind, site in missing:
                if kind == glimpse.kind and site != fix.site:
                    ways.append((fix.site, site))
                    missing.remove((kind, site))
                    break
    return tuple(ways)


def first_step(fixes: tuple[Fix, ...]) -> tuple[Fix, ...]:
    """The one piece to be put right next: a shifted one with the place it came from, if any."""
    ways = arrows_of(fixes)
    if ways:
        return tuple(fix for fix in fixes if fix.site in ways[0])
    return fixes[:1]


def lacking(wanted: Look, seen: Look) -> Look:
    """Items of ``wanted`` that ``seen`` does not hold."""
    return tuple((Counter(wanted) - Counter(seen)).elements())


def extra(fix: Fix) -> Look:
    """Items at a site that should not be there."""
    return lacking(fix.seen, fix.wanted)


def moved(lost: Iterable[Item], gained: Iterable[Item]) -> tuple[tuple[str, str], ...]:
    """Ways of pieces that are gone from one place and have come to another."""
    come, ways = list(gained), []
    for item in lost:
        end = next((other for other in come if other.kind == item.kind), None)
        if end is not None and end.site != item.site:
            come.remove(end)
            ways.append((item.site, end.site))
    return tuple(ways)
