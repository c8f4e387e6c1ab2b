"""Every game on the real screen at 800 × 480, played by touches alone."""

from __future__ import annotations

import random

import pytest

from companion.match.layout_diff import sites_of
from companion.presentation.boxes import game_box
from rules.core import Move
from rules.games import find_game, game_ids
from rules.match import Match
from tests.companion.ui.conftest import Opened
from tests.support.one_finger import Hand
from tests.support.sweep import widely
from tests.support.ui_harness import (
    badly_set,
    need_screen,
    tick,
)

MOVES = 8


def shape(move: Move, game: str) -> tuple[str, int]:
    return (move.verb, len(sites_of(move, game_box(game))))


ALSO_TOUCHED = ("erbaut_stonehenge", "rollende_steine", "dominion")
"""Games whose moves other tests of every run touch."""
TABLES = [
    pytest.param(game, False, marks=pytest.mark.thorough if game in ALSO_TOUCHED else ())
    for game in game_ids()
] + [
    # With real cards everything unseen is possible, so these have the longest lists.
    pytest.param(game, True, marks=() if game == "hoher_rat" else pytest.mark.thorough)
    for game in ("erbaut_stonehenge", "hoher_rat", "opferroulette", "trilithen_knallen")
]


@pytest.mark.parametrize(("game", "physical"), TABLES)
def test_every_kind_of_move_takes_few_touches(game: str, physical: bool) -> None:
    """Two; cards that are chosen take one each, one to open them and one to say what for."""
    need_screen()
    chance = random.Random(11)
    rules = find_game(game)
    seats = rules.players[min(1, len(rules.players) - 1)]
    hand = Hand(Match(game, seats, seed=11, physical=physical))
    match, met, played = hand.table.match, set(), 0
    while played < MOVES:
        hand.deal()
        if match.outcome is not None:
            break
        legal = match.legal_moves()
        new = [move for move in legal if shape(move, game) not in met]
        if new:
            move = chance.choice(new)
        elif legal[0].player is None:
            move = chance.choices(legal, match.state.weights(legal))[0]
        else:
            move = match.state.choose(legal, chance)
        met.add(shape(move, game))
        hand.play(move)
        played += 1
    hand.close()
    assert played == MOVES or match.outcome is not None


# Those of the galleries are looked at in every run (``test_room_for_words``).
@pytest.mark.parametrize("game", widely(game_ids(), most=2))
def test_the_words_of_the_screen_fit_in_every_game(game: str, opened: Opened[Hand]) -> None:
    """With as many players as there can be, in both languages."""
    need_screen()
    from companion.ui.theme.style import style

    chance = random.Random(5)
    rules = find_game(game)
    hand = opened(Hand(Match(game, rules.players[-1], seed=5)))
    match = hand.table.match
    for number in range(33):
        match.deal()
        if match.outcome is not None:
            break
        if number % 16 == 0:
            hand.deal()
            for lang in ("en", "de"):
                style.use_language(lang)
                tick(3)
                assert badly_set(hand.screen) == [], f"{lang}, move {number}"
        match.push(match.state.choose(match.legal_moves(), chance))
