"""Sightings besides kinds, beside the truth of the virtual table: millimetres of strays, standing
and lying, trilithons astride two fields, piles from above, pieces before players."""

from __future__ import annotations

import math
from functools import lru_cache

import pytest

from companion.simulator import Camera, VirtualTable
from rules.box import Box, load_box
from rules.reading.sighting import Glimpse
from tests.support.sweep import widely
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
