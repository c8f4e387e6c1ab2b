"""Below one hard lamp pieces throw black shadows; those are no hand, and no hand hides in them."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from tests.support.scenes.photographs import first_look, scene, stonehenge
from vision.arrays import Mask, Picture, Points
from vision.board.pose import BoardPose
from vision.board.shadow import Caster, Lamp
from vision.pieces.sighting import Sighting

LAMPS = {
    "a lamp near the board": np.array([240.0, -530.0, 700.0]),
    "a low lamp": np.array([-560.0, -130.0, 450.0]),
    "the sun": np.array([3000.0, 4000.0, 5000.0]),
}
BLACK = 0.25
"""Share of a pixel's value that is left in the shade: 0.05 of the light."""


@cache
def laid() -> Sighting:
    return first_look("late")


def drawn(image: Picture, pose: BoardPose, outlines: list[Points], spared: list[Points]) -> Picture:
    """Outlines (mm on the board) blackened, but for what pieces hide (points of hulls, mm)."""

    def filled(every: list[Points]) -> Mask:
        mask = np.zeros(image.shape[:2], dtype=np.uint8)
        for mm in every:
            hull = cv2.convexHull(pose.project(mm).astype(np.float32))
            cv2.fillConvexPoly(mask, np.round(hull).astype(np.int32), 255)
        return mask

    mask = cv2.blur(filled(outlines) & ~filled(spared), (3, 3))
    left = 1 - (1 - BLACK) * mask[..., None] / np.float32(255)
    return (image * left).astype(np.uint8)


def shadowed(image: Picture, pose: BoardPose, lamp: Points) -> Picture:
    """The late table with the shadow of every piece."""
    shadows = []
    for piece in laid().pieces:
        foot = piece.body_mm[:4]
        away = (foot - lamp[:2]) * piece.height_mm / (lamp[2] - piece.height_mm)
        shadows.append(np.concatenate([foot, foot + away]))
    return drawn(image, pose, shadows, [piece.body_mm for piece in laid().pieces])


@pytest.mark.parametrize("lamp", LAMPS)
def test_black_shadows_of_pieces_are_no_hand(lamp: str) -> None:
    sighting = first_look("late", lambda image, pose: shadowed(image, pose, LAMPS[lamp]))
    assert not sighting.hand
    assert sighting.table == scene("late").table


def test_a_dark_finger_beside_a_piece_is_a_hand_among_shadows_and_without() -> None:
    tall = next(p for p in laid().pieces if p.site == "H1")
    way = np.array([0.0, 1.0])
    finger = [np.array(tall.at_mm) + along * way + side * np.array([7.0, 0.0])
              for along in (4.0, 76.0) for side in (-1, 1)]  # fmt: skip

    def pointing(image: Picture, pose: BoardPose) -> Picture:
        return drawn(image, pose, [np.array(finger)], [p.body_mm for p in laid().pieces])

    assert first_look("late", pointing).hand
    lamp = LAMPS["a low lamp"]
    assert first_look("late", lambda i, pose: pointing(shadowed(i, pose, lamp), pose)).hand


def test_an_unread_piece_may_throw_what_is_as_long_and_narrow_as_the_lamp_makes_it() -> None:
    kinds = [kind for kind in stonehenge().kinds.values() if kind.group == "megalith"]
    lamp = Lamp((1.5, 0.4), 0.001)
    tall = kinds[0]
    fallen = lamp.shadow(Caster.of(tall, (60.0, -20.0), tall.height))
    assert lamp.may_shade(kinds, fallen)
    across = fallen @ np.array([[0.0, 1.0], [-1.0, 0.0]])
    assert not lamp.may_shade(kinds, across)
    assert not lamp.may_shade(kinds, 1.5 * fallen)
