"""Hands and what is no hand: shade, glare, and arms that reach in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from rules.box import load_box
from tests.support.scenes.photographs import (
    as_picture,
    covered_by,
    first_look,
    look,
    scene,
    stonehenge,
)
from tests.support.sweep import widely
from vision.arrays import Mask, Picture, Points, floats
from vision.board.appearance import Difference
from vision.board.blobs import across
from vision.board.masks import EDGE_MM, Masks
from vision.board.occlusion import Shown
from vision.board.pose import BoardPose
from vision.board.shadow import Caster, Lamp
from vision.camera.sources import read_picture
from vision.motion.reaching import RESTING_S, Reaching
from vision.pieces.sighting import Sighting
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


@pytest.mark.parametrize(
    ("shape", "colour", "place", "way"),
    [
        ("hand", "white cloth", "the middle", (0, 26)),
        ("hand", "pale skin", "the empty corner", (26, 0)),
        ("sleeve", "pale skin", "the right", (0, 40)),
        ("sleeve", "white cloth", "the right", (26, 0)),
        ("hand", "white cloth", "the right", (0, 26)),
    ],
)
def test_a_hand_that_moves_is_seen_though_its_rim_is_as_soft_as_a_gleams(
    shape: str, colour: str, place: str, way: tuple[int, int]
) -> None:
    (x, y), turn = PLACES[place]

    def moving(image: Picture, pose: BoardPose) -> Picture:
        places = [(x + part * way[0], y + part * way[1]) for part in np.linspace(0, 1, 9)]
        shots = [covered_by(shape, COLOURS[colour], at, turn)(image, pose) for at in places]
        return as_picture(floats(np.mean(shots, axis=0)))

    assert first_look("middle", moving).hand


@pytest.mark.parametrize(("colour", "place"), widely(["pale skin", "dark skin"], list(PLACES)))
def test_a_single_finger_is_a_hand(colour: str, place: str) -> None:
    at, turn = PLACES[place]
    tracker = Tracker(stonehenge())
    shot = scene("late")
    look(tracker, shot.image)
    pointed_at = covered_by("finger", COLOURS[colour], at, turn)(shot.image, shot.pose)
    assert look(tracker, pointed_at).hand


@pytest.mark.parametrize("wide_mm", [3.7, 6.0])
def test_a_pencil_longer_than_any_piece_is_a_hand_where_the_board_was_seen(wide_mm: float) -> None:
    tracker, shot = Tracker(stonehenge()), scene("late")
    look(tracker, shot.image)
    pencil = shot.image.copy()
    tip, end = np.round(shot.pose.project(np.array([(-60.0, 60.0), (-150.0, 190.0)]))).astype(int)
    wide = round(wide_mm * shot.pose.px_per_mm())
    cv2.line(pencil, tip.tolist(), end.tolist(), (50, 90, 130), wide, cv2.LINE_AA)
    assert look(tracker, pencil).hand
    assert not look(tracker, shot.image).hand


SKIN, CLOTH, PLANKS = (0.2, 0.35, 0.6), (0.3, 0.3, 0.3), (0.1, 0.3, 0.5)


@pytest.mark.parametrize(
    ("colour", "light", "from_mm", "told"),
    [
        pytest.param(SKIN, 1.0, -20.0, True, id="a finger"),
        pytest.param((0.21, 0.2, 0.2), 1.0, -20.0, True, id="a glove as grey as the table"),
        pytest.param(CLOTH, 1.0, -20.0, False, id="nothing"),
        pytest.param(SKIN, 1.0, 4.0, False, id="a thing beside the board"),
        pytest.param(None, 3.0, -20.0, False, id="a patch of sun"),
        pytest.param(None, 0.1, -20.0, False, id="the shadow of an arm"),
    ],
)
def test_what_lies_across_an_own_boards_outline_is_seen_by_the_step_that_is_missing_there(
    colour: tuple[float, float, float] | None, light: float, from_mm: float, told: bool
) -> None:
    outline = ((-170.0, 160.0), (170.0, 160.0), (170.0, -160.0), (-170.0, -160.0))
    masks = Masks(replace(stonehenge(), outline=outline), (210, 210))
    chance = np.random.default_rng(1)
    seen = np.empty((3, 210, 210), dtype=np.float32)
    beyond = masks.inwards.reshape(210, 210) < -EDGE_MM
    x, y = masks.mm[..., 0], masks.mm[..., 1]
    finger = (np.abs(x - 40) < 7) & (-160 - y > from_mm) & (-160 - y < 60)
    for plane, cloth, planks, thing in zip(seen, CLOTH, PLANKS, colour or (0, 0, 0), strict=True):
        plane[:] = np.where(beyond, cloth, planks)
        plane[finger] = thing if colour else plane[finger] * light
    seen *= floats(np.exp(chance.normal(0, 0.02, seen.shape)))
    assert bool(len(across(seen, masks))) == told


@pytest.mark.parametrize("thing", ["a stick", "its shade"])
def test_a_stick_in_the_boards_own_colour_is_a_hand_and_its_shade_is_none(thing: str) -> None:
    shot = scene("middle")
    ends = np.round(shot.pose.project(np.array([(-60.0, 0.0), (-20.0, -260.0)])))
    inside: Mask = np.zeros(shot.image.shape[:2], np.uint8)
    tip, end = ends.astype(int).tolist()
    cv2.line(inside, tip, end, (255,), round(9 * shot.pose.px_per_mm()), cv2.LINE_AA)
    alpha = floats(inside / 255)[..., None]
    ((x, y),) = np.round(shot.pose.project(np.array([(-100.0, -150.0)]))).astype(int).tolist()
    over = 0.8 * (shot.image if thing == "its shade" else shot.image[y, x])
    image = as_picture(shot.image * (1 - alpha) + over * alpha)
    assert look(Tracker(stonehenge()), image).hand == (thing == "a stick")


def test_a_pencil_that_pieces_interrupt_is_a_hand_in_the_first_picture() -> None:
    folder = Path(__file__).parents[3] / "benchmarks" / "pictures" / "dolmen_hard"
    image, box = read_picture(folder / "005.jpg"), load_box("dolmengoetter")
    pose = look(Tracker(box), image).pose
    assert pose is not None
    ends = np.round(pose.project(np.array([(58.0, 165.0), (151.0, -230.0)]))).astype(int)
    wide = round(5.5 * pose.px_per_mm())
    cv2.line(image, ends[0].tolist(), ends[1].tolist(), (30, 25, 105), wide, cv2.LINE_AA)
    assert look(Tracker(box), image).hand


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


def test_an_arms_shadow_is_no_hand_sharp_or_dark_or_tinted_by_another_lamp() -> None:
    folder = Path(__file__).parents[3] / "benchmarks" / "pictures" / "dolmen_hard"
    image, tracker = read_picture(folder / "002.jpg"), Tracker(load_box("dolmengoetter"))
    pose = look(tracker, image).pose
    assert pose is not None
    arm = pose.project(np.array([[70.0, 400.0], [140.0, 400.0], [125.0, -60.0], [90.0, -60.0]]))
    for depth, soft_px, tint in (
        (0.35, 0.7, 0.0), (0.6, 0.7, 0.0), (0.6, 6.0, 0.0), (0.75, 2.0, 0.0), (0.82, 6.0, 0.0),
        (0.6, 0.7, 0.3),
    ):  # fmt: skip
        shade = np.zeros(image.shape[:2], np.float32)
        cv2.fillConvexPoly(shade, np.round(arm).astype(np.int32), (1.0,))
        left = 1 - depth * cv2.GaussianBlur(shade, (0, 0), soft_px)[..., None]
        left = left ** (1 - tint, 1, 1 + tint)
        # Light is linear, grey values are its root.
        seen = look(tracker, np.asarray(image * left ** (1 / 2.2), dtype=np.uint8))
        assert not seen.hand, (depth, soft_px, tint)


def candle(x: Points, y: Points) -> Points:
    """A warm lamp beside the board, behind something narrow that leaves a grey room's light."""
    near = 1 / (1 + ((x - 80) ** 2 + (y - 170) ** 2) / 150**2)
    beside = np.arctan2(80 * (y - 170) - 170 * (x - 80), -(80 * (x - 80) + 170 * (y - 170)))
    near = near * np.clip((np.abs(beside) - 0.12) / 0.01, 0, 1)
    return np.asarray(0.5 + near[..., None] * (0.7, 1.4, 2.4))


def water(x: Points, y: Points) -> Points:
    """The bright curves that a glass of water throws."""
    away = np.hypot(x, y) + 6 * np.sin(x / 11 + 0.8) + 5 * np.sin(y / 9)
    curves = np.clip(np.cos(away / 5) * 4 - 2.8, 0, 1) * (np.hypot(x, y) < 75)
    return np.asarray(1 + 2 * curves[..., None])


@pytest.mark.parametrize("light", [candle, water])
def test_light_of_two_colours_or_fine_curves_is_no_hand_and_a_hand_in_it_is_one(
    light: Callable[[Points, Points], Points],
) -> None:
    tracker, shot = Tracker(stonehenge()), scene("late")
    high, wide = shot.image.shape[:2]
    columns, rows = np.meshgrid(np.arange(0, wide, 8), np.arange(0, high, 8))
    mm = shot.pose.on_board(np.column_stack([columns.ravel(), rows.ravel()]).astype(float))
    x, y = cv2.split(cv2.resize(mm.reshape(*rows.shape, 2), (wide, high)))
    # Light is linear, grey values are its root.
    gain = light(np.asarray(x), np.asarray(y)) ** (1 / 2.2)
    look(tracker, shot.image)
    assert not look(tracker, as_picture(shot.image * gain)).hand
    hand = covered_by("hand", COLOURS["dark skin"], *PLACES["the middle"])(shot.image, shot.pose)
    assert look(tracker, as_picture(hand * gain)).hand


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


def in_patches(image: Picture, pose: BoardPose, gain: float, period_mm: float) -> Picture:
    """Stripes of another light over the whole table."""
    rows, columns = np.mgrid[: image.shape[0], : image.shape[1]]
    wave = np.sin((columns + 0.6 * rows) / pose.px_per_mm() * 2 * np.pi / period_mm)
    light = 1 + (gain - 1) * np.clip(4 * wave + 0.5, 0, 1)
    return as_picture(image * light[..., None] ** (1 / 2.2))


@pytest.mark.parametrize("gain", [0.3, 2.0])
def test_sun_and_shade_in_patches_are_no_hand_and_a_sleeve_among_them_is(gain: float) -> None:
    def striped(image: Picture, pose: BoardPose) -> Picture:
        return in_patches(image, pose, gain, 30.0)

    sighting = first_look("middle", striped)
    assert not sighting.hand
    assert sighting.table.items() <= scene("middle").table.items()
    sleeve = covered_by("sleeve", COLOURS["black cloth"], *PLACES["the middle"])
    assert first_look("middle", lambda i, pose: striped(sleeve(i, pose), pose)).hand


@pytest.mark.parametrize(
    ("colour", "gain", "period_mm"), [("pale skin", 3.0, 24.0), ("grey cloth", 5.0, 30.0)]
)
def test_stripes_of_sun_that_blind_the_camera_cut_no_hand_into_pieces(
    colour: str, gain: float, period_mm: float
) -> None:
    arm = covered_by("sleeve", COLOURS[colour], *PLACES["the middle"])
    assert first_look(
        "middle", lambda i, pose: in_patches(arm(i, pose), pose, gain, period_mm)
    ).hand


SIZE = (20, 30)
WOOD, WHITE, SUN = (0.3, 0.45, 0.6), (0.82, 0.84, 0.86), (0.97, 0.97, 0.97)


def _shown(
    expected: tuple[float, ...], seen: tuple[float, ...], hidden: bool = False, width: int = 12
) -> Shown:
    plain = np.ones((1, *SIZE), dtype=np.float32)
    board, flat = (floats(np.reshape(each, (3, 1, 1)) * plain) for each in (expected, seen))
    flat[:, :, width:] = board[:, :, width:]
    none, everywhere = floats(np.zeros(0)), np.ones(SIZE, dtype=np.bool_)
    difference = Difference(
        np.zeros(0, dtype=np.intp), none, none, none, flat, board,
        floats((flat - board) / np.linalg.norm(board, axis=0)), everywhere, everywhere,
        ~everywhere,
    )  # fmt: skip
    over: Mask = np.zeros(SIZE, dtype=np.uint8)
    over[:, :12] = 255 * hidden
    return Shown(difference, ~everywhere, over)


@pytest.mark.parametrize(
    ("shown", "blinded"),
    [
        pytest.param(_shown(WOOD, SUN), True, id="a patch of sun on wood"),
        pytest.param(_shown(WHITE, SUN), False, id="a white field in good light"),
        pytest.param(_shown(WOOD, SUN, hidden=True), False, id="a white sticker on wood"),
    ],
)
def test_light_blinds_where_it_shows_something_else_than_the_board(
    shown: Shown, blinded: bool
) -> None:
    assert shown.blinding[:, :12].all() == shown.blinding.any() == blinded


def test_a_tube_lamps_thin_mirror_image_blinds() -> None:
    assert _shown(WOOD, SUN, width=2).blinding[:, :2].all()


def test_a_site_below_a_mirrored_lamp_is_unknown_and_said_to_glare() -> None:
    def mirrored(image: Picture, pose: BoardPose) -> Picture:
        (x, y), image = pose.project(np.array([stonehenge().sites["D"].at]))[0], image.copy()
        cv2.circle(image, (round(x), round(y)), round(14 * pose.px_per_mm()), (255,) * 3, -1)
        return image

    sighting = first_look("empty", mirrored)
    assert sighting.glaring == {"D"}
    assert sighting.sites["D"].occluded and not sighting.hand


def test_the_board_is_read_below_a_mirrored_window_and_a_pale_sleeve_there_is_a_hand() -> None:
    def mirrored(image: Picture, pose: BoardPose) -> Picture:
        pane = np.zeros(image.shape[:2], dtype=np.uint8)
        corners = pose.project(np.array([(-70.0, -50.0), (60, -60), (70, 50), (-60, 60)]))
        cv2.fillConvexPoly(pane, corners.astype(np.int32), 1)
        soft = cv2.GaussianBlur(floats(pane), (0, 0), 2 * pose.px_per_mm())[..., None]
        return as_picture(255 * np.clip((image / 255) ** 2.2 + 0.5 * soft, 0, 1) ** (1 / 2.2))

    sighting = first_look("middle", mirrored)
    assert not sighting.hand
    assert sighting.table == scene("middle").table
    sleeve = covered_by("sleeve", (215, 225, 235), *PLACES["the middle"])
    assert first_look("middle", lambda i, pose: mirrored(sleeve(i, pose), pose)).hand


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


def drawn(
    image: Picture, pose: BoardPose, outlines: list[Points], spared: list[Points], *,
    opaque: bool = False,
) -> Picture:  # fmt: skip
    """Outlines (mm on the board) in the shade, but for what pieces hide (points of hulls, mm);
    ``opaque``: below something as dark, and grey."""

    def filled(every: list[Points]) -> Mask:
        mask = np.zeros(image.shape[:2], dtype=np.uint8)
        for mm in every:
            hull = cv2.convexHull(pose.project(mm).astype(np.float32))
            cv2.fillConvexPoly(mask, np.round(hull).astype(np.int32), 255)
        return mask

    mask = cv2.blur(filled(outlines) & ~filled(spared), (3, 3))
    share = mask[..., None] / np.float32(255)
    below = np.full_like(image, image[image > 0].mean()) if opaque else image
    return as_picture(image * (1 - share) + BLACK * share * below)


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
        bodies = [p.body_mm for p in laid().pieces]
        return drawn(image, pose, [np.array(finger)], bodies, opaque=True)

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
