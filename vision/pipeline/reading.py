"""The stages of a look that read stickers: those that are still there, and what is new."""

from __future__ import annotations

import numpy as np

from rules.box import Box
from vision.arrays import Bools
from vision.board.masks import Masks
from vision.pieces.reader import PieceReader
from vision.pieces.standing import once
from vision.pipeline.results import Compared, FoundBoard, Memory, ReadPieces
from vision.stickers.reader import SeenSticker

SUSPECT = 0.04
"""Share of a site that must look foreign for its sticker to be decoded."""


class PieceSearch:
    """Reads the pieces of one box, and no more of the board than necessary."""

    def __init__(self, box: Box, reader: PieceReader, masks: Masks) -> None:
        self._box, self._reader = box, reader
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
        return ReadPieces(tuple(found), disputed)

    def new(
        self, board: FoundBoard, memory: Memory, known: ReadPieces, compared: Compared
    ) -> ReadPieces:
        """``known`` with what is read where the board looks foreign."""
        pieces, disputed = list(known.pieces), known.disputed
        if not board.first:
            sites = self._suspects(compared.alien, known)
            before = () if board.moved else memory.pieces
            fresh, doubtful = self._reader.read(
                board.image, board.pose, sites, board.anywhere, before=before
            )
            pieces = self._reader.without_rivals(board.image, once([*pieces, *fresh]))
            disputed = disputed | doubtful
        lying = self._reader.lying(board.image, board.pose, pieces, compared.difference)
        return ReadPieces(tuple(lying), disputed)

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
            if site.id not in share
            or site.room > 1
            or (site.id not in taken and share[site.id] > SUSPECT)
        ]
