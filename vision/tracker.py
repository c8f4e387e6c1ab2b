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

import math
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np

from rules.box import Box, PieceKind, Site
from rules.sighting import SiteBelief
from vision.appearance import BoardAppearance, Difference
from vision.arrays import Bools, Floats, Mask, Picture, Points, floats
from vision.bare import BareLook, BarePiece
from vision.bare_auto import BareSense
from vision.board_pose import STICKERS_NEEDED, BoardFinder, BoardPose, NoBoard
from vision.cover import Blob, Coverage, Masks, find_blobs, foreign, judge, shows_board
from vision.direct import LEAST_PX_PER_MODULE
from vision.gate import Gate
from vision.known_places import KnownPlaces, reconcile, too_small_text
from vision.lens import Lens
from vision.sighting import SeenPiece, Sighting, fuse, lost, pose_of, site_beliefs, strays
from vision.sources import Frame
from vision.stickers import SeenSticker, StickerReader, Window

__all__ = ["Tracker"]

SITE_SLACK_MM = 3.0
"""Pieces this far outside a site still belong to it; hands are not rulers."""
CORNER_ROAM_MM = 12.0
"""How far corner stickers may have moved since the last picture to be found at once."""
PIECE_ROAM_MM = 5.0
"""How far a piece's sticker is looked for beyond the site's middle."""
RIM = 8 / 6
LARGEST_MM = 80.0
"""Foreign things larger than this are not searched for stickers of pieces beside their sites."""
PIECES_HOLD = 2
"""So many pieces in their old places prove that neither board nor camera moved."""
CORNER_DOUBT_PX = 0.4
"""How far the side of a sticker in the picture may be off."""
LIFT_DOUBTS = 2.5
"""A pile is believed from so many times that doubt on."""
PILE_LEAN = 0.12
"""How far the top of a pile may lie beside its site, per mm of height."""
PILE_WINDOW_MM = 60.0
"""Piles up to this height are looked for where pieces may be piled up."""
SURE = 0.9
"""Correlation from which on a sticker that was read is no drawing; rendered ones have 0.94."""
SAME = 0.8
"""Correlation from which on a sticker is still the same in the same place."""
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
        self._quiet_frames, self._votes = quiet_frames, votes
        self._reader = StickerReader(box)
        self._finder = BoardFinder(box, lens_of)
        self._appearance = BoardAppearance(box)
        self._masks = Masks(box, self._appearance.size)
        roomy = {g for s in box.sites.values() if s.room > 1 for g in s.takes}
        self._piled = {k.id for k in box.kinds.values() if k.group in roomy or k.shape == "card"}
        """Kinds that may lie on each other."""
        self._places = KnownPlaces(box, self._reader, self._piled)
        self._bare_reader = BareSense(box, bare, self._appearance)
        self._least_mm = min(
            [k.sticker_mm for k in box.kinds.values() if k.stickers], default=box.corners[0].size
        )
        self.forget()

    def forget(self) -> None:
        """Start afresh: another camera, another board, another picture size."""
        self._size = (0, 0)
        self._pose: BoardPose | None = None
        self._pieces: tuple[SeenPiece, ...] = ()
        self._unseen: tuple[BoardPose, frozenset[str]] | None = None
        self._gate = Gate()
        self._quiet = 0
        self._looks: list[Mapping[str, SiteBelief]] = []
        self._tables: list[dict[str, str]] = []
        self._looked = 0
        self._last: Sighting | None = None
        self._audited_s = 0.0
        self._stirred_s: float | None = None
        self._tolerated: frozenset[str] = frozenset()
        self._disputed: frozenset[str] = frozenset()
        self._bare = BareLook()
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
        gate_ms = _since(start)
        if stir.moving or self._stirred_s is None:
            self._stirred_s = frame.time_s
        if stir.moving:
            self._quiet = 0
            self._look_anew()
        else:
            self._quiet += 1
        last = self._last
        if last is not None and self._quiet < self._quiet_frames:
            return replace(last, hand=True, still=False, ms={"gate": gate_ms, "total": gate_ms})
        # No hand lies so still for so long; something else has changed what the board looks like.
        rested = last is not None and last.hand and frame.time_s - self._stirred_s > RESTING_S
        audit = False
        if not rested and last is not None and not stir.changed and self._settled:
            audit = not 0 <= frame.time_s - self._audited_s < AUDIT_S
            if not audit:
                return replace(last, still=True, ms={"gate": gate_ms, "total": gate_ms})
        if stir.changed:
            self._look_anew()
            self._gate.mark()
        self._audited_s = frame.time_s
        seen = self._see(frame.image, audit, rested)
        if audit and last is not None and seen.table != last.table:
            # What the gate overlooked, or what was misread: look and vote again.
            self._look_anew()
        if seen.board == "found":
            self._looks = [*self._looks, seen.sites][-self._votes :]
            self._tables = [*self._tables, seen.table][-self._votes :]
            self._looked += 1
            seen = replace(seen, sites=fuse(self._looks))
        seen = replace(
            seen,
            still=self._quiet >= self._quiet_frames,
            ms={**seen.ms, "gate": gate_ms, "total": seen.ms["total"] + gate_ms},
        )
        self._last = seen
        return seen

    @property
    def _settled(self) -> bool:
        """Whether the still table was looked at often enough: until the last looks agree."""
        if len(self._looks) < self._votes:
            return False
        same = all(table == self._tables[0] for table in self._tables)
        return same or self._looked >= MOST_LOOKS

    def _look_anew(self) -> None:
        self._looks.clear()
        self._tables.clear()
        self._looked = 0

    # -- one look -------------------------------------------------------------------------

    def _see(self, image: Picture, audit: bool = False, rested: bool = False) -> Sighting:
        clock = _Clock()
        height, width = image.shape[:2]
        if self._size != (width, height):
            self.forget()
            self._size = (width, height)
        before = self._pose
        corners, anywhere = self._find_corners(image)
        try:
            pose = self._find_board(image, corners)
        except NoBoard as reason:
            self._pose, self._pieces = None, ()
            clock.mark("board")
            return lost(str(reason), clock.done())
        self._pose = pose
        missing = [c.id for c in self.box.corners if c.id not in corners]
        clock.mark("board")

        pieces = self._still_there(image, pose)
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
            pieces = _once([*pieces, *self._read(image, pose, doubtful, anywhere)])
        pieces = self._lying(image, pose, pieces, difference)
        clock.mark("read")

        taken = {p.site for p in pieces}
        sharpness = self._sharpness(image, corners)
        if self._bare_reader.wants(pose, sharpness):
            self._bare = self._bare_reader.look(
                image, pose, difference, alien, self._hidden(pieces), taken, sharpness
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
        pieces = [piece for piece in pieces if piece.site not in self._disputed]
        self._pieces = tuple(pieces)
        clock.mark("judge")

        light = self._light(flat, hidden)
        clock.mark("figures")
        small = self._places.too_small(pose)
        occluded = coverage.covered | self._disputed | small.keys() | self._bare.doubtful
        beliefs = site_beliefs(
            self.box, pieces, occluded, self._out_of_view(pose), coverage.strange
        )
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
            light=light,
            sharpness=sharpness,
            px_per_module=pose.px_per_mm() * self._least_mm / 6,
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
        held = len(self._still_there(image, before)) >= PIECES_HOLD
        try:
            return self._finder.find(corners, self._size, before, held)
        except NoBoard:
            # Things hide corner stickers, and somebody pushed the table.
            slid = self._finder.slid(corners, before)
            there = 0 if slid is None else len(self._still_there(image, slid))
            if slid is None or there < max(PIECES_HOLD, len(self._pieces) / 2):
                raise
            return slid

    def _find_corners(self, image: Picture) -> tuple[dict[int, Points], list[SeenSticker]]:
        """Corner stickers (id → 4 × 2 px), and whatever else was read on the way."""
        found: dict[int, Points] = {}
        if self._pose is not None:
            found = self._corners_in_place(image, self._pose)
            module = self._pose.px_per_mm() * self.box.corners[0].size / 6
            for full in (False, True):
                missing = [c for c in self.box.corners if c.id not in found]
                if not missing:
                    break
                windows = [self._corner_window(self._pose, c.at, c.size) for c in missing]
                for corner, seen in zip(
                    missing, self._reader.read_at(image, windows, module, full), strict=True
                ):
                    found.update({s.id: s.corners for s in seen if s.id == corner.id})
            if len(found) >= STICKERS_NEEDED:
                return found, []
        seen = self._reader.search(image, smallest_px=0.004 * max(self._size))
        ids = set(self._finder.ids)
        anywhere = {s.id: s.corners for s in seen if s.id in ids}
        if len(anywhere) >= len(found):
            found = anywhere
        return found, [s for s in seen if s.id not in ids]

    def _corners_in_place(self, image: Picture, pose: BoardPose) -> dict[int, Points]:
        """The corner stickers that still match where they were, with their corners found anew."""
        ids = self._finder.ids
        every = np.concatenate([self._finder.corners_mm(sticker) for sticker in ids])
        expected = pose.project(every).reshape(-1, 4, 2)
        matches = self._reader.match(image, ids, expected)
        return {
            sticker: self._reader.sharpen(image, px)
            for sticker, px, match in zip(ids, expected, matches, strict=True)
            if match >= SAME
        }

    def _corner_window(self, pose: BoardPose, at: tuple[float, float], size: float) -> Window:
        half = size * RIM / 2 + CORNER_ROAM_MM
        x, y = at
        square = [(x - half, y - half), (x + half, y - half), (x + half, y + half),
                  (x - half, y + half)]  # fmt: skip
        return Window.around(pose.project(np.array(square)))

    def _still_there(self, image: Picture, pose: BoardPose) -> list[SeenPiece]:
        """The pieces of the last look whose stickers still match in their places."""
        if not self._pieces:
            return []
        tops = [np.column_stack([p.corners_mm, np.full(4, p.height_mm)]) for p in self._pieces]
        projected = pose.project(np.concatenate(tops)).reshape(-1, 4, 2)
        kept = []
        matches = self._reader.match(image, [p.sticker for p in self._pieces], projected)
        for piece, px, match in zip(self._pieces, projected, matches, strict=True):
            if match >= SAME:
                kept.append(replace(piece, corners_px=px))
        return kept

    def _doubtful(
        self, alien: Bools,
        kept: Sequence[SeenPiece],
    ) -> list[str]:  # fmt: skip
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
        """Read the stickers at ``sites``; ``anywhere``: what was seen in another way already.

        ``full``: take a second opinion at every site, not only where the first is in doubt.
        """
        answers = self._places.read(image, pose, sites)
        open_ = [s for s in sites if full or s not in answers or answers[s].id is None]
        module = pose.px_per_mm() * self._least_mm / 6
        windows = [self._site_window(pose, site) for site in open_]
        known = [w for w in windows if w is not None]
        found = list(anywhere)
        for seen in self._reader.read_at(image, known, module):
            found += seen
        both = reconcile(answers, found)
        self._disputed |= both.doubtful
        return _once(self._place(pose, sticker) for sticker in both.stickers)

    def _lying(
        self, image: Picture, pose: BoardPose, pieces: list[SeenPiece], difference: Difference
    ) -> list[SeenPiece]:
        """The pieces without those for which the drawing of the board was taken."""
        matches = self._reader.match(
            image, [p.sticker for p in pieces], [p.corners_px for p in pieces]
        )
        return [
            piece
            for piece, match in zip(pieces, matches, strict=True)
            if match >= SURE
            or not shows_board(self.box, difference, pose.on_board(piece.corners_px))
        ]

    def _site_window(self, pose: BoardPose, name: str) -> Window | None:
        site = self.box.sites[name]
        spots = []
        for kind in self.box.kinds_at(name):
            if not kind.stickers:
                continue
            half = kind.sticker_mm * RIM * 0.71 + PIECE_ROAM_MM
            if site.size is not None:
                w, h = site.size[0] / 2, site.size[1] / 2
            else:
                w = h = site.radius if site.room > 1 else 0.0
            heights = [kind.height]
            if kind.id in self._piled:
                pile = min((kind.count - 1) * kind.height, PILE_WINDOW_MM)
                heights.append(kind.height + pile)
            spots += [
                (site.at[0] + sx * (w + half), site.at[1] + sy * (h + half), z)
                for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))
                for z in heights
            ]
        return Window.around(pose.project(np.array(spots))) if spots else None

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

    def _place(self, pose: BoardPose, sticker: SeenSticker) -> SeenPiece | None:
        """The piece a sticker belongs to and where it stands; None for corner stickers."""
        kind = self.box.kind_of_sticker.get(sticker.id)
        if kind is None:
            return None
        # The back sticker of a piece that lies is as high as the piece is thick.
        lying = sticker.id in kind.lying_stickers
        height = min(kind.size) if lying else kind.height
        corners = pose.on_board(sticker.corners, height)
        side = _side(corners)
        # A sticker of another size is somebody else's, or held up in a hand.
        if not 0.75 < side / kind.sticker_mm < 1.3:
            return None
        if self._places.px_per_module(pose, kind, (0.0, 0.0)) < LEAST_PX_PER_MODULE:
            return None
        lift = 0.0
        if kind.id in self._piled:
            lift = self._lift(pose, kind, height, side, _side(sticker.corners))
            height += lift
            corners = pose.on_board(sticker.corners, height)
        x, y = corners.mean(axis=0)
        at = (float(x), float(y))
        site = self.box.site_at(at, kind.group, SITE_SLACK_MM + PILE_LEAN * lift)
        if site is None and kind.id in self._piled:
            site = self._site_below(pose, kind, sticker, height - lift)
        # Where no such piece can lie, a mere likeness is no evidence.
        if site is None and not sticker.sure:
            return None
        name = site.id if site is not None else None
        body = self._masks.body(pose, kind, corners, height, lying)
        stands = pose_of(kind, sticker.id, at, corners)
        return SeenPiece(
            kind.id, sticker.id, at, name, corners, sticker.corners, body, stands, height
        )

    def _site_below(
        self, pose: BoardPose, kind: PieceKind, sticker: SeenSticker, height: float
    ) -> Site | None:
        """The site of the pile on which a piece lies that seems to lie beside every site.

        A pile leans away from the camera before its sticker tells how high it is; of the heights
        that its size leaves open, the likeliest one above a site counts. ``height``: alone, mm.
        """
        side = _side(pose.on_board(sticker.corners, height))
        guess = (float(pose.eye[2]) - height) * (1 - kind.sticker_mm / side)
        doubt = self._lift_doubt(pose, height, _side(sticker.corners))
        lifts = (layer * kind.height for layer in range(1, kind.count))
        for lift in sorted(
            (z for z in lifts if abs(z - guess) < doubt), key=lambda z: abs(z - guess)
        ):
            x, y = pose.on_board(sticker.corners, height + lift).mean(axis=0)
            site = self.box.site_at((float(x), float(y)), kind.group, SITE_SLACK_MM)
            if site is not None:
                return site
        return None

    def _lift(
        self, pose: BoardPose, kind: PieceKind, height: float, side: float, side_px: float
    ) -> float:
        """How much higher than alone a piece lies on a pile of its like, in mm.

        A sticker nearer to the camera looks larger. ``side``: of the sticker in mm if it were
        ``height`` mm above the board; ``side_px``: in the picture.
        """
        lift = (float(pose.eye[2]) - height) * (1 - kind.sticker_mm / side)
        highest = (kind.count - 1) * kind.height
        # What the corners' pixels leave open is not worth a guess.
        sure = lift > self._lift_doubt(pose, height, side_px)
        return min(lift, highest) if sure else 0.0

    @staticmethod
    def _lift_doubt(pose: BoardPose, height: float, side_px: float) -> float:
        """How high a pile must be for its sticker's size in the picture to tell, in mm."""
        down = float(pose.eye[2]) - height
        return LIFT_DOUBTS * down * CORNER_DOUBT_PX / max(side_px, 1.0)

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
            module = pose.px_per_mm() * self._least_mm / 6
            windows = [self._site_window(pose, site) for site in sorted(coverage.covered)]
            windows += [self._blob_window(pose, blob) for blob in coverage.blobs]
            known = [w for w in windows if w is not None]
            more = self._reader.read_at(image, known, module, full=True)
            fresh = _once([*pieces, *(self._place(pose, s) for seen in more for s in seen)])
            fresh = self._lying(image, pose, fresh, difference)
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
        piles = [
            # A pile too low to be told by its sticker casts shade all the same.
            (
                piece.body_mm,
                max(
                    piece.height_mm - self.box.kinds[piece.kind].height,
                    self._lift_doubt(pose, piece.height_mm, _side(piece.corners_px)),
                ),
            )
            for piece in pieces
            if piece.kind in self._piled
        ]
        piles += [(piece.body_mm, 0.0) for piece in self._bare.pieces]
        beside = self._masks.beside_piles(piles)
        return judge(
            self.box, blobs, difference, alien, hidden, self._masks, pose, empty, missing, beside,
            self._tolerated,
        )  # fmt: skip

    def _blob_window(self, pose: BoardPose, blob: Blob) -> Window:
        low, high = blob.box_mm
        tallest = max((k.height for k in self.box.kinds.values()), default=0.0)
        roam = 8.0
        spots = [
            (x, y, z)
            for x in (low[0] - roam, high[0] + roam)
            for y in (low[1] - roam, high[1] + roam)
            for z in (0.0, tallest)
        ]
        return Window.around(pose.project(np.array(spots)))

    @staticmethod
    def _light(flat: Floats, hidden: Mask) -> float:
        bare = flat[:, ::4, ::4][:, hidden[::4, ::4] == 0]
        return float(np.median(bare)) ** (1 / 2.2) if bare.size else 0.0

    def _sharpness(self, image: Picture, corners: Mapping[int, Points]) -> float:
        steep = []
        for px in corners.values():
            window = Window.around(px).within(*self._size)
            part = image[window.top : window.bottom, window.left : window.right, 1]
            if min(part.shape) < 4:
                continue
            middle = floats(part[part.shape[0] // 4 : -part.shape[0] // 4])
            low, high = _percentile(middle, 5), _percentile(middle, 95)
            slope = np.abs(cv2.Sobel(middle, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8))
            steep.append(_percentile(floats(slope), 98) / max(high - low, 1.0))
        return float(np.median(steep)) if steep else 0.0


class _Clock:
    def __init__(self) -> None:
        self._start = self._last = time.perf_counter()
        self._ms: dict[str, float] = {}

    def mark(self, part: str) -> None:
        now = time.perf_counter()
        self._ms[part] = (now - self._last) * 1000
        self._last = now

    def done(self) -> dict[str, float]:
        return {**self._ms, "total": _since(self._start)}


def _since(start: float) -> float:
    return (time.perf_counter() - start) * 1000


def _side(corners: Points) -> float:
    """Mean side of a square, 4 × 2."""
    one, two, three, four = corners.tolist()
    around = math.dist(one, two) + math.dist(two, three) + math.dist(three, four)
    return (around + math.dist(four, one)) / 4


def _percentile(values: Floats, percent: float) -> float:
    """The value that ``percent`` of all ``values`` stay below; numpy's own takes ten times as
    long over so few."""
    place = round(percent / 100 * (values.size - 1))
    return float(np.partition(values, place, axis=None)[place])


def _once(pieces: Iterable[SeenPiece | None]) -> list[SeenPiece]:
    """Each piece once, although windows overlap."""
    kept: list[SeenPiece] = []
    for piece in pieces:
        if piece is None:
            continue
        like = [other for other in kept if other.sticker == piece.sticker]
        middle, near = piece.corners_px.mean(axis=0), _side(piece.corners_px) / 3 if like else 0.0
        twice = any(
            float(np.linalg.norm(other.corners_px.mean(axis=0) - middle)) < near for other in like
        )
        if not twice:
            kept.append(piece)
    return kept
