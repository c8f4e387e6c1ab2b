"""Trilithen Knallen: every ruling TK1 … TK36 that shows in play, each as a claim."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any

import pytest

from rules.core import Layout, Move, Objection, StateError
from rules.games.trilithen_knallen import GAME
from rules.games.trilithen_knallen.state import TrilithenState
from rules.match import Match
from rules.telling import Teller
from rules.texts import LANGUAGES
from tests.support.trilithen_table import (
    COLOURS,
    NEEDED,
    SPOTS_OF_Q,
    TWO,
    P,
    Places,
    held,
    legal,
    lives_of,
    places,
    play,
    position,
    prompt_of,
    sequence_q,
    turn_up,
    why_not,
)


def changed(state: TrilithenState, **entries: Any) -> TrilithenState:
    """The position with some entries of its JSON form replaced."""
    return GAME.from_json(json.loads(json.dumps(state.to_json() | entries)))


def site_of(layout: Layout, kind: str) -> list[str]:
    return [item.site for item in layout if item.kind == kind]


# -- TK1 … TK8: placing and ramming ----------------------------------------------------------


def test_tk1_a_further_card_is_needed_for_the_first_field_of_the_target() -> None:
    state = sequence_q(position(), NEEDED[:3])
    assert prompt_of(state) == ("player", 0, "flip")
    assert places(state)["white"] == 1
    prompt = state.prompt()
    assert prompt is not None
    assert prompt.values == {"colour": "white", "right": 3, "cards": 4}


def test_tk4_a_target_within_reach_must_be_rammed_and_a_ride_not_stopped() -> None:
    state = play(position(), "p0 place white d1 2")
    assert legal(state) == ["p0 ram white ccw", "p0 ram white cw"]
    assert why_not(state, "p0 done") == [("TK4", "must_ram")]
    assert why_not(state, "p0 flip A1") == [("5.3", "announce_first")]
    play(state, "p0 ram white cw")
    assert why_not(state, "p0 done") == [("TK4", "no_stopping")]
    assert why_not(state, "p0 ram white ccw") == [("TK4", "already_announced")]


def test_tk4_a_card_known_to_be_wrong_may_be_turned_up() -> None:
    state = sequence_q(position(), ("n9", "n2"))
    play(state, "dealer draw p0 d17", "p1 place blue d5 6", "p1 ram blue ccw")
    assert "p1 flip A7" in legal(state)


def test_tk5_without_targets_the_first_players_only_materialise() -> None:
    state = position(dict.fromkeys(P, "waiting"), hand=(1, 2, 3, 4))
    assert prompt_of(state) == ("player", 0, "place_waiting")
    play(state, "p0 place white d1 2")
    assert prompt_of(state) == ("dealer", 0, "draw")


def test_tk6_a_black_card_materialises_by_its_number() -> None:
    state = position({**P, "blue": 14})
    play(state, "p0 place white d6 7")
    assert places(state)["white"] == 6


def test_a_trilithon_right_beside_cannot_be_rammed() -> None:
    state = position({"white": 20, "blue": 3, "green": 26})
    play(state, "p0 place white d1 2")
    assert legal(state) == ["p0 ram white ccw"]
    assert state.violations(Move.parse("p0 ram white cw")) == [
        Objection.of("5.3", "touching", colour="blue")
    ]


# -- TK9 … TK13: paying and being destroyed --------------------------------------------------


def test_tk9_the_own_other_trilithon_can_be_destroyed_by_a_bounce() -> None:
    points = [{"white": 10}, {"blue": 10, "yellow": 10, "green": 10}]
    state = sequence_q(position(TWO, players=2, hand=(1, 2, 3, 4, 5, 8), points=points))
    assert places(state) == {"white": 4, "blue": 8, "green": "destroyed", "yellow": 25}
    assert "p1 done" in legal(state)


def test_tk10_with_no_points_left_the_next_damage_destroys() -> None:
    points = [{"white": 10, "blue": 10}, {}, {"green": 10}]
    state = sequence_q(position(points=points))
    assert places(state)["blue"] == "destroyed"
    assert held(state, 0) == {"white": 10, "blue": 10}


def test_tk11_the_rammer_moves_up_although_the_target_is_destroyed() -> None:
    points = [{"white": 10}, {"blue": 2}, {"green": 10, "blue": 8}]
    state = sequence_q(position({**P, "green": 8}, points=points))
    assert places(state) == {"white": 4, "blue": "destroyed", "green": 8}


def test_tk12_tk13_who_cannot_pay_for_a_bounce_is_removed_and_the_other_stays_beside() -> None:
    points = [{"white": 10, "green": 10}, {"blue": 10}, {}]
    state = sequence_q(position({**P, "green": 10}, points=points))
    assert places(state) == {"white": 4, "blue": 8, "green": "destroyed"}
    assert state.is_out(2)
    assert "p1 done" in legal(state)


# -- TK14, TK28, TK32: the end ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("points", "reason"),
    [
        ([{"white": 10, "green": 5}, {"blue": 2}, {"green": 5, "blue": 8}], "simple_victory"),
        ([{"white": 10, "green": 6}, {"blue": 2}, {"green": 4, "blue": 8}], "simple_victory"),
        ([{"white": 10, "green": 7}, {"blue": 2}, {"green": 3, "blue": 8}], "great_victory"),
    ],
)
def test_tk14_hearts_go_to_most_foreign_points_and_a_great_victory_needs_them_alone(
    points: list[dict[str, int]], reason: str
) -> None:
    state = sequence_q(position({**P, "green": "destroyed"}, points=points, hand=(1, 6, 20, 30)))
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.reason == reason
    assert outcome.ranking == ((0,), (1, 2))
    assert outcome.scores == (points[0]["green"] + 2, 0, 8)


def test_hearts_count_won_bars_before_points() -> None:
    points = [{"white": 10, "green": 10}, {"blue": 2}, {"blue": 8}]
    state = position({**P, "green": "destroyed"}, points=points, lives="1")
    state = changed(state, lives=[0, 0, 0], won_bars=[[0, 0, 0], [0, 0, 0], [0, 1, 0]])
    sequence_q(state)
    assert state.winners_of_hearts() == (2,)
    outcome = state.outcome()
    assert outcome is not None and outcome.reason == "simple_victory"


def test_tk28_the_match_ends_at_once_without_looking_or_drawing() -> None:
    points = [{"white": 10, "green": 10}, {"blue": 2}, {"blue": 8}]
    state = sequence_q(position({**P, "green": "destroyed"}, points=points))
    assert state.prompt() is None and not state.legal_moves()
    assert why_not(state, "p1 done") == [("5.6", "match_over")]


def test_tk28_a_waiting_trilithon_is_still_in_the_race() -> None:
    points = [{"white": 10, "green": 10}, {"blue": 2}, {"blue": 8}]
    state = changed(
        position({**P, "green": "destroyed"}, points=points, lives="1"), lives=[1, 1, 0]
    )
    sequence_q(state)
    assert places(state)["blue"] == "waiting"
    assert state.outcome() is None
    assert "p1 done" in legal(state)


def test_tk19_tk32_two_players_end_with_a_simple_victory_when_both_trilithons_are_gone() -> None:
    places_now = {**TWO, "yellow": "destroyed"}
    points = [{"white": 10, "green": 10, "yellow": 10, "blue": 8}, {"blue": 2}]
    state = sequence_q(position(places_now, players=2, hand=(1, 2, 3, 4, 5, 8), points=points))
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.to_json() == {
        "reason": "simple_victory", "ranking": [[0], [1]], "scores": [20, 0],
    }  # fmt: skip


# -- TK15, TK34: compensation ----------------------------------------------------------------


def test_tk15_only_a_face_down_card_may_be_looked_at() -> None:
    state = sequence_q(position())
    assert why_not(state, "p1 peek A7") == [("TK15", "already_up")]
    assert why_not(state, "p0 peek A3") == [("5.3", "wrong_player")]
    assert why_not(state, "p1 flip A3") == [("TK15", "look_or_done")]


def test_tk15_with_every_card_face_up_there_is_nothing_to_look_at() -> None:
    state = position({"white": 20, "blue": 12, "green": 25}, simple="on")
    play(state, "p0 place white d1 2", "p0 ram white cw")
    cards = ["n3", "n4", "n5", "n1", "n2", "n9", "n10", "n11", "n7", "n8"]
    turn_up(state, cards, [f"A{n}" for n in range(1, 11)])
    assert held(state, 0) == {"white": 10, "blue": 9}
    assert prompt_of(state) == ("dealer", 0, "draw")


def test_tk34_who_loses_a_life_by_a_ram_is_compensated() -> None:
    points = [{"white": 10, "blue": 10}, {}, {"green": 10}]
    state = sequence_q(position(points=points, lives="1"))
    assert prompt_of(state) == ("player", 1, "peek")


# -- TK16, TK27: day cards -------------------------------------------------------------------


def test_tk16_the_discards_become_the_pile_when_a_card_is_needed_and_not_before() -> None:
    state = position()
    data = state.to_json()
    state = changed(state, pile=[], discards=data["pile"])
    play(state, "p0 place white d1 2", "p0 ram white cw", "p0 flip A1", "dealer show A1 n1")
    assert state.to_json()["pile"] == []
    draws = legal(state)
    assert "dealer draw p0 d1" in draws and len(draws) == len(data["pile"]) + 1
    play(state, "dealer draw p0 d17")
    assert state.to_json()["discards"] == []
    assert len(state.to_json()["pile"]) == len(data["pile"])


def test_tk27_the_hand_of_who_is_out_leaves_the_game_unseen() -> None:
    points = [{"white": 10}, {"blue": 2}, {"green": 10, "blue": 8}]
    state = position(points=points)
    cards = state.to_json()["hands"][1]
    sequence_q(state)
    assert state.to_json()["gone"] == cards
    assert state.to_json()["hands"][1] == []
    play(state, "dealer draw p0 d17")
    assert prompt_of(state)[:2] == ("player", 2)


# -- TK17, TK18, TK20, TK26, TK33: two players and lives -------------------------------------


def test_tk17_one_trilithon_per_turn_after_the_first() -> None:
    state = position(TWO, players=2, hand=(1, 2, 3, 4, 5, 8))
    assert any(" green " in text for text in legal(state))
    play(state, "p0 place white d1 2")
    assert all(text.startswith("p0 ram white") for text in legal(state))
    assert why_not(state, "p0 ram green cw") == [("TK26", "not_placed_now")]


def test_tk18_the_own_other_trilithon_is_no_target() -> None:
    state = position({**TWO, "green": 5, "blue": 9}, players=2, hand=(1, 2, 3, 4, 8, 12))
    play(state, "p0 place white d1 2")
    assert why_not(state, "p0 ram white cw") == [("TK18", "own_next")]


def test_tk22_the_only_other_trilithon_can_be_reached_both_ways() -> None:
    state = position({"white": 20, "blue": 16, "green": "destroyed"})
    state = play(changed(state, points=[{"white": 10, "green": 10}, {"blue": 10}, {}]),
                 "p0 place white d1 2")  # fmt: skip
    assert legal(state) == ["p0 ram white ccw", "p0 ram white cw"]


def test_tk26_a_waiting_trilithon_goes_first() -> None:
    state = position({**TWO, "white": "waiting"}, players=2, hand=(1, 2, 3, 4, 5, 8), lives="1")
    assert all(text.startswith("p0 place white") for text in legal(state))
    assert why_not(state, "p0 place green d1 2") == [("TK26", "waiting_first")]


CROWDED: Places = {"white": "waiting", "green": "waiting", "blue": 4, "yellow": 9}
"""Cards 4, 5, 9 and 10 fit nowhere."""


def test_tk26_if_the_second_does_not_fit_it_goes_on_waiting_and_the_turn_continues() -> None:
    state = position(CROWDED, players=2, hand=(1, 4, 5, 9, 10, 2))
    play(state, "p0 place white d1 2")
    # Card 2 names a field under the trilithon just placed, so nothing fits green.
    assert legal(state) == ["p0 ram white cw"]
    assert places(state)["green"] == "waiting"
    play(state, "p0 ram white cw", "p0 flip A1", "dealer show A1 n1")
    assert prompt_of(state) == ("dealer", 0, "draw")


def test_tk26_at_a_table_that_sees_no_hands_the_owner_says_that_nothing_fits() -> None:
    state = position(CROWDED, players=2, physical=True)
    play(state, "p0 place white d1 2")
    assert prompt_of(state) == ("player", 0, "place_second")
    offered = legal(state)
    assert "p0 place green d20 21" in offered
    assert [text for text in offered if " ram " in text] == ["p0 ram white cw"]
    assert why_not(state, "p0 done") == [("TK4", "must_ram")]
    assert why_not(state, "p0 discard d4") == [("TK26", "no_discarding")]
    play(state, "p0 ram white cw")
    assert places(state)["green"] == "waiting"


def test_tk26_without_a_target_the_table_hears_done_and_a_dealt_match_shows_it() -> None:
    crowded: Places = {"white": 4, "green": 9, "blue": "waiting", "yellow": "waiting"}
    hand = (3, 4, 5, 9, 10, 2)
    state = position(crowded, players=2, hand=hand, hand_of=1)
    move = Move.parse("p1 place blue d3 2")
    assert [m.text for m in state.shown(move)] == [move.text, "p1 done"]
    table = position(crowded, players=2, hand_of=1, physical=True)
    for shown in state.shown(move):
        assert not table.violations(shown)
        table.apply(shown)


def test_tk33_two_players_lose_the_lives_of_the_player_whichever_trilithon_it_was() -> None:
    points = [{"white": 10, "green": 10, "blue": 5}, {"blue": 2, "yellow": 10}]
    state = sequence_q(position(TWO, players=2, hand=(1, 2, 3, 4, 5, 8), points=points, lives="2"))
    assert lives_of(state) == ([2, 1], [[0, 1], [0, 0]])
    # The three points lost to nobody before are among the ten that return.
    assert held(state, 1) == {"blue": 10, "yellow": 10}
    assert places(state)["blue"] == "waiting"


# -- TK21, TK23, TK30, TK31: the display -----------------------------------------------------


def test_tk21_each_card_keeps_its_face_also_in_a_swap_with_an_open_one() -> None:
    state = play(position(changing="5"), "p0 place white d1 2", "p0 ram white cw")
    turn_up(state, ("n3",), ("A4",))
    play(state, "p0 flip A1", "dealer show A1 t-yellow", "p0 swap A1 A4")
    display = state.to_json()["display"]
    assert (display["A1"]["card"], display["A1"]["up"]) == ("n3", True)
    assert (display["A4"]["card"], display["A4"]["up"]) == ("t-yellow", True)
    assert why_not(state, "p0 flip A1") == [("5.3", "already_up")]


def test_tk23_nobody_is_shown_a_card_that_was_seen_before() -> None:
    state = sequence_q(position(), ("n9", "n2"))
    assert state.to_json()["display"]["A7"]["card"] == "n9"
    for seat in (None, 0, 1, 2):
        view = state.view(seat)["display"]
        assert {entry["card"] for entry in view.values()} == {None}


def test_tk23_a_card_that_is_not_where_it_was_is_told_without_naming_any() -> None:
    state = sequence_q(position(physical=True), ("n9", "n2"))
    play(state, "dealer draw p0 ?", "p1 place blue d5 6", "p1 ram blue ccw", "p1 flip A7")
    assert legal(state) == ["dealer show A7 n9"]
    for other in ("n4", "n2"):
        objections = state.violations(Move.parse(f"dealer show A7 {other}"))
        assert objections == [Objection.of("TK23", "cards_moved", site="A7")]
    for lang in LANGUAGES:
        told = str(Teller(GAME, lang, COLOURS[:3]).objection(objections[0]))
        assert not any(digit in told for digit in ("9", "4", "2"))


def test_a_card_lying_open_elsewhere_is_named() -> None:
    state = play(sequence_q(position(), NEEDED[:1]), "p0 flip A2")
    assert state.violations(Move.parse("dealer show A2 n9")) == [
        Objection.of("5.3", "lies_open", card="n9", site="A7")
    ]
    assert why_not(state, "dealer show A2 t-red") == [("5.2", "not_in_display")]
    assert why_not(state, "dealer show A3 n4") == [("5.3", "other_spot")]


def test_tk30_the_highest_cards_make_room_for_trilithon_cards() -> None:
    for simple, highest in (("off", "n13 n14 n15 n16 n17"), ("on", "n7 n8 n9 n10 n11")):
        for number in range(6):
            state = position(simple=simple, changing=str(number))
            play(state, "p0 place white d1 2", "p0 ram white cw", "p0 flip A1")
            shown = {text.split()[-1] for text in legal(state)}
            assert len(shown) == (10 if simple == "on" else 15)
            for place, card in enumerate(highest.split()):
                assert (card in shown) is (place >= number)
                assert (f"t-{COLOURS[place]}" in shown) is (place < number)


def test_tk31_a_secret_look_at_a_trilithon_card_swaps_nothing() -> None:
    state = sequence_q(position(changing="5"), ("n9", "n4", "n5", "n1"))
    play(state, "p1 peek A3", "dealer show A3 t-red")
    assert prompt_of(state) == ("dealer", 0, "draw")


def test_tk31_nothing_else_happens_before_the_swap() -> None:
    state = play(position(changing="5"), "p0 place white d1 2", "p0 ram white cw", "p0 flip A1")
    play(state, "dealer show A1 t-green")
    assert why_not(state, "p0 flip A2") == [("TK31", "swap_first")]
    assert why_not(state, "p0 swap A2 A3") == [("TK21", "swap_this_card")]


# -- TK24, TK25, TK29: set-up ----------------------------------------------------------------


def test_tk24_colours_go_by_seat() -> None:
    for players in (2, 3, 4, 5):
        assert GAME.colours(players, {}) == COLOURS[:players]
    state = position(TWO, players=2, hand=(1, 2, 3, 4, 5, 8))
    assert [state.owner(colour) for colour in range(5)] == [0, 1, 0, 1, -1]
    assert why_not(state, "p0 place red d1 2") == [("5.3", "unknown_move")]


def test_bars_lie_in_sets_of_five_colours_and_the_last_of_a_set_is_still_a_move() -> None:
    match = Match(GAME, 3)
    for field, colour in enumerate(("red", "white", "green", "blue"), start=1):
        match.push(f"dealer bar {field} {colour}")
    assert [m.text for m in match.legal_moves()] == ["dealer bar 5 yellow"]
    assert match.why_not("dealer bar 5 red") == [
        Objection.of("5.2", "bar_laid", colour="red", first=1, last=5)
    ]


def test_tk25_the_starting_player_is_drawn_after_the_cards_are_dealt_round_the_table() -> None:
    match = Match(GAME, 3, seed=1)
    for _ in range(30):
        match.push(match.next_chance() or "")
    dealt = []
    while match.prompt is not None and match.prompt.code == "deal":
        dealt.append(match.next_chance() or "")
        match.push(dealt[-1])
    assert [str(move).split()[2] for move in dealt] == ["p0", "p1", "p2"] * 4
    assert [m.text for m in match.legal_moves()] == [f"dealer start p{s}" for s in range(3)]


def test_tk29_the_simple_game_has_ten_spots_and_nobody_bounces() -> None:
    simple = play(position(simple="on"), "p0 place white d1 2", "p0 ram white cw")
    assert len(legal(simple)) == 10
    turn_up(simple, ("n9", "n4", "n5", "n1"), ("A7", "A2", "A10", "A1"))
    assert places(simple) == {"white": 4, "blue": 6, "green": 25}
    assert held(simple, 0) == {"white": 10, "blue": 3}
    assert "p1 peek A3" in legal(simple)


# -- TK35: the table while cards are turned --------------------------------------------------


def test_tk35_the_rammer_may_stand_anywhere_on_its_way_while_cards_are_turned() -> None:
    state = sequence_q(position(), NEEDED[:2])
    assert site_of(state.layout(), "trilithon white") == ["track-1"]
    right = [site_of(layout, "trilithon white") for layout in GAME.inference.also_right(state)]
    assert right == [["track-2"], ["track-3"], ["track-4"]]


def test_cards_of_the_turn_just_ended_may_still_lie_face_up() -> None:
    state = sequence_q(position(), ("n9", "n2"))
    assert site_of(state.layout(), "card n9") == []
    (still_up,) = GAME.inference.also_right(state)
    assert site_of(still_up, "card n9") == ["A7"] and site_of(still_up, "card n2") == ["A2"]
    play(state, "dealer draw p0 d17", "p1 place blue d5 6")
    assert GAME.inference.also_right(state) == []


# -- TK36: random play -----------------------------------------------------------------------


def test_tk36_the_random_player_mostly_turns_a_fitting_card_it_has_seen() -> None:
    state = sequence_q(position(), ("n9", "n2"))
    play(state, "dealer draw p0 d17", "p1 place blue d5 6", "p1 ram blue ccw")
    # Blue stands on 5–6, so field 4 wants yellow: nobody has seen one yet.
    moves = state.legal_moves()
    random = Random(3)
    seen = Counter(state.choose(moves, random).text for _ in range(600))
    assert seen["p1 flip A7"] + seen["p1 flip A2"] < 30
    turn_up(state, ("n10",), ("A5",), seat=1)
    seen = Counter(state.choose(state.legal_moves(), random).text for _ in range(600))
    assert seen["p1 flip A7"] > 500


# -- physical matches ------------------------------------------------------------------------


def test_a_physical_table_draws_and_looks_without_naming_cards() -> None:
    state = sequence_q(position(physical=True))
    play(state, "p1 peek A3")
    assert legal(state) == ["dealer show A3 ?"]
    assert why_not(state, "dealer show A3 n2") == [("5.4", "stays_hidden")]
    play(state, "dealer show A3 ?")
    assert legal(state) == ["dealer draw p0 ?"]
    assert why_not(state, "dealer draw p0 d17") == [("5.3", "stays_hidden")]
    play(state, "dealer draw p0 ?")
    # The card that p1 saw is not known to the table: it may still turn out to be anything.
    assert state.to_json()["display"]["A3"] == {
        "card": None, "up": False, "public": False, "peeked": [1],
    }  # fmt: skip


def test_a_card_on_the_discard_pile_cannot_be_in_a_hand() -> None:
    state = sequence_q(position(physical=True), ("n1",))
    play(state, "dealer draw p0 ?")
    assert ("5.3", "on_discards") in why_not(state, "p1 place blue d1 30")
    assert not state.violations(Move.parse("p1 place blue d20 21"))


def test_a_physical_table_believes_a_skip_only_if_the_hand_can_be_stuck() -> None:
    roomy = position({**P, "blue": "waiting"}, physical=True)
    assert why_not(roomy, "p0 discard d25") == [("5.3", "must_place")]
    five = {"white": 1, "blue": 4, "green": 9, "yellow": 14, "red": 21}
    state = position(five, players=5, physical=True)
    assert "p0 discard d4,d21" in legal(state) and "p0 done" in legal(state)
    assert why_not(state, "p0 discard d4,d18") == [("5.3", "card_fits")]


def test_what_a_look_showed_is_public_to_the_looker_only() -> None:
    state = play(sequence_q(position()), "p1 peek A3")
    move = Move.parse("dealer show A3 n2")
    assert state.public(move, 1) == move
    assert state.public(move, 0).text == "dealer show A3 ?"
    assert [m.text for m in state.shown(move)] == ["dealer show A3 ?"]
    drawn = play(state, "dealer show A3 n2")
    assert drawn.public(Move.parse("dealer draw p0 d17"), 1).text == "dealer draw p0 ?"


def test_spots_of_q_are_the_open_ones_while_the_rammed_player_decides() -> None:
    state = sequence_q(position())
    up = {name for name, entry in state.to_json()["display"].items() if entry["up"]}
    assert up == set(SPOTS_OF_Q)


def test_a_broken_position_is_refused() -> None:
    data = json.loads(json.dumps(position().to_json()))
    assert GAME.from_json(data).to_json() == data
    broken: list[dict[str, Any]] = [
        {"phase": "sleep"}, {"turn": 7}, {"pile": []}, {"points": [{"white": 11}, {}, {}]},
        {"trilithons": {"white": 1, "blue": 2, "green": 9}}, {"phase": "over"},
    ]  # fmt: skip
    for entry in broken:
        with pytest.raises(StateError, match="position"):
            GAME.from_json(data | entry)
    with pytest.raises(StateError):
        GAME.from_json({})
