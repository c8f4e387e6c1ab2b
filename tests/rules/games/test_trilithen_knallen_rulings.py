"""Trilithen Knallen: every ruling TK1 … TK36 that shows in play, each as a claim."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from rules.core import Layout, Move, Objection, StateError
from rules.games.trilithen_knallen import GAME
from rules.games.trilithen_knallen.state import TrilithenState
from rules.match import Match
from rules.telling import Teller
from rules.texts import LANGUAGES
from tests.support.rulings import Steps, at, claim, doing, follow, legal, play, reasons
from tests.support.trilithen_table import (
    COLOURS,
    NEEDED,
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


def changed(state: TrilithenState, **entries: Any) -> TrilithenState:
    """The position with some entries of its JSON form replaced."""
    return GAME.from_json(json.loads(json.dumps(state.to_json() | entries)))


def site_of(layout: Layout, kind: str) -> list[str]:
    return [item.site for item in layout if item.kind == kind]


CROWDED: Places = {"white": "waiting", "green": "waiting", "blue": 4, "yellow": 9}
"""Cards 4, 5, 9 and 10 fit nowhere."""

RULINGS = [
    # -- TK1 … TK8: placing and ramming
    claim("tk1 a further card is needed for the first field of the target",
          at(sequence_q, position(), NEEDED[:3]),
          (lambda t: prompt_of(t), ("player", 0, "flip")), (lambda t: places(t)["white"], 1),
          (lambda t: t.prompt().values, {"colour": "white", "right": 3, "cards": 4})),
    claim("tk4 a target within reach must be rammed and a ride not stopped",
          at(position), "p0 place white d1 2 · [p0 ram white ccw | p0 ram white cw] · "
          "p0 done ✗ TK4/must_ram", "p0 flip A1 ✗ 5.3/announce_first · p0 ram white cw · "
          "p0 done ✗ TK4/no_stopping", "p0 ram white ccw ✗ TK4/already_announced"),
    claim("tk4 a card known to be wrong may be turned up",
          at(sequence_q, position(), ("n9", "n2")),
          "dealer draw p0 d17 · p1 place blue d5 6 · p1 ram blue ccw · [… | p1 flip A7]"),
    claim("tk5 without targets the first players only materialise",
          at(position, dict.fromkeys(P, "waiting"), hand=(1, 2, 3, 4)),
          (lambda t: prompt_of(t), ("player", 0, "place_waiting")), "p0 place white d1 2",
          (lambda t: prompt_of(t), ("dealer", 0, "draw"))),
    claim("tk6 a black card materialises by its number",
          at(position, {**P, "blue": 14}), "p0 place white d6 7",
          (lambda t: places(t)["white"], 6)),
    claim("a trilithon right beside cannot be rammed",
          at(position, {"white": 20, "blue": 3, "green": 26}),
          "p0 place white d1 2 · [p0 ram white ccw]",
          (lambda t: t.violations(Move.parse("p0 ram white cw")),
              [Objection.of("5.3", "touching", colour="blue")])),
    # -- TK9 … TK13: paying and being destroyed
    claim("tk9 the own other trilithon can be destroyed by a bounce",
          at(sequence_q, position(TWO, players=2, hand=(1, 2, 3, 4, 5, 8),
              points=[{"white": 10}, {"blue": 10, "yellow": 10, "green": 10}])),
          (lambda t: places(t), {"white": 4, "blue": 8, "green": "destroyed", "yellow": 25}),
          "[… | p1 done]"),
    claim("tk10 with no points left the next damage destroys",
          at(sequence_q, position(points=[{"white": 10, "blue": 10}, {}, {"green": 10}])),
          (lambda t: places(t)["blue"], "destroyed"),
          (lambda t: held(t, 0), {"white": 10, "blue": 10})),
    claim("tk11 the rammer moves up although the target is destroyed",
          at(sequence_q, position({**P, "green": 8}, points=[{"white": 10}, {"blue": 2},
              {"green": 10, "blue": 8}])), (lambda t: places(t),
              {"white": 4, "blue": "destroyed", "green": 8})),
    claim("tk12 tk13 who cannot pay for a bounce is removed and the other stays beside",
          at(sequence_q,
              position({**P, "green": 10}, points=[{"white": 10, "green": 10}, {"blue": 10}, {}])),
          (lambda t: places(t), {"white": 4, "blue": 8, "green": "destroyed"}),
          lambda t: t.is_out(2), "[… | p1 done]"),
    # -- TK14, TK28, TK32: the end
    claim("tk28 the match ends at once without looking or drawing",
          at(sequence_q, position({**P, "green": "destroyed"}, points=[{"white": 10,
              "green": 10}, {"blue": 2}, {"blue": 8}])), lambda t: t.prompt() is None,
          lambda t: not t.legal_moves(), "p1 done ✗ 5.6/match_over"),
    claim("tk28 a waiting trilithon is still in the race",
          at(changed, position({**P, "green": "destroyed"}, points=[{"white": 10, "green": 10},
              {"blue": 2}, {"blue": 8}], lives="1"), lives=[1, 1, 0]),
          doing(lambda t: sequence_q(t)), (lambda t: places(t)["blue"], "waiting"),
          lambda t: t.outcome() is None, "[… | p1 done]"),
    # -- TK15, TK34: compensation
    claim("tk15 only a face down card may be looked at",
          at(sequence_q, position()), "p1 peek A7 ✗ TK15/already_up · "
          "p0 peek A3 ✗ 5.3/wrong_player", "p1 flip A3 ✗ TK15/look_or_done"),
    claim("tk15 with every card face up there is nothing to look at",
          at(position, {"white": 20, "blue": 12, "green": 25}, simple="on"),
          "p0 place white d1 2 · p0 ram white cw", doing(lambda t: turn_up(t, ["n3", "n4", "n5",
              "n1", "n2", "n9", "n10", "n11", "n7", "n8"], [f'A{n}' for n in range(1, 11)])),
          (lambda t: held(t, 0), {"white": 10, "blue": 9}),
          (lambda t: prompt_of(t), ("dealer", 0, "draw"))),
    claim("tk34 who loses a life by a ram is compensated",
          at(sequence_q,
              position(points=[{"white": 10, "blue": 10}, {}, {"green": 10}], lives="1")),
          (lambda t: prompt_of(t), ("player", 1, "peek"))),
    # -- TK17, TK18, TK20, TK26, TK33: two players and lives
    claim("tk17 one trilithon per turn after the first",
          at(position, TWO, players=2, hand=(1, 2, 3, 4, 5, 8)),
          lambda t: any(" green " in text for text in legal(t)), "p0 place white d1 2",
          lambda t: all(text.startswith("p0 ram white") for text in legal(t)),
          "p0 ram green cw ✗ TK26/not_placed_now"),
    claim("tk18 the own other trilithon is no target",
          at(position, {**TWO, "green": 5, "blue": 9}, players=2, hand=(1, 2, 3, 4, 8, 12)),
          "p0 place white d1 2 · p0 ram white cw ✗ TK18/own_next"),
    claim("tk26 a waiting trilithon goes first",
          at(position, {**TWO, "white": "waiting"}, players=2, hand=(1, 2, 3, 4, 5, 8),
              lives="1"), lambda t: all(text.startswith("p0 place white") for text in legal(t)),
          "p0 place green d1 2 ✗ TK26/waiting_first"),
    # Card 2 names a field under the trilithon just placed, so nothing fits green.
    claim("tk26 if the second does not fit it goes on waiting and the turn continues",
          at(position, CROWDED, players=2, hand=(1, 4, 5, 9, 10, 2)),
          "p0 place white d1 2 · [p0 ram white cw]", (lambda t: places(t)["green"], "waiting"),
          "p0 ram white cw · p0 flip A1 · dealer show A1 n1",
          (lambda t: prompt_of(t), ("dealer", 0, "draw"))),
    # The three points lost to nobody before are among the ten that return.
    claim("tk33 two players lose the lives of the player whichever trilithon it was",
          at(sequence_q, position(TWO, players=2, hand=(1, 2, 3, 4, 5, 8), points=[{"white": 10,
              "green": 10, "blue": 5}, {"blue": 2, "yellow": 10}], lives="2")),
          (lambda t: lives_of(t), ([2, 1], [[0, 1], [0, 0]])),
          (lambda t: held(t, 1), {"blue": 10, "yellow": 10}),
          (lambda t: places(t)["blue"], "waiting")),
    # -- TK21, TK23, TK30, TK31: the display
    claim("tk21 each card keeps its face also in a swap with an open one",
          at(position, changing="5"), "p0 place white d1 2 · p0 ram white cw",
          doing(lambda t: turn_up(t, ("n3",), ("A4",))),
          "p0 flip A1 · dealer show A1 t-yellow · p0 swap A1 A4",
          (lambda t: (t.to_json()["display"]["A1"]["card"], t.to_json()["display"]["A1"]["up"]),
              ("n3", True)),
          (lambda t: (t.to_json()["display"]["A4"]["card"], t.to_json()["display"]["A4"]["up"]),
              ("t-yellow", True)), "p0 flip A1 ✗ 5.3/already_up"),
    claim("tk31 a secret look at a trilithon card swaps nothing",
          at(sequence_q, position(changing="5"), ("n9", "n4", "n5", "n1")),
          "p1 peek A3 · dealer show A3 t-red", (lambda t: prompt_of(t), ("dealer", 0, "draw"))),
    claim("tk31 nothing else happens before the swap",
          at(position, changing="5"), "p0 place white d1 2 · p0 ram white cw · p0 flip A1 · "
          "dealer show A1 t-green", "p0 flip A2 ✗ TK31/swap_first · "
          "p0 swap A2 A3 ✗ TK21/swap_this_card"),
    # -- TK24, TK25, TK29: set-up
    claim("tk29 the simple game has ten spots and nobody bounces",
          at(position, simple="on"), "p0 place white d1 2 · p0 ram white cw",
          (lambda t: len(legal(t)), 10),
          doing(lambda t: turn_up(t, ("n9", "n4", "n5", "n1"), ("A7", "A2", "A10", "A1"))),
          (lambda t: places(t), {"white": 4, "blue": 6, "green": 25}),
          (lambda t: held(t, 0), {"white": 10, "blue": 3}), "[… | p1 peek A3]"),
    # -- physical matches
    # The card that p1 saw is not known to the table: it may still turn out to be anything.
    claim("a physical table draws and looks without naming cards",
          at(sequence_q, position(physical=True)),
          "p1 peek A3 · [dealer show A3 ?] · dealer show A3 n2 ✗ 5.4/stays_hidden",
          "dealer show A3 ? · [dealer draw p0 ?] · dealer draw p0 d17 ✗ 5.3/stays_hidden",
          "dealer draw p0 ?", (lambda t: t.to_json()["display"]["A3"],
              {"card": None, "up": False, "public": False, "peeked": [1]})),
    claim("a card on the discard pile cannot be in a hand",
          at(sequence_q, position(physical=True), ("n1",)), "dealer draw p0 ?",
          lambda t: ("5.3", "on_discards") in reasons(t, "p1 place blue d1 30"),
          lambda t: not t.violations(Move.parse("p1 place blue d20 21"))),
]  # fmt: skip


@pytest.mark.parametrize("steps", RULINGS)
def test_ruling(steps: Steps) -> None:
    follow(steps)


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


def test_tk19_tk32_two_players_end_with_a_simple_victory_when_both_trilithons_are_gone() -> None:
    places_now = {**TWO, "yellow": "destroyed"}
    points = [{"white": 10, "green": 10, "yellow": 10, "blue": 8}, {"blue": 2}]
    state = sequence_q(position(places_now, players=2, hand=(1, 2, 3, 4, 5, 8), points=points))
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.to_json() == {
        "reason": "simple_victory", "ranking": [[0], [1]], "scores": [20, 0],
    }  # fmt: skip


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


def test_tk22_the_only_other_trilithon_can_be_reached_both_ways() -> None:
    state = position({"white": 20, "blue": 16, "green": "destroyed"})
    state = play(changed(state, points=[{"white": 10, "green": 10}, {"blue": 10}, {}]),
                 "p0 place white d1 2")  # fmt: skip
    assert legal(state) == ["p0 ram white ccw", "p0 ram white cw"]


def test_tk26_at_a_table_that_sees_no_hands_the_owner_says_that_nothing_fits() -> None:
    state = position(CROWDED, players=2, physical=True)
    play(state, "p0 place white d1 2")
    assert prompt_of(state) == ("player", 0, "place_second")
    offered = legal(state)
    assert "p0 place green d20 21" in offered
    assert [text for text in offered if " ram " in text] == ["p0 ram white cw"]
    assert reasons(state, "p0 done") == [("TK4", "must_ram")]
    assert reasons(state, "p0 discard d4") == [("TK26", "no_discarding")]
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


# -- TK21, TK23, TK30, TK31: the display -----------------------------------------------------


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
    assert reasons(state, "dealer show A2 t-red") == [("5.2", "not_in_display")]
    assert reasons(state, "dealer show A3 n4") == [("5.3", "other_spot")]


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


# -- TK24, TK25, TK29: set-up ----------------------------------------------------------------


def test_tk24_colours_go_by_seat() -> None:
    for players in (2, 3, 4, 5):
        assert GAME.colours(players, {}) == COLOURS[:players]
    state = position(TWO, players=2, hand=(1, 2, 3, 4, 5, 8))
    assert [state.owner(colour) for colour in range(5)] == [0, 1, 0, 1, -1]
    assert reasons(state, "p0 place red d1 2") == [("5.3", "unknown_move")]


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


# -- TK35: the table while cards are turned --------------------------------------------------


def _may_lie(state: TrilithenState, site: str, seen: Sequence[tuple[str, str]]) -> bool:
    return site in GAME.inference.may_lie(state, [site], {site: tuple(seen)}, ())


def test_tk35_the_rammer_may_stand_anywhere_on_its_way_while_cards_are_turned() -> None:
    state = sequence_q(position(), NEEDED[:2])
    assert site_of(state.layout(), "trilithon white") == ["track-1"]
    white = (("trilithon white", ""),)
    tracks = [f"track-{number}" for number in range(1, 31)]
    on_its_way = [site for site in tracks if _may_lie(state, site, white)]
    assert on_its_way == ["track-2", "track-3", "track-4"]
    assert _may_lie(state, "track-1", ())


def test_cards_of_the_turn_just_ended_may_still_lie_face_up() -> None:
    state = sequence_q(position(), ("n9", "n2"))
    assert site_of(state.layout(), "card n9") == []
    assert _may_lie(state, "A7", (("card n9", ""),))
    assert _may_lie(state, "A2", (("card n2", ""),))
    assert not _may_lie(state, "A2", (("card n9", ""),))


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


def test_a_physical_table_believes_a_skip_only_if_the_hand_can_be_stuck() -> None:
    roomy = position({**P, "blue": "waiting"}, physical=True)
    assert reasons(roomy, "p0 discard d25") == [("5.3", "must_place")]
    five = {"white": 1, "blue": 4, "green": 9, "yellow": 14, "red": 21}
    state = position(five, players=5, physical=True)
    assert "p0 discard d4,d21" in legal(state) and "p0 done" in legal(state)
    assert reasons(state, "p0 discard d4,d18") == [("5.3", "card_fits")]


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
