"""The camera's belief about the board, with the figures that say how well it sees."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from types import MappingProxyType

import cv2
import numpy as np

from rules.box import Box, PieceKind, Site
from rules.errors import Sentence
from rules.reading.sighting import (
    EMPTY,
    UNRECORDED,
    Glimpse,
    Look,
    SiteBelief,
    Stray,
    heap_of,
    look_text,
)
from vision.arrays import Points, floats
from vision.board.pose import BoardPose

UNLIKELY = -9.0
"""Log likelihood that a sticker was read where none is, or overlooked where one is: vision.md
counts no false hit of a listed id in thousands of places, so this is about 1 in 8000."""

STRANGE = (0.08, 0.12, 0.16, 0.2, 0.3)
OVERLOOKED = (-9.0, -6.5, -4.8, -4.2, -3.2)
"""Log likelihood that a piece lies at a site where none was read, for how strange the site looks.
Counted on rendered pictures in hard light: none of 1279 sites below 0.12, 1 of 180 at 0.14, 1 of
105 at 0.18, 1 of 38 from 0.2 to 0.3 (``benchmarks.beliefs``)."""
MOST_HIDDEN = 0.8
"""However much is hidden, what was read is likelier to be everything."""
BENEATH, MOST_BENEATH = -0.5, 4
"""Log likelihood that pieces over whose stickers others were laid are still there; a little less
than that hands took them away. And the maximum number of which it is told which."""
UNREAD = -0.5
"""Log likelihood that a thing among pieces is one whose sticker cannot be read, whichever; a little
less than that it is none, for the record need not explain what is none."""
TALLER_MM = 10.0
"""Pieces taller by this much hide others that stand behind them or lie below."""
OVERLAP = 0.85
"""Pieces nearer to each other than this share of their half widths lie on each other."""
PILE_STEP_MM = 8.0
"""Heights that differ by less cannot be told apart."""


@dataclass(frozen=True, eq=False)
class SeenPiece:
    """A piece whose sticker was read."""

    kind: str
    sticker: int
    at_mm: tuple[float, float]
    """Place of its foot on the board."""
    site: str | None
    """The site it belongs to; None if it lies beside every site or at one that does not take it."""
    corners_mm: Points
    """Corners of the sticker's black square at the sticker's height, 4 × 2 mm."""
    corners_px: Points
    """The same in the picture, 4 × 2 px."""
    body_mm: Points
    """The part of the board that the piece hides: points whose hull it is, n × 2 mm."""
    pose: str = ""
    """One of the kind's poses; empty where it has none."""
    height_mm: float = 0.0
    """Height of its sticker above the board; more than the kind's own on top of a pile."""
    cells_mm: tuple[Points, ...] = ()
    """The parts that the cells of a piece over several hide, as ``body_mm`` of all."""

    @property
    def parts_mm(self) -> tuple[Points, ...]:
        """The convex parts of what it hides."""
        return self.cells_mm or (self.body_mm,)

    @property
    def ways(self) -> tuple[complex, ...]:
        """The direction to the right of its sticker, x + iy of length 1."""
        x, y = (self.corners_mm[[1, 2]] - self.corners_mm[[0, 3]]).sum(axis=0).tolist()
        return (complex(x, y) / math.hypot(x, y),)

    def laid(self, site: str | None, poses: Sequence[str] = ()) -> SeenPiece:
        """The same piece at a site, in the first of ``poses`` if it is turned."""
        return replace(self, site=site, pose=poses[0] if poses else self.pose)


@dataclass(frozen=True, slots=True)
class BarePiece:
    """A piece that was recognised by colour and outline."""

    kind: str
    """The likeliest kind, or the first of several that look alike."""
    site: str | None
    """None if it lies beside every site that takes it."""
    at_mm: tuple[float, float]
    """Middle of its foot."""
    likely: Mapping[Look, float]
    """Log likelihoods of single pieces, the best 0."""
    body_mm: Points
    """The part of the board that it hides: points whose hull it is, n × 2 mm."""
    height_mm: float
    lab: tuple[float, float, float]
    """Its colour in white light."""
    ways: tuple[complex, ...] = ()
    """Of a piece on a lattice: the directions to its right that are equally likely, x + iy of
    length 1."""
    cells_mm: tuple[Points, ...] = ()
    """The parts that the cells of a piece over several hide, as ``body_mm`` of all."""
    tone: tuple[float, float, float] | None = None
    """If pieces may touch: brightness and, twice, hue of its light per the board's, logarithms."""

    @property
    def parts_mm(self) -> tuple[Points, ...]:
        """The convex parts of what it hides."""
        return self.cells_mm or (self.body_mm,)

    @property
    def pose(self) -> str:
        """Its likeliest pose."""
        return max(self.likely, key=self.likely.__getitem__)[0].pose

    def laid(self, site: str | None, poses: Sequence[str] = ()) -> BarePiece:
        """The same piece at a site; ``poses``: those that are equally likely, if it is turned."""
        likely: dict[Look, float] = {
            (Glimpse(look[0].kind, pose),): score
            for look, score in self.likely.items() for pose in poses or (look[0].pose,)
        }  # fmt: skip
        return replace(self, site=site, likely=likely)


@dataclass(frozen=True, eq=False)
class Sighting:
    """One look at the table; follows ``rules.reading.sighting.Sighting``."""

    sites: Mapping[str, SiteBelief]
    hand: bool
    """True if something else than pieces lies or moves over the board: nothing may be concluded."""
    strays: tuple[Stray, ...] = ()
    still: bool = True
    """True if the picture has held still long enough to be read, as all in a folder have."""
    board: str = "found"
    """``found`` or ``lost``; while it is lost, ``sites`` is empty."""
    reason: Sentence | None = None
    """Reason why the board is lost or its stickers unread, and what to do; None if all is well."""
    pose: BoardPose | None = None
    trembling: bool = False
    """True if the camera shakes too much: for seconds no picture has held still."""
    moved: bool = False
    """True if the camera or the board was bumped: the pose had to be found again."""
    pieces: tuple[SeenPiece, ...] = ()
    bare: tuple[BarePiece, ...] = ()
    """Pieces without a sticker that was read, recognised by their colour."""
    bare_found: frozenset[str] = frozenset()
    """Groups of pieces that were found to carry no stickers."""
    occluded: frozenset[str] = frozenset()
    """Sites that something hides."""
    unshown: frozenset[str] = frozenset()
    """The hidden sites whose board is neither drawn beforehand nor was ever seen free."""
    glaring: frozenset[str] = frozenset()
    """Sites that cannot be seen because a lamp is mirrored there."""
    strange: Mapping[str, float] = field(default_factory=dict)
    """Unlikeness of sites without a piece to the bare board; 0 is as expected."""
    lattice: tuple[str, ...] = ()
    """Codes of what hands should know about pieces on a lattice: ``at_edge``, no more fit between
    them and the table's edge; ``between``, one lies between two cells or askew."""
    light: float = 0.0
    """Median brightness of the board in the picture, 0 (black) to 1 (white)."""
    sharpness: float = 0.0
    """Steepest edge of the corner stickers: share of the contrast per px; below 0.15 is blurred."""
    px_per_module: float = 0.0
    """Size of the smallest piece sticker's modules in px; 2 is the minimum that can be read."""
    pose_error_px: float = 0.0
    ms: Mapping[str, float] = field(default_factory=dict)
    """Milliseconds per part of the work, and ``total``."""

    @property
    def table(self) -> dict[str, str]:
        """The likeliest pieces of each site that is not bare, as text."""
        return {
            site: look_text(belief.best)
            for site, belief in self.sites.items()
            if not belief.occluded and belief.best != EMPTY
        }


def pose_of(kind: PieceKind, sticker: int, at_mm: tuple[float, float], corners_mm: Points) -> str:
    """The pose of a piece, from its sticker: which one is seen, and which way it points.

    ``corners_mm``: 4 × 2, from the sticker's upper left corner clockwise. A figure that faces
    along a ring (poses ``cw`` and ``ccw``) has its sticker's upper side in front.
    """
    if not kind.poses:
        return ""
    if kind.is_die:
        return kind.face_of(sticker)
    if sticker in kind.lying_stickers:
        return "lying"
    if "cw" in kind.poses:
        front = corners_mm[:2].mean(axis=0) - corners_mm[2:].mean(axis=0)
        clockwise = float(front[0] * at_mm[1] - front[1] * at_mm[0])
        return "cw" if clockwise >= 0 else "ccw"
    return kind.poses[0]


def lost(reason: Sentence, ms: Mapping[str, float]) -> Sighting:
    """A sighting of no board."""
    return Sighting(sites={}, hand=False, board="lost", reason=reason, ms=ms)


def site_beliefs(
    box: Box,
    pieces: Iterable[SeenPiece],
    occluded: frozenset[str],
    unseen: frozenset[str] = frozenset(),
    strange: Mapping[str, float] = MappingProxyType({}),
    beneath: Iterable[SeenPiece] = (),
    unread: frozenset[str] = frozenset(),
) -> Mapping[str, SiteBelief]:
    """Beliefs about every site, from the pieces read and the sites that are hidden.

    A sticker that was read is believed even where something else hides part of its site.
    ``unseen``: sites that reach beyond the picture. ``strange``: how unlike the bare board sites
    without a piece look; the stranger, the likelier is a piece that could not be read.
    ``beneath``: pieces that may lie below others where they were read before. ``unread``: sites
    with things that may be pieces.
    """
    below: dict[str, list[Glimpse]] = {}
    for piece in beneath:
        if piece.site is not None:
            below.setdefault(piece.site, []).append(Glimpse(piece.kind, piece.pose))
    seen: dict[str, list[SeenPiece]] = {}
    for piece in pieces:
        if piece.site is not None:
            seen.setdefault(piece.site, []).append(piece)
    # All at once: one call of numpy takes as long as ten sites.
    bare = [name for name in box.sites if name not in seen]
    doubts = np.interp([strange.get(name, 0.0) for name in bare], STRANGE, OVERLOOKED)
    doubt = dict(zip(bare, doubts.tolist(), strict=True))
    beliefs = {}
    for name, site in box.sites.items():
        more = below.get(name, ())
        if name in seen:
            beliefs[name] = _read_here(box, site, seen[name], more, unread=name in unread)
            continue
        looks = {EMPTY: 0.0}
        if more:
            looks |= _with_more(EMPTY, more, site.room)
        if name in unread:
            looks |= _one_unread(box, site, EMPTY)
        hidden = name in occluded or name in unseen
        beliefs[name] = SiteBelief(
            looks, doubt[name], hidden, unread=name in unread, heap=heap_of(site)
        )
    return MappingProxyType(beliefs)


def _read_here(
    box: Box, site: Site, lying: Sequence[SeenPiece], below: Sequence[Glimpse], *, unread: bool
) -> SiteBelief:
    """The belief about a site where pieces were read; ``unread``: a thing there may be one."""
    if site.room == 1 and len(lying) > 1:
        lying = _on_top(box, site, lying)
    look: Look = tuple(sorted(Glimpse(piece.kind, piece.pose) for piece in lying))
    likely = {look: 0.0, **_one_behind(box, site, lying), **_one_less(look)}
    if any(glimpse.pose for glimpse in look):
        # To rules that name no pose, all are the same.
        likely[tuple(sorted(Glimpse(glimpse.kind) for glimpse in look))] = 0.0
    if box.keeps_supplies(site):
        likely[EMPTY] = UNRECORDED
    if below:
        for more, odds in _with_more(look, below, site.room).items():
            likely[more] = max(odds, likely.get(more, odds))
    if unread:
        for more, odds in _one_unread(box, site, look).items():
            likely[more] = max(odds, likely.get(more, odds))
    return SiteBelief(likely, unread=unread, heap=heap_of(site))


def _on_top(box: Box, site: Site, lying: Sequence[SeenPiece]) -> list[SeenPiece]:
    """Of the pieces at a site with room for one, those that do not lie below another."""

    def rank(piece: SeenPiece) -> tuple[int, float]:
        level = round(piece.height_mm / PILE_STEP_MM)
        return (-level, math.dist(piece.at_mm, site.at))

    kept: list[SeenPiece] = []
    for piece in sorted(lying, key=rank):
        half = min(box.kinds[piece.kind].size) / 2
        if all(
            math.dist(piece.at_mm, other.at_mm)
            >= OVERLAP * (half + min(box.kinds[other.kind].size) / 2)
            for other in kept
        ):
            kept.append(piece)
    return kept


def _with_more(look: Look, below: Sequence[Glimpse], room: int) -> dict[Look, float]:
    """Looks with some of those that may lie ``below`` others, as many as there is ``room`` for."""
    some = below[:MOST_BENEATH]
    most = min(len(some), room - len(look))
    chosen = (c for n in range(1, most + 1) for c in combinations(some, n))
    return {tuple(sorted([*look, *more])): BENEATH for more in chosen}


def _one_unread(box: Box, site: Site, look: Look) -> dict[Look, float]:
    """Looks with one more piece of any kind."""
    if len(look) >= site.room:
        return {}
    return {
        tuple(sorted([*look, Glimpse(kind.id, pose)])): UNREAD
        for kind in box.kinds_at(site.id)
        if kind.stickers
        for pose in kind.poses or ("",)
    }


def _one_less(look: Look) -> dict[Look, float]:
    return {look[:n] + look[n + 1 :]: UNLIKELY for n in range(len(look))}


def _one_behind(box: Box, site: Site, lying: Sequence[SeenPiece]) -> dict[Look, float]:
    """Looks with one more piece, which those that were read at a site may hide.

    Its log likelihood is that of lying just there: the share of the site that taller pieces hide.
    """
    if not 0 < len(lying) < site.room:
        return {}
    wide, high = site.size or (site.radius * math.sqrt(math.pi),) * 2
    seen = [Glimpse(piece.kind, piece.pose) for piece in lying]
    looks: dict[Look, float] = {}
    for kind in box.kinds_at(site.id):
        least = kind.height + TALLER_MM
        taller = [piece for piece in lying if box.kinds[piece.kind].height >= least]
        hidden = sum(cv2.contourArea(cv2.convexHull(floats(p.body_mm))) for p in taller)
        if hidden and kind.stickers:
            share = min(hidden / (wide * high), MOST_HIDDEN)
            for pose in kind.poses or ("",):
                more = tuple(sorted([*seen, Glimpse(kind.id, pose)]))
                looks[more] = max(math.log(share), UNLIKELY)
    return looks


def strays(pieces: Iterable[SeenPiece]) -> tuple[Stray, ...]:
    """The pieces that belong to no site."""
    return tuple(Stray(p.kind, p.at_mm) for p in pieces if p.site is None)


def fuse(looks: Sequence[Mapping[str, SiteBelief]]) -> Mapping[str, SiteBelief]:
    """One belief per site from several looks at the same still table.

    Log likelihoods are averaged, not added: neighbouring frames see the same glare and the same
    blur, so a second look is not an independent witness. A site counts as hidden if most looks say
    so.
    """
    if len(looks) == 1:
        return looks[0]
    beliefs = {}
    for site in looks[-1]:
        views = [look[site] for look in looks if site in look]
        clear = [view for view in views if not view.occluded]
        if 2 * len(clear) < len(views) or not clear:
            beliefs[site] = SiteBelief({EMPTY: 0.0}, occluded=True)
            continue
        # In order: of looks that are equally likely the first also names the pose.
        listed = dict.fromkeys(look for view in clear for look in view.looks)
        mean = {look: sum(v.score(look) for v in clear) / len(clear) for look in listed}
        unread = 2 * sum(v.unread for v in clear) > len(clear)
        beliefs[site] = SiteBelief(mean, unread=unread, heap=views[-1].heap)
    return MappingProxyType(beliefs)
