"""The fields of a board of one's own, told by their looks."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np

from rules.box import Box
from tests.support.scenes.go_board import Lattice, go_board, wood
from vision.arrays import Picture
from vision.camera.sources import Frame
from vision.tracker import Tracker

LATTICE = Lattice(8, 8, (40.0, 40.0), 34.0, stone_mm=32.0, black="#b02040", white="#3f8a35")
PER_MM = 2.4
LIGHT, DARK, RIM, TABLE = (110, 180, 215), (55, 50, 60), (120, 120, 130), (60, 90, 120)


@cache
def box() -> Box:
    plain = go_board(lattice=LATTICE)
    return replace(plain, outline=wood({s.id: s.at for s in plain.sites.values()}, LATTICE))


def px(x: float, y: float) -> tuple[int, int]:
    wide, high = box().size
    return round((x + wide / 2) * PER_MM), round((high / 2 - y) * PER_MM)


def scene(chequered: bool = True, taken: int = 3) -> tuple[Picture, dict[str, str]]:
    """A board with pieces on the fields of the ``taken`` rows at either end."""
    wide, high = box().size
    image = np.full((round(high * PER_MM), round(wide * PER_MM), 3), TABLE, np.uint8)
    left, right = box().outline[0], box().outline[2]
    cv2.rectangle(image, px(*left), px(*right), RIM if chequered else LIGHT, -1)
    pieces = {}
    for column, row in LATTICE.spots:
        x, y = LATTICE.at(column, row)
        dark = chequered and (column + row) % 2 > 0
        cv2.rectangle(image, px(x - 20, y + 20), px(x + 20, y - 20), DARK if dark else LIGHT, -1)
    for column, row in LATTICE.spots:
        x, y = LATTICE.at(column, row)
        if row < taken or row >= 8 - taken:
            kind = "black" if row < 4 else "white"
            colour = (64, 32, 176) if row < 4 else (53, 138, 63)
            shift = (column * 3 + row) % 5 - 2
            cv2.circle(image, px(x + shift, y - shift), round(16 * PER_MM), colour, -1)
            pieces[LATTICE.name(column, row)] = f"stone {kind}"
    words = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for corner in box().corners:
        side = round(corner.size * PER_MM)
        marker = cv2.aruco.generateImageMarker(words, corner.id, side)
        x, y = px(*corner.at)
        reach = round(0.65 * side)
        cv2.rectangle(image, (x - reach, y - reach), (x + reach, y + reach), (235,) * 3, -1)
        top, first = y - side // 2, x - side // 2
        image[top : top + side, first : first + side] = marker[..., None]
    noise = np.random.default_rng(5).normal(0, 2, image.shape)
    lamp = np.linspace(0.7, 1.1, image.shape[1])[None, :, None]
    seen = np.asarray(cv2.GaussianBlur(image * lamp + noise, (0, 0), 1.2))
    return np.clip(seen, 0, 255).astype(np.uint8), pieces


def test_pieces_on_a_chequer_that_was_never_seen_empty_are_read() -> None:
    for taken in (2, 3):
        image, pieces = scene(taken=taken)
        seen = Tracker(box(), bare=("stone",)).look(Frame(image, 0, "", 0.0), settled=True)
        assert not seen.hand and not seen.occluded
        assert dict(seen.table) == pieces


def test_a_hand_over_a_chequer_is_told_and_no_piece_is_wrong() -> None:
    image, pieces = scene(taken=2)
    arm = np.array([px(-30, -300), px(40, -300), px(25, 10), px(0, 30), px(-25, 5)], np.int32)
    for shown in (True, False):
        for skin in ((90, 130, 190), (40, 55, 85), (115, 178, 212)):
            tracker = Tracker(box(), bare=("stone",))
            if shown:
                tracker.look(Frame(image, 0, "", 0.0), settled=True)
            reached = np.asarray(cv2.fillPoly(image.copy(), [arm], skin), np.uint8)
            seen = tracker.look(Frame(reached, 1, "", 5.0), settled=True)
            assert seen.hand
            assert all(pieces.get(site) == kind for site, kind in seen.table.items())


def test_a_plain_board_has_fields_of_one_kind() -> None:
    image, pieces = scene(chequered=False)
    seen = Tracker(box(), bare=("stone",)).look(Frame(image, 0, "", 0.0), settled=True)
    assert not seen.hand and dict(seen.table) == pieces


def test_a_man_in_the_colour_of_its_field_leaves_the_field_unknown() -> None:
    image, pieces = scene(taken=2)
    places = {LATTICE.name(*spot): spot for spot in ((2, 4), (5, 3), (4, 3))}
    for spot in places.values():
        dark = sum(spot) % 2 > 0
        body = tuple(round(0.93 * part) for part in (DARK if dark else LIGHT))
        lamp = 0.7 + 0.4 * px(*LATTICE.at(*spot))[0] / image.shape[1]
        for reach, light in ((12, 1.0), (5, 1.08)):
            colour = [light * lamp * part for part in body]
            cv2.circle(image, px(*LATTICE.at(*spot)), round(reach * PER_MM), colour, -1)
    tracker = Tracker(box(), bare=("stone",))
    # What was not known at first is not learnt as board.
    for number in range(2):
        seen = tracker.look(Frame(image, number, "", 3.0 * number), settled=True)
        assert dict(seen.table) == pieces
        assert seen.occluded == places.keys()


def test_a_field_in_another_light_than_all_of_its_kind_is_unknown() -> None:
    image, pieces = scene(taken=2)
    (x, y), reach = LATTICE.at(3, 3), 18
    (left, top), (right, bottom) = px(x - reach, y + reach), px(x + reach, y - reach)
    image[top:bottom, left:right] = 0.6 * image[top:bottom, left:right]
    seen = Tracker(box(), bare=("stone",)).look(Frame(image, 0, "", 0.0), settled=True)
    assert dict(seen.table) == pieces and seen.occluded == {LATTICE.name(3, 3)}


def test_a_frame_that_lies_within_the_outline_covers_nothing_once_it_is_known_to_lie() -> None:
    image, _ = scene(chequered=False, taken=0)
    (x0, y0), _, (x1, y1), _ = box().outline
    for deep in np.arange(0, 14, 0.5):
        sides = px(x0 + deep, y0 - deep), px(x1 - deep, y1 + deep)
        cv2.rectangle(image, *sides, (25, 25, 25), 2)
    tracker = Tracker(box(), bare=("stone",))
    for at_s in (0.0, 3.0):
        seen = tracker.look(Frame(image, 0, "", at_s), settled=True)
    assert not (seen.hand or seen.table) and len(seen.occluded) < 4
