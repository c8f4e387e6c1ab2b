"""Places cut out of a picture: the few pixels that matter, side by side in one small grey one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Floats, Grey, Picture, Points, floats

SHRINK_FROM = 5.0
"""Px per module from which a cut is shrunk first: there is more to see than is needed."""
SLACK = 1.2
"""A sticker's middle is looked for this much farther out than it should be."""


@dataclass(frozen=True, eq=False)
class Place:
    """A place where a sticker can lie, and which stickers can."""

    centre: Points
    """Expected place of its middle, (2,) px."""
    across: Points
    """Px per mm along the board's x and y (the columns) at the sticker's height, 2 × 2."""
    side_mm: float
    """Side of its black square."""
    roam_mm: float
    """Distance by which its middle may be off."""
    ids: tuple[int, ...]
    """The stickers that can lie here."""


@dataclass(frozen=True, eq=False)
class Cuts:
    """Some places of a picture; arrays go along the places."""

    grey: Grey
    middle: Points
    """Px in ``grey``, n × 2."""
    frame: Points
    """Px in ``grey`` per module along the board's axes, n × 2 × 2."""
    roam: Points
    """Distance by which a sticker may be off, in modules, n."""
    module: Points
    """Px per module in ``grey``, n."""
    corner: Points
    """Upper left corner of each cut in the picture, px, n × 2."""
    top: Points
    """Upper edge of each cut in ``grey``, px, n."""
    shrunk: Points
    """Factor by which each is smaller than in the picture, n."""

    @staticmethod
    def of(image: Picture, places: Sequence[Place], modules: int) -> Cuts:
        """Cut ``places`` out of ``image``; ``modules``: along a sticker's side."""
        frame = np.stack([p.across * (p.side_mm / modules) for p in places])
        roam = np.array([p.roam_mm * modules / p.side_mm for p in places])
        module = np.array([px_per_module(p, modules) for p in places])
        shrunk = np.where(module < SHRINK_FROM, 1, (2 * module / SHRINK_FROM).astype(int))
        # Corners of the sticker with its rim, however it is turned.
        around = (modules / 2 + 1) * 2**0.5 + SLACK * roam
        reach = around[:, None] * np.linalg.norm(frame, axis=2)
        centre = np.stack([p.centre for p in places])
        low = np.floor(centre - reach).astype(int) - 2
        size = -(-(2 * np.ceil(reach).astype(int) + 5) // shrunk[:, None]) * shrunk[:, None]
        parts = [
            _part(image, low[n].tolist(), size[n].tolist(), int(shrunk[n]))
            for n in range(len(places))
        ]
        heights = [len(part) for part in parts]
        top = np.cumsum([0, *heights[:-1]])
        grey: Grey = np.zeros((sum(heights), max(p.shape[1] for p in parts)), dtype=np.uint8)
        for part, y in zip(parts, top, strict=True):
            grey[y : y + len(part), : part.shape[1]] = part
        middle = (centre - low + 0.5) / shrunk[:, None] - 0.5
        middle[:, 1] += top
        return Cuts(
            grey, middle, frame / shrunk[:, None, None], roam, module / shrunk,
            low.astype(np.float64), top.astype(np.float64), shrunk.astype(np.float64),
        )  # fmt: skip

    def sample(self, x: Floats, y: Floats) -> Floats:
        """Grey levels at points of ``grey``, in the shape of ``x`` (at most 32766 rows)."""
        return floats(self.grey_at(x, y))

    def grey_at(self, x: Floats, y: Floats) -> Grey:
        """The same as whole numbers."""
        seen = cv2.remap(
            self.grey, floats(x), floats(y), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(seen, dtype=np.uint8)

    def unmap(self, px: Points, owner: npt.NDArray[np.intp]) -> Points:
        """Points in ``grey`` back in the picture, n × points × 2 px; ``owner``: numbers of their
        places, (n,)."""
        top, shrunk = self.top[owner], self.shrunk[owner, None, None]
        local = px - np.stack([np.zeros_like(top), top], axis=1)[:, None]
        unmapped = (local + 0.5) * shrunk - 0.5 + self.corner[owner, None]
        return np.asarray(unmapped, dtype=np.float64)


def px_per_module(place: Place, modules: int) -> float:
    """Size of the modules of a sticker at ``place``."""
    (a, b), (c, d) = place.across.tolist()
    return float(abs(a * d - b * c) ** 0.5) * place.side_mm / modules


def _part(image: Picture, low: Sequence[int], size: Sequence[int], less: int) -> Grey:
    """A cut in grey, ``less`` times smaller; beyond the picture its edge goes on."""
    (left, top), (across, down) = low, size
    height, width = image.shape[:2]
    x0, y0 = min(max(left, 0), width - 1), min(max(top, 0), height - 1)
    x1, y1 = max(min(left + across, width), x0 + 1), max(min(top + down, height), y0 + 1)
    grey: npt.NDArray[np.uint8] = np.asarray(
        cv2.cvtColor(image[y0:y1, x0:x1], cv2.COLOR_BGR2GRAY), dtype=np.uint8
    )
    if grey.shape != (down, across):
        rows = np.clip(np.arange(top, top + down) - y0, 0, len(grey) - 1)
        columns = np.clip(np.arange(left, left + across) - x0, 0, grey.shape[1] - 1)
        grey = grey[rows[:, None], columns]
    if less > 1:
        fewer = (across // less, down // less)
        grey = np.asarray(cv2.resize(grey, fewer, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    return grey
