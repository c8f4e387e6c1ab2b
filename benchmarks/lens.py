"""Lenses without calibration: distances of fields from where the eye expects them.

The virtual camera photographs a board through lenses from hardly bent to very wide; a fresh
tracker looks at a first picture and at more, with pieces, while the camera shivers. The truth is
the camera's own projection. ``python -m benchmarks lens``
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.measure import Result
from companion.simulator import Camera, VirtualTable
from rules.box import Box, load_box
from tests.support.scenes.lenses import LENSES, SIZE, camera, errors_mm
from vision.arrays import Points
from vision.board.pose import BoardFinder
from vision.camera.lens import Lens
from vision.camera.sources import Frame
from vision.stickers.reader import StickerReader
from vision.tracker import Tracker

PICTURES = 5


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
