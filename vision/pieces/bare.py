"""Pieces without stickers, by colour and outline.

A place is cut out of the picture, the lamp is taken out of its colours (``colour``), and every
pixel is assigned to the nearest of: the colours of kinds that may lie there, the board as it should
look there, lit or in shade, and something else. What was assigned to a kind's colour is compared
with the outlines that pieces of that colour show from where the camera is. A hand or a sleeve has
neither colour nor outline; kinds alike in both stay undecided between them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

import cv2
import numpy as np

from rules.box import GROUND, Box, BoxError, PieceKind, Site
from rules.near import hint
from rules.reading.sighting import EMPTY, Look, SiteBelief, Stray, heap_of
from vision.arrays import Bools, Floats, Mask, Picture, Points, floats
from vision.board.appearance import BoardAppearance, Difference
from vision.board.colour import ColourClasses, apart, light_of, rim_light
from vision.board.flattening import MM_PER_PX
from vision.board.patches import BoardView, Half, Patch
from vision.board.pose import BoardPose
from vision.pieces.dense_pieces import Crowd, CrowdLook, CrowdPiece, crowded
from vision.pieces.filled import LEAST_GAIN, OTHER, FilledCells
from vision.pieces.floating import FloatingLattice
from vision.pieces.heaped import peeled
from vision.pieces.outlines import OPEN_SHARE, Fit, Outline, fitted, outlines_of
from vision.pieces.sighting import BarePiece
from vision.pieces.thrown import Die, ThrownDice

AUTO = "auto"
"""Named instead of kinds: what carries no stickers is found out (``bare_auto``)."""

ROAM_MM = 7.0
"""Most distance of a piece from the middle of its site."""
LEAST_FIT = 0.6
"""Intersection over union of colour and outline below which nothing is believed."""
SOME_FIT = 0.3
"""Intersection over union from which something unknown may lie there."""
UNSEEN_MM2 = 60.0
"""Smaller parts of a colour are specks."""
LOST = -9.0
"""Log likelihood that a fitting piece is not one."""
LEAST_LISTED = -9.0
CLEAR = 3.0
"""A colour is learnt from pieces that lead by this much."""
LEANS_OUT_MM = 3.0
"""Distance beyond the rim of a heap at which a piece may still lie on its pieces."""
CORE_MM, ALIKE_LAB, OFF_LAB, OFF_SHARE = 9.0, 18.0, 6.0, 0.08
"""A place whose colour is this near to a piece's, and with this share of its middle off by this
much, may hold a piece that cannot be told from it."""
SAME_LIGHT, DARKEST = 0.2, 0.02
"""Share of its light by which a place may change, blurred, and still be as it was."""


@dataclass(frozen=True, slots=True)
class BareLook:
    """The bare pieces of one look."""

    pieces: tuple[BarePiece, ...] = ()
    doubtful: frozenset[str] = frozenset()
    """Sites where something lies, or may lie, that cannot be recognised."""
    unread: Mapping[str, Points] = field(default_factory=dict)
    """The ``doubtful`` sites that seem to hold a piece, and what it hides of the board: points
    whose hull it is, n × 2 mm."""

    @property
    def strays(self) -> tuple[Stray, ...]:
        """The pieces that belong to no site."""
        return tuple(Stray(p.kind, p.at_mm) for p in self.pieces if p.site is None)

    def without(self, indices: Collection[int]) -> BareLook:
        """The look without some of its pieces: something lies there, but no piece."""
        gone = {n: piece for n, piece in enumerate(self.pieces) if n in indices}
        sites = {piece.site for piece in gone.values() if piece.site is not None}
        kept = tuple(piece for n, piece in enumerate(self.pieces) if n not in gone)
        return replace(self, pieces=kept, doubtful=self.doubtful | sites)

    def beliefs(self, box: Box, before: Mapping[str, SiteBelief]) -> dict[str, SiteBelief]:
        """Beliefs about sites, those from stickers (``before``) completed with bare pieces."""
        beliefs = dict(before)
        for name in before.keys() & {p.site for p in self.pieces} - self.unread.keys():
            known = before[name].best if not before[name].occluded else EMPTY
            likely: dict[Look, float] = {known: 0.0}
            for piece in (p for p in self.pieces if p.site == name):
                likely = {
                    tuple(sorted(have + more)): a + b
                    for have, a in likely.items()
                    for more, b in {**piece.likely, EMPTY: LOST}.items()
                }
            best = sorted(likely.items(), key=lambda one: -one[1])[:24]
            beliefs[name] = SiteBelief(dict(best), heap=heap_of(box.sites[name]))
        return beliefs


def bare_kinds(box: Box, named: Collection[str] = ()) -> frozenset[str]:
    """Kinds without stickers: those with none in the box, and those ``named`` by kind, group or
    ``*`` for all.

    Raises BoxError with the name of what is neither kind nor group.
    """
    for name in named:
        if name != "*" and name not in box.kinds and name not in box.kinds_of_group:
            meant = hint(name, sorted(box.kinds_of_group), box.kinds)
            raise BoxError("no_pieces", box=box.id, pieces=name, hint=meant)
    every = "*" in named
    return frozenset(
        kind.id
        for kind in box.kinds.values()
        if every or not (kind.stickers or kind.lying_stickers)
        or kind.id in named or kind.group in named
    )  # fmt: skip


def named_here(box: Box, named: Iterable[str]) -> tuple[str, ...]:
    """The ``named`` kinds and groups that the box has; one setting serves all boxes of a shelf."""
    known = box.kinds.keys() | box.kinds_of_group.keys() | {"*", AUTO}
    return tuple(name for name in named if name in known)


def hardly_told(box: Box, kinds: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Sites by kind that are painted in nearly the colour of that kind: without a sticker it can
    hardly be told there."""
    colours = {site.id: box.colour_of(site) or box.colours["board"] for site in box.sites.values()}
    bodies = {name: box.kinds[name].colour for name in kinds if _has_colour(box.kinds[name])}
    names = {*colours.values(), *bodies.values()}
    classes = ColourClasses({name: name for name in names})
    near = {
        (one, other) for one in set(bodies.values()) for other in set(colours.values())
        if float(apart(classes.mean(one), classes.mean(other))) < ALIKE_LAB
    }  # fmt: skip
    found = {
        name: tuple(
            site for site, colour in colours.items()
            if box.kinds[name].group in box.sites[site].takes and (body, colour) in near
        )
        for name, body in bodies.items()
    }  # fmt: skip
    return {name: sites for name, sites in found.items() if sites}


def _has_colour(kind: PieceKind) -> bool:
    """True if a kind is told by its colour: cards and dice are read."""
    return kind.shape not in ("card", "die")


class BareReader:
    """Recognises bare pieces of one box; learns their colours as it goes."""

    def __init__(
        self, box: Box, kinds: Collection[str], appearance: BoardAppearance,
        floating: FloatingLattice | None = None,
    ) -> None:  # fmt: skip
        """``kinds``: ids of the kinds that may lack stickers. ``appearance``: of the board, after
        ``compare`` with the picture that is looked at. ``floating``: the lattice, if there is one.
        """
        self._box, self._appearance = box, appearance
        self._kinds = [box.kinds[kind] for kind in box.kinds if kind in kinds]
        self.classes = ColourClasses({kind.colour: kind.colour for kind in self._kinds})
        # Many sites take the same pieces.
        outlines = {
            takes: outlines_of([k for k in self._kinds if k.group in takes and not k.is_die])
            for takes in {site.takes for site in box.sites.values()}
        }
        self._at = {
            site.id: outlines[site.takes] for site in box.sites.values()
            if site.room == 1 and site.id != GROUND
        }  # fmt: skip
        self._several: dict[str, list[Outline]] = {}
        """Places where round pieces lie as they like, side by side or in a heap."""
        for site in box.sites.values():
            upright = [o for o in outlines[site.takes] if o.round]
            if site.heap or (site.room > 1 and upright and upright == outlines[site.takes]):
                self._several[site.id] = upright
        self._untold = {
            site for sites in hardly_told(box, kinds).values() for site in sites
            if site in self._several and not box.sites[site].heap
        }  # fmt: skip
        close = crowded(box, self._at)
        self._crowd = Crowd(box, {site: self._at.pop(site) for site in close})
        self._crowd_colours = {
            kind.colour: light_of(kind.colour) for kind in self._kinds
            if any(kind.group in box.sites[site].takes for site in close)
        }  # fmt: skip
        groups = () if floating is None else floating.lattice.takes
        tiles = [kind for kind in self._kinds if kind.group in groups]
        self._filled = FilledCells(floating, tiles, self.classes) if floating and tiles else None
        self._anywhere = outlines_of([
            kind for kind in self._kinds
            if kind.shape not in ("card", "arch", "pawn", "die") and kind not in tiles
        ])  # fmt: skip
        self._dice = ThrownDice(box, self._kinds, self.classes)
        self._taught: dict[str, str] = {}
        self._judged: _Judged[BarePiece | bool] = _Judged()
        self._peeled: _Judged[list[BarePiece]] = _Judged()

    @property
    def active(self) -> bool:
        """True if there is any kind to be recognised by its colour."""
        return bool(self._kinds)

    def forget(self) -> None:
        """Forget the colours that were learnt."""
        self.classes.forget()
        self._crowd.forget()
        self._dice.forget()
        if self._filled is not None:
            self._filled.forget()
        self._judged.forget()
        self._peeled.forget()

    def teach(self, opening: Mapping[str, str]) -> None:
        """The next look shows these kinds at these sites, as when a match begins: their colours
        are learnt from it."""
        known = {kind.id for kind in self._kinds}
        # Where several lie, the middle may be bare.
        places = {s for s, place in self._box.sites.items() if place.room == 1 or place.heap}
        self._taught = {s: kind for s, kind in opening.items() if kind in known and s in places}

    def look(
        self, image: Picture, pose: BoardPose, difference: Difference, alien: Bools,
        hidden: Mask, taken: Collection[str | None],
    ) -> BareLook:  # fmt: skip
        """The pieces at sites that are not ``taken`` by pieces with stickers, and beside them;
        those on a lattice are at no site yet.

        ``hidden``: 255 on the grid where pieces with stickers lie. ``alien``: where something other
        than the bare board shows.
        """
        if not self._kinds:
            return BareLook()
        view = BoardView(image, pose, difference, hidden, self._box, self._appearance)
        if self._taught:
            self._learn_opening(view)
        crowd = self._crowded(view, taken)
        pieces = [self._of_crowd(piece) for piece in crowd.pieces]
        for site in self._several.keys() - self._untold:
            pieces += self._laid(view, site)
        unread: dict[str, Points] = {}
        for site, throw in self._dice.look(view):
            pieces += [_of_die(die) for die in throw.dice]
            if throw.unread is not None:
                unread[site] = throw.unread
        view.hide(p.body_mm for p in pieces)
        doubtful = {
            site for site in self._several
            if not self._box.sites[site].heap and site not in taken
            and (site in self._untold or self._rest(view, site))
        }  # fmt: skip
        for site, outlines in self._at.items():
            place = self._box.sites[site]
            if site in taken or not outlines or not view.shows(place.at):
                continue
            if not view.changed(place.at, place.radius or min(place.size or (20, 20)) / 2):
                continue
            found = self._judge_site(view, site)
            if isinstance(found, BarePiece):
                pieces.append(replace(found, site=site))
            elif found:
                doubtful.add(site)
        # A doubtful spot may have been the rim of a neighbour.
        view.hide(p.body_mm for p in pieces)
        for site in sorted(doubtful & self._at.keys()):
            found = self._judge_site(view, site)
            if isinstance(found, BarePiece):
                pieces.append(replace(found, site=site))
                view.hide([pieces[-1].body_mm])
            if found is not True:
                doubtful.discard(site)
        pieces += self._elsewhere(view, alien, pieces)
        if self._filled is not None:
            view.hide(p.body_mm for p in pieces)
            pieces += self._filled.look(view)
        return BareLook(
            tuple(pieces), frozenset(doubtful) | crowd.doubtful | unread.keys(),
            {**crowd.unread, **unread},
        )  # fmt: skip

    def _crowded(self, view: BoardView, taken: Collection[str | None]) -> CrowdLook:
        """The pieces at the sites where pieces may touch."""
        if not self._crowd_colours:
            return CrowdLook()
        lamp = rim_light(self._box, view.image, view.pose)
        lamp = self._appearance.lamp if lamp is None else lamp
        colours = {name: floats(light * lamp) for name, light in self._crowd_colours.items()}
        return self._crowd.look(view, taken, colours)

    def _of_crowd(self, piece: CrowdPiece) -> BarePiece:
        likely: dict[Look, float] = {
            look: score
            for colour, score in piece.tones.items() if score > LEAST_LISTED
            for look in piece.outline.looks.get(colour, ())
        }  # fmt: skip
        best = max(likely, key=likely.__getitem__)[0].kind
        # Their colours are learnt anew from each look, beside the board's.
        blue, green, red = (float(v) for v in self.classes.mean(self._box.kinds[best].colour))
        return BarePiece(
            best, piece.site, piece.at_mm, likely, piece.body_mm, piece.outline.height,
            (blue, green, red), tone=piece.tone,
        )  # fmt: skip

    def _judge_site(self, view: BoardView, site: str) -> BarePiece | bool:
        """The result of ``_judge``."""
        place = self._box.sites[site]
        half = (place.radius or min(place.size or (20.0, 20.0)) / 2) + 2 * ROAM_MM
        return self._judged.of(
            view, place, half, lambda: self._judge(view, place.at, self._at[site], ROAM_MM)
        )

    # -- one place ------------------------------------------------------------------------

    def _judge(
        self, view: BoardView, at: tuple[float, float], outlines: Sequence[Outline], roam: float
    ) -> BarePiece | bool:
        """The piece that stands within ``roam`` mm of ``at``; else whether something lies there."""
        reach = roam + max(float(np.abs(p[:, :2]).max()) for o in outlines for p in o.ways[0])
        lean = max(view.lean(at, o.height) for o in outlines)
        patch = view.patch(at, reach + lean + 4.0)
        colours = list(dict.fromkeys(c for o in outlines for c in o.looks))
        far = np.stack([apart(patch.seen, self.classes.mean(c)) for c in colours])
        nearest = far.argmin(axis=0)
        like = far.min(axis=0)
        gain = np.minimum(patch.from_board, OTHER) - like
        like = np.where(like < np.minimum(patch.from_board, OTHER), like, np.inf)
        best: tuple[float, BarePiece] | None = None
        some = False
        for number, colour in enumerate(colours):
            mask = _clean((nearest == number) & np.isfinite(like) & patch.open, patch.middle)
            area = int(np.count_nonzero(mask))
            if area < UNSEEN_MM2 or (lead := float(gain[mask].mean())) < LEAST_GAIN / 3:
                continue
            fits = [
                (found[0], outline, found[1])
                for outline in outlines if colour in outline.looks
                if (found := fitted(view, patch, mask, outline, at, roam)) is not None
            ]  # fmt: skip
            if not fits:
                continue
            top = max(fit.share for fit, _, _ in fits)
            some = some or bool(top > (SOME_FIT if lead > LEAST_GAIN else LEAST_FIT))
            if top < LEAST_FIT or lead < LEAST_GAIN:
                continue
            tone = floats(np.median(patch.seen[mask], axis=0))
            piece = self._piece(fits, colour, colours, outlines, tone, at)
            score = top
            if best is None or score > best[0]:
                best = (score, piece)
        if best is not None:
            return best[1]
        return some or _camouflaged(patch, far.min(axis=0))

    def _piece(
        self, fits: Sequence[tuple[Fit, Outline, Points]], colour: str,
        colours: Sequence[str], outlines: Sequence[Outline], tone: Floats,
        at: tuple[float, float],
    ) -> BarePiece:  # fmt: skip
        """The piece of a spot of one colour, with everything it may be."""
        tones = self.classes.likelihoods(tone, colours)
        likely: dict[Look, float] = {}
        by_outline = {id(outline): fit.score for fit, outline, _ in fits}
        for outline in outlines:
            form = by_outline.get(id(outline))
            if form is None:
                continue
            for name, looks in outline.looks.items():
                for look in looks:
                    likely[look] = max(likely.get(look, -math.inf), form + tones[name])
        highest = max(likely.values())
        likely = {look: s - highest for look, s in likely.items() if s - highest > LEAST_LISTED}
        fit, outline, body = max(fits, key=lambda one: one[0].score)
        kind = max(likely, key=likely.__getitem__)[0].kind
        where = (at[0] + fit.shift[0], at[1] + fit.shift[1])
        blue, green, red = (float(v) for v in tone)
        return BarePiece(kind, None, where, likely, body, outline.height, (blue, green, red))

    # -- several at a place ---------------------------------------------------------------

    def _laid(self, view: BoardView, site: str) -> list[BarePiece]:
        """The pieces that are seen of several at a place, or of a heap."""
        place, outlines = self._box.sites[site], self._several[site]
        if not outlines:
            return []
        (wide, high), width = place.reach, max(outline.width for outline in outlines)
        least = min(outline.width for outline in outlines) ** 2 * SOME_FIT
        if not view.changed(place.at, (wide, high), least / (4 * wide * high)):
            return []
        beyond = width + max(view.lean(place.at, outline.height) for outline in outlines)
        return self._peeled.of(
            view, place, (wide + beyond, high + beyond), lambda: self._peel(view, place, outlines)
        )

    def _peel(self, view: BoardView, place: Site, outlines: Sequence[Outline]) -> list[BarePiece]:
        found: list[BarePiece] = []
        wide, high = place.reach
        for outline in outlines:
            half = (wide + outline.width, high + outline.width)
            patch = view.patch(place.at, half, outline.widest)
            colours = list(outline.looks)
            far = np.stack([apart(patch.seen, self.classes.mean(c)) for c in colours])
            nearest, like = far.argmin(axis=0), far.min(axis=0)
            shows = (like < np.minimum(patch.from_board, OTHER)) & patch.open
            cx, cy = patch.middle
            for number, colour in enumerate(colours):
                for row, column in peeled(shows & (nearest == number), outline.width / 2):
                    at = (place.at[0] + column - cx, place.at[1] + cy - row)
                    if place.holds(at, LEANS_OUT_MM):
                        body = np.concatenate([view.hull(at, part) for part in outline.ways[0]])
                        tone = floats(patch.seen[round(row), round(column)])
                        fit = (Fit(1.0, 0.0, (0.0, 0.0)), outline, body)
                        piece = self._piece([fit], colour, colours, outlines, tone, at)
                        found.append(replace(piece, site=place.id))
        return found

    def _rest(self, view: BoardView, site: str) -> bool:
        """True if something shows at a place for several that none of its pieces explains."""
        place, outlines = self._box.sites[site], self._several[site]
        least = min(outline.width for outline in outlines) ** 2 * SOME_FIT
        wide, high = place.reach
        if not view.shows(place.at) or not view.changed(
            place.at, (wide, high), least / (4 * wide * high)
        ):
            return False
        patch = view.patch(place.at, (wide, high))
        colours = {colour for outline in outlines for colour in outline.looks}
        like = np.min([apart(patch.seen, self.classes.mean(c)) for c in colours], axis=0)
        left = patch.open & (patch.from_board > OTHER)
        return bool(np.count_nonzero(left) > least) or _camouflaged(patch, like, max(wide, high))

    # -- beside the sites -----------------------------------------------------------------

    def _elsewhere(
        self, view: BoardView, alien: Bools, known: Sequence[BarePiece]
    ) -> list[BarePiece]:
        """Bare pieces that lie beside sites with room for one: on counted sites, or nowhere."""
        if not self._anywhere:
            return []
        mask = (alien & (view.hidden == 0)).astype(np.uint8)
        mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)))
        count, _, stats, middles = cv2.connectedComponentsWithStats(mask, connectivity=8)
        width, height = self._box.size
        found: list[BarePiece] = []
        for number in range(1, count):
            if not 20 <= stats[number, cv2.CC_STAT_AREA] <= 500:
                continue
            u, v = middles[number]
            x, y = (u + 0.5) * MM_PER_PX - width / 2, height / 2 - (v + 0.5) * MM_PER_PX
            at = (float(x), float(y))
            if not view.shows(at) or self._crowd.near(at) or self._among_several(at):
                continue
            piece = self._judge(view, at, self._anywhere, 10.0)
            if not isinstance(piece, BarePiece):
                continue
            near = [p for p in (*known, *found) if math.dist(p.at_mm, piece.at_mm) < 8.0]
            if near:
                continue
            site = self._site_of(piece)
            if site is not None or not any(
                s.holds(piece.at_mm) and s.room == 1 for s in self._box.sites.values()
            ):
                found.append(replace(piece, site=site))
        return found

    def _among_several(self, at: tuple[float, float]) -> bool:
        return any(self._box.sites[site].holds(at) for site in self._several)

    def _site_of(self, piece: BarePiece) -> str | None:
        group = self._box.kinds[piece.kind].group
        roomy = [
            s for s in self._box.sites.values()
            if s.room > 1 and group in s.takes and s.holds(piece.at_mm, 3.0)
        ]  # fmt: skip
        nearest = min(roomy, key=lambda s: math.dist(s.at, piece.at_mm), default=None)
        return None if nearest is None else nearest.id

    # -- learning -------------------------------------------------------------------------

    def learn(self, pieces: Iterable[BarePiece]) -> None:
        """Let the classes follow what was clearly seen; only to be called if there is no hand."""
        for piece in pieces:
            colours: dict[str, float] = {}
            for look, score in piece.likely.items():
                colour = self._box.kinds[look[0].kind].colour
                colours[colour] = max(colours.get(colour, -math.inf), score)
            ranked = sorted(colours.values(), reverse=True)
            if len(ranked) == 1 or ranked[0] - ranked[1] > CLEAR:
                self.classes.learn(max(colours, key=colours.__getitem__), floats(piece.lab))

    def _learn_opening(self, view: BoardView) -> None:
        taught, self._taught = self._taught, {}
        tones: dict[str, list[Floats]] = {}
        for site, kind_id in taught.items():
            kind, at = self._box.kinds[kind_id], self._box.sites[site].at
            if not view.shows(at):
                continue
            half = 0.35 * min(kind.size)
            patch = view.patch(at, half, kind.height)
            if patch.open.mean() > OPEN_SHARE:
                inside = patch.seen[patch.open]
                tones.setdefault(kind.colour, []).append(floats(np.median(inside, axis=0)))
        for colour, seen in tones.items():
            middle = floats(np.median(seen, axis=0))
            if float(apart(middle, self.classes.mean(colour))) < 2 * OTHER:
                self.classes.learn(colour, middle, 1.0)


T = TypeVar("T")


class _Judged(Generic[T]):
    """Judgements of places: what looks as before is what it was."""

    def __init__(self) -> None:
        self._seen: dict[str, tuple[BoardPose, Floats, T]] = {}

    def forget(self) -> None:
        self._seen.clear()

    def of(self, view: BoardView, place: Site, half: Half, judge: Callable[[], T]) -> T:
        """The judgement of a place, where all that matters is within ``half`` mm of its middle."""
        crop = view.crop(place.at, half)
        before = self._seen.get(place.id)
        if before is not None and before[0] is view.pose and _same(before[1], crop):
            return before[2]
        found = judge()
        self._seen[place.id] = (view.pose, crop, found)
        return found


def _of_die(die: Die) -> BarePiece:
    return BarePiece(
        die.kind.id, die.site, die.at_mm, die.likely, die.body_mm, die.kind.height, die.lab
    )


def _camouflaged(patch: Patch, like: Floats, half: float = CORE_MM) -> bool:
    """True if something may lie there in nearly the colour of its place: only its sides and its
    shade show, up to ``half`` mm from its middle. ``like``: distance from the nearest colour of a
    piece, rows × columns."""
    part = tuple(
        slice(max(round(side / 2 - half), 0), round(side / 2 + half)) for side in like.shape
    )
    board = patch.from_board[part][patch.open[part]]
    if board.size < UNSEEN_MM2:
        return False
    alike = like[part][patch.open[part]][board < OFF_LAB / 2]
    if alike.size == 0 or float(np.median(alike)) > ALIKE_LAB:
        return False
    return float((board > OFF_LAB).mean()) > OFF_SHARE


def _same(one: Floats, other: Floats) -> bool:
    if one.shape != other.shape:
        return False
    off = np.abs(one - other) / (np.maximum(one, other) + DARKEST)
    return float(off.max()) < SAME_LIGHT


def _clean(mask: Bools, middle: tuple[float, float]) -> Bools:
    """The spot nearest to the middle of those that are large, with its holes closed."""
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))
    wide = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (7, 7))
    spots = np.asarray(cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, kernel))
    spots = np.asarray(cv2.morphologyEx(spots, cv2.MORPH_CLOSE, wide))
    count, labels, stats, middles = cv2.connectedComponentsWithStats(spots, connectivity=4)
    if count < 2:
        return np.zeros(mask.shape, dtype=np.bool_)
    away = np.linalg.norm(middles[1:] - np.array(middle), axis=1)
    weight = stats[1:, cv2.CC_STAT_AREA] / (1 + (away / 8.0) ** 2)
    return np.asarray(labels == 1 + int(weight.argmax()))
