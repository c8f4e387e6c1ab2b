"""Pieces that were read once and have lain below or behind others since.

A card laid over another's sticker does not take that card away, nor does the capstone take away the
pillars that it is laid on. As long as something hides the place, the piece may be there still, and
cannot be seen.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

import cv2

from rules.box import Box, Site
from vision.arrays import floats
from vision.board.pose import BoardPose
from vision.pieces.sighting import PILE_STEP_MM, SeenPiece

COVERED_SHARE = 0.05
"""Share of a sticker that must be covered to make it unreadable."""
SAME_MM = 30.0
"""A piece of a kind that lies this near to where one was is that one, shifted."""
STILL_MM = 6.0
"""A piece that was already this near to its place has covered nothing since."""
MISSED = 2
"""For this many looks a piece that vanished may still turn out to lie below another, which was not
read at once."""


class Beneath:
    """The pieces below others at the sites where there is room for several.

    Where players keep their supplies, without a record of them, only cards are remembered.
    """

    def __init__(self, box: Box) -> None:
        self._cards = {kind.id for kind in box.kinds.values() if kind.shape == "card"}
        self._roomy = {site.id for site in box.sites.values() if _counts(box, site)}
        self._for_cards = {site.id for site in box.sites.values() if site.room > 1}
        self._expected: Mapping[str, Sequence[str]] | None = None
        self.forget()

    def forget(self) -> None:
        """Nothing is known of what lay there before."""
        self.pieces: tuple[SeenPiece, ...] = ()
        """Pieces that may lie below others, as last seen."""
        self._lay: list[tuple[SeenPiece, int]] = []
        """Pieces that were seen where it matters, and the number of looks since."""
        self._before: tuple[Sequence[SeenPiece], ...] = ()
        """All pieces of the last looks."""

    def expect(self, layout: Mapping[str, Sequence[str]]) -> None:
        """Take the layout of the record: kinds by site.

        What it has nowhere was taken away, though something else lies there now. A card that was
        covered before it was recorded may be there until the record says something else; what is
        no card moves about, and is nowhere below others unless the record has it there.
        """
        if layout != self._expected:
            self._expected = layout
            self.pieces = _lacking(self.pieces, layout, self._before[-1] if self._before else ())

    def look(self, seen: Sequence[SeenPiece], pose: BoardPose) -> None:
        """These pieces are seen now, and no hand is over the board."""
        here = [piece for piece in seen if self._remembered(piece)]
        hidden = [piece for piece, found in _paired(self.pieces, here) if found is None]
        lay = [(piece, 0) for piece in here]
        vanished = []
        pairs = _paired([piece for piece, _ in self._lay], here)
        for (piece, found), (_, missed) in zip(pairs, self._lay, strict=True):
            if found is None:
                vanished.append(piece)
                if missed < MISSED:
                    lay.append((piece, missed + 1))
        below = [piece for piece in hidden if _is_hidden(piece, seen, pose)]
        if vanished:
            laid = [piece for piece in seen if not self._lay_there(piece)]
            below += [piece for piece in vanished if _is_hidden(piece, laid, pose)]
        if self._expected is not None:
            others = [piece for piece in below if piece.kind not in self._cards]
            lacking = _lacking(others, self._expected, seen)
            below = [p for p in below if p.kind in self._cards or p in lacking]
        self.pieces = tuple(below)
        self._lay = [(piece, n) for piece, n in lay if all(piece is not one for one in below)]
        self._before = (*self._before[-MISSED:], seen)

    def _lay_there(self, piece: SeenPiece) -> bool:
        """True if a piece was there before, and has hidden nothing since."""
        return any(
            piece.sticker == one.sticker and math.dist(piece.at_mm, one.at_mm) < STILL_MM
            for look in self._before
            for one in look
        )

    def _remembered(self, piece: SeenPiece) -> bool:
        return piece.site in (self._for_cards if piece.kind in self._cards else self._roomy)


def _counts(box: Box, site: Site) -> bool:
    """True if it matters what lies below others at a site."""
    return site.room > 1 and not box.keeps_supplies(site)


def _lacking(
    pieces: Sequence[SeenPiece], layout: Mapping[str, Sequence[str]], seen: Sequence[SeenPiece]
) -> tuple[SeenPiece, ...]:
    """The ``pieces`` that ``layout`` wants, kinds by site, besides those that are ``seen``."""
    room = Counter((site, kind) for site, kinds in layout.items() for kind in kinds)
    room.subtract((piece.site, piece.kind) for piece in seen if piece.site is not None)
    kept = []
    for piece in pieces:
        if piece.site is not None and room[piece.site, piece.kind] > 0:
            room[piece.site, piece.kind] -= 1
            kept.append(piece)
    return tuple(kept)


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


def _is_hidden(lower: SeenPiece, others: Sequence[SeenPiece], pose: BoardPose) -> bool:
    """True if others hide some of a piece's sticker."""
    # The sticker's place on the board, projected like everything that others hide of it.
    sticker = floats(pose.hidden(lower.corners_mm, lower.height_mm))
    least = COVERED_SHARE * float(cv2.contourArea(sticker))
    for other in others:
        # A piece lower than the sticker is behind it.
        if other.height_mm > lower.height_mm - PILE_STEP_MM:
            body = cv2.convexHull(floats(other.body_mm))
            if cv2.intersectConvexConvex(body, sticker)[0] > least:
                return True
    return False
