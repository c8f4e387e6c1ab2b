"""The position in numbers that is searched agrees with the rules."""

from __future__ import annotations

from random import Random

import pytest

from rules.games.knizia_stonehenge import GAME
from rules.match import Match
from rules.players.crafts.knizia_stonehenge.craft import KniziaCraft
from rules.players.crafts.knizia_stonehenge.face_down import FaceDown
from rules.players.crafts.knizia_stonehenge.position import Stones, winner, winning
from rules.players import Budget
from rules.players.position import OVER
from rules.players.search import search


def claim_all(match: Match) -> None:
    """Claim whatever can be claimed, and end the turn if its stone lies."""
    craft = KniziaCraft(GAME)
    while match.outcome is None:
        move = craft.obvious(match.state, match.legal_moves())
        if move is None:
            return
        match.push(move)


@pytest.mark.parametrize("seed", range(60))
def test_hidden_stones_in_numbers_are_those_of_the_rules(seed: int) -> None:
    random = Random(seed)
    early = "on" if seed % 3 else "off"
    match = Match(GAME, 2, {"hidden": "on", "hidden_early_claim": early}, seed=seed)
    position = FaceDown.seen_by(seed % 2, match.state)
    while match.outcome is None:
        places = {move for move in match.legal_moves() if move.verb == "place"}
        assert {position.move(key) for key in position.keys()} == places  # noqa: SIM118
        key = random.choice(list(position.keys()))
        match.push(position.move(key))
        position.play(key)
        claim_all(match)
        assert position.claimed == match.state.claimed
        assert position.up == match.state.faceup
        again = FaceDown.seen_by(seed % 2, match.state)
        assert (again.unseen, again.down, again.shown) == (
            position.unseen, position.down, position.shown,
        )  # fmt: skip
    assert match.outcome.ranking[0] == (position.winner,)


@pytest.mark.parametrize("seed", range(60))
def test_turns_in_numbers_are_the_turns_of_the_rules(seed: int) -> None:
    random = Random(seed)
    match = Match(GAME, 2, seed=seed)
    position = Stones.of(match.state)
    while match.outcome is None:
        places = {move for move in match.legal_moves() if move.verb == "place"}
        assert position.actor() == match.state.turn
        assert {position.move(key) for key in position.keys()} == places  # noqa: SIM118
        key = random.choice(list(position.keys()))
        match.push(position.move(key))
        position.play(key)
        claim_all(match)
        claimed = [match.state.claimed[line] for line in range(15)]
        assert position.claimed == claimed
        assert position.sums == tuple(match.state.sums)
    assert position.actor() == OVER
    assert match.outcome.ranking[0] == (position.winner,)


@pytest.mark.parametrize("seed", range(20))
def test_a_playout_ends_with_a_winner_and_leaves_the_position_it_was_copied_from(seed: int) -> None:
    match = Match(GAME, 2, seed=seed)
    position = Stones.of(match.state)
    before = (position.hands[:], position.claimed[:], position.empty[:])
    copy = position.clone()
    first, second = copy.playout(Random(seed))
    assert {first > 0.9, second > 0.9} == {True, False} and abs(first + second - 1) < 1e-9
    assert (position.hands, position.claimed, position.empty) == before


def near_the_end(seed: int, empty: int) -> Stones | None:
    """A position with so many empty fields; None if somebody has won before."""
    random = Random(seed)
    position = Stones.of(GAME.setup(2, GAME.complete_options(2, {}), False))
    while len(position.empty) > empty and position.actor() != OVER:
        position.play(random.choice(list(position.keys())))
    return None if position.actor() == OVER else position


def wins(position: Stones, seat: int) -> bool:
    """True if ``seat`` wins, found by trying everything."""
    if position.actor() == OVER:
        return position.winner == seat
    results = []
    for key in position.keys():  # noqa: SIM118
        following = position.clone()
        following.play(key)
        results.append(wins(following, seat))
    return any(results) if position.actor() == seat else all(results)


@pytest.mark.parametrize("seed", range(12))
def test_solved_endgames_are_those_that_trying_everything_solves(seed: int) -> None:
    position = near_the_end(seed, 4)
    if position is None:
        return
    seat, expected = position.actor(), []
    for key in position.keys():  # noqa: SIM118
        following = position.clone()
        following.play(key)
        if wins(following, seat):
            expected.append(key)
    assert winning(position) == expected
    assert winner(position) == (seat if expected else 1 - seat)


@pytest.mark.parametrize("seed", range(12))
def test_the_search_alone_finds_what_wins_near_the_end(seed: int) -> None:
    position = near_the_end(seed, 5)
    if position is None:
        return
    good = winning(position)
    found = search(lambda _random: position.clone(), Budget(playouts=600), Random(seed))
    assert not good or found.ranked[0].key in good
