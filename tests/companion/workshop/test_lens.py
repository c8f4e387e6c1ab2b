"""The guided measuring of a lens, with drawn views of the sheet."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from companion.camera.camera_thread import Glances, Snapshot
from companion.camera.lenses import Lenses
from companion.workshop.lens import LensWalk
from tests.support.workshop_application import wait
from vision.board.pose import NoBoard
from vision.camera.calibration import Calibrated, CalibrationError, Hint
from vision.camera.lens import Lens
from vision.camera.sources import Frame, MemorySource, SourceError
from vision.pieces.sighting import lost

PICTURE = np.full((120, 160, 3), 200, dtype=np.uint8)


class Drawn:
    """A calibration that has enough after three pictures."""

    def __init__(self, result: Calibrated | CalibrationError) -> None:
        self.result, self.seen = result, 0

    def add(self, image: Any) -> Hint:
        self.seen += 1
        want: Any = "" if self.seen >= 3 else "left"
        return Hint("taken", want, self.seen, self.seen / 3, np.array([[10.0, 20.0]]))

    def solve(self) -> Calibrated:
        if isinstance(self.result, CalibrationError):
            raise self.result
        return self.result


def walk(state: Path, result: Calibrated | CalibrationError) -> tuple[LensWalk, MemorySource]:
    source = MemorySource()
    found = LensWalk("cam", lambda: source, Lenses(state), "en")
    found._calibration = Drawn(result)  # type: ignore[assignment]
    return found.start(), source


def finished(found: LensWalk, source: MemorySource) -> str:
    """Result after one more picture."""
    source.push(PICTURE)
    time.sleep(0.01)
    return found.look().done


def good(error_px: float = 0.02, doubt: float = 0.001) -> Calibrated:
    return Calibrated(Lens.guess(160, 120), error_px, error_px, doubt, 12, 0)


def test_it_says_where_the_sheet_goes_next_and_keeps_a_good_lens(tmp_path: Path) -> None:
    found, source = walk(tmp_path, good())
    source.push(PICTURE)
    look = wait(lambda: (now := found.look()).picture is not None and now)
    assert look.want == "Hold the sheet at the left edge of the picture."
    assert look.sentence == "Good, view 1."
    assert tuple(look.picture[20, 10]) != (200, 200, 200), "the corners are drawn in"
    wait(lambda: finished(found, source))
    assert found.look().done == "passed"
    assert found.look().sentence.startswith("Passed: reprojection error 0.02 px")
    assert Lenses(tmp_path).load("cam", (160, 120)) is not None
    found.close()


def test_a_bad_lens_is_not_kept_and_it_is_said_what_to_do(tmp_path: Path) -> None:
    for result, said in (
        (good(error_px=9.0), "Glue the sheet to something stiff"),
        (good(doubt=0.2), "with the sheet tilted"),
        (CalibrationError("few_views", views=2, needed=10), "Only 2 views"),
    ):
        found, source = walk(tmp_path, result)
        wait(partial(finished, found, source))
        assert found.look().done == "failed"
        assert said in found.look().sentence
        found.close()
    assert Lenses(tmp_path).load("cam", (160, 120)) is None


def test_a_camera_that_is_not_there_is_said(tmp_path: Path) -> None:
    def opened() -> MemorySource:
        raise SourceError("there is no camera /dev/video7")

    found = LensWalk("cam", opened, Lenses(tmp_path), "en").start()
    wait(lambda: found.look().done == "failed")
    assert found.look().sentence == "there is no camera /dev/video7"
    found.close()


def test_it_can_be_stopped_at_any_time(tmp_path: Path) -> None:
    found, source = walk(tmp_path, good())
    source.push(PICTURE)
    wait(lambda: found.look().picture is not None)
    found.close()
    assert not found._thread.is_alive()
    assert found.look().done == ""


def test_during_a_match_its_own_pictures_are_looked_at_and_the_camera_is_left_alone() -> None:
    frames = [Frame(PICTURE, n, str(n), float(n)) for n in range(2)]
    shown: list[Snapshot | None] = [None]
    glances = Glances(lambda: shown[0])
    assert glances.read(0.01) is None
    shown[0] = Snapshot(frames[0], lost(NoBoard("board_too_small").sentence, {}))
    assert glances.read(0.01) is frames[0]
    assert glances.read(0.01) is None, "the same picture is not given twice"
    shown[0] = Snapshot(frames[1], lost(NoBoard("board_too_small").sentence, {}))
    assert glances.read() is frames[1]
    glances.close()
