"""Nine Men's Morris on the screen: what may be taken up looks different from where it may go."""

from __future__ import annotations

from typing import Any

import pytest

from companion.presentation.players import player_of
from companion.presentation.scene import scene_of
from companion.presentation.touching import Finger, Picked, Play
from rules.box import load_box
from rules.core import Game
from rules.match import Match
from rules.telling import Teller
from tests.support.morris import PLACED, placed
from tests.support.ui_harness import view_of


@pytest.fixture
def moving(morris: Game[Any]) -> Match:
    match = placed(morris, PLACED + " f6")
    match.push("p0 take b4")
    match.push("p1 place b4")
    return match


def test_stones_that_may_move_are_marked_otherwise_than_where_they_may_go(moving: Match) -> None:
    view = view_of(moving)
    scene = scene_of(view, Picked())
    assert scene.starts == scene.targets == {"a7", "b2", "c5", "d1", "d7", "f2", "f6", "g4"}
    held = scene_of(view, Picked(("c5",)))
    assert not held.starts
    assert held.targets == {"c4"}


def test_free_points_and_stones_to_be_taken_are_touched_once(morris: Game[Any]) -> None:
    placing = scene_of(view_of(placed(morris, "a1 b2")), Picked())
    assert len(placing.targets) == 22 and not placing.starts
    taking = scene_of(view_of(placed(morris, PLACED + " f6")), Picked())
    assert "b4" in taking.targets and not taking.starts


def test_what_is_left_to_place_is_told_as_long_as_there_is_something(moving: Match) -> None:
    teller = Teller(moving.game, "de", moving.colours)
    placing = view_of(placed(moving.game, "a1 b2 g7"))
    (counter,) = player_of(placing, teller, 1).supply.counters
    assert counter[1:] == (8, 9)
    assert player_of(view_of(moving), teller, 1).supply.counters == ()


def test_a_stone_is_moved_by_two_touches(moving: Match) -> None:
    view, box, finger = view_of(moving), load_box(moving.game.box), Finger()
    finger.learn(view)
    assert finger.touch_site(view, box, "d1") == Picked(("d1",))
    answer = finger.touch_site(view, box, "d2")
    assert isinstance(answer, Play) and answer.move.text == "p0 move d1 d2"
