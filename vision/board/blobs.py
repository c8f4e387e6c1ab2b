"""Blobs: connected parts of the board that look foreign, and what their shapes tell."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from rules.box import Point
from vision.arrays import Bools, Floats, Mask, Planes, Points, floats
from vision.board.drawing import SOME
from vision.board.flattening import MM_PER_PX
from vision.board.masks import ACROSS_MM, RIM_MM, Masks

FINGER_MM = 10.0
"""No finger is thinner; strips of light along a rim are, and what holds corner stickers. The first
joint is 1.6 times as long as wide: what hides less is a speck, a crumb or imprecision."""
PIECE_LIMIT_MM = 80.0
"""No single piece, leaning away from the camera, hides more of the board than this."""
MORE = 0.5
"""Share that is more of a thing than not."""
MOST = 0.8
"""A thing is where this share of it is."""
HUE, LIGHT, ODD = 0.2, 0.6, 4.0
"""Differences of colour and of brightness (natural log) from the rest of a side of the outline from
which a thing lies there, if they are also so many times the usual ones."""
NO_STEP, HALF = 0.15, 0.5
"""Step of colour across the outline (natural log) below which it is the same thing on both sides,
and most of the usual step there of colour and brightness."""
ACROSS_PX, NARROWEST_PX = 4, 3
"""Grid pixels (8 mm, 6 mm) along the outline that a thing across it takes up at least, the second
between clear rims."""
CLEAR_STEP, CLEARLY = 0.2, 4.0
"""Step of colour along the outline (natural log per 2 grid pixels) that is a rim of a thing across
it, if it is also so many times the usual one."""

LINES = 0.05
"""Share of a place that lines take up at least."""

Spots: TypeAlias = npt.NDArray[np.intp]
Same: TypeAlias = Callable[[], Bools]
"""Tells where the board looks as it did when nobody reached in, height × width; most looks need not
ask."""
NOWHERE: Spots = np.empty(0, dtype=np.intp)


@dataclass(frozen=True)
class Blob:
    """A connected part of the board that looks foreign."""

    area_mm2: float
    mm: Points
    """Its pixels on the board, n × 2 mm."""
    spots: Spots
    """Flat indices of its pixels on the flattened board."""
    sure: bool = False
    """True if it is no part of the table, however still it lies for a moment."""
    told: bool = True
    """True if something else is seen there than the drawing; else it may be light where nothing is
    drawn."""
    lay: bool = False
    """True if it looks as it did when nobody reached in."""

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


def overlap(spots: Spots, others: Spots) -> float:
    """Share of ``spots`` that are among ``others``."""
    return float(np.isin(spots, others).mean()) if len(spots) and len(others) else 0.0


def changed(spots: Spots, same: Same | None, share: float = LINES) -> bool:
    """True if more than a ``share`` of a place looks otherwise than it did, or nobody saw it then;
    of what has the board's colour no more than lines do."""
    return same is None or float((~same().ravel()[spots]).mean()) > share


def lies_on(blob: Blob, things: Sequence[Blob]) -> bool:
    """True if a blob is one of the ``things``, which has not moved. Small ones are told apart in
    one look and not in another; but a large one that moves is a hand, also if it draws back over
    what it covered."""
    if not blob.large:
        return overlap(blob.spots, spots_of(things)) > MOST
    return any(
        min(overlap(blob.spots, one.spots), overlap(one.spots, blob.spots)) > MOST for one in things
    )


def spots_of(blobs: Iterable[Blob]) -> Spots:
    """Flat indices of all pixels of some blobs."""
    every = [blob.spots for blob in blobs]
    return np.concatenate(every) if every else np.empty(0, dtype=np.intp)


def told_as_one(blobs: Sequence[Blob], blinding: Bools) -> list[Blob]:
    """The ``blobs``; those that go on in ``blinding`` light to others (height × width) are told
    from light if they are larger than any piece together."""
    some = [blob for blob in blobs if not blob.told]
    if len(some) < 2 or not blinding.any():
        return list(blobs)
    places = blinding.astype(np.uint8)
    places.ravel()[spots_of(some)] = 1
    wide = cv2.dilate(places, np.ones((3, 3), np.uint8))
    _, labels = cv2.connectedComponents(np.asarray(wide, dtype=np.uint8), connectivity=8)
    label = np.asarray(labels).ravel()
    parts: dict[int, list[Points]] = defaultdict(list)
    for blob in some:
        parts[int(label[blob.spots[0]])].append(blob.mm)
    large = {thing for thing, mm in parts.items() if long_side(np.concatenate(mm)) > PIECE_LIMIT_MM}
    return [replace(blob, told=blob.told or label[blob.spots[0]] in large) for blob in blobs]


def within(things: Sequence[Blob], places: Mapping[str, Point]) -> set[str]:
    """The ``places`` (mm) that are between the parts of something large: the light is
    fitted in spite of it, and where it covers much, parts of it may look like board."""
    if not any(thing.large for thing in things):
        return set()
    hull = cv2.convexHull(floats(np.concatenate([thing.mm for thing in things])))
    return {s for s, at in places.items() if cv2.pointPolygonTest(hull, at, False) >= 0}


def across(seen: Planes, masks: Masks) -> Spots:
    """Flat indices of the parts of things that lie across an own board's outline: where they come
    in, the step from board to table is missing, and beside the board they differ from the table
    along that side, or their rims go on from the board over the outline, which no drawing does.
    ``seen``: the flattened picture in linear light, the table beside the board included.
    """
    parts = [NOWHERE]
    first = round(-ACROSS_MM[0] / MM_PER_PX)
    opening = np.ones((ACROSS_PX, 1), np.uint8)
    for strip in masks.outlines:
        if len(strip) < 2 * ACROSS_PX:
            continue
        logs = np.log(seen.reshape(3, -1)[:, strip] + np.float32(SOME))
        # The outermost pixel of the board, and the first beside it, may be its flank.
        board, table = logs[..., : first - 1], logs[..., first + 1 : first + 4]
        step = table.mean(axis=2) - board.mean(axis=2)
        hue, size = (np.linalg.norm(each, axis=0) for each in (step - step.mean(axis=0), step))
        usual = float(np.median(hue))
        same = (hue < NO_STEP) & (size < max(2 * HUE, HALF * float(np.median(size))))
        if not same.any():
            continue
        beside = logs[..., first:]
        light = beside.mean(axis=0)
        hues = beside - light
        off = np.linalg.norm(hues - np.median(hues, axis=1, keepdims=True), axis=0)
        other = off > np.maximum(HUE, ODD * np.median(off, axis=0))
        if usual > 2 * NO_STEP:
            # Else it may be the light that falls on both.
            more = light - np.median(light, axis=0)
            other |= more > np.maximum(LIGHT, ODD * np.median(np.abs(more), axis=0))
        there = ((other.mean(axis=1) >= MOST) & same).astype(np.uint8)
        there = np.asarray(cv2.morphologyEx(there, cv2.MORPH_OPEN, opening), dtype=np.uint8)
        parts.append(strip[there.ravel() > 0].ravel())
        if float(np.median(size)) > 2 * HUE:
            parts += [strip[run].ravel() for run in _between_rims(same, board, table)]
    return np.concatenate(parts)


def _between_rims(same: Bools, board: Floats, table: Floats) -> Iterator[slice]:
    """The runs of places along an outline that are the ``same`` on both sides of it and end at
    rims that are seen on both; logarithms of the light, colours × places × depths."""
    rims = np.ones_like(same)
    for beside in (board, table):
        light = beside.mean(axis=2)
        step = np.zeros(len(same))
        step[1:-1] = np.linalg.norm(light[:, 2:] - light[:, :-2], axis=0)
        rims &= _near(step > max(CLEAR_STEP, CLEARLY * float(np.median(step))))
    ends = np.flatnonzero(np.diff(np.concatenate([[0], same.astype(np.int8), [0]])))
    for first, end in ends.reshape(-1, 2).tolist():
        inside = 2 < first <= end - NARROWEST_PX and end < len(same) - 2
        if inside and rims[first] and rims[end]:
            yield np.s_[first:end]


def _near(rim: Bools) -> Bools:
    """True from two places before a rim to one behind it."""
    wide = np.pad(rim, 2)
    return np.asarray(wide[:-4] | wide[1:-3] | wide[2:-2] | wide[3:-1])


def reaches_in(blob: Blob, masks: Masks, beyond: Bools | bool = False) -> bool:
    """True if a blob goes on beyond the rim. ``beyond``: flat, where the table may show."""
    return _touches(blob, masks, masks.rim | beyond)


def reaches_far(blob: Blob, masks: Masks) -> bool:
    """True if a blob goes farther into the board than along its rim, as what reaches in does."""
    return bool(0 < along_rim(blob.spots, masks) < masks.inwards[blob.spots].max())


def along_rim(spots: Spots, masks: Masks) -> float:
    """Length of rim that ``spots`` (flat indices) lie on, mm."""
    return np.count_nonzero(masks.rim[spots]) * MM_PER_PX**2 / RIM_MM


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


def _touches(blob: Blob, masks: Masks, places: Bools) -> bool:
    """True if a blob touches ``places`` (flat)."""
    wide: Mask = np.zeros(masks.size[::-1], dtype=np.uint8)
    wide.ravel()[blob.spots] = 1
    wide = np.asarray(cv2.dilate(wide, np.ones((5, 5), np.uint8)), dtype=np.uint8)
    return bool((wide.ravel()[places] > 0).any())
