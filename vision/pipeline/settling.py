"""The stage of a look that explains what still looks foreign: more pieces, or a cover."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeAlias

import numpy as np

from rules.box import GROUND, Box
from vision.arrays import Bools, Points, floats
from vision.board.alike import Alike
from vision.board.blobs import MORE, Blob, overlap, reaches_in, spots_of, within
from vision.board.detail import Detail
from vision.board.foreign import lit
from vision.board.masks import PIECE_MARGIN_MM, Masks
from vision.board.occlusion import Coverage, Shown, find_blobs, judge
from vision.board.shadow import Caster, Shadows
from vision.pieces.bare import BareLook
from vision.pieces.reader import PieceReader
from vision.pieces.sighting import BarePiece, SeenPiece
from vision.pipeline.contours import coming_in
from vision.pipeline.results import Compared, FoundBoard, Settled

Lay: TypeAlias = Collection[tuple[str | None, str]]
"""Sites and kinds of the bare pieces of the look before."""

ENOUGH, NEARLY_ALL = 8, 0.95
"""Number of pieces of a kind that tell how it looks, and the share of them that counts as such."""


class Settling:
    """Settles what lies on one box's board."""

    def __init__(
        self, box: Box, reader: PieceReader, masks: Masks, alike: Alike | None = None
    ) -> None:
        """``alike``: places of an own board of which there is no picture."""
        self._box, self._reader, self._masks = box, reader, masks
        self._shadows = Shadows(box)
        self._alike = alike

    def forget(self) -> None:
        """Forget where the lamp stands, for another camera or board."""
        self._shadows.forget()

    def settle(
        self, board: FoundBoard, compared: Compared, pieces: Sequence[SeenPiece], bare: BareLook,
        before: Collection[BarePiece] = (),
    ) -> Settled:  # fmt: skip
        """Explain what still looks foreign: by looking harder for stickers, else by a cover.

        ``before``: bare pieces of the look before, which are not taken for parts of a hand."""
        bodies = (part for piece in pieces for part in piece.parts_mm)
        light = lit(compared.difference, partial(self._masks.hidden, bodies))
        covered = partial(self._covered, board, compared, light)
        first = covered(pieces, bare)
        lay = {(piece.site, piece.kind) for piece in before}
        came = [] if first.coverage.hands else self._came(compared, first, lay)
        part = self._going_on(first, came, compared.alien & ~light)
        lain = self._lain(compared, first, _new(first, lay))
        if part or lain:
            # A finger and its shade may pass for a piece, and leave too little for a hand; so may
            # parts of a bowl, and leave too little of what lay there before.
            whole = covered(pieces, bare.without(part | lain))
            part = self._below_hand(first, part, whole.coverage)
            if part := part | self._within(first, lain, whole.coverage.resting):
                first = covered(pieces, bare.without(part))
        came = [] if first.coverage.hands else self._came(compared, first, lay)
        if part := self._beside_lost(first, came):
            first = covered(pieces, first.bare.without(part))
        given_up: list[Points] = []
        while part := self._part_of_thing(compared, first, lay, given_up):
            # What was taken for pieces belonged to the thing, which now reaches further.
            given_up += [first.bare.pieces[n].body_mm for n in part]
            first = covered(pieces, first.bare.without(part))
        bare = first.bare
        coverage = first.coverage
        # Below a thing as large as a hand is searched in vain, and would cost the most.
        large = [blob for blob in coverage.blobs if blob.large]
        small = [blob for blob in coverage.blobs if not blob.large]
        sites = self._beside(large, coverage.covered) if large else coverage.covered
        if not (sites or small):
            return first
        image, pose = board.image, board.pose
        fresh = self._reader.read_hard(image, pose, pieces, sites, small)
        fresh = self._reader.lying(image, pose, fresh, compared.difference)
        if len(fresh) <= len(pieces):
            return first
        return covered(fresh, bare)

    def _beside(self, things: Collection[Blob], sites: frozenset[str]) -> frozenset[str]:
        """The ``sites`` of which ``things`` hide nothing."""
        below, places = self._masks.inside(spots_of(things)), self._masks.sites
        return frozenset(s for s in sites & places.keys() if not below[places[s]].any())

    def _part_of_thing(
        self, compared: Compared, settled: Settled, lay: Lay, given_up: Sequence[Points]
    ) -> frozenset[int]:
        """Indices of the bare pieces that did not lie there before, and lie within a hand or
        another thing, or it goes on beyond their outline. ``given_up``: bodies of others that did;
        what fills an outline may be a piece after all, and says nothing against those beside it.
        """
        if not settled.bare.pieces:
            return frozenset()
        hidden = self._masks.hidden(given_up).ravel() > 0
        hands, resting = (
            [blob.part(~hidden[blob.spots]) for blob in blobs if not hidden[blob.spots].all()]
            for blobs in (settled.coverage.hands, settled.coverage.resting)
        )
        thing = np.zeros_like(compared.alien)
        for blob in (*hands, *resting):
            thing.ravel()[blob.spots] = True
        new = _new(settled, lay)
        at = {str(n): settled.bare.pieces[n].at_mm for n in new}
        inside = {int(n) for one in (hands, *([blob] for blob in resting)) for n in within(one, at)}
        part = self._unclosed(settled, sorted(inside), (*hands, *resting))
        return self._going_on(settled, new, thing, given_up) | part

    def _lain(self, compared: Compared, settled: Settled, new: Sequence[int]) -> frozenset[int]:
        """Indices of the pieces among ``new`` ones that look as what lay there before."""
        if not new or compared.before is None:
            return frozenset()
        same = compared.before.same.ravel()
        bodies = {n: self._masks.spots(settled.bare.pieces[n].body_mm) for n in new}
        return frozenset(n for n, body in bodies.items() if len(body) and same[body].mean() > MORE)

    def _came(self, compared: Compared, settled: Settled, lay: Lay) -> list[int]:
        """Indices of the bare pieces that came to where the board itself was seen."""
        known, pieces = compared.difference.known.ravel(), settled.bare.pieces
        new = _new(settled, lay) if known.any() else []
        bodies = {n: self._masks.spots(pieces[n].body_mm) for n in new}
        return [n for n, spots in bodies.items() if len(spots) and known[spots].mean() > MORE]

    def _beside_lost(self, settled: Settled, came: Sequence[int]) -> frozenset[int]:
        """Indices of the pieces among those that ``came`` beyond whose outline the drawing is
        hidden as well."""
        if not came:
            return frozenset()
        lost = np.zeros_like(settled.hidden, dtype=np.bool_)
        for site in settled.coverage.vanished:
            lost.ravel()[self._masks.surroundings[site]] = True
        return self._going_on(settled, came, lost)

    def _below_hand(
        self, settled: Settled, part: Collection[int], coverage: Coverage
    ) -> frozenset[int]:
        """Indices of the pieces among a ``part`` in whose place, without them, a hand is told, or
        a thing reaches in."""
        coming = [blob for blob in coverage.blobs if reaches_in(blob, self._masks)]
        return self._within(settled, part, (*coverage.hands, *coming))

    def _within(
        self, settled: Settled, part: Collection[int], things: Collection[Blob]
    ) -> frozenset[int]:
        """Indices of the pieces among a ``part`` that lie mostly where some ``things`` are."""
        spots = spots_of(things)
        bodies = {n: self._masks.spots(settled.bare.pieces[n].body_mm) for n in part}
        return frozenset(n for n, body in bodies.items() if overlap(body, spots) > MORE)

    def _going_on(
        self, settled: Settled, new: Sequence[int], thing: Bools, given_up: Sequence[Points] = ()
    ) -> frozenset[int]:
        if not new or not thing.any():
            return frozenset()
        bodies = [settled.bare.pieces[n].body_mm for n in new]
        # Neighbours whose colour fills their outlines explain themselves, though they are unread.
        known = settled.hidden | self._masks.hidden([*settled.bare.unread.values(), *given_up])
        going_on = self._masks.going_on(bodies, thing, known)
        return frozenset(new[n] for n in going_on)

    def beyond(
        self, arms: Sequence[Blob], settled: Settled, before: Collection[BarePiece]
    ) -> Settled:
        """The look without the bare pieces that came with ``arms`` and may be the end of one: no
        other of their size would fit between.

        ``before``: bare pieces of the look before."""
        away = self._masks.away_from(blob.spots for blob in arms)
        lay = {(piece.site, piece.kind) for piece in before}
        bodies = {n: settled.bare.pieces[n].body_mm for n in _new(settled, lay)}
        close = [
            n for n, body in bodies.items()
            if self._masks.least(away, body) < float(np.ptp(body, axis=0).min())
        ]  # fmt: skip
        near = self._unclosed(settled, close, arms)
        return replace(settled, bare=settled.bare.without(near)) if near else settled

    def _unclosed(
        self, settled: Settled, some: Sequence[int], things: Sequence[Blob]
    ) -> frozenset[int]:
        """Indices of the pieces among ``some`` that may be parts of ``things``: so much of their
        rim is one, or beyond the board, that it need not close, or they look unlike others of their
        kind."""
        judged = self._masks.inwards.reshape(settled.hidden.shape) >= 0
        unknown = ~judged
        unknown.ravel()[spots_of(things)] = True
        pieces = settled.bare.pieces
        open_ = self._masks.going_on(
            [pieces[n].body_mm for n in some], unknown, settled.hidden * judged
        )
        return frozenset(some[n] for n in open_) | _unlike(pieces, some)

    def _covered(
        self, board: FoundBoard, compared: Compared, patches: Bools,
        pieces: Sequence[SeenPiece], bare: BareLook,
    ) -> Settled:  # fmt: skip
        """The look with these pieces; ``patches``: where the board is ``lit``."""
        known: list[SeenPiece | BarePiece] = [*pieces, *bare.pieces]
        hidden = self._masks.hidden(part for piece in known for part in piece.parts_mm)
        casters = (
            Caster.of(self._box.kinds[piece.kind], piece.at_mm, piece.height_mm) for piece in known
        )
        shade = self._shadows.cast(compared.difference, compared.alien, hidden, casters)
        # Sites in the dark are as unknown as those below a piece.
        hidden[shade] = 255
        unread = {site: self._masks.spots(body) for site, body in bare.unread.items()}
        drawn = compared.difference
        if self._alike is not None:
            drawn = self._alike.told(drawn, compared.alien, hidden)
        detail = Detail(drawn, (hidden == 0) & ~compared.alien & ~patches)
        light, things = detail.light(compared.alien & (hidden == 0), patches)
        alien = compared.alien & ~light
        across = compared.across
        same = None if compared.before is None else compared.before.told_same
        if len(across) and same is not None:
            across = across[~same().ravel()[across]]
        if len(across):
            # A tall piece leans out over it.
            bodies = [(part, PIECE_MARGIN_MM) for piece in known for part in piece.parts_mm]
            across = across[self._masks.around(bodies).ravel()[across] == 0]
        ends = drawn.ends
        unsure = hidden if ends is None else np.where(ends, np.uint8(255), hidden)
        rims = coming_in(drawn, detail, alien, unsure, self._masks, same)
        across = np.concatenate([across, rims])
        shown = Shown(
            compared.difference, alien, hidden, shade, self._shadows.lamp, light, things, across,
            drawn, unread, detail, same,
        )  # fmt: skip
        blobs = find_blobs(shown, self._masks)
        taken = {piece.site for piece in known}
        empty = [site for site in self._box.sites if site not in taken and site != GROUND]
        piles = self._reader.standing.piles(board.pose, pieces)
        piles += [(piece.body_mm, 0.0) for piece in bare.pieces]
        coverage = judge(
            self._box, self._masks, board.pose, shown, blobs, empty, board.missing, piles
        )  # fmt: skip
        return Settled(tuple(pieces), bare, coverage, hidden, light | patches)


def _unlike(pieces: Sequence[BarePiece], some: Sequence[int]) -> frozenset[int]:
    """The indices among ``some`` of pieces that differ from all others of their kind in
    brightness or hue more than nearly all of those do."""
    unlike = set[int]()
    for kind in {pieces[n].kind for n in some}:
        every = [(n, p.tone or p.lab) for n, p in enumerate(pieces) if p.kind == kind]
        others = floats([look for n, look in every if n not in some])
        if len(others) < ENOUGH:
            unlike |= {n for n in some if pieces[n].kind == kind}
            continue
        off = np.abs(floats([look for _, look in every]) - np.median(others, axis=0))
        off = np.column_stack([off[:, 0], np.hypot(off[:, 1], off[:, 2])])
        usual = np.quantile(off[[n not in some for n, _ in every]], NEARLY_ALL, axis=0)
        unlike |= {n for (n, _), odd in zip(every, off > usual, strict=True)
                   if n in some and odd.any()}  # fmt: skip
    return frozenset(unlike)


def _new(settled: Settled, lay: Lay) -> list[int]:
    """Indices of the bare pieces that did not lie there before."""
    pieces = enumerate(settled.bare.pieces)
    return [n for n, piece in pieces if (piece.site, piece.kind) not in lay]
