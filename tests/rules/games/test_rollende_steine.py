"""Rollende Steine: worked examples first, then rulings, then what always holds."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from random import Random

import pytest

from rules.core import Item, Move, OptionError, StateError
from rules.games.rollende_steine import COURSES, GAME
from rules.match import Match

HERE = Path(__file__).parent
ALL = "G1,G2,G3,G4,G5"


def _match(players: int, *moves: str, **options: str) -> Match:
    match = Match(GAME, players, options)
    for move in moves:
        match.push(move)
    return match


def _legal(match: Match) -> list[str]:
    return [move.text for move in match.legal_moves()]


def _misses(players: int, number: int, first: int = 0) -> Iterable[str]:
    for turn in range(first, first + number):
        yield f"p{turn % players} roll"
        yield "table miss"


def _codes(match: Match, move: str) -> list[tuple[str, str]]:
    return [(objection.rule, objection.code) for objection in match.why_not(move)]


# -- worked examples --------------------------------------------------------------------------


def test_example_1_a_match_won_by_two() -> None:
    match = _match(2)
    assert _legal(match) == ["p0 cushion", "p0 roll"]
    match.push("p0 cushion")
    outcomes = _legal(match)
    assert len(outcomes) == 33
    assert outcomes[0] == "table miss" and outcomes[-1] == "table short"
    assert sum(move.startswith("table score ") for move in outcomes) == 31
    for move in ("table short", "table short", "table miss"):
        match.push(move)
    assert match.state.used == 1
    assert _legal(match) == ["p1 cushion", "p1 relocate", "p1 roll"]
    match.push("p1 relocate")
    match.push("table score G2,G4")
    # p1 has no disc out of the game yet, so G4 is marked by the app alone
    assert match.layout[Item("G2", "trilithon blue", 1)] == 1
    assert match.layout[Item("G4", "trilithon")] == 1
    match.push("p0 roll")
    match.push("table score G1,G3")
    assert match.layout[Item("G1", "trilithon white", 0)] == 1
    assert match.layout[Item("G3", "trilithon white", 0)] == 1
    assert match.state.out == [0, 0]
    match.push("p1 roll")
    assert _legal(match) == ["table miss", "table score G5", "table short"]
    match.push("table score G5")
    outcome = match.outcome
    assert outcome is not None
    assert outcome.to_json() == {
        "reason": "all_gates_scored", "ranking": [[0, 1]], "scores": [2, 3],
    }  # fmt: skip
    assert match.state.used == 4


def test_example_2_a_neutral_disc_marks_with_an_own_one_that_is_out() -> None:
    match = _match(4, *_misses(4, 40))
    assert match.state.own == [0] * 4 and match.state.neutral == [2] * 4
    match.push("p0 roll")
    match.push("table score G3")
    assert match.layout[Item("G3", "trilithon white", 0)] == 1
    assert match.state.out == [9, 10, 10, 10]
    assert match.state.neutral == [1, 2, 2, 2]
    assert match.state.used == 41


def test_example_3_the_last_disc_wins() -> None:
    match = _match(5, *_misses(5, 49), "p4 roll", f"table score {ALL}")
    outcome = match.outcome
    assert outcome is not None and outcome.reason == "all_gates_scored"
    assert match.state.used == 50
    assert match.layout == Counter({Item(f"G{n}", "trilithon red", 4): 1 for n in range(1, 6)})
    assert match.state.out == [10, 10, 10, 10, 5]


def test_example_3_the_last_disc_misses() -> None:
    match = _match(5, *_misses(5, 50))
    outcome = match.outcome
    assert outcome is not None
    assert outcome.reason == "out_of_discs"
    assert outcome.scores == (0, 0, 0, 0, 0)
    assert outcome.ranking == ((0, 1, 2, 3, 4),)


def test_example_4_lost_alone_with_four_gates() -> None:
    match = _match(1, "p0 roll", "table score G1,G2,G3,G5", *_misses(1, 49))
    outcome = match.outcome
    assert outcome is not None
    assert (outcome.reason, outcome.scores) == ("out_of_discs", (4,))
    assert match.state.used == 50
    assert match.layout == Counter(
        [Item("G1", "trilithon white", 0), *(Item(f"G{n}", "trilithon") for n in range(2, 6))]
    )


# -- rules and rulings ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "neutral", "total"), [(1, 40, 50), (2, 15, 50), (3, 6, 48), (4, 2, 48), (5, 0, 50)]
)
def test_neutral_discs_are_shared_equally(players: int, neutral: int, total: int) -> None:
    state = _match(players).state
    assert state.own == [10] * players
    assert state.neutral == [neutral] * players
    assert sum(state.own) + sum(state.neutral) == total


def test_rs1_a_scoring_disc_is_used_and_a_short_one_is_not() -> None:
    assert _match(1, "p0 roll", "table short").state.used == 0
    assert _match(1, "p0 roll", "table score G1").state.used == 1


def test_rs2_hollows_without_a_disc_stay_empty_later_too() -> None:
    match = _match(1, "p0 roll", "table score G1,G2", "p0 roll", "table miss")
    assert match.layout[Item("G2", "trilithon")] == 1
    assert match.state.out == [1]


def test_rs3_gates_scored_before_cannot_be_scored_again() -> None:
    match = _match(2, "p0 roll", "table score G2", "p1 roll")
    objections = match.why_not("table score G1,G2")
    assert [(o.rule, o.code, o.values) for o in objections] == [
        ("RS3", "already_scored", {"gates": "G2"})
    ]
    assert len(_legal(match)) == 17


def test_rs4_no_second_cushion_step_before_a_repeated_roll() -> None:
    match = _match(2, "p0 cushion", "table short")
    assert _codes(match, "p0 cushion") == [("RS4", "result_first")]
    assert "table short" in _legal(match)


def test_rs6_all_run_out_in_the_same_round() -> None:
    match = _match(3, *_misses(3, 47))
    assert match.outcome is None
    match.push("p2 roll")
    match.push("table miss")
    assert match.outcome is not None and match.state.used == 48


def test_rs11_there_must_be_a_cushion_to_relocate_but_it_may_be_anybodys() -> None:
    assert _codes(_match(2), "p0 relocate") == [("RS11", "nothing_to_relocate")]
    match = _match(2, "p0 cushion", "table miss")
    assert not match.why_not("p1 relocate")


def test_cushions_run_out_after_ten() -> None:
    moves = [move for _ in range(10) for move in ("p0 cushion", "table miss")]
    match = _match(1, *moves)
    assert _legal(match) == ["p0 relocate", "p0 roll"]
    assert _codes(match, "p0 cushion") == [("4.4", "no_cushion")]
    assert match.layout[Item("board", "bar white", 0)] == 10


def test_rs12_only_the_marked_course_says_where_the_gates_stand() -> None:
    assert all(item.seen for item in _match(2).layout)
    for course in COURSES[1:]:
        assert not any(item.seen for item in _match(2, course=course).layout)


def test_rs13_white_begins_and_turns_go_round() -> None:
    assert GAME.colours(5, {}) == ("white", "blue", "green", "yellow", "red")
    match = _match(3)
    assert _codes(match, "p1 roll") == [("4.4", "wrong_player")]
    for seat in (0, 1, 2, 0):
        prompt = match.prompt
        assert prompt is not None and prompt.player == seat
        match.push(f"p{seat} roll")
        match.push("table miss")


def test_rs16_an_own_disc_takes_the_first_gate_and_marks_follow_in_order() -> None:
    match = _match(1, "p0 roll", "table miss", "p0 roll", "table score G2,G3,G5")
    assert match.state.marked == [False, True, True, False, False]
    assert match.state.out == [0]
    assert match.state.own == [8]


def test_rs16_own_discs_are_rolled_before_neutral_ones() -> None:
    match = _match(2, *_misses(2, 20))
    assert match.state.own == [0, 0] and match.state.neutral == [15, 15]


def test_rs17_everybody_shares_the_place() -> None:
    match = _match(3, "p0 roll", f"table score {ALL}")
    outcome = match.outcome
    assert outcome is not None
    assert outcome.ranking == ((0, 1, 2),) and outcome.scores == (5, 0, 0)
    assert [line.code for line in match.state.explain_scores()] == ["gate"] * 5


def test_a_result_needs_a_roll_first() -> None:
    assert _codes(_match(2), "table miss") == [("4.4", "roll_first")]


def test_after_the_end_nothing_is_played() -> None:
    match = _match(1, "p0 roll", f"table score {ALL}")
    assert _codes(match, "p0 roll") == [("4.5", "match_over")]
    assert match.prompt is None and not _legal(match)


@pytest.mark.parametrize(
    "text",
    ["table score G2,G1", "table score G6", "table score", "p5 roll", "p0 roll G1", "p0 done"],
)
def test_texts_that_are_no_moves_here(text: str) -> None:
    assert _codes(_match(2), text) == [("4.4", "unknown_move")]


def test_a_roll_without_a_cushion_step_is_inferred_from_its_result() -> None:
    match = _match(2)
    assert GAME.inference.implied(match.state, match.legal_moves(), {}) == [Move.parse("p0 roll")]


def test_where_a_cushion_lies_is_no_part_of_the_layout() -> None:
    match = _match(2, "p0 cushion", "table miss")
    before = match.layout
    match.push("p1 relocate")
    assert match.layout == before
    assert not match.state.touches(Move.parse("p1 relocate"))


def test_supply_shrinks_with_what_is_laid_and_rolled() -> None:
    match = _match(2, "p0 cushion", "table miss")
    supply = match.state.supply(0)
    assert (supply["disc white"], supply["bar white"]) == (9, 9)


def test_unknown_courses_and_six_players_are_refused() -> None:
    with pytest.raises(OptionError, match="course"):
        Match(GAME, 2, {"course": "moon"})
    with pytest.raises(OptionError, match="players"):
        Match(GAME, 6)


# -- what always holds ------------------------------------------------------------------------


@pytest.mark.parametrize("players", GAME.players)
def test_random_matches_keep_every_disc_and_end_both_ways(players: int) -> None:
    reasons: Counter[str] = Counter()
    random = Random(players)
    lengths = []
    for _ in range(120):
        state = GAME.setup(players, {"course": "marked"}, False)
        steps = 0
        while moves := state.legal_moves():
            state.apply(state.choose(moves, random))
            steps += 1
            assert not state.problems()
        outcome = state.outcome()
        assert outcome is not None
        reasons[outcome.reason] += 1
        lengths.append(steps)
    assert set(reasons) == {"all_gates_scored", "out_of_discs"}
    assert 40 < sum(lengths) / len(lengths) < 80


def test_results_are_weighted_as_in_the_rule_file() -> None:
    match = _match(2, "p0 roll")
    weights = dict(zip(_legal(match), match.state.weights(match.legal_moves()), strict=True))
    assert weights["table miss"] == 300 and weights["table short"] == 60
    assert weights["table score G3"] == 20 and weights["table score G1,G5"] == 5
    assert weights["table score G1,G2,G4"] == weights[f"table score {ALL}"] == 1


def test_a_position_comes_back_from_json_and_a_broken_one_is_refused() -> None:
    match = _match(3, "p0 cushion", "table score G1,G2", "p1 roll")
    data = json.loads(json.dumps(match.state.to_json()))
    assert GAME.from_json(data).to_json() == data
    for key, value in (("used", 7), ("turn", 4), ("supply", [[1, 1]]), ("phase", "sleep")):
        with pytest.raises(StateError, match="position"):
            GAME.from_json(data | {key: value})
    with pytest.raises(StateError):
        GAME.from_json({})
