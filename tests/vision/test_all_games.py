"""Every game on its board, as the virtual table shows it: the positions of random matches are
read as they are, a hand is a hand, and a move is that move or a question.

Sites beside the board are not compared one by one: spare pieces and piles lie about there, partly
out of the picture, and many games do not record them. What they do record there must be read
well enough for the reading to be settled.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from random import Random

import pytest

from companion.simulator import Camera, VirtualTable
from rules.box import Box, load_box
from rules.core import Layout, Move
from rules.games import find_game, game_ids
from rules.match import Match
from rules.reading.reading import Status, read
from rules.reading.sighting import EMPTY, Look, looks
from tests.support.positions import referee_positions
from tests.support.sweep import widely
from vision.camera.sources import Frame
from vision.pieces.sighting import Sighting
from vision.tracker import Tracker

POSITIONS = 3
LARGE_AND_SMALL = ("dominion", "dolmengoetter")
"""The quick run holds hands over these: cards, and a board of small discs."""


@lru_cache(maxsize=4)
def stage(box: str) -> tuple[VirtualTable, Camera]:
    """One table and camera per box: drawing the board takes longest."""
    whole = load_box(box)
    return VirtualTable(whole, seed=3), Camera.over(whole, seed=5)


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
    table, camera = stage(tracker.box.id)
    table.set_layout(layout)
    table.hand = None if hand is None else table.reaching(*hand)
    frame = Frame(camera.render(table), 0, "virtual", 0.0)
    table.hand = None
    return tracker.look(frame, settled=True)


def kinds(look: Look) -> list[str]:
    """The kinds of a look; not every game tells poses."""
    return [glimpse.kind for glimpse in look]


@pytest.mark.parametrize("game_id", widely(game_ids(), most=3))
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
        assert reading.status is Status.SETTLED, (number, reading)


@pytest.mark.parametrize("game_id", widely(game_ids(), most=2))
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
        for game_id in game_ids()
    ],
)
def test_a_hand_over_the_board_is_a_hand(game_id: str) -> None:
    match, _ = positions(game_id)[-1]
    box = game_box(game_id)
    reach = (0.1 * box.size[0], -0.15 * box.size[1])
    assert shown(Tracker(box), match.layout, hand=reach).hand
