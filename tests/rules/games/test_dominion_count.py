"""DO32: only what everybody owns at the end is counted."""

from __future__ import annotations

import json

import pytest

from rules.core import StateError
from rules.games.dominion import GAME
from rules.match import Match


def counted(players: int, *moves: str) -> Match:
    match = Match("dominion", players, {"record": "count"})
    for move in moves:
        match.push(move)
    return match


def refused(match: Match, move: str) -> list[str]:
    return [objection.code for objection in match.why_not(move)]


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
