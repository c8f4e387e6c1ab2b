"""The expected look of the bare board: in other lamps, in shade that comes and goes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from rules.box import Box, load_box
from tests.support.scenes.photographs import look, scene, stonehenge
from vision.arrays import Bools, Planes, Points, floats
from vision.board import flattening
from vision.board.appearance import GRAIN_PX, BoardAppearance, Difference, _shade
from vision.board.detail import Detail
from vision.board.drawing import drawing_of, mixed
from vision.board.flattening import Flattening
from vision.board.foreign import foreign
from vision.board.lighting import Fit, Light, Surfaces, fit_anew, surfaces_at
from vision.board.masks import Masks
from vision.board.occlusion import Shown, find_blobs
from vision.board.pose import BoardPose
from vision.tracker import Tracker

NOTHING = np.zeros((210, 210), dtype=np.uint8)
"""No part of the board is hidden."""


@pytest.fixture(scope="module")
def pose() -> BoardPose:
    seen = look(Tracker(stonehenge()), scene("empty").image, settled=True)
    assert seen.pose is not None
    return seen.pose


@pytest.fixture
def appearance(pose: BoardPose) -> BoardAppearance:
    """An appearance that has seen the bare board some times."""
    learning = BoardAppearance(stonehenge())
    flat = learning.flatten(scene("empty").image, pose)
    for _ in range(3):
        learning.compare(flat, NOTHING)
        learning.learn(flat, NOTHING == 0)
        learning.recognise(NOTHING == 0)
    return learning


def bare(appearance: BoardAppearance, pose: BoardPose) -> Planes:
    return appearance.flatten(scene("empty").image, pose)


def odd(appearance: BoardAppearance, flat: Planes) -> Bools:
    return foreign(appearance.compare(flat, NOTHING))


def test_the_flattened_board_holds_one_channel_after_the_other(
    appearance: BoardAppearance, pose: BoardPose
) -> None:
    image = scene("empty").image.copy()
    flat = appearance.flatten(image, pose)
    assert flat.shape == (3, 210, 210)
    assert flat.dtype == np.float32
    image[..., :2] = 0
    red = appearance.flatten(image, pose)
    assert not red[:2].any()
    assert np.array_equal(red[2], flat[2])


def test_another_camera_place_is_another_map(appearance: BoardAppearance, pose: BoardPose) -> None:
    shot = scene("empty").image
    first = appearance.flatten(shot, pose)
    shifted = np.roll(shot, 40, axis=1)
    beside = pose.translation + np.array([40 / pose.px_per_mm(), 0, 0])
    turned = BoardPose(pose.lens, pose.rotation, beside, 0.0, ())
    assert np.abs(appearance.flatten(shifted, turned) - first).mean() < 0.01
    assert np.array_equal(appearance.flatten(shot, pose), first)


@pytest.mark.parametrize("white", [(1.0, 1.0, 1.0), (0.6, 0.8, 0.9), (0.9, 0.75, 0.6)])
def test_a_bare_board_stays_bare_in_the_light_of_another_lamp(
    appearance: BoardAppearance, pose: BoardPose, white: tuple[float, float, float]
) -> None:
    flat = bare(appearance, pose) * floats(white)[:, None, None]
    assert odd(appearance, flat).mean() < 0.005
    appearance.learn(flat, NOTHING == 0)
    # The first lamp is switched on again.
    assert odd(appearance, bare(appearance, pose)).mean() < 0.005


def test_something_of_another_colour_is_foreign_and_its_residual_is_told_per_channel(
    appearance: BoardAppearance, pose: BoardPose
) -> None:
    flat = bare(appearance, pose)
    flat[:, 90:110, 100:120] = floats((0.6, 0.1, 0.05))[:, None, None]
    difference = appearance.compare(flat, NOTHING)
    strange = foreign(difference)
    assert strange[91:109, 101:119].mean() > 0.95
    strange[88:112, 98:122] = False
    assert strange.mean() < 0.005
    blue, _, red = difference.residual[:, 95:105, 105:115].mean(axis=(1, 2))
    assert blue > 0 > red


def test_shade_that_was_learnt_is_forgotten_when_it_has_gone(
    appearance: BoardAppearance, pose: BoardPose
) -> None:
    plain = bare(appearance, pose)
    shady = plain.copy()
    shady[:, 60:90, 60:90] *= 0.35
    for _ in range(8):
        appearance.compare(shady, NOTHING)
        appearance.learn(shady, NOTHING == 0)
    assert odd(appearance, shady)[62:88, 62:88].mean() < 0.02
    assert odd(appearance, plain)[62:88, 62:88].mean() < 0.02


def test_shade_worked_out_coarsely_is_the_shade() -> None:
    chance = np.random.default_rng(4)
    slow = cv2.resize(chance.uniform(0.7, 1.4, (7, 8, 3)), (200, 190))
    detail = floats(slow * chance.uniform(0.9, 1.1, (190, 200, 3))).transpose(2, 0, 1).copy()
    fine = [cv2.GaussianBlur(np.log(plane), (0, 0), GRAIN_PX) for plane in detail]
    assert np.abs(_shade(detail) - np.stack(fine)).max() < 0.02


def lamp(
    box: Box, appearance: BoardAppearance, colour: tuple[float, ...], gain: tuple[float, ...],
    shade: tuple[float, float, float, float],
) -> Planes:  # fmt: skip
    """The drawn board in a light; ``shade``: x, y and radius, -1 to 1 over the board, and depth."""
    wide, high = appearance.size
    x, y = np.meshgrid(np.linspace(-1, 1, wide), np.linspace(-1, 1, high))
    at_x, at_y, radius, depth = shade
    soft = 1 - depth / (1 + np.exp((np.hypot(x - at_x, y - at_y) - radius) * 25))
    light = Light(floats(np.array(gain)), floats(np.zeros((3, 6))))
    strength = Surfaces(appearance.size).of(light)[0] * soft
    tint = np.array(colour)[:, None, None]
    drawing = drawing_of(box, appearance.size)
    board = mixed(drawing.shares, drawing.inks)
    return floats(np.clip(board * tint * strength, 0, 1))


def test_the_light_of_another_lamp_is_found_in_one_look_for_below_a_hand_nothing_is_learnt() -> (
    None
):
    box = load_box("dominion").for_game("dominion")
    learning = BoardAppearance(box)
    wide, high = learning.size
    piles = np.zeros((high, wide), dtype=np.uint8)
    piles[high // 4 : high * 18 // 25, wide * 11 // 50 : wide * 19 // 25] = 255
    evening = lamp(
        box, learning, (0.249, 0.338, 0.188), (1.83, -0.91, 0.74, -0.2, -0.22, 0.35),
        (-0.29, 0.38, 0.48, 0.29),
    )  # fmt: skip
    for _ in range(4):
        learning.compare(evening, piles)
        learning.learn(evening, piles == 0)
    reading_lamp = lamp(
        box, learning, (0.265, 0.217, 0.197), (2.5, 0.74, -0.08, 0.23, 0.44, -0.13),
        (0.34, 0.41, 0.34, 0.24),
    )  # fmt: skip
    strange = foreign(learning.compare(reading_lamp, piles)) & (piles == 0)
    assert strange.mean() < 0.002


def difference(box: Box, ratio: Points) -> tuple[Shown, Masks]:
    """A bare board of one colour that is seen ``ratio`` times as bright as expected; the paper of
    its corner stickers is much brighter than the board."""
    masks = Masks(box, (210, 210))
    hidden = masks.hidden([])
    expected = np.repeat(np.array([0.02, 0.06, 0.04], np.float32), 210 * 210).reshape(3, 210, 210)
    bright, none = floats(np.where(hidden > 0, 8.0, ratio)), np.zeros((210, 210), np.float32)
    residual = floats(expected * (bright - 1) / np.linalg.norm(expected, axis=0))
    seen = floats(expected * bright)
    found = Difference(
        np.arange(none.size), none.ravel(), bright.ravel(), none.ravel(), seen, expected, residual,
        none == 0, none == 0, none != 0,
    )  # fmt: skip
    return Shown(found, foreign(found), hidden), masks


def test_light_that_falls_beside_a_corner_sticker_does_not_end_at_it() -> None:
    rows, columns = np.mgrid[:210, :210]
    to_corner = np.hypot(columns - 0.0, rows - 209.0)
    soft, masks = difference(stonehenge(), 1 + 1.4 * np.exp(-((to_corner / 40) ** 2)))
    assert soft.alien.sum() > 100, "it is brighter than the light of a lamp explains"
    assert find_blobs(soft, masks) == []
    card, _ = difference(stonehenge(), np.where(to_corner < 30, 2.4, 1.0))
    assert find_blobs(card, masks), "a thing has a rim of its own"


@pytest.mark.parametrize("drawn_px", [60, 20])
@pytest.mark.parametrize("veil", [True, False])
def test_a_veil_of_light_shows_what_is_drawn_and_a_pale_thing_does_not(
    drawn_px: int, veil: bool
) -> None:
    _, found, lines = np.mgrid[:3, :210, :210].astype(np.float32)
    expected = floats(0.1 + 0.05 * (lines % 4 < 2) * ((lines >= 100) | (lines < drawn_px)))
    patch = (lines[0] < 60) & (found[0] < 60)
    board, _ = difference(stonehenge(), np.ones((210, 210)))
    below = expected if veil else np.where(patch, np.float32(0.1), expected)
    compared = replace(board.difference, seen=floats(below + 0.2 * patch), expected=expected)
    veils, _ = Detail(compared, ~patch).light(patch, np.zeros_like(patch))
    assert veils[patch].mean() > 0.9 if veil else not veils.any()


def test_of_large_pictures_every_other_row_shows_the_board_just_as_well(
    pose: BoardPose, monkeypatch: pytest.MonkeyPatch
) -> None:
    image = scene("empty").image
    box, size = stonehenge(), (210, 210)
    thin = Flattening.of(box, size, pose, image)
    assert thin.part[0].step == 2
    monkeypatch.setattr(flattening, "THINNED_FROM", 99)
    whole = Flattening.of(box, size, pose, image)
    assert whole.part[0].step is None
    gap = thin.flatten(image) - whole.flatten(image)
    assert np.abs(gap).mean() < 0.01 and abs(float(gap.mean())) < 0.001


def test_no_corner_of_the_board_is_expected_to_be_quite_dark(
    pose: BoardPose, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside a reflected lamp the fitted glare falls off so fast that it would be black there."""
    flat = BoardAppearance(stonehenge()).flatten(scene("empty").image, pose)
    nothing = np.zeros(flat.shape[1:], dtype=np.uint8)

    def expected(glare: float) -> Planes:
        def fitted(*given: Any) -> Fit:
            fit = fit_anew(*given)
            everywhere = np.full((3, 6), glare, dtype=np.float32)
            return replace(fit, light=replace(fit.light, glare=everywhere))

        monkeypatch.setattr("vision.board.appearance.fit_anew", fitted)
        return BoardAppearance(stonehenge()).compare(flat, nothing).expected

    lit = expected(0.0)
    assert bool((expected(-0.5) >= np.maximum(0.199 * lit, 0.002)).all())
    assert float(expected(-0.5).mean()) < 0.3 * float(lit.mean())


def test_a_black_thing_is_black_in_the_shade_on_a_board_of_one_colour() -> None:
    green, black = floats(np.array([0.07, 0.15, 0.06])), floats(np.full((3, 1), 0.02))
    there, one = surfaces_at(np.array([0.8]), np.array([0.0])), floats(np.eye(6)[0])
    # On green alone less gain and less glare look alike.
    shade = Light(floats(0.4 * one), floats(np.zeros((3, 6))))
    taken = Light(one, floats(np.outer(-0.6 * green, one)))
    gloss = Light(floats(0.4 * one), floats(np.outer(np.full(3, 0.01), one)))
    for light in (shade, taken, gloss):
        seen = (gloss if light is gloss else shade).shine(black, there)
        assert np.abs(light.unshine(seen, there, green) - black).max() < 0.02
    # Without that it would be brighter than the board.
    assert taken.unshine(shade.shine(black, there), there)[0] > 0.04
    # A little less glare than none is the fit's error.
    slight = Light(one, floats(np.outer(-0.05 * green, one)))
    seen = slight.shine(black, there)
    assert slight.unshine(seen, there, green) == pytest.approx(black, rel=1e-3)
