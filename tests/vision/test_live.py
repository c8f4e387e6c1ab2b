"""Live sources: quiet first, then a look, then nothing until something changes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from rules.reading.sighting import EMPTY, SiteBelief
from tests.support.scenes.photographs import (
    as_picture,
    covered_by,
    look,
    noisy,
    scene,
    small_stream,
    stonehenge,
)
from vision.arrays import Picture
from vision.board.appearance import BoardAppearance
from vision.board.masks import Masks
from vision.camera.sources import Frame
from vision.motion import gate as gate_module
from vision.motion.gate import Gate, Stir
from vision.pieces.reader import PieceReader
from vision.pieces.sighting import Sighting
from vision.pipeline.looker import Looker
from vision.pipeline.results import RESTING_S, Memory
from vision.pipeline.settling import Settling
from vision.stickers.reader import StickerReader
from vision.tracker import Tracker


def live(tracker: Tracker, name: str, frames: int) -> list[Sighting]:
    shot = scene(name)
    grain = noisy(2)
    return [look(tracker, grain(shot.image, shot.pose), settled=False) for _ in range(frames)]


def test_a_table_is_still_after_some_quiet_frames_and_then_costs_next_to_nothing() -> None:
    tracker = Tracker(stonehenge(), quiet_frames=3, votes=3)
    seen = live(tracker, "middle", 8)
    assert not seen[0].still
    assert seen[-1].still
    assert not seen[-1].hand
    assert seen[-1].table == scene("middle").table
    assert set(seen[-1].ms) == {"gate", "total"}


@pytest.mark.parametrize(
    ("times_s", "still"),
    [
        ((0, 0.033, 0.067, 0.1), True),
        ((0, 0.008, 0.017, 0.025), False),
        ((0, 0.4, 0.401, 0.402), True),
    ],
    ids=["30 a second", "120 a second", "a bunch after a gap"],
)
def test_a_table_is_still_after_some_time_however_fast_the_frames_come(
    times_s: tuple[float, ...], still: bool
) -> None:
    tracker, image = Tracker(stonehenge(), quiet_frames=3, votes=1), scene("middle").image
    for at in (-1.0, 0.0, *times_s):
        seen = tracker.look(Frame(image, 0, "", at), settled=False)
    assert seen.still == still


def test_a_moving_hand_means_wait_and_the_new_piece_is_read_when_it_has_gone() -> None:
    tracker = Tracker(stonehenge(), quiet_frames=2)
    live(tracker, "middle", 5)
    shot = scene("middle")
    for x in (-60, 0, 60):
        reaching = covered_by("hand", (130, 165, 210), (x, 0), 0.5)(shot.image, shot.pose)
        sighting = look(tracker, reaching, settled=False)
        assert sighting.hand
        assert not sighting.still
    after = live(tracker, "late", 6)
    assert after[0].hand
    assert after[-1].still
    assert not after[-1].hand
    assert after[-1].table == scene("late").table


def test_a_hand_that_rests_on_the_board_is_still_a_hand() -> None:
    tracker = Tracker(stonehenge(), quiet_frames=2)
    live(tracker, "middle", 4)
    assert all(sighting.hand for sighting in live(tracker, "hand", 6))


def test_a_dimmed_lamp_and_noise_are_no_motion() -> None:
    gate = Gate()
    image = scene("middle").image
    assert gate.step(image).changed
    gate.mark()
    grain = noisy(3)
    dimmed = (grain(image, scene("middle").pose) * 0.9).astype(np.uint8)
    stir = gate.step(dimmed)
    assert not stir.moving
    assert not stir.changed


def test_a_single_moved_stone_is_a_change() -> None:
    gate = Gate()
    gate.step(scene("empty").image)
    gate.mark()
    image = scene("empty").image.copy()
    image[700:790, 1000:1090] = (35, 35, 40)
    assert gate.step(image).moving
    stir = gate.step(image)
    assert stir.changed
    assert not stir.moving


@pytest.mark.thorough
def test_of_twelve_megapixels_the_gate_still_sees_a_fingertip_and_neither_noise_nor_a_lamp() -> (
    None
):
    chance = np.random.default_rng(3)
    coarse = chance.integers(60, 190, (38, 51, 3), dtype=np.uint8)
    table = as_picture(cv2.resize(coarse, (4056, 3040), interpolation=cv2.INTER_CUBIC))

    def shot(image: Picture, gain: float = 1.0) -> Picture:
        grain = chance.integers(-6, 7, image.shape, dtype=np.int8)
        return as_picture(image * np.float32(gain) + grain)

    gate = Gate()
    gate.step(shot(table))
    gate.mark()
    assert gate.step(shot(table)) == Stir(moving=False, changed=False)
    assert not gate.step(shot(table, 0.75)).moving
    finger = table.copy()
    cv2.circle(finger, (2010, 1333), 36, (150, 180, 225), -1)
    assert gate.step(shot(finger)) == Stir(moving=True, changed=True)
    assert gate.step(shot(finger)) == Stir(moving=False, changed=True)


def test_what_whole_numbers_settle_nothing_finer_would_judge_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chance = np.random.default_rng(8)
    table = as_picture(chance.integers(40, 200, (96, 128), dtype=np.uint8))
    pairs = []
    for number in range(60):
        grain = chance.normal(0, chance.uniform(0, 4), table.shape)
        other = table * chance.uniform(0.98, 1.02) + grain
        spots = chance.integers(0, 96, (number % 12, 2))
        other[spots[:, 0], spots[:, 1]] += chance.uniform(-40, 40)
        pairs.append(as_picture(np.clip(other, 0, 255)))

    def judged() -> list[Stir]:
        stirs = []
        for other in pairs:
            gate = Gate()
            gate.step(table)
            gate.mark()
            stirs.append(gate.step(other))
        return stirs

    quick = judged()
    settled = []
    surely_same = gate_module._surely_same

    def finely(before: gate_module._Small, now: gate_module._Small) -> bool:
        settled.append(surely_same(before, now))
        return False

    monkeypatch.setattr(gate_module, "_surely_same", finely)
    assert judged() == quick
    assert 10 < sum(settled) < len(settled) - 10


def trembling(image: Picture, across: float, down: float) -> Picture:
    """The picture as a camera sees it whose arm has moved by a part of a pixel."""
    shift = np.array([[1, 0, across], [0, 1, down]], dtype=np.float32)
    size = (image.shape[1], image.shape[0])
    moved = cv2.warpAffine(image, shift, size, flags=cv2.INTER_LINEAR, borderMode=1)
    return np.asarray(moved, dtype=np.uint8)


@pytest.mark.parametrize("shift", [(0.12, 0.0), (0.3, -0.2), (-0.2, 0.4)])
def test_a_camera_that_trembles_is_no_motion(shift: tuple[float, float]) -> None:
    image = scene("late").image
    gate = Gate()
    gate.step(image)
    gate.mark()
    for _ in range(3):
        assert gate.step(trembling(image, *shift)) == Stir(moving=False, changed=False)
        assert gate.step(image) == Stir(moving=False, changed=False)


def test_a_fingertip_is_seen_while_the_camera_trembles() -> None:
    image = scene("late").image
    gate = Gate()
    gate.step(image)
    gate.mark()
    finger = trembling(image, 0.3, 0.3).copy()
    middle = (image.shape[1] // 2, image.shape[0] // 2)
    cv2.circle(finger, middle, max(image.shape) // 60, (120, 150, 200), -1)
    assert gate.step(finger) == Stir(moving=True, changed=True)
    assert gate.step(finger).changed


def test_a_board_that_was_pushed_by_some_pixels_has_changed() -> None:
    image = scene("late").image
    gate = Gate()
    gate.step(image)
    gate.mark()
    assert gate.step(trembling(image, 4.0, 3.0)).changed


def swinging(image: Picture, px: float, number: int) -> Picture:
    """The picture of a camera that swings on its arm by some pixels; a little nearer, for nothing
    is known beyond the picture's edge."""
    height, width = image.shape[:2]
    across, down, turn = px * np.sin(number * np.array([2.1, 1.3, 1.7]))
    shift = cv2.getRotationMatrix2D((width / 2, height / 2), np.degrees(turn / width), 1.03)
    shift[:, 2] += across, down
    return as_picture(cv2.warpAffine(image, shift, (width, height), borderMode=1))


@pytest.mark.parametrize("small", [False, True])
def test_a_swinging_camera_is_followed_and_hands_and_pieces_are_seen_meanwhile(small: bool) -> None:
    tracker = Tracker(stonehenge(), quiet_frames=2)
    shot = scene("middle")
    reaching = covered_by("hand", (130, 165, 210), (0.0, 0.0), 0.5)(shot.image, shot.pose)
    seen = []
    for number, image in enumerate([shot.image] * 6 + [reaching] * 2 + [scene("late").image] * 6):
        taken = swinging(image, 8.0, number)
        lesser = small_stream(taken) if small else None
        frame = Frame(taken, number, str(number), number / 8, small=lesser)
        seen.append(tracker.look(frame, settled=False))
    assert [sighting.hand for sighting in seen[3:11]] == [False] * 3 + [True] * 4 + [False]
    assert all(sighting.still for sighting in seen[3:6])
    assert set(seen[5].ms) == {"gate", "total"}, "nothing was read again"
    assert seen[-1].still and seen[-1].table == scene("late").table
    assert not any(sighting.trembling for sighting in seen)


def test_a_camera_that_shakes_too_much_is_told_and_a_hand_that_plays_on_is_none() -> None:
    tracker = Tracker(stonehenge())
    shot = scene("middle")

    def told(images: list[Picture]) -> list[bool]:
        frames = [Frame(image, n, str(n), n / 4) for n, image in enumerate(images)]
        return [tracker.look(frame, settled=False).trembling for frame in frames]

    shaken = told([swinging(shot.image, 60.0, number) for number in range(26)])
    assert not any(shaken[:20])
    assert all(shaken[21:])
    tracker.forget()
    hand = covered_by("hand", (130, 165, 210), (0.0, 0.0), 0.5)(shot.image, shot.pose)
    assert not any(told([shot.image, *([hand, shot.image] * 13)]))


def test_what_lies_still_for_a_quarter_of_a_minute_is_no_hand_and_hides_only_what_is_below() -> (
    None
):
    tracker = Tracker(stonehenge(), quiet_frames=2)
    live(tracker, "middle", 4)
    shot = scene("middle")
    cloth = covered_by("hand", (130, 165, 210), (0.0, 0.0), 0.5)(shot.image, shot.pose)

    def at(second: int, image: Picture) -> Sighting:
        return tracker.look(Frame(image, second, str(second), float(second)), settled=False)

    seen = [at(second, cloth) for second in range(1, 26)]
    assert seen[8].hand
    assert not seen[-1].hand
    assert seen[-1].occluded
    # The board in sight beside it counts, and below it nothing is said to be empty.
    read = seen[-1].table
    assert {site: shot.table[site] for site in read} == read
    assert not set(shot.table) - set(read) - seen[-1].occluded
    after = [at(second, shot.image) for second in range(26, 34)]
    assert not after[-1].hand
    assert after[-1].table == shot.table


def test_what_lies_there_from_the_first_look_is_a_hand_for_two_seconds_only() -> None:
    tracker = Tracker(stonehenge(), quiet_frames=2)
    shot = scene("middle")
    thing = covered_by("hand", (130, 165, 210), (0.0, 0.0), 0.5)(shot.image, shot.pose)

    def at(second: int, image: Picture) -> Sighting:
        return tracker.look(Frame(image, second, str(second), float(second)), settled=False)

    seen = [at(second, thing) for second in range(8)]
    assert seen[0].hand
    assert not seen[4].hand
    assert {"M", "G", "H"} & seen[4].occluded
    # A thing that came besides is one for longer; and what has gone does not come back unnoticed.
    both = covered_by("hand", (130, 165, 210), (130.0, 150.0), 2.0)(thing, shot.pose)
    assert all(at(second, both).hand for second in range(8, 14))
    assert not [at(second, shot.image) for second in range(14, 19)][-1].hand
    assert at(19, thing).hand
    assert at(22, thing).hand


def test_an_arm_that_lies_there_from_the_first_look_stops_no_match_and_is_one_once_it_moves() -> (
    None
):
    tracker = Tracker(stonehenge(), quiet_frames=2)
    shot = scene("middle")

    def at(second: float, back: float) -> Sighting:
        reach = covered_by("sleeve", (40, 40, 170), (-130.0 - back, 0.0), 0.0)
        image = reach(shot.image, shot.pose)
        return tracker.look(Frame(image, 0, "", second), settled=False)

    assert all(at(second, 0.0).hand for second in range(3))
    # What it hides stays unknown.
    resting = [at(second, 0.0) for second in range(3, 14)]
    assert not any(seen.hand for seen in resting[1:])
    table = resting[-1].table
    assert {site: shot.table[site] for site in table} == table
    assert not set(shot.table) - set(table) - resting[-1].occluded
    moved = [at(second, 45.0) for second in (14.0, 14.5, 15.0, 15.5)]
    assert all(seen.hand for seen in moved)
    assert moved[-1].still


def test_a_hand_that_rests_in_pictures_of_a_film_is_a_hand_for_as_long_as_their_times_say() -> None:
    tracker = Tracker(stonehenge())
    shot = scene("middle")
    image = covered_by("hand", (130, 165, 210), (40.0, 30.0), 0.9)(shot.image, shot.pose)

    def hand(time_s: float, shown: Picture = image) -> bool:
        return tracker.look(Frame(shown, 0, "film", time_s), settled=True).hand

    assert not hand(0.0, shot.image)
    assert all(hand(time_s) for time_s in (1.0, 1.1, 1.2, 10.0, RESTING_S))
    assert not hand(1.1 + RESTING_S)


def test_what_lay_there_first_is_part_of_the_table_although_a_hand_came_and_went_meanwhile() -> (
    None
):
    tracker = Tracker(stonehenge())
    shot = scene("middle")
    thing = covered_by("hand", (130, 165, 210), (0.0, 0.0), 0.5)(shot.image, shot.pose)
    both = covered_by("hand", (130, 165, 210), (130.0, 150.0), 2.0)(thing, shot.pose)

    def hand(time_s: float, shown: Picture) -> bool:
        return tracker.look(Frame(shown, 0, "film", time_s), settled=True).hand

    assert hand(0.0, thing)
    assert all(hand(time_s, both) for time_s in (1.0, 3.0, 5.0))
    assert not hand(6.0, thing)


@pytest.mark.parametrize("side", [10, 14, 17, 18])
def test_what_differs_only_from_what_was_learnt_in_another_light_is_no_hand(side: int) -> None:
    tracker = Tracker(stonehenge(), quiet_frames=2)
    shot = scene("middle")

    def at(second: int) -> Sighting:
        return tracker.look(Frame(shot.image, second, str(second), float(second)), settled=False)

    for second in range(4):
        at(second)
    # As if another lamp had left it with edges that are not there any more.
    learnt = tracker._looker._appearance._detail
    for down, right in ((0.5, 0.5), (0.35, 0.6), (0.62, 0.4)):
        y, x = int(learnt.shape[1] * down), int(learnt.shape[2] * right)
        learnt[:, y : y + side, x : x + side] *= 0.45
    seen = [at(second) for second in range(10, 13)]
    assert not any(sighting.hand for sighting in seen)
    assert not any("H" in sighting.occluded for sighting in seen)
    assert seen[-1].table == shot.table


def test_of_two_stickers_read_in_one_place_the_one_that_matches_the_picture_lies_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tracker = Tracker(stonehenge())
    shot = scene("middle")
    piece = look(tracker, shot.image).pieces[0]
    other = next(s for s in tracker.box.kind_of_sticker if s != piece.sticker)
    misread = replace(piece, sticker=other, corners_px=piece.corners_px + np.array([3.0, 0.0]))
    box = tracker.box
    reader = PieceReader(box, StickerReader(box), Masks(box, BoardAppearance(box).size))
    assert reader.without_rivals(shot.image, [misread, piece]) == [piece]
    # The one may have been known for long when the other is read.
    monkeypatch.setattr(PieceReader, "read", lambda *given, **how: ([misread], frozenset()))
    again = look(tracker, shot.image)
    assert {p.sticker for p in again.pieces if p.site == piece.site} == {piece.sticker}


def test_one_bad_look_is_outvoted_for_the_table_is_looked_at_until_looks_agree(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tracker = Tracker(stonehenge(), quiet_frames=2, votes=3)
    see = Looker.look
    number = 0

    def see_badly_once(*given: Any) -> tuple[Sighting, Memory]:
        nonlocal number
        (seen, memory), number = see(*given), number + 1
        if number != 2:
            return seen, memory
        # A sticker was not read in this one frame.
        missed = next(iter(seen.table))
        return replace(seen, sites={**seen.sites, missed: SiteBelief({EMPTY: 0.0})}), memory

    monkeypatch.setattr(Looker, "look", see_badly_once)
    seen = live(tracker, "middle", 10)
    assert seen[-1].table == scene("middle").table
    for site in seen[-1].table:
        belief = seen[-1].sites[site]
        assert belief.score(belief.best) == 0.0


def test_a_strange_site_beside_a_seen_hand_may_lie_below_it_and_is_not_said_to_be_empty(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tracker = Tracker(stonehenge())
    shot = scene("middle")
    bare = next(s for s in tracker.box.sites if s not in look(tracker, shot.image).table)
    settle = Settling.settle
    for is_hand, strange, hides in ((True, 0.22, True), (False, 0.22, False), (True, 0.19, False)):

        def strangely(*given: Any, hand: bool = is_hand, how: float = strange) -> Any:
            settled = settle(*given)
            shown = {**settled.coverage.strange, bare: how}
            return replace(settled, coverage=replace(settled.coverage, hand=hand, strange=shown))

        monkeypatch.setattr(Settling, "settle", strangely)
        seen = look(tracker, shot.image)
        assert (seen.hand, seen.sites[bare].occluded) == (is_hand, hides)


def test_a_piece_below_a_hand_that_looks_like_the_board_is_hidden_and_not_gone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tracker = Tracker(stonehenge())
    shot = scene("middle")
    piece = next(p for p in look(tracker, shot.image).pieces if p.site is not None)
    hand = covered_by("hand", (130, 165, 210), (0.0, 0.0), 0.5)(shot.image, shot.pose)
    settle = Settling.settle

    def unseen(*given: Any) -> Any:
        settled = settle(*given)
        return replace(settled, pieces=tuple(p for p in settled.pieces if p.site != piece.site))

    monkeypatch.setattr(Settling, "settle", unseen)
    for _ in range(2):
        seen = look(tracker, hand)
        assert seen.hand and seen.sites[piece.site or ""].occluded
    monkeypatch.undo()
    assert piece.site in look(tracker, shot.image).table
