"""Pose, stickers, beliefs and overlay by themselves."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from rules.box import BoxError
from rules.box.checks import DICTIONARIES
from rules.reading.sighting import Glimpse, SiteBelief
from tests.support.scenes.photographs import first_look, scene, stonehenge
from vision.arrays import Picture, Points
from vision.board.blobs import Blob
from vision.board.corners import CornerReader
from vision.board.pose import BoardFinder, BoardPose, NoBoard
from vision.camera.lens import Lens
from vision.camera.sources import Frame
from vision.overlay import annotate
from vision.pieces.sighting import fuse, site_beliefs
from vision.pipeline.results import Memory, Rest, Thing
from vision.stickers.reader import StickerReader, Window

SIZE = (1920, 1080)


def camera(tilt: float = 0.2, radial: float = -0.05, distance: float = 600.0) -> BoardPose:
    """A camera over the board, tilted by ``tilt`` rad."""
    turn = np.array([np.pi - tilt, 0.0, 0.0])
    return BoardPose(Lens(SIZE, 1500.0, radial), turn, np.array([8.0, 5.0, distance]), 0.0, ())


def corners_seen(pose: BoardPose, *without: int) -> dict[int, Points]:
    finder = BoardFinder(stonehenge())
    return {i: pose.project(finder.corners_mm(i)) for i in finder.ids if i not in without}


@pytest.mark.parametrize("tilt", [0.0, 0.15, 0.4])
@pytest.mark.parametrize("missing", [(), (0,), (3,)])
def test_the_pose_tells_millimetres_at_any_height(tilt: float, missing: tuple[int, ...]) -> None:
    pose = camera(tilt, distance=900.0)
    found = BoardFinder(stonehenge()).find(corners_seen(pose, *missing), SIZE)
    spots = np.array([[x, y, z] for x in (-150, 0, 150) for y in (-150, 0, 150) for z in (0, 28)])
    px = pose.project(spots.astype(np.float64))
    for height in (0, 28):
        level = spots[:, 2] == height
        miss = np.linalg.norm(found.on_board(px[level], height) - spots[level, :2], axis=1)
        assert miss.max() < (0.5 if height == 0 else 3.0)


def test_projecting_and_looking_back_are_inverse() -> None:
    pose = camera()
    spots = np.array([[-100.0, 50.0, 20.0], [150.0, -170.0, 20.0]])
    assert np.allclose(pose.on_board(pose.project(spots), 20.0), spots[:, :2], atol=0.05)


def test_the_pose_is_kept_while_no_corner_moves() -> None:
    finder = BoardFinder(stonehenge())
    seen = corners_seen(camera())
    first = finder.find(seen, SIZE)
    assert finder.find({i: px + 0.3 for i, px in seen.items()}, SIZE, first) is first
    assert finder.find({i: px + 5.0 for i, px in seen.items()}, SIZE, first) is not first


def test_one_visible_corner_will_do_if_it_agrees_with_the_last_pose() -> None:
    finder = BoardFinder(stonehenge())
    seen = corners_seen(camera())
    first = finder.find(seen, SIZE)
    assert finder.find({2: seen[2]}, SIZE, first) is first
    with pytest.raises(NoBoard, match="0, 1, 3 are not visible"):
        finder.find({2: seen[2] + 30.0}, SIZE, first)


def test_the_lens_is_kept_while_a_corner_sticker_cannot_be_read() -> None:
    """Fitted anew to three stickers each time, the far corner wandered by millimetres."""
    finder, chance = BoardFinder(stonehenge()), np.random.default_rng(3)
    far = np.array([[190.0, -190.0]])
    off, pose = [], None
    for look in range(12):
        # The camera shivers, so every look has its own pose.
        true = camera(0.3 + 0.003 * look, radial=-0.11)
        seen = {i: px + chance.normal(0, 0.3, (4, 2)) for i, px in corners_seen(true, 2).items()}
        pose = finder.find(seen, SIZE, pose)
        off.append(pose.on_board(true.project(far))[0] - far[0])
    assert np.linalg.norm(np.ptp(off, axis=0)) < 2.0


def test_dark_corners_drawn_in_by_spread_light_do_not_bend_the_board() -> None:
    """Believed, corners 0.7 px too far in made the lens a barrel and shifted fields by 0.8 mm."""
    true = camera(0.35, radial=-0.11)
    seen = {}
    for sticker, px in corners_seen(true).items():
        inward = px.mean(axis=0) - px
        seen[sticker] = px + 0.7 * inward / np.linalg.norm(inward, axis=1, keepdims=True)
    found = BoardFinder(stonehenge()).find(seen, SIZE)
    fields = np.array([site.at for site in stonehenge().printed_sites])
    miss = np.linalg.norm(found.on_board(true.project(fields)) - fields, axis=1)
    assert miss.max() < 0.25


def test_one_sticker_half_washed_out_does_not_bend_the_board() -> None:
    finder, true = BoardFinder(stonehenge()), camera(0.35)
    finder.find(corners_seen(true), SIZE)
    bumped = camera(0.36)
    seen = corners_seen(bumped)
    seen[1][:2] += 3.0
    found = finder.find(seen, SIZE)
    fields = np.array([site.at for site in stonehenge().printed_sites])
    assert np.linalg.norm(found.on_board(bumped.project(fields)) - fields, axis=1).max() < 0.3


def test_corners_are_averaged_while_nothing_moves() -> None:
    finder, chance, true = BoardFinder(stonehenge()), np.random.default_rng(5), camera(0.3)
    finder.know(true.lens)
    fields = np.array([site.at for site in stonehenge().printed_sites])
    px, pose = true.project(fields), None
    off = []
    for _look in range(16):
        seen = {i: c + chance.normal(0, 0.6, c.shape) for i, c in corners_seen(true).items()}
        pose = finder.find(seen, SIZE, pose)
        off.append(float(np.linalg.norm(pose.on_board(px) - fields, axis=1).max()))
    assert off[-1] < 0.6 * off[0]


def test_stickers_are_found_where_they_went_when_the_camera_shook() -> None:
    """Corners searched for where they had been were left there by half a module's shift."""
    shot = scene("middle")
    reader = StickerReader(stonehenge())
    finder = BoardFinder(stonehenge())
    corners = CornerReader(stonehenge(), reader, finder)
    before, _ = corners.find(shot.image, shot.pose)
    for dx, dy in ((4, 0), (-3, 3), (2, -4)):
        after, _ = corners.find(np.roll(shot.image, (dy, dx), axis=(0, 1)), shot.pose)
        assert after.keys() == before.keys()
        for sticker, px in after.items():
            assert np.abs(px - before[sticker] - (dx, dy)).max() < 0.6


def pushed(pose: BoardPose, dx: float, dy: float, turn: float) -> BoardPose:
    """The same camera after the table was pushed by mm and rad."""
    spin = np.eye(3)
    spin[:2, :2] = [[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]
    rotation = np.asarray(cv2.Rodrigues(pose.turn @ spin)[0], dtype=np.float64).ravel()
    return BoardPose(
        pose.lens, rotation, pose.translation + pose.turn @ np.array([dx, dy, 0.0]), 0.0, ()
    )


def test_two_corners_tell_where_the_table_was_pushed() -> None:
    finder = BoardFinder(stonehenge())
    before, after = camera(), pushed(camera(), 6.0, -4.0, 0.02)
    slid = finder.slid(corners_seen(after, 0, 3), before)
    assert slid is not None
    spots = np.array([[x, y, 25.0] for x in (-200.0, 0.0, 200.0) for y in (-200.0, 200.0)])
    assert np.abs(slid.project(spots) - after.project(spots)).max() < 0.2
    assert finder.slid(corners_seen(after, 0, 1, 3), before) is None


def test_a_camera_that_was_knocked_over_is_no_pushed_table() -> None:
    seen = corners_seen(camera(tilt=0.35), 0, 3)
    assert BoardFinder(stonehenge()).slid(seen, camera()) is None


def test_stickers_at_the_wrong_corners_are_refused() -> None:
    seen = corners_seen(camera())
    swapped = {0: seen[1], 1: seen[0], 2: seen[2], 3: seen[3]}
    with pytest.raises(NoBoard):
        BoardFinder(stonehenge()).find(swapped, SIZE)


def test_a_board_far_away_is_refused() -> None:
    with pytest.raises(NoBoard, match="too small"):
        BoardFinder(stonehenge()).find(corners_seen(camera(distance=6000.0)), SIZE)


def drawn(sticker: int, side: int) -> Picture:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_250)
    image = np.full((200, 300, 3), 150, dtype=np.uint8)
    rim = side // 6
    image[40 : 40 + side + 2 * rim, 60 : 60 + side + 2 * rim] = 255
    picture = cv2.aruco.generateImageMarker(dictionary, sticker, side)
    image[40 + rim : 40 + rim + side, 60 + rim : 60 + rim + side] = np.asarray(picture)[..., None]
    return image


def test_a_sticker_is_read_at_its_place_and_matches_itself_only() -> None:
    reader = StickerReader(stonehenge())
    image = drawn(17, 48)
    seen = reader.read_at(image, [Window(0, 0, 40, 40), Window(40, 20, 160, 140)], 8.0)
    assert seen[0] == []
    assert [sticker.id for sticker in seen[1]] == [17]
    corners = seen[1][0].corners
    assert np.allclose(corners[0], (68, 48), atol=1.5)
    same, other = reader.match(image, [17, 18], np.stack([corners, corners]))
    assert same > 0.9
    assert other < 0.7


def test_stickers_of_other_boxes_read_as_nothing() -> None:
    reader = StickerReader(stonehenge())
    image = drawn(200, 60)
    assert reader.search(image, 20) == []
    assert reader.read_at(image, [Window(0, 0, 300, 200)], 10.0, full=True) == [[]]


def test_an_unknown_dictionary_is_refused() -> None:
    box = replace(stonehenge(), dictionary="DICT_OF_MINE")
    with pytest.raises(BoxError, match="DICT_OF_MINE"):
        StickerReader(box)


def test_box_files_may_name_the_dictionaries_that_opencv_has() -> None:
    assert set(DICTIONARIES) == {name for name in dir(cv2.aruco) if name.startswith("DICT_")}
    for name, (side, count) in DICTIONARIES.items():
        book = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, name))
        assert (book.markerSize, len(book.bytesList)) == (side, count), name


def test_fused_looks_prefer_what_most_frames_saw() -> None:
    stone = (Glimpse("stone black 1"),)
    there = {"A": SiteBelief({stone: 0.0, (): -9.0})}
    bare = {"A": SiteBelief({(): 0.0})}
    hidden = {"A": SiteBelief({(): 0.0}, occluded=True)}
    assert fuse([there, there, bare])["A"].best == stone
    assert fuse([there, hidden, there])["A"].best == stone
    assert fuse([hidden, hidden, there])["A"].occluded


def test_fused_looks_name_the_pose_as_each_of_them_does() -> None:
    # To rules without poses a figure is a figure, so both looks are equally likely.
    for pose in ("cw", "ccw", "lying", "up"):
        posed, plain = (Glimpse("figure", pose),), (Glimpse("figure"),)
        seen = {"A": SiteBelief({posed: 0.0, plain: 0.0, (): -9.0})}
        assert fuse([seen, seen, seen])["A"].best == posed


def test_the_overlay_shows_what_is_hidden_without_colour_alone() -> None:
    shot, seen = scene("hand"), first_look("hand")
    image = annotate(Frame(shot.image, 0, "hand", 0.0), seen, stonehenge())
    hidden = sorted(seen.occluded)
    assert hidden

    def drawn(site: str) -> float:
        """Share of a site's inner pixels that were drawn on."""
        assert seen.pose is not None
        x, y = np.round(seen.pose.project(np.array([stonehenge().sites[site].at]))[0]).astype(int)
        part = slice(y - 20, y + 21), slice(x - 20, x + 21)
        return float((image[part] != shot.image[part]).any(axis=2).mean())

    assert all(drawn(site) > 0.1 for site in hidden)
    assert drawn("B") == 0.0


def test_the_overlay_writes_notes_and_figures_at_the_top() -> None:
    shot, seen = scene("late"), first_look("late")
    frame = Frame(shot.image, 0, "late", 0.0)
    plain = annotate(frame, seen, stonehenge())
    noted = annotate(frame, seen, stonehenge(), ["Es ist zu dunkel. Bitte früher Licht machen."])
    rows = np.flatnonzero((plain != noted).any(axis=(1, 2)))
    assert 0 < len(rows) < 80 and rows.max() < 160


def test_a_site_without_a_sticker_is_the_less_surely_bare_the_stranger_it_looks() -> None:
    box = stonehenge()
    stone = (Glimpse("stone black 1"),)
    doubts = []
    for strange in (0.0, 0.1, 0.18, 0.5):
        belief = site_beliefs(box, [], frozenset(), strange={"A": strange})["A"]
        assert belief.best == ()
        doubts.append(belief.score(stone))
    assert doubts == sorted(doubts)
    assert doubts[0] < -8
    assert -4 < doubts[-1] < -3


def test_the_overlay_draws_on_a_copy() -> None:
    shot = scene("late")
    before = shot.image.copy()
    image = annotate(Frame(shot.image, 0, "late", 0.0), first_look("late"), stonehenge())
    assert image.shape == shot.image.shape
    assert np.array_equal(shot.image, before)
    assert not np.array_equal(image, before)


def test_what_comes_after_the_first_look_is_a_hand_for_longer_than_what_lay_there() -> None:
    def bar(left: int) -> Blob:
        spots = (np.arange(20)[:, None] * 300 + np.arange(left, left + 50)).ravel()
        return Blob(4.0 * len(spots), 2.0 * np.column_stack(np.divmod(spots, 300)[::-1]), spots)

    first = Memory(SIZE)
    bowl = Thing.of(bar(0), first, 1.0)
    assert bowl.lies(Rest.SHORT, None)
    later = replace(first, pose=camera(), things=(bowl,))
    assert Thing.of(bar(3), later, 9.0).since_s == 1.0
    drawn_back, come = Thing.of(bar(20), later, 9.0), Thing.of(bar(60), later, 9.0)
    assert drawn_back.since_s == 9.0 and drawn_back.lies(Rest.SHORT, 9.0)
    assert not come.lies(Rest.SHORT, 9.0) and come.lies(Rest.LONG, 9.0)
    # It stays one that came while it lies where it is.
    assert Thing.of(bar(61), replace(later, things=(come,)), 12.0).came
