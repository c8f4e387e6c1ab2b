"""Reading stickers: at places where one can lie, or anywhere in a picture.

Known places are cut out, laid side by side in one small mosaic, enlarged if their modules are
small, and given to OpenCV's ArUco decoder once: a tenth of the pixels, none of the background.
The dictionary holds the ids of the box and no others, so a foreign sticker reads as nothing.

ArUco: S. Garrido-Jurado et al., "Automatic generation and detection of highly reliable fiducial
markers under occlusion", Pattern Recognition 47 (2014).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np

from rules.box import Box, BoxError
from vision.arrays import Grey, Picture, Points, points

__all__ = ["SeenSticker", "StickerReader", "Window"]

MODULE_PX = 4.5
"""Modules are enlarged to at least this size; OpenCV merges the cells of smaller ones."""
ENLARGE_LIMIT = 4
MODULES = 6
"""Modules along the black square of a 4 × 4 sticker; larger dictionaries have a few more."""
GAP = 4
"""Grey px between the pieces of a mosaic."""


class Window(NamedTuple):
    """A part of a picture, px; right and bottom are not included."""

    left: int
    top: int
    right: int
    bottom: int

    def within(self, width: int, height: int) -> Window:
        """The part of it that lies inside a picture."""
        return Window(
            min(max(self.left, 0), width), min(max(self.top, 0), height),
            max(min(self.right, width), 0), max(min(self.bottom, height), 0),
        )  # fmt: skip

    @staticmethod
    def around(px: Points) -> Window:
        """The smallest window that holds all points (n × 2 px)."""
        low, high = np.floor(px.min(axis=0)), np.ceil(px.max(axis=0)) + 1
        return Window(int(low[0]), int(low[1]), int(high[0]), int(high[1]))


@dataclass(frozen=True)
class SeenSticker:
    """A sticker that was read."""

    id: int
    corners: Points
    """Corners of the black square in px, 4 × 2, clockwise from the sticker's own top left."""

    @property
    def centre(self) -> Points:
        """Centre in px, (2,)."""
        return np.asarray(self.corners.mean(axis=0), dtype=np.float64)

    @property
    def side_px(self) -> float:
        """Mean side of the black square in px."""
        sides = np.roll(self.corners, -1, axis=0) - self.corners
        return float(np.linalg.norm(sides, axis=1).mean())

    @property
    def px_per_module(self) -> float:
        """Size of one module in px; below 2 nothing can be read."""
        return self.side_px / MODULES


class StickerReader:
    """Reads the stickers of one box."""

    def __init__(self, box: Box) -> None:
        """Raises BoxError if OpenCV has no such dictionary or it lacks an id of the box."""
        number = getattr(cv2.aruco, box.dictionary, None)
        if not box.dictionary.startswith("DICT_") or number is None:
            raise BoxError(f"{box.id}: OpenCV has no sticker dictionary '{box.dictionary}'")
        whole = cv2.aruco.getPredefinedDictionary(number)
        ids = sorted({c.id for c in box.corners} | set(box.kind_of_sticker))
        if ids[-1] >= len(whole.bytesList):
            raise BoxError(
                f"{box.id}: {box.dictionary} has the ids 0 to {len(whole.bytesList) - 1}, "
                f"not {ids[-1]}"
            )
        self._ids = ids
        self._corner_ids = {c.id for c in box.corners}
        self._dictionary = cv2.aruco.Dictionary(
            np.ascontiguousarray(whole.bytesList[ids]), whole.markerSize, whole.maxCorrectionBits
        )
        self._modules = whole.markerSize + 2

    def search(self, image: Picture, smallest_px: float) -> list[SeenSticker]:
        """Every sticker of the box anywhere in ``image``, sides from ``smallest_px`` up."""
        grey = _grey(image)
        return self._decode(grey, smallest_px, full=True)

    def read_at(
        self, image: Picture, windows: Sequence[Window], module_px: float, full: bool = False
    ) -> list[list[SeenSticker]]:
        """The stickers within each of ``windows``.

        ``module_px``: module size of the smallest sticker looked for, in the picture. ``full``:
        take more trouble, at about three times the cost.
        """
        height, width = image.shape[:2]
        inside = [w.within(width, height) for w in windows]
        found: list[list[SeenSticker]] = [[] for _ in windows]
        places, size = _lay_out(inside)
        if size == (0, 0):
            return found
        mosaic: Grey = np.full((size[1], size[0]), 128, dtype=np.uint8)
        for window, (x, y) in zip(inside, places, strict=True):
            if window.right - window.left > 0 and window.bottom - window.top > 0:
                part = image[window.top : window.bottom, window.left : window.right]
                mosaic[y : y + part.shape[0], x : x + part.shape[1]] = _grey(part)
        scale = min(max(int(np.ceil(MODULE_PX / max(module_px, 0.1))), 1), ENLARGE_LIMIT)
        if scale > 1:
            mosaic = np.asarray(
                cv2.resize(mosaic, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC),
                dtype=np.uint8,
            )
        smallest = 0.7 * module_px * self._modules * scale
        for sticker in self._decode(mosaic, smallest, full):
            # Pixel centres stay centres when a picture is enlarged.
            corners = (sticker.corners + 0.5) / scale - 0.5
            x, y = corners.mean(axis=0)
            for number, (window, (left, top)) in enumerate(zip(inside, places, strict=True)):
                if (
                    left <= x < left + window.right - window.left
                    and top <= y < top + window.bottom - window.top
                ):
                    shift = (window.left - left, window.top - top)
                    found[number].append(SeenSticker(sticker.id, corners + shift))
        return found

    def _decode(self, grey: Grey, smallest_px: float, full: bool) -> list[SeenSticker]:
        detector = cv2.aruco.ArucoDetector(
            self._dictionary, _parameters(grey, smallest_px, self._modules, full)
        )
        corners, ids, _ = detector.detectMarkers(grey)
        if ids is None:
            return []
        seen = []
        for number, outline in zip(np.asarray(ids).ravel(), corners, strict=True):
            name = self._ids[int(number)]
            px = points(outline)
            if name in self._corner_ids:
                px = _sharpen(grey, px, self._modules)
            seen.append(SeenSticker(name, px))
        return seen


def _grey(image: Picture) -> Grey:
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


def _sharpen(grey: Grey, px: Points, modules: int) -> Points:
    """Corners to a fraction of a pixel; only the pose needs it."""
    side = float(np.linalg.norm(px[1] - px[0]))
    reach = int(np.clip(0.4 * side / modules, 2, 8))
    start = np.ascontiguousarray(px.reshape(-1, 1, 2), dtype=np.float32)
    until = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_MAX_ITER, 30, 0.02)
    return points(cv2.cornerSubPix(grey, start, (reach, reach), (-1, -1), until))


def _parameters(
    grey: Grey, smallest_px: float, modules: int, full: bool
) -> cv2.aruco.DetectorParameters:
    parameters = cv2.aruco.DetectorParameters()
    longest = max(grey.shape)
    # The stock floor of 0.03 × the long side would hide most stickers.
    parameters.minMarkerPerimeterRate = min(0.03, 4 * smallest_px / longest)
    parameters.minDistanceToBorder = 1
    parameters.minCornerDistanceRate = 0.03
    module = smallest_px / modules
    if full:
        parameters.polygonalApproxAccuracyRate = 0.05
        parameters.adaptiveThreshWinSizeMin = 5
        parameters.adaptiveThreshWinSizeMax = 29
        parameters.adaptiveThreshWinSizeStep = 8
    else:
        window = int(np.clip(4 * module, 7, 31)) | 1
        parameters.adaptiveThreshWinSizeMin = window
        parameters.adaptiveThreshWinSizeMax = window
    return parameters


def _lay_out(windows: Sequence[Window]) -> tuple[list[tuple[int, int]], tuple[int, int]]:
    """Places (left, top) of windows in a mosaic, and its width and height."""
    area = sum((w.right - w.left) * (w.bottom - w.top) for w in windows)
    if area == 0:
        return [(0, 0)] * len(windows), (0, 0)
    widest = max(w.right - w.left for w in windows)
    width = max(widest, int(1.1 * area**0.5)) + 2 * GAP
    places: list[tuple[int, int]] = [(0, 0)] * len(windows)
    x = y = GAP
    deepest = 0
    # In order of height, rows waste little.
    for number in sorted(range(len(windows)), key=lambda n: windows[n].top - windows[n].bottom):
        window = windows[number]
        across, down = window.right - window.left, window.bottom - window.top
        if x + across + GAP > width:
            x, y, deepest = GAP, y + deepest + GAP, 0
        places[number] = (x, y)
        x += across + GAP
        deepest = max(deepest, down)
    return places, (width, y + deepest + GAP)
