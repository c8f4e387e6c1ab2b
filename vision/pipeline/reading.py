"""The stages of a look that read stickers: those that are still there, and what is new."""

from __future__ import annotations

import cv2
import numpy as np

from rules.box import GROUND, Box
from vision.arrays import Bools, Points
from vision.board.flattening import MM_PER_PX
from vision.board.masks import Masks
from vision.pieces.reader import PieceReader
from vision.pieces.standing import once
from vision.pipeline.results import Compared, FoundBoard, Memory, ReadPieces
from vision.stickers.reader import SeenSticker

SUSPECT = 0.04
"""Share of a site that must look foreign for its sticker to be decoded."""

SPECK_MM2 = 60.0
"""A thing on the open ground that is smaller is no piece."""
MOST_THINGS = 12


class PieceSearch:
    """Reads the pieces of one box, and no more of the board than necessary."""

    def __init__(self, box: Box, reader: PieceReader, masks: Masks) -> None:
        self._box, self._reader = box, reader
        self._ground, self._mm = box.sites.get(GROUND), masks.mm
        self._on_board = [site for site in box.sites if len(masks.sites.get(site, ()))]
        """Sites with grid pixels: those of all others cannot be looked at."""
        spots = [masks.sites[site] for site in self._on_board]
        self._sizes = np.array([len(each) for each in spots])
        self._starts = np.cumsum(self._sizes) - self._sizes
        self._spots = np.concatenate([np.empty(0, dtype=np.intp), *spots])

    def known(self, board: FoundBoard, memory: Memory, audit: bool) -> ReadPieces:
        """The pieces where they lay; all read again for an ``audit``, or if nothing is known."""
        pieces = self._reader.still_there(board.image, board.pose, memory.pieces)
        if not (audit or board.first):
            return ReadPieces(tuple(pieces), frozenset())
        # Of an audit, what still looks the same is one witness of several. Where nothing is known
        # yet, unread pieces would pass for board.
        same = [SeenSticker(piece.sticker, piece.corners_px) for piece in pieces]
        witnesses = same if audit else board.anywhere
        sites = list(self._box.sites)
        found, disputed = self._reader.read(board.image, board.pose, sites, witnesses, full=True)
        return ReadPieces(tuple(self._reader.without_rivals(board.image, found)), disputed)

    def new(
        self, board: FoundBoard, memory: Memory, known: ReadPieces, compared: Compared
    ) -> ReadPieces:
        """``known`` with what is read where the board looks foreign."""
        pieces, disputed = list(known.pieces), known.disputed
        if not board.first:
            sites = self._suspects(compared.alien, known)
            before = () if board.moved else memory.pieces
            strewn = self._reader.read_around(board.image, board.pose, self._things(compared))
            fresh, doubtful = self._reader.read(
                board.image, board.pose, sites, [*board.anywhere, *strewn], before=before
            )
            if fresh:
                pieces = self._reader.without_rivals(board.image, once([*pieces, *fresh]))
            disputed = disputed | doubtful
        lying = self._reader.lying(board.image, board.pose, pieces, compared.difference)
        return ReadPieces(tuple(lying), disputed)

    def _things(self, compared: Compared) -> list[tuple[Points, Points]]:
        """Bounds of unknown things on the open ground: lowest and highest x and y, mm."""
        if self._ground is None:
            return []
        _, _labels, stats, _ = cv2.connectedComponentsWithStats(
            compared.alien.astype(np.uint8), connectivity=8
        )
        large = stats[1:, cv2.CC_STAT_AREA] * MM_PER_PX**2 > SPECK_MM2
        boxes = stats[1:][large][:, :4]
        if len(boxes) > MOST_THINGS:
            # Light has changed: all of the ground is one thing.
            low, high = boxes[:, :2].min(axis=0), (boxes[:, :2] + boxes[:, 2:]).max(axis=0)
            boxes = np.array([[*low, *(high - low)]])
        found = []
        for left, top, wide, deep in boxes.tolist():
            corners = self._mm[[top, top + deep - 1], [left, left + wide - 1]]
            found.append((corners.min(axis=0), corners.max(axis=0)))
        return found

    def _suspects(self, alien: Bools, known: ReadPieces) -> list[str]:
        """Sites whose stickers must be decoded."""
        taken = {piece.site for piece in known.pieces}
        share: dict[str, float] = {}
        if self._on_board:
            foreign = np.add.reduceat(alien.ravel().take(self._spots), self._starts, dtype=np.int64)
            share = dict(zip(self._on_board, (foreign / self._sizes).tolist(), strict=True))
        return [
            site.id
            for site in self._box.sites.values()
            if site.id != GROUND
            and (
                site.id not in share
                or site.room > 1
                or (site.id not in taken and share[site.id] > SUSPECT)
            )
        ]
