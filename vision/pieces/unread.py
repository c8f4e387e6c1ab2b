"""Things among the pieces of a roomy site that may be pieces whose stickers cannot be read.

A card that was pushed halfway below a pile shows half a sticker. It is no hand, for it stays; but
to take what was read for everything is to believe in a turn that was never played.
"""

from __future__ import annotations

from collections.abc import Iterable

from rules.box import Box
from vision.board.blobs import Blob, overlap
from vision.board.masks import Masks

MOST_AT_SITE = 0.5
"""Share of a thing that must lie at the site that it may be a piece of."""
LEAST_SHOWN = 0.2
"""Share of a piece below which a thing is rather a misjudged rim of another."""
LARGEST = 1.3
"""Most of the board that a piece hides, in multiples of the largest piece."""


def unread(box: Box, masks: Masks, things: Iterable[Blob]) -> frozenset[str]:
    """The sites with room for several where one of the ``things`` may be a piece."""
    found = set()
    for thing in things:
        for site in box.sites.values():
            if site.room < 2 or box.keeps_supplies(site) or site.id not in masks.sites:
                continue
            share = overlap(thing.spots, masks.sites[site.id])
            sizes = [kind.size[0] * kind.size[1] for kind in box.kinds_at(site.id) if kind.stickers]
            if not sizes or share < MOST_AT_SITE:
                continue
            if LEAST_SHOWN * min(sizes) < thing.area_mm2 < LARGEST * max(sizes):
                found.add(site.id)
                break
    return frozenset(found)
