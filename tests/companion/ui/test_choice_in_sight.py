"""Things to choose from are in sight meanwhile: in every game, seat and step."""

from __future__ import annotations

import random

import pytest

from rules.core import Actor
from rules.games import find_game, game_ids
from rules.match import Match
from rules.testing.playout import pick
from tests.companion.ui.conftest import Opened
from tests.support.in_sight import out_of_sight
from tests.support.one_finger import Hand

MOST_MOVES, EACH = 200, 1
thoroughly = pytest.mark.thorough


MATCHES = [
    pytest.param(game, count, marks=() if count == find_game(game).players[0] else thoroughly)
    for game in game_ids()
    for count in find_game(game).players
]


@pytest.mark.parametrize(("game", "players"), MATCHES)
def test_what_is_chosen_from_is_on_the_screen(
    game: str,
    players: int,
    opened: Opened[Hand],
    thorough: bool,
) -> None:
    """Every kind of prompt to a player, looked at a few times each in a random match."""
    hand, chance = opened(Hand(Match(game, players, seed=3))), random.Random(3)
    match, asked = hand.table.match, dict[str, int]()
    for _number in range(MOST_MOVES):
        match.deal()
        prompt = match.prompt
        if match.outcome is not None or prompt is None:
            break
        times = asked.get(prompt.code, 0)
        if prompt.actor is Actor.PLAYER and times < EACH * (5 if thorough else 1):
            asked[prompt.code] = times + 1
            hand.deal()
            assert out_of_sight(hand.screen, match) == [], f"{prompt.code} of {prompt.player}"
        match.push(pick(match.state, match.legal_moves(), chance))
    assert asked
