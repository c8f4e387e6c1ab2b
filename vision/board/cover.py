"""What lies over the board that is no piece: hands, sleeves, cloths, cups.

Skin is not looked for. A hand is whatever differs from the bare board (``appearance``) outside
the pieces that were read, in a blob too large or too oddly placed for a piece. Shade and glare
differ too, but softly: they darken or whiten the board's own colour and have no sharp rim.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from rules.box import Box, PieceKind
from vision.arrays import Bools, Floats, Mask, Planes, Points, floats, points
from vision.board.appearance import Difference
from vision.board.flattening import MM_PER_PX, grid_px
from vision.board.pose import BoardPose
from vision.stickers.reader import RIM

__all__ = ["Blob", "Coverage", "Masks", "find_blobs", "foreign", "judge", "shows_board"]

OFF_PLANE_DEG = 7.0
ANGLE_DEG = 10.0
DARK = 0.2
"""Darker than this share of the expected light: no soft shadow."""
BRIGHT = 1.8
EDGE_LENIENCE = 2.0
"""At the drawing's edges, limits are this many times wider."""
LEAST_MM2 = 90.0
"""Smaller blobs are specks, crumbs or imprecision."""
HAND_MM2 = 160.0
"""A finger tip hides more than this; a crumb is no hand."""
STUFF_MM2 = 300.0
"""This much of another material is a thing whatever shade and glare are around it."""
RIM_SLOPE = 0.2
"""A rim is sharp where a grid pixel changes by this share of the blob's mean difference."""
RIM_SHARE = 0.35
"""Shade and glare have less of a sharp rim than this."""
LEAST_CONTRAST = 0.15
"""A part of the board has a drawing if its colours differ by this share of their mean."""
SEEN_THROUGH = 0.7
"""Correlation of seen and expected colours from which on the drawing shows."""
GONE = 0.3
"""Correlation below which something hides the drawing."""
LEAST_SPOTS = 8
"""So many open grid pixels of a site tell whether it looks bare."""
ROUGH = 0.35
"""Deviation of the residual within a site from which on something lies there."""
BARE = 0.3
"""Mean residual below which it is the bare board that is seen: rendered stickers have 0.58 and
more, drawings that passed for stickers 0.07 and less."""
PIECE_MARGIN_MM = 4.0
"""Around pieces the board is not judged: contact shadows, reflections, imprecise placing."""
PILE_SHADE_MM, PILE_SHADE = 20.0, 0.8
"""So far around a pile its shade and its lower pieces reach: at least, and per mm of height
above a single piece."""
PILE_SHARE, PILE_BLOB_MM2 = 0.8, 3000.0
"""So much of a blob must lie beside piles to be theirs, and it may be so large; a hand's palm
is larger."""
SHADE_FROM_MM, SHADE = 20.0, 0.6
"""Pieces of this height cast shade that goes with them, so far per mm of height."""
PILE_LEAN_MM = 4.0
"""Pieces of a pile lie this far out of line."""
COVERED_CORNER_MM = 35.0
"""Things that hide a corner sticker and stay within this many mm of its centre (along x and y)
are something put there, not a hand."""
STRIP_MM = 6.0
"""Around a site, so much board is looked at with it: the rim between is what is drawn there."""
HIDDEN_SITE = 0.4
"""Correlation below which the drawing of a site cannot be seen: bare sites have 0.79 and more in
the first picture, 0.98 in later ones, 0.46 below glare; sites below a grey cloth 0.3 and less."""
NEIGHBOUR_MM = 80.0
PIECE_LIMIT_MM = 80.0
"""No single piece, leaning away from the camera, hides more of the board than this."""
LETTER_WIDTH = 1.2
"""Widest letters of a title, per height."""
EDGE_MM = 3.0
"""The outermost strip of the board is not judged."""


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


class Masks:
    """Where pieces, corner stickers and sites lie on the flattened board."""

    def __init__(self, box: Box, size: tuple[int, int]) -> None:
        """``size``: width and height of the flattened board in grid pixels."""
        self._box = box
        self.size = size
        width, height = size
        x = (np.arange(width) + 0.5) * MM_PER_PX - box.size[0] / 2
        y = box.size[1] / 2 - (np.arange(height) + 0.5) * MM_PER_PX
        across, down = np.meshgrid(x, y)
        self.mm: Points = np.stack([across, down], axis=-1)
        reach_x, reach_y = box.size[0] / 2 - EDGE_MM, box.size[1] / 2 - EDGE_MM
        self._edge: Mask = np.where(
            (np.abs(across) > reach_x) | (np.abs(down) > reach_y), 255, 0
        ).astype(np.uint8)
        for corner in box.corners:
            half = corner.size / 2 * RIM + PIECE_MARGIN_MM
            near = (np.abs(across - corner.at[0]) < half) & (np.abs(down - corner.at[1]) < half)
            self._edge[near] = 255
        self.letters: Bools = np.zeros(height * width, dtype=np.bool_)
        """Flat: where something is written; fonts differ, so nobody knows how it looks."""
        for stroke in box.strokes:
            if stroke.kind == "text":
                (x0, y0), high = stroke.points[0], stroke.width
                half = len(stroke.text) * high * LETTER_WIDTH / 2
                near = (np.abs(across - x0) < half) & (np.abs(down - y0) < high)
                self.letters |= near.ravel()
                # Letters of site marks are too small to look foreign; those of titles are not.
                if not stroke.sites:
                    self._edge[near] = 255
        self.sites: dict[str, npt.NDArray[np.intp]] = {}
        """Flat indices of each site's grid pixels; none for sites beside the board."""
        self.surroundings: dict[str, npt.NDArray[np.intp]] = {}
        """The same with the site's rim and a strip of board around it."""
        for site in box.sites.values():
            (cx, cy), shape = site.at, site.size
            if shape is None:
                distance = np.hypot(across - cx, down - cy)
                inside, around = distance <= 0.9 * site.radius, distance <= site.radius + STRIP_MM
            else:
                distance = np.maximum(
                    np.abs(across - cx) - shape[0] / 2, np.abs(down - cy) - shape[1] / 2
                )
                inside, around = distance < 0, distance <= STRIP_MM
            if self._on_board(site.at, shape or (2 * site.radius, 2 * site.radius)):
                self.sites[site.id] = np.flatnonzero(inside)
                self.surroundings[site.id] = np.flatnonzero(around)

    def _on_board(self, at: tuple[float, float], size: tuple[float, float]) -> bool:
        (x, y), (w, h), (width, height) = at, size, self._box.size
        return abs(x) + w / 2 <= width / 2 + 1 and abs(y) + h / 2 <= height / 2 + 1

    def hidden(self, bodies: Iterable[Points]) -> Mask:
        """255 where the bare board cannot be seen: ``bodies`` (n × 2 mm each), corners, edge."""
        mask = np.zeros_like(self._edge)
        for hull in self._hulls(list(bodies)):
            cv2.fillConvexPoly(mask, hull, 255)
        reach = round(PIECE_MARGIN_MM / MM_PER_PX)
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
        mask = np.asarray(cv2.dilate(mask, kernel), dtype=np.uint8)
        return mask | self._edge

    def around(self, bodies: Iterable[tuple[Points, float]]) -> Mask:
        """255 in and around ``bodies``: what each hides (n × 2 mm) and how far around it, mm."""
        mask = np.zeros_like(self._edge)
        every = list(bodies)
        for hull, (_, reach) in zip(self._hulls([body for body, _ in every]), every, strict=True):
            cv2.fillConvexPoly(mask, hull, 255)
            cv2.polylines(mask, [hull], True, 255, 2 * round(reach / MM_PER_PX))
        return mask

    def _hulls(self, bodies: Sequence[Points]) -> Iterator[npt.NDArray[np.int32]]:
        """Hulls of ``bodies`` (n × 2 mm each) in grid pixels."""
        if not bodies:
            return
        px = floats(grid_px(self._box, np.concatenate(bodies)))
        end = 0
        for body in bodies:
            start, end = end, end + len(body)
            yield np.round(cv2.convexHull(px[start:end])).astype(np.int32)

    def beside_piles(self, pieces: Iterable[tuple[Points, float]]) -> Mask:
        """255 where piles cast their shade or let their lower pieces show; ``pieces``: body and
        height above a single piece, mm."""
        return self.around((body, PILE_SHADE_MM + PILE_SHADE * lift) for body, lift in pieces)

    def shaded(self, pieces: Iterable[tuple[Points, float]]) -> Mask:
        """255 where tall ``pieces`` (body and height in mm) cast shade."""
        return self.around(
            (body, SHADE * height) for body, height in pieces if height > SHADE_FROM_MM
        )

    def body(
        self, pose: BoardPose, kind: PieceKind, corners_mm: Points, height: float, lying: bool
    ) -> Points:
        """What a piece hides of the board, as points whose hull it is (n × 2 mm).

        ``corners_mm``: the sticker's black square at its height, 4 × 2 mm. ``height``: that
        height in mm; what is higher than the kind stands on a pile of its like, which may lean.
        ``lying``: it lies on its side.
        """
        centre = corners_mm.mean(axis=0)
        along = (corners_mm[1] + corners_mm[2] - corners_mm[0] - corners_mm[3]) / 2
        along = along / max(float(np.linalg.norm(along)), 1e-6)
        up = np.array([-along[1], along[0]])
        rim = kind.sticker_mm * RIM
        wide, deep = (kind.size[0], kind.height) if lying else kind.size
        half_w, half_h = max(wide, rim) / 2, max(deep, rim) / 2
        if height > kind.height and not lying:
            half_w, half_h = half_w + PILE_LEAN_MM, half_h + PILE_LEAN_MM
        foot = np.array([
            centre + sx * half_w * along + sy * half_h * up
            for sx, sy in ((-1, 1), (1, 1), (1, -1), (-1, -1))
        ])  # fmt: skip
        top = np.column_stack([foot, np.full(4, height)])
        return np.concatenate([foot, pose.on_board(pose.project(top))])

    def reach(self, pose: BoardPose, site: str) -> Points:
        """Everything a piece at ``site`` could hide, wherever in the site it stands (mm hull)."""
        place = self._box.sites[site]
        spots = []
        for kind in self._box.kinds_at(site):
            half = max(kind.size) / 2 + 8
            if place.size is None:
                w = h = half
            else:
                w, h = place.size[0] / 2 + half, place.size[1] / 2 + half
            foot = np.array([
                (place.at[0] + sx * w, place.at[1] + sy * h)
                for sx, sy in ((-1, 1), (1, 1), (1, -1), (-1, -1))
            ])  # fmt: skip
            top = np.column_stack([foot, np.full(4, kind.height)])
            spots += [foot, pose.on_board(pose.project(top))]
        return np.concatenate(spots) if spots else np.array([place.at])


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


def find_blobs(difference: Difference, alien: Bools, masks: Masks) -> list[Blob]:
    """The foreign parts that are things, not specks, shade or glare; ``alien``: after masking."""
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
    slope = _slope(difference)
    blobs = []
    for number in large:
        area, inside = float(areas[number]), labels == number
        stuff = float(np.count_nonzero(other[inside])) * MM_PER_PX**2
        spots = np.flatnonzero(inside)
        drawing = float(_drawing(difference, _Parts(("",), spots, (0,)), inside.ravel())[0])
        thing = (
            stuff >= min(0.5 * area, STUFF_MM2)
            or drawing < GONE
            or (not drawing >= SEEN_THROUGH and _sharp(difference, slope, inside))
        )
        if not thing:
            continue
        blobs.append(Blob(area, points(masks.mm[inside]), spots))
    return blobs


def judge(
    box: Box,
    blobs: Sequence[Blob],
    difference: Difference,
    alien: Bools,
    hidden: Mask,
    masks: Masks,
    pose: BoardPose,
    empty: Iterable[str],
    missing: Iterable[int],
    beside_piles: Mask,
    tolerated: Collection[str] = (),
) -> Coverage:
    """Whether the ``blobs`` are a hand, and which of the ``empty`` sites they cover.

    ``missing``: corner stickers that could not be read. ``beside_piles``: 255 where
    piles cast their shade or let their lower pieces show. ``tolerated``: sites that look odd
    but lay still for too long to be below a hand.
    """
    sites = list(empty)
    vanished = _vanished(difference, hidden, masks, sites)
    covered = set(vanished)
    things = np.zeros(hidden.size, dtype=np.bool_)
    for blob in blobs:
        things[blob.spots] = True
    parts = _Parts.of(masks.sites, sites)
    open_ = hidden.ravel().take(parts.spots) == 0
    free = np.maximum(parts.totals(open_), 1e-9)
    narrow = free < 0.3 * parts.totals(np.ones_like(open_))
    below = parts.totals(open_ & things.take(parts.spots)) > 0.25 * free
    odd = parts.totals(open_ & alien.ravel().take(parts.spots)) > 0.25 * free
    mean, rough = _roughness(difference, parts, open_)
    # Shade and glare are even; a piece whose sticker nobody can read is not.
    uneven = rough > ROUGH * np.maximum(1.0, 2 * np.linalg.norm(mean, axis=0))
    cannot_be_seen = narrow | below | (odd & uneven)
    covered.update(site for site, one in zip(parts.sites, cannot_be_seen, strict=True) if one)
    strange = {
        site: float(value)
        for site, value, count in zip(parts.sites, rough, free, strict=True)
        if count >= LEAST_SPOTS
    }
    corners = {c.id: np.array(c.at) for c in box.corners}
    hand = False
    pieces: set[str] = set()
    for blob in blobs:
        by_corner = any(
            float(np.abs(blob.mm - corners[c]).max()) < COVERED_CORNER_MM for c in missing
        )
        at = [site for site in covered if _fits(blob, masks.reach(pose, site))]
        pieces.update(at)
        near = float((beside_piles.ravel()[blob.spots] > 0).mean())
        by_pile = near > PILE_SHARE and blob.area_mm2 < PILE_BLOB_MM2
        hand = hand or not (by_corner or at or by_pile or blob.area_mm2 < HAND_MM2)
    # One site without its drawing may hold a piece that nobody can read; two neighbours without
    # theirs, and no outline of a piece on either, lie below something larger.
    places = [box.sites[site].at for site in sorted(vanished - pieces - set(tolerated))]
    hand = hand or any(
        np.hypot(a[0] - b[0], a[1] - b[1]) < NEIGHBOUR_MM
        for n, a in enumerate(places) for b in places[:n]
    )  # fmt: skip
    return Coverage(hand, frozenset(covered), tuple(blobs), strange)


def shows_board(box: Box, difference: Difference, outline_mm: Points) -> bool:
    """Whether the board shows as it is drawn within a convex outline (n × 2 mm): then nothing
    lies there. False beside the board, of which nothing is known."""
    inside: Mask = np.zeros(difference.angle.shape, dtype=np.uint8)
    outline = np.round(grid_px(box, outline_mm)).astype(np.int32)
    cv2.fillConvexPoly(inside, outline, 1)
    open_ = inside > 0
    if np.count_nonzero(open_) < LEAST_SPOTS:
        return False
    return _strength(difference.residual[:, open_]) < BARE


@dataclass(frozen=True, eq=False)
class _Parts:
    """Some sites of the flattened board, one after another; their figures cost one call."""

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
    from that mean (root mean square, per site): shade and glare are even over so small a place, a
    piece that nobody could read is not."""
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


def _slope(difference: Difference) -> Floats:
    """Change of the residual per grid pixel, height × width.

    The drawing's edges are left out and bridged: shade over a line is no rim.
    """
    weight = difference.pure.astype(np.float32)
    total = cv2.blur(cv2.merge(list(difference.residual * weight)), (3, 3))
    smooth = np.asarray(total) / np.maximum(np.asarray(cv2.blur(weight, (3, 3))), 0.1)[..., None]
    across = np.asarray(cv2.Sobel(smooth, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8))
    down = np.asarray(cv2.Sobel(smooth, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8))
    return floats(np.sqrt(cv2.transform(across**2 + down**2, np.ones((1, 3)))))


def _strength(residual: Floats) -> float:
    """Root mean square of residuals, 3 × n."""
    return float(np.sqrt((residual**2).sum(axis=0).mean()))


def _drawing(difference: Difference, parts: _Parts, open_: Bools) -> Points:
    """How well the drawing can be seen in several places: correlation of seen and expected colours,
    (n,). Shade and glare leave it high, things that hide it make it vanish. Not a number where
    nothing much is drawn, or most of it is not open to view.

    ``open_``: flat, what of the board counts.
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


def _vanished(difference: Difference, hidden: Mask, masks: Masks, empty: Iterable[str]) -> set[str]:
    """The sites of ``empty`` whose drawing cannot be seen although nothing known is in front."""
    parts = _Parts.of(masks.surroundings, empty)
    open_ = (hidden.ravel() == 0) & ~masks.letters
    shown = _drawing(difference, parts, open_)
    return {site for site, drawing in zip(parts.sites, shown, strict=True) if drawing < HIDDEN_SITE}


def _sharp(difference: Difference, slope: Floats, inside: Bools) -> bool:
    """Whether much of a blob's rim is a step rather than a slope."""
    kernel = np.ones((3, 3), dtype=np.uint8)
    mask = inside.astype(np.uint8)
    rim = np.asarray(cv2.dilate(mask, kernel)) > np.asarray(cv2.erode(mask, kernel))
    rim &= difference.pure
    if not rim.any() or not (inside & difference.pure).any():
        return False
    height = _strength(difference.residual[:, inside & difference.pure])
    steepest = np.asarray(cv2.dilate(slope, kernel))
    return float(np.mean(steepest[rim] > RIM_SLOPE * height)) > RIM_SHARE
