"""The stages of a look that read stickers: those that are still there, and what is new."""

from __future__ import annotations

from rules.box import Box
from vision.arrays import Bools
from vision.board.masks import Masks
from vision.look.results import Compared, FoundBoard, Memory, ReadPieces
from vision.pieces.reader import PieceReader
from vision.pieces.standing import once
from vision.stickers.reader import SeenSticker

__all__ = ["PieceSearch"]

SUSPECT = 0.04
"""Share of a site that must look foreign for its sticker to be decoded."""


class PieceSearch:
    """Reads the pieces of one box, and no more of the board than necessary."""

    def __init__(self, box: Box, reader: PieceReader, masks: Masks) -> None:
        self._box, self._reader, self._masks = box, reader, masks

    def known(self, board: FoundBoard, memory: Memory, audit: bool) -> ReadPieces:
        """What lies where it lay; all of it read again for an ``audit``, or if nothing is known."""
        pieces = self._reader.still_there(board.image, board.pose, memory.pieces)
        if not (audit or board.first):
            return ReadPieces(tuple(pieces), frozenset())
        # Of an audit, what still looks the same is one witness of several. Where nothing is known
        # yet, pieces that nobody has read would pass for board.
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
        flat = alien.ravel()
        suspects = []
        for site in self._box.sites.values():
            spots = self._masks.sites.get(site.id)
            always = spots is None or site.room > 1
            if always or (site.id not in taken and float(flat[spots].mean()) > SUSPECT):
                suspects.append(site.id)
        return suspects
