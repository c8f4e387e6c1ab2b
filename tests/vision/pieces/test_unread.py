"""Stickers that are hard to read, and unreadable pieces: what is then said of a site."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from companion.simulator import Camera, VirtualTable
from companion.simulator.objects import Piece
from rules.box import Box, load_box
from rules.reading.reading import Status, read
from rules.reading.sighting import EMPTY, Glimpse, Look, SiteBelief
from rules.testing.pictures import draw
from tests.support.dominion_table import Table, begun
from vision.arrays import Picture
from vision.camera.sources import Frame
from vision.pieces.sighting import UNREAD, Sighting
from vision.tracker import Tracker

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
