"""A table that looks as it did when nobody reached in shows no hand, in whatever exposure."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.support.scenes.photographs import Change, as_picture, covered_by, scene, stonehenge
from vision.arrays import Bools, Mask, Picture, Planes, floats
from vision.board.blobs import Blob
from vision.board.masks import Masks
from vision.camera.sources import Frame
from vision.pieces.sighting import BarePiece
from vision.pipeline.untouched import Untouched
from vision.tracker import Tracker

HIGH, WIDE = 150, 200
EXPOSURES = {
    "darker and bluer": ((0.8, 0.65, 0.6), 1.1),
    "brighter and redder": ((1.1, 1.3, 1.55), 0.9),
}


def board() -> Planes:
    """A board with lines and a table around it, with corner stickers: 3 × height × width."""
    light: Planes = np.empty((3, HIGH, WIDE), dtype=np.float32)
    light[:] = floats([0.08, 0.2, 0.35])[:, None, None]
    light[:, 20:-20:12, 20:-20] *= 0.4
    light[:, 20:-20, 20:-20:12] *= 0.4
    light[:, beside()] = floats([0.3, 0.25, 0.2])[:, None]
    light[:, 4:16, 4:16], light[:, 7:13, 7:13] = 0.8, 0.02
    grain = np.random.default_rng(3).normal(0, 0.04, light.shape)
    return floats(light * np.exp(grain))


def beside() -> Bools:
    """True for what is beside that board."""
    around = np.ones((HIGH, WIDE), dtype=np.bool_)
    around[14:-14, 14:-14] = False
    return around


def same(now: Planes, then: Planes | None = None) -> Bools:
    edge: Mask = np.where(beside(), 255, 0).astype(np.uint8)
    before = Untouched(board() if then is None else then).beside(now, edge, steady=True)
    assert before is not None
    return before.same


@pytest.mark.parametrize("name", EXPOSURES)
def test_another_exposure_is_the_same_look_and_a_hand_in_it_is_not(name: str) -> None:
    gains, gamma = EXPOSURES[name]

    def exposed(light: Planes) -> Planes:
        return floats(np.clip(light * floats(gains)[:, None, None], 0, 1) ** gamma)

    assert same(exposed(board())).mean() > 0.99
    reached: Planes = board()
    reached[:, 60:, 80:120] = floats([0.15, 0.3, 0.5])[:, None, None]
    found = same(exposed(reached))
    assert found[62:-2, 82:118].mean() < 0.05
    assert found[:, :75].mean() > 0.99


def test_a_cloth_over_most_of_the_board_is_no_exposure() -> None:
    covered = board()
    covered[:, 14:-14, 30:-14] = floats([0.2, 0.4, 0.7])[:, None, None]
    found = same(covered)
    assert found[20:-20, 40:-20].mean() < 0.05
    assert found[beside()].mean() > 0.95


def test_what_hides_lines_in_the_boards_own_colour_looks_otherwise_where_they_were() -> None:
    hidden = board()
    hidden[:, 40:100, 60:140] = floats([0.08, 0.2, 0.35])[:, None, None]
    lines = np.s_[44:93:12, 64:136]
    found = same(hidden)
    assert found[lines].mean() < 0.1
    assert found[50:55, 70:75].all()


def test_what_was_taken_for_a_hand_at_first_lies_there_once_it_was_seen_for_long_enough() -> None:
    def blob(place: Bools) -> Blob:
        spots = np.flatnonzero(place)
        return Blob(4.0 * len(spots), np.zeros((len(spots), 2)), spots)

    bowl, arm = np.zeros((2, HIGH, WIDE), dtype=np.bool_)
    bowl[30:60, 30:60], arm[50:110, 50:120] = True, True
    first = board()
    first[:, bowl] = 0.6
    edge: Mask = np.where(beside(), 255, 0).astype(np.uint8)
    memory = Untouched().after(first, [blob(bowl)], [], 0.0)
    over = first.copy()
    over[:, arm] = 0.1
    memory = memory.after(over, [blob(arm | bowl)], [], 5.0)

    def known(flat: Planes, time_s: float | None) -> Bools:
        before = memory.beside(flat, edge, True, time_s, 2.0)
        assert before is not None
        return before.same

    # It looks as before the arm came; what the arm alone was over was seen five seconds ago.
    assert known(first, 10.0)[bowl].all()
    assert not known(first, 1.0)[bowl].any()
    assert not known(first, None)[bowl].any(), "times of live pictures are not told"
    assert not known(over, 10.0)[arm].any()
    memory = memory.after(first, [], [], 10.0)
    assert known(first, None).all()


def test_a_stone_that_was_read_when_nobody_reached_in_came_with_no_hand() -> None:
    box = stonehenge()
    masks = Masks(box, (WIDE, HIGH))
    square = np.array([(-12.0, -12.0), (12.0, -12.0), (12.0, 12.0), (-12.0, 12.0)])
    stones = [
        BarePiece(kind, None, (x, 0.0), {}, square + np.array([x, 0.0]), 8.0, (30.0, 0.0, 0.0))
        for kind, x in (("left", -60.0), ("right", 60.0))
    ]
    memory = Untouched().after(board(), [], [], 0.0, tuple(stones))
    reached = board()
    reached[:, :, WIDE // 2 :] = 0.6
    edge: Mask = np.where(beside(), 255, 0).astype(np.uint8)
    before = memory.beside(reached, edge, steady=True)
    assert [stone.kind for stone in memory.still(before, masks)] == ["left"]


def bowl(image: Picture) -> Picture:
    """A photograph of the table with a large bowl at the rim of the board."""
    pose = scene("late").pose
    ((x, y),) = np.round(pose.project(np.array([(-150.0, -120.0)]))).astype(int).tolist()
    found, wide = image.copy(), round(48 * pose.px_per_mm())
    cv2.circle(found, (x, y), wide, (60, 70, 160), -1, cv2.LINE_AA)
    cv2.circle(found, (x, y), wide - 12, (40, 50, 120), -1, cv2.LINE_AA)
    return found


def exposed(name: str) -> Change:
    gains, gamma = EXPOSURES[name]

    def change(image: Picture, _: object = None) -> Picture:
        light = (image / 255) ** 2.2 * np.array(gains)
        return as_picture(np.rint(255 * np.clip(light, 0, 1) ** (gamma / 2.2)))

    return change


def test_a_bowl_is_no_hand_after_two_seconds_nor_after_hands_over_it_or_in_another_light() -> None:
    shot, tracker = scene("late"), Tracker(stonehenge())
    table = bowl(shot.image)
    reaching = covered_by("sleeve", (125, 125, 125), (-120.0, -100.0), 2.2)(table, shot.pose)

    def hand(image: Picture, time_s: float) -> bool:
        return tracker.look(Frame(np.ascontiguousarray(image), 0, "", time_s), settled=True).hand

    assert hand(table, 0.0)
    assert not hand(table, 3.0)
    assert hand(reaching, 10.0)
    assert not hand(table, 11.0), "it was forgotten below the sleeve"
    darker, redder = (exposed(name) for name in EXPOSURES)
    assert not hand(darker(table, shot.pose), 20.0)
    assert not hand(redder(table, shot.pose), 21.0)
    assert hand(darker(reaching, shot.pose), 22.0)
    assert not hand(darker(table, shot.pose), 23.0)
    assert not hand(table, 60.0)
