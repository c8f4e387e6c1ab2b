"""An arm that holds still is told from things laid down, by hanging on the picture's edge."""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Picture
from vision.board.reaching import RESTING_S, Reaching


def table(*patches: tuple[int, int, int, int], dim: float = 1.0) -> Picture:
    """A brown table with light patches (left, top, right, bottom, px)."""
    image = np.full((480, 640, 3), (70, 100, 140), np.uint8)
    for left, top, right, bottom in patches:
        cv2.rectangle(image, (left, top), (right, bottom), (200, 210, 220), -1)
    return np.asarray(image * dim, dtype=np.uint8)


CARD, ARM = (300, 200, 360, 290), (400, 250, 450, 479)


def test_an_arm_is_noticed_until_it_goes_and_a_card_or_a_dimmed_lamp_is_none() -> None:
    reaching = Reaching()
    seen = [table(), table(CARD), table(CARD, dim=0.7), table(CARD, ARM), table(CARD)]
    found = [reaching.look(image, float(second)) for second, image in enumerate(seen)]
    assert found == [False, False, False, True, False]


def test_what_stays_is_no_arm_and_is_no_news_when_it_goes() -> None:
    reaching = Reaching()
    seen = [table(), table(ARM), table(ARM), table(), table(ARM)]
    times = [0.0, 1.0, 1.0 + RESTING_S, 20.0, 21.0]
    found = [reaching.look(image, time_s) for image, time_s in zip(seen, times, strict=True)]
    assert found == [False, True, False, False, False]
