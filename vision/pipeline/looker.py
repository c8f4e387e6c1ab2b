"""A look at a table, stage by stage.

Only what is new is read. The corner stickers are read near their last place; a piece that was
read before need only still match its own picture; a site that looks like the bare board is bare;
stickers are decoded where neither holds.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import compress
from types import MappingProxyType

import numpy as np

from rules.box import GROUND, Box, longest, on_open_ground, with_cells
from vision.arrays import Mask, Picture, Planes
from vision.board.alike import Alike, Cells
from vision.board.appearance import BoardAppearance, Difference
from vision.board.blobs import MORE, Blob, across
from vision.board.detail import Detail
from vision.board.foreign import foreign
from vision.board.lens_learning import LensShelf
from vision.board.masks import Masks
from vision.board.occlusion import Coverage
from vision.board.pose import BoardPose, NoBoard
from vision.camera.lens import Lens
from vision.pieces.bare import BareLook
from vision.pieces.bare_auto import BareSense
from vision.pieces.figures import Clock, sharpness
from vision.pieces.floating import FloatingLattice, Frame
from vision.pieces.reader import PieceReader
from vision.pieces.remains import Remains, change_of_light, showing, unlike
from vision.pieces.sighting import BarePiece, SeenPiece, Sighting, lost
from vision.pieces.stacked import Beneath
from vision.pieces.unread import unread
from vision.pipeline.finding import BoardSearch
from vision.pipeline.reading import PieceSearch
from vision.pipeline.results import (
    LINGERING_S,
    Compared,
    FoundBoard,
    Memory,
    ReadPieces,
    Rest,
    Settled,
    Thing,
)
from vision.pipeline.settling import Settling
from vision.pipeline.telling import Telling
from vision.pipeline.untouched import Untouched
from vision.stickers.reader import StickerReader

STRANGE_BY_HAND = 0.2
"""Unlikeness of a site to the bare board (``Coverage.strange``) from which nothing is said of it
while a hand is seen. Of 152 bare sites beside an arm as brown as a wooden board below a lamp none
had more than 0.19, of the unread stones below it none less than 0.22."""

EDGE = 0.5
"""Pieces this near to the edge of the ground, and by the longest piece, leave no room for another
beside them, pitches."""
HARDLY_BARE = 0.3
"""From here on a covered site is no bare board in another light: below the dark shade of a pile it
is 0.24, a white disc on a grey field is 1.3; a piece as dark as its field may be less, and is
doubted for it (``sighting.STRANGE``)."""


class Looker:
    """The eye for tables with the material of one box; learns lens, light and colours."""

    def __init__(
        self, box: Box, lens_of: Callable[[tuple[int, int]], Lens | None] | None,
        bare: Collection[str], shelf: LensShelf | None = None,
    ) -> None:  # fmt: skip
        """See ``vision.tracker.Tracker``."""
        self._whole, box = box, on_open_ground(box)
        self._floating = None if box.lattice is None else FloatingLattice(self._whole)
        stickers = StickerReader(box)
        self._box = box
        self._appearance = BoardAppearance(box)
        self._masks = Masks(box, self._appearance.size)
        reader = PieceReader(box, stickers, self._masks)
        self._board = BoardSearch(box, stickers, reader, lens_of, shelf)
        self._pieces = PieceSearch(box, reader, self._masks)
        alike = None if self._appearance.promised else Alike(box, self._masks.size)
        self._cells = Cells(box, self._masks.size) if box.outline else None
        picture = self._appearance.picture
        if self._cells is not None and picture is not None:
            self._appearance.draw(self._cells.shown(picture, np.asarray(picture.max(axis=0) > 0)))
        self._settling = Settling(box, reader, self._masks, alike)
        self._telling = Telling(box, reader)
        self._beneath = Beneath(box)
        self._roomy = {site.id for site in box.sites.values() if site.room != 1}
        self.bare = BareSense(box, bare, self._appearance, self._floating)
        """Pieces without stickers: what is expected and learnt of them."""

    def expect(
        self, layout: Mapping[str, Sequence[str]], poses: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        """Take the layout of the record: kinds by site, and poses of single pieces."""
        self.bare.expect(layout)
        if self._floating is not None:
            self._floating.expect(layout, poses)
            layout = {site: kinds for site, kinds in layout.items() if site in self._box.sites}
        self._beneath.expect(layout)

    def forget(self) -> None:
        """Forget what was learnt, for another camera, board or picture size."""
        self._board.forget()
        self._appearance.forget()
        self._settling.forget()
        self._beneath.forget()
        self.bare.forget()

    def look(
        self,
        image: Picture,
        memory: Memory,
        audit: bool = False,
        rest: Rest = Rest.NONE,
        anew: bool = False,
        time_s: float | None = None,
    ) -> tuple[Sighting, Memory]:
        """The sighting in ``image``, and the memory for the next look.

        ``audit``: read everything again. ``rest``: how long nothing has moved. ``anew``: what looks
        like a hand must differ from the board as it is drawn, too. ``time_s``: when a settled
        picture was taken, if it is one: it rests as long as those before show the same over the
        board.
        """
        clock = Clock()
        try:
            board = self._board.find(image, memory)
        except NoBoard as reason:
            clock.mark("board")
            return lost(reason.sentence, clock.done()), replace(memory, pose=None, pieces=())
        clock.mark("board")
        known = self._pieces.known(board, memory, audit)
        compared = self._compared(board, known.pieces, memory.bare.pieces)
        edge = self._masks.hidden(())
        before = memory.untouched.beside(compared.flat, edge, not board.moved, time_s, LINGERING_S)
        compared = replace(compared, before=before)
        clock.mark("cover")
        read = self._pieces.new(board, memory, known, compared)
        clock.mark("read")
        sharp = sharpness(image, board.corners.values())
        bare = self._bare_look(board, compared, read, sharp, memory)
        if bare.pieces and not memory.bare.pieces:
            # What is free tells what the board looks like, in which light.
            compared = self._compared(board, read.pieces, bare.pieces)
            compared = replace(compared, before=before)
        clock.mark("bare")
        lay = list(memory.bare.pieces)
        if memory.things:
            lay += memory.untouched.still(before, self._masks)
        settled = self._settling.settle(board, compared, read.pieces, bare, lay)
        if anew and settled.coverage.hand:
            compared, settled = self._anew(board, compared, settled)
        frame, box = memory.frame, self._box
        if self._floating is not None:
            frame, box, settled = self._on_lattice(self._floating, board, memory, settled)
        coverage = settled.coverage
        last = Untouched(memory.flat).beside(compared.flat, edge, not board.moved)
        same = None if last is None else last.told_same
        things = [Thing.of(blob, memory, time_s, same) for blob in coverage.hands]
        lying = [thing.blob for thing in things if thing.lies(rest, time_s)]
        if lying:
            left = [thing.blob for thing in things if not thing.lies(rest, time_s)]
            coverage = replace(
                coverage, hand=bool(left), hands=tuple(left), resting=(*coverage.resting, *lying)
            )
            settled = replace(settled, coverage=coverage)
        gone, showing = self._gone(memory, compared, settled)
        arms = [*settled.coverage.hands, *self._uncleared(settled.coverage.resting, compared)]
        if arms:
            settled = self._settling.beyond(arms, settled, lay)
        elif not settled.coverage.hand:
            self._learn(board.pose, compared, settled, showing)
        below = _below(memory, settled) if settled.coverage.hand else frozenset[str]()
        clock.mark("judge")
        sighting = self._telling.tell(
            board,
            compared,
            read,
            _hiding(settled, below | showing | _unsure(settled.coverage)),
            self._beneath.pieces,
            self._unread(settled.coverage),
            self.bare.found,
            sharp,
            box,
            self._lattice_codes([*settled.pieces, *settled.bare.pieces]),
        )
        unshown = self._unshown(sighting.occluded, compared)
        clock.mark("figures")
        after = Memory(
            memory.size, board.pose, sighting.pieces, settled.bare,
            memory.untouched.after(
                compared.flat, coverage.hands, lying, time_s, settled.bare.pieces
            ),
            tuple(things), below, compared.flat, frame, gone,
        )  # fmt: skip
        return replace(sighting, unshown=unshown, ms=clock.done()), after

    def _on_lattice(
        self, floating: FloatingLattice, board: FoundBoard, memory: Memory, settled: Settled
    ) -> tuple[Frame | None, Box, Settled]:
        """The place of the lattice, the box with the cells that are looked at, and the look with
        each piece in its cell, and the cells that something covers."""
        frame, read, bare = self._snapped(floating, memory, settled.pieces, settled.bare)
        pieces: list[SeenPiece | BarePiece] = [*read, *bare.pieces]
        ground = self._masks.sites.get(GROUND, ())
        within, things = np.zeros((2, self._masks.size[1], self._masks.size[0]), dtype=np.bool_)
        within.ravel()[ground] = True
        for blob in settled.coverage.blobs:
            things.ravel()[blob.spots] = True
        cells = floating.cells(pieces, frame, within)
        taken = {piece.site for piece in pieces}
        covered = floating.covered(frame, sorted(cells - taken), things | ~within)
        coverage = replace(settled.coverage, covered=settled.coverage.covered | covered)
        told = with_cells(self._whole, cells)
        return frame, told, replace(settled, pieces=read, bare=bare, coverage=coverage)

    def _lattice_codes(self, pieces: Iterable[SeenPiece | BarePiece]) -> tuple[str, ...]:
        """Notes for hands about pieces on the lattice, see ``Sighting.lattice``."""
        ground = self._box.sites.get(GROUND)
        if self._floating is None or ground is None or ground.size is None:
            return ()
        far = (EDGE + longest(self._whole)) * self._floating.lattice.pitch
        most = [side / 2 - far for side in ground.size]
        mine = [piece for piece in pieces if self._floating.takes(piece)]
        floats = self._floating.lattice.floats
        ends = [end for piece in mine for end in self._floating.ends(piece) if floats]
        at_edge = any(abs(end.real) > most[0] or abs(end.imag) > most[1] for end in ends)
        between = any(piece.site is None for piece in mine)
        return ("at_edge",) * at_edge + ("between",) * between

    def _compared(
        self, board: FoundBoard, pieces: Collection[SeenPiece], bare: Collection[BarePiece]
    ) -> Compared:
        """The board against how it should look; ``bare``: pieces of the look before."""
        flat = self._appearance.flatten(board.image, board.pose)
        hidden = self._hidden(pieces)
        shaded = self._shaded([*pieces, *bare])
        if bare:
            shaded |= self._hidden(bare)
        if self._cells is not None and self._appearance.undrawn:
            self._appearance.draw(self._cells.shown(flat, hidden == 0))
        difference = self._appearance.compare(flat, hidden, shaded)
        compared = self._with(flat, difference)
        if difference.steady or self._appearance.promised:
            return compared
        # The board was moved, or seen with fewer corner stickers when it was learnt.
        if Detail(difference, (hidden == 0) & ~compared.alien & difference.known).misplaced:
            self._appearance.forget()
            flat = self._appearance.flatten(board.image, board.pose)
            compared = self._with(flat, self._appearance.compare(flat, hidden, shaded))
        return compared

    def _with(self, flat: Planes, difference: Difference) -> Compared:
        parts = across(flat, self._masks)
        return Compared(flat, difference, foreign(difference), parts)

    def _anew(
        self, board: FoundBoard, compared: Compared, settled: Settled
    ) -> tuple[Compared, Settled]:
        """The board against how it is drawn, if it then shows no hand: what was learnt of it is
        out of date."""
        known: list[SeenPiece | BarePiece] = [*settled.pieces, *settled.bare.pieces]
        hidden = self._hidden(known)
        shaded = self._shaded(known)
        difference = BoardAppearance(self._box).compare(compared.flat, hidden, shaded)
        drawn = replace(self._with(compared.flat, difference), before=compared.before)
        found = self._settling.settle(board, drawn, settled.pieces, settled.bare)
        if found.coverage.hand:
            return compared, settled
        self._appearance.forget()
        self._appearance.compare(compared.flat, hidden, shaded)
        return drawn, found

    def _bare_look(
        self, board: FoundBoard, compared: Compared, read: ReadPieces, sharp: float,
        memory: Memory,
    ) -> BareLook:  # fmt: skip
        if not self.bare.wants(board.pose, sharp):
            return BareLook()
        taken = {piece.site for piece in read.pieces}
        bare = self.bare.look(
            board.image, board.pose, compared.difference, compared.alien,
            self._hidden(read.pieces), taken, sharp,
        )  # fmt: skip
        if self._floating is None:
            return bare
        return self._snapped(self._floating, memory, read.pieces, bare)[2]

    def _snapped(
        self, floating: FloatingLattice, memory: Memory, pieces: Sequence[SeenPiece], bare: BareLook
    ) -> tuple[Frame | None, tuple[SeenPiece, ...], BareLook]:
        """The place of the lattice, and the pieces, each in its cell."""
        now: list[SeenPiece | BarePiece] = [*pieces, *bare.pieces]
        before: list[SeenPiece | BarePiece] = [*memory.pieces, *memory.bare.pieces]
        frame = floating.follow(now, before, memory.frame)
        told = replace(bare, pieces=floating.snapped(bare.pieces, frame))
        return frame, floating.snapped(pieces, frame), told

    def _learn(
        self, pose: BoardPose, compared: Compared, settled: Settled, hidden: Iterable[str]
    ) -> None:
        """Learn from a table without a hand over it, but not at the sites that are ``hidden``."""
        known: list[SeenPiece | BarePiece] = [*settled.pieces, *settled.bare.pieces]
        # Shade goes away with the piece that casts it.
        open_ = (settled.hidden | self._shaded(known)) == 0
        if self.bare.unsure:
            open_ &= self._hidden(self.bare.unsure) == 0
        # Sun and shade move on.
        open_ &= ~settled.lit
        for blob in settled.coverage.blobs:
            open_.ravel()[blob.spots] = False
        for site in self._masks.surroundings.keys() & set(hidden):
            open_.ravel()[self._masks.surroundings[site]] = False
        # An unreadable piece would be taken for board in the end.
        coverage, sites = settled.coverage, self._masks.sites
        strange = {s for s in coverage.covered if coverage.strange.get(s, 0.0) > HARDLY_BARE}
        for site in (strange | settled.bare.doubtful) & sites.keys():
            open_.ravel()[sites[site]] = False
        self._appearance.learn(compared.flat, open_)
        self._appearance.recognise(open_ & ~compared.alien)
        self.bare.learn(settled.bare.pieces)
        self._beneath.look(settled.pieces, pose)

    def _gone(
        self, memory: Memory, compared: Compared, settled: Settled
    ) -> tuple[tuple[Remains, ...], frozenset[str]]:
        """The pieces that are not read where they lay, as far as it is unsure that they were taken
        away; and the sites where a part of them still shows."""
        if memory.flat is None or not compared.difference.steady:
            return (), frozenset()
        here: list[SeenPiece | BarePiece] = [*settled.pieces, *settled.bare.pieces]
        before: list[SeenPiece | BarePiece] = [*memory.pieces, *memory.bare.pieces]
        told = self._roomy | {piece.site for piece in here}
        gone = [one for one in memory.gone if one.site not in told]
        taken = [(p.site, p.body_mm) for p in before if p.site is not None and p.site not in told]
        if not (gone or taken):
            return (), frozenset()
        open_, covered, flat = settled.hidden == 0, settled.coverage.covered, memory.flat
        # Where the board looks as it should, nothing of a piece is left.
        strange = unlike(compared.difference) & open_
        parts = self._masks.rectangles(body for _, body in taken)
        likely = [
            site in covered or strange[part].any()
            for (site, _), part in zip(taken, parts, strict=True)
        ]
        gone += [Remains.of(*one, flat, self._masks) for one in compress(taken, likely)]
        if not gone:
            return (), frozenset()
        open_ = open_.ravel()
        gain = change_of_light(compared.flat, flat, open_)
        shown = showing(gone, compared.flat, compared.difference.expected, open_, gain)
        if shown:
            # The same thing may hide all of the next piece.
            others = compress(taken, (not one for one in likely))
            gone += [Remains.of(*one, flat, self._masks) for one in others]
            near = self._masks.neighbours
            shown |= {one.site for one in gone if shown & near.get(one.site, frozenset())}
        return tuple(one for one in gone if one.site in shown | covered), shown

    def _unread(self, coverage: Coverage) -> frozenset[str]:
        """Sites where something lies that may be a piece."""
        return unread(self._box, self._masks, (*coverage.hands, *coverage.resting))

    def _uncleared(self, things: Iterable[Blob], compared: Compared) -> list[Blob]:
        """``things`` that lie there and are so large that they may be arms after all, on a board of
        one's own that was never seen below them: nobody knows where they end."""
        known = compared.difference.known.ravel()
        large = [blob for blob in things if blob.large and not self._appearance.promised]
        return [blob for blob in large if not known[blob.spots].mean() > MORE]

    def _unshown(self, occluded: Iterable[str], compared: Compared) -> frozenset[str]:
        """The hidden sites of which it is not known what the board looks like there."""
        if self._appearance.promised:
            return frozenset()
        known, places = compared.difference.known.ravel(), self._masks.sites
        return frozenset(
            site for site in occluded if site in places and not known[places[site]].mean() > MORE
        )

    def _hidden(self, pieces: Iterable[SeenPiece | BarePiece]) -> Mask:
        return self._masks.hidden(part for piece in pieces for part in piece.parts_mm)

    def _shaded(self, pieces: Iterable[SeenPiece | BarePiece]) -> Mask:
        return self._masks.shaded((piece.body_mm, piece.height_mm) for piece in pieces)


def _below(memory: Memory, settled: Settled) -> frozenset[str]:
    """The sites whose piece is no longer seen since a hand came. Skin that looks like the board
    would pass for it, and a piece below the hand for one that is gone."""
    now: list[SeenPiece | BarePiece] = [*settled.pieces, *settled.bare.pieces]
    before: list[SeenPiece | BarePiece] = [*memory.pieces, *memory.bare.pieces]
    lay = {piece.site for piece in before if piece.site is not None}
    return frozenset((memory.below | lay) - {piece.site for piece in now})


def _unsure(coverage: Coverage) -> frozenset[str]:
    """The sites that may lie below a hand that is seen, though its skin looks like the board: they
    look strange, for what came with it was never read and would not be missed, or nobody has seen
    how they look when they are free."""
    if not coverage.hand:
        return frozenset()
    strange = {site for site, how in coverage.strange.items() if how > STRANGE_BY_HAND}
    return coverage.blank | strange


def _hiding(settled: Settled, sites: frozenset[str]) -> Settled:
    """``settled`` with some more sites hidden."""
    coverage = settled.coverage
    if sites <= coverage.covered:
        return settled
    return replace(settled, coverage=replace(coverage, covered=coverage.covered | sites))
