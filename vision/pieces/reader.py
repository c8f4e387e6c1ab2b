"""Reading the pieces on a board: where nothing is known yet, and again where it was read before."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

import numpy as np

from rules.box import Box
from vision.arrays import Picture, Points
from vision.board.appearance import Difference
from vision.board.blobs import Blob
from vision.board.masks import Masks
from vision.board.occlusion import shows_board
from vision.board.pose import BoardPose
from vision.pieces.known_places import KnownPlaces, reconcile, remembered
from vision.pieces.sighting import SeenPiece
from vision.pieces.standing import Standing, in_place_of, once
from vision.stickers.reader import RIM, SAME, SeenSticker, StickerReader, Window

PIECE_ROAM_MM = 5.0
"""Search distance for a piece's sticker beyond the site's middle."""
BLOB_ROAM_MM = 8.0
"""Search distance for stickers around something foreign."""
PILE_WINDOW_MM = 60.0
"""Piles up to this height are looked for where pieces may be piled up."""
SURE = 0.9
"""Correlation from which a sticker that was read is not a drawing; rendered ones have 0.94."""


class PieceReader:
    """Reads the stickers of one box's pieces."""

    def __init__(self, box: Box, reader: StickerReader, masks: Masks) -> None:
        self._box, self._reader = box, reader
        roomy = {g for s in box.sites.values() if s.room > 1 for g in s.takes}
        self._piled = frozenset(
            k.id for k in box.kinds.values() if k.group in roomy or k.shape == "card"
        )
        """Kinds that may lie on each other."""
        self.places = KnownPlaces(box, reader, self._piled)
        self.standing = Standing(box, masks, self.places, self._piled)
        self.least_mm = min(
            [k.sticker_mm for k in box.kinds.values() if k.stickers], default=box.corners[0].size
        )
        """Side of the smallest sticker of a piece."""

    def read(
        self, image: Picture, pose: BoardPose, sites: Sequence[str],
        anywhere: Sequence[SeenSticker], full: bool = False, before: Sequence[SeenPiece] = (),
    ) -> tuple[list[SeenPiece], frozenset[str]]:  # fmt: skip
        """The pieces at ``sites``, rivals among them, and the sites about which two readers
        disagree.

        ``anywhere``: what was seen in another way already. ``full``: take a second opinion at
        every site, not only where the first is in doubt. ``before``: what was read in the look
        before from the same ``pose``.
        """
        if not (sites or anywhere):
            return [], frozenset()
        answers = remembered(self.places.read(image, pose, sites), before)
        open_ = [s for s in sites if full or s not in answers or answers[s].id is None]
        found = [*anywhere, *self._seen_at(image, pose, self._site_windows(pose, open_))]
        both = reconcile(answers, found)
        return once(self.standing.place(pose, both.stickers)), both.doubtful

    def read_around(
        self, image: Picture, pose: BoardPose, things: Iterable[tuple[Points, Points]]
    ) -> list[SeenSticker]:
        """The stickers on ``things`` of the open ground: lowest and highest x and y of each, mm."""
        return self._seen_at(image, pose, [self._window(pose, *thing) for thing in things])

    def read_hard(
        self, image: Picture, pose: BoardPose, pieces: Iterable[SeenPiece],
        sites: Collection[str], blobs: Iterable[Blob],
    ) -> list[SeenPiece]:  # fmt: skip
        """``pieces`` and what else can be read at ``sites`` and ``blobs``, sparing no effort."""
        windows = self._site_windows(pose, sorted(sites))
        windows += [self._blob_window(pose, blob) for blob in blobs]
        # A sticker that touches something dark is no square any more in black and white.
        answers = self.places.read_hard(image, pose, sorted(sites))
        seen = reconcile(answers, self._seen_at(image, pose, windows, full=True))
        found = once([*pieces, *self.standing.place(pose, seen.stickers)])
        return self.without_rivals(image, found)

    def without_rivals(self, image: Picture, pieces: list[SeenPiece]) -> list[SeenPiece]:
        """``pieces`` but for those whose sticker lies where another was read that matches the
        picture better: both cannot be seen."""
        if not pieces:
            return pieces
        rival = in_place_of(pieces)
        contested = np.flatnonzero(rival.any(axis=1))
        if not len(contested):
            return pieces
        matches = np.full(len(pieces), -np.inf)
        matches[contested] = self._reader.match(
            image, [pieces[n].sticker for n in contested], [pieces[n].corners_px for n in contested]
        )
        best = ~(rival & (matches > matches[:, None])).any(axis=1)
        return [pieces[n] for n in np.flatnonzero(best)]

    def still_there(
        self, image: Picture, pose: BoardPose, pieces: Sequence[SeenPiece]
    ) -> list[SeenPiece]:
        """The ``pieces`` whose stickers still match in their places."""
        if not pieces:
            return []
        corners = np.concatenate([piece.corners_mm for piece in pieces])
        heights = np.repeat([piece.height_mm for piece in pieces], 4)
        projected = pose.project(np.column_stack([corners, heights])).reshape(-1, 4, 2)
        matches = self._reader.match(image, [p.sticker for p in pieces], projected)
        return [
            replace(piece, corners_px=px)
            for piece, px, match in zip(pieces, projected, matches, strict=True)
            if match >= SAME
        ]

    def lying(
        self, image: Picture, pose: BoardPose, pieces: Sequence[SeenPiece], difference: Difference
    ) -> list[SeenPiece]:
        """``pieces`` without those for which the drawing of the board was taken."""
        matches = self._reader.match(
            image, [p.sticker for p in pieces], [p.corners_px for p in pieces]
        )
        return [
            piece
            for piece, match in zip(pieces, matches, strict=True)
            if match >= SURE
            or not shows_board(self._box, difference, pose.on_board(piece.corners_px))
        ]

    def _seen_at(
        self, image: Picture, pose: BoardPose, windows: Sequence[Window], full: bool = False
    ) -> list[SeenSticker]:
        module = pose.px_per_mm() * self.least_mm / 6
        found = self._reader.read_at(image, windows, module, full)
        return [sticker for seen in found for sticker in seen]

    def _site_windows(self, pose: BoardPose, sites: Iterable[str]) -> list[Window]:
        windows = (self._site_window(pose, site) for site in sites)
        return [window for window in windows if window is not None]

    def _site_window(self, pose: BoardPose, name: str) -> Window | None:
        """The part of the picture for stickers at the site ``name``; None if it takes none."""
        site = self._box.sites[name]
        spots = []
        for kind in self._box.kinds_at(name):
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

    def _blob_window(self, pose: BoardPose, blob: Blob) -> Window:
        return self._window(pose, *blob.box_mm)

    def _window(self, pose: BoardPose, low: Points, high: Points) -> Window:
        tallest = max((k.height for k in self._box.kinds.values()), default=0.0)
        spots = [
            (x, y, z)
            for x in (low[0] - BLOB_ROAM_MM, high[0] + BLOB_ROAM_MM)
            for y in (low[1] - BLOB_ROAM_MM, high[1] + BLOB_ROAM_MM)
            for z in (0.0, tallest)
        ]
        return Window.around(pose.project(np.array(spots)))
