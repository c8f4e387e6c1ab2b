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

AROUND = np.array([[0.0, 0.0], [-1.0, 0.0], [1.0, 0.0], [0.0, -1.0], [0.0, 1.0]])
CLIMB = (0.5, 0.25, 0.25, 0.125)
"""Steps in modules by which a sticker is followed to where it matches as well half a module to
the left as to the right, and above as below."""
LEAN = 0.1
"""Matches that differ by less are as good."""


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
        """Those that still match about where they were, with their corners found again.

        A sticker that was shifted by half a module matches nearly as well, but its corners are
        then out of sight of ``sharpen``, which would leave them where they were: so first the
        shift is found. Within half a module the match hardly changes, so its middle is sought.
        """
        ids = self._finder.ids
        every = np.concatenate([self._finder.corners_mm(sticker) for sticker in ids])
        place = pose.project(every).reshape(-1, 4, 2)
        side = np.linalg.norm(np.roll(place, -1, axis=1) - place, axis=2).mean(axis=1)
        module = side / self._reader.modules
        best = np.zeros(len(ids))
        moving = np.arange(len(ids))
        for share in CLIMB:
            half = 0.5 * module[moving, None, None, None]
            tries = (place[moving, None] + half * AROUND[:, None]).reshape(-1, 4, 2)
            those = np.repeat(np.array(ids)[moving], len(AROUND)).tolist()
            matches = self._reader.match(image, those, tries).reshape(len(moving), -1)
            best[moving] = np.maximum(best[moving], matches.max(axis=1))
            lean = matches[:, [2, 4]] - matches[:, [1, 3]]
            clear = np.abs(lean) >= LEAN
            step = np.where(clear, np.sign(lean), 0.0) * share
            place[moving] += (step * module[moving, None])[:, None]
            # The others would match as well as before.
            moving = moving[clear.any(axis=1)]
            if not len(moving):
                break  # nothing moved, as nearly always
        return {
            sticker: self._reader.sharpen(image, px)
            for sticker, px, match in zip(ids, place, best, strict=True)
            if match >= SAME
        }


def _window(pose: BoardPose, at: tuple[float, float], size: float) -> Window:
    half = size * RIM / 2 + CORNER_ROAM_MM
    x, y = at
    square = [(x - half, y - half), (x + half, y - half), (x + half, y + half),
              (x - half, y + half)]  # fmt: skip
    return Window.around(pose.project(np.array(square)))
