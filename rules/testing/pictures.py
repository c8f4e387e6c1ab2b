"""Sightings drawn from layouts instead of photographs: for tests, benchmarks and what-ifs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from rules.box import Box, below, looked_at, with_cells
from rules.core import Layout
from rules.reading.sighting import (
    EMPTY,
    UNRECORDED,
    Glimpse,
    Look,
    SiteBelief,
    Stray,
    heap_of,
    looks,
)

CLEAR = -9.0
"""Log likelihood that a clearly read sticker was not there."""


@dataclass(frozen=True, slots=True)
class Noise:
    """Rates of misread stickers. A bad reader also doubts what it reads."""

    misread: float = 0.02
    """Share of pieces taken for another kind."""
    missing: float = 0.02
    """Share of pieces whose sticker is not read."""


@dataclass(frozen=True)
class DrawnSighting:
    """A sighting of exactly what was asked for; follows ``rules.reading.sighting.Sighting``."""

    sites: Mapping[str, SiteBelief]
    hand: bool = False
    strays: Sequence[Stray] = ()


def draw(
    box: Box, layout: Layout, noise: Noise | None = None, random: Random | None = None
) -> DrawnSighting:
    """A camera's sighting of ``layout``; without noise it sees everything clearly."""
    wanted = looks(layout)
    # Of a lattice a camera looks at what lies there and around it.
    box = with_cells(box, looked_at(box, below(box, layout)))
    sites: dict[str, SiteBelief] = {}
    for site in box.sites:
        look = wanted.get(site, EMPTY)
        if heap := heap_of(box.sites[site]):
            look = look[: heap.room]
        belief = clear(look)
        if noise is not None and random is not None and look:
            belief = _disturbed(box, site, look, noise, random) or belief
        if belief.best and box.keeps_supplies(box.sites[site]):
            # As the eye says it, for few games say what lies there.
            doubt = belief.score(belief.best) + UNRECORDED
            belief = replace(belief, looks={**belief.looks, EMPTY: doubt})
        sites[site] = replace(belief, heap=heap)
    return DrawnSighting(sites)


def clear(*equal: Look) -> SiteBelief:
    """The belief about a site that is seen clearly; ``equal``: looks that cannot be told apart."""
    return SiteBelief({**dict.fromkeys(equal, 0.0), **({EMPTY: CLEAR} if all(equal) else {})})


def _disturbed(box: Box, site: str, look: Look, noise: Noise, random: Random) -> SiteBelief | None:
    """The belief after one piece of ``look`` was read badly; None if all went well."""
    for place, glimpse in enumerate(look):
        luck = random.random()
        rest = look[:place] + look[place + 1 :]
        if luck < noise.missing:
            # Something lies there that cannot be read: bare ground looks different.
            return SiteBelief({rest: -0.7, look: -1.2}, floor=-5.0)
        if luck < noise.missing + noise.misread:
            kinds = [kind.id for kind in box.kinds_at(site) if kind.id != glimpse.kind]
            if kinds:
                other = Glimpse(random.choice(kinds), glimpse.pose)
                return SiteBelief({tuple(sorted((*rest, other))): -0.4, look: -1.6}, floor=-5.0)
    return None
