"""Sightings against what lies there: every game, and pieces in any place."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from random import Random

import pytest

from companion.simulator import Camera, VirtualTable
from rules.box import Box, load_box
from rules.core import Layout, Move
from rules.games import find_game
from rules.match import Match
from rules.reading.reading import MISSING, Reading, Status, read
from rules.reading.sighting import EMPTY, Glimpse, Look, looks
from rules.reading.ways_out import ways_out
from tests.support.positions import referee_positions
from tests.support.sweep import widely
from tests.support.watched import WATCHED
from vision.camera.sources import Frame
from vision.pieces.sighting import Sighting
from vision.tracker import Tracker

SIZE = (1600, 1200)


@lru_cache(maxsize=2)
def over(box_id: str) -> Camera:
    """One camera per box; drawing the board takes longest."""
    return Camera.over(load_box(box_id), *SIZE, seed=4)


def at_table(box_id: str, game_id: str) -> tuple[VirtualTable, Camera, Box]:
    """A bare table of a game's box, and a camera above it."""
    box = load_box(box_id).for_game(game_id)
    return VirtualTable(box, seed=9), over(box_id), box


def seen(table: VirtualTable, camera: Camera) -> Sighting:
    """The first look at a table."""
    return Tracker(table.box).look(Frame(camera.render(table), 0, "", 0.0), True)


def test_pieces_between_the_sites_are_reported_with_their_millimetres() -> None:
    table, camera, box = at_table("dolmengoetter", "dolmengoetter")
    truth = {}
    for kind, at in (
        ("stone red", (0.0, -178.0)),
        ("druid blue", (176.0, -40.0)),
        ("dolmen green back", (60.0, 178.0)),
    ):
        piece = next(p for p in table.pieces if kind in (p.kind, box.kinds[p.kind].back))
        if kind != piece.kind:
            table.turn_over(piece.id)
        moved = table.move(piece.id, *at)
        assert moved.site is None, (kind, moved.site)
        truth[kind] = at
    sighting = seen(table, camera)
    for kind, at in truth.items():
        near = [s for s in sighting.strays if s.kind == kind and math.dist(s.at_mm, at) < 1.5]
        assert len(near) == 1, (kind, sighting.strays)
    assert not sighting.table


def test_druids_stand_and_lie() -> None:
    table, camera, box = at_table("dolmengoetter", "dolmengoetter")
    sites = [s for s in box.sites if "druid" in box.sites[s].takes][:4]
    poses = ("standing", "lying", "lying", "standing")
    for site, pose in zip(sites, poses, strict=True):
        table.put("druid red", site, pose=pose)
    sighting = seen(table, camera)
    for site, pose in zip(sites, poses, strict=True):
        assert sighting.sites[site].best == (Glimpse("druid red", pose),), (site, pose)


@pytest.mark.parametrize("site", widely(["track-8", "track-30", "track-1", "track-16"], most=1))
def test_a_trilithon_astride_two_fields_is_at_its_track_site(site: str) -> None:
    table, camera, _ = at_table("stonehenge_anthology", "trilithen_knallen")
    table.put("trilithon blue", site)
    sighting = seen(table, camera)
    assert sighting.table == {site: "trilithon blue"}
    piece = next(p for p in sighting.pieces if p.site == site)
    assert math.dist(piece.at_mm, table.at(site)[0].at) < 3.0


def test_a_pile_shows_its_top_and_how_high_it_is() -> None:
    table, camera, box = at_table("stonehenge_anthology", "opferroulette")
    piles = {"3-day": ("white", "red", "blue"), "11-night": ("green",), "20-day": ("red", "white")}
    for site, colours in piles.items():
        for colour in colours:
            table.put(f"disc {colour}", site, jitter=False)
    sighting = seen(table, camera)
    assert sighting.table == {site: f"disc {colours[-1]}" for site, colours in piles.items()}
    for site, colours in piles.items():
        top = next(p for p in sighting.pieces if p.site == site)
        assert math.dist(top.at_mm, box.sites[site].at) < 3.0
        # Two discs more or less are what a sticker's size can tell.
        assert abs(top.height_mm - 5.0 * len(colours)) <= 10.0


def test_what_lies_before_a_player_is_in_his_area() -> None:
    table, camera, _ = at_table("stonehenge_anthology", "erbaut_stonehenge")
    table.put("card d7", "p1-area")
    table.put("disc green", "p4-area")
    table.put("card n3", "display")
    sighting = seen(table, camera)
    assert sighting.table["p1-area"] == "card d7"
    assert sighting.table["p4-area"] == "disc green"
    assert sighting.table["display"] == "card n3"


def test_spare_pieces_wait_at_no_site() -> None:
    table, camera, _ = at_table("stonehenge_anthology", "erbaut_stonehenge")
    sighting = seen(table, camera)
    assert not sighting.table


POSITIONS = 3
LARGE_AND_SMALL = ("dominion", "dolmengoetter")
"""The quick run holds hands over these: cards, and a board of small discs."""


@lru_cache(maxsize=4)
def stage(box: Box) -> tuple[VirtualTable, Camera]:
    """One table and camera per game, whose cards lie where it says: drawing the board takes
    longest."""
    return VirtualTable(box, seed=3), Camera.over(box, seed=5)


def game_box(game_id: str) -> Box:
    """The box with the sites of one game."""
    return load_box(find_game(game_id).box).for_game(game_id)


@lru_cache(maxsize=8)
def positions(game_id: str) -> list[tuple[Match, str]]:
    """Some positions of random matches, with what was played there."""
    every = [p for seed in (1, 2, 3) for p in referee_positions(game_id, seed)]
    return Random(game_id).sample(every, POSITIONS)


def shown(tracker: Tracker, layout: Layout, hand: tuple[float, float] | None = None) -> Sighting:
    """The sighting of a layout, under a hand whose finger tips are at ``hand`` (mm)."""
    table, camera = stage(tracker.box)
    table.set_layout(layout)
    table.hand = None if hand is None else table.reaching(*hand)
    frame = Frame(camera.render(table), 0, "virtual", 0.0)
    table.hand = None
    return tracker.look(frame, settled=True)


def kinds(look: Look) -> list[str]:
    """The kinds of a look; not every game tells poses."""
    return [glimpse.kind for glimpse in look]


@pytest.mark.parametrize("game_id", widely(WATCHED, most=3))
def test_positions_are_read_as_they_are(game_id: str, thorough: bool) -> None:
    box = game_box(game_id)
    for number, (match, _) in enumerate(positions(game_id)[: None if thorough else 1]):
        sighting = shown(Tracker(box), match.layout)
        assert sighting.board == "found"
        assert not sighting.hand, number
        wanted = looks(match.layout)
        for name, belief in sighting.sites.items():
            if box.is_beside_board(box.sites[name]):
                continue
            want = wanted.get(name, EMPTY)
            assert not belief.occluded, (number, name, want)
            assert kinds(belief.best) == kinds(want), (number, name)
            assert belief.score(want) == 0.0, (number, name, want, belief)
        reading = read(match, sighting)
        if reading.status is not Status.SETTLED:
            may_be_played_out_of_sight(match, sighting, reading)


def may_be_played_out_of_sight(match: Match, sighting: Sighting, reading: Reading) -> None:
    """Asserts that behind a piece there is room for what is due: nobody sees whether it lies there.
    Nothing is concluded, what it may have been is offered, and one touch settles it."""
    assert (reading.status, reading.doubt) == (Status.PENDING, MISSING)
    ways = ways_out(match, sighting)
    assert ways is not None
    wanted = looks(match.layout)
    for way in ways.candidates:
        after = played_out(match, way.moves)
        then = looks(after.layout)
        changed = (sighting.sites[s] for s in wanted.keys() | then if wanted.get(s) != then.get(s))
        behind = [b for b in changed if any(len(x) > len(b.best) > 0 for x in b.plausible)]
        assert behind, way
        assert read(after, sighting).status is Status.SETTLED, way


@pytest.mark.parametrize("game_id", widely(WATCHED, most=2))
def test_a_move_is_read_or_asked_about_and_never_taken_for_another(game_id: str) -> None:
    match, played = positions(game_id)[-1]
    tracker = Tracker(game_box(game_id))
    shown(tracker, match.layout)
    after = match.clone()
    after.push(played)
    while (dealt := after.next_chance()) is not None:
        after.push(dealt)
    sighting = shown(tracker, after.layout)
    assert not sighting.hand
    reading = read(match, sighting)
    wanted = looks(after.layout)
    if reading.status is Status.MOVE:
        assert looks(played_out(match, reading.moves).layout) == wanted, (played, reading)
    elif reading.status is Status.AMBIGUOUS:
        ends = [
            looks(played_out(match, c.moves).layout) for c in reading.candidates if not c.takeback
        ]
        assert wanted in ends, (played, reading)
    elif reading.status in (Status.SETTLED, Status.PENDING):
        assert wanted == looks(match.layout), (played, reading)
    else:
        assert reading.status is Status.UNCLEAR, (played, reading)


def played_out(match: Match, moves: Iterable[Move]) -> Match:
    """The match after ``moves``."""
    trial = match.clone()
    for move in moves:
        trial.push(move)
    return trial


@pytest.mark.parametrize(
    "game_id",
    [
        pytest.param(game_id, marks=() if game_id in LARGE_AND_SMALL else pytest.mark.thorough)
        for game_id in WATCHED
    ],
)
def test_a_hand_over_the_board_is_a_hand(game_id: str) -> None:
    match, _ = positions(game_id)[-1]
    box = game_box(game_id)
    reach = (0.1 * box.size[0], -0.15 * box.size[1])
    assert shown(Tracker(box), match.layout, hand=reach).hand
