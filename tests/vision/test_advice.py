"""Advice names what is wrong with a view and where, and says nothing about a good one. On
photographs to which something known was done."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from companion.simulator import Camera, VirtualTable
from rules.box import load_box
from rules.games import find_game
from tests.support.scenes.photographs import (
    MATCH,
    Change,
    as_picture,
    blurred,
    covered_by,
    curve,
    look,
    painted_corner,
    scaled,
    scene,
    stonehenge,
)
from tests.support.sweep import widely
from tests.support.watched import WATCHED
from vision.advice import Advice, Adviser, places_cut_off
from vision.arrays import Picture, floats
from vision.board.pose import BoardPose
from vision.camera.sources import open_source
from vision.tracker import Tracker

LAMP_MM = 9.0
"""Spread of a lamp's reflection (one sigma)."""


def reflection(site: str, strength: float) -> Change:
    """A lamp's image on a site: white light added, in linear light."""

    def change(image: Picture, pose: BoardPose) -> Picture:
        at = pose.project(np.array([stonehenge().sites[site].at]))[0]
        spread = LAMP_MM * pose.px_per_mm()
        down, across = np.ogrid[0 : image.shape[0], 0 : image.shape[1]]
        far = ((across - at[0]) ** 2 + (down - at[1]) ** 2).astype(np.float32)
        added = strength * np.exp(-far / np.float32(2 * spread**2))
        linear = (image / np.float32(255.0)) ** 2.2 + added[..., None]
        return as_picture(255 * np.clip(linear, 0, 1) ** (1 / 2.2))

    return change


def advice_on(change: Change | None, name: str = "middle") -> dict[str, Advice]:
    """The advice on a changed photograph, by code."""
    shot = scene(name)
    image = shot.image if change is None else change(shot.image, shot.pose)
    image = np.ascontiguousarray(image)
    given = Adviser(stonehenge()).advise(image, look(Tracker(stonehenge()), image))
    return {one.code: one for one in given}


# -- silence ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    ["middle", "hand", *(pytest.param(n, marks=pytest.mark.thorough) for n in ("empty", "late"))],
)
def test_a_good_view_needs_no_advice(name: str) -> None:
    assert advice_on(None, name) == {}


@pytest.mark.skipif(not MATCH.is_dir(), reason="needs photographs beside the checkout")
def test_no_picture_of_the_photographed_match_draws_advice() -> None:
    tracker, adviser = Tracker(stonehenge()), Adviser(stonehenge())
    told = [
        (frame.name, one.code)
        for frame in open_source(str(MATCH))
        for one in adviser.advise(frame.image, tracker.look(frame, settled=True))
    ]
    assert told == []


@pytest.mark.parametrize(
    "box_id", widely(sorted({find_game(game).box for game in WATCHED}), most=1)
)
def test_no_board_reflects_by_its_own_colours(box_id: str) -> None:
    box = load_box(box_id)
    image = np.ascontiguousarray(Camera.over(box, seed=5).render(VirtualTable(box, seed=5)))
    codes = {one.code for one in Adviser(box).advise(image, look(Tracker(box), image))}
    assert not codes & {"lamp_reflects", "too_bright", "too_dark", "blurred", "corner_covered",
                        "uneven_light", "board_not_flat", "board_cut_off"}  # fmt: skip


def test_a_white_sleeve_over_the_board_is_no_lamp() -> None:
    sleeve = covered_by("sleeve", (214, 214, 214), (-60.0, 0.0), 0.4)
    assert "lamp_reflects" not in advice_on(sleeve)


# -- light ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("site", "strength"),
    [
        ("K", 0.5), ("R2", 0.8),
        *(pytest.param(*case, marks=pytest.mark.thorough)
          for case in (("D", 0.8), ("K", 1.5), ("H3", 0.5), ("I", 1.0))),
    ],
)  # fmt: skip
def test_a_lamp_is_told_of_at_the_field_where_it_reflects(site: str, strength: float) -> None:
    told = advice_on(reflection(site, strength))
    assert told["lamp_reflects"].params["sites"] == (site,)


def test_a_lamp_so_bright_that_it_passes_for_a_thing_is_still_told_of() -> None:
    assert advice_on(reflection("H3", 1.5))["lamp_reflects"].params["sites"] == ("H3",)


@pytest.mark.parametrize("share", [0.3, pytest.param(0.15, marks=pytest.mark.thorough)])
def test_too_little_light_is_told_of(share: float) -> None:
    assert list(advice_on(curve(lambda values: values * share))) == ["too_dark"]


def test_a_room_without_light_is_told_of_although_no_board_is_seen() -> None:
    assert list(advice_on(curve(lambda values: values * 0.03))) == ["board_not_found", "too_dark"]


def test_too_much_light_is_told_of() -> None:
    assert list(advice_on(curve(lambda values: values * 2.0))) == ["too_bright"]


def test_light_from_one_side_is_told_of_with_the_dark_corner() -> None:
    def shaded(image: Picture, pose: BoardPose) -> Picture:
        start, end = pose.project(np.array([(-190.0, 190.0), (190.0, -190.0)]))
        down, across = np.mgrid[0 : image.shape[0], 0 : image.shape[1]]
        along = (across - start[0]) * (end - start)[0] + (down - start[1]) * (end - start)[1]
        share = np.clip(along / float(((end - start) ** 2).sum()), 0, 1)
        return as_picture(image * (0.55 + 0.45 * share)[..., None])

    assert advice_on(shaded)["uneven_light"].params["corner"] == "top_left"


# -- view -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sigma", "told"),
    [(1.0, False), (3.0, True), pytest.param(5.0, True, marks=pytest.mark.thorough)],
)
def test_blur_is_told_of_from_where_it_hurts(sigma: float, told: bool) -> None:
    assert ("blurred" in advice_on(blurred(sigma))) == told


@pytest.mark.parametrize(
    ("sticker", "place"),
    [
        (0, "top_left"), (2, "bottom_right"),
        *(pytest.param(*case, marks=pytest.mark.thorough)
          for case in ((1, "top_right"), (3, "bottom_left"))),
    ],
)  # fmt: skip
def test_a_covered_corner_is_told_of_by_its_place(sticker: int, place: str) -> None:
    told = advice_on(painted_corner(sticker, (60, 90, 120)))
    assert told["corner_covered"].params == {"corner": place, "sticker": sticker}


def test_a_board_that_reaches_out_of_the_picture_is_told_of_with_the_side() -> None:
    told = advice_on(lambda image, pose: image[:, 420:])
    assert told["board_cut_off"].params == {"sides": ("left",)}
    told = advice_on(lambda image, pose: image[:-200])
    assert told["board_cut_off"].params == {"sides": ("bottom",)}


def test_a_place_beside_the_board_that_is_out_of_the_picture_is_named() -> None:
    shot, board = scene("middle"), stonehenge()
    assert shot.pose is not None
    far, near = (
        replace(board.sites["A"], id=name, kind="tray", at=at, size=(60, 60), printed=False)
        for name, at in (("far", (0.0, 900.0)), ("near", (0.0, 0.0)))
    )
    box = replace(board, sites={**board.sites, "far": far, "near": near})
    size = (shot.image.shape[1], shot.image.shape[0])
    assert places_cut_off(shot.pose, box, size) == ("far",)


def test_stickers_that_are_too_small_are_told_of_with_what_is_needed() -> None:
    told = advice_on(scaled(800))["stickers_small"]
    assert told.params["px"] == pytest.approx(1.9, abs=0.1)
    assert float(str(told.params["needed"])) > 2


def lifted(px: float) -> Change:
    """One corner stands up: what is near it moves away from the middle."""

    def change(image: Picture, pose: BoardPose) -> Picture:
        corner, middle = pose.project(np.array([(190.0, -190.0), (0.0, 0.0)]))
        away = (corner - middle) / np.linalg.norm(corner - middle)
        down, across = np.mgrid[0 : image.shape[0], 0 : image.shape[1]]
        near = np.exp(-((across - corner[0]) ** 2 + (down - corner[1]) ** 2) / (2 * 160.0**2))
        u, v = floats(across - px * near * away[0]), floats(down - px * near * away[1])
        return as_picture(cv2.remap(image, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))

    return change


def test_a_board_that_does_not_lie_flat_is_told_of() -> None:
    told = advice_on(lifted(25.0))
    assert list(told) == ["board_not_flat"]
    assert float(str(told["board_not_flat"].params["error_px"])) > 1.0


def test_with_a_calibrated_lens_a_little_less_flat_is_told_of() -> None:
    """Without one the fitted lens bends until it explains a good part of it."""
    shot = scene("middle")
    image = np.ascontiguousarray(lifted(10.0)(shot.image, shot.pose))
    assert "board_not_flat" not in advice_on(lifted(10.0))
    knowing = Tracker(stonehenge(), lens_of=lambda size: shot.pose.lens)
    codes = [one.code for one in Adviser(stonehenge()).advise(image, look(knowing, image))]
    assert codes == ["board_not_flat"]


def test_the_board_that_nobody_finds_is_told_of() -> None:
    def away(image: Picture, pose: BoardPose) -> Picture:
        return as_picture(np.full_like(image, 90))

    assert list(advice_on(away)) == ["board_not_found"]


# -- form -------------------------------------------------------------------------------------


def test_the_most_important_comes_first() -> None:
    def worse(image: Picture, pose: BoardPose) -> Picture:
        painted = painted_corner(1, (60, 90, 120))(image, pose)
        return blurred(3.0)(reflection("K", 1.5)(painted, pose), pose)

    assert list(advice_on(worse)) == ["blurred", "corner_covered", "lamp_reflects"]


def test_advice_is_plain_json() -> None:
    one = Advice("lamp_reflects", {"sites": ("D", "E")})
    told: Any = json.loads(json.dumps(one.to_json()))
    assert told == {"code": "lamp_reflects", "params": {"sites": ["D", "E"]}}
