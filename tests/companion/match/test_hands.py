"""What only one player may see."""

from __future__ import annotations

import random

import pytest

from companion.match.hands import Hand, hand_of, keeps_secrets
from rules.core import Actor, Move
from rules.games import find_game, game_ids
from rules.match import Match

SECRETIVE = {
    "dolmengoetter", "dominion", "erbaut_stonehenge", "hoher_rat", "opferroulette",
    "trilithen_knallen",
}  # fmt: skip


def dealt(game: str, moves: int = 30, *, physical: bool = False, **options: str) -> Match:
    rules, chance = find_game(game), random.Random(1)
    match = Match(game, rules.players[0], options, seed=3, physical=physical)
    for _ in range(moves):
        match.deal()
        prompt = match.prompt
        if prompt is None:
            break
        legal = match.legal_moves()
        if prompt.actor is Actor.PLAYER:
            match.push(rules.choose(match.state, legal, chance))
        else:
            match.push(chance.choice(legal))
    match.deal()
    return match


@pytest.mark.parametrize("game", game_ids())
def test_games_with_hands_keep_secrets_where_the_program_deals(game: str) -> None:
    match = dealt(game)
    hands = [hand_of(match, seat) for seat in range(match.players)]
    assert any(hands) == (game in SECRETIVE)
    if match.prompt is not None and match.prompt.actor is Actor.PLAYER:
        assert keeps_secrets(match) == bool(hands[match.prompt.player or 0])


@pytest.mark.parametrize("game", game_ids())
def test_at_a_physical_table_nothing_must_be_covered(game: str) -> None:
    assert not keeps_secrets(dealt(game, physical=True))


def test_a_hand_is_what_lies_in_it() -> None:
    match = dealt("dominion", 0)
    for seat in range(match.players):
        assert sum(count for _kind, count in hand_of(match, seat).things) == 5


def test_own_hidden_stones_on_the_board_are_named_with_their_field() -> None:
    match = Match("knizia_stonehenge", 2, {"hidden": "on"}, seed=3)
    match.push("p0 place 3 L")
    assert ("L", "3") in hand_of(match, 0).lying
    assert all(site != "L" for site, _thing in hand_of(match, 1).lying)


def test_own_dolmens_are_known_to_their_owner_even_with_real_ones() -> None:
    match, chance = dealt("dolmengoetter", 4, physical=True), random.Random(5)
    laid = None
    while laid is None:
        legal = match.legal_moves()
        unseen = next((move for move in legal if move.verb == "dolmen"), None)
        if unseen is not None:
            # The owner types its value in, for himself alone.
            laid = Move.parse(unseen.text.replace("?", "3"))
        match.push(laid or chance.choice(legal))
    assert laid.player is not None
    assert (laid.args[0], laid.args[2]) in hand_of(match, laid.player).lying
    others = [s for s in range(match.players) if s != laid.player]
    assert all((laid.args[0], laid.args[2]) not in hand_of(match, s).lying for s in others)


def test_an_empty_hand_is_false() -> None:
    assert not Hand(0)
    assert Hand(0, things=(("copper", 1),))
