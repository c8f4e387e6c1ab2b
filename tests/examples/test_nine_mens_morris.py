"""Nine Men's Morris, a game in a package of its own: rules, craft and screens."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.presentation.players import player_of
from companion.presentation.scene import scene_of
from companion.presentation.touching import Finger, Picked, Play
from rules.box import load_box
from rules.core import Game, Move, ScoreLine
from rules.match import Match
from rules.players import Budget, SeatView, find_player
from rules.players.craft import craft_of
from rules.players.levels import LEVELS, Searcher
from rules.telling import Teller
from rules.testing.conformance import check_game
from rules.testing.golden import differences
from rules.testing.playout import random_match
from tests.support.morris import PLACED, placed, position
from tests.support.second_morris import Second
from tests.support.ui_harness import view_of

GOLDEN = Path(__file__).parents[2] / "examples" / "nine_mens_morris" / "tests" / "golden"


def after(state: Any, *moves: str) -> Any:
    """The position after legal moves."""
    for text in moves:
        assert state.violations(Move.parse(text)) == [], text
        state.apply(Move.parse(text))
    return state


def codes(state: Any, move: str) -> list[str]:
    return [objection.code for objection in state.violations(Move.parse(move))]


def texts(state: Any) -> set[str]:
    return {move.text for move in state.legal_moves()}


# -- the rules ----------------------------------------------------------------------------------


def test_three_in_a_row_take_a_stone_before_anything_else(morris: Game[Any]) -> None:
    match = placed(morris, PLACED + " f6")
    assert match.prompt is not None and match.prompt.code == "take"
    assert codes(match.state, "p0 place g1") == ["take_first"]
    match.push("p0 take b4")
    assert match.scores == (1, 0)
    assert (match.state.supply(0), match.state.supply(1)) == (
        {},
        {"stone black": 1},
    )


def test_nothing_moves_before_all_stones_are_placed(morris: Game[Any]) -> None:
    match = placed(morris, "a1 a7")
    assert codes(match.state, "p0 move a1 a4") == ["still_placing"]


def test_a_stone_moves_one_point_along_a_line(morris: Game[Any]) -> None:
    state = position(morris, "a7 d7 f6 f4", "b4 g7 d5 e4")
    assert codes(state, "p0 move a7 g1") == ["not_next"]
    assert codes(state, "p0 move a7 d7") == ["occupied"]
    assert codes(state, "p0 move b4 a4") == ["not_yours"]
    assert codes(state, "p0 place a4") == ["all_placed"]
    assert texts(state) == {
        "p0 move a7 a4", "p0 move d7 d6", "p0 move f6 d6", "p0 move f4 g4", "p0 move f4 f2",
    }  # fmt: skip


def test_a_mill_takes_again_whenever_it_is_closed_again(morris: Game[Any]) -> None:
    state = position(morris, "f6 f4 f2 a7", "a1 b4 e3 c3 b2")
    after(state, "p0 move f6 d6", "p1 move c3 d3", "p0 move d6 f6")
    assert codes(state, "p0 move a7 d7") == ["take_first"]
    after(state, "p0 take a1")
    assert codes(state, "p0 take b4") == ["wrong_player"]


def test_a_stone_in_a_mill_is_safe_while_there_are_others(morris: Game[Any]) -> None:
    state = position(morris, "f4 f2 d6 a7", "a1 d1 g1 b4")
    after(state, "p0 move d6 f6")
    assert codes(state, "p0 take d1") == ["in_mill"]
    assert texts(state) == {"p0 take b4"}


def test_a_mill_may_lose_a_stone_if_there_is_nothing_else_to_take(morris: Game[Any]) -> None:
    state = position(morris, "f4 f2 d6 a7", "a1 d1 g1")
    after(state, "p0 move d6 f6")
    assert texts(state) == {"p0 take a1", "p0 take d1", "p0 take g1"}


@pytest.mark.parametrize(("option", "stones"), [("one", 1), ("two", 2)])
def test_two_mills_at_once_take_one_stone_or_two(
    morris: Game[Any], option: str, stones: int
) -> None:
    state = placed(morris, "d7 b6 g7 f2 a4 c3 a1 e5 a7", two_mills=option).state
    assert state.taking == stones
    after(state, *["p0 take b6", "p0 take f2"][:stones])
    assert state.turn == 1


@pytest.mark.parametrize("option", ["on", "off"])
def test_with_three_stones_one_flies_unless_the_option_says_no(
    morris: Game[Any], option: str
) -> None:
    state = position(morris, "a7 d7 f4", "b4 g7 d5 e4", flying=option)
    assert ("p0 move a7 g1" in texts(state)) == (option == "on")
    assert "p0 move a7 a4" in texts(state)


def test_with_two_stones_one_has_lost(morris: Game[Any]) -> None:
    state = position(morris, "f4 f2 d6 a7", "a1 d1 g4")
    after(state, "p0 move d6 f6", "p0 take a1")
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.reason, outcome.ranking, outcome.scores) == ("two_stones", ((0,), (1,)), (7, 5))
    assert texts(state) == set()


def test_without_a_move_one_has_lost(morris: Game[Any]) -> None:
    state = position(morris, "a7 d2 g4 b6", "a1 d1 g1 a4")
    after(state, "p0 move b6 b4")
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.reason, outcome.ranking) == ("no_move", ((0,), (1,)))


def test_whoever_may_fly_is_not_blocked(morris: Game[Any]) -> None:
    for option, over in (("on", False), ("off", True)):
        state = position(morris, "a7 d2 g4 b6", "a1 d1 g1", flying=option)
        after(state, "p0 move a7 a4")
        assert (state.outcome() is not None) == over


# -- rulings ------------------------------------------------------------------------------------

TO_AND_FRO = ("p0 move a7 a4", "p1 move g1 g4", "p0 move a4 a7", "p1 move g4 g1")


@pytest.mark.parametrize("option", ["on", "off"])
def test_the_third_time_a_position_comes_about_it_is_a_draw(morris: Game[Any], option: str) -> None:
    state = position(morris, "a7 b6 c5 d1", "g1 f2 e3 d7", repetition=option)
    after(state, *TO_AND_FRO, *TO_AND_FRO)
    assert state.outcome() is None
    after(state, TO_AND_FRO[0])
    outcome = state.outcome()
    assert (outcome is not None and outcome.reason == "repetition") == (option == "on")


def test_after_fifty_moves_each_without_a_mill_it_is_a_draw(morris: Game[Any]) -> None:
    state = position(morris, "a7 b6 c5 d1", "g1 f2 e3 d7", repetition="off")
    for turn in range(100):
        assert state.outcome() is None, turn
        after(state, TO_AND_FRO[turn % 4])
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.reason, outcome.ranking) == ("quiet", ((0, 1),))


def test_its_box_is_known_by_its_id_once_it_was_read(morris: Game[Any]) -> None:
    box = load_box(morris.box)
    assert load_box(box.id) is box


@pytest.mark.parametrize(
    ("lang", "taken", "points"),
    [("de", "Genommene Steine", "Punkte"), ("en", "Stones taken", "Points")],
)
def test_points_are_called_by_their_origin(
    morris: Game[Any], lang: str, taken: str, points: str
) -> None:
    teller = Teller(morris, lang, ("white", "black"))
    assert teller.score_line(ScoreLine(0, "taken", 3)) == taken
    # A word that all games share, for games that explain nothing.
    assert teller.score_line(ScoreLine(0, "score", 7)) == points


# -- the whole of it ----------------------------------------------------------------------------


def test_it_conforms(morris: Game[Any]) -> None:
    report = check_game(morris, matches=2)
    assert report.problems == []


def test_its_golden_match_and_its_counts_of_moves_are_as_written(morris: Game[Any]) -> None:
    assert differences(morris, GOLDEN) == []


@pytest.mark.thorough
def test_it_conforms_in_every_setting(morris: Game[Any]) -> None:
    report = check_game(morris)
    assert report.problems == []


@pytest.mark.parametrize(
    "options", [{}, {"flying": "off", "two_mills": "two"}], ids=["usual", "other"]
)
def test_legal_moves_are_those_of_a_second_implementation(
    morris: Game[Any], options: dict[str, str], thorough: bool
) -> None:
    complete = morris.complete_options(2, options)
    compared = 0
    for seed in range(200 if thorough else 20):
        second = Second(flying=complete["flying"] == "on", two=complete["two_mills"] == "two")
        for match, moves, move in random_match(morris, 2, complete, seed):
            assert {one.text for one in moves} == second.legal(), match.log
            second.play(move.text)
            compared += 1
        assert match.outcome is not None
        lost = match.outcome.reason in ("two_stones", "no_move")
        assert (not second.legal()) == lost
    assert compared > 1000


@pytest.mark.parametrize("seat", [0, pytest.param(1, marks=pytest.mark.thorough)])
def test_a_strong_player_beats_a_weak_one(morris: Game[Any], seat: int) -> None:
    players = [Searcher(LEVELS[0]), Searcher(LEVELS[0])]
    players[seat] = Searcher(LEVELS[1])
    match, random = Match(morris, 2, seed=seat), Random(seat)
    while match.outcome is None:
        asked = match.prompt.player if match.prompt is not None else None
        assert asked is not None
        view, budget = SeatView.of(match, asked), Budget(playouts=24)
        match.push(players[asked].choose(view, match.legal_moves(), budget, random).move)
    assert match.outcome.ranking[0] == (seat,)


HANDS = "a7 g7 d5 e4"
"""Black stones that neither have a mill nor are about to close one."""


def hope(game: Game[Any], white: str, black: str = HANDS, turn: int = 1, hand: int = 0) -> float:
    """The result that white may hope for."""
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


@pytest.fixture
def moving(morris: Game[Any]) -> Match:
    match = placed(morris, PLACED + " f6")
    match.push("p0 take b4")
    match.push("p1 place b4")
    return match


def test_stones_that_may_move_light_up_before_the_places_where_they_may_go(moving: Match) -> None:
    view = view_of(moving)
    scene = scene_of(view, Picked())
    assert scene.targets == {"a7", "b2", "c5", "d1", "d7", "f2", "f6", "g4"}
    held = scene_of(view, Picked(("c5",)))
    assert held.targets == {"c4"}


def test_free_points_and_stones_to_be_taken_are_touched_once(morris: Game[Any]) -> None:
    placing = scene_of(view_of(placed(morris, "a1 b2")), Picked())
    assert len(placing.targets) == 22
    taking = scene_of(view_of(placed(morris, PLACED + " f6")), Picked())
    assert "b4" in taking.targets


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
