"""Round pieces close together: many neighbouring sites, explained jointly.

Where pieces touch, a spot of one colour is no longer one piece. So nothing is cut out: at every
site the whole outline of a piece is compared with what shows just within it and just outside.
Colours are measured against the board beside the piece, as logarithms of light, in which a lamp is
a mere shift. What the board looks like is taken from where no piece reaches, what the pieces look
like from the clearest of them, and so are their size and form. Brightness, which shade changes,
counts less than hue: every pixel's evidence is that of a linear discriminant (R. A. Fisher, 1936).

First every site that may hold a piece is taken to hold one; then those are struck out whose rim
does not show where no neighbour hides it, until no more fall (after J. Besag's iterated conditional
modes, 1986). Glare, shade, sleeves and cloths have no such rims around the sites that they cover,
so those fall together; what is left in doubt is said to be hidden.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from rules.box import Box
from vision.arrays import Bools, Floats, Points, floats
from vision.board.drawing import drawn_colour, inked
from vision.board.patches import BoardView
from vision.pieces.board_light import BoardLight
from vision.pieces.outlines import Outline
from vision.pieces.rims import FORMS, Indices, Rims, Shapes, flattened

FIGURE = 0.25
"""Share of a piece's outline from which what is drawn there, in other colours than the rest of the
place, is a figure; the lines of a go board take less than 0.2."""
CLOSE = 1.6
"""Pieces may touch where the next site is nearer than this many of their widths."""
ROAM = 0.34
"""Most distance of a piece from the middle of its site, per width: where two sites are as near as
their pieces are wide, one that stands farther away is as likely to belong to the next."""
ROSE = ((0.5, 6), (1.0, 8))
"""Shifts that are tried: how far, per ``ROAM``, and in how many directions."""
SCALES = (0.8, 0.87, 0.94, 1.0, 1.07)
"""Sizes of pieces that are tried, per size in the box."""
CAP = 4.0
"""Log likelihood by which a single place may speak for a piece or against it."""
ODD, ODD_SHARE = 9.0, 0.25
"""A site may hold something if this share of it is three deviations from the board's colour."""
SEED, SEED_RIM = 5.5, 0.6
"""Of the eight that a perfect rim yields, and of its sectors: from here on a site teaches what the
pieces look like. Sunlit patches reach 4.8."""
MAY_HOLD = 4.0
"""From here on a site is not taken for bare board while that is learnt."""
WITHIN, RIM, LEAST_SECTORS = 0.75, 0.78, 3
"""Share of places within, and of the sectors of the visible rim, that must be a piece's, and the
number of these. Of 1,153 drawn stones that touch and lean, 98 % have 0.79 of theirs."""
EITHER = 0.65
"""Share of each to which one may fall where the other makes up for it, for a piece darker than the
board: darkness is no glare, and a dark piece shines."""
BETWEEN, FLANK = 0.5, 3
"""Share of the rim between neighbours that must show: something larger than pieces has edges
outside, but none within. Such sectors have hidden ones within the second number on either side."""
CLEARLY = 0.6
"""Mean evidence within a piece, per most that a place may have: noise has less."""
LEAST_BODY, OVERLAP = 0.6, 0.75
"""Share of a piece that its neighbours must leave in view; and least distance of two, per width:
what fits only so is no two pieces."""
LEAST_TOLD = 0.4
"""Share of a piece that must not look as the table beside the board does."""
SHINE = 0.35
"""A dark piece may be this much brighter than the darkest board beside it, logarithm of light: it
shines, and the other may be a part of it."""
SOME = 0.35
"""Share of the middle of a site that looks like a piece from which something may lie there."""
MOST = 0.5
"""Of the middle of a site that no neighbour hides."""
DISTINCT = 25.0
"""Squared deviations by which a piece must differ from the board: at five, chance plays no part."""
BLIND = 0.6
"""A site where the camera can show less than this share of that difference, because the board there
is nearly as bright as it can tell, shows no such piece and no lack of one."""
TYPICAL = floats(np.linalg.inv(0.25 * np.eye(3) + 0.5 * np.ones((3, 3))))
"""Inverse covariance of the box's colours of pieces, which are rough, mostly in brightness."""
BRIGHT_AND_HUE = np.array([[2, 2, 2], [0, 3, -3], [-2, 1, 1]]) / np.sqrt([[12], [18], [6]])
"""Turns logarithms of three colours so that the first is brightness, the others hue."""
SAME_LIGHT = 0.12
"""Change of the logarithm of light, blurred, below which a look is as the one before."""
SURE = -9.0


@dataclass(frozen=True, slots=True, eq=False)
class CrowdPiece:
    """A piece among others."""

    site: str
    outline: Outline
    at_mm: tuple[float, float]
    """Middle of its foot."""
    body_mm: Points
    """The part of the board that it hides: points whose hull it is, n × 2 mm."""
    tones: Mapping[str, float]
    """Log likelihood of its colours, the best 0."""
    tone: tuple[float, float, float]
    """As in ``BarePiece``."""


@dataclass(frozen=True, slots=True, eq=False)
class CrowdLook:
    """The crowded sites in one look."""

    pieces: tuple[CrowdPiece, ...] = ()
    doubtful: frozenset[str] = frozenset()
    """Sites where something lies, or may lie, that cannot be recognised."""
    unread: Mapping[str, Points] = field(default_factory=dict)
    """The ``doubtful`` sites where the colour of a piece fills its outline, and what that hides of
    the board: points whose hull it is, n × 2 mm."""


def crowded(box: Box, outlines: Mapping[str, Sequence[Outline]]) -> tuple[str, ...]:
    """The sites where only round pieces of one shape lie, so near that they may touch.

    What lies there is measured against the board beside it, so a site that is printed in a colour
    of its own, or with a figure, is none of them: it has a rim without any piece.
    """
    filled = {site.id for site in box.printed_sites if drawn_colour(box, site) is not None}
    plain = [
        site for site, of in outlines.items()
        if len(of) == 1 and of[0].round and not box.sites[site].colour and site not in filled
        and inked(box, box.sites[site].at, of[0].width / 2) < FIGURE
    ]  # fmt: skip
    at = np.array([box.sites[site].at for site in plain]).reshape(-1, 2)
    close = [
        np.count_nonzero(np.hypot(*(at - at[n]).T) < CLOSE * outlines[site][0].width) > 1
        for n, site in enumerate(plain)
    ]
    return tuple(site for site, near in zip(plain, close, strict=True) if near)


class Crowd:
    """Recognises the round pieces at the crowded sites of one box."""

    def __init__(self, box: Box, outlines: Mapping[str, Sequence[Outline]]) -> None:
        """``outlines``: of the ``crowded`` sites."""
        self._sites = tuple(outlines)
        self._outlines = [outlines[site][0] for site in self._sites]
        self._widths = np.array([outline.width for outline in self._outlines])
        self._at = np.array([box.sites[site].at for site in self._sites]).reshape(-1, 2)
        self._outline: Points = np.array(box.outline).reshape(-1, 2)
        self._shapes: tuple[object, Shapes] | None = None
        self._seen: tuple[object, frozenset[str | None], Floats, CrowdLook] | None = None

    def forget(self) -> None:
        """Forget the look before."""
        self._shapes = self._seen = None

    def near(self, at: tuple[float, float]) -> bool:
        """True if a point (mm) lies at a crowded site."""
        away = np.hypot(*(self._at - np.array(at)).T)
        return bool((away < self._widths).any())

    def look(
        self, view: BoardView, taken: Collection[str | None], colours: Mapping[str, Floats]
    ) -> CrowdLook:
        """The pieces at the sites that are not ``taken``.

        ``colours``: about the linear light that pieces of each colour show in this picture, (3,).
        """
        if not self._sites:
            return CrowdLook()
        reach = float(self._widths.max())
        low, high = self._at.min(axis=0) - reach, self._at.max(axis=0) + reach
        light = flattened(view, low, high)
        coarse = np.log(cv2.blur(light, (5, 5))[::4, ::4] + 0.02)
        known = frozenset(taken)
        before = self._seen
        same = before is not None and before[0] is view.pose and before[1] == known
        if same and before and float(np.abs(coarse - before[2]).max()) < SAME_LIGHT:
            return before[3]
        if self._shapes is None or self._shapes[0] is not view.pose:
            self._shapes = (view.pose, Shapes.of(view, self._at, self._outlines))
        rims = Rims(self._shapes[1], np.array([low[0], high[1]]), light.shape[:2])
        open_ = np.array([s not in known and view.shows((float(x), float(y)))
                          for s, (x, y) in zip(self._sites, self._at, strict=True)])  # fmt: skip
        fields = view.fields(low, high, light.shape[:2])
        board = BoardLight(light, rims, self._at, self._widths, fields)
        told = ~board.like_table(self._outline)
        explained = _Explained(rims, board, told, open_, colours)
        found = self._told(explained, rims, known)
        self._seen = (view.pose, known, floats(coarse), found)
        return found

    def _told(self, explained: _Explained, rims: Rims, taken: Collection[str | None]) -> CrowdLook:
        pieces = []
        for n in np.flatnonzero(explained.held):
            number, shift = int(n), explained.shift[n]
            foot = self._at[number] + shift
            pieces.append(
                CrowdPiece(
                    self._sites[number], self._outlines[number], (float(foot[0]), float(foot[1])),
                    rims.outline(number, shift), *explained.tones(number),
                )
            )  # fmt: skip
        doubtful = {self._sites[int(n)] for n in np.flatnonzero(explained.doubtful)}
        unread = {
            self._sites[n]: rims.outline(n, explained.shift[n])
            for n in map(int, np.flatnonzero(explained.filled & explained.doubtful))
            if self._sites[n] not in taken
        }
        return CrowdLook(tuple(pieces), frozenset(doubtful - set(taken)), unread)


class _Explained:
    """The sites of one look, explained jointly."""

    def __init__(
        self, rims: Rims, board: BoardLight, told: Bools, open_: Bools,
        colours: Mapping[str, Floats],
    ) -> None:  # fmt: skip
        """``told``: flat, True where it is surely no table. ``open_``: sites to look at."""
        self._rims, self._board, self._names = rims, board, tuple(colours)
        self._told = told
        count = len(board.at)
        self._roam = ROAM * board.widths
        self.shift: Points = np.zeros((count, 2))
        """Offsets of pieces from their sites, mm."""
        self.held: Bools = np.zeros(count, dtype=np.bool_)
        """True for sites with a piece."""
        self.filled: Bools = np.zeros(count, dtype=np.bool_)
        """True for sites where the colour of a piece fills its outline, with a rim or without."""
        self.doubtful: Bools = np.zeros(count, dtype=np.bool_)
        self._odd = np.flatnonzero(self._may_hold() & open_)
        seeds = _Seeds(count)
        if len(self._odd):
            self._seek(seeds, [np.zeros((count, 2)), *_rose(self._roam, ROSE[:1])])
            may = np.flatnonzero(seeds.score > MAY_HOLD)
            board.learn((int(n), seeds.shift[n]) for n in may)
            self._seek(again := _Seeds(count), [seeds.shift])
            self._size_up(again)
            near = [np.zeros((count, 2)), *_rose(self._roam, ((0.25, 6),))]
            beside = seeds.shift + self._rims.beside(np.arange(count), FORMS[0])
            self._seek(seeds := _Seeds(count), [beside + step for step in near])
        self._tones = self._learnt(seeds, {name: board.tone(c) for name, c in colours.items()})
        own = np.stack([tone - board.grounds for tone in self._tones])
        self._gains = floats(own @ board.inverse)
        """Of each kind on each ground, kinds × grounds × 3."""
        self._full = floats((self._gains * own).sum(axis=2))
        self._middle = floats((np.stack(self._tones)[:, None] + board.grounds) / 2)
        self._maps = [board.along(gains) for gains in self._gains]
        here = board.ground_at
        bare = board.at_site + board.grounds[here]
        self._shown = np.stack([
            np.minimum(((np.minimum(board.at_site + t, board.brightest) - bare) * w[here])
                       .sum(axis=1) / full[here], 1) * np.minimum(full[here] / DISTINCT, 1)
            for t, w, full in zip(self._tones, self._gains, self._full, strict=True)
        ])  # fmt: skip
        """Visible share of each kind's difference from the board at each site: kinds × n."""
        self._fit()
        self._prune()
        self._doubt(open_, seeds)

    # -- which sites, and what pieces look like -------------------------------------------------

    def _may_hold(self) -> Bools:
        """The sites that do not plainly show the board; most of most tables do."""
        board = self._board
        every = np.arange(len(board.at))
        inner, outer = self._rims.samples(every, np.zeros((len(every), 2)))
        at = np.concatenate([inner[:, ::2].reshape(len(every), -1), outer[:, ::2, 0]], axis=1)
        off = board.bare(at, every)
        odd = ((off @ board.inverse) * off).sum(axis=2) > ODD
        return np.asarray(odd.mean(axis=1) > ODD_SHARE)

    def _seek(self, seeds: _Seeds, shifts: Sequence[Points]) -> None:
        """Find the shift at which each site's own colour, whatever it is, has the clearest rim."""
        sites, board = self._odd, self._board
        for shift in (s[sites] for s in shifts):
            inner, outer = self._rims.samples(sites, shift)
            some = board.against(inner[:, ::2], sites).reshape(len(sites), -1, 3)
            tone = floats(np.median(some, axis=1))
            inside = board.evidence(inner, sites, tone)
            outside = self._of_board(outer, board.evidence(outer, sites, tone))
            sectors = (inside[..., -1] > 0) & (outside.min(axis=2) < 0)
            away = (np.linalg.norm(shift, axis=1) / self._roam[sites]) ** 2
            score = _capped(inside).mean(axis=(1, 2)) - _capped(outside).mean(axis=(1, 2)) - away
            seeds.keep(sites, score, tone, sectors.mean(axis=1), shift)

    def _size_up(self, seeds: _Seeds) -> None:
        """Form and size of the pieces on this table, by the clearest of them."""
        clear = np.flatnonzero(seeds.score > SEED)
        sites = clear[np.argsort(-seeds.score[clear])[:40]]
        if not len(sites):
            return
        rims, board = self._rims, self._board
        tone = seeds.tone[sites]
        near = [np.zeros((len(sites), 2)), *_rose(self._roam[sites], ((0.2, 6), (0.4, 8)))]
        fits: dict[tuple[int, float], float] = {}
        for form in FORMS:
            aside = seeds.shift[sites] + rims.beside(sites, form)
            for scale in SCALES:
                best = np.full(len(sites), -np.inf)
                for shift in near:
                    inner, outer = rims.samples_as(form, scale, sites, aside + shift)
                    inside = board.evidence(inner[..., -1:], sites, tone)
                    outside = board.evidence(outer[..., :1], sites, tone)
                    step = (_capped(inside) - _capped(outside)).mean(axis=(1, 2))
                    best = np.maximum(best, step)
                fits[form, scale] = float(np.median(best))
        rims.form, rims.scale = max(fits, key=fits.__getitem__)

    def _learnt(self, seeds: _Seeds, tones: Mapping[str, Floats]) -> list[Floats]:
        """Logarithms of the pieces' light per the board's, from the clearest of each kind."""
        found = {name: floats(tone) for name, tone in tones.items()}
        sure = (seeds.score > SEED) & (seeds.rim > SEED_RIM)
        seen = seeds.tone[sure]
        for _ in range(3):
            off = [seen - found[name] for name in self._names]
            far = np.stack([((o @ TYPICAL) * o).sum(axis=1) for o in off])
            nearest = far.argmin(axis=0)
            for number, name in enumerate(self._names):
                # A kind lighter than the board by the box is not darker on the table.
                own = seen[(nearest == number) & (seen @ tones[name] > 0)]
                if len(own):
                    found[name] = floats(np.median(own, axis=0))
        return [found[name] for name in self._names]

    # -- one assignment for all ------------------------------------------------------------------

    def _ratios(self, at: Indices, sites: Indices) -> Floats:
        """Log likelihood ratios of every kind against the board and all other kinds at some places,
        kinds × …"""
        board = self._board
        light = board.at_site[sites]
        base = [floats(light @ w.T + (w * middle).sum(axis=1))
                for w, middle in zip(self._gains, self._middle, strict=True)]  # fmt: skip
        if len(board.grounds) == 1:
            score = np.stack([m.take(at) - b[:, :1, None]
                              for m, b in zip(self._maps, base, strict=True)])  # fmt: skip
        else:
            rows, numbers = np.arange(len(sites))[:, None, None], board.numbers(at)
            score = np.stack([m.take(at) - b[rows, numbers]
                              for m, b in zip(self._maps, base, strict=True)])  # fmt: skip
        rest = np.zeros_like(score)
        for number in range(len(score)):
            others = np.delete(score, number, axis=0)
            if len(others):
                rest[number] = np.maximum(others.max(axis=0), 0)
        return _capped(score - rest)

    def _of_board(self, at: Indices, values: Floats) -> Floats:
        """Evidence from places outside pieces: if it may be table, only what looks like board."""
        return floats(np.where(self._told.take(at), values, np.minimum(values, 0)))

    def _fit(self) -> None:
        """The likeliest kind and place of a piece at every site that may hold one."""
        sites, count = self._odd, len(self._names)
        every = np.zeros((len(self.shift), 2))
        best = np.full((count, len(sites)), -np.inf)
        place = np.zeros((count, len(sites), 2))
        wide = [every[sites], *(s[sites] for s in _rose(self._roam, ROSE))]
        fine = [s[sites] / 2 for s in _rose(self._roam, ROSE[:1])]
        for fixed in (None, *range(count)):
            start = 0.0 if fixed is None else place[fixed].copy()
            for step in wide if fixed is None else fine:
                shift = start + step
                inner, outer = self._rims.samples(sites, shift)
                inside = self._ratios(inner, sites)
                outside = self._of_board(outer, self._ratios(outer, sites))
                score = inside.mean(axis=(2, 3)) - outside.min(axis=3).mean(axis=2)
                score -= (np.linalg.norm(shift, axis=1) / self._roam[sites]) ** 2
                score -= np.where(
                    np.linalg.norm(shift, axis=1) > self._roam[sites] * 1.01, CAP, 0.0
                )
                better = score > best
                best[better] = score[better]
                place[better] = np.broadcast_to(shift, place.shape)[better]
        n = np.arange(len(sites))
        self._kind = best.argmax(axis=0) if len(sites) else n
        self._score = best[self._kind, n]
        self.shift[sites] = place[self._kind, n]
        self._inner, self._outer = self._rims.samples(sites, self.shift[sites])
        self._inside = self._ratios(self._inner, sites)[self._kind, n]
        outside = self._ratios(self._outer, sites)[self._kind, n]
        # Where neither board nor pieces show, something may go on beyond the outline.
        known = self._board.shows(self._outer, sites, self._tones)
        self._outside = np.where(known, outside, np.maximum(outside, 0))

    def _prune(self) -> None:
        """Strike out the pieces whose rim does not show where no neighbour hides it."""
        sites = self._odd
        own = (sites + 1)[:, None, None]
        under = self._board.grounds[self._board.ground_at[sites]].mean(axis=1)
        dark = np.array([tone.mean() for tone in self._tones])[self._kind] < under
        inner = self._tells(self._inner)
        filled = ((self._inside > 0) & inner).sum(axis=(1, 2)) / np.maximum(
            inner.sum(axis=(1, 2)), 1
        )
        held = filled >= np.where(dark, EITHER, WITHIN)
        held &= inner.mean(axis=(1, 2)) > LEAST_TOLD
        held &= dark | (self._inside.mean(axis=(1, 2)) > CLEARLY * CAP)
        self.filled[sites] = held
        held &= self._stands_out()
        held &= self._shown[self._kind, sites] > BLIND
        told = self._tells(self._outer) | (self._outside < 0)
        kinds = np.full(len(self.shift) + 1, len(self._names))
        kinds[sites + 1] = self._kind
        while held.any():
            claimed = self._claimed(held)
            others = claimed.take(self._outer)
            # A piece of another kind hides no rim: there it ends.
            free = ((others == own) | (kinds.take(others) != self._kind[:, None, None])) & told
            visible = free.any(axis=2)
            rim = np.where(free, self._outside, np.inf).min(axis=2) < 0
            rim &= visible & (self._inside[..., 1:].max(axis=2) > 0)
            shows = rim.sum(axis=1) / np.maximum(visible.sum(axis=1), 1)
            below = claimed.take(self._inner)
            mine = (below == 0) | (below == own)
            seen = mine & inner
            within = ((self._inside > 0) & seen).sum(axis=(1, 2)) / np.maximum(
                seen.sum(axis=(1, 2)), 1
            )
            stands = (within >= WITHIN) & (shows >= RIM)
            both = within + shows >= WITHIN + RIM
            stands |= dark & both & (np.minimum(within, shows) >= EITHER)
            stands &= mine.mean(axis=(1, 2)) > LEAST_BODY
            stands &= visible.sum(axis=1) >= LEAST_SECTORS
            stands &= ~self._squeezed(held)
            between = visible & _flanked(~visible)
            stands &= (rim & between).sum(axis=1) >= BETWEEN * between.sum(axis=1)
            fallen = np.flatnonzero(held & ~stands)
            if not len(fallen):
                break
            # The worse half falls first: others may stand when what hid their rims is gone.
            worst = fallen[np.argsort((shows + within)[fallen])][: (len(fallen) + 1) // 2]
            held[worst] = False
        self.held[sites[held]] = True

    def _tells(self, at: Indices) -> Bools:
        """True at pixels (n × …) that are no table, and not in a colour of the board like that of
        the piece there."""
        told = self._told.take(at)
        if len(self._board.grounds) > 1:
            told &= (self._full > DISTINCT)[self._kind[:, None, None], self._board.numbers(at)]
        return told

    def _stands_out(self) -> Bools:
        """The light pieces whose light is nearer to their kind's than to the board's, also to that
        of the brightest board beside them, and the dark ones that are darker than the darkest: a
        coloured lamp's patch on the board is no piece, and a shade makes no light one dark."""
        board, sites = self._board, self._odd
        stands_out = np.zeros(len(sites), dtype=np.bool_)
        for kind, ground in np.ndindex(self._full.shape):
            gain, under = self._gains[kind, ground], board.grounds[ground]
            light = self._tones[kind].mean() >= under.mean()
            bare = (board.at_site + under) @ gain
            mine = (self._kind == kind) & (board.ground_at[sites] == ground)
            for n in np.flatnonzero(mine):
                site = sites[n]
                log = board.log.reshape(-1, 3)[self._inner[n]]
                if not light:
                    seen = float(np.median(log.mean(axis=-1)))
                    stands_out[n] = seen < float((board.darkest[site] + under).mean()) + SHINE
                    continue
                away = np.hypot(*(board.at - board.at[site]).T)
                brightest = float(bare[away < CLOSE * board.widths[site]].max())
                seen = float(np.median(log @ gain))
                stands_out[n] = seen - brightest > self._full[kind, ground] / 2
        return stands_out

    def _squeezed(self, held: Bools) -> Bools:
        """The pieces that overlap one that is likelier."""
        sites = self._odd
        foot = self._board.at[sites] + self.shift[sites]
        least = OVERLAP * self._rims.scale * self._board.widths[sites]
        squeezed = np.zeros(len(sites), dtype=np.bool_)
        for n in np.flatnonzero(held):
            near = held & (np.hypot(*(foot - foot[n]).T) < least[n])
            squeezed[n] = bool((self._score[near] > self._score[n]).any())
        return squeezed

    def _claimed(self, held: Bools) -> Indices:
        """Flat: the number of the site whose piece shows at each pixel, from 1 on, or 0."""
        label = np.zeros(self._rims.size, dtype=np.int32)
        for n in sorted(np.flatnonzero(held), key=lambda n: float(self._score[n])):
            site = int(self._odd[n])
            self._rims.fill(label, site, self.shift[site], site + 1)
        return np.asarray(label.ravel())

    def _doubt(self, open_: Bools, seeds: _Seeds) -> None:
        """Mark sites where something lies that is no piece, or a piece might go unseen."""
        sites = np.arange(len(self.held))
        inner = self._inner_of(sites)
        free = self._claimed(self.held[self._odd]).take(inner) == 0
        count = np.maximum(free.sum(axis=(1, 2)), 1)
        like = ((self._ratios(inner, sites) > 0) & free).sum(axis=(2, 3)) / count
        # A round rim is that of something, of whatever colour.
        rim = (seeds.score > SEED) & (free.mean(axis=(1, 2)) > MOST)
        self.doubtful = (like.max(axis=0) > SOME) | rim
        self.doubtful |= self._shown.min(axis=0) < BLIND
        self.doubtful &= open_ & ~self.held

    def _inner_of(self, sites: Indices) -> Indices:
        return self._rims.samples(sites, np.zeros((len(sites), 2)))[0]

    def tones(self, site: int) -> tuple[dict[str, float], tuple[float, float, float]]:
        """Log likelihoods of the colours of a piece, the best 0, and its tone."""
        n = int(np.searchsorted(self._odd, site))
        best = self._names[int(self._kind[n])]
        seen = self._board.against(self._inner[n][None], np.array([site])).reshape(-1, 3)
        tone = np.median(seen, axis=0)
        off = [tone - known for known in self._tones]
        far = [-0.5 * float(o @ self._board.inverse @ o) for o in off]
        top = far[self._names.index(best)]
        bright, hue, other = (float(v) for v in BRIGHT_AND_HUE @ tone)
        likely = {
            n: 0.0 if n == best else max(SURE, f - top)
            for n, f in zip(self._names, far, strict=True)
        }
        return likely, (bright, hue, other)


class _Seeds:
    """The clearest rim at each site, in whatever colour, and that colour."""

    def __init__(self, count: int) -> None:
        self.score = np.full(count, -np.inf)
        self.tone: Floats = np.zeros((count, 3), dtype=np.float32)
        self.rim = np.zeros(count)
        self.shift: Points = np.zeros((count, 2))

    def keep(self, sites: Indices, score: Points, tone: Floats, rim: Points, shift: Points) -> None:
        """Keep what is better than before."""
        better = score > self.score[sites]
        where = sites[better]
        self.score[where], self.tone[where] = score[better], tone[better]
        self.rim[where], self.shift[where] = rim[better], shift[better]


def _flanked(hidden: Bools) -> Bools:
    """The sectors with hidden ones near them on either side, n × sectors."""
    sides = [np.zeros_like(hidden), np.zeros_like(hidden)]
    for step in range(1, FLANK + 1):
        sides[0] |= np.roll(hidden, step, axis=1)
        sides[1] |= np.roll(hidden, -step, axis=1)
    return sides[0] & sides[1]


def _capped(values: Floats) -> Floats:
    return floats(np.clip(values, -CAP, CAP))


def _rose(reach: Points, rings: Sequence[tuple[float, int]]) -> list[Points]:
    """Shifts in all directions: per ring as far as its share of ``reach`` (n), each n × 2 mm."""
    return [
        reach[:, None] * share * np.array([math.cos(turn), math.sin(turn)])
        for share, many in rings for turn in np.arange(many) * 2 * math.pi / many
    ]  # fmt: skip
