"""What always holds in random matches of every game, in several settings."""

from __future__ import annotations

import json

import pytest

from rules.games import find_game, game_ids
from rules.testing.playout import ladder, random_match

SETTINGS = [
    pytest.param(
        game, *setting, marks=() if number < 3 else pytest.mark.thorough, id=f"{game}-{number}"
    )
    for game in game_ids()
    for number, setting in enumerate(ladder(find_game(game))[:10])
]
MOST_TO_TRY = 4000
"""Hands can do no more in any position."""


@pytest.mark.parametrize(("game_id", "players", "options"), SETTINGS)
@pytest.mark.parametrize("physical", [False, True], ids=["dealt", "real"])
def test_nothing_is_lost_and_a_stored_or_copied_position_goes_on_like_the_original(
    game_id: str, players: int, options: dict[str, str], physical: bool
) -> None:
    game = find_game(game_id)
    for match, moves, move in random_match(game, players, options, 3, physical=physical):
        state = match.state
        assert state.problems() == []
        if match.ply % 19:
            continue
        stored = json.dumps(state.to_json())
        again, copy = game.from_json(json.loads(stored)), state.clone()
        for other in (again, copy):
            assert json.dumps(other.to_json()) == stored
            assert sorted(other.legal_moves()) == sorted(moves)
            other.apply(move)
        assert again.to_json() == copy.to_json()
        assert json.dumps(state.to_json()) == stored


@pytest.mark.parametrize("game_id", game_ids())
def test_hands_can_try_only_so_many_things(game_id: str) -> None:
    game = find_game(game_id)
    for match, _moves, _move in random_match(game, game.players[-1], {}, 2, physical=True):
        if match.ply % 11 == 0:
            tried = list(match.state.pseudo_moves())
            assert len(set(tried)) == len(tried) < MOST_TO_TRY
