"""Reading stickers: at places where one can lie, or anywhere in a picture.

Known places are cut out, laid side by side in one small mosaic, enlarged if their modules are
small, and given to OpenCV's ArUco decoder once: a tenth of the pixels, none of the background.
The dictionary holds the ids of the box and no others, so a foreign sticker reads as nothing.

ArUco: S. Garrido-Jurado et al., "Automatic generation and detection of highly reliable fiducial
markers under occlusion", Pattern Recognition 47 (2014).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

import cv2
import numpy as np

from rules.box import Box, BoxError
from vision.arrays import Floats, Grey, Picture, Points, floats, points

RIM = 8 / 6
"""Ratio of a sticker with its rim to its black square: one more module on each side of six."""
SAME = 0.8
"""Correlation (``StickerReader.match``) from which a sticker is still the same in its place."""
MODULE_PX = 4.5
"""Modules are enlarged to at least this size; OpenCV merges the cells of smaller ones."""
ENLARGE_LIMIT = 4
SOFT_MATCH = 0.8
"""Correlation a square needs to be taken for a sticker whose bits cannot be told one by one."""
SOFT_LEAD = 0.2
"""Margin by which it must match better than the next best sticker."""
MOST_RIVALS = 256
"""Larger dictionaries are too much to compare every picture with."""
GAP = 4
"""Grey px between the pieces of a mosaic."""


SHARPEN_PX = 12
"""Px around a sticker that are used to find its corners to a part of a pixel."""

Effort = Literal["quick", "hard", "search"]


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

    def wider(self, px: int) -> Window:
        """The window with ``px`` more on every side."""
        return Window(self.left - px, self.top - px, self.right + px, self.bottom + px)

    @staticmethod
    def around(px: Points) -> Window:
        """The smallest window that holds all points (n × 2 px)."""
        # Numbers one by one: numpy's calls would take longer than a few points do.
        x, y = px.T.tolist()
        return Window(
            math.floor(min(x)), math.floor(min(y)), math.ceil(max(x)) + 1, math.ceil(max(y)) + 1
        )


@dataclass(frozen=True)
class SeenSticker:
    """A sticker that was read."""

    id: int
    corners: Points
    """Corners of the black square in px, 4 × 2, clockwise from the sticker's own top left."""
    sure: bool = True
    """False if it was settled by likeness, not bit by bit."""


class StickerReader:
    """Reads the stickers of one box."""

    def __init__(self, box: Box) -> None:
        """Raises BoxError if OpenCV has no such dictionary or it lacks an id of the box."""
        number = getattr(cv2.aruco, box.dictionary, None)
        if not box.dictionary.startswith("DICT_") or number is None:
            raise BoxError("no_dictionary", box=box.id, dictionary=box.dictionary)
        whole = cv2.aruco.getPredefinedDictionary(number)
        ids = sorted({c.id for c in box.corners} | set(box.kind_of_sticker))
        if ids[-1] >= len(whole.bytesList):
            raise BoxError(
                "sticker_beyond", box=box.id, dictionary=box.dictionary,
                last=len(whole.bytesList) - 1, found=ids[-1],
            )  # fmt: skip
        self._ids = ids
        self._number = number
        count = len(whole.bytesList)
        self.tellable = tuple(range(count)) if count <= MOST_RIVALS else tuple(ids)
        """Stickers that a reading is told apart from: the box's, and others of the dictionary."""
        self._corner_ids = {c.id for c in box.corners}
        self._dictionary = cv2.aruco.Dictionary(
            np.ascontiguousarray(whole.bytesList[ids]), whole.markerSize, whole.maxCorrectionBits
        )
        self.modules = whole.markerSize + 2
        """Modules along a sticker's side, its black border included."""
        self._looks = _Looks({sticker: self.pattern(sticker) for sticker in ids})

    def search(self, image: Picture, smallest_px: float) -> list[SeenSticker]:
        """Every sticker of the box anywhere in ``image``, sides from ``smallest_px`` up."""
        grey = _grey(image)
        return self._decode(grey, smallest_px, "search")

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
        wanted = 2 * MODULE_PX if full else MODULE_PX
        scale = min(max(int(np.ceil(wanted / max(module_px, 0.1))), 1), ENLARGE_LIMIT)
        if scale > 1:
            mosaic = np.asarray(
                cv2.resize(mosaic, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC),
                dtype=np.uint8,
            )
        smallest = 0.7 * module_px * self.modules * scale
        for sticker in self._decode(mosaic, smallest, "hard" if full else "quick"):
            # Pixel centres stay centres when a picture is enlarged.
            corners = (sticker.corners + 0.5) / scale - 0.5
            x, y = corners.mean(axis=0)
            for number, (window, (left, top)) in enumerate(zip(inside, places, strict=True)):
                if (
                    left <= x < left + window.right - window.left
                    and top <= y < top + window.bottom - window.top
                ):
                    shift = (window.left - left, window.top - top)
                    found[number].append(SeenSticker(sticker.id, corners + shift, sticker.sure))
        return found

    def match(
        self, image: Picture, stickers: Sequence[int], corners: Sequence[Points] | Points
    ) -> Points:
        """Match of each of ``stickers`` (ids) with the picture if its black square lies at
        ``corners`` (4 × 2 px each): the lower of the correlations over the whole sticker with its
        rim, and over its inner modules alone; 1 is perfect, 0 is nothing. (n,)"""
        if not len(stickers):
            return np.zeros(0)
        every = np.concatenate(corners).reshape(-1, 4, 2).astype(np.float64, copy=False)
        spots = _cells(every, self.modules + 2)
        seen = cv2.remap(
            image,
            floats(spots.reshape(len(stickers), -1, 2)),
            None,
            cv2.INTER_LINEAR,  # type: ignore[call-overload]
        )
        return self._looks.alike(stickers, floats(seen) @ np.ones(3, dtype=np.float32))

    def sharpen(self, image: Picture, corners: Points) -> Points:
        """A sticker's corners (4 × 2 px, known to within a module or so) to a part of a pixel."""
        window = Window.around(corners).wider(SHARPEN_PX).within(image.shape[1], image.shape[0])
        part = _grey(image[window.top : window.bottom, window.left : window.right])
        corner = np.array([window.left, window.top])
        return points(_sharpen(part, corners - corner, self.modules) + corner)

    def pattern(self, sticker: int) -> Floats:
        """Modules of a sticker of the dictionary with its white rim, 1 white and 0 black."""
        return _pattern(self._number, sticker)

    def _decode_softly(
        self, grey: Grey, outlines: Sequence[Points], smallest_px: float
    ) -> list[SeenSticker]:
        """Squares whose bits OpenCV could not settle, by correlation with every allowed sticker.

        Blur and overexposure shift the threshold between black and white modules, but hardly
        change which sticker the square resembles most.
        """
        kept = []
        for outline in outlines:
            side = float(np.linalg.norm(np.roll(outline, -1, axis=0) - outline, axis=1).mean())
            if 0.8 * smallest_px < side < 4 * smallest_px:
                kept.append(outline)
        if not kept:
            return []
        # A blurred square's outline is found too far out or in.
        sizes = np.array([0.92, 1.0, 1.08])
        turned = np.stack([np.roll(kept, -k, axis=1) for k in range(4)], axis=1)
        centres = turned.mean(axis=2, keepdims=True)[:, None]
        tries = centres + sizes[:, None, None, None] * (turned[:, None] - centres)
        spots = _cells(tries.reshape(-1, 4, 2), self.modules + 2)
        at = floats(spots.reshape(len(kept), -1, 2))
        cells = floats(cv2.remap(grey, at, None, cv2.INTER_LINEAR))  # type: ignore[call-overload]
        every = len(kept) * sizes.size * 4
        match = self._looks.of_all(cells.reshape(every, -1)).reshape(len(kept), -1, len(self._ids))
        seen = []
        for outlines_turned, here in zip(turned, match, strict=True):
            best = here.max(axis=0)
            first, second = np.argsort(best)[::-1][:2]
            if best[first] >= SOFT_MATCH and best[first] - best[second] >= SOFT_LEAD:
                turn = int(here[:, first].argmax()) % 4
                found = SeenSticker(self._ids[int(first)], outlines_turned[turn], sure=False)
                seen.append(found)
        return seen

    def _decode(self, grey: Grey, smallest_px: float, effort: Effort) -> list[SeenSticker]:
        detector = cv2.aruco.ArucoDetector(
            self._dictionary, _parameters(grey, smallest_px, self.modules, effort)
        )
        corners, ids, unread = detector.detectMarkers(grey)
        seen = []
        if effort == "hard":
            seen = self._decode_softly(grey, [points(u) for u in unread], smallest_px)
        if ids is None:
            return seen
        for number, outline in zip(np.asarray(ids).ravel(), corners, strict=True):
            name = self._ids[int(number)]
            px = points(outline)
            if name in self._corner_ids:
                px = _sharpen(grey, px, self.modules)
            seen.append(SeenSticker(name, px))
        return seen


class _Looks:
    """The looks of stickers, prepared for being compared with pictures of them."""

    def __init__(self, patterns: Mapping[int, Floats]) -> None:
        """``patterns``: modules with a rim of one, n × n."""
        self._row = {sticker: row for row, sticker in enumerate(patterns)}
        every = np.stack(list(patterns.values())).astype(np.float64)
        inner = np.zeros(every.shape[1:], dtype=np.bool_)
        inner[2:-2, 2:-2] = True
        self._parts = np.stack([np.ones(inner.size), inner.ravel()]).T
        """Modules that count, modules × 2: all with the rim, and those within the border."""
        flat = every.reshape(len(every), 1, -1)
        weight = self._parts.T
        self._count = weight.sum(axis=1)
        mean = (flat * weight).sum(axis=2, keepdims=True) / self._count[:, None]
        level = (flat - mean) * weight
        size = np.sqrt((level**2).sum(axis=2, keepdims=True))
        self._level = level / np.maximum(size, 1e-6)
        """Stickers × 2 × modules, without their mean and of unit length."""

    def alike(self, stickers: Sequence[int], seen: Floats) -> Points:
        """The lower of each sticker's two correlations with what is ``seen`` of it, n × modules."""
        cells = seen.astype(np.float64)
        expected = self._level[[self._row[sticker] for sticker in stickers]]
        both = (expected @ cells[..., None])[..., 0]
        return np.asarray((both / self._sizes(cells)).min(axis=1), dtype=np.float64)

    def of_all(self, seen: Floats) -> Points:
        """The same for each of all stickers with all that is ``seen``: n × stickers."""
        cells = seen.astype(np.float64)
        both = self._level.reshape(-1, cells.shape[1]) @ cells.T
        both = both.reshape(len(self._level), 2, -1).T / self._sizes(cells)[..., None]
        return np.asarray(both.min(axis=1), dtype=np.float64)

    def _sizes(self, cells: Points) -> Points:
        """Length of what is seen, n × modules, without its mean: n × 2."""
        square = (cells**2) @ self._parts - (cells @ self._parts) ** 2 / self._count
        return np.asarray(np.sqrt(np.maximum(square, 1e-12)))


@lru_cache(maxsize=2048)
def _pattern(dictionary: int, sticker: int) -> Floats:
    """A sticker of one of OpenCV's dictionaries, see ``StickerReader.pattern``; shared by all."""
    whole = cv2.aruco.getPredefinedDictionary(dictionary)
    drawn = whole.generateImageMarker(sticker, whole.markerSize + 2, borderBits=1)
    modules = floats(np.pad(np.asarray(drawn) > 127, 1, constant_values=True))
    modules.flags.writeable = False
    return modules


def _cells(corners: Points, count: int) -> Points:
    """Centres of the modules and rims of stickers: n × 4 × 2 px → n × count × count × 2 px."""
    return (_shares(count) @ corners).reshape(len(corners), count, count, 2)


@lru_cache(maxsize=4)
def _shares(count: int) -> Points:
    """Weight of each corner of a sticker for the place of each module: count² × 4."""
    steps = (np.arange(count) - 0.5) / (count - 2)
    across, down = (each.ravel() for each in np.meshgrid(steps, steps))
    ends = [(1 - across) * (1 - down), across * (1 - down), across * down, (1 - across) * down]
    return np.stack(ends, axis=1)


def _grey(image: Picture) -> Grey:
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


def _sharpen(grey: Grey, px: Points, modules: int) -> Points:
    """Corners to a fraction of a pixel; only the pose needs it."""
    side = math.dist(*px[:2].tolist())
    reach = int(min(max(0.4 * side / modules, 2), 8))
    start = np.ascontiguousarray(px.reshape(-1, 1, 2), dtype=np.float32)
    until = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_MAX_ITER, 30, 0.02)
    return points(cv2.cornerSubPix(grey, start, (reach, reach), (-1, -1), until))


def _parameters(
    grey: Grey, smallest_px: float, modules: int, effort: Effort
) -> cv2.aruco.DetectorParameters:
    parameters = cv2.aruco.DetectorParameters()
    longest = max(grey.shape)
    # The stock floor of 0.03 × the long side would hide most stickers.
    parameters.minMarkerPerimeterRate = min(0.03, 4 * smallest_px / longest)
    parameters.minDistanceToBorder = 1
    parameters.minCornerDistanceRate = 0.03
    # A window wider than the sticker's middle sees both rim and bits; a narrow one takes light
    # bits that touch the rim for rim. Where sizes are unknown, several must be tried.
    module = smallest_px / modules / 0.7
    low, high, step = {
        "quick": (7 * module, 7 * module, 1.0),
        "hard": (4 * module, 14 * module, 5 * module),
        "search": (5.0, 45.0, 20.0),
    }[effort]
    parameters.adaptiveThreshWinSizeMin = int(np.clip(low, 5, 75)) | 1
    parameters.adaptiveThreshWinSizeMax = int(np.clip(high, 5, 151)) | 1
    parameters.adaptiveThreshWinSizeStep = max(int(step) // 2 * 2, 2)
    if effort == "hard":
        parameters.minMarkerDistanceRate = 0.01
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
