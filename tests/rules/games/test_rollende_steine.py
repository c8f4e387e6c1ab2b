"""Rollende Steine: worked examples, rulings, records, and what a camera makes of it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from rules.box import load_box
from rules.core import Item, Move, OptionError, StateError
from rules.games.rollende_steine import GAME
from rules.games.rollende_steine.components import COURSES, GATES
from rules.match import Match
from rules.reading.reading import MISSING, Reading, Status, read
from rules.reading.sighting import Glimpse
from rules.testing.pictures import DrawnSighting, clear, draw
from tests.support.rulings import Steps, at, claim, follow, legal, reasons

HERE = Path(__file__).parent
ALL = "G1,G2,G3,G4,G5"


def _match(players: int, *moves: str, **options: str) -> Match:
    match = Match(GAME, players, options)
    for move in moves:
        match.push(move)
    return match


def _misses(players: int, number: int, first: int = 0) -> Iterable[str]:
    for turn in range(first, first + number):
        yield f"p{turn % players} roll"
        yield "table miss"


def test_example_1_a_match_won_by_two() -> None:
    match = _match(2)
    assert legal(match) == ["p0 cushion", "p0 roll"]
    match.push("p0 cushion")
    outcomes = legal(match)
    assert len(outcomes) == 33
    assert outcomes[0] == "table miss" and outcomes[-1] == "table short"
    assert sum(move.startswith("table score ") for move in outcomes) == 31
    for move in ("table short", "table short", "table miss"):
        match.push(move)
    assert match.state.used == 1
    assert legal(match) == ["p1 cushion", "p1 relocate", "p1 roll"]
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
    assert legal(match) == ["table miss", "table score G5", "table short"]
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


RULINGS = [
    # -- worked examples
    claim("example 3 the last disc misses",
          at(_match, 5, *_misses(5, 50)), (lambda t: t.outcome.reason, "out_of_discs"),
          (lambda t: t.outcome.scores, (0, 0, 0, 0, 0)),
          (lambda t: t.outcome.ranking, ((0, 1, 2, 3, 4),))),
    # -- rules and rulings
    claim("rs1 a scoring disc is used and a short one is not",
          at(_match, 1, "p0 roll", "table short"), (lambda t: t.state.used, 0),
          at(_match, 1, "p0 roll", "table score G1"), (lambda t: t.state.used, 1)),
    claim("rs2 hollows without a disc stay empty later too",
          at(_match, 1, "p0 roll", "table score G1,G2", "p0 roll", "table miss"),
          (lambda t: t.layout[Item("G2", "trilithon")], 1), (lambda t: t.state.out, [1])),
    claim("rs4 no second cushion step before a repeated roll",
          at(_match, 2, "p0 cushion", "table short"),
          "p0 cushion ✗ RS4/result_first · [… | table short]"),
    claim("rs6 all run out in the same round",
          at(_match, 3, *_misses(3, 47)), lambda t: t.outcome is None, "p2 roll · table miss",
          (lambda t: t.state.used, 48)),
    claim("rs11 there must be a cushion to relocate but it may be anybodys",
          at(_match, 2), "p0 relocate ✗ RS11/nothing_to_relocate",
          at(_match, 2, "p0 cushion", "table miss"), lambda t: not t.why_not("p1 relocate")),
    claim("rs16 an own disc takes the first gate and marks follow in order",
          at(_match, 1, "p0 roll", "table miss", "p0 roll", "table score G2,G3,G5"),
          (lambda t: t.state.marked, [False, True, True, False, False]),
          (lambda t: t.state.out, [0]), (lambda t: t.state.own, [8])),
    claim("rs16 own discs are rolled before neutral ones",
          at(_match, 2, *_misses(2, 20)), (lambda t: t.state.own, [0, 0]),
          (lambda t: t.state.neutral, [15, 15])),
    claim("rs17 everybody shares the place",
          at(_match, 3, "p0 roll", f'table score {ALL}'),
          (lambda t: t.outcome.ranking, ((0, 1, 2),)), (lambda t: t.outcome.scores, (5, 0, 0)),
          (lambda t: [line.code for line in t.state.explain_scores()], ["gate"] * 5)),
    claim("a result needs a roll first", at(_match, 2), "table miss ✗ 4.4/roll_first"),
    claim("after the end nothing is played",
          at(_match, 1, "p0 roll", f'table score {ALL}'), "p0 roll ✗ 4.5/match_over",
          lambda t: t.prompt is None, lambda t: not legal(t)),
    claim("a roll without a cushion step is inferred from its result",
          at(_match, 2), (lambda t: [one.move.text for one in GAME.inference.plausible(
              t.state, t.legal_moves(), {}, ()) if one.covered], ["p0 roll"])),
    claim("supply shrinks with what is laid and rolled",
          at(_match, 2, "p0 cushion", "table miss"),
          (lambda t: (t.state.supply(0)["disc white"], t.state.supply(0)["bar white"]), (9, 9))),
]  # fmt: skip


@pytest.mark.parametrize("steps", RULINGS)
def test_ruling(steps: Steps) -> None:
    follow(steps)


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


def test_rs3_gates_scored_before_cannot_be_scored_again() -> None:
    match = _match(2, "p0 roll", "table score G2", "p1 roll")
    objections = match.why_not("table score G1,G2")
    assert [(o.rule, o.code, o.values) for o in objections] == [
        ("RS3", "already_scored", {"gates": "G2"})
    ]
    assert len(legal(match)) == 17


def test_cushions_run_out_after_ten() -> None:
    moves = [move for _ in range(10) for move in ("p0 cushion", "table miss")]
    match = _match(1, *moves)
    assert legal(match) == ["p0 relocate", "p0 roll"]
    assert reasons(match, "p0 cushion") == [("4.4", "no_cushion")]
    assert match.layout[Item("board", "bar white", 0)] == 10


def test_rs12_only_the_marked_course_says_where_the_gates_stand() -> None:
    assert all(item.seen for item in _match(2).layout)
    for course in COURSES[1:]:
        assert not any(item.seen for item in _match(2, course=course).layout)


def test_rs13_white_begins_and_turns_go_round() -> None:
    assert GAME.colours(5, {}) == ("white", "blue", "green", "yellow", "red")
    match = _match(3)
    assert reasons(match, "p1 roll") == [("4.4", "wrong_player")]
    for seat in (0, 1, 2, 0):
        prompt = match.prompt
        assert prompt is not None and prompt.player == seat
        match.push(f"p{seat} roll")
        match.push("table miss")


@pytest.mark.parametrize(
    "text",
    ["table score G2,G1", "table score G6", "table score", "p5 roll", "p0 roll G1", "p0 done"],
)
def test_texts_that_are_no_moves_here(text: str) -> None:
    assert reasons(_match(2), text) == [("4.4", "unknown_move")]


def test_where_a_cushion_lies_is_no_part_of_the_layout() -> None:
    match = _match(2, "p0 cushion", "table miss")
    before = match.layout
    match.push("p1 relocate")
    assert match.layout == before
    assert not match.state.touches(Move.parse("p1 relocate"))


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
    weights = dict(zip(legal(match), match.state.weights(match.legal_moves()), strict=True))
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


def _lost(gates: tuple[str, ...]) -> Match:
    """One player passes ``gates`` with the first disc and misses with all the others."""
    match = Match(GAME, 1)
    for move in ("p0 roll", "table score " + ",".join(gates), *["p0 roll", "table miss"] * 49):
        match.push(move)
    return match


@pytest.mark.parametrize(
    "gates", [gates for size in range(1, 6) for gates in combinations(GATES, size)]
)
def test_rs8_the_record_counts_gates_whichever_they_are(gates: tuple[str, ...]) -> None:
    match = Match(GAME, 1)
    match.push("p0 roll")
    match.push("table score " + ",".join(gates))
    achievement = match.state.achievement()
    assert achievement is not None
    assert achievement.rank == (-len(gates), 1)
    assert dict(achievement.values) == {"course": "marked", "gates": len(gates), "discs": 1}


def test_example_four_is_remembered_with_four_gates_and_fifty_discs() -> None:
    match = _lost(("G1", "G2", "G3", "G5"))
    assert match.outcome is not None
    assert match.outcome.reason == "out_of_discs"
    achievement = match.state.achievement()
    assert achievement is not None
    assert dict(achievement.values) == {"course": "marked", "gates": 4, "discs": 50}


def test_rs8_four_gates_are_a_better_record_than_one() -> None:
    four = _lost(("G1", "G2", "G3", "G4")).state.achievement()
    one = _lost(("G5",)).state.achievement()
    assert four is not None
    assert one is not None
    assert four.rank < one.rank


BOX = load_box(GAME.box).for_game(GAME.id)


def _real(players: int, *moves: str) -> Match:
    match = Match(GAME, players, physical=True)
    for move in moves:
        match.push(move)
    return match


def _seen(match: Match, **changed: str) -> Reading:
    sites = dict(draw(BOX, match.layout).sites)
    for site, kinds in changed.items():
        sites[site] = clear(tuple(Glimpse(kind) for kind in kinds.split(", ") if kind))
    return read(match, DrawnSighting(sites))


def _moves(reading: Reading) -> list[str]:
    assert reading.status is Status.MOVE
    return [move.text for move in reading.moves]


def test_what_leaves_no_trace_is_told_by_what_follows() -> None:
    match = _real(2)
    assert _moves(_seen(match, board="bar blue")) == ["p0 roll", "table miss", "p1 cushion"]
    assert _moves(_seen(match, G5="trilithon white")) == ["p0 roll", "table score G5"]


def test_gates_for_which_no_disc_was_left_are_asked_about() -> None:
    match = _real(2)
    asked = _seen(match, G4="trilithon white")
    assert asked.status is Status.AMBIGUOUS
    answers = [candidate.moves[-1].text for candidate in asked.candidates]
    assert answers == ["table score G4", "table score G4,G5"]
    # Of eight ways people say which.
    assert _seen(match, G2="trilithon white").doubt == MISSING


def test_alone_each_cushion_and_each_mark_comes_as_early_as_it_can() -> None:
    seen = _seen(_real(1), board="bar white, bar white", G5="trilithon white")
    assert _moves(seen) == ["p0 cushion", "table score G5", "p0 cushion"]


def test_marks_that_came_together_were_made_by_one_disc() -> None:
    missed = _real(2, "p0 roll", "table miss", "p1 roll", "table miss", "p0 roll")
    both = _seen(missed, G1="trilithon white", G5="trilithon white")
    assert _moves(both) == ["table score G1,G5"]


def test_the_last_gates_do_not_end_the_match_before_a_cushion_lies() -> None:
    missed = _real(1, "p0 roll", "table miss", "p0 roll", "table score G1,G2")
    marks = dict.fromkeys(("G3", "G4", "G5"), "trilithon white")
    for candidate in _seen(missed, board="bar white, bar white", **marks).candidates:
        moves = [move.text for move in candidate.moves]
        assert moves.count("p0 cushion") == 2
        assert "score" in moves[-1]


def test_cushions_on_their_way_and_marks_of_any_colour_are_no_matter() -> None:
    laid = _real(2, "p0 cushion", "table score G1,G3", "p1 cushion", "table miss")
    assert _seen(laid, board="").status is Status.SETTLED
    assert _seen(laid, G3="trilithon red").status is Status.SETTLED
    assert _seen(laid, G1="trilithon red").status is Status.UNCLEAR


def test_in_chosen_colours_cushions_count_for_whose_they_are() -> None:
    match = Match(GAME, 2, {"colours": "blue,white"}, physical=True)
    assert _moves(_seen(match, board="bar blue")) == ["p0 cushion"]
