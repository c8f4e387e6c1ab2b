"""Stickers lie beside a board of one's own; what is between them and the board is table."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from rules.box import Box, Point
from tests.support.own_board import between_stickers, seen_from_above
from tests.support.scenes.photographs import look
from vision.arrays import Picture
from vision.board.appearance import BoardAppearance
from vision.board.board_edge import SIDES, board_edge
from vision.board.drawing import within_rim
from vision.board.flat_board import corner_stickers, flat_picture
from vision.board.masks import Masks
from vision.board.pose import BoardFinder
from vision.tracker import Tracker

CLOTH = ((-230, 100), (-196, 100), (-197, -60), (-230, -60))
"""On the table, between stickers and board."""
ARM = ((-260, 60), (-40, 30), (-40, -20), (-260, 10))
"""Over the table and over the board."""
ALIKE = "#7a9670"
"""A table in about the board's own colour, where no hue tells them apart."""


def test_how_far_within_the_rim_a_point_lies() -> None:
    box = between_stickers()
    (ax, ay), (bx, by) = box.rim[:2]
    middle = np.array([(ax + bx) / 2]), np.array([(ay + by) / 2])
    assert within_rim(box, *middle) == pytest.approx(0, abs=1e-9)
    assert within_rim(box, middle[0], middle[1] - 10) == pytest.approx(10, abs=0.02)
    assert within_rim(box, middle[0], middle[1] + 10) == pytest.approx(-10, abs=0.02)
    whole = replace(box, outline=())
    assert within_rim(whole, np.zeros(1), np.zeros(1)) == min(box.size) / 2


@pytest.mark.parametrize("table", ["", ALIKE])
def test_a_thing_beside_the_board_is_no_hand_and_an_arm_over_it_is_one(table: str) -> None:
    box = between_stickers(table)
    tracker, bare = Tracker(box), seen_from_above(box)
    assert not look(tracker, bare).hand
    beside = look(tracker, with_thing(box, bare, CLOTH))
    assert not beside.hand and not beside.occluded
    over = look(tracker, with_thing(box, bare, ARM))
    assert over.hand and over.occluded
    assert not look(tracker, bare).hand


def test_without_its_outline_a_thing_beside_the_board_stops_the_match() -> None:
    box = between_stickers(ALIKE)
    tracker, bare = Tracker(replace(box, outline=())), seen_from_above(box)
    look(tracker, bare)
    assert look(tracker, with_thing(box, bare, CLOTH)).hand, "this is what the outline is for"


def test_nothing_is_fitted_or_learnt_beside_the_board() -> None:
    box = between_stickers()
    appearance = BoardAppearance(box)
    masks = Masks(box, appearance.size)
    hidden = masks.hidden(())
    image = seen_from_above(box)
    pose = BoardFinder(box).find(corner_stickers(image, box), (image.shape[1], image.shape[0]))
    flat = appearance.flatten(image, pose)
    outside = within_rim(box, masks.mm[..., 0], masks.mm[..., 1]) < 0
    assert outside.mean() > 0.2 and (hidden[outside] == 255).all()
    first = appearance.compare(flat, hidden).expected[:, ~outside].copy()
    glaring = np.where(outside, np.float32(1), flat)
    again = BoardAppearance(box).compare(glaring, hidden).expected[:, ~outside]
    assert np.array_equal(first, again), "the table says nothing about the board"


def test_the_edge_is_found_where_the_board_ends() -> None:
    box = between_stickers()
    image = seen_from_above(box)
    pose = BoardFinder(box).find(corner_stickers(image, box), (image.shape[1], image.shape[0]))
    edge = board_edge(flat_picture(image, pose, box.size), replace(box, outline=()))
    assert edge.unsure == ()
    assert np.abs(np.array(edge.corners) - box.outline).max() < 2.0


@pytest.mark.thorough
def test_where_no_edge_shows_the_board_reaches_half_way_to_the_stickers() -> None:
    box = replace(between_stickers(), outline=())
    plain = np.full((round(box.size[1]), round(box.size[0]), 3), 128, dtype=np.uint8)
    edge = board_edge(plain, box)
    assert edge.unsure == SIDES
    assert all(replace(box, outline=edge.corners).is_on_board(s.at) for s in box.printed_sites)
    assert edge.corners[0][0] == edge.corners[3][0] and edge.corners[0][1] == edge.corners[1][1]
    inner = max(c.at[0] + c.size / 2 for c in box.corners if c.at[0] < 0)
    assert inner <= edge.corners[0][0] <= min(s.at[0] - s.radius for s in box.printed_sites)


def with_thing(box: Box, image: Picture, corners_mm: tuple[Point, ...]) -> Picture:
    """A plain blue cloth or sleeve over the table."""
    pose = BoardFinder(box).find(corner_stickers(image, box), (image.shape[1], image.shape[0]))
    px = np.round(pose.project(np.array(corners_mm, dtype=np.float64))).astype(np.int32)
    thing = image.copy()
    cv2.fillPoly(thing, [px], (120, 60, 40), cv2.LINE_AA)
    return thing
