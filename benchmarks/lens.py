"""Lenses nobody calibrated: how far fields are from where the eye expects them.

The virtual camera photographs a board through lenses from hardly bent to very wide; a fresh
tracker looks at a first picture and at more, with pieces, while the camera shivers. The truth is
the camera's own projection. ``python -m benchmarks lens``
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from benchmarks.measure import Result
from companion.virtual import Camera, VirtualTable
from rules.box import Box, load_box
from vision.arrays import Points, points
from vision.board.pose import BoardFinder, BoardPose
from vision.camera.lens import Lens
from vision.camera.sources import Frame
from vision.stickers.reader import StickerReader
from vision.tracker import Tracker

__all__ = ["LENSES", "BentCamera", "errors_mm", "results"]

SIZE = (1600, 1200)
PICTURES = 5
LENSES = (
    # name, focal length per picture width, k1, k2, tilt
    ("plain", 0.9, 0.0, 0.0, 12.0),
    ("slight barrel", 0.87, -0.05, 0.0, 12.0),
    ("barrel, from the side", 0.87, -0.11, 0.0, 28.0),
    ("strong barrel", 0.75, -0.2, 0.05, 18.0),
    ("very strong barrel", 0.65, -0.3, 0.1, 15.0),
    ("wide, 100 degrees", 0.42, -0.28, 0.08, 18.0),
    ("wide, 115 degrees", 0.32, -0.22, 0.04, 12.0),
    ("pincushion", 0.95, 0.12, 0.0, 15.0),
)


@dataclass(eq=False)
class BentCamera(Camera):
    """A virtual camera with a second radial coefficient."""

    k2: float = 0.0

    def __post_init__(self) -> None:
        """Any lens that ``Lens`` can express will do."""

    @cached_property
    def lens(self) -> Lens:
        """The lens as vision describes it."""
        return Lens((self.width, self.height), self._focal, self.k1, (0.0, 0.0), (self.k2, 0.0))

    def project(self, points: Points, nudge: object = None) -> Points:
        """Pixels (n, 2) of board points (n, 3) in mm."""
        seen = (np.asarray(points, np.float64) - self._eye) @ self._axes.T
        return self.lens.pixels(seen[:, :2] / np.maximum(seen[:, 2:], 1.0))

    def _undistort(self, bent: Points) -> Points:
        flat = points(bent) * self.lens.focal + self.lens.centre
        return self.lens.rays(flat).reshape(bent.shape)


def camera(box: Box, number: int, shake: float = 0.0) -> BentCamera:
    """The camera with lens ``number`` of ``LENSES`` so that the board fills its picture."""
    _name, focal, k1, k2, tilt = LENSES[number]
    # A barrel draws the board's rim in, so that it hangs lower.
    reach = max(box.size[1] * SIZE[0] / SIZE[1], box.size[0]) * 0.62
    height = reach * 2 * focal * 0.96
    return BentCamera(
        *SIZE, height_mm=height, tilt=tilt + shake, yaw=20.0 + shake, focal=focal * SIZE[0],
        k1=k1, seed=number, noise=3.0, k2=k2,
    )  # fmt: skip


def errors_mm(pose: BoardPose, taken: Camera, box: Box) -> Points:
    """How far each printed site is from where ``pose`` sees it, mm."""
    at = np.array([site.at for site in box.printed_sites])
    px = taken.project(np.column_stack([at, np.zeros(len(at))]))
    return np.asarray(np.linalg.norm(pose.on_board(px) - at, axis=1))


def results() -> Iterator[Result]:
    """Median and maximum over the fields of the first picture and of the last."""
    for name in ("knizia_stonehenge", "dolmengoetter"):
        for number in range(len(LENSES)):
            yield from _one(load_box(name), number)


def _one(box: Box, number: int) -> Iterator[Result]:
    tracker, table = Tracker(box), VirtualTable(box, seed=number)
    kinds = [kind.id for kind in box.kinds.values() if kind.stickers]
    first = last = usual = np.full(1, np.nan)
    for look in range(PICTURES):
        taken = camera(box, number, shake=0.15 * look)
        image = np.ascontiguousarray(taken.render(table))
        seen = tracker.look(Frame(image, look, str(look), float(look)), settled=True)
        if seen.pose is not None:
            last = errors_mm(seen.pose, taken, box)
            if look == 0:
                first, usual = last, _with_usual_lens(image, taken, box)
        for site in box.printed_sites[look :: PICTURES + 2]:
            fitting = [kind for kind in kinds if kind in {k.id for k in box.kinds_at(site.id)}]
            if fitting and len(table.pieces) < 20:
                table.put(fitting[look % len(fitting)], site.id)
    label = f"{box.id}, {LENSES[number][0]}"
    for when, found in (("first", first), ("last", last)):
        worst, peer = float(found.max()), float(usual.max())
        yield Result(f"{label}: {when}, median", float(np.median(found)), "mm", "", None, None, "")
        yield Result(
            f"{label}: {when}, largest", worst, "mm", "a usual lens", peer,
            peer / max(worst, 1e-6), "1 mm",
        )  # fmt: skip


def _with_usual_lens(image: np.ndarray, taken: Camera, box: Box) -> Points:
    """The same without learning the lens."""
    finder = BoardFinder(box, lambda size: Lens.guess(*size))
    seen = {s.id: s.corners for s in StickerReader(box).search(image, 12)}
    finder.is_calibrated(SIZE)
    pose, _typical = finder._fit(
        {i: seen[i] for i in finder.ids if i in seen}, SIZE, None, Lens.guess(*SIZE)
    )
    return errors_mm(pose, taken, box)
