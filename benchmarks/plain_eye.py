"""The peer of ``benchmarks matches``: stock detector, homography, nearest field, no memory."""

from __future__ import annotations

import time

import cv2
import numpy as np

from companion.camera.observer import Observer
from rules.box import Box, Site
from rules.errors import Sentence
from rules.reading.sighting import Glimpse, Look, SiteBelief, Stray
from vision.arrays import Picture, Points, points
from vision.camera.sources import Frame
from vision.pieces.sighting import Sighting, lost

REACH_MM = 12.0
"""A sticker this far outside every site that takes its kind lies beside the board."""


def plain(box: Box, game: str) -> Observer:
    """An observer that reads its frames this way."""
    observer = Observer(box, game)
    observer.read = _PlainEye(observer.box).look
    return observer


class _PlainEye:
    """The eye of a weekend project, for the same pictures.

    Each frame from scratch: ``cv2.aruco.ArucoDetector`` as it comes, a homography from the corner
    stickers (all four), every other sticker to the nearest site that takes its kind, and no doubt
    about anything.
    """

    def __init__(self, box: Box) -> None:
        self.box = box
        dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, box.dictionary))
        self._detector = cv2.aruco.ArucoDetector(dictionary)
        self._corners = {c.id: np.array(c.at) for c in box.corners}

    def look(self, frame: Frame, settled: bool) -> Sighting:
        """The sighting in a frame."""
        start = time.perf_counter()
        corners, ids, _ = self._detector.detectMarkers(frame.image)
        found: list[tuple[int, Points]] = []
        if ids is not None:
            found = [
                (int(name), points(px).mean(axis=0))
                for name, px in zip(np.asarray(ids).ravel(), corners, strict=True)
            ]
        to_mm = self._homography(dict(found))
        if to_mm is None:
            told = Sentence("as_told", {"detail": "not all corner stickers were found"})
            return lost(told, {"total": _since(start)})
        seen: dict[str, list[Glimpse]] = {}
        strays: list[Stray] = []
        for name, px in found:
            kind = self.box.kind_of_sticker.get(name)
            if kind is None:
                continue
            mapped = cv2.perspectiveTransform(px.reshape(1, 1, 2), to_mm).ravel()
            at = (float(mapped[0]), float(mapped[1]))
            site = self._nearest(at, kind.group)
            if site is None:
                strays.append(Stray(kind.id, at))
                continue
            lying = name in kind.lying_stickers
            pose = "lying" if lying else (kind.poses or ("",))[0]
            seen.setdefault(site.id, []).append(Glimpse(kind.id, pose))
        sites: dict[str, SiteBelief] = {}
        for name_, site in self.box.sites.items():
            glimpses = seen.get(name_, [])[: site.room]
            look: Look = tuple(sorted(glimpses))
            certain = {look: 0.0, tuple(sorted(Glimpse(g.kind) for g in look)): 0.0}
            sites[name_] = SiteBelief(certain)
        return Sighting(sites=sites, hand=False, strays=tuple(strays), ms={"total": _since(start)})

    def _homography(self, found: dict[int, Points]) -> Picture | None:
        if any(name not in found for name in self._corners):
            return None
        px = np.array([found[name] for name in self._corners], dtype=np.float64)
        mm = np.array(list(self._corners.values()), dtype=np.float64)
        matrix, _ = cv2.findHomography(px, mm)
        return None if matrix is None else np.asarray(matrix)

    def _nearest(self, at: tuple[float, float], group: str) -> Site | None:
        return self.box.site_at(at, group, REACH_MM)


def _since(start: float) -> float:
    return (time.perf_counter() - start) * 1e3
