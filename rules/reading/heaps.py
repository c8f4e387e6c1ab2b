"""Heaps over time: what a look does not show of one, although it lies there, stays below the rest.

One look tells only that at least so many pieces are there. While the table lies as the record has
it, what is missing of it is known to lie out of sight; one piece more that shows is then one more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from rules.reading.sighting import EMPTY, Look, SiteBelief

CAME_TO_LIGHT = 1.0
"""Log odds against a piece that lay below others and shows now, although nobody took any away."""


class HeapMemory:
    """Pieces out of sight in heaps, from look to look."""

    def __init__(self) -> None:
        self._below: dict[str, Look] = {}

    def agree(self, sites: Mapping[str, SiteBelief], wanted: Mapping[str, Look]) -> None:
        """The table lies as ``wanted``: what does not show although it had room lies below. In a
        row, and in a bare place, nothing does: it was taken up."""
        for site, belief in sites.items():
            if belief.heap is None or belief.heap.row or belief.occluded:
                continue
            whole = wanted.get(site, EMPTY)
            number = belief.heap.shown(len(whole)) - len(belief.best)
            below = (Counter(whole) - Counter(belief.best)).elements()
            self._below[site] = tuple(sorted(below)[: max(number, 0)]) if belief.best else EMPTY

    def completed(self, sites: Mapping[str, SiteBelief]) -> Mapping[str, SiteBelief]:
        """The beliefs of a look with what is known to lie out of sight."""
        found = {
            site: _with(sites[site], below)
            for site, below in self._below.items()
            if below and site in sites and not sites[site].occluded
        }
        return {**sites, **found} if found else sites


def _with(belief: SiteBelief, below: Look) -> SiteBelief:
    """``belief``, if the pieces ``below`` others lie there still; a bare place hides nothing."""
    likely = {look: score - CAME_TO_LIGHT * bool(look) for look, score in belief.looks.items()}
    for look, score in belief.looks.items():
        if look:
            whole = tuple(sorted(look + below))
            likely[whole] = max(score, likely.get(whole, score))
    return replace(belief, looks=likely)
