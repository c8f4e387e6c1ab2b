"""Pips of dice that lie as they like: read, or left unread."""

from __future__ import annotations

import math
from itertools import product

import cv2
import numpy as np
import pytest

from vision.arrays import Picture
from vision.pieces.dice import Face, faces

SIDE = 30.0
IVORY, INK, RED, GREEN = (225, 235, 240), (30, 32, 34), (40, 40, 190), (70, 110, 60)
PIPS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    5: [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
    6: [(-1, -1), (0, -1), (1, -1), (-1, 1), (0, 1), (1, 1)],
}


def tray(colour: tuple[int, int, int] = GREEN) -> Picture:
    """A tray of felt, a little uneven."""
    grain = np.random.default_rng(5).normal(0, 3, (150, 200, 3))
    return np.asarray(np.clip(np.array(colour) + grain, 0, 255), dtype=np.uint8)


def lay(
    picture: Picture, at: tuple[float, float], value: int, degrees: float,
    body: tuple[int, int, int] = IVORY, ink: tuple[int, int, int] = INK, flat: float = 1.0,
    rows: float = 1.0,
) -> Picture:  # fmt: skip
    """A die on the picture; ``flat``: height per width of its face, which leans if it is not 1;
    ``rows``: distance of the rows of its pips, compared with ordinary ones."""
    fine = 8
    large = np.asarray(cv2.resize(picture, None, fx=fine, fy=fine, interpolation=cv2.INTER_CUBIC))
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))

    def spot(x: float, y: float) -> tuple[int, int]:
        x, y = x * SIDE, y * SIDE * flat
        return (
            round((at[0] + cos * x - sin * y) * fine),
            round((at[1] + sin * x + cos * y) * fine),
        )

    corners = [(-0.46, -0.46), (0.46, -0.46), (0.46, 0.46), (-0.46, 0.46)]
    hull = np.array([spot(*corner) for corner in corners])
    edge = [0.8 * part for part in body]
    cv2.polylines(large, [hull], True, edge, round(0.08 * SIDE * fine), cv2.LINE_AA)
    cv2.fillConvexPoly(large, hull, body)
    for x, y in PIPS[value]:
        size = (round(0.09 * SIDE * fine), round(0.09 * SIDE * flat * fine))
        middle = spot(x * 0.26, y * rows * 0.26)
        cv2.ellipse(large, middle, size, degrees, 0, 360, ink, -1, cv2.LINE_AA)
    small = cv2.resize(large, picture.shape[1::-1], interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.uint8)


def read(picture: Picture, side: float = SIDE, light_pips: bool = False) -> tuple[Face, ...]:
    return faces(picture, side, light_pips).read


@pytest.mark.parametrize("value", range(1, 7))
def test_every_face_is_read_at_any_turn_and_a_little_aslant(value: int) -> None:
    for degrees, flat in product(range(0, 90, 13), (1.0, 0.86)):
        picture = lay(tray(), (97.3, 71.6), value, degrees, flat=flat)
        (face,) = read(picture)
        assert face.value == value
        assert math.dist(face.at, (97.3, 71.6)) < 2


def test_light_pips_are_read_on_a_dark_body_and_each_kind_is_left_to_its_own_reader() -> None:
    picture = lay(lay(tray(), (50, 50), 3, 20), (140, 90), 5, 70, RED, IVORY)
    assert [face.value for face in read(picture)] == [3]
    assert [face.value for face in read(picture, light_pips=True)] == [5]


def test_dice_that_touch_are_read_one_by_one() -> None:
    picture = lay(lay(lay(tray(), (60, 60), 4, 0), (90.5, 60), 2, 0), (75, 91), 6, 0)
    assert sorted(face.value for face in read(picture)) == [2, 4, 6]


def test_a_side_that_goes_over_into_another_die_is_no_reason_to_leave_it_unread() -> None:
    picture = lay(lay(tray(), (60, 70), 4, 0), (88, 70), 3, 0)
    cv2.rectangle(picture, (71, 58), (77, 82), IVORY, -1)
    assert sorted(face.value for face in read(picture)) == [3, 4]


@pytest.mark.parametrize("value", range(1, 7))
def test_a_face_darker_towards_a_side_and_smaller_than_told_is_read(value: int) -> None:
    picture = lay(tray(), (97, 71), value, 33)
    shade = np.clip(np.linspace(1.5, 0.5, 200), 0, 1)[:, None]
    assert [face.value for face in read((picture * shade).astype(np.uint8), SIDE * 1.1)] == [value]


def test_sixes_with_near_rows_are_read() -> None:
    for degrees, rows in product(range(0, 90, 26), (0.47, 0.54, 0.65)):
        (face,) = read(lay(tray(), (97.3, 71.6), 6, degrees, rows=rows))
        assert face.value == 6


def test_pale_pips_are_read() -> None:
    assert [face.value for face in read(lay(tray(), (97, 71), 5, 20, ink=(170, 177, 180)))] == [5]


@pytest.mark.parametrize("value", range(1, 7))
def test_a_die_that_leans_is_left_unread(value: int) -> None:
    assert not read(lay(tray(), (100, 75), value, 30, flat=0.6))


@pytest.mark.parametrize("value", range(2, 7))
def test_a_die_of_which_a_half_is_hidden_is_left_unread(value: int) -> None:
    picture = lay(tray(), (100, 75), value, 0)
    picture[:, 100:] = (60, 60, 60)
    assert not read(picture)


def test_a_pip_that_is_neither_there_nor_not_leaves_the_face_unread() -> None:
    picture = lay(tray(), (100, 75), 5, 0)
    clear, part = picture.copy(), picture[70:81, 95:106]
    part[:] = (part * 0.5 + np.array(IVORY) * 0.5).astype(np.uint8)
    assert read(clear)
    assert not read(picture)


def test_an_empty_tray_and_a_die_of_another_size_hold_no_face() -> None:
    assert not read(tray())
    assert not read(lay(tray(), (100, 75), 5, 10), SIDE * 2)
    assert not read(lay(tray(), (100, 75), 6, 10), SIDE / 2)


def test_stripes_are_no_six() -> None:
    stripes = tray(IVORY)
    for at in range(-160, 300, 15):
        cv2.line(stripes, (0, at), (200, at + 140), INK, 4, cv2.LINE_AA)
    assert not read(stripes)


def test_four_pips_of_a_six_with_near_rows_are_no_four() -> None:
    picture = lay(tray(), (97, 71), 6, 20, rows=0.65)
    assert not [face for face in read(picture, SIDE * 0.9) if face.value == 4]


def test_below_eighteen_pixels_nothing_is_read() -> None:
    small = cv2.resize(lay(tray(), (100, 75), 3, 0), None, fx=0.5, fy=0.5)
    assert not read(np.asarray(small, dtype=np.uint8), SIDE / 2)
