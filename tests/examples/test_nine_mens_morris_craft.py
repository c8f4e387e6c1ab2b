"""What computer players know of Nine Men's Morris."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from rules.core import Game, Move
from rules.players import Budget, SeatView, find_player
from rules.players.craft import craft_of
from tests.support.morris import position

HANDS = "a7 g7 d5 e4"
"""Black stones that neither have a mill nor are about to close one."""


def hope(game: Game[Any], white: str, black: str = HANDS, turn: int = 1, hand: int = 0) -> float:
    """What white may hope for."""
    data = position(game, white, black).to_json()
    state = game.from_json({**data, "turn": turn, "hand": [hand, hand]})
    return craft_of(game).estimate(state)[0]


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("a1 d1 g1 b4", "a1 d2 g1 b4"),
        ("a1 d1 g1 b2 f2", "a1 d1 g1 b2 f4"),
        ("d2 b4 f4 e3", "a1 d1 g1 g4"),
    ],
    ids=["a mill", "a double mill", "room to move"],
)
def test_at_a_look_more_is_hoped_for(morris: Game[Any], better: str, worse: str) -> None:
    assert hope(morris, better) > hope(morris, worse)


def test_whose_turn_it_is_decides_what_an_open_mill_is_worth(morris: Game[Any]) -> None:
    white = "a1 d1 g4 b4"
    assert hope(morris, white, turn=0) > hope(morris, white, turn=1) + 0.1


def test_crossings_are_worth_more_than_corners_while_stones_are_placed(morris: Game[Any]) -> None:
    assert hope(morris, "d2 b4", "g7", hand=5) > hope(morris, "a1 c5", "g7", hand=5)


def test_both_seats_hope_for_one_victory(morris: Game[Any]) -> None:
    state = position(morris, "a1 d1 g4 b4", HANDS)
    assert sum(craft_of(morris).estimate(state)) == pytest.approx(1.0)


def test_only_the_master_judges_at_a_look(morris: Game[Any]) -> None:
    craft = craft_of(morris)
    assert craft.as_known_by("archdruid") is craft
    for level in ("druid", "apprentice"):
        assert craft.as_known_by(level).horizon > craft.horizon


def test_the_master_goes_from_mill_to_mill(morris: Game[Any]) -> None:
    state = position(morris, "a1 d1 g1 b2 f2", "a7 g7 d5 e4 c5")
    options = morris.complete_options(2, {})
    view = SeatView(morris.id, 2, options, False, 0, state.view(0), ())
    master = find_player("archdruid")
    choice = master.choose(view, state.legal_moves(), Budget(playouts=200), Random(1))
    assert choice.move == Move.parse("p0 move d1 d2")
    assert choice.why.code == "closes"
    assert choice.chance > 0.7
