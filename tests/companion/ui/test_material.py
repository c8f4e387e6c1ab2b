"""Boards and pieces as lit pictures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from companion.ui.drawing.material import GRAIN, Part, board_picture, grain, piece_picture
from tests.support.ui_harness import need_screen

SIDE = 60
SQUARE = ((20.0, 20.0), (40.0, 20.0), (40.0, 40.0), (20.0, 40.0))
SLAB = Part((), (0.4, 0.3, 0.2), "wood")
STONE = Part(SQUARE, (0.5, 0.5, 0.5), "stone", 2.0)


@pytest.mark.parametrize("surface", GRAIN)
def test_grain_is_the_same_in_every_run_and_its_edges_fit(surface: str) -> None:
    tile = grain(surface).copy()
    grain.cache_clear()
    assert np.array_equal(tile, grain(surface)), "nothing is left to chance"
    assert abs(float(tile.mean())) < 0.2 and 0.2 < float(tile.std()) < 0.7
    inside = np.abs(np.diff(tile, axis=1)).mean()
    assert np.abs(tile[:, 0] - tile[:, -1]).mean() < 2 * inside + 0.05


def test_a_raised_stone_is_bright_at_its_upper_left_and_dark_at_its_lower_right() -> None:
    smooth = Part(SQUARE, (0.5, 0.5, 0.5), "", 2.0)
    picture = board_picture((SIDE, SIDE), [smooth], SLAB, 6.0, 0.5).astype(int)
    light, level, dark = (picture[at][0] for at in ((20, 30), (30, 30), (39, 30)))
    assert light > level > dark
    assert picture[30, 20][0] > level > picture[30, 39][0]


def test_a_hollow_is_dark_where_a_stone_is_bright() -> None:
    hollow = Part(SQUARE, (0.5, 0.5, 0.5), "", -2.0)
    picture = board_picture((SIDE, SIDE), [hollow], SLAB, 6.0, 0.5).astype(int)
    assert picture[20, 30][0] < picture[30, 30][0]


def test_a_board_reaches_beyond_what_is_on_it_and_throws_a_soft_shadow() -> None:
    picture = board_picture((SIDE, SIDE), [STONE], SLAB, 6.0, 0.5)
    assert picture[30, 30][3] == picture[30, 16][3] == 255, "the stone, and the wood beside it"
    assert picture[2, 2][3] < 20, "nothing beyond"
    assert 0 < picture[50, 48][3] < 255 and picture[50, 48][:3].max() < 60


def test_a_piece_throws_its_shadow_to_the_lower_right() -> None:
    picture = piece_picture((SIDE, SIDE), [STONE], 4.0, 2.0).astype(int)
    assert picture[30, 30][3] == 255
    assert picture[43, 42][3] > picture[17, 18][3] + 30


@pytest.mark.parametrize("line", [0.0, 1.1, 2.4])
@pytest.mark.parametrize("off", [0.0, 0.5])
def test_a_round_shape_looks_like_kivys_own(line: float, off: float) -> None:
    need_screen()
    from kivy.graphics import ClearBuffers, ClearColor, Color, Fbo, SmoothLine
    from kivy.graphics import SmoothRoundedRectangle as Surface

    from companion.ui.drawing.ink import Round

    def drawn(make: Callable[[], object]) -> Any:
        fbo = Fbo(size=(90, 60))
        with fbo:
            ClearColor(0, 0, 0, 1)
            ClearBuffers()
            Color()
            make()
        fbo.draw()
        return np.frombuffer(fbo.pixels, np.uint8).reshape(60, 90, 4)[..., 0].astype(int)

    pos, size, radius = (10 + off, 8.0), (60.0, 40.0), 9.8
    own = drawn(lambda: Round(pos, size, radius, line))
    kivys = drawn(
        (lambda: SmoothLine(rounded_rectangle=(*pos, *size, radius, 24), width=line)) if line
        else (lambda: Surface(pos=pos, size=size, radius=[radius] * 4))
    )  # fmt: skip
    away = np.abs(own - kivys)
    assert away.max() < 60
    assert away[kivys + own > 0].mean() < 20
    assert kivys.max() == 255
