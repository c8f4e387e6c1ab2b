"""Trilithen Knallen: worked examples, then rulings, storing and speaking, and whole matches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random

import pytest

from rules.core import Move, Objection
from rules.games.trilithen_knallen import GAME
from rules.games.trilithen_knallen.state import TrilithenState
from rules.match import Match
from rules.telling import Teller
from rules.testing.playout import random_match
from rules.texts import LANGUAGES
from tests.support.rulings import legal, play, reasons
from tests.support.trilithen_table import (
    SPOTS_OF_Q,
    TWO,
    P,
    Places,
    held,
    lives_of,
    places,
    position,
    prompt_of,
    sequence_q,
    turn_up,
)

# -- worked example 1: placing ---------------------------------------------------------------


def test_position_p_offers_exactly_five_placements() -> None:
    assert legal(position()) == [
        "p0 place white d1 2",
        "p0 place white d1 30",
        "p0 place white d20 19",
        "p0 place white d30 1",
        "p0 place white d30 29",
    ]


def test_the_same_two_fields_again_and_foreign_trilithons_are_refused_by_name() -> None:
    state = position()
    assert reasons(state, "p0 place white d20 21") == [("TK3", "same_fields")]
    assert state.violations(Move.parse("p0 place white d6 5")) == [
        Objection.of("5.3", "field_taken", field=6, colour="blue")
    ]
    assert reasons(state, "p0 place white d6 7") == [("5.3", "field_taken")] * 2


FIVE: Places = {"white": 1, "blue": 4, "green": 9, "yellow": 14, "red": 21}


def test_who_cannot_place_discards_any_cards_or_none() -> None:
    state = position(FIVE, players=5, hand=(4, 9, 14, 21))
    assert legal(state) == sorted(
        [
            "p0 discard d14", "p0 discard d14,d21", "p0 discard d21", "p0 discard d4",
            "p0 discard d4,d14", "p0 discard d4,d14,d21", "p0 discard d4,d21", "p0 discard d4,d9",
            "p0 discard d4,d9,d14", "p0 discard d4,d9,d14,d21", "p0 discard d4,d9,d21",
            "p0 discard d9", "p0 discard d9,d14", "p0 discard d9,d14,d21", "p0 discard d9,d21",
            "p0 done",
        ]
    )  # fmt: skip
    assert prompt_of(state) == ("player", 0, "skip")
    play(state, "p0 discard d4,d21")
    assert prompt_of(state) == ("dealer", 0, "draw")
    draws = legal(state)
    assert all(text.startswith("dealer draw p0 d") for text in draws)
    play(state, draws[0])
    play(state, legal(state)[0])
    assert prompt_of(state)[:2] == ("player", 1)


def test_skipping_without_discarding_draws_nothing() -> None:
    state = play(position(FIVE, players=5, hand=(4, 9, 14, 21)), "p0 done")
    assert prompt_of(state)[:2] == ("player", 1)
    assert places(state)["white"] == 1


# -- worked example 2: ram, bounce, compensation ---------------------------------------------


def test_a_ram_over_three_fields_takes_three_points_and_bounces_three_fields() -> None:
    state = sequence_q(position())
    assert places(state) == {"white": 4, "blue": 9, "green": 25}
    assert held(state, 0) == {"white": 10, "blue": 3}
    assert held(state, 1) == {"blue": 7}
    looks = [f"p1 peek A{n}" for n in range(1, 16) if f"A{n}" not in SPOTS_OF_Q]
    assert legal(state) == sorted([*looks, "p1 done"])
    assert prompt_of(state) == ("player", 1, "peek")


def test_the_rammed_player_may_look_at_one_of_eleven_cards_then_the_turn_ends() -> None:
    state = play(sequence_q(position()), "p1 peek A3")
    unseen = ["n1", "n2", "n3", "n7", "n8", "n10", "n11", "n14", "n15", "n16", "n17"]
    assert legal(state) == sorted(f"dealer show A3 {card}" for card in unseen)
    play(state, "dealer show A3 n2")
    assert prompt_of(state) == ("dealer", 0, "draw")
    assert "dealer draw p0 d17" in legal(state)
    play(state, "dealer draw p0 d17")
    assert prompt_of(state) == ("player", 1, "place")


# -- worked example 3: a wrong card ----------------------------------------------------------


def test_a_wrong_last_card_stops_beside_the_target_without_ramming() -> None:
    state = sequence_q(position(), ("n9", "n4", "n5", "n2"))
    assert places(state) == {"white": 4, "blue": 6, "green": 25}
    assert held(state, 0) == {"white": 10}
    assert prompt_of(state) == ("dealer", 0, "draw")


def test_a_wrong_second_card_moves_one_field() -> None:
    state = play(position(), "p0 place white d1 2", "p0 ram white cw")
    turn_up(state, ("n9", "n2"), ("A7", "A2"))
    assert places(state)["white"] == 2
    assert prompt_of(state) == ("dealer", 0, "draw")


# -- worked example 4: the chain -------------------------------------------------------------


@pytest.mark.parametrize(
    ("green", "blue_after", "green_after", "green_pays"),
    [(8, 6, 8, 0), (9, 7, 10, 1), (10, 8, 11, 1), (11, 9, 11, 0)],
)
def test_a_bounced_trilithon_hits_the_next_one_only_if_it_lies_nearer_than_the_slide(
    green: int, blue_after: int, green_after: int, green_pays: int
) -> None:
    state = sequence_q(position({**P, "green": green}))
    assert places(state) == {"white": 4, "blue": blue_after, "green": green_after}
    assert held(state, 1) == {"blue": 7}
    assert held(state, 2) == {"green": 10 - green_pays}
    assert sum(state.scores()) == state.scores()[0] == 3 + green_pays


def test_with_two_players_the_own_other_trilithon_loses_points_to_nobody() -> None:
    state = sequence_q(position(TWO, players=2, hand=(1, 2, 3, 4, 5, 8)))
    assert places(state) == {"white": 4, "blue": 8, "green": 11, "yellow": 25}
    assert held(state, 0) == {"white": 10, "green": 9, "blue": 3}
    assert state.scores() == (3, 0)
    assert "p1 peek A3" in legal(state)


# -- worked example 5: counter-clockwise and range -------------------------------------------


def test_a_counter_clockwise_ram_is_the_mirror_image() -> None:
    state = play(position({**P, "green": 26}), "p0 place white d30 1", "p0 ram white ccw")
    turn_up(state, ("n4", "n3", "n2"), ("A1", "A2", "A3"))
    assert places(state) == {"white": 28, "blue": 6, "green": 24}
    assert held(state, 2) == {"green": 8}
    assert held(state, 0) == {"white": 10, "green": 2}
    assert prompt_of(state) == ("player", 2, "peek")


@pytest.mark.parametrize(
    ("simple", "blue", "reaches"),
    [("off", 17, True), ("off", 18, False), ("on", 12, True), ("on", 13, False)],
)
def test_three_fields_of_a_colour_are_the_range_and_two_in_the_simple_game(
    simple: str, blue: int, reaches: bool
) -> None:
    state = position({"white": 20, "blue": blue, "green": 25}, simple=simple)
    play(state, "p0 place white d1 2")
    assert ("p0 ram white cw" in legal(state)) is reaches
    if not reaches:
        limit = 2 if simple == "on" else 3
        assert state.violations(Move.parse("p0 ram white cw")) == [
            Objection.of("5.3", "too_far", colour="green", limit=limit)
        ]


# -- worked example 6: destroyed -------------------------------------------------------------


def test_paying_exactly_the_last_points_is_survived() -> None:
    points = [{"white": 10}, {"blue": 3}, {"green": 10, "blue": 7}]
    state = sequence_q(position(points=points))
    assert held(state, 1) == {}
    assert places(state)["blue"] == 9


def test_who_cannot_pay_in_full_is_destroyed_and_not_compensated() -> None:
    points = [{"white": 10}, {"blue": 2}, {"green": 10, "blue": 8}]
    state = sequence_q(position(points=points))
    assert held(state, 0) == {"white": 10, "blue": 2}
    assert places(state) == {"white": 4, "blue": "destroyed", "green": 25}
    assert state.is_out(1)
    assert prompt_of(state) == ("dealer", 0, "draw")


@pytest.mark.parametrize(
    ("before", "won"),
    [
        ((0, 2, 8), [[0, 0, 0], [0, 0, 0], [0, 1, 0]]),
        ((3, 2, 5), [[0, 0, 0], [0, 0, 0], [0, 0, 0]]),
        ((4, 2, 4), [[0, 1, 0], [0, 0, 0], [0, 0, 0]]),
    ],
)
def test_a_life_goes_to_the_other_player_with_most_points_of_the_colour_a_tie_to_nobody(
    before: tuple[int, int, int], won: list[list[int]]
) -> None:
    points: list[dict[str, int]] = [{"white": 10}, {}, {"green": 10}]
    for seat, number in enumerate(before):
        points[seat]["blue"] = number
    state = sequence_q(position(points=points, lives="1"))
    assert lives_of(state) == ([1, 0, 1], won)
    assert places(state)["blue"] == "waiting"
    assert [held(state, seat).get("blue", 0) for seat in range(3)] == [0, 10, 0]
    assert "p1 peek A3" in legal(state)


# -- worked example 7: a trilithon card ------------------------------------------------------


def test_a_right_trilithon_card_swaps_places_and_the_ram_goes_on() -> None:
    state = play(position(changing="3"), "p0 place white d1 2", "p0 ram white cw", "p0 flip A1")
    display = [
        "n1",
        "n2",
        "n3",
        "n4",
        "n5",
        "n7",
        "n8",
        "n9",
        "n10",
        "n11",
        "t-white",
        "t-blue",
        "t-green",
        "n16",
        "n17",
    ]
    assert legal(state) == sorted(f"dealer show A1 {card}" for card in display)
    play(state, "dealer show A1 t-green")
    assert legal(state) == sorted(f"p0 swap A1 A{n}" for n in range(2, 16))
    play(state, "p0 swap A1 A9")
    assert legal(state) == sorted(f"p0 flip A{n}" for n in range(1, 16) if n != 9)
    play(state, "p0 flip A1")
    assert len(legal(state)) == 14


def test_a_wrong_trilithon_card_swaps_all_the_same_then_the_turn_ends() -> None:
    state = play(position(changing="3"), "p0 place white d1 2", "p0 ram white cw", "p0 flip A1")
    play(state, "dealer show A1 t-white", "p0 swap A1 A9")
    assert places(state)["white"] == 1
    assert prompt_of(state) == ("dealer", 0, "draw")


# -- worked example 8: two players, opening --------------------------------------------------


def test_two_players_place_both_trilithons_in_their_first_turn() -> None:
    waiting = dict.fromkeys(("white", "green", "blue", "yellow"), "waiting")
    state = position(waiting, players=2, hand=(1, 2, 10, 11, 12, 13))
    assert len(legal(state)) == 24
    play(state, "p0 place green d1 2")
    assert legal(state) == [
        "p0 place white d10 11", "p0 place white d10 9", "p0 place white d11 10",
        "p0 place white d11 12", "p0 place white d12 11", "p0 place white d12 13",
        "p0 place white d13 12", "p0 place white d13 14",
    ]  # fmt: skip
    play(state, "p0 place white d10 11")
    assert prompt_of(state) == ("dealer", 0, "draw")
    play(state, legal(state)[0])
    assert prompt_of(state) == ("dealer", 0, "draw")
    play(state, legal(state)[0])
    assert prompt_of(state) == ("player", 1, "place_waiting")


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


def test_tk16_is_cited_only_for_a_card_that_lies_on_the_discard_pile() -> None:
    dealing = Match(GAME, 3)
    while dealing.prompt is not None and dealing.prompt.code == "bar":
        dealing.push(dealing.legal_moves()[0])
    dealing.push("dealer draw p0 d7")
    assert reasons(dealing.state, "dealer draw p1 d7") == [("5.2", "not_in_pile")]

    # No trilithon stands within reach of 1 and 30, so the turn ends and a card is drawn.
    state = position({"white": 20, "blue": 2, "green": 28})
    play(state, "p0 place white d1 30")
    assert reasons(state, "dealer draw p0 d20") == [("5.3", "not_in_pile")]
    assert reasons(state, "dealer draw p0 d1") == [("TK16", "not_in_pile")]
