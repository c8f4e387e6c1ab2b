"""Tests that a drawing is seen in any light, and not on things that lie over it."""

from __future__ import annotations

import numpy as np
import pytest

from vision.arrays import Bools, Floats, floats
from vision.board.appearance import Difference
from vision.board.steps import Steps

SIZE = (120, 120)
Y, X = np.mgrid[: SIZE[0], : SIZE[1]]
PATCH = np.hypot(X - 60, Y - 60) < 30
LIGHTS = {
    "a red lamp": np.reshape((0.2, 0.5, 2.5), (3, 1, 1)) * np.ones(SIZE),
    "stripes of sun": 1 + 4.0 * np.broadcast_to(np.sin(X / 2) > 0, (3, *SIZE)),
    "a deep shade": 0.15 * np.ones((3, *SIZE)),
}


def _board(lines: bool = True) -> Floats:
    grain = 1 + 0.04 * np.random.default_rng(3).standard_normal(SIZE)
    line = ((X % 12 < 2) | (Y % 12 < 2)) * float(lines)
    green, yellow = (np.reshape(each, (3, 1, 1)) for each in ((0.12, 0.25, 0.18), (0.05, 0.4, 0.5)))
    return floats((green * (1 - line) + yellow * line) * (grain if lines else 1))


def _look(seen: Floats, expected: Floats, patch: Bools = PATCH) -> Steps:
    noise = 1 + 0.015 * np.random.default_rng(4).standard_normal(seen.shape)
    none, everywhere = floats(np.zeros(0)), np.ones(SIZE, dtype=np.bool_)
    difference = Difference(
        np.zeros(0, dtype=np.intp), none, none, none, floats(np.clip(seen * noise, 0, 1)), expected,
        floats(seen - expected), everywhere, ~everywhere, ~everywhere,
    )  # fmt: skip
    return Steps(difference, ~patch)


def _mostly(where: Bools) -> bool:
    return float(where[PATCH].mean()) > 0.9


@pytest.mark.parametrize("light", LIGHTS.values(), ids=list(LIGHTS))
def test_the_drawing_shows_in_light_of_any_colour_and_shape_and_not_on_a_thing_in_it(
    light: Floats,
) -> None:
    board = _board()
    look = _look(floats(np.where(PATCH, board * light, board)), board)
    assert look.show(PATCH) is True
    assert _mostly(look.parts(PATCH)[0])
    skin = np.reshape((0.15, 0.22, 0.35), (3, 1, 1)) * (1 + 0.2 * np.sin(X / 9))
    look = _look(floats(np.where(PATCH, skin * light, board)), board)
    assert look.show(PATCH) is False
    assert not look.parts(PATCH)[0].any()


def test_where_nothing_is_drawn_what_has_the_same_light_elsewhere_tells() -> None:
    drawn = np.where(X < 60, _board(), _board(lines=False))
    plain = PATCH & (X >= 64)
    look = _look(floats(np.where(PATCH, 0.3 * drawn, drawn)), floats(drawn))
    assert look.show(plain) is None
    assert float(look.parts(PATCH)[0][plain].mean()) > 0.9


@pytest.mark.parametrize("shade", [True, False])
def test_lines_that_do_not_look_odd_tell_what_the_patch_around_them_is(shade: bool) -> None:
    line = (X % 24 < 3) | (Y % 24 < 3)
    board = floats(np.where(line, 0.4, 0.2) * np.ones((3, 1, 1)))
    look = _look(floats(np.where(PATCH, 0.3 * (board if shade else 0.2), board)), board,
                 PATCH & ~line)  # fmt: skip
    light, thing = look.parts(PATCH & ~line)
    told = (light if shade else thing)[PATCH & ~line]
    assert float(told.mean()) > 0.6 and not (thing if shade else light).any()


def test_a_thing_that_moves_is_no_light_though_the_board_shows_through_its_rim() -> None:
    inside = PATCH & (X < 84)
    drawn = floats(np.where(inside, _board(lines=False), _board()))
    look = _look(floats(np.where(PATCH, 1.6 * drawn, drawn)), drawn)
    assert look.show(PATCH) is True
    assert look.parts(PATCH)[0][inside].mean() < 0.1
