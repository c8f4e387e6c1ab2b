"""The benchmark ``photographs``: what it counts as right, and the pictures that are kept for it."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmarks.path_traced.optics import View
from benchmarks.photographs import OWN, folders, judged
from benchmarks.picture_sets import PictureSet, Shot, mapped, picture_set
from companion.camera.observer import sight_notes
from rules.box import Box, load_box
from rules.reading.sighting import EMPTY, Glimpse, SiteBelief
from tests.support.scenes.go_board import RIM, Lattice, go_board, rows_to_table, wood
from vision.camera.lens import Lens
from vision.camera.sources import Frame, read_picture
from vision.pieces.sighting import Sighting
from vision.tracker import Tracker

STONE, OTHER = (Glimpse("stone black 2"),), (Glimpse("stone black 3"),)


@pytest.mark.parametrize(
    ("belief", "bare", "how"),
    [
        (SiteBelief({STONE: 0.0, EMPTY: -9.0}), (), "right"),
        (SiteBelief({OTHER: 0.0}), (), "wrong"),
        (SiteBelief({OTHER: 0.0}), ("stone",), "right"),
        (SiteBelief({STONE: 0.0, EMPTY: -1.0}), (), "undecided"),
        (SiteBelief({EMPTY: 0.0}), (), "wrong"),
        (SiteBelief({EMPTY: 0.0}, occluded=True), (), "undecided"),
    ],
)
def test_a_site_is_judged_by_what_is_nearly_as_likely(
    belief: SiteBelief, bare: tuple[str, ...], how: str
) -> None:
    box = load_box("knizia_stonehenge")
    shot = Shot(Path("nowhere.jpg"), False, table={"A": "stone black 2"})
    told = {site: how for site, _, how in judged(box, bare, shot, Sighting({"A": belief}, False))}
    assert told["A"] == how


def test_what_is_covered_counts_only_if_it_is_told_wrong() -> None:
    box = load_box("knizia_stonehenge")
    shot = Shot(Path("nowhere.jpg"), True, table={"A": "stone black 2"}, covered=frozenset("AB"))
    sites = {"A": SiteBelief({EMPTY: 0.0}), "B": SiteBelief({EMPTY: 0.0}, occluded=True)}
    told = {site: how for site, _, how in judged(box, (), shot, Sighting(sites, True))}
    assert told["A"] == "wrong"
    assert "B" not in told


def test_a_match_as_the_layout_program_names_it_is_a_set(tmp_path: Path) -> None:
    table = {"black-2-12": "C", "mega-brown-40": "end-d1", "mega-black-30": "end-u2"}
    frames = [{"frame": "000.jpg", "kind": "turn", "table": table}]
    (tmp_path / "match.json").write_text(json.dumps({"frames": frames}))
    (tmp_path / "000.jpg").touch()
    wanted = {"C": "stone black 2", "R5": "megalith brown", "L2": "megalith black"}
    assert picture_set(tmp_path).shots[0].table == wanted


def test_every_kept_set_names_its_pictures_and_sites_of_its_box() -> None:
    sets = [picture_set(folder) for folder in folders(OWN)]
    assert sum(len(one.shots) for one in sets) > 12
    for one in sets:
        assert not one.missing, one.name
        for shot in one.shots:
            assert set(shot.table) | shot.covered | set(shot.sites_px) <= set(one.box.sites)


def test_the_scenes_lens_bends_as_that_of_the_eye_does() -> None:
    view = View((100.0, -300.0, 600.0), (5.0, -4.0, 0.0), (1152, 864), 979.0, (-0.2, 0.05), 2.0)
    lens = Lens(view.size, view.focal, -0.2, higher=(0.05, 0.0))
    rays = np.array([[0.0, 0.0], [0.4, -0.3], [-0.55, 0.35]])
    assert np.allclose(lens.pixels(rays), view.bent(rays) * view.focal + view.middle)
    assert np.allclose(view.straight(view.bent(rays)), rays, atol=1e-6)
    assert np.allclose(view.project(np.array([view.target]))[0], view.middle)


def test_a_lattice_of_other_pieces_leaves_places_out_and_ends_at_its_rim() -> None:
    rows = ["B-W", ".B."]
    lattice = Lattice.of(rows, pitch=[40, 30], rim=25.0, stone_mm=28.0)
    box = go_board(lattice=lattice)
    assert {name: site.at for name, site in box.sites.items()} == {
        "A2": (-40, 15), "C2": (40, 15), "A1": (-40, -15), "B1": (0, -15), "C1": (40, -15)
    }  # fmt: skip
    assert set(box.sites["B1"].neighbours) == {"A1", "C1"}
    assert rows_to_table([" ".join(row) for row in rows], lattice).keys() == {"A2", "C2", "B1"}
    edge = wood({name: site.at for name, site in box.sites.items()}, lattice)
    assert edge == ((-65, 40), (65, 40), (65, -40), (-65, -40))
    usual = go_board(lattice=Lattice.of(rows, pitch=[40, 30]))
    assert box.corners[0].at[0] == usual.corners[0].at[0] - (25.0 - RIM)


@cache
def never_shown_empty() -> tuple[PictureSet, Box, dict[str, Shot]]:
    """A crowded go board as its owner showed it: with no picture of the bare wood."""
    shown = picture_set(next(one for one in folders(OWN) if one.name == "go_touching"))
    shots = {shot.path.name: shot for shot in shown.shots}
    box = mapped(shown.box, shots["000.jpg"])
    return shown, replace(box, outline=wood({s.id: s.at for s in box.sites.values()})), shots


def test_below_a_sleeve_as_brown_as_a_board_never_seen_free_nothing_is_told_empty() -> None:
    shown, box, shots = never_shown_empty()
    image, stones = read_picture(shots["003.jpg"].path), shots["003.jpg"].table
    pose = Tracker(box, bare=shown.bare).look(Frame(image, 0, "", 0.0), settled=True).pose
    assert pose is not None
    sleeve = np.zeros(image.shape[:2], np.uint8)
    at = pose.project(np.array([[-60.0, 60.0], [40.0, 60.0], [60.0, -250.0], [-60.0, -250.0]]))
    cv2.fillConvexPoly(sleeve, np.round(at).astype(np.int32), (1,))
    image[sleeve > 0] = np.median(image[sleeve > 0], axis=0)
    x, y = np.round(pose.project(np.array([[-10.0, 50.0]]))[0]).astype(int).tolist()
    cv2.circle(image, (x, y), 110, (28, 40, 66), -1)
    seen = Tracker(box, bare=shown.bare).look(Frame(image, 0, "", 0.0), settled=True)
    assert seen.hand
    px = np.round(pose.project(np.array([site.at for site in box.sites.values()]))).astype(int)
    below = [s for s, (x, y) in zip(box.sites, px, strict=True) if sleeve[y, x] and s in stones]
    assert len(below) > 10
    assert not [s for s in below if not seen.sites[s].occluded and seen.sites[s].best == EMPTY]


def test_a_stone_of_which_a_part_still_shows_was_not_taken_away() -> None:
    shown, box, shots = never_shown_empty()
    image, tracker = read_picture(shots["002.jpg"].path), Tracker(box, bare=shown.bare)
    first = tracker.look(Frame(image, 0, "", 0.0), settled=True)
    stone, pose = next(piece for piece in first.bare if piece.site == "R14"), first.pose
    assert pose is not None
    (x, y), wide = stone.at_mm, round(14 * pose.px_per_mm())
    (left, top), (right, bottom) = pose.project(np.array([(x - 30, y + 3), (x + 30, y + 3)]))
    # A stick in the colour of the wood, which nobody saw free there.
    covered = image.copy()
    cv2.line(covered, (int(left), int(top)), (int(right), int(bottom)), (66, 107, 137), wide)
    assert {"Q14", "R14"} <= tracker.look(Frame(covered, 1, "", 4.0), settled=True).occluded
    after = tracker.look(Frame(image, 2, "", 8.0), settled=True)
    assert after.table["R14"] == first.table["R14"]


def test_a_thing_in_the_colour_of_the_wood_is_a_hand_where_it_hides_the_lines_seen_before() -> None:
    shown, box, shots = never_shown_empty()
    image, tracker = read_picture(shots["000.jpg"].path), Tracker(box, bare=shown.bare)
    pose = tracker.look(Frame(image, 0, "", 0.0), settled=True).pose
    assert pose is not None
    arm = np.round(pose.project(np.array([(20, -300), (20, 0), (80, 30), (110, -300)])))
    inside = np.zeros(image.shape[:2], np.uint8)
    cv2.fillConvexPoly(inside, arm.astype(np.int32), (1,))
    covered = image.copy()
    covered[inside > 0] = np.median(image[inside > 0], axis=0) * 1.1
    seen = tracker.look(Frame(covered, 1, "", 4.0), settled=True)
    assert seen.hand
    assert {"L5", "M5", "M8", "N8"} <= seen.occluded
    # A shadow of the same shape leaves the lines.
    shade = np.where(inside[..., None] > 0, image * 0.6, image).astype(np.uint8)
    assert not tracker.look(Frame(shade, 2, "", 8.0), settled=True).hand


def test_unread_stones_in_a_row_along_the_rim_are_no_hand_and_their_neighbours_stay() -> None:
    shown, box, shots = never_shown_empty()
    tracker = Tracker(box, bare=shown.bare)
    for name in ("000.jpg", "005.jpg"):
        seen = tracker.look(Frame(read_picture(shots[name].path), 0, "", 0.0), settled=True)
    told = [how for _, what, how in judged(box, shown.bare, shots[name], seen) if what == "piece"]
    assert not seen.hand
    assert told.count("right") > 0.85 * len(told) and "wrong" not in told


def test_in_the_deep_shade_of_an_arm_no_white_stone_is_told_black() -> None:
    shown, box, shots = never_shown_empty()
    shot = shots["005.jpg"]
    image, arm = read_picture(shot.path), np.zeros((960, 1280), np.float32)
    x, y = np.mean(list(shot.sites_px.values()), axis=0).astype(int).tolist()
    cv2.line(arm, (x, 0), (x, y), 1, 110)
    light = 1 - 0.85 * cv2.GaussianBlur(arm, (0, 0), 3)[..., None]
    dark = np.rint(image * light ** (1 / 2.2)).astype(np.uint8)
    seen = Tracker(box, bare=shown.bare).look(Frame(dark, 0, "", 0.0), settled=True)
    told = [how for _, _, how in judged(box, shown.bare, shot, seen)]
    assert told.count("right") > 0.8 * len(told) and "wrong" not in told


def test_an_empty_look_is_asked_for_while_stones_hide_what_was_never_seen_free() -> None:
    shown, box, shots = never_shown_empty()
    tracker, notes = Tracker(box, bare=shown.bare), []
    for number, name in enumerate(("003.jpg", "000.jpg", "003.jpg")):
        frame = Frame(read_picture(shots[name].path), number, "", 4.0 * number)
        notes.append([note.code for note in sight_notes(tracker.look(frame, settled=True))])
    assert notes == [["unshown"], [], []]


@pytest.mark.thorough
def test_a_hand_that_consists_of_what_passed_for_pieces_is_looked_at_to_the_end() -> None:
    lamps = picture_set(next(one for one in folders(OWN) if one.name == "go_lamps"))
    by_name = {shot.path.name: shot for shot in lamps.shots}
    board = mapped(lamps.box, by_name["000.jpg"])
    image = read_picture(by_name["005.jpg"].path)
    seen = Tracker(board, bare=lamps.bare).look(Frame(image, 0, "", 0.0), settled=True)
    assert seen.hand
