"""Blobs: connected parts of the board that look foreign, and what their shapes tell."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from rules.box import Point
from vision.arrays import Bools, Mask, Points, floats
from vision.board.flattening import MM_PER_PX
from vision.board.masks import RIM_MM, Masks

FINGER_MM = 10.0
"""No finger is thinner; strips of light along a rim are, and what holds corner stickers. The first
joint is 1.6 times as long as wide: what hides less is a speck, a crumb or imprecision."""
PENCIL_MM = 2.5
"""No pencil is thinner, nor a needle to point with."""
PIECE_LIMIT_MM = 80.0
"""No single piece, leaning away from the camera, hides more of the board than this."""
MORE = 0.5
"""Share that is more of a thing than not."""
MOST = 0.8
"""A thing is where this share of it is."""


@dataclass(frozen=True)
class Blob:
    """A connected part of the board that looks foreign."""

    area_mm2: float
    mm: Points
    """Its pixels on the board, n × 2 mm."""
    spots: npt.NDArray[np.intp]
    """Flat indices of its pixels on the flattened board."""
    sure: bool = False
    """True if it is no part of the table, however still it lies for a moment."""

    @cached_property
    def box_mm(self) -> tuple[Points, Points]:
        """Lowest and highest x and y, mm."""
        # Column by column: numpy takes several times as long along the longer axis of both.
        x, y = self.mm.T
        return np.array([x.min(), y.min()]), np.array([x.max(), y.max()])

    def part(self, which: Bools) -> Blob:
        """The blob without its pixels that are not ``which`` (n,)."""
        return replace(self, mm=self.mm[which], spots=self.spots[which])

    @property
    def large(self) -> bool:
        """True if no single piece hides so much."""
        low, high = self.box_mm
        return float((high - low).max()) > PIECE_LIMIT_MM


def over(sites: Collection[str], masks: Masks) -> Blob:
    """The thing in the board's own colour that hides the drawing of some ``sites``."""
    spots = np.unique(np.concatenate([masks.surroundings[site] for site in sites]))
    return Blob(len(spots) * MM_PER_PX**2, masks.mm.reshape(-1, 2)[spots], spots)


def overlap(spots: npt.NDArray[np.intp], others: npt.NDArray[np.intp]) -> float:
    """Share of ``spots`` that are among ``others``."""
    return float(np.isin(spots, others).mean()) if len(spots) and len(others) else 0.0


def lies_on(blob: Blob, things: Sequence[Blob]) -> bool:
    """True if a blob is one of the ``things``, which has not moved. Small ones are told apart in
    one look and not in another; but a large one that moves is a hand, also if it draws back over
    what it covered."""
    if not blob.large:
        return overlap(blob.spots, spots_of(things)) > MOST
    return any(
        min(overlap(blob.spots, one.spots), overlap(one.spots, blob.spots)) > MOST for one in things
    )


def spots_of(blobs: Iterable[Blob]) -> npt.NDArray[np.intp]:
    """Flat indices of all pixels of some blobs."""
    every = [blob.spots for blob in blobs]
    return np.concatenate(every) if every else np.empty(0, dtype=np.intp)


def within(things: Sequence[Blob], places: Mapping[str, Point]) -> set[str]:
    """The ``places`` (mm) that are between the parts of something large: the light is
    fitted in spite of it, and where it covers much, parts of it may look like board."""
    if not any(thing.large for thing in things):
        return set()
    hull = cv2.convexHull(floats(np.concatenate([thing.mm for thing in things])))
    return {s for s, at in places.items() if cv2.pointPolygonTest(hull, at, False) >= 0}


def reaches_in(blob: Blob, masks: Masks, beyond: Bools | bool = False) -> bool:
    """True if a blob goes on beyond the rim. ``beyond``: flat, where the table may show."""
    return _touches(blob, masks, masks.rim | beyond)


def reaches_far(blob: Blob, masks: Masks) -> bool:
    """True if a blob goes farther into the board than along its rim, as what reaches in does."""
    along = np.count_nonzero(masks.rim[blob.spots]) * MM_PER_PX**2 / RIM_MM
    return bool(0 < along < masks.inwards[blob.spots].max())


def as_thick_as_a_finger(blob: Blob, masks: Masks) -> bool:
    """True if a disc as wide as a finger fits into a blob."""
    return holds_disc(blob, masks, FINGER_MM)


def holds_disc(blob: Blob, masks: Masks, wide_mm: float) -> bool:
    """True if a disc of this width fits into a blob."""
    inside: Mask = np.zeros(masks.size[::-1], dtype=np.uint8)
    inside.ravel()[blob.spots] = 1
    side = round(wide_mm / MM_PER_PX)
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    return bool(np.asarray(cv2.erode(inside, disc)).any())


def long_side(mm: Points) -> float:
    """Length of the rectangle around grid pixels (n × 2 mm), however it is turned."""
    _, sides, _ = cv2.minAreaRect(floats(mm))
    return max(sides) + MM_PER_PX


def is_rod(mm: Points, masks: Masks) -> bool:
    """True if grid pixels (n × 2 mm) are a straight strip, longer than pieces, that is no thinner
    than a pencil and no thicker than a finger."""
    _, sides, _ = cv2.minAreaRect(floats(mm))
    thick, long = sorted(side + MM_PER_PX for side in sides)
    area = len(mm) * MM_PER_PX**2
    return bool(
        long > max(PIECE_LIMIT_MM, masks.longest + 2 * RIM_MM)
        and PENCIL_MM * long < area
        # A lens bends it by a grid pixel.
        and area > MORE * long * (thick - MM_PER_PX)
        and thick < FINGER_MM + 2 * MM_PER_PX
    )


def _touches(blob: Blob, masks: Masks, places: Bools) -> bool:
    """True if a blob touches ``places`` (flat)."""
    wide: Mask = np.zeros(masks.size[::-1], dtype=np.uint8)
    wide.ravel()[blob.spots] = 1
    wide = np.asarray(cv2.dilate(wide, np.ones((5, 5), np.uint8)), dtype=np.uint8)
    return bool((wide.ravel()[places] > 0).any())
