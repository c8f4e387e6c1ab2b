"""Stickers of cards that lie anywhere in a picture: those that can be read, and those that cannot.

No board is needed, and nothing is known beforehand but that all these stickers are of one size. A
sticker counts only if it looks like what it was read as, is about square, and as large as its
neighbours. What is as black within white and about as large, but is none of them, was covered or
dazzled; it is reported, so that the reading does not pass for complete.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from rules.box import Box
from vision.arrays import Floats, Grey, Mask, Picture, Points, points
from vision.stickers.reader import SeenSticker, StickerReader, Window

SMALLEST = 1 / 120
"""Stickers are looked for from this share of the picture's long side up, and from:"""
SMALLEST_PX = 12.0
LIKENESS = 0.94
"""Correlation with the sticker that it was read as (``StickerReader.match``)."""
SKEW = 0.8
"""Ratio of a sticker's shortest to its longest side; the camera may look at an angle."""
SIZES = 0.62
"""Ratio of a sticker's side to the usual one, either way."""
GREY = 0.4
"""The black of a sticker throws back less than this share of what its rim does."""
FINE_PX = 6.0
"""Smaller modules are enlarged for a second search."""
CELL = 8
"""Px per module of a flattened sticker."""
SIDE = 24
"""Px of a sticker's side where covered ones are looked for; more shows nothing new."""
DARK = 2.0
"""Light thrown back by the black of a covered sticker, at most, compared with those that were
read."""
PALE = 0.7
"""Lightness of its rim, at least, compared with theirs."""
LEAST_SHOWN = 0.3
"""Share of a sticker's side that must show in each direction before it is reported."""
SOLID = 0.82
"""Share of the rectangle around such a part that it spans."""


@dataclass(frozen=True, slots=True, eq=False)
class Strewn:
    """The stickers in one picture."""

    read: tuple[SeenSticker, ...]
    """Each with its place; two equal ones are two cards."""
    unread: tuple[Points, ...]
    """Outlines (4 × 2 px) of what looks like a part of one."""


class StrewnReader:
    """Reads the cards of one box; not safe for several threads."""

    def __init__(self, box: Box) -> None:
        """Raises BoxError if OpenCV cannot read the box's stickers."""
        self._reader = StickerReader(box)
        self._pieces = set(box.kind_of_sticker)

    def look(self, image: Picture) -> Strewn:
        """All stickers of pieces in ``image``; those of the board's corners do not count."""
        smallest = max(SMALLEST * max(image.shape[:2]), SMALLEST_PX)
        seen = self._believed(image, self._reader.search(image, smallest))
        pieces = [s for s in seen if s.id in self._pieces]
        if not pieces:
            return Strewn((), ())
        usual = float(np.median([_side(s) for s in pieces]))
        if usual / self._reader.modules < FINE_PX:
            seen = [*seen, *self._believed(image, self._finer(image, usual))]
            pieces = [s for s in seen if s.id in self._pieces]
        fitting = _apart([s for s in pieces if _fits(s, usual)], usual)
        others = [s for s in seen if s.id not in self._pieces]
        unread = _covered(image, [*fitting, *others], usual)
        return Strewn(tuple(fitting), tuple(unread))

    def _finer(self, image: Picture, usual: float) -> list[SeenSticker]:
        """The same search in an enlarged picture, for stickers whose size is known by now."""
        height, width = image.shape[:2]
        module = usual / self._reader.modules
        (found,) = self._reader.read_at(image, [Window(0, 0, width, height)], module, full=True)
        return found

    def _believed(self, image: Picture, seen: Sequence[SeenSticker]) -> list[SeenSticker]:
        """The stickers that look like what they were read as: black on white, and alike."""
        likeness = self._reader.match(image, [s.id for s in seen], [s.corners for s in seen])
        return [
            sticker
            for sticker, like in zip(seen, likeness, strict=True)
            if like >= LIKENESS and self._is_black_on_white(image, sticker)
        ]

    def _is_black_on_white(self, image: Picture, sticker: SeenSticker) -> bool:
        """True if its border is as dark, compared with its rim, as print is."""
        count = self._reader.modules + 2
        flat = np.array(
            [[1, 1], [count - 1, 1], [count - 1, count - 1], [1, count - 1]], np.float32
        )
        warp = cv2.getPerspectiveTransform(sticker.corners.astype(np.float32), flat * CELL)
        size = (count * CELL, count * CELL)
        cells = cv2.cvtColor(cv2.warpPerspective(image, warp, size), cv2.COLOR_BGR2GRAY)
        # The middle of each module: edges are blurred.
        middles = cells[CELL // 2 :: CELL, CELL // 2 :: CELL].astype(np.float32)
        frame = np.ones((count, count), np.bool_)
        frame[1:-1, 1:-1] = False
        border = np.zeros_like(frame)
        border[1:-1, 1:-1] = True
        border[2:-2, 2:-2] = False
        return bool(np.median(middles[border]) < GREY * np.median(middles[frame]))


def _sides(sticker: SeenSticker) -> Points:
    corners = sticker.corners
    return np.asarray(np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1))


def _side(sticker: SeenSticker) -> float:
    return float(_sides(sticker).mean())


def _fits(sticker: SeenSticker, usual: float) -> bool:
    sides = _sides(sticker)
    square = sides.min() >= SKEW * sides.max()
    return bool(square and SIZES < sides.mean() / usual < 1 / SIZES)


def _apart(seen: Sequence[SeenSticker], usual: float) -> list[SeenSticker]:
    """Stickers without those in the same place: one read twice is one, two ids are none."""
    kept = []
    for number, one in enumerate(seen):
        middle = one.corners.mean(axis=0)
        near = [
            (other.id, place)
            for place, other in enumerate(seen)
            if place != number and np.linalg.norm(other.corners.mean(axis=0) - middle) < usual / 2
        ]
        if all(found == one.id and place > number for found, place in near):
            kept.append(one)
    return kept


def _covered(image: Picture, read: Sequence[SeenSticker], usual: float) -> list[Points]:
    """Outlines of what looks like a part of a sticker of side ``usual`` px, ``read`` left out."""
    scale = min(SIDE / usual, 1.0)
    side = usual * scale
    grey: Grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    small: Grey = np.asarray(
        cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), dtype=np.uint8
    )
    # Closing fills whatever is dark and smaller than this with the light around it.
    reach = round(1.5 * side) | 1
    around = cv2.morphologyEx(small, cv2.MORPH_CLOSE, np.ones((reach, reach), np.uint8))
    share = small / np.maximum(around.astype(np.float32), 1.0)
    inside, known = (_filled(small, read, scale, grown) for grown in (0.95, 1.35))
    black = float(np.percentile(share[inside > 0], 25))
    light = float(np.median(around[inside > 0]))
    dark = (share < DARK * black) & (around > PALE * light) & (known == 0)
    outlines, _ = cv2.findContours(
        dark.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE
    )
    found = [_part(np.asarray(outline), side) for outline in outlines]
    return [(part + 0.5) / scale - 0.5 for part in found if part is not None]


def _filled(like: Grey, read: Sequence[SeenSticker], scale: float, grown: float) -> Mask:
    """1 where stickers that were read lie, each ``grown`` about its middle."""
    mask: Mask = np.zeros_like(like)
    for sticker in read:
        middle = sticker.corners.mean(axis=0)
        corners = (middle + grown * (sticker.corners - middle)) * scale
        cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), (1,))
    return mask


def _part(outline: Floats, side: float) -> Points | None:
    """The rectangle around ``outline`` if it can be a part of a sticker."""
    middle, size, turn = cv2.minAreaRect(outline)
    short, long = sorted(size)
    if not (0.8 * side < long < 1.3 * side and short > LEAST_SHOWN * side):
        return None
    if cv2.contourArea(cv2.convexHull(outline)) < SOLID * short * long:
        return None
    return points(cv2.boxPoints((middle, size, turn)))
