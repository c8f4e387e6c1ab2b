"""The corner stickers of the board in a picture: near where they were, else anywhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import cv2
import numpy as np

from rules.box import Box
from vision.arrays import Picture, Points, points
from vision.board.pose import STICKERS_NEEDED, BoardFinder, BoardPose
from vision.stickers.reader import RIM, SAME, SeenSticker, StickerReader, Window

CORNER_ROAM_MM = 12.0
"""Distance that corner stickers may have moved since the last picture and be found at once."""
TWO_TELL = 2
"""Number of corner stickers that tell roughly where the others are."""
ROUGH_ROAM_MM = 40.0
"""Search distance from there: through strong barrel lenses two tell it to 24 mm, three to 10 mm."""
SMALLEST = 0.004
"""Smallest side of a sticker searched for everywhere, per long side of the picture."""

AROUND = np.array([[0.0, 0.0], [-1.0, 0.0], [1.0, 0.0], [0.0, -1.0], [0.0, 1.0]])
CLIMB = (0.5, 0.25, 0.25, 0.125)
"""Steps in modules by which a sticker is followed to where it matches as well half a module to
the left as to the right, and above as below."""
NEXT = [1, 2, 3, 0]
"""A sticker's corners in order, from the one after the first."""
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
        anywhere |= self._beside(image, anywhere)
        if len(anywhere) >= len(found):
            found = anywhere
        return found, [s for s in seen if s.id not in ids]

    def _nearby(self, image: Picture, pose: BoardPose) -> dict[int, Points]:
        found = self._in_place(image, pose)
        module = pose.px_per_mm() * self._box.corners[0].size / 6
        return found | self._at(image, pose.project, module, CORNER_ROAM_MM, found)

    def _beside(self, image: Picture, found: Mapping[int, Points]) -> dict[int, Points]:
        """Corner stickers that a search of the whole picture missed: the places of the others tell
        where to look closely, and which sticker must be there."""
        if not TWO_TELL <= len(found) < len(self._box.corners):
            return {}
        px = np.concatenate(list(found.values()))
        mm = np.concatenate([self._finder.corners_mm(sticker) for sticker in found])
        plane, _ = cv2.findHomography(mm, px)
        if plane is None:
            return {}

        def project(spots: Points) -> Points:
            return points(cv2.perspectiveTransform(spots[None], plane))

        sides = [
            np.linalg.norm(np.roll(each, -1, axis=0) - each, axis=1) for each in found.values()
        ]
        module = float(np.mean(sides)) / self._reader.modules
        return self._at(image, project, module, ROUGH_ROAM_MM, found)

    def _at(
        self, image: Picture, project: Callable[[Points], Points], module_px: float,
        roam_mm: float, known: Mapping[int, Points],
    ) -> dict[int, Points]:  # fmt: skip
        """Corner stickers not ``known`` yet, within ``roam_mm`` of their places by ``project``
        (board points n × 2 mm → px)."""
        found: dict[int, Points] = {}
        for full in (False, True):
            missing = [c for c in self._box.corners if c.id not in known and c.id not in found]
            if not missing:
                break
            windows = [_window(project, c.at, c.size, roam_mm) for c in missing]
            for corner, seen in zip(
                missing, self._reader.read_at(image, windows, module_px, full), strict=True
            ):
                found.update({s.id: s.corners for s in seen if s.id == corner.id})
        return found

    def _in_place(self, image: Picture, pose: BoardPose) -> dict[int, Points]:
        """Corner stickers that still match about where they were, with their corners found again.

        A sticker that was shifted by half a module matches nearly as well, but its corners are
        then out of sight of ``sharpen``, which would leave them where they were: so first the
        shift is found. Within half a module the match hardly changes, so its middle is sought.
        """
        ids = self._finder.ids
        place = self._finder.corners_px(pose).copy()
        edges = place[:, NEXT] - place
        side = np.sqrt(np.einsum("nkx,nkx->nk", edges, edges)).mean(axis=1)
        module = side / self._reader.modules
        best = np.zeros(len(ids))
        moving = np.arange(len(ids))
        for share in CLIMB:
            half = 0.5 * module[moving, None, None, None]
            tries = (place[moving, None] + half * AROUND[:, None]).reshape(-1, 4, 2)
            those = np.repeat(np.array(ids)[moving], len(AROUND)).tolist()
            matches = self._reader.match(image, those, tries).reshape(len(moving), -1)
            best[moving] = np.maximum(best[moving], matches.max(axis=1))
            middle, before, after = matches[:, :1], matches[:, [1, 3]], matches[:, [2, 4]]
            lean = after - before
            clear = np.abs(lean) >= LEAN
            # Where all ways lead down by more than they differ, only the last step is left.
            far = clear & (np.abs(lean) > middle - np.maximum(before, after))
            going = np.asarray(far.any(axis=1))
            step = np.sign(lean) * np.where(going[:, None], share, CLIMB[-1])
            place[moving] += (np.where(clear, step, 0.0) * module[moving, None])[:, None]
            # The others would match as well as before.
            moving = moving[going]
            if not len(moving):
                break  # nothing moved, as nearly always
        return {
            sticker: self._reader.sharpen(image, px)
            for sticker, px, match in zip(ids, place, best, strict=True)
            if match >= SAME
        }


def _window(
    project: Callable[[Points], Points], at: tuple[float, float], size: float, roam_mm: float
) -> Window:
    half = size * RIM / 2 + roam_mm
    x, y = at
    square = [(x - half, y - half), (x + half, y - half), (x + half, y + half),
              (x - half, y + half)]  # fmt: skip
    return Window.around(project(np.array(square)))
