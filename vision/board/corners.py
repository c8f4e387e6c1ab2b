"""The corner stickers of the board in a picture: near where they were, else anywhere."""

from __future__ import annotations

import numpy as np

from rules.box import Box
from vision.arrays import Picture, Points
from vision.board.pose import STICKERS_NEEDED, BoardFinder, BoardPose
from vision.stickers.reader import RIM, SAME, SeenSticker, StickerReader, Window

__all__ = ["CornerReader"]

CORNER_ROAM_MM = 12.0
"""How far corner stickers may have moved since the last picture to be found at once."""
SMALLEST = 0.004
"""Smallest side of a sticker searched for everywhere, per long side of the picture."""


class CornerReader:
    """Reads the corner stickers of one box."""

    def __init__(self, box: Box, reader: StickerReader, finder: BoardFinder) -> None:
        self._box, self._reader, self._finder = box, reader, finder

    def find(
        self, image: Picture, pose: BoardPose | None
    ) -> tuple[dict[int, Points], list[SeenSticker]]:
        """Corner stickers (id → 4 × 2 px), and whatever else was read on the way.

        ``pose``: where the camera was in the picture before.
        """
        found: dict[int, Points] = {}
        if pose is not None:
            found = self._nearby(image, pose)
            if len(found) >= STICKERS_NEEDED:
                return found, []
        seen = self._reader.search(image, SMALLEST * max(image.shape[:2]))
        ids = set(self._finder.ids)
        anywhere = {s.id: s.corners for s in seen if s.id in ids}
        if len(anywhere) >= len(found):
            found = anywhere
        return found, [s for s in seen if s.id not in ids]

    def _nearby(self, image: Picture, pose: BoardPose) -> dict[int, Points]:
        found = self._in_place(image, pose)
        module = pose.px_per_mm() * self._box.corners[0].size / 6
        for full in (False, True):
            missing = [c for c in self._box.corners if c.id not in found]
            if not missing:
                break
            windows = [_window(pose, c.at, c.size) for c in missing]
            for corner, seen in zip(
                missing, self._reader.read_at(image, windows, module, full), strict=True
            ):
                found.update({s.id: s.corners for s in seen if s.id == corner.id})
        return found

    def _in_place(self, image: Picture, pose: BoardPose) -> dict[int, Points]:
        """Those that still match where they were, with their corners found again."""
        ids = self._finder.ids
        every = np.concatenate([self._finder.corners_mm(sticker) for sticker in ids])
        expected = pose.project(every).reshape(-1, 4, 2)
        matches = self._reader.match(image, ids, expected)
        return {
            sticker: self._reader.sharpen(image, px)
            for sticker, px, match in zip(ids, expected, matches, strict=True)
            if match >= SAME
        }


def _window(pose: BoardPose, at: tuple[float, float], size: float) -> Window:
    half = size * RIM / 2 + CORNER_ROAM_MM
    x, y = at
    square = [(x - half, y - half), (x + half, y - half), (x + half, y + half),
              (x - half, y + half)]  # fmt: skip
    return Window.around(pose.project(np.array(square)))
