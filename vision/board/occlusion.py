"""Things over the board that are no pieces: hands, sleeves, cloths, cups.

Skin is not looked for. A hand is whatever differs from the bare board (``appearance``) outside
the pieces that were read, in a blob too large or too oddly placed for a piece. Shade and glare
differ too, but softly: they darken or whiten the board's own colour and have no sharp rim.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from rules.box import Box
from vision.arrays import Bools, Floats, Mask, Points, floats, median, points
from vision.board.alike import lost_alike, odd_fields
from vision.board.appearance import BARE, Difference
from vision.board.blobs import (
    FINGER_MM,
    MORE,
    MOST,
    NOWHERE,
    PIECE_LIMIT_MM,
    Blob,
    Same,
    Spots,
    as_thick_as_a_finger,
    changed,
    holds_disc,
    long_side,
    over,
    reaches_far,
    reaches_in,
    told_as_one,
    within,
)
from vision.board.detail import NOTHING, Detail, Parts, plain, visibilities, visibility
from vision.board.flattening import MM_PER_PX, grid_px
from vision.board.foreign import OFF_PLANE_DEG, black, doubt, rugged, tinted, where
from vision.board.masks import Masks
from vision.board.pose import BoardPose
from vision.board.shadow import Lamp, unlit
from vision.board.steps import LINE_PX

LEAST_MM2 = 1.6 * FINGER_MM**2
RIM_SLOPE = 0.2
"""A rim is sharp where a grid pixel changes by this share of the blob's mean difference."""
RIM_SHARE = 0.35
"""Shade and glare have less of a sharp rim than this: the halo of a laser has 0.12, hands have 0.45
and more."""
LEAST_SPOTS = 8
"""Number of open grid pixels needed to tell whether a site looks bare."""
OPEN = 0.3
"""Share of a site that must be open for anything to be said of it. Chosen, not measured: what is
open of less is mostly beside the edge of what hides the rest."""
PART = 0.25
"""Least share of the open part of a site that a piece on it takes up: where more is strange, in the
dark or below a thing, there may be one that could not be read."""
ANYTHING = 0.05
"""The same where fields are told by their colours alone: light on one that is plain, or a slim
piece."""
SHOWS = 0.4
"""Correlation of seen and expected colours from which the drawing shows: bare sites have 0.79 and
more in the first picture, 0.98 in later ones, 0.46 below glare; below hands and a grey cloth it is
0.38 and less."""
ODD = 6.0
"""A drawing is odd that shows worse than most by this many times their median deviation, which is
about four standard deviations."""
DOUBT_PX = 1
"""Grid pixels (2 mm) by which printers, fingers that map a board, and uncalibrated lenses move a
drawing: finer lines cannot be missed, and the rest is looked for that far around."""
INSIDE, AROUND = 0.97, 60
"""Share of a thing that must be within an outline, and about how many of its pixels are asked: a
grid pixel may jut out, and not every one need be asked."""
HEAPED = 0.98
"""Share of a thing that lies within the outlines of unread pieces, drawn with the doubt about their
places, if it is a heap of them. Rows of stones had 0.99 and more, hands and sleeves over their
places 0.97 and less."""
WIDER = 1.5
"""Width of a disc, per that of a piece, that fits into no heap of pieces."""
TABLE = 0.25
"""A side of the margin that looks more foreign may be table: two fingertips at its rim are 0.11,
carpet 0.33 and more."""


@dataclass(frozen=True, eq=False)
class Shown:
    """The board in one look, compared with its bare self, as far as it can be judged."""

    difference: Difference
    alien: Bools
    """True where it looks ``foreign``."""
    hidden: Mask
    """255 where pieces lie, or their shade."""
    shade: Bools | None = None
    """True where it is their shade."""
    lamp: Lamp | None = None
    """The hard lamp that throws it, if there is one."""
    lit: Bools | None = None
    """True where it is the board itself in a patch of sun or shade."""
    things: Bools | None = None
    """True where its drawing would show in any light, and does not."""
    across: Spots = field(default_factory=NOWHERE.copy)
    """Flat indices of where things lie ``across`` an own board's outline, or come in between two
    rims (``contours``)."""
    drawn: Difference | None = None
    """The same by what is drawn at places alike, of an own board."""
    unread: Mapping[str, npt.NDArray[np.intp]] = field(default_factory=dict)
    """Sites that seem to hold a piece that cannot be told, and the flat indices of what it would
    hide."""
    fine: Detail | None = None
    """The fine drawing of ``drawn``, where nothing but the board shows, if it was looked at."""
    same: Same | None = None
    """Tells where it looks as it did when nobody reached in, if it was looked at then."""

    @cached_property
    def detail(self) -> Detail:
        """The fine drawing that should show."""
        if self.fine is not None and self.drawn is self.difference:
            return self.fine
        return Detail(self.difference, self._open)

    @cached_property
    def alike(self) -> Detail | None:
        """The fine drawing by places alike, if anything is known from them."""
        if self.drawn is None or self.drawn.alike is None:
            return None
        return self.fine or Detail(self.drawn, self._open)

    @property
    def _open(self) -> Bools:
        """True where the board shows in a light like most of it."""
        open_: Bools = (self.hidden == 0) & ~self.alien
        return open_ if self.lit is None else open_ & ~self.lit

    @cached_property
    def blinding(self) -> Bools:
        """True where light blinds the camera: a patch of sun, a reflection, no white sticker."""
        bright: Bools = self.difference.too_bright & (self.hidden == 0)
        if not bright.any():
            return bright
        some = bright.astype(np.uint8)
        speck = np.ones((3, 3), np.uint8)
        full: Mask = np.asarray(cv2.morphologyEx(some, cv2.MORPH_OPEN, speck), dtype=np.uint8)
        if not self.difference.uneven:
            # A tube lamp's mirror image is as thin as a speck, but long; so are rims of sun.
            _, labels, stats, _ = cv2.connectedComponentsWithStats(some)
            large = stats[:, cv2.CC_STAT_AREA] * MM_PER_PX**2 >= LEAST_MM2
            large[0] = False
            full |= large[np.asarray(labels)].astype(np.uint8)
        # Light spills over on a sensor, and between the pixels of the grid.
        return np.asarray(cv2.dilate(full, np.ones((5, 5), np.uint8))) > 0


@dataclass(frozen=True)
class Coverage:
    """The findings over the board in one look."""

    hand: bool
    covered: frozenset[str]
    """Sites that cannot be seen and where no sticker was read."""
    blobs: tuple[Blob, ...]
    hands: tuple[Blob, ...] = ()
    """The ``blobs`` that nothing but a hand explains."""
    resting: tuple[Blob, ...] = ()
    """The ``blobs`` that lie where they lay before."""
    strange: Mapping[str, float] = field(default_factory=dict)
    """Unlikeness of each empty site to the bare board: 0 is as expected, 0.3 is hardly bare. Sites
    without an open part are left out."""
    glaring: frozenset[str] = frozenset()
    """The ``covered`` sites in which a lamp is mirrored, or that lie in burning light."""
    blank: frozenset[str] = frozenset()
    """Empty sites whose board was never seen and shows nothing that would be missed."""
    vanished: frozenset[str] = frozenset()
    """Empty sites whose drawing should be seen and is not, which no piece explains."""


def _table(shown: Shown, masks: Masks) -> Bools:
    """True where the table may show between a board and its corner stickers: beyond all drawing,
    where the board was never seen, on sides of which much looks foreign."""
    table = np.zeros_like(shown.alien)
    for side in masks.margins:
        open_ = side & ~shown.difference.known & (shown.hidden == 0)
        if np.count_nonzero(shown.alien & open_) > TABLE * np.count_nonzero(open_):
            table |= open_
    return table


def find_blobs(shown: Shown, masks: Masks) -> list[Blob]:
    """The foreign parts that are things, not specks, shade or glare."""
    difference = shown.difference
    alien = shown.alien & (shown.hidden == 0)
    if not (alien.any() or len(shown.across)):
        return []
    detail = shown.detail
    # A thing that ends at a blinding reflection goes on in it.
    blinding = shown.blinding
    shown = replace(shown, hidden=shown.hidden | blinding * np.uint8(255), fine=None)
    alien &= (shown.hidden == 0) & ~_table(shown, masks)
    mask = alien.astype(np.uint8)
    kernel = cv2.getStructuringElement(cv2.MORPH_RECT, (3, 3))
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel), dtype=np.uint8)
    # What may be seen to be a thing by its shape alone.
    shapes = np.zeros_like(mask)
    shapes.ravel()[shown.across] = 1
    mask |= shapes
    # A line of the drawing does not end a thing that lies on both sides of it.
    wide = np.asarray(
        cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((LINE_PX, LINE_PX), np.uint8))
    )
    mask |= ((wide > 0) & ~difference.pure & (shown.hidden == 0)).astype(np.uint8)
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, kernel), dtype=np.uint8)
    if cv2.countNonZero(mask) * MM_PER_PX**2 < LEAST_MM2:
        return []
    # A hand ends where something lies that lay there before.
    lay = np.zeros_like(alien) if shown.same is None else shown.same() & (shapes == 0)
    parts = [
        (labels == number, float(area) * MM_PER_PX**2, old)
        for old, part in ((False, mask * ~lay), (True, mask * lay))
        for labels, stats in [cv2.connectedComponentsWithStats(part, connectivity=8)[1:3]]
        for number, area in enumerate(stats[:, cv2.CC_STAT_AREA])
        if number and area * MM_PER_PX**2 >= LEAST_MM2
    ]
    if not parts:
        return []
    other = where(difference, difference.off_plane > OFF_PLANE_DEG * doubt(difference)[1])
    slope = _slope(shown)
    lit = np.zeros_like(alien) if shown.lit is None else shown.lit
    blobs = []
    for inside, area, old in parts:
        stuff = float(np.count_nonzero(other[inside & alien])) * MM_PER_PX**2
        spots = np.flatnonzero(inside)
        drawing = float(visibility(difference, Parts(("",), spots, (0,)), inside.ravel())[0])
        through = detail.steps.show(inside)
        told = through is False or bool(shapes[inside].any()) or black(difference, spots)
        told |= shown.things is not None and float(shown.things[inside].mean()) > MORE
        blob = Blob(area, points(masks.mm[inside]), spots, lay=old)
        if not told and through is None and shown.alike is not None:
            told = blob.large and shown.alike.hides(inside)
        if not told:
            # Unless light falls in patches, what is large or comes in has a soft rim as it moves.
            patchy = difference.uneven or not (blob.large or reaches_far(blob, masks))
            soft = np.isnan(drawing) and patchy
            light = drawing >= SHOWS or (soft and not _sharp(shown, slope, inside))
            if through or (light and stuff < MORE * area):
                continue
        blobs.append(replace(blob, told=told))
    if not difference.uneven:
        blobs = _alone(blobs, difference, lit, other)
    return told_as_one(blobs, blinding)


def _alone(blobs: Sequence[Blob], difference: Difference, lit: Bools, other: Bools) -> list[Blob]:
    """``blobs``, those that are not told apart from light among them only as far as there is as
    much more like them, of the board's hue or not: one thing is a thing, light falls in patches.

    ``lit``: where there is light by what is drawn. ``other``: where the hue is another.
    """
    hues = [tinted(difference, blob.spots) for blob in blobs]
    patches = {
        hue: MM_PER_PX**2 * np.count_nonzero(lit & other if hue else lit)
        + sum(b.area_mm2 for b, one in zip(blobs, hues, strict=True) if one == hue and not b.told)
        for hue in (False, True)
    }
    return [
        replace(blob, told=blob.told or bool(2 * blob.area_mm2 > patches[hue]))
        for blob, hue in zip(blobs, hues, strict=True)
    ]


def judge(
    box: Box, masks: Masks, pose: BoardPose, shown: Shown, blobs: Sequence[Blob],
    empty: Sequence[str], missing: Collection[int], piles: Sequence[tuple[Points, float]],
) -> Coverage:  # fmt: skip
    """Decide if the ``blobs`` are a hand, and which of the ``empty`` sites they cover.

    ``missing``: corner stickers that could not be read. ``piles``: what each hides, n × 2 mm, and
    how high it may be above a single piece, mm.
    """
    vanished, blank = _vanished(shown, masks, empty, bool(missing))
    unseen, strange = _unseen(shown, masks, blobs, empty)
    covered = vanished | unseen
    at_id = {c.id: np.array(c.at) for c in box.corners}
    corners = [at_id[sticker] for sticker in missing]
    hands: list[Blob] = []
    resting: list[Blob] = []
    # Most looks show nothing that would have to be explained.
    light = shown.blinding.ravel()
    nowhere = np.empty(0, dtype=np.bool_)
    beyond = _table(shown, masks).ravel() if blobs else nowhere
    beside_piles = masks.beside_piles(piles).ravel() > 0 if blobs else nowhere
    explained = {site for site in vanished if light[masks.surroundings[site]].any()}
    heap = np.concatenate([np.empty(0, dtype=np.intp), *shown.unread.values()])
    if len(heap):
        piled = masks.inside(heap)
        explained |= {s for s in vanished if piled[masks.surroundings[s]].any()}
    for blob in blobs:
        comes_in = bool(np.isin(blob.spots, shown.across).any())
        by_corner = any(float(np.abs(blob.mm - at).max()) < PIECE_LIMIT_MM / 2 for at in corners)
        some = () if blob.large else covered
        at = [site for site in some if _fits(blob, masks.reach(pose, site))]
        if at:
            # Neighbours' drawings that one piece hides are not hidden by something larger.
            inside = masks.inside(blob.spots)
            explained.update(s for s in vanished if inside[masks.surroundings[s]].any())
            explained.update(at)
        near = float(beside_piles[blob.spots].mean())
        by_pile = near > MOST and not (blob.large or reaches_in(blob, masks, beyond))
        # The board was never seen there, and the thing hides nothing that is played on.
        outside = float(beyond[blob.spots].mean()) > MOST
        outside |= bool(box.outline) and _may_be_rim(blob, shown, masks)
        by_heap = len(heap) > 0 and _is_heap(blob, heap, shown, masks)
        thrown = _may_be_thrown(box, blob, shown, masks, beyond)
        thick = comes_in or as_thick_as_a_finger(blob, masks)
        untold = not (blob.told or blob.large or comes_in or reaches_far(blob, masks))
        if not thick or at or by_heap or thrown or untold:
            continue
        if (outside or by_corner or by_pile) and not comes_in:
            continue
        (resting if blob.lay else hands).append(blob)
    # One site without its drawing may hold a piece that cannot be read; two neighbours without
    # theirs, and no outline of a piece on either, lie below something larger.
    hands = [replace(b, sure=_is_no_table(b, shown, masks, beyond)) for b in hands]
    gone = {s for s in vanished - explained if changed(masks.surroundings[s], shown.same)}
    if _below_one_thing(masks, pose, gone):
        hands.append(over(gone, masks))
    bare = {site: masks.middle[site] for site in empty}
    for things in (hands, *([blob] for blob in resting if not _is_frame(blob, masks))):
        covered |= within(things, bare)
    places = {site: masks.sites[site] for site in covered if len(masks.sites.get(site, ()))}
    glaring = {s for s, spots in places.items() if light[spots].mean() > PART}
    return Coverage(
        bool(hands), frozenset(covered), tuple(blobs), tuple(hands), tuple(resting), strange,
        frozenset(glaring), frozenset(blank), frozenset(gone),
    )  # fmt: skip


def _may_be_thrown(box: Box, blob: Blob, shown: Shown, masks: Masks, beyond: Bools) -> bool:
    """True if a blob may be the black shadow of a piece that was not read: no arm, for it does not
    come from beyond the rim, and is as dark, as long and as narrow as the hard lamp makes it."""
    if shown.lamp is None or reaches_in(blob, masks, beyond):
        return False
    # The rest may be the piece itself.
    dark = float(unlit(shown.difference, blob.spots).mean()) > MORE
    return dark and shown.lamp.may_shade(box.kinds.values(), blob.mm)


def _is_no_table(blob: Blob, shown: Shown, masks: Masks, beyond: Bools) -> bool:
    """True if a blob is no part of the table: it came to where the board itself was seen, and is
    larger than a piece or reaches in from outside, as arms do."""
    return _came(blob, shown) and (blob.large or reaches_in(blob, masks, beyond))


def _hides_a_site(blob: Blob, masks: Masks) -> bool:
    """True if a blob lies over a part of a site."""
    inside = masks.inside(blob.spots)
    return any(inside[places].any() for places in masks.sites.values())


def _may_be_rim(blob: Blob, shown: Shown, masks: Masks) -> bool:
    """True if a blob may belong to the rim of an own board: table within an outline that was not
    dragged quite true, a label, a frame. It goes along the rim and hides no site; and where the
    board was seen before, it has no room for a finger: the rest was never seen to be otherwise."""
    if not reaches_in(blob, masks) or _hides_a_site(blob, masks):
        return False
    if masks.inwards[blob.spots].max() >= long_side(blob.mm):
        return False
    came = blob.spots[shown.difference.known.ravel()[blob.spots]]
    return not (len(came) and as_thick_as_a_finger(replace(blob, spots=came), masks))


def _is_frame(blob: Blob, masks: Masks) -> bool:
    """True if a blob lies around all sites: nowhere it reaches in as far as the middle of one."""
    depths = [
        float(np.median(masks.inwards[spots])) for spots in masks.sites.values() if len(spots)
    ]
    return float(masks.inwards[blob.spots].max()) < min(depths, default=0.0)


def _came(blob: Blob, shown: Shown) -> bool:
    """True if the board itself was seen before where a blob is now."""
    return float(shown.difference.known.ravel()[blob.spots].mean()) > MORE


def _is_heap(blob: Blob, heap: npt.NDArray[np.intp], shown: Shown, masks: Masks) -> bool:
    """True if a blob is nothing but unread pieces side by side (flat indices of what they hide):
    there is board between round ones, however close they lie."""
    # Without what was closed between its parts.
    stuff = blob.spots[shown.alien.ravel()[blob.spots]]
    pieces: Mask = np.zeros(masks.size[::-1], dtype=np.uint8)
    pieces.ravel()[heap] = 1
    pieces = np.asarray(cv2.dilate(pieces, np.ones((2 * DOUBT_PX + 1,) * 2, np.uint8)))
    if not len(stuff) or float(pieces.ravel()[stuff].mean()) < HEAPED:
        return False
    if not blob.large:
        return True
    if _came(blob, shown) and reaches_far(blob, masks):
        return False
    # No disc wider than the pieces fits into a heap.
    bodies = [masks.mm.reshape(-1, 2)[spots] for spots in shown.unread.values() if len(spots)]
    wide = WIDER * max(float(np.ptp(body, axis=0).max()) for body in bodies)
    return not holds_disc(replace(blob, spots=stuff), masks, wide)


def _below_one_thing(masks: Masks, pose: BoardPose, sites: Collection[str]) -> bool:
    """True if neighbours among ``sites`` are too far apart for one piece to hide their drawings."""
    for one in sites:
        reach = masks.reach(pose, one)
        for other in masks.neighbours[one] & set(sites):
            x, y = masks.middle[other]
            if cv2.pointPolygonTest(reach, (float(x), float(y)), False) < 0:
                return True
    return False


def shows_board(box: Box, difference: Difference, outline_mm: Points) -> bool:
    """True if the board shows as it is drawn within a convex outline (n × 2 mm): then nothing lies
    there. False beside the board, about which nothing is known."""
    inside: Mask = np.zeros(difference.pure.shape, dtype=np.uint8)
    outline = np.round(grid_px(box, outline_mm)).astype(np.int32)
    cv2.fillConvexPoly(inside, outline, 1)
    open_ = inside > 0
    if np.count_nonzero(open_) < LEAST_SPOTS:
        return False
    return _strength(difference.residual[:, open_]) < BARE


def _roughness(difference: Difference, parts: Parts, open_: Bools) -> Points:
    """Deviation of the residual from its mean over each site where it is ``open_`` (root mean
    square, per site): shade and glare are even over so small a place, an unreadable piece is not.
    """
    residual = parts.of_planes(difference.residual) * open_
    count = np.maximum(parts.totals(open_), 1)
    mean = parts.totals(residual) / count
    square = parts.totals(np.einsum("kn,kn->n", residual, residual)) / count
    return np.asarray(np.sqrt(np.maximum(square - (mean**2).sum(axis=0), 0)))


def _fits(blob: Blob, hull: Floats) -> bool:
    """True if a blob may be a piece whose sticker cannot be read; ``hull``: all that such a piece
    could hide, n × 2 mm."""
    low, high = blob.box_mm
    if (low > hull.max(axis=0)).any() or (high < hull.min(axis=0)).any():
        return False
    rim = ((low[0], low[1]), (low[0], high[1]), (high[0], low[1]), (high[0], high[1]))
    if all(cv2.pointPolygonTest(hull, (float(x), float(y)), False) >= 0 for x, y in rim):
        return True
    some = blob.mm[:: max(1, len(blob.mm) // AROUND)]
    inside = [cv2.pointPolygonTest(hull, (float(x), float(y)), False) >= 0 for x, y in some]
    return float(np.mean(inside)) > INSIDE


def _slope(shown: Shown) -> Floats:
    """Change of the residual per grid pixel, height × width.

    The drawing's edges are left out and bridged: shade over a line is not a rim. So is what is
    hidden: what lies there differs as well, and ends sharply.
    """
    difference, open_ = shown.difference, shown.hidden == 0
    weight = (difference.pure & open_).astype(np.float32)
    total = cv2.blur(cv2.merge(list(difference.residual * weight)), (3, 3))
    # One of nine pixels at least; around others there is nothing to be shared out.
    share = np.maximum(np.asarray(cv2.blur(weight, (3, 3))), 1 / 9)
    smooth = np.asarray(total) / share[..., None]
    across = np.asarray(cv2.Sobel(smooth, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8))
    down = np.asarray(cv2.Sobel(smooth, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8))
    return floats(np.sqrt(cv2.transform(across**2 + down**2, np.ones((1, 3)))) * open_)


def _strength(residual: Floats) -> float:
    """Root mean square of residuals, 3 × n."""
    return float(np.sqrt((residual**2).sum(axis=0).mean()))


def _vanished(
    shown: Shown, masks: Masks, empty: Iterable[str], doubtful: bool
) -> tuple[set[str], set[str]]:
    """The sites of ``empty`` whose drawing cannot be seen although nothing known is in front, and
    those of which neither a drawing nor the board is known. ``doubtful``: their places are."""
    parts = Parts.of(masks.surroundings, empty)
    open_ = ((shown.hidden == 0) & ~shown.blinding).ravel() & ~masks.letters
    seen = visibility(shown.difference, parts, open_)
    known = parts.totals(shown.difference.known.ravel().take(parts.spots))
    new = known < MORE * parts.sizes
    nothing = np.isnan(seen)
    plain_here = [s for s, one in zip(parts.sites, nothing & ~new, strict=True) if one]
    lost = shown.detail.lost(Parts.of(masks.surroundings, plain_here), open_)
    if shown.alike is not None:
        lost |= lost_alike(shown.alike, shown.alien, masks, parts.sites, open_, doubtful)
    blank = {site for site, one in zip(parts.sites, nothing & new, strict=True) if one}
    if nothing.all():
        return lost, blank
    # The visibility of this board's drawing elsewhere tells what would be missed.
    told = seen[~nothing]
    usual = median(told.tolist())
    spread = median(np.abs(told - usual).tolist())
    limit = min(SHOWS, usual - ODD * spread)
    gone = [site for site, drawing in zip(parts.sites, seen, strict=True) if drawing < limit]
    if gone:
        gone = [*_missed(shown.difference, Parts.of(masks.surroundings, gone), open_)]
    return lost | {site for site in gone if not _shows_through(shown, open_, masks, site)}, blank


def _shows_through(shown: Shown, open_: Bools, masks: Masks, site: str) -> bool:
    """True if a site's fine drawing is seen, however the light changes across it: the rim of a
    shade differs more than all that is drawn."""
    spots = masks.surroundings[site]
    if shown.alien.ravel()[spots].mean() > PART:
        return False
    part = (masks.inside(spots) & open_).reshape(shown.alien.shape)
    through = shown.detail.steps.show(part)
    if through is None and shown.lit is not None and part.any():
        return float(shown.lit[part].mean()) > MORE
    return through is True


def _missed(difference: Difference, parts: Parts, open_: Bools) -> set[str]:
    """The ``parts`` whose drawing is not to be seen anywhere near its place either, and of which
    enough would be to be missed. Where the board itself was seen before, and from here, that is all
    of it; of a mere drawing it is what is left when it is blurred by the doubt about its place, or
    all of it where nothing is drawn at all."""
    wide = 2 * DOUBT_PX + 1
    weight = open_.reshape(difference.pure.shape).astype(np.float32)
    share = np.maximum(np.asarray(cv2.blur(weight, (wide, wide))), NOTHING)
    expected, seen = (
        floats(np.stack([cv2.blur(plane * weight, (wide, wide)) / share for plane in planes]))
        for planes in (difference.expected, difference.seen)
    )
    coarse = replace(difference, expected=expected, seen=seen)
    known = parts.totals(difference.known.ravel()[parts.spots])
    surely = difference.steady & (known > MORE * parts.sizes)
    surely |= plain(difference, parts, open_)
    doubt_px = range(-DOUBT_PX, DOUBT_PX + 1)
    shifts = [(down, right) for down in doubt_px for right in doubt_px]
    fine, rough = (visibilities(each, parts, open_, shifts) for each in (difference, coarse))
    best = np.fmax.reduce(np.where(surely, fine, rough), axis=0)
    return {site for site, drawing in zip(parts.sites, best, strict=True) if drawing < SHOWS}


def _unseen(
    shown: Shown, masks: Masks, blobs: Iterable[Blob], empty: Iterable[str]
) -> tuple[set[str], dict[str, float]]:
    """The sites of ``empty`` with too little to be seen, and how strange they all look."""
    things = shown.blinding.flatten()
    for blob in blobs:
        things[blob.spots] = True
    parts = Parts.of(masks.sites, empty)
    open_ = shown.hidden.ravel().take(parts.spots) == 0
    free = np.maximum(parts.totals(open_), NOTHING)
    whole = parts.sizes
    narrow = free < OPEN * whole
    if shown.shade is not None:
        # A piece may stand in the dark as well as behind another one.
        dark = parts.totals(shown.shade.ravel().take(parts.spots)) > PART * whole
        narrow |= dark & (free < MORE * whole)
    below = parts.totals(open_ & things.take(parts.spots)) > PART * free
    # Of fields that are told by their colours alone nothing is known that would show in light.
    by_colour = shown.difference.by_colour
    part = ANYTHING if by_colour else PART
    odd = parts.totals(open_ & shown.alien.ravel().take(parts.spots)) > part * free
    rough = _roughness(shown.difference, parts, open_)
    # It may hold a piece of any kind.
    untold = odd_fields(shown.difference, parts, open_)
    rough[untold] = np.maximum(rough[untold], 1)
    cannot_be_seen = narrow | below | odd | untold
    if shown.lit is not None:
        lit = parts.totals(open_ & shown.lit.ravel().take(parts.spots))
        for number in np.flatnonzero((lit > 0) | by_colour):
            # What lies there may look like patches of light.
            spots = masks.sites[parts.sites[number]]
            much = by_colour and lit[number] > part * free[number]
            if not cannot_be_seen[number] and (much or rugged(shown.difference, spots)):
                inside = masks.inside(spots).reshape(shown.alien.shape) & (shown.hidden == 0)
                cannot_be_seen[number] = not shown.detail.steps.show(inside)
    unseen = {site for site, one in zip(parts.sites, cannot_be_seen, strict=True) if one}
    strange = {
        site: float(value)
        for site, value, count in zip(parts.sites, rough, free, strict=True)
        if count >= LEAST_SPOTS
    }
    return unseen, strange


def _sharp(shown: Shown, slope: Floats, inside: Bools) -> bool:
    """True if much of a blob's rim is a step rather than a slope; where it goes on below what is
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
