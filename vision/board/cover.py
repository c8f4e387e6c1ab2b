"""What lies over the board and is not a piece: hands, sleeves, cloths, cups.

Skin is not looked for. A hand is whatever differs from the bare board (``appearance``) outside
the pieces that were read, in a blob too large or too oddly placed for a piece. Shade and glare
differ too, but softly: they darken or whiten the board's own colour and have no sharp rim.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from rules.box import Box
from vision.arrays import Bools, Floats, Mask, Planes, Points, floats, points
from vision.board.appearance import Difference
from vision.board.flattening import MM_PER_PX, grid_px
from vision.board.masks import Masks
from vision.board.pose import BoardPose

__all__ = ["Blob", "Coverage", "Shown", "find_blobs", "foreign", "judge", "shows_board"]

OFF_PLANE_DEG = 7.0
ANGLE_DEG = 10.0
DARK = 0.2
"""Darker than this share of the expected light is not a soft shadow."""
BRIGHT = 1.8
EDGE_LENIENCE = 2.0
"""At the drawing's edges, limits are this many times wider."""
LEAST_MM2 = 90.0
"""Smaller blobs are specks, crumbs or imprecision."""
HAND_MM2 = 160.0
"""A fingertip hides more than this; a crumb is not a hand."""
STUFF_MM2 = 300.0
"""This much of another material is a thing, whatever shade and glare are around it."""
RIM_SLOPE = 0.2
"""A rim is sharp where a grid pixel changes by this share of the blob's mean difference."""
RIM_SHARE = 0.35
"""Shade and glare have less of a sharp rim than this."""
LEAST_CONTRAST = 0.15
"""A part of the board has a drawing if its colours differ by this share of their mean."""
SEEN_THROUGH = 0.7
"""Correlation of seen and expected colours from which the drawing shows."""
GONE = 0.3
"""Correlation below which something hides the drawing."""
LEAST_SPOTS = 8
"""Number of open grid pixels needed to tell whether a site looks bare."""
ROUGH = 0.35
"""Deviation of the residual within a site from which something lies there."""
BARE = 0.3
"""Mean residual below which the bare board is seen: rendered stickers have 0.58 and
more, drawings that passed for stickers 0.07 and less."""
PILE_SHARE, PILE_BLOB_MM2 = 0.8, 3000.0
"""Share of a blob that must lie beside piles to be theirs, and its maximum size; a hand's palm
is larger."""
COVERED_CORNER_MM = 35.0
"""Things that hide a corner sticker and stay within this many mm of its centre (along x and y)
are something put there, not a hand."""
HIDDEN_SITE = 0.4
"""Correlation below which the drawing of a site cannot be seen: bare sites have 0.79 and more in
the first picture, 0.98 in later ones, 0.46 below glare; sites below a grey cloth 0.3 and less."""
NEIGHBOUR_MM = 80.0
PIECE_LIMIT_MM = 80.0
"""No single piece, leaning away from the camera, hides more of the board than this."""


@dataclass(frozen=True)
class Blob:
    """A connected part of the board that looks foreign."""

    area_mm2: float
    mm: Points
    """Its pixels on the board, n × 2 mm."""
    spots: npt.NDArray[np.intp]
    """Flat indices of its pixels on the flattened board."""

    @property
    def box_mm(self) -> tuple[Points, Points]:
        """Lowest and highest x and y, mm."""
        return self.mm.min(axis=0), self.mm.max(axis=0)


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """What can be judged of the board."""

    difference: Difference
    alien: Bools
    """Where it looks ``foreign``."""
    hidden: Mask
    """255 where pieces lie."""


@dataclass(frozen=True)
class Coverage:
    """What was found over the board."""

    hand: bool
    covered: frozenset[str]
    """Sites that cannot be seen and where no sticker was read."""
    blobs: tuple[Blob, ...]
    strange: Mapping[str, float] = field(default_factory=dict)
    """How unlike the bare board each of the empty sites looks: 0 is as expected, 0.3 is hardly
    bare. Sites without an open part are left out."""


def foreign(difference: Difference) -> Bools:
    """Where something other than the bare board shows, shade and glare included if strong."""
    lenient, doubt = _doubt(difference)
    ratio = difference.ratio
    return np.asarray(
        (difference.off_plane > OFF_PLANE_DEG * doubt)
        | (difference.angle > ANGLE_DEG * doubt)
        | (ratio < DARK / lenient)
        | (ratio > BRIGHT * lenient),
        dtype=np.bool_,
    )


def _doubt(difference: Difference) -> tuple[Floats, Floats]:
    """Factors on the limits: for brightness, and for colour."""
    lenient = floats(np.where(difference.pure, 1.0, EDGE_LENIENCE))
    # The darker a pixel, the less its colour says.
    return lenient, floats(lenient * np.clip(0.35 / np.maximum(difference.ratio, 0.05), 1, 3))


def find_blobs(shown: Shown, masks: Masks) -> list[Blob]:
    """The foreign parts that are things, not specks, shade or glare."""
    difference, alien = shown.difference, shown.alien & (shown.hidden == 0)
    mask = (alien * 255).astype(np.uint8)
    kernel = cv2.getStructuringElement(cv2.MORPH_RECT, (3, 3))
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel), dtype=np.uint8)
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, kernel), dtype=np.uint8)
    if cv2.countNonZero(mask) * MM_PER_PX**2 < LEAST_MM2:
        return []
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    areas = stats[:, cv2.CC_STAT_AREA] * MM_PER_PX**2
    large = [number for number in range(1, len(areas)) if areas[number] >= LEAST_MM2]
    if not large:
        return []
    other = alien & (difference.off_plane > OFF_PLANE_DEG * _doubt(difference)[1])
    slope = _slope(shown)
    blobs = []
    for number in large:
        area, inside = float(areas[number]), labels == number
        stuff = float(np.count_nonzero(other[inside])) * MM_PER_PX**2
        spots = np.flatnonzero(inside)
        drawing = float(_drawing(difference, _Parts(("",), spots, (0,)), inside.ravel())[0])
        thing = (
            stuff >= min(0.5 * area, STUFF_MM2)
            or drawing < GONE
            or (not drawing >= SEEN_THROUGH and _sharp(shown, slope, inside))
        )
        if not thing:
            continue
        blobs.append(Blob(area, points(masks.mm[inside]), spots))
    return blobs


def judge(
    box: Box, masks: Masks, pose: BoardPose, shown: Shown, blobs: Sequence[Blob],
    empty: Sequence[str], missing: Iterable[int], beside_piles: Mask, tolerated: Collection[str],
) -> Coverage:  # fmt: skip
    """Whether the ``blobs`` are a hand, and which of the ``empty`` sites they cover.

    ``missing``: corner stickers that could not be read. ``beside_piles``: 255 where
    piles cast their shade or let their lower pieces show. ``tolerated``: sites that look odd
    but were still for too long to be below a hand.
    """
    vanished = _vanished(shown, masks, empty)
    unseen, strange = _unseen(shown, masks, blobs, empty)
    covered = vanished | unseen
    at_id = {c.id: np.array(c.at) for c in box.corners}
    corners = [at_id[sticker] for sticker in missing]
    hand = False
    explained: set[str] = set()
    for blob in blobs:
        by_corner = any(float(np.abs(blob.mm - at).max()) < COVERED_CORNER_MM for at in corners)
        at = [site for site in covered if _fits(blob, masks.reach(pose, site))]
        explained.update(at)
        near = float((beside_piles.ravel()[blob.spots] > 0).mean())
        by_pile = near > PILE_SHARE and blob.area_mm2 < PILE_BLOB_MM2
        hand = hand or not (by_corner or at or by_pile or blob.area_mm2 < HAND_MM2)
    # One site without its drawing may hold a piece that cannot be read; two neighbours without
    # theirs, and no outline of a piece on either, lie below something larger.
    places = [box.sites[site].at for site in sorted(vanished - explained - set(tolerated))]
    hand = hand or any(
        np.hypot(a[0] - b[0], a[1] - b[1]) < NEIGHBOUR_MM
        for n, a in enumerate(places) for b in places[:n]
    )  # fmt: skip
    return Coverage(hand, frozenset(covered), tuple(blobs), strange)


def shows_board(box: Box, difference: Difference, outline_mm: Points) -> bool:
    """Whether the board shows as it is drawn within a convex outline (n × 2 mm): then nothing
    lies there. False beside the board, about which nothing is known."""
    inside: Mask = np.zeros(difference.angle.shape, dtype=np.uint8)
    outline = np.round(grid_px(box, outline_mm)).astype(np.int32)
    cv2.fillConvexPoly(inside, outline, 1)
    open_ = inside > 0
    if np.count_nonzero(open_) < LEAST_SPOTS:
        return False
    return _strength(difference.residual[:, open_]) < BARE


@dataclass(frozen=True, eq=False)
class _Parts:
    """Some sites of the flattened board, one after another; their figures take one call."""

    sites: tuple[str, ...]
    spots: npt.NDArray[np.intp]
    """Flat indices of all their grid pixels."""
    starts: tuple[int, ...]
    """Where each begins in ``spots``."""

    @staticmethod
    def of(places: Mapping[str, npt.NDArray[np.intp]], sites: Iterable[str]) -> _Parts:
        """Those of ``sites`` that have pixels in ``places``."""
        known = tuple(site for site in sites if len(places.get(site, ())))
        if not known:
            return _Parts((), np.empty(0, dtype=np.intp), ())
        spots = [places[site] for site in known]
        starts = np.cumsum([0, *map(len, spots[:-1])])
        return _Parts(known, np.concatenate(spots), tuple(starts.tolist()))

    def of_planes(self, planes: Planes) -> Floats:
        """What ``planes`` show at all spots, 3 × spots."""
        return planes.reshape(3, -1).take(self.spots, axis=1)

    def totals(self, values: npt.NDArray[Any]) -> Points:
        """Sums over each site of ``values`` at all spots: … × spots → … × sites."""
        if not self.sites:
            return np.zeros((*values.shape[:-1], 0))
        return np.asarray(np.add.reduceat(values, self.starts, axis=-1, dtype=np.float64))


def _roughness(difference: Difference, parts: _Parts, open_: Bools) -> tuple[Points, Points]:
    """Mean residual of each site where it is ``open_`` (3 × sites), and the residual's deviation
    from that mean (root mean square, per site): shade and glare are even over so small a place, an
    unreadable piece is not."""
    residual = parts.of_planes(difference.residual) * open_
    count = np.maximum(parts.totals(open_), 1)
    mean = parts.totals(residual) / count
    square = parts.totals(np.einsum("kn,kn->n", residual, residual)) / count
    return mean, np.sqrt(np.maximum(square - (mean**2).sum(axis=0), 0))


def _fits(blob: Blob, reach: Points) -> bool:
    """Whether a blob may be a piece whose sticker cannot be read."""
    low, high = blob.box_mm
    if float((high - low).max()) > PIECE_LIMIT_MM:
        return False
    if (low > reach.max(axis=0)).any() or (high < reach.min(axis=0)).any():
        return False
    hull = cv2.convexHull(floats(reach))
    rim = ((low[0], low[1]), (low[0], high[1]), (high[0], low[1]), (high[0], high[1]))
    if all(cv2.pointPolygonTest(hull, (float(x), float(y)), False) >= 0 for x, y in rim):
        return True
    edge = blob.mm[:: max(1, len(blob.mm) // 60)]
    inside = [cv2.pointPolygonTest(hull, (float(x), float(y)), False) >= 0 for x, y in edge]
    return float(np.mean(inside)) > 0.97


def _slope(shown: Shown) -> Floats:
    """Change of the residual per grid pixel, height × width.

    The drawing's edges are left out and bridged: shade over a line is not a rim. So is what is
    hidden: what lies there differs as well, and ends sharply.
    """
    difference, open_ = shown.difference, shown.hidden == 0
    weight = (difference.pure & open_).astype(np.float32)
    total = cv2.blur(cv2.merge(list(difference.residual * weight)), (3, 3))
    smooth = np.asarray(total) / np.maximum(np.asarray(cv2.blur(weight, (3, 3))), 0.1)[..., None]
    across = np.asarray(cv2.Sobel(smooth, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8))
    down = np.asarray(cv2.Sobel(smooth, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8))
    return floats(np.sqrt(cv2.transform(across**2 + down**2, np.ones((1, 3)))) * open_)


def _strength(residual: Floats) -> float:
    """Root mean square of residuals, 3 × n."""
    return float(np.sqrt((residual**2).sum(axis=0).mean()))


def _drawing(difference: Difference, parts: _Parts, open_: Bools) -> Points:
    """How well the drawing can be seen in several places: correlation of seen and expected colours,
    (n,). Shade and glare leave it high, things that hide it make it vanish. NaN where
    nothing much is drawn, or most of it is out of view.

    ``open_``: flat, which part of the board counts.
    """
    weight = open_.take(parts.spots)
    expected = parts.of_planes(difference.expected) * weight
    seen = parts.of_planes(difference.seen) * weight
    count, whole = parts.totals(weight), parts.totals(np.ones_like(weight))
    some = np.maximum(count, 1)
    drawn, shown = parts.totals(expected), parts.totals(seen)
    squares = parts.totals(np.einsum("kn,kn->n", expected, expected))
    contrast = squares - (drawn**2).sum(axis=0) / some
    found = parts.totals(np.einsum("kn,kn->n", seen, seen)) - (shown**2).sum(axis=0) / some
    both = parts.totals(np.einsum("kn,kn->n", expected, seen)) - (drawn * shown).sum(axis=0) / some
    alike = both / np.sqrt(np.maximum(contrast * found, 1e-12))
    faint = contrast < LEAST_CONTRAST**2 * squares
    narrow = count < np.maximum(0.4 * whole, 20)
    return np.asarray(np.where(faint | narrow, np.nan, alike), dtype=np.float64)


def _vanished(shown: Shown, masks: Masks, empty: Iterable[str]) -> set[str]:
    """The sites of ``empty`` whose drawing cannot be seen although nothing known is in front."""
    parts = _Parts.of(masks.surroundings, empty)
    open_ = (shown.hidden.ravel() == 0) & ~masks.letters
    seen = _drawing(shown.difference, parts, open_)
    return {site for site, drawing in zip(parts.sites, seen, strict=True) if drawing < HIDDEN_SITE}


def _unseen(
    shown: Shown, masks: Masks, blobs: Iterable[Blob], empty: Iterable[str]
) -> tuple[set[str], dict[str, float]]:
    """The sites of ``empty`` with too little to be seen, and how strange they all look."""
    things = np.zeros(shown.hidden.size, dtype=np.bool_)
    for blob in blobs:
        things[blob.spots] = True
    parts = _Parts.of(masks.sites, empty)
    open_ = shown.hidden.ravel().take(parts.spots) == 0
    free = np.maximum(parts.totals(open_), 1e-9)
    narrow = free < 0.3 * parts.totals(np.ones_like(open_))
    below = parts.totals(open_ & things.take(parts.spots)) > 0.25 * free
    odd = parts.totals(open_ & shown.alien.ravel().take(parts.spots)) > 0.25 * free
    mean, rough = _roughness(shown.difference, parts, open_)
    # Shade and glare are even; a piece with an unreadable sticker is not.
    uneven = rough > ROUGH * np.maximum(1.0, 2 * np.linalg.norm(mean, axis=0))
    cannot_be_seen = narrow | below | (odd & uneven)
    unseen = {site for site, one in zip(parts.sites, cannot_be_seen, strict=True) if one}
    strange = {
        site: float(value)
        for site, value, count in zip(parts.sites, rough, free, strict=True)
        if count >= LEAST_SPOTS
    }
    return unseen, strange


def _sharp(shown: Shown, slope: Floats, inside: Bools) -> bool:
    """Whether much of a blob's rim is a step rather than a slope; where it goes on below what is
    hidden it has none."""
    pure, hidden = shown.difference.pure, shown.hidden > 0
    kernel = np.ones((3, 3), dtype=np.uint8)
    within = cv2.erode((inside | hidden).astype(np.uint8), kernel)
    rim = np.asarray(cv2.dilate(inside.astype(np.uint8), kernel)) > np.asarray(within)
    rim &= pure & ~hidden
    if not rim.any() or not (inside & pure).any():
        return False
    height = _strength(shown.difference.residual[:, inside & pure])
    steepest = np.asarray(cv2.dilate(slope, kernel))
    return float(np.mean(steepest[rim] > RIM_SLOPE * height)) > RIM_SHARE
