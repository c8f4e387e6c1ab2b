"""Little Henge: the examples of the rules, what the board holds, and one whole match."""

from pathlib import Path

from rules.games import find_game
from rules.match import Match
from rules.testing.conformance import check_game
from rules.testing.golden import differences

GAME = find_game("little_henge")
GOLDEN = Path(__file__).parent / "golden"


def play(moves: str) -> Match:
    """A match after ``moves``, for example "b2 a1 c1": both players in turn, black first."""
    match = Match(GAME, 2)
    for number, place in enumerate(moves.split()):
        match.push(f"p{number % 2} set {place}")
    return match


def refused(match: Match, move: str) -> list[str]:
    """The codes of what is objected to a move."""
    return [objection.code for objection in match.why_not(move)]


# -- 1.3 a turn -----------------------------------------------------------------------------------


def test_a_stone_is_put_on_any_free_place() -> None:
    assert len(play("").legal_moves()) == 9
    assert len(play("b2 a1").legal_moves()) == 7


def test_a_place_holds_one_stone() -> None:
    assert refused(play("b2"), "p1 set b2") == ["occupied"]


def test_nobody_plays_twice_in_a_row() -> None:
    assert refused(play("b2"), "p0 set a1") == ["wrong_player"]


# -- 1.4 the end ----------------------------------------------------------------------------------


def test_three_in_a_row_win() -> None:
    outcome = play("a2 a1 b2 b1 c2").outcome
    assert outcome is not None
    assert (outcome.reason, outcome.ranking) == ("row", ((0,), (1,)))


def test_a_full_board_without_a_row_is_a_draw() -> None:
    outcome = play("b2 a1 c1 a3 a2 c2 b3 b1 c3").outcome
    assert outcome is not None
    assert (outcome.reason, outcome.ranking) == ("full", ((0, 1),))


# -- the whole game -------------------------------------------------------------------------------


def test_it_keeps_everything_that_heelstone_relies_on() -> None:
    assert check_game(GAME).problems == []


def test_the_golden_playthroughs_are_still_the_same() -> None:
    assert differences(GAME, GOLDEN) == []
