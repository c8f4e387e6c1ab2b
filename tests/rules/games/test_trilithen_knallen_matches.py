"""Trilithen Knallen: whole matches. What always holds, what is stored, what is told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random

import pytest

from rules.core import Move
from rules.games.trilithen_knallen import GAME
from rules.games.trilithen_knallen.state import TrilithenState
from rules.telling import Teller
from rules.testing.playout import random_match
from rules.texts import LANGUAGES
from tests.support.trilithen_table import position

HERE = Path(__file__).parent
SETTINGS: list[tuple[int, dict[str, str]]] = [
    (2, {}),
    (2, {"lives": "2", "changing": "2"}),
    (3, {"changing": "5"}),
    (3, {"lives": "1", "simple": "on"}),
    (4, {"simple": "on", "changing": "3"}),
    (5, {}),
]


def _states(
    players: int, options: Mapping[str, str], seed: int
) -> Iterator[tuple[TrilithenState, list[Move], Move]]:
    for match, moves, move in random_match(GAME, players, options, seed):
        yield match.state, moves, move


# -- what always holds -----------------------------------------------------------------------


@pytest.mark.parametrize("players", GAME.players)
def test_random_matches_are_of_the_length_the_rules_promise(players: int) -> None:
    lengths = []
    for seed in range(12):
        state = GAME.setup(players, GAME.complete_options(players, {}), False)
        random, steps = Random(seed), 0
        while moves := state.legal_moves():
            state.apply(state.choose(moves, random))
            steps += 1
        lengths.append(steps)
    assert 250 < sum(lengths) / len(lengths) < 520


def test_a_movement_never_crosses_more_fields_than_the_range_allows() -> None:
    for options, limit in (({}, 3), ({"simple": "on"}, 2)):
        for state, _, move in _states(4, options, 11):
            if move.verb == "flip":
                needed = state.needed
                assert max(needed.count(colour) for colour in range(5)) <= limit
                assert state.right < len(needed) <= 5 * limit


def test_only_the_player_himself_and_the_looker_learn_hidden_cards() -> None:
    for state, _, move in _states(3, {}, 2):
        public = state.public(move, None)
        if move.verb == "draw":
            assert public.text.endswith("?")
            assert state.public(move, int(move.args[0][1])) == move
        elif move.verb == "show" and state.phase.value == "look":
            assert public.text.endswith("?")
            assert state.public(move, state.owner(state.target)) == move
        else:
            assert public == move
        for seat in range(3):
            for other, hand in enumerate(state.view(seat)["hands"]):
                assert isinstance(hand, list) is (other == seat)


def test_pages_for_the_sections_and_all_thirty_six_rulings() -> None:
    for lang in LANGUAGES:
        pages = [page.rule for page in Teller(GAME, lang, ("white", "blue", "green")).pages]
        assert pages[:7] == [f"5.{n}" for n in range(1, 8)]
        assert pages[8:] == [f"TK{n}" for n in range(1, 37)]


def test_supplies_and_explained_points_follow_the_structure_points() -> None:
    points = [{"white": 8, "blue": 3}, {"blue": 7}, {"green": 10, "white": 2}]
    state = position(points=points, lives="2")
    assert state.supply(0) == {
        "disc white": 8, "disc blue": 3, "bar white": 2, "card back": 4,
    }  # fmt: skip
    lines = [(line.player, line.points, line.params) for line in state.explain_scores()]
    assert lines == [(0, 3, (("colour", "blue"),)), (2, 2, (("colour", "white"),))]
