"""The first stage of a look: the camera's pose above the board."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rules.box import Box
from vision.arrays import Picture, Points
from vision.board.corners import CornerReader
from vision.board.lens_learning import LensLearner, LensShelf
from vision.board.pose import STICKERS_NEEDED, BoardFinder, BoardPose, NoBoard
from vision.camera.lens import Lens
from vision.pieces.reader import PieceReader
from vision.pipeline.results import FoundBoard, Memory
from vision.stickers.reader import StickerReader

PIECES_HOLD = 2
"""Number of pieces in their old places that proves that neither board nor camera moved."""


class BoardSearch:
    """Finds the board of one box, by its corner stickers or else by what lies on it."""

    def __init__(
        self, box: Box, stickers: StickerReader, pieces: PieceReader,
        lens_of: Callable[[tuple[int, int]], Lens | None] | None, shelf: LensShelf | None = None,
    ) -> None:  # fmt: skip
        self._box, self._pieces = box, pieces
        self._finder = BoardFinder(box, lens_of)
        self._learner = LensLearner(box, self._finder, shelf)
        self._corners = CornerReader(box, stickers, self._finder)

    def forget(self) -> None:
        """Forget the lens, for another camera or picture size."""
        self._finder.forget()
        self._learner.forget()

    def find(self, image: Picture, memory: Memory) -> FoundBoard:
        """The board in ``image``. Raises NoBoard."""
        self._learner.begin(memory.size)
        corners, anywhere = self._corners.find(image, memory.pose)
        pose = self._learner.learn(image, self._pose(image, corners, memory), corners)
        return FoundBoard(
            image,
            pose,
            first=memory.pose is None,
            moved=memory.pose is not None and pose is not memory.pose,
            corners=corners,
            missing=tuple(c.id for c in self._box.corners if c.id not in corners),
            anywhere=tuple(anywhere),
        )

    def _pose(self, image: Picture, corners: Mapping[int, Points], memory: Memory) -> BoardPose:
        """The pose by the corner stickers seen, or with few of them by what lies on the board."""
        before = memory.pose
        if before is None or len(corners) >= STICKERS_NEEDED:
            return self._finder.find(corners, memory.size, before)
        held = len(self._pieces.still_there(image, before, memory.pieces)) >= PIECES_HOLD
        try:
            return self._finder.find(corners, memory.size, before, held)
        except NoBoard:
            # Things hide corner stickers, and people push tables.
            slid = self._finder.slid(corners, before)
            there = [] if slid is None else self._pieces.still_there(image, slid, memory.pieces)
            if slid is None or len(there) < max(PIECES_HOLD, len(memory.pieces) / 2):
                raise
            return slid
