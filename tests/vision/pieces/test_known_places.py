"""Stickers read directly where pieces may lie, and what is said where none can be read."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.simulator import Camera, VirtualTable
from companion.simulator.objects import Piece
from rules.box import Box, load_box
from rules.reading.reading import Status, read
from rules.reading.sighting import EMPTY, Glimpse, Look, SiteBelief
from rules.testing.pictures import draw
from tests.support.dominion_table import Table, begun
from tests.support.scenes.photographs import (
    as_picture,
    first_look,
    look,
    scaled,
    scene,
    stonehenge,
)
from vision.arrays import Picture
from vision.board.pose import BoardPose
from vision.camera.sources import Frame
from vision.motion.gate import Gate, Stir
from vision.pieces.known_places import KnownPlaces, reconcile, remembered
from vision.pieces.sighting import UNREAD, Sighting
from vision.stickers.direct import Answer
from vision.stickers.reader import SeenSticker, StickerReader
from vision.tracker import AUDIT_S, Tracker

DAZZLE = 0.86
"""Light of a lamp's reflection, as a share of what makes a picture white."""
SQUARE = np.array([[0.0, 0.0], [20.0, 0.0], [20.0, 20.0], [0.0, 20.0]])


def answer(sticker: int | None, guess: int | None = None, likeness: float = 0.97) -> Answer:
    return Answer(sticker, guess if sticker is None else sticker, SQUARE, likeness, 2.0, 3.3)


def test_what_both_readers_say_is_believed_once() -> None:
    both = reconcile({"A": answer(17)}, [SeenSticker(17, SQUARE + 1)])
    assert [sticker.id for sticker in both.stickers] == [17]
    assert not both.doubtful


def test_if_they_name_different_stickers_neither_is_believed() -> None:
    both = reconcile({"A": answer(17)}, [SeenSticker(18, SQUARE + 1)])
    assert both.stickers == []
    assert both.doubtful == {"A"}


def test_an_unsure_guess_still_counts_against_another_id() -> None:
    against = reconcile({"A": answer(None, 17, 0.86)}, [SeenSticker(18, SQUARE)])
    assert against.stickers == []
    assert against.doubtful == {"A"}
    same = reconcile({"A": answer(None, 17, 0.86)}, [SeenSticker(17, SQUARE)])
    assert [sticker.id for sticker in same.stickers] == [17]
    alone = reconcile({"A": answer(None, 17, 0.86)}, [])
    assert alone.doubtful == {"A"} and not alone.stickers
    weak = reconcile({"A": answer(None, 17, 0.5)}, [SeenSticker(18, SQUARE)])
    assert [sticker.id for sticker in weak.stickers] == [18]


def test_a_mere_likeness_is_no_argument_against_a_direct_reading() -> None:
    both = reconcile({"A": answer(17)}, [SeenSticker(18, SQUARE, sure=False)])
    assert [sticker.id for sticker in both.stickers] == [17]
    assert not both.doubtful


def test_what_lay_there_before_still_does_if_it_is_the_likeliest_of_all_and_has_not_moved() -> None:
    """Not if it is unlike a sticker, another one is as likely, or it would lie elsewhere."""
    before = look(Tracker(stonehenge()), scene("middle").image).pieces[0]
    assert before.site is not None
    dazzled = Answer(None, before.sticker, before.corners_px + 1, 0.8, 1.1, 3.3)
    told = {
        "supported": dazzled,
        "unlike": replace(dazzled, likeness=0.6),
        "rivalled": replace(dazzled, lead=0.95),
        "elsewhere": replace(dazzled, corners=before.corners_px + 60),
        "another": replace(dazzled, guess=before.sticker + 1),
    }
    believed = {
        name: remembered({before.site: unsure}, [before])[before.site].id
        for name, unsure in told.items()
    }
    assert believed == {**dict.fromkeys(told), "supported": before.sticker}


def test_a_sticker_that_a_lamp_dazzles_is_read_at_once_and_stays_read() -> None:
    tracker = Tracker(stonehenge())
    shot = scene("middle")
    image = cv2.resize(shot.image, None, fx=0.3, fy=0.3, interpolation=cv2.INTER_AREA)
    seen = look(tracker, as_picture(image))
    stone = next(piece for piece in seen.pieces if piece.kind.startswith("stone"))
    (x, y), side = stone.corners_px.mean(axis=0), np.ptp(stone.corners_px)
    down, across = np.mgrid[: image.shape[0], : image.shape[1]]
    lamp = np.exp(-((across - x) ** 2 + (down - y) ** 2) / (1.5 * side) ** 2)[..., None]
    grain = np.random.default_rng(1).normal(0, 5, image.shape)
    dazzled = np.clip((image / 255) ** 2.2 + DAZZLE * lamp, 0, 1) ** (1 / 2.2) * 255 + grain
    assert look(Tracker(stonehenge()), as_picture(dazzled)).table == seen.table
    assert look(tracker, as_picture(dazzled)).table == seen.table


def test_stickers_elsewhere_are_nobodys_business() -> None:
    both = reconcile({"A": answer(17)}, [SeenSticker(18, SQUARE + 60)])
    assert {sticker.id for sticker in both.stickers} == {17, 18}


@pytest.mark.parametrize("width", [2304, 1440, 960])
def test_direct_reading_alone_reads_every_site_of_a_photograph(width: int) -> None:
    image = scaled(width)(scene("late").image, scene("late").pose)
    pose = first_look("late", scaled(width)).pose
    assert pose is not None
    box = stonehenge()
    places = KnownPlaces(box, StickerReader(box), ())
    answers = places.read(image, pose, list(box.sites))
    read = {site: box.kind_of_sticker[a.id].id for site, a in answers.items() if a.id is not None}
    assert read == scene("late").table


def test_two_px_per_module_are_enough_and_less_is_refused_with_the_reason() -> None:
    enough = first_look("late", scaled(900))
    assert enough.px_per_module > 2
    assert enough.reason is None
    assert enough.table == scene("late").table
    less = first_look("late", scaled(780))
    assert less.board == "found"
    assert less.px_per_module < 2
    assert "the stickers are too small in the picture: 1.9 px per module, needs 2" in str(
        less.reason
    )
    box = stonehenge()
    ends = {site.id for site in box.sites.values() if "megalith" in site.takes}
    assert ends
    for end in ends:
        # Stickers that are too small allow no conclusion, not even that nothing is there.
        assert less.sites[end].occluded
    stones = {s: kind for s, kind in scene("late").table.items() if kind.startswith("stone")}
    assert less.table == stones


def test_a_site_the_readers_disagree_about_is_left_to_the_next_picture(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shot = scene("late")
    site = next(s for s, kind in shot.table.items() if kind.startswith("stone"))
    honest = KnownPlaces.read

    def misread(
        self: KnownPlaces, image: Picture, pose: BoardPose, sites: Iterable[str]
    ) -> dict[str, Answer]:
        answers = honest(self, image, pose, sites)
        if site in answers:
            true = answers[site]
            other = next(i for i in (13, 23) if i != true.id)
            answers[site] = replace(true, id=other, guess=other)
        return answers

    tracker = Tracker(stonehenge())
    monkeypatch.setattr(KnownPlaces, "read", misread)
    seen = look(tracker, shot.image)
    assert seen.sites[site].occluded
    assert site not in seen.table
    monkeypatch.setattr(KnownPlaces, "read", honest)
    assert look(tracker, shot.image).table == shot.table


def test_a_still_table_is_read_anew_as_a_whole_every_few_seconds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # A gate that sees nothing: a change so small or slow that it never stirs.
    monkeypatch.setattr(Gate, "step", lambda self, image: Stir(moving=False, changed=False))
    tracker = Tracker(stonehenge(), quiet_frames=1, votes=2)

    def at(time_s: float, name: str) -> dict[str, str]:
        return tracker.look(Frame(scene(name).image, 0, name, time_s), settled=False).table

    at(0.0, "middle")
    assert at(0.1, "middle") == scene("middle").table
    assert at(0.1 + 0.9 * AUDIT_S, "late") == scene("middle").table
    for frame in range(3):
        seen = at(0.2 + 1.1 * AUDIT_S + frame / 10, "late")
    assert seen == scene("late").table


def test_an_audit_of_an_unchanged_table_changes_nothing() -> None:
    tracker = Tracker(stonehenge(), quiet_frames=1, votes=1)
    shot = scene("late")
    for time_s in (0.0, 0.1, 2 * AUDIT_S, 4 * AUDIT_S):
        seen = tracker.look(Frame(shot.image, 0, "late", time_s), settled=False)
        assert seen.table == shot.table
        assert not seen.occluded


BLUE, WHITE = (-38.8, 34.9), (-20.5, 44.0)


@pytest.fixture(scope="module")
def circle() -> Box:
    return load_box("stonehenge_anthology").for_game("erbaut_stonehenge")


@pytest.fixture(scope="module")
def camera(circle: Box) -> Camera:
    return Camera.over(circle, seed=3)


def seen(tracker: Tracker, picture: Picture, number: int) -> Sighting:
    return tracker.look(Frame(picture, number, "", float(number)), settled=True)


def beside(table: VirtualTable, disc: Piece, apart_mm: float, angle: float) -> None:
    """Push a disc on D9 so far towards the blue one on D8, and turn it, in deg."""
    dx, dy = WHITE[0] - BLUE[0], WHITE[1] - BLUE[1]
    share = apart_mm / math.hypot(dx, dy)
    x, y = BLUE[0] + dx * share, BLUE[1] + dy * share
    table.knock(disc.id, x - disc.at[0], y - disc.at[1], angle)


@pytest.mark.parametrize(
    ("apart_mm", "angle"),
    [
        (14.5, 0),
        pytest.param(15.0, 30, marks=pytest.mark.thorough),
        pytest.param(15.5, 60, marks=pytest.mark.thorough),
        (16.0, 84),
    ],
)
def test_a_sticker_that_touches_a_dark_piece_is_read(
    circle: Box, camera: Camera, apart_mm: float, angle: float
) -> None:
    table, tracker = VirtualTable(circle, seed=1), Tracker(circle)
    table.move(table.put("disc blue", "D8", jitter=False).id, *BLUE)
    seen(tracker, camera.render(table), 0)
    beside(table, table.put("disc white", "D9", jitter=False), apart_mm, angle)
    told = seen(tracker, camera.render(table), 1).table
    assert (told.get("D8"), told.get("D9")) == ("disc blue", "disc white")


@pytest.mark.parametrize(
    "kind", ["disc white", pytest.param("disc green", marks=pytest.mark.thorough)]
)
def test_a_piece_that_nobody_can_read_never_becomes_a_part_of_the_board(
    circle: Box, camera: Camera, kind: str
) -> None:
    table, tracker = VirtualTable(circle, seed=1), Tracker(circle)
    table.move(table.put("disc blue", "D8", jitter=False).id, *BLUE)
    bare = camera.render(table)
    for number in range(3):
        assert seen(tracker, bare, number).sites["D9"].best == EMPTY
    beside(table, table.put(kind, "D9", jitter=False), 12.5, 20)
    half_covered = camera.render(table)
    for number in range(3, 15):
        sighting = seen(tracker, half_covered, number)
        assert sighting.sites["D9"].occluded, f"taken for the board in look {number}"
    assert not seen(tracker, bare, 15).sites["D9"].occluded


@pytest.mark.parametrize("height", [1, 10])
def test_a_card_of_which_half_a_sticker_shows_below_a_pile_may_be_any(height: int) -> None:
    box = load_box("dominion")
    camera, table, tracker = Camera.over(box, seed=3), VirtualTable(box, seed=2), Tracker(box)
    pile = box.sites["k6"]
    village = table.put("village", "play-p1", jitter=False)
    table.move(village.id, -260, 60)
    seen(tracker, camera.render(table), 0)
    smithy = table.put("smithy", "play-p1", jitter=False)
    table.move(smithy.id, pile.at[0] - 30, pile.at[1])
    for _ in range(height):
        table.move(table.put("militia", pile.id, jitter=False).id, *pile.at)
    picture = camera.render(table)
    for number in range(1, 4):
        sighting = seen(tracker, picture, number)
    belief = sighting.sites["play-p1"]
    assert belief.best == (Glimpse("village"),)
    assert belief.unread
    assert belief.score((Glimpse("smithy"), Glimpse("village"))) == UNREAD


@pytest.mark.parametrize("unread", [False, True])
def test_a_turn_with_a_card_that_nobody_could_read_is_asked_and_not_guessed(unread: bool) -> None:
    table = Table("smithy copper×4 / silver copper×4", "copper×5 / copper×2 estate×3")
    match = begun(table)
    box = load_box("dominion")
    before = draw(box, match.layout)
    coins: Look = (*(Glimpse("copper"),) * 4, Glimpse("silver"))
    more = {
        tuple(sorted((*coins, Glimpse(kind.id)))): UNREAD
        for kind in box.kinds_at("play-p0")
        if unread
    }
    sites = {
        **before.sites,
        "play-p0": SiteBelief({coins: 0.0, **more}, unread=unread),
        "discard-p0": SiteBelief({(Glimpse("gold"),): 0.0}),
    }
    reading = read(match, replace(before, sites=sites))
    turns = [[m.text for m in c.moves if m.verb in ("play", "buy")] for c in reading.candidates]
    bought = ["p0 play copper"] * 4 + ["p0 play silver", "p0 buy gold"]
    if unread:
        assert reading.status is Status.AMBIGUOUS
        assert ["p0 play smithy", *bought] in turns
        assert bought in turns
    else:
        assert reading.status is Status.MOVE
        assert turns == [bought]
