"""Bare pieces of heaps: counted where they touch, and never more than there are."""

from __future__ import annotations

import math
from random import Random

import cv2
import numpy as np
import pytest

from tests.support.sweep import some
from vision.arrays import Bools
from vision.pieces.heaped import peeled

SIDE = 120


def spot(middles: list[tuple[float, float]], radius: float) -> Bools:
    picture = np.zeros((SIDE, SIDE), dtype=np.uint8)
    for row, column in middles:
        at = (round(column * 16), round(row * 16))
        cv2.circle(picture, at, round(radius * 16), (1,), -1, cv2.LINE_8, 4)
    return np.asarray(picture > 0)


@pytest.mark.parametrize("radius", [6.0, 8.0, 14.0])
@pytest.mark.parametrize("seed", some(range(6), 2))
def test_discs_that_touch_are_told_apart(radius: float, seed: int) -> None:
    random = Random(seed)
    middles = [(SIDE / 2, SIDE / 2)]
    for _ in range(random.randint(1, 6) if radius < 10 else 3):
        for _ in range(200):
            row, column = random.choice(middles)
            turn = random.uniform(0, 2 * math.pi)
            at = (row + 2 * radius * math.sin(turn), column + 2 * radius * math.cos(turn))
            inside = all(radius < side < SIDE - radius for side in at)
            if inside and all(math.dist(at, one) >= 2 * radius - 0.5 for one in middles):
                middles.append(at)
                break
    found = peeled(spot(middles, radius), radius)
    assert len(found) == len(middles)
    for at in middles:
        assert min(math.dist(at, one) for one in found) < radius / 2


@pytest.mark.parametrize("seed", some(range(20), 7))
def test_a_heap_never_seems_to_hold_more_than_it_does(seed: int) -> None:
    random, radius = Random(seed), 8.0
    middles = [
        (random.uniform(30, 90), random.uniform(30, 90)) for _ in range(random.randint(1, 30))
    ]
    assert 1 <= len(peeled(spot(middles, radius), radius)) <= len(middles)


def test_a_spot_that_is_no_piece_holds_none() -> None:
    stripe = np.zeros((SIDE, SIDE), dtype=np.bool_)
    stripe[40:48] = True
    assert peeled(stripe, 8.0) == peeled(np.zeros_like(stripe), 8.0) == []
