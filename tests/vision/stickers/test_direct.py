"""Small stickers at known places, in scenes with known truth."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import cv2
import numpy as np
import pytest

from tests.support.scenes.stickers import (
    FAMILIES,
    TESTING,
    Light,
    StickerScene,
    decoder_of,
    draw_scene,
    places_of,
)
from tests.support.sweep import widely
from vision.arrays import Picture
from vision.stickers.blurred import PER_MODULE
from vision.stickers.direct import (
    FAINT,
    LEAST_PX_PER_MODULE,
    Answer,
    DirectDecoder,
    Place,
    _border_score,
)

DICTIONARY = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_100)
IDS = tuple(range(100))


@lru_cache(maxsize=4)
def drawn(side: float, light: Light = "hard", number: int = 0) -> StickerScene:
    return draw_scene(TESTING[number], side, light, DICTIONARY, IDS)


@lru_cache(maxsize=2)
def decoder(floor: bool = True) -> DirectDecoder:
    free = decoder_of(DICTIONARY, IDS)
    return DirectDecoder(free.patterns) if floor else free


def score(scene: StickerScene, answers: list[Answer]) -> tuple[float, int]:
    """Recall, and how many ids are wrong."""
    pairs = list(zip(scene.fields, answers, strict=True))
    right = sum(a.id is not None and a.id == f.sticker for f, a in pairs)
    wrong = sum(a.id is not None and a.id != f.sticker for f, a in pairs)
    return right / scene.stickers, wrong


@pytest.mark.parametrize("number", [0, pytest.param(1, marks=pytest.mark.thorough)])
def test_stickers_of_two_px_per_module_are_read_in_hard_light(number: int) -> None:
    scene = drawn(12.1, number=number)
    recall, wrong = score(scene, decoder().read(scene.image, places_of(scene, IDS)))
    assert recall >= 0.98
    assert wrong == 0


def dazzled(scene: StickerScene) -> Picture:
    """As a sensor sees it that gets four times too much light."""
    linear = (cv2.GaussianBlur(scene.image, (0, 0), 0.7) / 255.0) ** 2.2
    return np.asarray(np.minimum(4 * linear, 1) ** (1 / 2.2) * 255, dtype=np.uint8)


def half_shaded(scene: StickerScene, wide: float = np.inf) -> Picture:
    """With the edge of a hard shade across each field, or a band of it, ``wide`` sides."""
    image = scene.image.astype(np.float64)
    for number, field in enumerate(scene.fields):
        way, (x, y) = 0.7 * number, field.centre
        far = float(np.linalg.norm(field.across))
        left, top = (max(0, int(at - far)) for at in (x, y))
        part = image[top : int(y + far) + 2, left : int(x + far) + 2]
        down, across = np.mgrid[: part.shape[0], : part.shape[1]].astype(np.float64)
        right, below = across + left - x, down + top - y
        along = right * np.cos(way) + below * np.sin(way)
        beyond = (along > 1) & (along < 1 + wide * far)
        part[(np.hypot(right, below) < far) & beyond] *= 0.55
    return np.asarray(image, dtype=np.uint8)


@pytest.mark.parametrize(
    ("spoilt", "least"),
    [(dazzled, 0.97), (half_shaded, 0.75), (lambda scene: half_shaded(scene, 0.25), 0.75),
     (lambda scene: cv2.GaussianBlur(scene.image, (0, 0), 1.2), 0.75)],
    ids=["too much light", "half in the shade", "a band of shade", "out of focus"],
)  # fmt: skip
def test_small_stickers_are_read_in_bad_light_and_never_mistaken(
    spoilt: Callable[[StickerScene], Picture], least: float
) -> None:
    scene = drawn(12.1, "clean")
    recall, wrong = score(scene, decoder().read(spoilt(scene), places_of(scene, IDS)))
    assert recall >= least
    assert wrong == 0


def test_opencv_reads_few_of_them_so_they_are_no_easy_ones() -> None:
    scene = drawn(12.1)
    parameters = cv2.aruco.DetectorParameters()
    parameters.minMarkerPerimeterRate = 4 * 7 / 1920
    large = cv2.resize(scene.image, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
    _, ids, _ = cv2.aruco.ArucoDetector(DICTIONARY, parameters).detectMarkers(large)
    assert ids is None or len(ids) < 0.6 * scene.stickers


def test_below_two_px_per_module_nothing_is_read_and_the_size_is_told() -> None:
    scene = drawn(11.4)
    for answer in decoder().read(scene.image, places_of(scene, IDS)):
        assert answer.id is None
        assert answer.guess is None
        assert 1.8 < answer.px_per_module < LEAST_PX_PER_MODULE


def test_without_that_floor_stickers_of_ten_px_are_read_or_refused_but_not_mistaken() -> None:
    scene = drawn(10)
    recall, wrong = score(scene, decoder(floor=False).read(scene.image, places_of(scene, IDS)))
    assert recall >= 0.9
    assert wrong == 0


@pytest.mark.parametrize("side", [14, pytest.param(24, marks=pytest.mark.thorough), 60])
def test_corners_of_stickers_are_found_to_a_part_of_a_pixel(side: float) -> None:
    scene = drawn(side, "clean")
    answers = decoder().read(scene.image, places_of(scene, IDS))
    for field, answer in zip(scene.fields, answers, strict=True):
        if field.corners is not None:
            assert answer.id == field.sticker
            assert np.abs(answer.corners - field.corners).max() < 0.25 + 0.01 * side


@pytest.mark.parametrize(("seed", "allowed"), widely(range(3), [1, 7, 34]))
def test_no_id_is_read_that_is_not_allowed_at_its_place(seed: int, allowed: int) -> None:
    scene, chance = drawn(16), np.random.default_rng(seed)
    places = []
    for place in places_of(scene, IDS):
        ids = tuple(int(n) for n in chance.choice(100, allowed, replace=False))
        places.append(Place(place.centre, place.across, 1.0, place.roam_mm, ids))
    read = decoder().read(scene.image, places)
    right = wrong = 0
    for field, place, answer in zip(scene.fields, places, read, strict=True):
        assert answer.guess in place.ids
        # A sticker that cannot lie here is none, not the nearest that can.
        wrong += answer.id is not None and answer.id != field.sticker
        right += answer.id is not None and answer.id == field.sticker
        if field.sticker in place.ids:
            assert answer.id == field.sticker
    assert wrong == 0
    assert right == sum(f.sticker in p.ids for f, p in zip(scene.fields, places, strict=True))


def test_stickers_of_other_boxes_are_nobodys() -> None:
    scene = drawn(14)
    own = tuple(range(0, 100, 3))
    answers = decoder().read(scene.image, places_of(scene, own))
    foreign = [a for f, a in zip(scene.fields, answers, strict=True) if f.sticker not in own]
    assert len(foreign) > 90
    assert all(answer.id is None for answer in foreign)


def grain(size: int, seed: int) -> Picture:
    rough = np.random.default_rng(seed).integers(0, 2, (900 // size, 1200 // size, 3)) * 190 + 30
    large = cv2.resize(rough.astype(np.uint8), (1200, 900), interpolation=cv2.INTER_NEAREST)
    return np.asarray(large, dtype=np.uint8)


@pytest.mark.parametrize("size", widely([1, 4, 9, 2, 3, 6], most=3))
def test_nothing_is_read_in_grain_and_blocks(size: int) -> None:
    chance = np.random.default_rng(size)
    places = []
    for _ in range(120):
        side = 6 * chance.uniform(2.05, 6)
        at = chance.uniform((50, 50), (1150, 850))
        places.append(Place(at, np.diag([side, -side]), 1.0, 0.4, IDS))
    assert all(answer.id is None for answer in decoder().read(grain(size, size), places))


def test_empty_fields_of_a_board_are_empty() -> None:
    scene = drawn(20)
    answers = decoder().read(scene.image, places_of(scene, IDS))
    empty = [a for f, a in zip(scene.fields, answers, strict=True) if f.sticker is None]
    assert len(empty) > 40
    assert all(answer.id is None for answer in empty)


def test_april_tags_are_read_as_well() -> None:
    for name, count in FAMILIES.values():
        dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, name))
        scene = draw_scene(TESTING[5], 20, "hard", dictionary, range(count))
        answers = decoder_of(dictionary, range(count)).read(
            scene.image, places_of(scene, range(count))
        )
        recall, wrong = score(scene, answers)
        assert recall >= 0.98
        assert wrong == 0


def test_places_at_the_edge_and_outside_of_the_picture_are_no_trouble() -> None:
    scene = drawn(20)
    height, width = scene.image.shape[:2]
    across = np.diag([20.0, -20.0])
    spots = [(0, 0), (width, height), (-500, 40), (width + 300, -300), (3, height / 2)]
    places = [Place(np.array(spot, dtype=float), across, 1.0, 0.4, IDS) for spot in spots]
    assert all(answer.id is None for answer in decoder().read(scene.image, places))


def test_a_place_that_takes_nothing_gets_no_answer_and_no_places_none() -> None:
    scene = drawn(20)
    field = scene.fields[0]
    assert decoder().read(scene.image, []) == []
    (answer,) = decoder().read(scene.image, [Place(field.centre, field.across, 1.0, 0.4, ())])
    assert answer.id is None
    assert answer.guess is None


def test_answers_do_not_depend_on_which_places_are_read_together() -> None:
    scene = drawn(16)
    places = places_of(scene, IDS)
    together = decoder().read(scene.image, places)
    for number in (0, 31, 77):
        (alone,) = decoder().read(scene.image, [places[number]])
        assert alone.id == together[number].id
        assert np.allclose(alone.corners, together[number].corners, atol=0.05)


def test_borders_are_scored_as_if_every_square_were_added_up_for_itself() -> None:
    chance = np.random.default_rng(6)
    side, shifts, wide = 14, 7, 20
    tiles = chance.integers(0, 256, (5, wide, wide)).astype(np.uint8)
    scores = _border_score(tiles.reshape(-1, wide), side, shifts)
    assert scores.shape == (5, shifts, shifts)
    rim = np.zeros((side, side), dtype=np.bool_)
    rim[:] = True
    half = PER_MODULE // 2
    rim[half:-half, half:-half] = False
    border = ~rim
    border[half + PER_MODULE : -half - PER_MODULE, half + PER_MODULE : -half - PER_MODULE] = False
    for tile, row, column in ((0, 0, 0), (2, 3, 6), (4, 6, 6), (3, 6, 0)):
        square = tiles[tile, row : row + side, column : column + side].astype(np.float64)
        ring = square[rim | border]
        expected = square[rim].mean() - square[border].mean()
        expected /= np.sqrt((ring**2).mean() - ring.mean() ** 2 + FAINT**2)
        assert scores[tile, row, column] == pytest.approx(expected, rel=1e-4)
