"""Views of the sheet become the lens they were taken with, bad ones are refused and it is said
what is still wanted."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from rules.box import load_box
from tests.support.scenes.sheet_views import STRONG, good_views, view
from vision.arrays import Picture, Points, points
from vision.board.pose import BoardFinder, BoardPose
from vision.camera.calibration import (
    VIEWS_NEEDED,
    Calibrated,
    Calibration,
    CalibrationError,
    draw_sheet,
    sheet_png,
)
from vision.camera.lens import Lens

STRAIGHT = (0.0, 0.0, 0.0)


@cache
def views() -> tuple[Picture, ...]:
    return tuple(good_views(STRONG))


@cache
def calibrated() -> Calibrated:
    calibration = Calibration()
    for image in views():
        calibration.add(image)
    return calibration.solve()


def grid(lens: Lens, margin: float = 0.0) -> Points:
    """Pixels all over the picture but for a margin, a share of its width."""
    width, height = lens.size
    rim = margin * width
    across, down = np.meshgrid(np.linspace(rim, width - 1 - rim, 9),
                               np.linspace(rim, height - 1 - rim, 7))  # fmt: skip
    return points(np.column_stack([across.ravel(), down.ravel()]))


# -- the lens model -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "lens", [STRONG, Lens((1600, 1200), 1400.0, -0.12, (3.0, 5.0)), Lens.guess(640, 480)]
)
def test_bending_undoes_unbending_all_over_the_picture(lens: Lens) -> None:
    px = grid(lens)
    assert np.abs(lens.pixels(lens.rays(px)) - px).max() < 0.05


def test_the_lens_bends_as_opencv_does() -> None:
    rays = points(np.random.default_rng(1).uniform(-0.8, 0.8, (50, 2)))
    space = np.column_stack([rays, np.ones(50)])
    theirs, _ = cv2.projectPoints(
        space, np.zeros(3), np.zeros(3), STRONG.matrix, STRONG.distortion
    )  # fmt: skip
    assert np.abs(STRONG.pixels(rays) - theirs.reshape(-1, 2)).max() < 1e-6


# -- from views to the lens -----------------------------------------------------------------


def test_a_strong_distortion_is_found_from_views() -> None:
    result = calibrated()
    assert result.passed
    assert result.error_px < 0.2
    assert result.lens.size == STRONG.size
    assert result.lens.focal == pytest.approx(STRONG.focal, rel=0.004)
    assert result.lens.offset == pytest.approx(STRONG.offset, abs=1.5)
    # Coefficients trade with each other; what counts is where they send a ray.
    rays = STRONG.rays(grid(STRONG, 0.08))
    off = np.linalg.norm(result.lens.pixels(rays) - STRONG.pixels(rays), axis=1)
    assert off.max() < 3.0
    assert float(np.sqrt((off**2).mean())) < 1.5


@pytest.mark.thorough
def test_without_any_distortion_none_is_invented() -> None:
    lens = Lens((960, 720), 825.0)
    calibration = Calibration()
    for image in good_views(lens):
        calibration.add(image)
    result = calibration.solve()
    rays = lens.rays(grid(lens))
    assert np.abs(result.lens.pixels(rays) - grid(lens)).max() < 1.5
    assert result.passed


def test_a_calibrated_lens_finds_heights_that_a_guessed_one_misses() -> None:
    """The purpose of calibration: tops of pieces far from the middle, through a strong lens."""
    box = load_box("knizia_stonehenge")
    turn = np.asarray(cv2.Rodrigues(np.array([np.pi, 0.0, 0.0]))[0])
    tilt = np.asarray(cv2.Rodrigues(np.array([0.25, 0.1, 0.05]))[0])
    rotation = cv2.Rodrigues(tilt @ turn)[0].ravel()
    true = BoardPose(STRONG, points(rotation, 3)[0], np.array([4.0, 10.0, 480.0]), 0.0, ())
    plain = BoardFinder(box)
    knowing = BoardFinder(box, lambda size: calibrated().lens if size == STRONG.size else None)
    seen = {c: true.project(plain.corners_mm(c)) for c in plain.ids}
    tops = np.array([[x, y, 30.0] for x in (-170.0, 0.0, 170.0) for y in (-150.0, 0.0, 150.0)])

    def off(finder: BoardFinder) -> float:
        pose = finder.find(seen, STRONG.size)
        return float(np.linalg.norm(pose.project(tops) - true.project(tops), axis=1).max())

    assert off(knowing) < 1.5
    assert off(knowing) < off(plain) / 2


def test_a_lens_that_was_changed_since_is_not_believed() -> None:
    box = load_box("knizia_stonehenge")
    rotation = np.array([2.9, 0.1, 0.05])
    true = BoardPose(Lens(STRONG.size, 800.0), rotation, np.array([0.0, 0.0, 560.0]), 0.0, ())
    finder = BoardFinder(box, lambda size: STRONG)
    pose = finder.find({c: true.project(finder.corners_mm(c)) for c in finder.ids}, STRONG.size)
    assert pose.error_px < 0.5
    assert pose.lens.focal == pytest.approx(800, rel=0.1)


# -- which views count ----------------------------------------------------------------------


def test_a_good_view_is_taken_once() -> None:
    calibration = Calibration()
    first = calibration.add(views()[0])
    assert (first.verdict, first.views) == ("taken", 1)
    assert len(first.corners_px) == 40
    again = calibration.add(views()[0])
    assert (again.verdict, again.views) == ("seen_before", 1)


def test_views_that_would_spoil_the_result_are_refused() -> None:
    calibration = Calibration()
    table: Picture = np.full((720, 960, 3), 120, np.uint8)
    assert calibration.add(table).verdict == "no_sheet"
    assert calibration.add(view(STRONG, STRAIGHT, (0, 0, 240), blur_px=2.5)).verdict == "blurred"
    assert calibration.add(view(STRONG, STRAIGHT, (420, 0, 350))).verdict == "few_corners"
    far = calibration.add(view(STRONG, STRAIGHT, (0, 0, 2300), blur_px=0.4)).verdict
    assert far in ("too_small", "no_sheet", "few_corners")
    assert calibration.views == 0


def test_a_picture_of_another_size_does_not_count() -> None:
    calibration = Calibration()
    calibration.add(views()[0])
    assert calibration.add(views()[1][:700]).verdict == "other_size"
    assert calibration.size == STRONG.size


def test_a_view_that_does_not_fit_the_others_is_left_out() -> None:
    calibration = Calibration()
    for image in views():
        calibration.add(image)
    stretched = cv2.warpAffine(
        views()[4], np.array([[1.0, 0.25, -100.0], [0.0, 1.08, 0.0]]), STRONG.size
    )
    assert calibration.add(np.asarray(stretched, dtype=np.uint8)).verdict == "taken"
    result = calibration.solve()
    assert result.left_out == 1
    assert result.lens.focal == pytest.approx(STRONG.focal, rel=0.006)


# -- what is wanted next --------------------------------------------------------------------


def test_it_is_said_which_part_of_the_picture_still_lacks_views() -> None:
    calibration = Calibration()
    left = view(STRONG, STRAIGHT, (-150, 0, 420))
    hint = calibration.add(left)
    assert hint.verdict == "taken"
    assert hint.want.endswith("right")
    assert calibration.covered["left"] and not calibration.covered["right"]


def test_tilted_views_are_asked_for() -> None:
    calibration = Calibration()
    for number in range(9):
        x, y = (number % 3 - 1) * 190.0, (number // 3 - 1) * 150.0
        # Square to the line of sight is square for the lens.
        calibration.add(view(STRONG, STRAIGHT, (x, y, 420 + number), seed=number))
    assert all(calibration.covered.values())
    if calibration.tilted < 4:
        hint = calibration.add(view(STRONG, STRAIGHT, (40.0, 30.0, 520.0)))
        assert hint.want == "tilt"
        with pytest.raises(CalibrationError):
            calibration.solve()


def test_the_share_of_what_is_needed_only_grows_until_it_is_ready() -> None:
    calibration = Calibration()
    shares = [calibration.add(image).share for image in views()]
    assert shares == sorted(shares)
    assert calibration.ready and shares[-1] == 1.0


def test_too_few_views_give_no_lens() -> None:
    calibration = Calibration()
    for image in views()[:3]:
        calibration.add(image)
    assert not calibration.ready
    with pytest.raises(CalibrationError) as told:
        calibration.solve()
    assert told.value.code == "few_views"
    assert told.value.params == {"views": 3, "needed": VIEWS_NEEDED}


def test_views_of_one_part_of_the_picture_give_no_lens() -> None:
    calibration = Calibration()
    for number in range(12):
        slant = (0.4 * np.sin(number), 0.4 * np.cos(number), 0.6 * number)
        calibration.add(view(STRONG, slant, (-60, -40, 520 + 5 * number), seed=number))
    assert calibration.views >= VIEWS_NEEDED
    with pytest.raises(CalibrationError) as told:
        calibration.solve()
    assert told.value.code == "uncovered"
    assert "bottom_right" in str(told.value.params["regions"])


# -- the sheet ------------------------------------------------------------------------------


def test_the_sheet_is_a4_and_its_squares_are_square() -> None:
    paper = draw_sheet()
    assert paper.shape == (3508, 2480)
    hint = Calibration().add(np.asarray(cv2.cvtColor(paper, cv2.COLOR_GRAY2BGR), dtype=np.uint8))
    corners = hint.corners_px.reshape(8, 5, 2)
    across = np.linalg.norm(np.diff(corners, axis=1), axis=2)
    down = np.linalg.norm(np.diff(corners, axis=0), axis=2)
    assert float(np.ptp(np.concatenate([across.ravel(), down.ravel()]))) < 0.1
    assert float(across.mean()) / 300 * 25.4 == pytest.approx(30, abs=0.05)


def test_the_file_of_the_sheet_knows_its_size() -> None:
    data = sheet_png()
    at = data.index(b"pHYs")
    assert int.from_bytes(data[at + 4 : at + 8], "big") == 11811
    assert data[at + 12] == 1
    read = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_GRAYSCALE)
    assert read is not None and read.shape == (3508, 2480)
