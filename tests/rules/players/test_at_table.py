"""At a table with real pieces a player chooses what hands can do there."""

from __future__ import annotations

from random import Random

import pytest

from rules.core import Actor, Move
from rules.match import Match
from rules.players import Budget, Choice, Reason, SeatView, Thought, find_player
from rules.players.levels import as_legal
from rules.testing.playout import pick


def test_what_nobody_has_seen_is_left_open_and_the_same_for_hands_is_one_thought() -> None:
    legal = [Move.parse(text) for text in ("p1 dolmen K04 top ?", "p1 keep K04")]
    four, one = (Move.parse(f"p1 dolmen K04 top {value}") for value in (4, 1))
    keep = legal[1]
    thoughts = (Thought(four, 0.7, 9), Thought(one, 0.6, 5), Thought(keep, 0.5, 2))
    found = as_legal(Choice(four, Reason("winning"), thoughts), legal)
    assert found.move == legal[0]
    assert found.thoughts == (Thought(legal[0], 0.7, 9), thoughts[2])
    assert found.second == thoughts[2]


@pytest.mark.parametrize("game", ["dolmengoetter", "knizia_stonehenge", "rollende_steine"])
def test_where_computer_players_may_sit_they_choose_what_is_legal_there(game: str) -> None:
    match, random = Match(game, 2, physical=True), Random(2)
    assert match.game.open_to_computers(match.options)
    druid, asked = find_player("druid"), 0
    while match.outcome is None and asked < 40:
        match.follow()
        moves = match.legal_moves()
        if not moves:
            break
        move = pick(match.state, moves, random)
        if moves[0].actor is Actor.PLAYER and moves[0].player is not None:
            asked += 1
            view = SeatView.of(match, moves[0].player)
            choice = druid.choose(view, moves, Budget(playouts=4), random)
            assert choice.move in moves
            assert all(one.move in moves for one in choice.thoughts)
            move = choice.move
        match.push(move)
    assert asked > 5
