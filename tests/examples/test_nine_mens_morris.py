"""Nine Men's Morris: the worked examples of its rules first, then rulings, then the whole of it."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.presentation.words.sentences import score_text
from rules.box import load_box
from rules.core import Game, Move, ScoreLine
from rules.match import Match
from rules.players.levels import LEVELS, Searcher
from rules.players import Budget
from rules.players import SeatView
from rules.telling import Teller
from rules.testing.conformance import check_game
from rules.testing.golden import differences
from rules.testing.playout import random_match
from tests.support.morris import PLACED, placed, position
from tests.support.second_morris import Second

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
    ("lang", "one", "three"),
    [
        ("de", "Genommene Steine: 1", "Genommene Steine: 3"),
        ("en", "Stones taken: 1", "Stones taken: 3"),
    ],
)
def test_points_stand_once_in_the_words_that_explain_them(
    morris: Game[Any], lang: str, one: str, three: str
) -> None:
    teller = Teller(morris, lang, ("white", "black"))
    for points, told in ((1, one), (3, three)):
        assert score_text((ScoreLine(0, "taken", points),), 0, teller) == told
    # Words that all games share, for games that explain nothing.
    both = score_text((ScoreLine(0, "score", 7),), 0, teller)
    assert both == {"de": "7 Punkte", "en": "7 points"}[lang]


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
