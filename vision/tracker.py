"""Frames in, sightings out.

A settled frame (a folder's picture) is looked at at once. Of a live source, a cheap gate looks
first: while something moves, the table is somebody's hand's; when it has been quiet for a few
frames, it is looked at a few times and those looks are fused; then nothing is done until
something changes.

In each look only what is new is read. The corner stickers are read near their last place; a
piece that was read before need only still match its own picture; a site that looks like the bare
board is bare; stickers are decoded where neither holds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from rules.box import Box
from rules.reading.sighting import SiteBelief
from vision.arrays import Bools, Mask, Picture, Points
from vision.board.appearance import BoardAppearance, Difference
from vision.board.corners import CornerReader
from vision.board.cover import Blob, Coverage, Masks, find_blobs, foreign, judge
from vision.board.gate import Gate
from vision.board.pose import STICKERS_NEEDED, BoardFinder, BoardPose, NoBoard
from vision.camera.lens import Lens
from vision.camera.sources import Frame
from vision.pieces.bare import BareLook, BarePiece
from vision.pieces.bare_auto import BareSense
from vision.pieces.beneath import Beneath
from vision.pieces.figures import Clock, light, sharpness, since
from vision.pieces.known_places import too_small_text
from vision.pieces.reader import PieceReader
from vision.pieces.sighting import SeenPiece, Sighting, fuse, lost, site_beliefs, strays
from vision.pieces.standing import once
from vision.stickers.reader import SeenSticker, StickerReader

__all__ = ["Tracker"]

LARGEST_MM = 80.0
"""Foreign things larger than this are not searched for stickers of pieces beside their sites."""
PIECES_HOLD = 2
"""So many pieces in their old places prove that neither board nor camera moved."""
MOST_LOOKS = 12
"""Looks that never agree come to an end, until the next audit."""
AUDIT_S = 5.0
"""A still live table is read anew as a whole so often, s."""
RESTING_S = 15.0
"""What lies still for so long is no hand, whatever it looks like."""
SUSPECT = 0.04
"""Share of a site that must look foreign for its sticker to be decoded."""


class Tracker:
    """Watches one table with the material of ``box``."""

    def __init__(
        self, box: Box, quiet_frames: int = 3, votes: int = 3,
        lens_of: Callable[[tuple[int, int]], Lens | None] | None = None,
        bare: Collection[str] = (),
    ) -> None:  # fmt: skip
        """``quiet_frames``: frames without motion before a live table counts as still.
        ``votes``: looks at a still live table that are fused before it is left alone.
        ``lens_of``: the calibrated lens for pictures of a width and height in px, or None.
        ``bare``: kinds or groups of pieces that may lack stickers and are told by their colour,
        ``*`` for all, ``auto`` for those that are found out from what ``expect`` says; kinds that
        have none in the box are told so anyway.

        Raises ValueError if ``bare`` names what the box does not have, BoxError if OpenCV cannot
        read the box's stickers.
        """
        self.box = box
        self._quiet_frames = quiet_frames
        self._votes = _Votes(votes)
        reader = StickerReader(box)
        self._finder = BoardFinder(box, lens_of)
        self._corners = CornerReader(box, reader, self._finder)
        self._appearance = BoardAppearance(box)
        self._masks = Masks(box, self._appearance.size)
        self._reader = PieceReader(box, reader, self._masks)
        self._beneath = Beneath(box)
        self._bare_reader = BareSense(box, bare, self._appearance)
        self.forget()

    def forget(self) -> None:
        """Start afresh: another camera, another board, another picture size."""
        self._size = (0, 0)
        self._pose: BoardPose | None = None
        self._pieces: tuple[SeenPiece, ...] = ()
        self._unseen: tuple[BoardPose, frozenset[str]] | None = None
        self._gate = Gate()
        self._quiet = 0
        self._votes.begin()
        self._last: Sighting | None = None
        self._audited_s = 0.0
        self._stirred_s: float | None = None
        self._tolerated: frozenset[str] = frozenset()
        self._disputed: frozenset[str] = frozenset()
        self._bare = BareLook()
        self._beneath.forget()
        self._finder.forget()
        self._appearance.forget()
        self._bare_reader.forget()

    def teach(self, opening: Mapping[str, str]) -> None:
        """The next look shows these kinds at these sites: colours of bare pieces are learnt."""
        self._bare_reader.teach(opening)

    def expect(self, layout: Mapping[str, Sequence[str]]) -> None:
        """What must lie where as the record says, kinds by site; with ``auto`` it tells which
        pieces carry no stickers."""
        self._bare_reader.expect(layout)

    def have_stickers(self, groups: Collection[str]) -> None:
        """People say that these groups of pieces carry stickers, whatever was found."""
        self._bare_reader.decline(groups)

    @property
    def pose(self) -> BoardPose | None:
        """Where the camera stood when the board was last found."""
        return self._pose

    def look(self, frame: Frame, settled: bool) -> Sighting:
        """What ``frame`` shows. ``settled``: it is a still view whatever came before."""
        if settled:
            self._last = self._see(frame.image)
            return self._last
        return self._look_live(frame)

    def _look_live(self, frame: Frame) -> Sighting:
        start = time.perf_counter()
        # A camera with a small stream is asked for the full picture only if it is needed.
        stir = self._gate.step(frame.image if frame.small is None else frame.small)
        gate_ms = since(start)
        if stir.moving or self._stirred_s is None:
            self._stirred_s = frame.time_s
        if stir.moving:
            self._quiet = 0
            self._votes.begin()
        else:
            self._quiet += 1
        last = self._last
        if last is not None and self._quiet < self._quiet_frames:
            return replace(last, hand=True, still=False, ms={"gate": gate_ms, "total": gate_ms})
        # No hand lies so still for so long; something else has changed what the board looks like.
        rested = last is not None and last.hand and frame.time_s - self._stirred_s > RESTING_S
        audit = False
        if not rested and last is not None and not stir.changed and self._votes.settled:
            audit = not 0 <= frame.time_s - self._audited_s < AUDIT_S
            if not audit:
                return replace(last, still=True, ms={"gate": gate_ms, "total": gate_ms})
        if stir.changed:
            self._votes.begin()
            self._gate.mark()
        self._audited_s = frame.time_s
        seen = self._see(frame.image, audit, rested)
        if audit and last is not None and seen.table != last.table:
            # What the gate overlooked, or what was misread: look and vote again.
            self._votes.begin()
        if seen.board == "found":
            seen = replace(seen, sites=self._votes.cast(seen))
        seen = replace(
            seen,
            still=self._quiet >= self._quiet_frames,
            ms={**seen.ms, "gate": gate_ms, "total": seen.ms["total"] + gate_ms},
        )
        self._last = seen
        return seen

    # -- one look -------------------------------------------------------------------------

    def _see(self, image: Picture, audit: bool = False, rested: bool = False) -> Sighting:
        clock = Clock()
        height, width = image.shape[:2]
        if self._size != (width, height):
            self.forget()
            self._size = (width, height)
        before = self._pose
        corners, anywhere = self._corners.find(image, self._pose)
        try:
            pose = self._find_board(image, corners)
        except NoBoard as reason:
            self._pose, self._pieces = None, ()
            clock.mark("board")
            return lost(str(reason), clock.done())
        self._pose = pose
        missing = [c.id for c in self.box.corners if c.id not in corners]
        clock.mark("board")

        pieces = self._reader.still_there(image, pose, self._pieces)
        self._disputed = frozenset()
        if audit:
            # All is read again; what still looks the same is one witness of several.
            same = [SeenSticker(piece.sticker, piece.corners_px) for piece in pieces]
            pieces = self._read(image, pose, list(self.box.sites), same, full=True)
        elif before is None:
            # Nothing is known yet: pieces that nobody has read would pass for board.
            pieces = self._read(image, pose, list(self.box.sites), anywhere, full=True)
        flat = self._appearance.flatten(image, pose)
        hidden = self._masks.hidden(p.body_mm for p in pieces)
        shaded = self._shaded(pieces)
        known = self._hidden(self._bare.pieces) if self._bare.pieces else hidden
        difference = self._appearance.compare(flat, hidden | known | shaded)
        alien = foreign(difference) & (hidden == 0)
        clock.mark("cover")

        if before is not None:
            doubtful = self._doubtful(alien, pieces)
            pieces = once([*pieces, *self._read(image, pose, doubtful, anywhere)])
        pieces = self._reader.lying(image, pose, pieces, difference)
        clock.mark("read")

        taken = {p.site for p in pieces}
        sharp = sharpness(image, corners.values())
        if self._bare_reader.wants(pose, sharp):
            self._bare = self._bare_reader.look(
                image, pose, difference, alien, self._hidden(pieces), taken, sharp
            )
        else:
            self._bare = BareLook()
        clock.mark("bare")

        pieces, coverage, hidden = self._settle(image, pose, pieces, difference, alien, missing)
        if rested and coverage.hand:
            # Below it nothing is concluded; the rest of the board counts again.
            self._tolerated |= coverage.covered
            coverage = replace(coverage, hand=False, blobs=self._at_sites(coverage))
        if not coverage.hand:
            # Shade goes away with the piece that casts it.
            bare = (hidden | self._shaded(pieces)) == 0
            if self._bare_reader.unsure:
                bare &= self._hidden(self._bare_reader.unsure) == 0
            for blob in coverage.blobs:
                bare.ravel()[blob.spots] = False
            self._appearance.learn(flat, bare)
            self._bare_reader.learn(self._bare.pieces)
            self._beneath.look(pieces)
        pieces = [piece for piece in pieces if piece.site not in self._disputed]
        self._pieces = tuple(pieces)
        clock.mark("judge")

        brightness = light(flat, hidden)
        clock.mark("figures")
        small = self._reader.places.too_small(pose)
        occluded = coverage.covered | self._disputed | small.keys() | self._bare.doubtful
        beliefs = site_beliefs(
            self.box, pieces, occluded, self._out_of_view(pose), coverage.strange,
            self._beneath.pieces,
        )  # fmt: skip
        return Sighting(
            sites=self._bare.beliefs(self.box, beliefs),
            hand=coverage.hand,
            strays=(*strays(pieces), *self._bare.strays),
            pose=pose,
            moved=before is not None and pose is not before,
            pieces=self._pieces,
            bare=self._bare.pieces,
            bare_found=self._bare_reader.found,
            occluded=occluded,
            strange=coverage.strange,
            reason=too_small_text(min(small.values())) if small else "",
            light=brightness,
            sharpness=sharp,
            px_per_module=pose.px_per_mm() * self._reader.least_mm / 6,
            pose_error_px=pose.error_px,
            ms=clock.done(),
        )

    def _find_board(self, image: Picture, corners: Mapping[int, Points]) -> BoardPose:
        """The pose by the corner stickers seen, or with few of them by what lies on the board.

        Raises NoBoard.
        """
        before = self._pose
        if before is None or len(corners) >= STICKERS_NEEDED:
            return self._finder.find(corners, self._size, before)
        held = len(self._reader.still_there(image, before, self._pieces)) >= PIECES_HOLD
        try:
            return self._finder.find(corners, self._size, before, held)
        except NoBoard:
            # Things hide corner stickers, and somebody pushed the table.
            slid = self._finder.slid(corners, before)
            there = [] if slid is None else self._reader.still_there(image, slid, self._pieces)
            if slid is None or len(there) < max(PIECES_HOLD, len(self._pieces) / 2):
                raise
            return slid

    def _doubtful(self, alien: Bools, kept: Sequence[SeenPiece]) -> list[str]:
        """Sites whose stickers must be decoded."""
        taken = {piece.site for piece in kept}
        flat = alien.ravel()
        doubtful = []
        for site in self.box.sites.values():
            spots = self._masks.sites.get(site.id)
            always = spots is None or site.room > 1
            if always or (site.id not in taken and float(flat[spots].mean()) > SUSPECT):
                doubtful.append(site.id)
        return doubtful

    def _read(
        self, image: Picture, pose: BoardPose, sites: Sequence[str],
        anywhere: Sequence[SeenSticker], full: bool = False,
    ) -> list[SeenPiece]:  # fmt: skip
        """As ``PieceReader.read``; sites in dispute are remembered."""
        pieces, doubtful = self._reader.read(image, pose, sites, anywhere, full)
        self._disputed |= doubtful
        return pieces

    def _out_of_view(self, pose: BoardPose) -> frozenset[str]:
        """Sites of which a part is not in the picture."""
        if self._unseen is not None and self._unseen[0] is pose:
            return self._unseen[1]
        width, height = self._size
        unseen = set()
        for site in self.box.sites.values():
            w, h = site.size or (2 * site.radius, 2 * site.radius)
            (x, y), rim = site.at, [(-w, -h), (w, -h), (w, h), (-w, h)]
            px = pose.project(np.array([(x + dx / 2, y + dy / 2) for dx, dy in rim]))
            if not bool(((px >= 0) & (px < (width, height))).all()):
                unseen.add(site.id)
        self._unseen = (pose, frozenset(unseen))
        return self._unseen[1]

    def _settle(
        self, image: Picture, pose: BoardPose, pieces: list[SeenPiece],
        difference: Difference, alien: Bools, missing: Sequence[int],
    ) -> tuple[list[SeenPiece], Coverage, Mask]:  # fmt: skip
        """Explain what still looks foreign: by stickers tried harder for, else by a cover."""
        hidden = self._hidden([*pieces, *self._bare.pieces])
        coverage = self._cover(pose, pieces, difference, alien, hidden, missing)
        extents = [float((b.box_mm[1] - b.box_mm[0]).max()) for b in coverage.blobs]
        # What is as large as a hand is searched in vain, and would cost most.
        if (coverage.covered or coverage.blobs) and max(extents, default=0.0) < LARGEST_MM:
            fresh = self._reader.read_hard(image, pose, pieces, coverage.covered, coverage.blobs)
            fresh = self._reader.lying(image, pose, fresh, difference)
            if len(fresh) > len(pieces):
                pieces = fresh
                hidden = self._hidden([*pieces, *self._bare.pieces])
                coverage = self._cover(pose, pieces, difference, alien, hidden, missing)
        return pieces, coverage, hidden

    def _at_sites(self, coverage: Coverage) -> tuple[Blob, ...]:
        """The blobs that touch a covered site: there may be a piece that nobody can read."""
        spots = [self._masks.sites.get(site) for site in coverage.covered]
        taken = {int(spot) for each in spots if each is not None for spot in each}
        return tuple(b for b in coverage.blobs if not taken.isdisjoint(map(int, b.spots)))

    def _hidden(self, pieces: Iterable[SeenPiece | BarePiece]) -> Mask:
        return self._masks.hidden(p.body_mm for p in pieces)

    def _shaded(self, pieces: Iterable[SeenPiece]) -> Mask:
        shady: list[SeenPiece | BarePiece] = [*pieces, *self._bare.pieces]
        return self._masks.shaded((p.body_mm, p.height_mm) for p in shady)

    def _cover(
        self, pose: BoardPose, pieces: Sequence[SeenPiece], difference: Difference, alien: Bools,
        hidden: Mask, missing: Sequence[int],
    ) -> Coverage:  # fmt: skip
        blobs = find_blobs(difference, alien & (hidden == 0), self._masks)
        taken = {piece.site for piece in pieces} | {piece.site for piece in self._bare.pieces}
        empty = [site for site in self.box.sites if site not in taken]
        piles = self._reader.standing.piles(pose, pieces)
        piles += [(piece.body_mm, 0.0) for piece in self._bare.pieces]
        beside = self._masks.beside_piles(piles)
        return judge(
            self.box, blobs, difference, alien, hidden, self._masks, pose, empty, missing, beside,
            self._tolerated,
        )  # fmt: skip


class _Votes:
    """The last looks at a still table."""

    def __init__(self, needed: int) -> None:
        self._needed = needed
        self.begin()

    def begin(self) -> None:
        """The table has changed."""
        self._looks: list[Mapping[str, SiteBelief]] = []
        self._tables: list[dict[str, str]] = []
        self._looked = 0

    def cast(self, seen: Sighting) -> Mapping[str, SiteBelief]:
        """What the last looks say together, ``seen`` among them."""
        self._looks = [*self._looks, seen.sites][-self._needed :]
        self._tables = [*self._tables, seen.table][-self._needed :]
        self._looked += 1
        return fuse(self._looks)

    @property
    def settled(self) -> bool:
        """Whether the table was looked at often enough: until the last looks agree."""
        if len(self._looks) < self._needed:
            return False
        same = all(table == self._tables[0] for table in self._tables)
        return same or self._looked >= MOST_LOOKS
