"""Finding the board: its outline, its pose, and the lens that is learnt from its drawing."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from companion.simulator import Camera, VirtualTable
from rules.box import Box, Point, load_box
from rules.reading.sighting import Glimpse
from tests.support.own_board import between_stickers, seen_from_above
from tests.support.scenes.lenses import LENSES, SIZE, camera, errors_mm
from tests.support.scenes.photographs import look
from vision.arrays import Picture
from vision.board.appearance import BoardAppearance
from vision.board.board_edge import SIDES, board_edge
from vision.board.drawing import within_rim
from vision.board.flat_board import corner_stickers, flat_picture
from vision.board.lens_learning import LearntLens
from vision.board.masks import Masks
from vision.board.pose import BoardFinder
from vision.camera.lens import Lens
from vision.camera.sources import Frame
from vision.pieces.sighting import pose_of
from vision.tracker import Tracker

CLOTH = ((-230, 100), (-196, 100), (-197, -60), (-230, -60))
"""On the table, between stickers and board."""
ARM = ((-260, 60), (-40, 30), (-40, -20), (-260, 10))
"""Over the table and over the board."""
FINGER = ((-260, 190), (-168, 190), (-168, 170), (-260, 170))
"""Over the rim, where no field is."""
TOO_WIDE = 14.0
"""mm of table within an outline."""
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


@pytest.mark.parametrize("table", [pytest.param("", marks=pytest.mark.thorough), ALIKE])
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


def test_table_within_an_outline_dragged_too_wide_is_no_hand_and_an_arm_over_it_is_one() -> None:
    box = between_stickers()
    bare = seen_from_above(box)
    (left, top), *others = box.outline
    wide = replace(box, outline=((left - TOO_WIDE, top), *others[:2], (others[2][0] - TOO_WIDE,
                                 others[2][1])))  # fmt: skip
    tracker = Tracker(wide)
    assert look(Tracker(wide), with_thing(box, bare, ARM)).hand, "it hides fields"
    assert not look(tracker, bare).hand
    assert look(tracker, with_thing(box, bare, ARM)).hand
    assert look(tracker, with_thing(box, bare, FINGER)).hand, "where the board was seen"
    assert not look(tracker, bare).hand


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


BOX = load_box("stonehenge_anthology").for_game("opferroulette")


def test_the_ball_s_facing_is_seen_all_round_the_ring(thorough: bool) -> None:
    table = VirtualTable(BOX, seed=3)
    camera = Camera.over(BOX, 1800, 1350, seed=3)
    tracker = Tracker(BOX)
    for number, site in enumerate(("1", "8", "15", "23") if thorough else ("1", "15")):
        for pose in ("cw", "ccw"):
            table.put("figure grey", site, pose=pose)
            sighting = tracker.look(Frame(camera.render(table), number, site, number), True)
            assert sighting.sites[site].best == (Glimpse("figure grey", pose),)
            table.take(site)


def test_a_back_sticker_means_that_the_piece_lies() -> None:
    kind = load_box("dolmengoetter").kinds["druid red"]
    square = np.array([[-5.0, 5.0], [5.0, 5.0], [5.0, -5.0], [-5.0, -5.0]])
    (lying,) = kind.lying_stickers
    assert pose_of(kind, lying, (0.0, 0.0), square) == "lying"
    assert pose_of(kind, kind.stickers[0], (0.0, 0.0), square) == "standing"


def test_kinds_without_poses_have_none() -> None:
    kind = load_box("knizia_stonehenge").kinds["megalith black"]
    square = np.zeros((4, 2))
    assert pose_of(kind, kind.stickers[0], (0.0, 0.0), square) == ""


WIDEST = next(n for n, lens in enumerate(LENSES) if lens[0] == "wide, 115 degrees")


@cache
def box() -> Box:
    return load_box("knizia_stonehenge")


@cache
def picture(number: int, look: int = 0) -> Picture:
    taken = camera(box(), number, shake=0.15 * look)
    return np.ascontiguousarray(taken.render(VirtualTable(box(), seed=number)))


class Shelf:
    """Keeps what is learnt in memory."""

    def __init__(self) -> None:
        self.kept: LearntLens | None = None

    def learnt(self, size: tuple[int, int]) -> LearntLens | None:
        return self.kept if self.kept is not None and self.kept.belief.size == size else None

    def keep_learnt(self, learnt: LearntLens) -> None:
        self.kept = learnt


def off_mm(tracker: Tracker, number: int, look: int = 0) -> float:
    seen = tracker.look(Frame(picture(number, look), look, "x", float(look)), settled=True)
    assert seen.pose is not None, seen.reason
    return float(errors_mm(seen.pose, camera(box(), number, shake=0.15 * look), box()).max())


@pytest.mark.parametrize(
    "number", [2, 4, pytest.param(7, marks=pytest.mark.thorough)], ids=lambda n: LENSES[n][0]
)
def test_fields_are_within_a_millimetre_from_the_first_picture_on(number: int) -> None:
    assert off_mm(Tracker(box()), number) < 1.0


def test_the_widest_lens_is_learnt_from_the_drawing_and_kept_for_the_next_time() -> None:
    shelf = Shelf()
    tracker = Tracker(box(), shelf=shelf)
    # Its corner stickers alone leave 0.9 mm in the first picture.
    assert max(off_mm(tracker, WIDEST, look) for look in range(4)) < 0.5
    assert shelf.kept is not None and shelf.kept.pictures == 4 and shelf.kept.error_mm < 0.5
    kept = shelf.kept.belief.lens
    again = Tracker(box(), shelf=shelf)
    assert off_mm(again, WIDEST, 4) < 0.5
    assert again.pose is not None and again.pose.lens.focal == pytest.approx(kept.focal, rel=0.01)


@pytest.mark.thorough
def test_a_lens_that_was_zoomed_is_learnt_anew() -> None:
    shelf = Shelf()
    off_mm(Tracker(box(), shelf=shelf), WIDEST)
    tracker = Tracker(box(), shelf=shelf)
    off = [off_mm(tracker, 2, look) for look in range(4)]
    assert off[-1] < 1.0
    assert shelf.kept is not None
    assert shelf.kept.belief.lens.focal == pytest.approx(LENSES[2][1] * SIZE[0], rel=0.05)


def test_a_calibrated_lens_wins() -> None:
    shelf, measured = Shelf(), camera(box(), 2).lens
    tracker = Tracker(box(), lens_of=lambda size: measured, shelf=shelf)
    assert off_mm(tracker, 2) < 0.5
    assert tracker.pose is not None and tracker.pose.lens is measured
    assert shelf.kept is None


@pytest.mark.parametrize(
    "lens", [Lens(SIZE, 700.0, -0.3, (5.0, 3.0), (0.1, 0.0)), Lens(SIZE, 620.0, -0.28)]
)
def test_strong_barrels_are_inverted_and_do_not_fold_back(lens: Lens) -> None:
    rays = np.column_stack([np.linspace(-0.9, 0.9, 41), np.linspace(0.6, -0.6, 41)])
    assert np.abs(lens.rays(lens.pixels(rays)) - rays).max() < 1e-6
    farther = lens.pixels(np.column_stack([np.linspace(0.1, 6.0, 60), np.zeros(60)]))
    assert (np.diff(farther[:, 0]) > 0).all()
