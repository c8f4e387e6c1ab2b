"""Rolling discs on rendered video: which gates they pass, what hands and pillars do to them.

Seeds 1 to 999 were used while limits were chosen; the boards and rolls here are others. The larger
count is in docs/rolling-discs.md.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from rules.box import load_box
from tests.support.scenes.rolls import GATES, Alley, Truth, rolling_box
from vision.board.pose import BoardPose
from vision.camera.sources import Frame, VideoSource
from vision.rolls.following import RollTracker
from vision.rolls.path import Gate, Pass, Roll, gates_of, run_up_zone
from vision.tracker import Tracker

BOARD_SEED = 13
ROLLS = range(60_100, 60_109)
FEW = 3


@lru_cache(maxsize=1)
def alley() -> tuple[Alley, BoardPose, tuple[Gate, ...]]:
    """A board, where the camera stands and where the gates are, as the camera reads them."""
    made = Alley(BOARD_SEED)
    tracker = Tracker(rolling_box())
    sighting = tracker.look(Frame(made.picture(), 0, "bare", 0.0), settled=True)
    assert sighting.pose is not None
    return made, sighting.pose, gates_of(rolling_box(), sighting.pieces)


def followed(seed: int) -> tuple[Truth, list[Roll]]:
    """A rendered roll and what was seen of it."""
    made, pose, gates = alley()
    truth, frames = made.roll(seed)
    tracker = RollTracker(rolling_box(), pose, gates)
    seen = []
    for number, image in enumerate(frames):
        roll = tracker.look(Frame(image, number, str(number), number / truth.fps))
        seen += [] if roll is None else [roll]
    last = tracker.finish()
    return truth, seen + ([] if last is None else [last])


def right(truth: Truth, rolls: list[Roll]) -> bool:
    """True if exactly one roll was seen, and did what it did."""
    if len(rolls) != 1:
        return False
    best = rolls[0].verdicts[0]
    return (best.crossed, set(best.gates)) == (truth.crossed, set(truth.gates))


def test_gates_stand_where_the_trilithons_stickers_are() -> None:
    made, _, gates = alley()
    assert [gate.name for gate in sorted(gates, key=lambda g: g.name)] == list(GATES)
    for gate in gates:
        at, along, wide = made.openings[gate.name]
        middle = (np.array(gate.left_mm) + np.array(gate.right_mm)) / 2
        assert float(np.linalg.norm(middle - at)) < 2.0
        assert float(np.linalg.norm(np.array(gate.right_mm) - gate.left_mm)) == pytest.approx(
            wide * 0.44, abs=0.1
        )
        dx, dy = np.array(gate.right_mm) - gate.left_mm
        assert abs(float(along[0] * dy - along[1] * dx)) < 2.0


def test_rolls_of_any_sort_are_told_apart(thorough: bool) -> None:
    told = [(seed, *followed(seed)) for seed in (ROLLS if thorough else ROLLS[:FEW])]
    wrong = [(seed, truth) for seed, truth, rolls in told if not right(truth, rolls)]
    assert len({truth.what for _, truth, _ in told}) >= (4 if thorough else 2)
    assert len(wrong) <= (1 if thorough else 0), wrong


def test_the_order_of_two_gates_is_the_order_in_which_they_were_passed() -> None:
    _, _, gates = alley()
    seed = next(s for s in range(60_200, 60_300) if len(alley()[0].roll(s)[0].gates) == 2)
    truth, rolls = followed(seed)
    assert len(gates) == 5 and right(truth, rolls)
    passed = [p for p in rolls[0].passes if p.likely > 0.5]
    assert tuple(p.gate for p in passed) == truth.gates


def test_a_hand_alone_rolls_nothing() -> None:
    made, pose, gates = alley()
    tracker = RollTracker(rolling_box(), pose, gates)
    path = np.array([[0.0, -225.0], [0.0, -200.0]])
    hand = made._hand(path[0], path[1] - path[0])
    back = [*range(160, 0, -16), *range(0, 400, 12)]
    frames = [made.picture(), *(made._shot(path, [], "disc red", hand, mm) for mm in back)]
    seen = [tracker.look(Frame(f, n, "", n / 30)) for n, f in enumerate(frames)]
    assert not any(seen) and tracker.finish() is None


def test_a_lamp_that_is_switched_rolls_nothing() -> None:
    made, pose, gates = alley()
    tracker = RollTracker(rolling_box(), pose, gates)
    bright = made.picture()
    dark = (bright * 0.55).astype(np.uint8)
    seen = [
        tracker.look(Frame(image, n, "", n / 30))
        for n, image in enumerate([bright, bright, dark, dark, bright, bright])
    ]
    assert not any(seen)


def test_a_film_is_read_like_a_camera(tmp_path: Path) -> None:
    made, pose, gates = alley()
    seed = next(s for s in range(60_300, 60_400) if alley()[0].roll(s)[0].what == "straight")
    truth, frames = made.roll(seed)
    file = tmp_path / "roll.avi"
    size = (made.camera.width, made.camera.height)
    film = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"MJPG"), truth.fps, size)
    for image in frames:
        film.write(image)
    film.release()
    tracker = RollTracker(rolling_box(), pose, gates)
    seen = [roll for frame in VideoSource(file) if (roll := tracker.look(frame)) is not None]
    last = tracker.finish()
    assert right(truth, seen + ([] if last is None else [last]))


def rolled(likely: float) -> Roll:
    """A roll with one gate that was passed ``likely``."""
    path = np.array([[0.0, 0.0, -200.0], [1.0, 0.0, 100.0]])
    return Roll(path, (Pass("G3", 0.5, likely),), 0.99)


def test_what_is_doubtful_is_said_to_be() -> None:
    best, second, *_ = rolled(0.7).verdicts
    assert best.gates == ("G3",) and second.gates == ()
    assert best.likely == pytest.approx(0.99 * 0.7)
    assert second.likely == pytest.approx(0.99 * 0.3)


def test_the_run_up_zone_is_where_the_board_shows_it() -> None:
    assert run_up_zone(rolling_box()) == (-203.0, -140.0)
    with pytest.raises(ValueError, match="no run-up zone"):
        run_up_zone(load_box("knizia_stonehenge"))
