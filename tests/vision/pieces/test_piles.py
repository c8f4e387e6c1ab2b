"""Pieces beside, on and below each other."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

import cv2
import numpy as np
import pytest

from companion.simulator import Camera, VirtualTable
from rules.box import Box, Stroke, load_box
from rules.core import Layout, Move
from rules.reading.reading import Status, read
from rules.reading.sighting import EMPTY, Glimpse, Look
from tests.support.dominion_table import Table, begun
from tests.support.scenes.go_board import STONES, go_board, wood
from vision.arrays import Bools, Picture, Points, points
from vision.board.masks import Masks
from vision.camera.sources import Frame
from vision.pieces.board_light import BoardLight
from vision.pieces.dense_pieces import crowded
from vision.pieces.outlines import outlines_of
from vision.pieces.reader import PieceReader
from vision.pieces.sighting import BENEATH, Sighting
from vision.stickers.reader import SeenSticker, StickerReader
from vision.tracker import Tracker

AREA = "play-p0"


@pytest.fixture(scope="module")
def camera() -> Camera:
    return Camera.over(load_box("dominion"), seed=3)


class Scene:
    """A mat with cards on it, and an eye that looks at it from time to time."""

    def __init__(self, camera: Camera, box: Box | None = None) -> None:
        box = box or load_box("dominion")
        self.camera, self.tracker = camera, Tracker(box)
        self.table = VirtualTable(box, seed=2)
        self.number = 0

    def look(self) -> Sighting:
        self.number += 1
        frame = Frame(self.camera.render(self.table), self.number, "", float(self.number))
        return self.tracker.look(frame, settled=True)

    def lay(self, kind: str, site: str, x: float, y: float) -> int:
        """A card with its middle at a point of the board, in mm."""
        piece = self.table.put(kind, site, jitter=False)
        return self.table.move(piece.id, x, y).id


def cards(*kinds: str) -> Look:
    return tuple(sorted(Glimpse(kind) for kind in kinds))


def test_a_card_whose_sticker_another_covers_may_lie_there_still(camera: Camera) -> None:
    scene = Scene(camera)
    scene.lay("village", AREA, -60, -205)
    scene.lay("smithy", AREA, 60, -205)
    scene.look()
    scene.lay("copper", AREA, -52, -200)
    seen = scene.look().sites[AREA]
    assert seen.best == cards("smithy", "copper")
    assert seen.score(cards("village", "smithy", "copper")) == BENEATH
    # The smithy lies open; if it were there it would not have been overlooked.
    assert seen.score(cards("village", "copper")) < -5
    for _ in range(4):
        seen = scene.look().sites[AREA]
    assert seen.score(cards("village", "smithy", "copper")) == BENEATH


def test_what_the_record_no_longer_has_there_was_taken_away(camera: Camera) -> None:
    scene = Scene(camera)
    village = scene.lay("village", AREA, -60, -205)
    scene.tracker.expect({AREA: ["village"]})
    scene.look()
    scene.table.put_back(village)
    scene.lay("copper", AREA, -60, -205)
    # The copper cannot be seen on it until the record says where it went.
    assert scene.look().sites[AREA].score(cards("village", "copper")) == BENEATH
    scene.tracker.expect({AREA: ["copper"], "trash": ["village"]})
    assert scene.look().sites[AREA].score(cards("village", "copper")) < -5


def test_what_lay_below_is_forgotten_when_the_place_is_bare(camera: Camera) -> None:
    scene = Scene(camera)
    village = scene.lay("village", AREA, -60, -205)
    scene.look()
    copper = scene.lay("copper", AREA, -60, -205)
    assert scene.look().sites[AREA].score(cards("village", "copper")) == BENEATH
    scene.table.put_back(copper)
    scene.table.put_back(village)
    scene.look()
    scene.lay("silver", AREA, -60, -205)
    seen = scene.look().sites[AREA]
    assert seen.best == cards("silver")
    assert seen.score(cards("village", "silver")) < -5


def test_a_card_that_comes_to_light_again_is_one_card(camera: Camera) -> None:
    scene = Scene(camera)
    scene.lay("village", AREA, -60, -205)
    scene.look()
    copper = scene.lay("copper", AREA, -60, -205)
    scene.look()
    scene.table.put_back(copper)
    seen = scene.look().sites[AREA]
    assert seen.best == cards("village")
    assert seen.score(cards("village", "village")) < -5


def test_a_card_taken_away_while_another_is_laid_elsewhere_is_gone(camera: Camera) -> None:
    scene = Scene(camera)
    village = scene.lay("village", AREA, -60, -205)
    scene.look()
    scene.table.put_back(village)
    scene.lay("copper", AREA, 60, -205)
    seen = scene.look().sites[AREA]
    assert seen.best == cards("copper")
    assert seen.score(cards("village", "copper")) < -5


def test_on_a_pile_the_uppermost_card_is_all_that_is_asked_for(camera: Camera) -> None:
    scene = Scene(camera)
    scene.table.put("estate", "discard-p0", jitter=False)
    scene.look()
    scene.table.put("copper", "discard-p0", jitter=False)
    seen = scene.look().sites["discard-p0"]
    assert seen.best == cards("copper")
    assert seen.score(cards("copper", "estate")) < -5


def test_a_card_played_onto_another_is_that_move_and_no_breach(camera: Camera) -> None:
    scene = Scene(camera)
    match = begun(Table("village copper copper / estate×5", "copper×5"))
    match.push(Move.parse("p0 play village"))
    match.deal()
    wanted = Layout(match.state.layout())
    scene.table.set_layout(wanted)
    assert read(match, scene.look()).status is Status.SETTLED
    (village,) = scene.table.at(AREA)
    copper = scene.table.put("copper", AREA, jitter=False)
    scene.table.move(copper.id, *village.at)
    reading = read(match, scene.look())
    assert (reading.status, [m.text for m in reading.moves]) == (Status.MOVE, ["p0 play copper"])
    match.push(reading.moves[0])
    assert read(match, scene.look()).status is Status.SETTLED
    assert scene.look().sites[AREA].best != EMPTY


def test_pillars_that_a_capstone_is_laid_on_may_stand_there_still() -> None:
    box = load_box("stonehenge_anthology").for_game("erbaut_stonehenge")
    scene = Scene(Camera.over(box, seed=3), box)
    pillars = [scene.table.put("pillar", "C1", jitter=False) for _ in range(2)]
    assert scene.look().sites["C1"].best == cards("pillar", "pillar")
    capstone = scene.table.put("trilithon green", "C1", jitter=False)
    between = sum(pillar.at[0] for pillar in pillars) / 2
    scene.table.move(capstone.id, between, pillars[0].at[1])
    seen = scene.look().sites["C1"]
    assert seen.best == cards("trilithon green")
    assert seen.score(cards("pillar", "pillar", "trilithon green")) == BENEATH
    scene.table.move(capstone.id, between, pillars[0].at[1] - 40)
    assert scene.look().sites["C1"].best == cards("pillar", "pillar", "trilithon green")


SIZE = (1280, 960)
PATCH = ("G10", "G11", "H10", "H11")
"""Empty sites in the sun."""


@cache
def table() -> tuple[Box, dict[str, str], Picture]:
    """A go board with touching stones on three of five sites, and what a camera sees of it."""
    box, random = go_board(), Random(915)
    stones = {
        site: random.choice(list(STONES.values()))
        for site in box.sites if site not in PATCH and random.random() < 0.6
    }  # fmt: skip
    virtual = VirtualTable(box, seed=915)
    for site, kind in stones.items():
        virtual.put(kind, site)
    return box, stones, Camera.over(box, *SIZE, seed=915).render(virtual)


@cache
def first() -> tuple[Tracker, Sighting]:
    """A tracker after its first picture of that table, and what it saw."""
    tracker = Tracker(table()[0])
    return tracker, tracker.look(Frame(table()[2], 0, "", 0.0), settled=True)


def told(sighting: Sighting) -> dict[str, str]:
    """The kind that surely lies at each site, and ``?`` where it is not known."""
    return {
        site: "?" if belief.occluded else belief.best[0].kind
        for site, belief in sighting.sites.items()
        if belief.occluded or belief.best != EMPTY
    }


def test_touching_stones_are_told_apart_in_the_first_picture() -> None:
    _, stones, _ = table()
    found = told(first()[1])
    wrong = {s: k for s, k in found.items() if k not in ("?", stones.get(s))}
    assert not wrong and not stones.keys() - found.keys()
    assert sum(found.get(s) == k for s, k in stones.items()) >= 0.97 * len(stones)


def test_sun_on_bare_wood_is_no_white_stone() -> None:
    box, stones, image = table()
    pose = first()[1].pose
    assert pose is not None
    px = pose.project(np.array([box.sites[site].at for site in PATCH]))
    sunny = image.copy()
    hull = cv2.convexHull(np.round(px).astype(np.int32))
    cv2.fillConvexPoly(sunny, hull, (235, 250, 255))
    cv2.polylines(sunny, [hull], True, (235, 250, 255), round(14 * pose.px_per_mm()))
    sunny = np.asarray(cv2.GaussianBlur(sunny, (0, 0), 1.0), dtype=np.uint8)
    found = told(Tracker(box).look(Frame(sunny, 0, "", 0.0), settled=True))
    assert {site: found.get(site, "?") for site in PATCH} == dict.fromkeys(PATCH, "?")
    assert all(found.get(site) in ("?", kind) for site, kind in stones.items())


def test_a_dark_arm_among_touching_stones_takes_only_what_it_may_hide() -> None:
    plain, stones, image = table()
    box = replace(plain, outline=wood({site.id: site.at for site in plain.sites.values()}))
    pose = first()[1].pose
    assert pose is not None
    arm_mm = np.array([(-40.0, -300.0), (50.0, -300.0), (30.0, 20.0), (0.0, 40.0), (-25.0, 10.0)])
    arm = np.round(pose.project(arm_mm)).astype(np.int32)
    reached = cv2.fillPoly(image.copy(), [arm], (33, 26, 22))
    seen = Tracker(box).look(Frame(np.asarray(reached), 0, "", 0.0), settled=True)
    away = {
        site for site in stones
        if cv2.pointPolygonTest(arm_mm.astype(np.float32), box.sites[site].at, True) < -15
    }  # fmt: skip
    found = told(seen)
    assert seen.hand and all(found.get(site, "?") in ("?", stones.get(site)) for site in found)
    assert sum(found.get(site) == stones[site] for site in away) > 0.93 * len(away)


@pytest.fixture(scope="module")
def on_cloth() -> tuple[Box, Picture, Points]:
    """The board on a cloth of white stones' colour, its picture, and where its pixels are, mm."""
    plain, stones, image = table()
    ends = {site.id: site.at for site in plain.sites.values()}
    pose = first()[1].pose
    assert pose is not None
    rows, columns = np.indices(image.shape[:2])
    mm = pose.on_board(np.column_stack([columns.ravel(), rows.ravel()]).astype(np.float64))
    low, high = np.array(list(ends.values())).min(axis=0), np.array(list(ends.values())).max(axis=0)
    cloth = ((mm < low - 8) | (mm > high + 8)).any(axis=1)
    for at, reach in [(ends[site], 14.0) for site in stones] + [
        (c.at, 34.0) for c in plain.corners
    ]:
        cloth &= np.hypot(*(mm - np.array(at)).T) > reach
    laid = image.copy()
    laid.reshape(-1, 3)[cloth] = (225, 230, 232)
    return replace(plain, outline=wood(ends)), laid, mm


def test_stones_at_the_rim_are_told_on_a_cloth_of_their_colour(
    on_cloth: tuple[Box, Picture, Points],
) -> None:
    box, laid, _ = on_cloth
    found = told(Tracker(box).look(Frame(laid, 0, "", 0.0), settled=True))
    stones, at = table()[1], np.array([site.at for site in box.sites.values()])
    low, high = at.min(axis=0), at.max(axis=0)
    rim = [
        s for s in stones
        if (np.isclose(box.sites[s].at, low) | np.isclose(box.sites[s].at, high)).any()
    ]  # fmt: skip
    assert all(found.get(site) in ("?", kind) for site, kind in stones.items())
    assert sum(found.get(site) == stones[site] for site in rim) >= 0.9 * len(rim)


def test_a_side_of_the_table_over_which_a_hand_comes_in_is_not_known_by_its_look(
    on_cloth: tuple[Box, Picture, Points], monkeypatch: pytest.MonkeyPatch
) -> None:
    box, laid, mm = on_cloth
    tables: list[Bools] = []

    def recorded(light: BoardLight, outline: Points) -> Bools:
        tables.append(like_table(light, outline).reshape(light.log.shape[:2]))
        return tables[-1].ravel()

    like_table = BoardLight.like_table
    monkeypatch.setattr(BoardLight, "like_table", recorded)
    hand = laid.copy()
    left = min(site.at[0] for site in box.sites.values())
    hand.reshape(-1, 3)[np.hypot(mm[:, 0] - (left - 60), mm[:, 1]) < 65] = (165, 180, 215)
    for picture in (laid, hand):
        Tracker(box).look(Frame(picture, 0, "", 0.0), settled=True)
    free, below = (table[:, : table.shape[1] // 20].mean() for table in tables)
    assert free > 0.3
    assert below < 0.1
    assert tables[1][:, -(tables[1].shape[1] // 20) :].mean() > 0.3


def test_what_looks_as_before_is_not_looked_at_again() -> None:
    tracker, before = first()
    again = tracker.look(Frame(table()[2], 1, "", 1.0), settled=True)
    assert len(before.bare) > 100 and all(
        one.body_mm is other.body_mm for one, other in zip(before.bare, again.bare, strict=True)
    )


def test_only_sites_whose_pieces_may_touch_are_explained_jointly() -> None:
    box = go_board()
    outlines = {site: outlines_of(list(box.kinds.values())) for site in box.sites}
    assert set(crowded(box, outlines)) == set(box.sites)
    far = load_box("knizia_stonehenge")
    stones = outlines_of([kind for kind in far.kinds.values() if kind.group == "stone"])
    assert not crowded(far, dict.fromkeys(far.sites, stones))


def test_sites_printed_in_a_colour_of_their_own_have_rims_without_any_piece() -> None:
    box = load_box("stonehenge_anthology").for_game("opferroulette")
    discs = [kind for kind in box.kinds.values() if kind.group == "disc"]
    sites = [site.id for site in box.printed_sites if "disc" in site.takes and site.room == 1]
    assert len(sites) >= 60
    assert not crowded(box, dict.fromkeys(sites, outlines_of(discs)))


def test_what_is_painted_where_pieces_may_touch_is_no_piece() -> None:
    plain = go_board()
    star = [(11, 0), (6, 6), (0, 11), (-6, 6), (-11, 0), (-6, -6), (0, -11), (6, -6)]
    painted = [
        Stroke("polygon", "rose", tuple((x + dx, y + dy) for dx, dy in star), "#3a2018")
        for x, y in (plain.sites[site].at for site in ("D4", "K10", "Q16"))
    ]
    box = replace(plain, strokes=(*plain.strokes, *painted))
    virtual = VirtualTable(box, seed=5)
    stones = {"K10": "stone white", "E4": "stone black", "P16": "stone black"}
    for site, kind in stones.items():
        virtual.put(kind, site)
    seen = told(Tracker(box).look(
        Frame(Camera.over(box, *SIZE, seed=5).render(virtual), 0, "", 0.0), settled=True
    ))  # fmt: skip
    assert seen == stones


def test_a_part_of_a_sticker_that_reads_like_another_one_is_no_card() -> None:
    # Half of a Mine's sticker reads like an Adventurer's, bit by bit.
    box = load_box("dominion")
    table, tracker = VirtualTable(box, seed=1), Tracker(box)
    table.put("mine", "discard-p1", jitter=False)
    image = Camera.over(box, seed=1).render(table)
    (mine,) = tracker.look(Frame(image, 0, "", 0.0), settled=True).pieces
    pose = tracker.pose
    assert pose is not None and mine.kind == "mine"
    reader = StickerReader(box)
    grid = (round(box.size[0] / 2), round(box.size[1] / 2))
    standing = PieceReader(box, reader, Masks(box, grid)).standing
    one, two, three, four = mine.corners_px
    share = 0.58  # larger than a half, and so as large as a sticker may look
    half = points(np.array([one, one + share * (two - one), four + share * (three - four), four]))
    adventurer = box.kinds["adventurer"].stickers[0]
    assert standing.place(pose, [SeenSticker(adventurer, half)]) == []
    (whole,) = standing.place(pose, [SeenSticker(adventurer, mine.corners_px)])
    assert whole.site == "discard-p1"
