"""Every byte that a broker gets is the same in all worlds that the people at the table cannot tell
apart."""

from __future__ import annotations

import pytest

from rules.games import find_game
from tests.support.leaks import HIDDEN, Found, look_for_leaks, sent_to_the_house


@pytest.mark.parametrize("game", HIDDEN)
def test_no_broker_learns_what_only_one_player_may_know(game: str, thorough: bool) -> None:
    players, found = find_game(game).players, Found()
    for seed in range(20 if thorough else 2):
        number = players[(seed + 1) % len(players)]
        found.add(look_for_leaks(game, number, seed, sent_to_the_house, seats=0))
    assert found.leaks == []
    assert found.other_hands.get(game, 0) > 0, "no other world was found: nothing was tried"
