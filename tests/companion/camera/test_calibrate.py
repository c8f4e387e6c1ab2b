"""``heelstone calibrate`` and ``heelstone cameras``: from pictures of the sheet to a lens that is
found again, and clear words where it cannot be had."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.camera.lenses import Lenses
from tests.support.command import Heelstone
from tests.support.scenery import album
from tests.support.scenes.sheet_views import STRONG, good_views
from vision.arrays import Picture
from vision.board.fitting import LensBelief
from vision.board.lens_learning import LearntLens
from vision.camera.calibration import Calibrated
from vision.camera.lens import Lens

LENS = Lens((1280, 720), 1000.0, -0.2, (3.0, -4.0), (0.05, 0.0))
RESULT = Calibrated(LENS, 0.2, 0.4, 0.001, 15, 0)


@cache
def views() -> tuple[Picture, ...]:
    return tuple(good_views(STRONG))


# -- the command ------------------------------------------------------------------------------


def test_pictures_of_the_sheet_become_a_lens_that_is_kept(
    heelstone: Heelstone, tmp_path: Path
) -> None:
    folder = album(tmp_path / "in", views())
    state = tmp_path / "data"
    result = heelstone(
        "calibrate", folder, "--camera", "/dev/video3", "--json", "--data", state
    )  # fmt: skip
    assert (result.code, result.err) == (0, "")
    *pictures, end = result.records
    assert len(pictures) == len(views())
    assert {p["verdict"] for p in pictures} <= {"taken", "seen_before"}
    assert pictures[-1]["want"] == "" and pictures[-1]["share"] == 1.0
    assert end["passed"] and 0 < end["error_px"] < end["limit_px"]
    assert end["camera"] == "video3" and end["size"] == [960, 720]
    lens = Lenses(state).load("video3", STRONG.size)
    assert lens is not None
    assert lens.focal == pytest.approx(STRONG.focal, rel=0.01)
    assert Path(end["file"]).is_file()


def test_people_read_what_became_of_each_picture_and_a_number(
    heelstone: Heelstone, tmp_path: Path
) -> None:
    folder = album(tmp_path / "in", views())
    out = heelstone("calibrate", folder, "--camera", "pi", "--lang", "de").out.splitlines()
    assert "Gut, Ansicht 1." in out[0]
    assert out[-1].startswith("Bestanden: Rückprojektionsfehler 0.")


@pytest.mark.thorough
def test_a_live_camera_is_done_as_soon_as_there_is_enough(
    heelstone: Heelstone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from vision.camera import sources

    film = sources.MemorySource(keep=999)
    for number in range(10 * len(views())):
        # Ten pictures a second, the sheet held at each place for two seconds, and on for ever.
        film.push(views()[number // 20 % len(views())], time_s=number / 10)
    for number in range(10 * len(views())):
        film.push(views()[(number // 10) % len(views())], time_s=100 + number / 10)
    film.close()
    monkeypatch.setattr(sources, "open_source", lambda *_: film)
    result = heelstone("calibrate", "/dev/video3", "--json", "--data", tmp_path)
    assert result.code == 0, result.err
    *pictures, end = result.records
    assert end["passed"] and pictures[-1]["want"] == ""
    assert sum(p["want"] == "" for p in pictures) == 1
    # Of ten pictures a second, two or three are looked at.
    assert len(pictures) < 120


def test_too_few_views_are_refused_with_what_is_missing(
    heelstone: Heelstone, tmp_path: Path
) -> None:
    folder = album(tmp_path / "in", views()[:4])
    result = heelstone("calibrate", folder, "--camera", "pi", "--lang", "en", "--json")
    assert result.code == 2
    assert "Only 4 views of the calibration sheet are usable; 10 are needed" in result.err
    assert result.err.count("\n") == 1


def test_parts_of_the_picture_without_views_are_named(heelstone: Heelstone, tmp_path: Path) -> None:
    left_only = []
    for number, image in enumerate([v for n, v in enumerate(views()) if n % 3 == 0] * 2):
        # The same views, pushed to the left and down a little more each time.
        shift = np.array([[1.0, 0.0, -9.0 * number], [0.0, 1.0, 31.0 * (number // 6)]])
        left_only.append(np.asarray(cv2.warpAffine(image, shift, STRONG.size), dtype=np.uint8))
    folder = album(tmp_path / "in", left_only)
    result = heelstone("calibrate", folder, "--camera", "pi", "--lang", "en")
    assert result.code == 2
    assert "right" in result.err or "views" in result.err


def test_pictures_of_a_folder_need_a_camera_to_belong_to(
    heelstone: Heelstone, tmp_path: Path
) -> None:
    folder = album(tmp_path / "in", views()[:1])
    assert "--camera" in heelstone("calibrate", folder).complaint()
    assert "'nonsense'" in heelstone("calibrate", folder, "--camera", "nonsense").complaint()


def test_the_sheet_is_written_as_a_png(heelstone: Heelstone, tmp_path: Path) -> None:
    file = tmp_path / "sheet.png"
    result = heelstone("calibrate", "--sheet", file, "--lang", "en")
    assert result.code == 0 and "A4" in result.out
    sheet = cv2.imread(str(file), cv2.IMREAD_GRAYSCALE)
    assert sheet is not None and sheet.shape == (3508, 2480)
    assert ".png" in heelstone("calibrate", "--sheet", tmp_path / "sheet.doc").complaint()


def test_nothing_to_do_is_bad_use(heelstone: Heelstone) -> None:
    assert "SOURCE" in heelstone("calibrate").complaint()


def test_the_cameras_are_listed(heelstone: Heelstone, monkeypatch: pytest.MonkeyPatch) -> None:
    from vision.camera import sources

    monkeypatch.setattr(sources, "pi_cameras", lambda: ["imx708"])
    monkeypatch.setattr(sources, "usb_cameras", lambda: ["/dev/v4l/by-id/usb-Cam_1-video-index0"])
    records = heelstone("cameras", "--json").records
    assert records == [
        {"source": "pi:0", "title": "imx708"},
        {"source": "/dev/v4l/by-id/usb-Cam_1-video-index0", "title": "Cam 1"},
    ]
    assert heelstone("cameras").out.startswith("pi:0  imx708\n")


# -- the shelf of lenses ----------------------------------------------------------------------


def test_a_lens_counts_for_its_camera_and_its_size_only(tmp_path: Path) -> None:
    lenses = Lenses(tmp_path)
    lenses.keep("pi-0", RESULT)
    assert lenses.load("pi-0", LENS.size) == LENS
    assert lenses.load("pi-0", (640, 480)) is None
    assert lenses.load("pi-1", LENS.size) is None


def test_calibrating_again_replaces_that_size_and_keeps_the_others(tmp_path: Path) -> None:
    lenses = Lenses(tmp_path)
    lenses.keep("pi-0", RESULT)
    other = Lens((640, 480), 500.0)
    lenses.keep("pi-0", Calibrated(other, 0.1, 0.2, 0.001, 12, 0))
    newer = Lens(LENS.size, 1010.0)
    lenses.keep("pi-0", Calibrated(newer, 0.1, 0.2, 0.001, 12, 0))
    assert lenses.load("pi-0", LENS.size) == newer
    assert lenses.load("pi-0", (640, 480)) == other


def test_a_camera_is_found_by_whatever_names_it_in_the_settings(tmp_path: Path) -> None:
    lenses = Lenses(tmp_path)
    lenses.keep("pi-0", RESULT)
    for name in ("pi", "pi:0"):
        lens_of = lenses.of(name)
        assert lens_of is not None and lens_of(LENS.size) == LENS
    assert lenses.of(str(tmp_path)) is None
    assert lenses.of("") is None


def test_a_damaged_file_costs_no_match_and_is_never_overwritten(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    lenses = Lenses(tmp_path)
    path = lenses.keep("pi-0", RESULT)
    path.write_text('{"version": 1, "camera": "pi-0", "lenses": [{"size": [1, ')
    assert lenses.load("pi-0", LENS.size) is None
    assert "calibrate again" in caplog.text
    lenses.keep("pi-0", RESULT)
    assert lenses.load("pi-0", LENS.size) == LENS
    (aside,) = [file for file in path.parent.iterdir() if file != path]
    assert aside.read_text().endswith("[1, ")


def test_names_of_cameras_lead_to_no_other_folder(tmp_path: Path) -> None:
    assert Lenses(tmp_path).path("../../etc/x").parent == tmp_path / "lens"


def test_the_file_says_in_plain_words_what_it_holds(tmp_path: Path) -> None:
    kept = json.loads(Lenses(tmp_path).keep("pi-0", RESULT).read_text())
    assert kept["camera"] == "pi-0"
    assert kept["lenses"][0]["size"] == [1280, 720]
    assert kept["lenses"][0]["error_px"] == 0.2


def test_a_learnt_lens_is_kept_beside_the_calibrated_ones(tmp_path: Path) -> None:
    lenses, belief = Lenses(tmp_path), LensBelief.kinds(LENS.size)[0][0]
    lenses.keep("pi-0", Calibrated(LENS, 0.3, 0.5, 0.001, 12, 0))
    lenses.keep_learnt("pi-0", LearntLens(belief, 37, 0.4))
    here = lenses.of("pi")
    assert here is not None
    kept = here.learnt(LENS.size)
    assert kept is not None and (kept.pictures, kept.error_mm) == (37, 0.4)
    assert np.allclose(kept.belief.information, belief.information)
    assert here.best(LENS.size) == LENS
    assert here.learnt((640, 480)) is None and here.best((640, 480)) is None
