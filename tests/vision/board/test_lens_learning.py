"""An uncalibrated lens is learnt from pictures of the table, kept, and forgotten when it was
zoomed."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from companion.simulator import VirtualTable
from rules.box import Box, load_box
from tests.support.scenes.lenses import LENSES, SIZE, camera, errors_mm
from vision.arrays import Picture
from vision.board.lens_learning import LearntLens
from vision.camera.lens import Lens
from vision.camera.sources import Frame
from vision.tracker import Tracker

WIDEST = next(n for n, lens in enumerate(LENSES) if lens[0] == "wide, 115 degrees")


@cache
def box() -> Box:
    return load_box("knizia_stonehenge")


@cache
def picture(number: int, look: int = 0) -> Picture:
    taken = camera(box(), number, shake=0.15 * look)
    return np.ascontiguousarray(taken.render(VirtualTable(box(), seed=number)))


class Shelf:
    """Keeps what is learnt in memory."""

    def __init__(self) -> None:
        self.kept: LearntLens | None = None

    def learnt(self, size: tuple[int, int]) -> LearntLens | None:
        return self.kept if self.kept is not None and self.kept.belief.size == size else None

    def keep_learnt(self, learnt: LearntLens) -> None:
        self.kept = learnt


def off_mm(tracker: Tracker, number: int, look: int = 0) -> float:
    seen = tracker.look(Frame(picture(number, look), look, "x", float(look)), settled=True)
    assert seen.pose is not None, seen.reason
    return float(errors_mm(seen.pose, camera(box(), number, shake=0.15 * look), box()).max())


@pytest.mark.parametrize(
    "number", [2, 4, pytest.param(7, marks=pytest.mark.thorough)], ids=lambda n: LENSES[n][0]
)
def test_fields_are_within_a_millimetre_from_the_first_picture_on(number: int) -> None:
    assert off_mm(Tracker(box()), number) < 1.0


def test_the_widest_lens_is_learnt_from_the_drawing_and_kept_for_the_next_time() -> None:
    shelf = Shelf()
    tracker = Tracker(box(), shelf=shelf)
    # Its corner stickers alone leave 0.9 mm in the first picture.
    assert max(off_mm(tracker, WIDEST, look) for look in range(4)) < 0.5
    assert shelf.kept is not None and shelf.kept.pictures == 4 and shelf.kept.error_mm < 0.5
    kept = shelf.kept.belief.lens
    again = Tracker(box(), shelf=shelf)
    assert off_mm(again, WIDEST, 4) < 0.5
    assert again.pose is not None and again.pose.lens.focal == pytest.approx(kept.focal, rel=0.01)


@pytest.mark.thorough
def test_a_lens_that_was_zoomed_is_learnt_anew() -> None:
    shelf = Shelf()
    off_mm(Tracker(box(), shelf=shelf), WIDEST)
    tracker = Tracker(box(), shelf=shelf)
    off = [off_mm(tracker, 2, look) for look in range(4)]
    assert off[-1] < 1.0
    assert shelf.kept is not None
    assert shelf.kept.belief.lens.focal == pytest.approx(LENSES[2][1] * SIZE[0], rel=0.05)


def test_a_calibrated_lens_wins() -> None:
    shelf, measured = Shelf(), camera(box(), 2).lens
    tracker = Tracker(box(), lens_of=lambda size: measured, shelf=shelf)
    assert off_mm(tracker, 2) < 0.5
    assert tracker.pose is not None and tracker.pose.lens is measured
    assert shelf.kept is None


@pytest.mark.parametrize(
    "lens", [Lens(SIZE, 700.0, -0.3, (5.0, 3.0), (0.1, 0.0)), Lens(SIZE, 620.0, -0.28)]
)
def test_strong_barrels_are_inverted_and_do_not_fold_back(lens: Lens) -> None:
    rays = np.column_stack([np.linspace(-0.9, 0.9, 41), np.linspace(0.6, -0.6, 41)])
    assert np.abs(lens.rays(lens.pixels(rays)) - rays).max() < 1e-6
    farther = lens.pixels(np.column_stack([np.linspace(0.1, 6.0, 60), np.zeros(60)]))
    assert (np.diff(farther[:, 0]) > 0).all()
