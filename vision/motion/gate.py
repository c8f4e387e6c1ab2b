"""Detection of motion: a small grey difference that costs next to nothing.

Every eighth pixel of the green channel, or fewer, blurred a little: enough to see a finger, too
coarse for noise, and no full picture is ever touched. This is done with every frame, so most of
them are settled by whole numbers: where grey levels differ by less than could ever matter, nothing
finer is worked out. That takes a tenth of a millisecond for twelve megapixels, most of it to fetch
the pixels.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from rules.box import Box
from vision.arrays import Bools, Floats, Grey, Picture, floats
from vision.board.pose import BoardPose
from vision.motion.steadying import STILL_PX, Shift, Steadier

STEP = 8
"""One of every 8 × 8 pixels is looked at, fewer in large pictures:"""
LONG_SIDE = 330
"""The long side of what is looked at stays below twice this many px."""
NOISE_FACTOR = 6.0
LEAST_DIFFERENCE = 0.06
"""Smallest difference that counts, as a share of the mean brightness."""
MOST_NOISE = 0.05
"""Most noise; more is a change of most of the picture, as when the camera is covered."""
LEAST_PIXELS = 6
"""Of the small picture: a finger's tip. That is 400 px of a picture of two megapixels, and 900 of
twelve, which show it six times as large."""
SHAKE_PX = 0.6
"""Trembling of a camera on an arm while people walk by. A change of an edge that so small a shift
explains is not motion; a finger also changes what is between the edges. Larger shifts are followed
first (``steadying``)."""
AWAY = 0.015
"""Share of the picture's long side; a board that has gone further is looked at again."""


@dataclass(frozen=True, slots=True)
class Stir:
    """The changes in a frame."""

    moving: bool
    """True against the frame before."""
    changed: bool
    """True against the frame that was marked last."""
    shaken: bool = False
    """True if the whole board moves, and too fast to be followed."""


class Gate:
    """Compares each frame with the one before and with the last one that was marked."""

    def __init__(self, box: Box | None = None) -> None:
        """``box``: of the board in the pictures, if a camera that trembles is to be followed."""
        self._before: _Small | None = None
        self._marked: _Small | None = None
        self._steadier = None if box is None else Steadier(box)
        self._swung = False
        """True if the frame before was seen from elsewhere than the one that is followed from."""

    def step(self, image: Picture | Grey) -> Stir:
        """Take the next frame, or the small grey picture that a camera gives with it. The first
        one, and a new picture size, count as changed."""
        view = _View(image)
        stir = Stir(moving=True, changed=True) if self._swung else self._against(view)
        if self._steadier is not None and (stir.moving or stir.changed):
            shift = self._steadier.follow(image)
            steady = shift is None or shift.most < STILL_PX
            if self._swung or not steady:
                view = _View(image, None if steady else shift)
                stir = self._against(view)
            self._swung = not steady
            away = shift is not None and shift.most > AWAY * max(image.shape)
            shaken = stir.moving and self._steadier.shaken
            stir = replace(stir, changed=stir.changed or away, shaken=shaken)
        self._before = view.small
        return stir

    def mark(self) -> None:
        """Compare with the newest frame from now on."""
        self._marked = self._before

    def follow(self, image: Picture | Grey, pose: BoardPose | None) -> None:
        """Compare with ``image``, the newest frame, from now on; the board has this ``pose`` there,
        by which it is followed."""
        if self._steadier is None:
            return
        self._steadier.release()
        if pose is not None:
            self._steadier.anchor(image, pose)
        self._before = self._marked = _View(image).small
        self._swung = False

    def _against(self, view: _View) -> Stir:
        return Stir(
            _differ(self._before, view, moving=True),
            _differ(self._marked, view),
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Small:
    """A frame thinned out."""

    grey: Grey
    scale: float
    """Lamps dim and exposure follows; a change of all pixels by one factor is not motion. So
    brightness is compared as a share of the frame's mean: this is one grey level's."""
    outside: Bools | None
    """True where a frame that has swung shows nothing; None: nowhere."""


class _View:
    """A frame, seen from where the board is followed from if the camera has swung since."""

    def __init__(self, image: Picture | Grey, shift: Shift | None = None) -> None:
        self._image = image
        self._map: Floats | None = None
        outside = None
        if shift is not None:
            rows, columns = (floats(np.arange(n)[part]) for n, part in zip(
                image.shape, _thin(image), strict=False
            ))  # fmt: skip
            spots = np.stack(np.meshgrid(columns, rows), axis=-1) + shift.field(columns, rows)
            self._map = floats(spots)
            last = (image.shape[1] - 1, image.shape[0] - 1)
            beyond = ((spots < 0) | (spots > last)).any(axis=-1)
            # What is thinned is blurred a little.
            outside = cv2.dilate(np.asarray(beyond, dtype=np.uint8), np.ones((3, 3), np.uint8)) > 0
        grey = np.asarray(cv2.GaussianBlur(self.thinned(), (3, 3), 0), dtype=np.uint8)
        self.small = _Small(grey, 1 / max(float(cv2.mean(grey)[0]), 1.0), outside)
        self._most: Floats | None = None

    def thinned(self, down: int = 0, across: int = 0) -> Grey:
        """Every n-th pixel of the green channel, -1, 0 or 1 px further down and across; of a small
        picture, every one."""
        if self._map is not None:
            spots = self._map if not (down or across) else self._map + floats([across, down])
            seen = cv2.remap(
                self._image,
                spots,
                None,
                cv2.INTER_LINEAR,
                borderMode=cv2.BORDER_REPLICATE,  # type: ignore[call-overload]
            )
            return np.ascontiguousarray(seen if seen.ndim == 2 else seen[:, :, 1])
        if self._image.ndim == 2:
            return np.roll(self._image, (down, across), (0, 1)) if down or across else self._image
        return np.ascontiguousarray(self._image[(*_thin(self._image, down, across), 1)])

    @property
    def trembling(self) -> Floats:
        """The largest difference per pixel that a camera would cause by trembling, as a share of
        the mean brightness; worked out on demand."""
        if self._most is None:
            steepest = cv2.GaussianBlur(self._steepest(), (3, 3), 0)
            self._most = floats(steepest) * np.float32(SHAKE_PX * self.small.scale)
        return self._most

    def _steepest(self) -> Grey:
        """The largest change of grey from one px of the frame to the next."""
        middle = self.thinned()
        most = np.zeros_like(middle)
        for way in ((-1, 0), (0, -1), (1, 0), (0, 1)):
            np.maximum(most, cv2.absdiff(middle, self.thinned(*way)), out=most)
        return most


def _thin(image: Picture | Grey, down: int = 0, across: int = 0) -> tuple[slice, slice]:
    """Rows and columns that are looked at, -1, 0 or 1 px further down and across.

    Only pixels with a neighbour on each side are looked at, so there are equally many each time;
    of a small picture, all are.
    """
    if image.ndim == 2:
        return slice(None), slice(None)
    step = max(STEP, max(image.shape[:2]) // LONG_SIDE)
    rows, columns = (
        slice(min(step, length - 1) // 2 + way, length - 1 + way, step)
        for length, way in zip(image.shape, (down, across), strict=False)
    )
    return rows, columns


def _differ(before: _Small | None, view: _View, moving: bool = False) -> bool:
    now = view.small
    if before is None or before.grey.shape != now.grey.shape:
        return not moving
    if _surely_same(before, now):
        return False
    difference = cv2.addWeighted(
        now.grey, now.scale, before.grey, -before.scale, 0.0, dtype=cv2.CV_32F
    )
    for outside in (before.outside, now.outside):
        if outside is not None:
            difference[outside] = 0.0
    # Part of the pixels tell how large the noise is.
    noise = min(float(np.median(np.abs(difference[::3, ::5]))) * 1.5, MOST_NOISE)
    limit = max(LEAST_DIFFERENCE, NOISE_FACTOR * noise)
    same = cv2.countNonZero(cv2.inRange(difference, -limit, limit))
    if difference.size - same < LEAST_PIXELS:
        return False
    # Rarely reached, so that a still table costs no more than the above.
    left = np.abs(difference) - view.trembling
    return int(np.count_nonzero(left > limit)) >= LEAST_PIXELS


def _surely_same(before: _Small, now: _Small) -> bool:
    """True if too few grey levels differ to matter, however little noise there is.

    |a·s - b·t| ≤ |a - b|·s + b·|s - t| for grey levels a and b up to 255 and their scales.
    """
    level = (LEAST_DIFFERENCE - 255 * abs(now.scale - before.scale)) / now.scale
    _, apart = cv2.threshold(cv2.absdiff(now.grey, before.grey), level, 1, cv2.THRESH_BINARY)
    return level >= 0 and cv2.countNonZero(apart) < LEAST_PIXELS
