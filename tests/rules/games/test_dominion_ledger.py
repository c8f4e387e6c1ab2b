"""Dominion with real cards: a ledger of what is taken, or only what is counted in the end."""

from __future__ import annotations

import json

import pytest

from rules.core import StateError
from rules.games.dominion import GAME
from rules.match import Match
from rules.testing.conformance import check_soundness
from tests.support.dominion_ledger import keep


def begun(players: int = 2, **options: str) -> Match:
    """A ledger in which p0 begins, since the last player won before."""
    chosen = {"record": "ledger", "last_winners": f"p{players - 1}", **options}
    return Match("dominion", players, chosen)


def enter(match: Match, *moves: str) -> None:
    for move in moves:
        match.push(move)


def refused(match: Match, move: str) -> list[str]:
    return [objection.code for objection in match.why_not(move)]


def owned(match: Match, seat: int) -> dict[str, int]:
    return dict(match.state.ledger().owned[seat])


# -- worked examples ------------------------------------------------------------------------


def test_a_turn_is_what_was_gained_and_its_end_and_no_card_is_drawn() -> None:
    match = begun()
    enter(match, "p0 gain silver", "p0 done")
    prompt = match.prompt
    assert prompt is not None and (prompt.player, prompt.code) == (1, "ledger")
    assert owned(match, 0) == {"copper": 7, "estate": 3, "silver": 1}
    assert match.state.piles["silver"] == 39
    assert match.state.turns == [1, 0]
    assert not match.layout


def test_remodel_makes_an_estate_a_smithy_and_the_points_are_right_at_once() -> None:
    match = begun()
    enter(match, "p0 trash estate", "p0 gain smithy")
    assert match.scores == (2, 3)
    assert match.state.trash == ["estate"]


def test_a_witch_curses_the_others_in_the_turn_of_her_player() -> None:
    match = begun(3, kingdom="size-distortion")
    enter(match, "p0 gain p1 curse", "p0 gain p2 curse", "p0 gain gold", "p0 done")
    assert match.scores == (3, 2, 2)
    assert match.state.piles["curse"] == 18


def test_a_thief_takes_only_what_was_trashed_of_others_in_this_turn() -> None:
    match = begun(kingdom="interaction")
    enter(match, "p0 trash copper")
    assert refused(match, "p0 take copper") == ["not_trashed_now"]
    enter(match, "p0 trash p1 copper", "p0 take copper")
    assert refused(match, "p0 take copper") == ["not_trashed_now"]
    assert match.state.piles["copper"] == 46
    assert (owned(match, 0)["copper"], owned(match, 1)["copper"]) == (7, 6)
    enter(match, "p0 trash p1 copper", "p0 done")
    assert refused(match, "p1 take copper") == ["not_trashed_now"]


@pytest.mark.parametrize(
    ("move", "code"),
    [
        ("p1 gain silver", "wrong_player"),
        ("p0 trash gold", "not_owned"),
        ("p0 trash p1 gold", "not_owned"),
        ("p0 gain p0 gold", "unknown_move"),
        ("p0 gain witch", "not_in_game"),
        ("p0 play copper", "not_entered"),
        ("p0 buy silver", "not_entered"),
        ("dealer draw p0 copper", "not_entered"),
    ],
)
def test_what_does_not_belong_into_the_ledger_is_refused_with_the_reason(
    move: str, code: str
) -> None:
    assert refused(begun(), move) == [code]


def test_nothing_is_gained_from_an_empty_pile() -> None:
    match = begun()
    enter(match, *["p0 gain province"] * 8)
    assert refused(match, "p0 gain province") == ["pile_empty"]
    assert refused(match, "p0 gain p1 province") == ["pile_empty"]


def test_the_last_province_ends_the_match_with_the_turn_and_fewer_turns_win_a_tie() -> None:
    match = begun()
    enter(match, *["p0 gain province"] * 4, "p0 done", *["p1 gain province"] * 4)
    prompt = match.prompt
    assert match.outcome is None and prompt is not None and prompt.code == "ledger_last"
    enter(match, "p1 done")
    assert match.outcome is not None and match.outcome.ranking == ((0, 1),)
    match.pop()
    enter(match, "p1 trash p0 estate", "p1 done")
    assert match.outcome is not None and match.outcome.ranking == ((1,), (0,))
    early = begun()
    enter(early, "p0 done", "p1 gain province", "p1 done")
    enter(early, *["p0 gain province"] * 6, "p0 gain p1 province")
    enter(early, *["p0 trash province"] * 4, "p0 done")
    assert early.outcome is not None
    assert (early.scores, early.outcome.ranking) == ((15, 15), ((1,), (0,)))


def test_three_empty_piles_end_it_and_the_end_comes_near_before() -> None:
    match = begun()
    for card in ("cellar", "moat"):
        enter(match, *[f"p0 gain {card}"] * 10)
    prompt = match.prompt
    assert prompt is not None and prompt.code == "ledger_near"
    enter(match, *["p0 gain village"] * 10, "p0 done")
    assert match.outcome is not None and match.outcome.reason == "piles"


def test_quiet_rounds_end_a_ledger_too() -> None:
    match = begun()
    for _ in range(50):
        enter(match, "p0 done", "p1 done")
    assert match.outcome is not None and match.outcome.reason == "quiet"


def test_what_was_entered_in_this_turn_is_told_and_taken_back() -> None:
    match = begun()
    enter(match, "p0 gain silver", "p0 gain p1 curse")
    told = match.state.ledger()
    assert told is not None and [move.text for move in told.entered] == [
        "p0 gain silver", "p0 gain p1 curse",
    ]  # fmt: skip
    match.pop()
    assert match.scores == (3, 3)
    match.push("p0 done")
    told = match.state.ledger()
    assert told is not None and told.entered == ()


def test_the_cards_of_the_turns_player_say_what_is_likely() -> None:
    match = begun(3, kingdom="size-distortion")
    enter(match, "p0 gain chapel", "p0 gain witch")
    told = match.state.ledger()
    assert told is not None and [move.text for move in told.likely] == [
        "p0 gain p1 curse", "p0 gain p2 curse", "p0 trash estate", "p0 trash copper",
    ]  # fmt: skip


def test_the_piles_are_told_in_rows_with_the_curse_at_the_end_of_the_second() -> None:
    told = begun().state.ledger()
    assert told is not None
    kinds = [pile.kind for pile in told.piles]
    assert kinds[:6] == ["copper", "silver", "gold", "estate", "duchy", "province"]
    assert kinds[11] == "curse" and len(kinds) == 17


# -- safety ---------------------------------------------------------------------------------


def test_the_position_is_stored_with_what_was_entered() -> None:
    match = begun(kingdom="interaction")
    enter(match, "p0 gain thief", "p0 trash p1 copper")
    again = GAME.from_json(json.loads(json.dumps(match.state.to_json())))
    assert again.to_json() == match.state.to_json()
    assert not again.violations(match.legal_moves()[0])
    assert "p0 take copper" in [move.text for move in again.legal_moves()]


def test_an_entry_of_the_other_way_of_playing_does_not_exist_there() -> None:
    match = Match("dominion", 2, {"last_winners": "p1"}, physical=True)
    for move in ("p0 take copper", "p0 gain p1 curse"):
        assert refused(match, move) == ["unknown_move"]


def test_a_table_sees_a_ledger_as_the_program_keeps_it() -> None:
    options = GAME.complete_options(3, {"record": "ledger", "kingdom": "random"})
    assert check_soundness(GAME, 3, options, 3) is None


@pytest.mark.parametrize("number", [3, 29])
def test_a_match_comes_out_in_the_ledger_as_it_was_played(number: int) -> None:
    kept = keep(number)
    assert kept.right
    assert kept.touches / kept.turns < 3


def counted(players: int, *moves: str) -> Match:
    match = Match("dominion", players, {"record": "count"})
    for move in moves:
        match.push(move)
    return match


def ranking(match: Match) -> list[list[int]]:
    assert match.outcome is not None
    return [list(group) for group in match.outcome.ranking]


def test_one_player_after_the_other_counts_and_the_most_points_win() -> None:
    first = [*["p0 count province"] * 3, *["p0 count estate"] * 2, "p0 count curse", "p0 done"]
    match = counted(2, *first, *["p1 count duchy"] * 4, "p1 done")
    assert match.outcome is not None
    assert (match.outcome.reason, match.outcome.ranking) == ("counted", ((0,), (1,)))
    assert match.scores == (19, 12)


def test_gardens_count_a_point_for_every_ten_cards_that_were_stacked() -> None:
    match = counted(2, *["p0 count gardens"] * 3)
    assert match.scores == (0, 0)
    for _ in range(4):
        match.push("p0 count tens")
    assert match.scores == (12, 0)
    match.push("p0 uncount tens")
    assert match.scores == (9, 0)


def test_every_card_of_the_box_can_be_counted_so_that_nobody_needs_to_make_tens() -> None:
    cards = [*["p0 count copper"] * 19, *["p0 count village"] * 8, *["p0 count gardens"] * 2]
    match = counted(2, *cards)
    assert match.scores == (4, 0)
    match.push("p0 count throne-room")
    assert match.scores == (6, 0)
    told = match.state.ledger()
    assert told is not None and [pile.kind for pile in told.piles][6:] == [
        "copper", "throne-room", "village",
    ]  # fmt: skip
    assert GAME.touch.worth(told.owned[0]) == {"gardens": 6}
    match.push("p0 count village")
    assert "p0 count gold" in [move.text for move in match.legal_moves()]
    assert refused(match, "p1 count village") == ["wrong_player"]
    match.push("p0 count village")
    assert refused(match, "p0 count village") == ["all_counted"]


def test_tens_that_were_touched_and_cards_counted_one_by_one_are_not_added_up() -> None:
    match = counted(2, "p0 count gardens", *["p0 count copper"] * 24, *["p0 count tens"] * 2)
    assert match.scores == (2, 0)
    match.push("p0 count tens")
    assert match.scores == (3, 0)


def test_in_a_tie_whoever_had_fewer_turns_wins_and_nobody_else_is_asked_about() -> None:
    moves = ("p0 count duchy", "p0 done", "p1 count duchy", "p1 done", "p2 count estate", "p2 done")
    match = counted(3, *moves)
    prompt = match.prompt
    assert prompt is not None and (prompt.code, prompt.player) == ("fewer", 2)
    assert [move.text for move in match.legal_moves()] == ["p2 fewer p0", "p2 fewer p1", "p2 none"]
    assert refused(match, "p2 fewer p2") == ["not_tied"]
    assert refused(match, "p2 count estate") == ["fewer_first"]
    match.push("p2 fewer p1")
    assert ranking(match) == [[1], [0], [2]]
    match.pop()
    match.push("p2 none")
    assert ranking(match) == [[0, 1], [2]]


def test_no_more_is_counted_than_is_in_the_box_and_no_fewer_than_none() -> None:
    match = counted(2, *["p0 count province"] * 8, "p0 done")
    assert refused(match, "p1 count province") == ["all_counted"]
    assert refused(match, "p1 uncount estate") == ["none_counted"]
    assert refused(match, "p0 count estate") == ["wrong_player"]
    assert refused(match, "p1 gain estate") == ["not_counted"]
    estates = counted(2, *["p0 count estate"] * 14)
    assert refused(estates, "p0 count estate") == ["all_counted"]


def test_a_count_exists_only_where_it_was_chosen() -> None:
    match = Match("dominion", 2, {"last_winners": "p1", "record": "ledger"})
    for move in ("p0 count estate", "p0 fewer p1"):
        assert refused(match, move) in (["unknown_move"], ["not_entered"])


def test_the_position_is_stored_and_nonsense_is_not_read() -> None:
    match = counted(3, "p0 count gardens", "p0 count tens", "p0 done")
    data = json.loads(json.dumps(match.state.to_json()))
    assert GAME.from_json(data).to_json() == match.state.to_json()
    data["seats"][0]["owned"]["estate"] = 0
    with pytest.raises(StateError):
        GAME.from_json(data)
