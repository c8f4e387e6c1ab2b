"""A hand means wait, of whatever owner and sleeve; shade and glare are none."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.support.scenes.photographs import covered_by, first_look, look, scene, stonehenge
from tests.support.sweep import widely
from vision.arrays import Picture, Points
from vision.board.pose import BoardPose
from vision.tracker import Tracker

COLOURS = {
    "pale skin": (130, 165, 210),
    "dark skin": (40, 60, 95),
    "black cloth": (18, 18, 20),
    "navy cloth": (70, 35, 25),
    "grey cloth": (125, 125, 125),
    "white cloth": (215, 215, 215),
    "red cloth": (40, 40, 170),
}
PLACES = {
    "the middle": ((0.0, 0.0), 0.3),
    "the empty corner": ((-140.0, 120.0), 2.0),
    "the right": ((150.0, 60.0), 3.0),
}


def test_the_photographed_hand_is_seen() -> None:
    assert first_look("hand").hand
    tracker = Tracker(stonehenge())
    look(tracker, scene("middle").image)
    sighting = look(tracker, scene("hand").image)
    assert sighting.hand
    assert {"M", "Q", "R"} <= sighting.occluded


@pytest.mark.parametrize(
    ("shape", "colour", "place"), widely(["hand", "sleeve"], list(COLOURS), list(PLACES))
)
def test_hands_and_sleeves_of_any_colour_are_seen_in_the_first_picture(
    shape: str, colour: str, place: str
) -> None:
    at, turn = PLACES[place]
    assert first_look("middle", covered_by(shape, COLOURS[colour], at, turn)).hand


@pytest.mark.parametrize(("colour", "place"), widely(["pale skin", "dark skin"], list(PLACES)))
def test_a_single_finger_is_a_hand(colour: str, place: str) -> None:
    at, turn = PLACES[place]
    tracker = Tracker(stonehenge())
    shot = scene("late")
    look(tracker, shot.image)
    pointed_at = covered_by("finger", COLOURS[colour], at, turn)(shot.image, shot.pose)
    assert look(tracker, pointed_at).hand


def test_after_the_hand_the_table_is_read_again() -> None:
    tracker = Tracker(stonehenge())
    look(tracker, scene("middle").image)
    assert look(tracker, scene("hand").image).hand
    after = look(tracker, scene("late").image)
    assert not after.hand
    assert after.table == scene("late").table


def spot(image: Picture, x: int, y: int, sigma: float) -> Points:
    rows, columns = np.mgrid[: image.shape[0], : image.shape[1]]
    return np.asarray(np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * sigma**2)))


@pytest.mark.parametrize("name", [pytest.param("empty", marks=pytest.mark.thorough), "late"])
def test_glare_is_no_hand(name: str) -> None:
    def glare(image: Picture, pose: BoardPose) -> Picture:
        bright = image + 70 * spot(image, 1100, 900, 140)[..., None]
        return np.clip(bright, 0, 255).astype(np.uint8)

    assert not first_look(name, glare).hand


@pytest.mark.parametrize("name", ["empty", pytest.param("late", marks=pytest.mark.thorough)])
def test_a_soft_shadow_is_no_hand(name: str) -> None:
    def shade(image: Picture, pose: BoardPose) -> Picture:
        return (image * (1 - 0.35 * spot(image, 1000, 800, 160)[..., None])).astype(np.uint8)

    assert not first_look(name, shade).hand


def test_a_cup_on_a_corner_sticker_is_no_hand() -> None:
    shot = scene("late")
    image = shot.image.copy()
    corner = shot.pose.project(np.array([[-190.0, 190.0]]))[0]
    image[
        round(corner[1]) - 70 : round(corner[1]) + 70,
        round(corner[0]) - 70 : round(corner[0]) + 70,
    ] = (210, 205, 200)
    for tracker in (Tracker(stonehenge()), Tracker(stonehenge())):
        sighting = look(tracker, image)
        assert not sighting.hand
        assert sighting.table == shot.table


def test_a_patch_of_sun_that_blinds_the_camera_is_no_hand_and_hides_what_is_below() -> None:
    def sun(image: Picture, pose: BoardPose) -> Picture:
        patch = np.array([(-60.0, 20.0), (80.0, 30.0), (40.0, -90.0), (-30.0, -60.0)])
        lit = image.copy()
        cv2.fillConvexPoly(lit, np.round(pose.project(patch)).astype(np.int32), (235, 255, 255))
        return lit

    sighting = first_look("empty", sun)
    assert not sighting.hand
    assert "G" in sighting.occluded
    assert "N" not in sighting.occluded


def test_a_strip_thinner_than_a_finger_is_no_hand() -> None:
    def strip(wide_mm: float) -> bool:
        def laid(image: Picture, pose: BoardPose) -> Picture:
            corners = np.array([(-80.0, -185.0), (-20.0, -185.0), (-20.0, -185.0 + wide_mm),
                                (-80.0, -185.0 + wide_mm)])  # fmt: skip
            covered = image.copy()
            at = np.round(pose.project(corners)).astype(np.int32)
            cv2.fillConvexPoly(covered, at, (30, 40, 190))
            return covered

        return first_look("empty", laid).hand

    assert not strip(6.0)
    assert strip(16.0)
