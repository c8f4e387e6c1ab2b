"""Any game: what sheets count, by examples reckoned by hand, and what holds for every sheet."""

from __future__ import annotations

import re
from itertools import chain
from random import Random

import pytest

from rules.games import find_game, game_on_board
from rules.games.any_game.sheet import SheetError, in_lang, read_sheet, sheets
from rules.match import Match
from rules.testing.playout import random_match
from rules.texts import AUTHORED
from tests.support.command import ROOT
from tests.support.rulings import play

PAGE = (ROOT / "docs" / "score-sheets.md").read_text(encoding="utf-8")
WRITTEN = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
"""The sheets of the page."""


def started(sheet: str, players: int = 2, **options: str) -> Match:
    return Match("any_game", players, {"sheet": sheet, **options})


def score(match: Match, *entries: str) -> Match:
    """Entries of whoever is asked: ``points 12``, or a whole move without its seat."""
    for entry in entries:
        verb = "" if entry in ("done", "close") or entry.startswith("winner") else "score "
        assert match.prompt is not None
        match.push(f"p{match.prompt.player} {verb}{entry}")
    return match


def test_a_bid_that_is_met_brings_twenty_and_ten_a_trick_and_a_missed_one_costs_ten_each() -> None:
    match = score(started("bidding", 3), "bid 2", "bid 0", "bid 3")
    score(match, "tricks 2", "tricks 0", "tricks 1")
    assert match.scores == (20 + 2 * 10, 20, -2 * 10)
    # In the second round the second player bids first.
    assert match.prompt is not None and match.prompt.player == 1


def test_a_word_counts_as_often_as_its_fields_say_and_all_letters_bring_fifty() -> None:
    match = score(started("words"), "word 14 by=3", "word 6", "all_letters 50", "done", "done")
    assert match.scores == (14 * 3 + 6 + 50, 0)
    score(match, "close", "letters_left 4", "letters_left 7")
    assert match.scores == (94, -7)
    pad = match.game.touch.pad(match.state)
    assert pad is not None
    assert [(line.row, line.round, line.cells) for line in pad.lines] == [
        ("word", 1, (48, None)), ("all_letters", 1, (50, None)), ("letters_left", 0, (-4, -7)),
    ]  # fmt: skip
    assert match.outcome is not None and match.outcome.ranking == ((0,), (1,))


def test_sixty_three_in_the_six_numbers_bring_the_bonus_and_sixty_two_do_not() -> None:
    upper = {"ones": 3, "twos": 6, "threes": 9, "fours": 12, "fives": 15, "sixes": 18}
    match = started("five_dice", 1)
    for row, points in upper.items():
        match.push(f"p0 score {row} {points}")
    assert match.scores == (63 + 35,)
    match.pop()
    match.push("p0 score sixes 12")
    assert match.scores == (57,)


def test_each_row_of_five_dice_is_filled_once() -> None:
    match = score(started("five_dice"), "ones 3", "ones 2")
    assert [o.code for o in match.why_not("p0 score ones 4")] == ["row_taken"]
    assert [o.code for o in match.why_not("p0 score twos 3")] == ["unknown_move"]


def test_all_enter_their_number_of_a_row_in_any_order_and_anew_until_the_last_is_in() -> None:
    match = started("rounds", 3)
    play(match, "p2 score points 30", "p0 score points 10", "p2 score points 31")
    assert match.prompt is not None and match.prompt.player == 1
    assert (match.prompt.together, match.prompt.answered) == ((0, 1, 2), (0, 2))
    assert [o.code for o in match.why_not("p2 close")] == ["wrong_player"]
    match.push("p1 score points 20")
    assert match.scores == (10, 20, 31)
    assert match.prompt is not None and match.prompt.answered == ()


def test_where_a_goal_ends_the_match_at_once_numbers_have_an_order() -> None:
    match = started("race", 3)
    assert [o.code for o in match.why_not("p1 score points 60")] == ["wrong_player"]


def test_a_race_ends_with_the_entry_that_reaches_its_goal() -> None:
    match = score(started("race"), "points 60", "points 99", "points 40")
    assert match.outcome is not None and match.outcome.ranking == ((0,), (1,))


def test_where_the_fewest_win_the_round_is_finished_first() -> None:
    match = score(started("low", 3), "penalty 100", "penalty 3")
    assert match.outcome is None
    score(match, "penalty 3")
    assert match.outcome is not None
    assert (match.outcome.reason, match.outcome.ranking) == ("fewest", ((1, 2), (0,)))


def test_a_handicap_is_entered_before_the_race_and_counts() -> None:
    match = score(started("head_start"), "handicap 0", "handicap 40", "points 100", "points 110")
    assert match.outcome is not None and match.scores == (100, 150)


def test_together_all_win_with_the_sum_or_all_lose() -> None:
    won = score(started("together", rounds="3"), *["points 17"] * 6)
    assert won.outcome is not None and won.outcome.reason == "reached"
    lost = score(started("together", rounds="3"), *["points 10"] * 6)
    assert lost.outcome is not None and lost.outcome.reason in lost.game.lost_together
    assert len(won.outcome.ranking) == len(lost.outcome.ranking) == 1


def test_partners_sit_apart_and_share_their_points_and_their_place() -> None:
    match = score(started("rounds", 4, teams="two"), *(f"points {n}" for n in (1, 20, 30, 4)))
    assert match.scores == (31, 24, 31, 24)
    score(match, "close")
    assert match.outcome is not None and match.outcome.ranking == ((0, 2), (1, 3))


def test_equal_points_share_a_place_unless_the_sheet_says_what_decides() -> None:
    rows = ("buildings", "cards", "sets", "most_of", "coins", "debts")
    values = {"buildings": (10, 7), "coins": (1, 4)}
    match = started("final_count")
    for row, seat in ((row, seat) for row in rows for seat in range(2)):
        match.push(f"p{seat} score {row} {values.get(row, (0, 0))[seat]}")
    assert match.scores == (11, 11)
    assert match.outcome is not None and match.outcome.ranking == ((1,), (0,))
    level = score(started("rounds"), "points 5", "points 5", "close")
    assert level.outcome is not None and level.outcome.reason == "level"


def test_different_ones_count_as_their_table_says_and_debts_are_taken_off() -> None:
    match = started("final_count", 1)
    play(match, *(f"p0 score {entry}" for entry in (
        "buildings 0", "cards -3", "sets 4", "most_of 2", "coins 6", "debts 3",
    )))  # fmt: skip
    assert match.scores == (-3 + 10 + 2 * 5 + 6 - 3 * 5,)


def test_who_has_won_is_all_that_some_sheets_ask() -> None:
    match = score(started("winner", 3), "winner p2 won")
    assert match.outcome is not None and match.outcome.ranking == ((2,), (0, 1))


@pytest.mark.parametrize("sheet", sheets())
def test_on_every_sheet_points_add_up_and_a_takeback_leaves_nothing(sheet: str) -> None:
    for seed, players in enumerate((1, 2, 5)):
        teams = ("off", "two", "three")[seed]
        options, random = {"sheet": sheet, "teams": teams}, Random(seed)
        for match, _, move in random_match(find_game("any_game"), players, options, seed):
            lines = match.state.explain_scores()
            sums = [sum(one.points for one in lines if one.player == s) for s in range(players)]
            assert tuple(sums) == match.scores
            if random.random() < 0.2:
                before = match.state.to_json()
                match.push(move)
                match.pop()
                assert match.state.to_json() == before


def test_a_word_means_one_thing_on_all_sheets_and_has_a_name_in_both_languages() -> None:
    found: dict[str, object] = {}
    heads = ((name, sheet.sheet.name) for name, sheet in sheets().items())
    rows = (item for sheet in sheets().values() for item in sheet.words.items())
    for word, name in chain(heads, rows):
        assert not isinstance(name, str) and {*name} == {*AUTHORED}, word
        assert found.setdefault(word, name) == name, word


def test_twelve_sheets_come_along_none_longer_than_a_page() -> None:
    folder = ROOT / "rules" / "games" / "any_game" / "sheets"
    lengths = [len(file.read_text("utf-8").splitlines()) for file in folder.glob("*.toml")]
    assert len(lengths) == 12 and max(lengths) <= 40


@pytest.mark.parametrize("text", WRITTEN, ids=["dice", "crown"])
def test_the_sheets_of_the_page_are_played_to_their_end(text: str) -> None:
    game = game_on_board("any_game", text, "page.toml")
    assert game.named(game.board_name, "en") == in_lang(read_sheet(text, "").sheet.name, "en")
    for seed in range(4):
        *_, (match, _, _) = random_match(game, 3, {}, seed)
        assert match.outcome is not None and game.from_json(match.state.to_json())


def test_the_fault_that_the_page_shows_is_told_so() -> None:
    said = re.search(r"heelstone: (grandma.*)", PAGE)
    with pytest.raises(SheetError) as refused:
        read_sheet(WRITTEN[0].replace("each", "eahc"), "grandma.toml")
    assert said is not None and str(refused.value) == said[1]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("[row.points]", "[row.Points]", "small letters"),
        ('name = "Points"', 'name = ""', "give it a name"),
        ("numbers = [0, 60]", "numbers = [60, 0]", "the least and the most"),
        ("numbers = [0, 60]", "numbers = [0, 9000]", "2400"),
        ("rounds = 6", 'wins = "together"', "points to be reached"),
        ("rounds = 6", 'rounds = 6\norder = "any"', "as many rounds as rows"),
        ("rounds = 6", 'rounds = 6\ntie = "points2"', "did you mean 'points'"),
        ("each = -2", 'bid = "points"', "no row 'points' before it"),
        ("[row.chips]", "[victory.points]\nname = 'won'\n[row.chips]", "something else"),
    ],
)
def test_a_fault_of_a_sheet_is_told_with_file_key_and_reason(old: str, new: str, told: str) -> None:
    with pytest.raises(SheetError) as refused:
        read_sheet(WRITTEN[0].replace(old, new, 1), "mine.toml")
    assert str(refused.value).startswith("mine.toml, line ") and told in str(refused.value)


def test_a_sheet_of_ones_own_is_kept_with_the_match() -> None:
    game = game_on_board("any_game", WRITTEN[0], "page.toml")
    match = Match(game, 2)
    assert match.game.board_text == WRITTEN[0] and "sheet" not in match.options
    assert match.legal_moves()[0].text.startswith("p0 score points ")
