"""What only one player may see."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from companion.match.hands import Hand, hand_of, keeps_secrets
from rules.core import Actor, Move
from rules.games import find_game, game_ids
from rules.match import Match
from rules.testing.playout import pick

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
            match.push(match.state.choose(legal, chance))
        else:
            match.push(chance.choice(legal))
    match.deal()
    return match


@pytest.mark.parametrize("game", game_ids())
def test_games_with_hands_keep_secrets_where_the_program_deals(game: str) -> None:
    match = dealt(game)
    assert any(hand_of(match, seat) for seat in range(match.players)) == (game in SECRETIVE)


def positions(game: str, moves: int = 90) -> Iterator[Match]:
    """A match wherever a player is asked, for every number of players."""
    rules, chance = find_game(game), random.Random(game)
    for players in rules.players:
        match = Match(game, players, seed=players)
        for _ in range(moves):
            match.deal()
            legal = match.legal_moves()
            if match.prompt is None or not legal:
                break
            if match.prompt.actor is Actor.PLAYER and match.prompt.player is not None:
                yield match
            match.push(pick(match.state, legal, chance))


@pytest.mark.parametrize("game", game_ids())
def test_whoever_may_name_something_hidden_is_asked_alone(game: str) -> None:
    secret = total = 0
    for match in positions(game):
        assert match.prompt is not None and match.prompt.player is not None
        hand = hand_of(match, match.prompt.player)
        things = {thing for thing, _count in hand.things}
        named = {
            part
            for move in match.legal_moves()
            for arg in move.args
            for part in (arg.partition("=")[2] or arg).split(",")
        }
        if named & things:
            assert keeps_secrets(match), match.prompt
        secret, total = secret + keeps_secrets(match), total + 1
    assert total > 0 and (secret > 0) == (game in SECRETIVE)


@pytest.mark.parametrize(
    ("game", "public"),
    [
        ("dolmengoetter", {"druid", "action", "stone"}),
        ("erbaut_stonehenge", {"draw", "occupy", "build_reveal"}),
        ("opferroulette", {"offering"}),
        ("trilithen_knallen", {"ram", "flip"}),
    ],
)
def test_public_choices_need_no_handover(game: str, public: set[str]) -> None:
    covered = {match.prompt.code: keeps_secrets(match) for match in positions(game) if match.prompt}
    assert public <= covered.keys()
    assert not any(covered[code] for code in public)


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
