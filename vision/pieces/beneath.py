"""Cards that were read once and have lain below others since.

A card laid over another's sticker does not take that card away. As long as something covers the
place, the card may lie below it, and nobody can see whether it does.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2

from rules.box import Box
from vision.arrays import floats
from vision.pieces.sighting import SeenPiece

__all__ = ["Beneath"]

COVERED_SHARE = 0.05
"""How much of a sticker must be covered to be unreadable."""
SAME_MM = 30.0
"""A card of a kind that lies this near to where one was is that one, shifted."""
STILL_MM = 6.0
"""A card that was already this near to its place has covered nothing since."""
MISSED = 2
"""For this many looks a card that vanished may still turn out to lie below another, which was not
read at once."""


class Beneath:
    """What lies below other cards at the sites where there is room for several."""

    def __init__(self, box: Box) -> None:
        self._cards = {kind.id for kind in box.kinds.values() if kind.shape == "card"}
        self._roomy = {site.id for site in box.sites.values() if site.room > 1}
        self.forget()

    def forget(self) -> None:
        """Nothing is known of what lay there before."""
        self.pieces: tuple[SeenPiece, ...] = ()
        """Cards that may lie below others, as last seen."""
        self._lay: list[tuple[SeenPiece, int]] = []
        """Cards that were seen, and the number of looks since."""

    def look(self, seen: Sequence[SeenPiece]) -> None:
        """These pieces are seen now, and no hand is over the board."""
        now = [piece for piece in seen if piece.kind in self._cards]
        vanished = [piece for piece, found in _paired(self.pieces, now) if found is None]
        laid, lay = list(now), [(piece, 0) for piece in now]
        pairs = _paired([piece for piece, _ in self._lay], now)
        for (piece, found), (_, missed) in zip(pairs, self._lay, strict=True):
            if found is None:
                vanished.append(piece)
                if missed < MISSED:
                    lay.append((piece, missed + 1))
            elif math.dist(piece.at_mm, found.at_mm) < STILL_MM:
                laid = [other for other in laid if other is not found]
        covering = [*laid, *(piece for piece in now if any(_covers(piece, p) for p in self.pieces))]
        below = [
            piece
            for piece in vanished
            if piece.site in self._roomy and any(_covers(other, piece) for other in covering)
        ]
        self.pieces = tuple(below)
        self._lay = [(piece, n) for piece, n in lay if all(piece is not one for one in below)]


def _paired(
    old: Sequence[SeenPiece], new: Sequence[SeenPiece]
) -> list[tuple[SeenPiece, SeenPiece | None]]:
    """Each old piece with the new one that is the same; the nearest pairs first."""
    near = sorted(
        (math.dist(one.at_mm, other.at_mm), m, n)
        for m, one in enumerate(old)
        for n, other in enumerate(new)
        if one.sticker == other.sticker
    )
    found: dict[int, int] = {}
    for away, m, n in near:
        if away < SAME_MM and m not in found and n not in found.values():
            found[m] = n
    return [(piece, new[found[m]] if m in found else None) for m, piece in enumerate(old)]


def _covers(upper: SeenPiece, lower: SeenPiece) -> bool:
    """Whether a piece hides some of another's sticker."""
    sticker = floats(lower.corners_mm)
    area, _ = cv2.intersectConvexConvex(cv2.convexHull(floats(upper.body_mm)), sticker)
    return float(area) > COVERED_SHARE * float(cv2.contourArea(sticker))
