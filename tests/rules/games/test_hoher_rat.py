"""Der Hohe Rat: the worked examples of the rules first, then the rulings.

Fields that are not mentioned are empty, players that are not mentioned hold no arguments.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from rules.core import Item, OptionError
from rules.games.hoher_rat import GAME
from rules.games.hoher_rat.components import (
    CARD_COLOUR,
    CARD_NAME,
    CARD_NUMBER,
    COLOUR_NUMBER,
    DECK,
    FIELD_COLOUR,
    PIECE_NUMBER,
)
from rules.match import Match
from tests.support.hoher_rat_table import ALL_TEN, COUNCIL, heap, legal, on, table
from tests.support.rulings import play

# -- worked examples ------------------------------------------------------------------------


def test_example_one_pro_converts_a_single_follower_with_one_argument() -> None:
    two = table(2, COUNCIL, arguments={0: {"white": 1}})
    assert legal(two, "persuade") == [
        "p0 persuade 7 6 white pay=white",
        "p0 persuade 7 6 yellow pay=white",
    ]
    owned = {0: {"white": 1}, 2: {"white": 1}}
    assert legal(table(4, COUNCIL, arguments=owned), "persuade") == [
        "p0 persuade 7 6 white pay=white"
    ]
    assert legal(table(4, COUNCIL, arguments=owned, turn=2), "persuade") == [
        "p2 persuade 7 6 yellow pay=white"
    ]


def test_example_one_contra_needs_three_equal_arguments_against_the_spokesman() -> None:
    state = table(4, COUNCIL, arguments={1: {"green": 3, "red": 2}}, turn=1)
    assert legal(state, "persuade") == ["p1 persuade 6 7 blue pay=green"]
    play(state, "p1 persuade 6 7 blue pay=green")
    assert on(state, 7) == PIECE_NUMBER["blue"]
    assert state.supply(2)["figure yellow"] == 1
    assert heap(state, "green") == 10
    mixed = table(4, COUNCIL, arguments={1: {"green": 2, "red": 2, "blue": 2}}, turn=1)
    assert legal(mixed, "persuade") == []


def test_example_two_groups_are_per_colour() -> None:
    red_pair = {"white": "7", "red": "8 9"}
    assert legal(table(2, red_pair, arguments={0: {"white": 1}}), "persuade") == []
    both = ["p0 persuade 7 8 white pay=white", "p0 persuade 7 8 yellow pay=white"]
    assert legal(table(2, red_pair, arguments={0: {"white": 2}}), "persuade") == both
    mixed = {"white": "7", "red": "8", "blue": "9"}
    assert legal(table(2, mixed, arguments={0: {"white": 1}}), "persuade") == both
    closed = table(2, {"white": "30", "red": "1 2 3"}, arguments={0: {"blue": 3}})
    assert legal(closed, "persuade") == [
        "p0 persuade 30 1 white pay=blue",
        "p0 persuade 30 1 yellow pay=blue",
    ]


def test_example_three_order_counts() -> None:
    owned = {0: {"white": 2, "blue": 1}}
    state = table(2, {"white": "7", "red": "8 9"}, arguments=owned)
    play(state, "p0 persuade 7 8 white pay=white")
    assert state.arguments[0] == [0, 1, 0, 0, 0]
    play(state, "p0 persuade 8 9 yellow pay=blue")
    assert state.arguments[0] == [0] * 5


NEARLY_FULL = {
    "red": "1 2 4 5 8 9 12 13 16 17",
    "white": "3 6 7 10 11 14 15 18 19",
    "blue": "20 21 24 25",
    "yellow": "22 23 26 27 28 29",
}


def test_example_four_the_vote_holds_at_once() -> None:
    state = table(2, NEARLY_FULL, hands=("d30 d1 d7",), arguments={0: {"blue": 1}})
    assert legal(state, "persuade") == []
    play(state, "p0 seat d30 30 yellow")
    assert state.vote
    assert Item("altar", "trilithon") in state.layout()
    play(state, "dealer draw p0 d2")
    assert legal(state, "persuade") == [
        "p0 persuade 26 25 white pay=blue",
        "p0 persuade 26 25 yellow pay=blue",
        "p0 persuade 30 1 white pay=blue",
        "p0 persuade 30 1 yellow pay=blue",
    ]


@pytest.mark.parametrize(
    ("ring", "source", "target", "vote", "price"),
    [
        ({"white": "6 7", "red-spokesman": "8"}, 7, 8, False, 3),
        ({"white": "6 7", "red-spokesman": "8"}, 7, 8, True, 1),
        ({"white": "6 7", "red": "8 9"}, 7, 8, True, 2),
        ({"white": "7", "red": "8"}, 7, 8, True, 1),
        ({"white": "7", "red": "8"}, 7, 8, False, 1),
        ({"white": "7", "red": "8 9 10 11"}, 7, 8, False, 3),
    ],
)
def test_example_four_prices(
    ring: Mapping[str, str], source: int, target: int, vote: bool, price: int
) -> None:
    assert table(2, ring, vote=vote).price(source - 1, target - 1) == price


def test_example_five_what_a_hand_can_discuss() -> None:
    state = table(2, {}, hands=("d1 d6 d7",))
    assert legal(state, "discuss") == [
        "p0 discuss d1",
        "p0 discuss d1,d6",
        "p0 discuss d1,d6,d7",
        "p0 discuss d1,d7",
        "p0 discuss d6 blue",
        "p0 discuss d6 green",
        "p0 discuss d6 red",
        "p0 discuss d6 white",
        "p0 discuss d6 yellow",
        "p0 discuss d6,d7",
        "p0 discuss d7",
    ]
    play(state, "p0 discuss d1,d6,d7")
    assert state.arguments[0] == [3, 0, 0, 0, 0]
    assert len(legal(state)) == 29
    play(state, "dealer draw p0 d2", "dealer draw p0 d3", "dealer draw p0 d4")
    assert legal(state) == ["p0 done"]


def test_example_five_the_limit_counts_both_partners() -> None:
    owned = {0: {"white": 5}, 2: {"white": 1}}
    state = table(4, {}, hands=("d1 d7 t-white",), arguments=owned)
    pairs = [m for m in legal(state, "discuss") if "t-white" in m]
    assert len(pairs) == 10
    assert not any("t-white white" in pair or ",white" in pair for pair in pairs)
    free = table(4, {}, hands=("d1 d7 t-white",))
    assert len([m for m in legal(free, "discuss") if "t-white" in m]) == 15
    play(state, "p0 discuss d1,d7")
    assert state.arguments[0][0] == 5
    less = {0: {"white": 4}, 2: {"white": 1}}
    state = table(4, {}, hands=("d1 d6 d7",), arguments=less)
    play(state, "p0 discuss d1,d6,d7")
    assert state.arguments[0][0] == 5


def test_example_five_little_room_and_none() -> None:
    all_but_red = {0: {"white": 6, "blue": 6, "green": 6, "yellow": 6, "red": 5}}
    state = table(4, {}, hands=("d6 d12 t-white",), arguments=all_but_red)
    assert legal(state, "discuss") == [
        "p0 discuss d12 red",
        "p0 discuss d6 red",
        "p0 discuss d6,d12 red",
        "p0 discuss t-white red",
    ]
    six = {0: dict.fromkeys(("white", "blue", "green", "yellow", "red"), 6)}
    state = table(4, {}, hands=("d6 d12 t-white",), arguments=six)
    assert legal(state, "discuss") == [
        "p0 discuss d12",
        "p0 discuss d6",
        "p0 discuss d6,d12",
        "p0 discuss t-white",
    ]


def test_example_six_seats() -> None:
    state = table(
        4, {"white": "7", "blue": "8"}, hands=("d3 d7 d8",), arguments={0: {"white": 3}}
    )  # fmt: skip
    assert legal(state, "seat") == [
        "p0 seat d3 3 white",
        "p0 seat d3 3 white-spokesman",
        "p0 seat d7 1 white pay=white",
        "p0 seat d7 13 white pay=white",
        "p0 seat d7 19 white pay=white",
        "p0 seat d7 25 white pay=white",
        "p0 seat d7 7 white-spokesman",
    ]
    black = table(4, {}, hands=("d6 t-white t-yellow",), arguments={0: {"green": 3}})
    assert legal(black, "seat") == [
        "p0 seat d6 12 white pay=green",
        "p0 seat d6 18 white pay=green",
        "p0 seat d6 24 white pay=green",
        "p0 seat d6 30 white pay=green",
        "p0 seat d6 6 white",
        "p0 seat d6 6 white-spokesman",
    ]
    swap = table(2, {"white": "7"}, hands=("d7 t-white t-yellow",))
    assert legal(swap, "seat") == ["p0 seat d7 7 white-spokesman", "p0 seat d7 7 yellow-spokesman"]


def test_example_seven_no_follower_left() -> None:
    state = table(4, ALL_TEN, hands=("d2 d4 t-white",), arguments={0: {"white": 1}})
    assert legal(state, "persuade", "seat") == [
        "p0 persuade 19 20 pay=white",
        "p0 seat d2 2",
        "p0 seat d2 2 white-spokesman",
        "p0 seat d4 4",
        "p0 seat d4 4 white-spokesman",
    ]
    play(state, "p0 persuade 19 20 pay=white")
    assert legal(state) == sorted(f"p0 lift {f}" for f in (1, 3, 5, 7, 9, 11, 13, 15, 17))
    play(state, "p0 lift 1")
    assert on(state, 20) == PIECE_NUMBER["white"]
    assert state.ring[0] == 10
    assert not state.acted
    assert not state.pending


def test_example_seven_a_hole_in_the_vote_may_be_filled_again() -> None:
    ring = {
        "white": "1 3 5 7 9 11 13 15 17 19",
        "red": "20 22 24 26 28 30 2 4 6 8",
        "blue": "10 12 14 16 18 21 23 25 27 29",
    }
    state = table(
        4, ring, hands=("d1 t-white t-yellow",), arguments={0: {"white": 1}}, vote=True
    )  # fmt: skip
    play(state, "p0 persuade 19 20 pay=white", "p0 lift 1")
    assert state.vote
    assert legal(state, "seat") == ["p0 seat d1 1", "p0 seat d1 1 white-spokesman"]
    play(state, "p0 seat d1 1", "p0 lift 3")
    assert state.vote
    assert state.empty == 1


def test_example_seven_two_players_with_the_other_colour_in_supply_move_nobody() -> None:
    state = table(2, ALL_TEN, hands=("d2 d4 t-white",), arguments={0: {"white": 1}})
    assert legal(state, "persuade") == ["p0 persuade 19 20 yellow pay=white"]
    play(state, "p0 persuade 19 20 yellow pay=white")
    assert not state.pending


def test_example_eight_sixteen_side_by_side_win_without_a_draw() -> None:
    ring = {"white": "1 2 3 4 5 6 7 8 9 10", "yellow": "11 12 13 14 15"}
    state = table(2, ring, hands=("d16 d17 d18",))
    assert state.outcome() is None
    play(state, "p0 seat d16 16 yellow")
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.reason == "block"
    assert outcome.ranking == ((0,), (1,))
    assert outcome.scores == (16, 0)
    assert legal(state) == []
    assert state.prompt() is None


def test_example_eight_a_persuasion_joins_the_partners_pieces() -> None:
    ring = {
        "white": "1 2 3 4 5 6 7", "blue": "8", "yellow": "9 10 11 12 13 14 15",
        "yellow-spokesman": "16",
    }  # fmt: skip
    state = table(4, ring, arguments={0: {"white": 1}})
    play(state, "p0 persuade 7 8 white pay=white")
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.ranking == ((0, 2), (1, 3))
    assert outcome.scores == (16, 0, 16, 0)


def test_example_nine_consulting() -> None:
    state = table(4, {}, hands=("d1 d2 d3", "n1 n2 n3", "d4 d5 d6", "n4 n5 n6"))
    play(state, "p0 consult d1")
    assert legal(state) == ["p2 return d1", "p2 return d4", "p2 return d5", "p2 return d6"]
    play(state, "p2 return d6")
    assert [CARD_NAME[card] for card in state.hands[0]] == ["d2", "d3", "d6"]
    assert legal(state) == ["p0 done"]


def test_example_ten_the_pile_is_reshuffled_when_a_card_is_needed() -> None:
    held = {"d1", "d2", "d7", "d30"}
    rest = " ".join(name for name in CARD_NAME[:DECK] if name not in held)
    state = table(2, {}, hands=("d1 d2 d7",), discards=rest)
    play(state, "p0 discuss d1,d7")
    assert legal(state) == ["dealer draw p0 d30"]
    play(state, "dealer draw p0 d30")
    prompt = state.prompt()
    assert prompt is not None
    assert prompt.code == "reshuffle"
    outcomes = legal(state)
    assert len(outcomes) == 30
    assert {"dealer draw p0 d1", "dealer draw p0 d7"} <= set(outcomes)
    assert not {"dealer draw p0 d2", "dealer draw p0 d30"} & set(outcomes)


def test_example_eleven_a_turn() -> None:
    state = table(4, COUNCIL, hands=("d1 d6 d7",), arguments={0: {"white": 1}})
    play(
        state,
        "p0 persuade 7 6 white pay=white",
        "p0 discuss d1,d6,d7",
        "dealer draw p0 d22",
        "dealer draw p0 d13",
        "dealer draw p0 t-yellow",
        "p0 done",
    )
    assert state.arguments[0] == [3, 0, 0, 0, 0]
    assert state.turn == 1
    assert not state.acted


# -- set-up ---------------------------------------------------------------------------------


def test_fields_and_cards_share_six_colours_in_turn() -> None:
    assert [f + 1 for f, colour in enumerate(FIELD_COLOUR) if colour == 5] == [6, 12, 18, 24, 30]
    assert CARD_COLOUR[CARD_NUMBER["n7"]] == FIELD_COLOUR[6] == COLOUR_NUMBER["white"]
    assert CARD_NAME[30:32] == ("t-white", "t-yellow")
    assert CARD_NAME[62:] == ("t-blue", "t-red")


@pytest.mark.parametrize("players", [2, 4])
def test_cards_are_dealt_round_the_table_and_the_start_is_drawn_by_lot(players: int) -> None:
    match = Match(GAME, players, seed=5)
    for number in range(3 * players):
        seat = number % players
        left = 32 - number // players * (players // 2) - (players == 4 and seat > 1)
        moves = match.legal_moves()
        assert len(moves) == left
        assert all(move.args[0] == f"p{seat}" for move in moves)
        match.push(moves[0])
    starts = [f"dealer start p{seat}" for seat in range(players)]
    assert [move.text for move in match.legal_moves()] == starts
    assert match.why_not("p0 done")[0].code == "start_first"
    match.push(starts[-1])
    assert match.prompt is not None
    assert match.prompt.player == players - 1


def test_the_game_is_for_two_or_four() -> None:
    with pytest.raises(OptionError):
        Match(GAME, 3)
    with pytest.raises(OptionError):
        Match(GAME, 2, {"house": "on"})


def test_arguments_lie_on_the_five_trilithon_fields() -> None:
    layout = table(2, {}, arguments={0: {"blue": 6}, 1: {"blue": 4}}).layout()
    assert sum(item.site == "T1" for item in layout) == 10
    assert not any(item.site == "T2" for item in layout)
    seen = [item for item in layout if item.seen]
    assert sorted(item.kind for item in seen) == [
        "bar green", "bar red", "bar white", "bar yellow"
    ]  # fmt: skip
