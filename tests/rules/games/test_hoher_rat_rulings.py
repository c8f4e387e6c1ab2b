"""Der Hohe Rat: every ruling that shows in play, why moves are refused, and what others see."""

from __future__ import annotations

import pytest

from rules.core import Actor, GameError, Item, Move, StateError
from rules.games.hoher_rat import GAME
from rules.games.hoher_rat.components import CARD_NAME, DECK, EMPTY, FIELD_NUMBER, PIECE_NUMBER
from rules.games.hoher_rat.moves import discussions
from rules.games.hoher_rat.state import Pending
from rules.match import Match
from rules.telling import Teller
from tests.support.hoher_rat_table import ALL_TEN, COUNCIL, heap, legal, on, table
from tests.support.rulings import Steps, at, claim, codes, follow, play


def test_hr1_the_start_player_is_drawn_among_all_players() -> None:
    state = table(4, {})
    state.turn, state.pending = -1, [Pending("start")]
    assert legal(state) == [f"dealer start p{seat}" for seat in range(4)]


RULINGS = [
    # -- rulings
    claim("hr2 thirty and one are neighbours",
          at(table, 2, {"white": "30", "red": "1"}, arguments={0: {"red": 1}}),
          "[… | p0 persuade 30 1 white pay=red]",
          "p0 persuade 30 2 white pay=red ✗ not_neighbours", at(table, 2,
              {"white": "25 26 27 28 29 30 1 2", "yellow": "3 4 5 6 7 8 9"},
              hands=("d10 d11 d12",)), "p0 seat d10 10 yellow"),
    claim("hr4 and hr16 persuading before and after the action and with a new piece",
          at(table, 2, {"white": "1", "red": "2 20"}, hands=("d19 d3 d4",),
              arguments={0: {"white": 2}}), "p0 persuade 1 2 white pay=white · "
          "p0 seat d19 19 white · dealer draw p0 d5",
          "p0 persuade 19 20 yellow pay=white · p0 ponder ✗ already_acted"),
    claim("hr6 what exceeds the supply is lost",
          at(table, 2, {}, hands=("d1 d7 d13",), arguments={0: {"white": 4}, 1: {"white": 5}}),
          "p0 discuss d1,d7,d13", (lambda t: t.arguments[0][0], 5),
          (lambda t: heap(t, "white"), 0), (lambda t: len(t.played[0]), 3)),
    claim("hr7 a trilithon card is played alone",
          at(table, 2, {}, hands=("d1 t-white t-yellow",)),
          "p0 discuss t-white,t-yellow white,white ✗ trilithon_alone",
          "p0 discuss d1,t-white ✗ trilithon_alone · p0 discuss t-white ✗ name_two",
          "p0 seat t-white 1 white ✗ trilithon_never_seats"),
    claim("hr8 the partners arguments cannot be spent",
          at(table, 4, COUNCIL, arguments={2: {"white": 6}}),
          "p0 persuade 7 6 white pay=white ✗ too_few_arguments"),
    claim("hr9 the three arguments have the colour of card and field",
          at(table, 2, {}, hands=("d7 d6 d8",), arguments={0: {"white": 3, "red": 3}}),
          "p0 seat d7 13 white pay=red ✗ wrong_argument",
          "p0 seat d7 14 white pay=white ✗ other_colour_field · p0 seat d6 12 white pay=red ✓",
          "p0 seat d6 12 white pay=blue ✗ too_few_arguments"),
    claim("hr10 another field may be paid for while the cards own is free",
          at(table, 2, {}, hands=("d7 d2 d8",), arguments={0: {"white": 3}}),
          "p0 seat d7 13 yellow pay=white", (lambda t: on(t, 13), PIECE_NUMBER["yellow"]),
          (lambda t: heap(t, "white"), 10)),
    claim("hr13 the vote never ends",
          at(table, 2, {"white": "6 7", "red-spokesman": "8"}, vote=True),
          (lambda t: t.empty, 27), (lambda t: t.price(6, 7), 1),
          lambda t: Item("altar", "trilithon") in t.layout()),
    # The group 18–19 is not larger than 20–21: the price is two.
    claim("hr14 the follower that persuades stays and sizes count before the lift",
          at(table, 4, {"white": "1 3 5 7 9 11 13 15 18 19", "red": "20 21"},
              arguments={0: {"white": 1}}, vote=True),
          "p0 persuade 19 20 pay=white ✗ too_few_arguments", at(table, 4,
              {"white": "1 3 5 7 9 11 13 15 18 19", "red": "20 21"}, arguments={0: {"white": 2}}),
          "p0 persuade 19 20 pay=white", (lambda t: on(t, 20), 10),
          "p0 lift 19 ✗ lift_from · p0 done ✗ lift_first · p1 lift 1 ✗ wrong_player",
          "p0 lift 18", (lambda t: on(t, 18), 10)),
    claim("hr14 a partners piece or a spokesman as source excludes no follower",
          at(table, 4, {"white": "1 3 5 7 9 11 13 15 17 21", "yellow": "19", "red": "20"},
              arguments={0: {"white": 1}}), "p0 persuade 19 20 pay=white",
          (lambda t: len(legal(t)), 10)),
    # 2 … 16 are fifteen
    claim("hr14 blocks count only after the lifted follower is down",
          at(table, 4, {"white": "1 2 3 4 5 6 7 8 9 10", "yellow": "11 12 13 14", "red": "16",
              "yellow-spokesman": "15"}, arguments={0: {"green": 1}}),
          "p0 persuade 15 16 pay=green", lambda t: t.outcome() is None, "p0 lift 1",
          lambda t: t.outcome() is None, (lambda t: t.largest_block(0), 15)),
    claim("hr23 only colours with room are named",
          at(table, 2, {}, hands=("d6 d12 t-white",), arguments={0: {"white": 6, "blue": 5}}),
          "p0 discuss d6 white ✗ no_room · p0 discuss d6 ✗ name_colour",
          "p0 discuss d6 blue,red ✗ one_colour · p0 discuss t-white blue,blue ✗ no_room",
          "p0 discuss t-white blue ✗ name_two · p0 discuss t-white blue,red",
          (lambda t: t.arguments[0], [6, 6, 0, 0, 1])),
    claim("hr24 two players may swap for the other colours spokesman",
          at(table, 2, {"white": "7"}, hands=("d7 d1 d2",)), "p0 seat d7 7 yellow-spokesman",
          (lambda t: on(t, 7), PIECE_NUMBER["yellow-spokesman"]),
          (lambda t: t.supply(0)["disc white"], 10)),
    claim("hr25 the cards own field is never paid for",
          at(table, 2, {}, hands=("d7 d1 d2",), arguments={0: {"white": 3}}),
          "p0 seat d7 7 white pay=white ✗ own_field_free"),
    claim("hr28 the end clears every draw",
          at(table, 2, {"white": "1 2 3 4 5 6 7 8 9 10", "yellow": "11 12 13 14 15"},
              hands=("d16 d17 d18",), arguments={0: {"red": 6}}), "p0 seat d16 16 yellow-spokesman",
          (lambda t: t.pending, []), "p0 done ✗ match_over"),
]  # fmt: skip


@pytest.mark.parametrize("steps", RULINGS)
def test_ruling(steps: Steps) -> None:
    follow(steps)


def test_hr3_passing_is_legal_without_any_move() -> None:
    state = table(4, {})
    for seat in range(4):
        play(state, f"p{seat} done")
    assert state.turn == 0
    assert state.outcome() is None  # HR26


def test_hr5_green_has_no_card_and_pro_holds_white_and_yellow() -> None:
    assert "t-green" not in CARD_NAME
    assert codes(table(2, {}), "p0 discuss t-green white,white") == ["unknown_move"]
    assert codes(table(2, {}), "p0 discuss t-blue white,white") == ["other_pile"]


def test_hr11_a_spokesman_counts_in_group_and_block() -> None:
    state = table(2, {"red": "8", "red-spokesman": "9", "white": "7", "yellow-spokesman": "6"})
    assert state.group(7) == 2
    assert state.block(6) == 2
    assert state.group(6) == 1
    assert state.price(6, 7) == 2


def test_hr12_equal_groups_bring_no_discount() -> None:
    state = table(2, {"white": "6 7", "red": "8 9"}, vote=True, arguments={0: {"white": 1}})
    assert codes(state, "p0 persuade 7 8 white pay=white") == ["too_few_arguments"]
    assert state.violations(Move.parse("p0 persuade 7 8 white pay=white"))[0].rule == "2.5"


def test_hr14_with_the_option_the_follower_that_persuades_may_move_on() -> None:
    ring = {"white": "1 3 5 7 9 11 13 15 18 19", "red": "20 21"}
    state = table(4, ring, arguments={0: {"white": 2}}, lift_from=True)
    play(state, "p0 persuade 19 20 pay=white")
    state = GAME.from_json(state.to_json())
    assert "p0 lift 19" in legal(state) and len(legal(state)) == 10
    play(state, "p0 lift 19")
    assert (on(state, 19), on(state, 20)) == (EMPTY, PIECE_NUMBER["white"])


@pytest.mark.parametrize(
    ("ring", "vote", "told"),
    [
        ({"white": "19", "red": "20"}, False, "A single follower"),
        ({"white": "19", "red": "20 21"}, False, "Two pieces of one colour"),
        ({"white": "19", "red": "20 21 22 23"}, False, "Three or more pieces"),
        ({"white": "19", "red-spokesman": "20"}, False, "A spokesman"),
        ({"white": "18 19", "red": "20"}, True, "larger group"),
    ],
)
def test_too_few_arguments_says_why_it_costs_so_many(
    ring: dict[str, str], vote: bool, told: str
) -> None:
    state = table(4, ring, vote=vote)
    (objection,) = state.violations(Move.parse("p0 persuade 19 20 white pay=white"))
    assert told in Teller(GAME, "en", GAME.colours(4, {})).objection(objection).text


def test_hr15_a_spokesman_is_never_moved() -> None:
    ring = {**ALL_TEN, "white-spokesman": "25"}
    state = table(4, ring, hands=("d2 d4 t-white",))
    play(state, "p0 seat d2 2")
    assert codes(state, "p0 lift 25") == ["not_own_follower"]
    assert codes(state, "p0 lift 20") == ["not_own_follower"]
    play(state, "p0 lift 3")
    assert on(state, 2) == PIECE_NUMBER["white"]
    assert legal(state)[0].startswith("dealer draw p0 ")


def test_hr18_every_refill_succeeds() -> None:
    state = table(4, {}, hands=("d1 d2 d3", "n1 n2 n3", "d4 d5 d6", "n4 n5 n6"))
    state.piles[0], state.played[0] = [], list(state.piles[0])
    play(state, "p0 ponder")
    assert len(legal(state)) == 29  # the 26 discarded before and the three just pondered away


def test_hr19_seats_and_colours() -> None:
    assert GAME.colours(4, {}) == ("white", "blue", "yellow", "red")
    two = table(2, {})
    assert two.supply(1) == {
        "disc blue": 10, "disc red": 10, "figure blue": 1, "figure red": 1
    }  # fmt: skip
    assert codes(table(4, {}, hands=("d1 d2 d3",)), "p0 seat d1 1 yellow") == ["not_your_piece"]


def test_hr21_cards_just_discarded_and_pondered_ones_are_shuffled_in() -> None:
    rest = " ".join(CARD_NAME[3:DECK])
    state = table(2, {}, hands=("d1 d2 d3",), discards=rest)
    play(state, "p0 ponder")
    assert len(legal(state)) == 32


def test_hr22_no_relocation_while_any_own_colour_is_in_supply() -> None:
    state = table(2, ALL_TEN, hands=("d2 d4 t-white",), arguments={0: {"white": 1}})
    assert codes(state, "p0 persuade 19 20 pay=white") == ["take_from_supply"]
    assert codes(state, "p0 persuade 19 20 white pay=white") == ["no_such_follower"]
    alone = table(4, ALL_TEN, hands=("d2 d4 t-white",), arguments={0: {"white": 1}})
    assert codes(alone, "p0 persuade 19 20 white pay=white") == ["lift_instead"]


def test_hr22_two_players_may_move_a_follower_of_either_colour() -> None:
    ring = {
        "white": "1 3 5 7 9 11 13 15 17 19", "yellow": "2 4 6 8 10 21 23 25 27 29", "red": "20"
    }  # fmt: skip
    state = table(2, ring, hands=("d12 d1 t-white",))
    play(state, "p0 seat d12 12")
    assert len(legal(state)) == 20
    swaps = table(2, ring, hands=("d1 t-white t-yellow",))
    assert legal(swaps, "seat") == ["p0 seat d1 1 white-spokesman", "p0 seat d1 1 yellow-spokesman"]


def test_hr27_pondered_cards_are_seen_by_nobody() -> None:
    state = table(2, {}, hands=("d1 d2 d3",))
    play(state, "p0 ponder")
    for seat in (None, 1):
        view = state.view(seat)
        assert view["pondered"] == {"pro": 3, "contra": 0}
        assert view["hands"][0] == 0
        assert view["piles"] == {"pro": 29, "contra": 29}


# -- refusals -------------------------------------------------------------------------------


def test_a_seat_is_refused_with_its_reason() -> None:
    ring = {"white": "1", "yellow-spokesman": "2", "blue": "3", "white-spokesman": "30"}
    state = table(4, ring, hands=("d1 d2 d3",))
    assert codes(state, "p0 seat d1 1 white") == ["only_spokesman_swaps"]
    assert codes(state, "p0 seat d1 1") == ["only_spokesman_swaps"]
    assert codes(state, "p0 seat d1 1 white-spokesman") == ["no_spokesman"]
    assert codes(state, "p0 seat d2 2 white") == ["occupied"]
    assert state.violations(Move.parse("p0 seat d3 3 white"))[0].values["owner"] == 1
    assert codes(state, "p0 seat d1 7 white") == ["wrong_field"]
    assert codes(state, "p0 seat d4 4 white") == ["not_in_hand"]
    assert codes(state, "p0 seat d1 7 white-spokesman pay=white") == ["never_spokesman"]


def test_a_persuasion_is_refused_with_its_reason() -> None:
    state = table(4, {"white": "7 8", "red": "9"}, arguments={0: {"blue": 3}})
    assert codes(state, "p0 persuade 8 9 white pay=blue") == []
    assert codes(state, "p0 persuade 8 9 white pay=red") == ["wrong_argument"]
    assert codes(state, "p0 persuade 8 9 white-spokesman pay=blue") == ["never_spokesman"]
    assert codes(state, "p0 persuade 7 8 white pay=white") == ["to_own_faction"]
    assert codes(state, "p0 persuade 7 6 white pay=white") == ["to_empty"]
    assert codes(state, "p0 persuade 10 9 white pay=blue") == ["from_empty"]
    assert codes(state, "p0 persuade 9 8 white pay=blue") == ["from_other_faction"]
    assert codes(state, "p1 persuade 9 8 blue pay=green") == ["wrong_player"]


@pytest.mark.parametrize(
    "text",
    [
        "p0 discuss d6,d1", "p0 discuss d1,d1", "p0 discuss d1,d2,d3,d4",
        "p0 discuss t-white red,white", "p0 seat d07 7 white", "p0 seat d7 7 green",
        "p0 persuade 7 8 white", "p0 persuade 7 7 pay=red",
        "p0 lift 31", "p2 done", "p0 consult ?", "dealer draw p0 ?", "dealer start p7",
        "table show 7 white", "p0 seat d7 7 white extra",
    ],
)  # fmt: skip
def test_what_no_rule_knows_is_an_unknown_move(text: str) -> None:
    assert codes(table(2, {}), text) == ["unknown_move"]


def test_a_stored_position_must_be_sound() -> None:
    data = table(2, COUNCIL).to_json()
    assert GAME.from_json(data).to_json() == data
    for key, value in (
        ("players", 3),
        ("ring", {"7": "green"}),
        ("ring", {str(n): "white" for n in range(1, 12)}),
        ("arguments", [{"white": 7}, {}]),
        ("hands", [["d1", "d2", "d3"], ["d1", "n2", "n3"]]),
        ("pending", [["lift", 0]]),
        ("turn", 2),
    ):
        with pytest.raises(StateError):
            GAME.from_json({**data, key: value})


def test_a_move_that_was_really_made_against_the_rules_can_be_played_on() -> None:
    match = Match(GAME, 2, seed=3)
    while match.prompt is not None and match.prompt.actor is Actor.DEALER:
        match.deal()
    seat = match.prompt.player if match.prompt is not None else None
    other = 1 - (seat or 0)
    assert [o.code for o in match.force(f"p{other} done")] == ["wrong_player"]
    with pytest.raises(GameError):
        match.force("p0 seat d1 31 white")


def physical() -> Match:
    match = Match(GAME, 4, physical=True)
    match.deal()
    match.push("dealer start p0")
    return match


def test_a_physical_table_deals_unseen_cards() -> None:
    match = physical()
    assert [entry.move.text for entry in match.log][:4] == [
        "dealer draw p0 ?", "dealer draw p1 ?", "dealer draw p2 ?", "dealer draw p3 ?"
    ]  # fmt: skip
    assert match.why_not("dealer draw p0 d1")[0].code == "unknown_move"


def test_any_card_not_yet_shown_may_be_played_and_a_shown_one_may_not() -> None:
    match = physical()
    for text in (
        "p0 discuss d1,d7", "dealer draw p0 ?", "dealer draw p0 ?", "p0 done", "p1 done",
    ):  # fmt: skip
        match.push(text)
    objection = match.why_not("p2 discuss d7")[0]
    assert (objection.rule, objection.code) == ("HR21", "card_played")
    assert not match.why_not("p2 discuss d13")
    assert match.why_not("p2 discuss n13")[0].code == "other_pile"


def test_after_the_reshuffle_a_shown_card_may_come_again() -> None:
    match = physical()
    match.push("p0 discuss d1")
    reshuffled = False
    while not reshuffled:
        while (move := match.next_chance()) is not None:
            prompt = match.prompt
            if prompt is not None and prompt.code == "reshuffle":
                reshuffled = True
                assert match.state.pile_size(0) == 0
            match.push(move)
        while match.state.turn != 0 or match.state.acted:
            match.push(f"p{match.state.turn} done")
        if not reshuffled:
            assert match.why_not("p0 discuss d1")[0].code == "card_played"
            match.push("p0 ponder")
    assert not match.why_not("p0 discuss d1")


def test_cards_of_before_and_after_a_shuffle_are_counted_apart() -> None:
    match = physical()
    shown = (
        "d1,d7,d13", "d6,d19,d25", "d2,d8,d14", "d12,d20,d26", "d3,d9,d15", "d18,d21,d27",
        "d4,d10,d16", "d22,d24,d28", "d5,d11,d17",
    )  # fmt: skip
    for cards in shown:
        while match.state.turn != 2:
            match.push(f"p{match.state.turn} done")
        match.push(f"p2 discuss {cards}")
        match.deal()
        match.push("p2 done")
    # 27 cards shown: the pile was empty before the last draw. p2 holds two old cards and a new one,
    # p0 three old ones; d23, d29, d30 and the trilithon cards are the old ones.
    while match.state.turn != 0:
        match.push(f"p{match.state.turn} done")
    assert not match.why_not("p0 discuss d23,d29,d30")
    assert match.why_not("p0 discuss d1")[0].code == "cannot_hold"
    for _ in range(2):
        match.push(f"p{match.state.turn} done")
    for text in ("p2 discuss d1", "p2 discuss d23,d29", "p2 discuss d5,d29"):
        assert not match.why_not(text)
        assert Move.parse(text) in match.legal_moves()
    for text in ("p2 discuss d23,d29,d30", "p2 discuss d1,d7"):
        assert match.why_not(text)[0].code == "not_together"
        assert Move.parse(text) not in match.legal_moves()


def test_partners_pass_cards_unseen() -> None:
    match = physical()
    match.push("p0 consult ?")
    assert [move.text for move in match.legal_moves()] == ["p2 return ?"]
    assert match.why_not("p0 done")[0].code == "wrong_player"
    assert match.why_not("p2 done")[0].code == "return_first"
    match.push("p2 return ?")
    assert match.state.hand_size(0) == match.state.hand_size(2) == 3


def test_only_the_two_partners_see_a_passed_card() -> None:
    state = table(4, {}, hands=("d1 d2 d3",))
    consult, draw = Move.parse("p0 consult d1"), Move.parse("dealer draw p0 d9")
    seen = [state.public(consult, seat).text for seat in (None, 0, 1, 2, 3)]
    assert seen == [
        "p0 consult ?", "p0 consult d1", "p0 consult ?", "p0 consult d1", "p0 consult ?"
    ]  # fmt: skip
    assert state.public(draw, 0) == draw
    assert state.public(draw, 2).text == "dealer draw p0 ?"


def test_a_large_hand_of_possible_cards_is_listed_once_each() -> None:
    every = discussions(0, tuple(range(DECK)))
    assert len(every.coloured) == len(set(every.coloured)) == 750
    assert len(every.black) == 5
    assert len(every.trilithons) == 2


def test_in_turns_that_nobody_entered_anything_may_have_been_drawn_and_taken() -> None:
    match = physical()
    match.push("p0 discuss d1,d7")
    match.deal()
    later = list(GAME.inference.unentered(match.state))
    assert [state.turn for state in later] == [0, 1, 2, 3]
    # p2 may sit down by a card that was shown before, and has arguments to persuade with.
    assert later[2].may_hold(2, FIELD_NUMBER["7"]) and min(later[2].arguments[2]) >= 3


@pytest.mark.parametrize("vote", [False, True])
def test_the_colour_of_the_arguments_is_no_matter_of_the_vote(vote: bool) -> None:
    state = table(4, {"white": "7 8", "red": "9"}, arguments={0: {"red": 3}})
    state.vote = vote
    found = state.violations(Move.parse("p0 persuade 8 9 white pay=red"))
    assert [(o.rule, o.code) for o in found] == [("2.4", "wrong_argument")]


def test_the_price_in_the_vote_is() -> None:
    state = table(4, {"white": "7 8", "red": "9"})
    state.vote = True
    found = state.violations(Move.parse("p0 persuade 8 9 white pay=blue"))
    assert [(o.rule, o.code) for o in found] == [("2.5", "too_few_arguments")]
