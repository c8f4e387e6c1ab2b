"""The tracker against photographs with known truth."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from rules.box import load_box
from tests.support.scenes.photographs import (
    MATCH,
    Change,
    blurred,
    curve,
    first_look,
    look,
    noisy,
    packed,
    painted_corner,
    scaled,
    scene,
    shifted,
    stonehenge,
    tilted,
    turned,
)
from vision.camera.sources import open_source, read_picture
from vision.tracker import Tracker

TRACED = Path(__file__).parents[2] / "benchmarks" / "pictures"
BEFALLS: dict[str, Change] = {
    "darker": curve(lambda v: v * 0.6),
    "brighter": curve(lambda v: v * 1.4),
    "pale": curve(lambda v: 255 * (v / 255) ** 0.7),
    "harsh": curve(lambda v: 255 * (v / 255) ** 1.4),
    "blurred": blurred(1),
    "badly blurred": blurred(2),
    "noisy": noisy(8),
    "packed": packed(60),
    "a quarter turned": turned(cv2.ROTATE_90_CLOCKWISE),
    "upside down": turned(cv2.ROTATE_180),
    "1600 px": scaled(1600),
    "1152 px": scaled(1152),
    "tilted": tilted(4, -3, 2),
    "tilted the other way": tilted(-5, 4, 10),
    "shifted": shifted(-14, 9),
    **{f"corner {n} painted over": painted_corner(n, (107, 146, 118)) for n in range(4)},
    **{f"corner {n} washed out": painted_corner(n, (250, 250, 250), 12) for n in range(4)},
}


def test_every_picture_of_a_whole_match_is_read_right() -> None:
    if not MATCH.is_dir():
        pytest.skip("needs photographs beside the checkout")
    truth = json.loads((MATCH / "match.json").read_text(encoding="utf-8"))
    entries = {entry["frame"]: entry for entry in truth["frames"]}
    tracker = Tracker(stonehenge())
    source = open_source(str(MATCH))
    assert source.settled
    count = 0
    for frame in source:
        count += 1
        sighting = tracker.look(frame, source.settled)
        entry = entries[frame.name]
        assert sighting.hand == (entry["kind"] == "hand"), frame.name
        if not sighting.hand:
            assert sighting.table == entry["table"], frame.name
            assert not sighting.occluded, frame.name
        assert not sighting.strays, frame.name
    assert count == len(entries)


@pytest.mark.thorough
def test_every_picture_of_the_match_is_read_right_as_the_first_one() -> None:
    if not MATCH.is_dir():
        pytest.skip("needs photographs beside the checkout")
    truth = json.loads((MATCH / "match.json").read_text(encoding="utf-8"))
    entries = {entry["frame"]: entry for entry in truth["frames"]}
    for frame in open_source(str(MATCH)):
        sighting = Tracker(stonehenge()).look(frame, settled=True)
        entry = entries[frame.name]
        assert sighting.hand == (entry["kind"] == "hand"), frame.name
        if not sighting.hand:
            assert sighting.table == entry["table"], frame.name


@pytest.mark.parametrize("name", ["empty", "middle", "late"])
def test_pieces_are_read_without_having_seen_the_board_before(name: str) -> None:
    sighting = first_look(name)
    assert not sighting.hand
    assert sighting.table == scene(name).table
    assert not sighting.occluded
    assert not sighting.strays


def test_megaliths_stand_at_the_right_line_end_although_they_lean_away_from_the_camera() -> None:
    sighting = first_look("late")
    tall = [piece for piece in sighting.pieces if piece.kind.startswith("megalith")]
    assert len(tall) == 10
    for piece in tall:
        assert piece.site is not None
        x, y = stonehenge().sites[piece.site].at
        # 3 mm of placing along each axis, and one for the camera.
        assert np.hypot(piece.at_mm[0] - x, piece.at_mm[1] - y) < 5.2


LIKE_ANOTHER = {
    *(f"corner {n} painted over" for n in (1, 2, 3)),
    *(f"corner {n} washed out" for n in (0, 1, 3)),
}
"""The quick run spoils one corner each way, and not the same one."""


@pytest.mark.parametrize(
    "befall",
    [
        pytest.param(name, marks=pytest.mark.thorough if name in LIKE_ANOTHER else ())
        for name in BEFALLS
    ],
)
def test_pieces_are_read_whatever_befalls_the_picture(befall: str) -> None:
    shot = scene("late")
    sighting = first_look("late", BEFALLS[befall])
    assert sighting.board == "found", sighting.reason
    assert sighting.table == shot.table
    assert not sighting.hand


@pytest.mark.thorough
@pytest.mark.parametrize("befall", [name for name in BEFALLS if "px" not in name])
def test_a_match_goes_on_whatever_befalls_the_second_picture(befall: str) -> None:
    tracker = Tracker(stonehenge())
    look(tracker, scene("middle").image)
    shot = scene("late")
    sighting = look(tracker, np.ascontiguousarray(BEFALLS[befall](shot.image, shot.pose)))
    assert sighting.board == "found", sighting.reason
    assert sighting.table == shot.table
    assert not sighting.hand


def test_a_bumped_camera_is_noticed_and_the_match_goes_on() -> None:
    tracker = Tracker(stonehenge())
    shot = scene("late")
    assert not look(tracker, shot.image).moved
    assert not look(tracker, shot.image).moved
    after = look(tracker, shifted(-40, 25)(shot.image, shot.pose))
    assert after.moved
    assert after.table == shot.table


def test_a_picture_without_corner_stickers_is_no_board_and_says_why() -> None:
    tracker = Tracker(stonehenge())
    plain = np.full((864, 1152, 3), 120, dtype=np.uint8)
    sighting = look(tracker, plain)
    assert sighting.board == "lost"
    assert "corner stickers 0, 1, 2, 3 are not visible" in str(sighting.reason)
    assert not sighting.sites
    assert not sighting.hand


def test_two_covered_corners_are_no_board_at_first_but_forgiven_later() -> None:
    shot = scene("late")
    grey = (120, 120, 120)
    both = painted_corner(2, grey)(painted_corner(0, grey)(shot.image, shot.pose), shot.pose)
    tracker = Tracker(stonehenge())
    assert "0, 2 are not visible" in str(look(tracker, both).reason)
    tracker = Tracker(stonehenge())
    look(tracker, shot.image)
    assert look(tracker, both).table == shot.table


def test_corner_stickers_that_a_search_misses_are_found_where_two_others_say() -> None:
    tracker = Tracker(load_box("stonehenge_anthology").for_game("opferroulette"))
    seen = look(tracker, read_picture(TRACED / "roulette_hard" / "002.jpg"))
    assert seen.pose is not None and len(seen.pose.stickers) == 4, seen.reason


def test_what_was_read_is_forgotten_when_it_is_taken_away() -> None:
    tracker = Tracker(stonehenge())
    assert look(tracker, scene("late").image).table == scene("late").table
    assert look(tracker, scene("middle").image).table == scene("middle").table
    assert look(tracker, scene("empty").image).table == {}


def test_an_unreadable_sticker_hides_its_site_and_is_no_hand() -> None:
    shot = scene("late")
    image = shot.image.copy()
    tracker = Tracker(stonehenge())
    piece = next(p for p in look(tracker, image).pieces if p.site == "G")
    centre = piece.corners_px.mean(axis=0)
    outline = centre + 1.34 * (piece.corners_px - centre)
    cv2.fillConvexPoly(image, np.round(outline).astype(np.int32), (40, 40, 45))
    for sighting in (look(tracker, image), look(Tracker(stonehenge()), image)):
        assert sighting.sites["G"].occluded
        assert not sighting.hand
        assert {**sighting.table, "G": "stone black 1"} == shot.table


def test_a_later_picture_is_never_searched_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    tracker = Tracker(stonehenge())
    look(tracker, scene("middle").image)

    later = [scene(name).image for name in ("late", "middle", "late")]

    def search(*_: object, **__: object) -> list[object]:
        raise AssertionError("searched the whole picture although the board is known")

    monkeypatch.setattr("vision.stickers.reader.StickerReader.search", search)
    for image in later:
        assert look(tracker, image).board == "found"
