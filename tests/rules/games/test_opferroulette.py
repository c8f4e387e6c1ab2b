"""Opferroulette: worked examples first, then rulings, then what always holds."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from rules.core import Actor, Item, Move, OptionError, StateError
from rules.games.opferroulette import GAME
from rules.games.opferroulette.components import CARDS, NEXT, PITS
from rules.match import Match
from rules.telling import Teller
from rules.testing.playout import random_match
from tests.support.opferroulette_table import position
from tests.support.rulings import legal, play, reasons

HERE = Path(__file__).parent
TRILITHONS = "t-white t-blue t-green t-yellow t-red"


def _lines(text: str) -> list[str]:
    """Legal moves as the examples write them: ``p0 done · p0 roll d5``."""
    return sorted(text.split(" · "))


# -- worked examples --------------------------------------------------------------------------


def test_example_1_a_set_up_card_puts_an_offering_into_its_pit() -> None:
    match = Match(GAME, 3)
    match.push("dealer offer p0 d4")
    assert match.layout == Counter([Item("4-day", "disc white", 0)])


def test_example_2_three_red_cards() -> None:
    state = position()
    assert legal(state) == _lines(
        "p0 done · p0 reverse t-white · p0 roll d11 · p0 roll d5 · p0 roll n2 · p0 roll n29"
    )
    play(state, "p0 roll d5")
    assert state.ball == 17
    assert legal(state) == _lines(
        "p0 done · p0 fall d11 · p0 fall n29 · p0 reverse t-white · p0 roll d11 · p0 roll n29"
    )
    play(state, "p0 roll d11")
    assert state.ball == 23
    assert legal(state) == _lines(
        "p0 done · p0 fall n29 · p0 reverse t-white · p0 roll n29 · p0 roll-fall n29"
    )
    third = play(state.clone(), "p0 roll n29")
    assert third.ball == 29
    assert legal(third) == ["p0 done", "p0 reverse t-white"]
    fallen = play(state.clone(), "p0 fall n29")
    assert fallen.ball == 23
    rolled = play(state.clone(), "p0 roll-fall n29")
    assert rolled.ball == 29
    for falling in (fallen, rolled):
        assert len(legal(falling)) == falling.deck.pile_size == 50
        play(falling, "dealer turn n3")
        # three cards were played, two are left
        play(falling, "dealer draw p0 d18", "dealer draw p0 t-red", "dealer draw p0 n7")
        assert (falling.turn, falling.phase) == (1, "turn")


def test_example_3_seven_cards() -> None:
    state = position(players=2, pits={"17-day": [0], "17-night": [0]})
    play(state, "p0 roll d5", "p0 fall d11")
    both = play(state.clone(), "dealer turn t-red")
    assert both.scores() == (18, 20)
    assert both.hand_limit(0) == 7
    draws = ("d18", "n7", "n8", "n9")
    for card in draws:
        assert both.turn == 0
        play(both, f"dealer draw p0 {card}")
    assert both.turn == 1 and both.deck.hand_size(0) == 7
    night = play(state, "dealer turn n30")
    assert night.hand_limit(0) == 6
    assert "17-day" in {item.site for item in night.layout()}
    for card in draws[:3]:
        assert night.turn == 0
        play(night, f"dealer draw p0 {card}")
    assert night.turn == 1 and night.deck.hand_size(0) == 6


def test_example_4_over_one_and_the_own_field_does_not_count() -> None:
    state = position(hand="d29 n23 d1 d2 t-white", ball=(2, "cw"))
    play(state, "p0 reverse t-white")
    assert legal(state) == _lines(
        "p0 roll d1 · p0 roll d2 · p0 roll d29 · p0 roll n23 · p0 roll-fall d1 · p0 roll-fall d29"
    )
    play(state, "p0 roll n23")
    assert state.ball == 29
    assert legal(state) == _lines("p0 done · p0 fall d29 · p0 roll d29")
    five = position(hand="d5 d17 d23 d29 n5", ball=(11, "cw"))
    fields = []
    for card in ("d5", "d17", "d23", "d29", "n5"):
        play(five, f"p0 roll {card}")
        fields.append(five.ball)
    assert fields == [17, 23, 29, 5, 11]
    assert legal(five) == ["p0 done"]


def test_example_5_roll_fall_as_the_only_card() -> None:
    hand = "d17 n17 d12 n30 t-blue"
    assert legal(position(hand=hand)) == _lines(
        "p0 done · p0 reverse t-blue · p0 roll d12 · p0 roll d17 · p0 roll n17 · p0 roll n30 · "
        "p0 roll-fall d17 · p0 roll-fall n17"
    )
    back = position(hand=hand, ball=(12, "ccw"))
    assert not [move for move in legal(back) if "roll-fall" in move]


def test_example_6_trilithon_cards_only_can_but_pass() -> None:
    assert legal(position(hand=TRILITHONS)) == ["p0 done"]
    state = position(hand=TRILITHONS, trilithon_alone="on")
    assert legal(state) == _lines(
        "p0 done · p0 reverse t-blue · p0 reverse t-green · p0 reverse t-red · "
        "p0 reverse t-white · p0 reverse t-yellow"
    )
    play(state, "p0 reverse t-red", "p0 done")
    assert state.passes == 0
    assert Item("12", "figure grey", pose="ccw") in state.layout()
    play(state, f"dealer draw p0 {CARDS[state.deck.pile[0]]}")
    assert state.turn == 1


def test_passes_all_round_are_followed_by_the_next_turn() -> None:
    """6.4: the book ends the match with the pile, so nobody is warned of a last pass either."""
    state = play(position(hand=TRILITHONS), *(f"p{turn % 3} done" for turn in range(7)))
    prompt = state.prompt()
    assert prompt is not None and (prompt.code, prompt.player) == ("play", 1)
    assert state.outcome() is None
    fall = position(pile="n7", through=1, pits={"17-night": [1]})
    play(fall, "p0 roll d5", "p0 fall d11", "dealer turn n7")
    outcome = fall.outcome()
    assert outcome is not None and outcome.reason == "played_through"


def test_example_6_by_the_house_rule_passes_all_round_end_the_match() -> None:
    state = play(position(hand=TRILITHONS, all_pass_ends="on"), "p0 done", "p1 done")
    prompt = state.prompt()
    assert prompt is not None and prompt.code == "last_pass"
    ended = play(state.clone(), "p2 done")
    outcome = ended.outcome()
    assert outcome is not None
    assert outcome.to_json() == {
        "reason": "all_passed", "ranking": [[0, 1, 2]], "scores": [20, 20, 20],
    }  # fmt: skip
    card = next(CARDS[card] for card in state.deck.hands[2] if card < 60)
    play(state, f"p2 roll {card}", "p2 done", f"dealer draw p2 {CARDS[state.deck.pile[0]]}")
    play(state, "p0 done", "p1 done")
    assert state.outcome() is None
    assert play(state, "p2 done").outcome() is not None


def test_example_7_the_last_card_the_second_time_is_the_end() -> None:
    state = position(pile="n7", through=1, pits={"17-night": [1]})
    fall = play(state.clone(), "p0 roll d5", "p0 fall d11")
    assert legal(fall) == ["dealer turn n7"]
    play(fall, "dealer turn n7")
    assert "17-night" not in {item.site for item in fall.layout()}
    assert fall.deck.hand_size(0) == 3
    outcome = fall.outcome()
    assert outcome is not None and outcome.reason == "played_through"
    drawn = play(state, "p0 roll d5", "p0 roll d11", "p0 done", "dealer draw p0 n7")
    assert drawn.deck.hand_size(0) == 4 and drawn.outcome() is not None


def test_example_7_the_first_time_the_discards_become_the_pile() -> None:
    state = position(pile="n7")
    play(state, "p0 roll d5", "p0 roll d11", "p0 done", "dealer draw p0 n7")
    assert state.outcome() is None and state.deck.hand_size(0) == 4
    outcomes = legal(state)
    assert "dealer draw p0 d5" in outcomes
    assert "dealer draw p0 n7" not in outcomes
    assert len(outcomes) == 65 - 4 - 10


def test_example_8_a_shared_pit() -> None:
    state = position(pits={"17-night": [0, 1]})
    play(state, "p0 roll d5", "p0 fall d11", "dealer turn n30")
    assert state.hand_limit(0) == 6
    for card in ("d18", "n7", "n8"):
        assert state.turn == 0
        play(state, f"dealer draw p0 {card}")
    assert state.turn == 1
    assert state.scores() == (20, 18, 20)


def _two_player_set_up(**options: str) -> Match:
    match = Match(GAME, 2, options)
    for seat, trilithon, letter in ((0, "t-red", "d"), (1, "t-blue", "n")):
        match.push(f"dealer offer p{seat} {trilithon}")
        for number in range(1, 10):
            match.push(f"dealer offer p{seat} {letter}{number}")
    match.push("dealer offer neutral t-white")
    for number in range(20, 30):
        match.push(f"dealer offer neutral d{number}")
    return match


def test_example_9_set_up_with_two_players() -> None:
    match = _two_player_set_up()
    prompt = match.prompt
    assert prompt is not None and prompt.player == 1
    assert len(match.legal_moves()) == 60
    match.push("p1 offer 1-day")
    stacked = [Item("1-day", "disc white", 0, 0, seen=False), Item("1-day", "disc blue", 1, 1)]
    assert all(item in match.layout for item in stacked)
    match.push("p0 offer 30-night")
    assert len(match.legal_moves()) == 34
    match.push("dealer ball t-green")
    match.push("dealer ball n12")
    assert Item("12", "figure grey", pose="cw") in match.layout
    assert [m.text for m in match.legal_moves()] == sorted(f"dealer draw p0 {c}" for c in CARDS)


def test_example_9_with_one_offering_per_pit_32_pits_are_free() -> None:
    match = _two_player_set_up(shared_pits="off")
    assert len(match.legal_moves()) == 32
    assert [o.code for o in match.why_not("p1 offer 1-day")] == ["pit_taken"]


# -- rulings ----------------------------------------------------------------------------------


def test_or1_black_is_a_colour_like_the_others() -> None:
    state = play(position(hand="d6 n12 d18 d5 n5"), "p0 roll d6")
    assert state.ball == 18
    assert legal(state) == _lines("p0 done · p0 fall d18 · p0 fall n12 · p0 roll d18 · p0 roll n12")
    assert reasons(state, "p0 roll d5") == [("OR1", "other_colour")]


def test_or2_the_field_under_the_ball_is_left_out() -> None:
    assert play(position(hand="d12 d1 d2 d3 d4"), "p0 roll d12").ball == 18


def test_or3_clockwise_ascends_and_thirty_is_followed_by_one() -> None:
    assert NEXT[0][30][1] == 1 and NEXT[1][1][0] == 30
    for start in range(1, 31):
        assert sorted((f - start) % 30 for f in NEXT[0][start]) == [1, 2, 3, 4, 5, 6]
        assert sorted((start - f) % 30 for f in NEXT[1][start]) == [1, 2, 3, 4, 5, 6]


def test_or3_twelve_cards_can_roll_and_fall_from_every_field_in_either_direction() -> None:
    for facing in (0, 1):
        for start in range(1, 31):
            numbers = {n for n in range(1, 31) if NEXT[facing][start][n % 6] == n}
            assert len(numbers) == 6


def test_or4_trilithon_cards_between_number_cards_cancel_out() -> None:
    state = position(hand="d5 d11 t-red t-blue d2")
    play(state, "p0 roll d5", "p0 reverse t-red", "p0 reverse t-blue", "p0 roll d11")
    assert state.ball == 23
    assert legal(state) == ["p0 done"]


def test_or5_a_turn_begun_with_a_trilithon_card_needs_a_number_card() -> None:
    state = play(position(), "p0 reverse t-white")
    assert "p0 done" not in legal(state)
    assert reasons(state, "p0 done") == [("OR5", "number_card_too")]
    alone = play(position(trilithon_alone="on"), "p0 reverse t-white")
    assert "p0 done" in legal(alone)


def test_or5_after_a_pass_nothing_is_drawn() -> None:
    state = play(position(), "p0 done")
    assert (state.turn, state.phase, state.deck.hand_size(0)) == (1, "turn", 5)


def test_or6_trilithon_cards_do_not_roll_and_have_no_colour() -> None:
    state = position()
    assert reasons(state, "p0 roll t-white") == [("OR6", "number_needed")]
    assert reasons(state, "p0 reverse d5") == [("OR6", "trilithon_needed")]
    play(state, "p0 reverse t-white")
    assert reasons(state, "p0 fall d5") == [("6.3", "roll_first")]
    play(state, "p0 roll n2")
    assert state.ball == 8


def test_or7_or8_rolling_and_falling_at_once_needs_the_number_only() -> None:
    state = position(hand="d17 n17 d23 d1 d2")
    assert {"p0 roll n17", "p0 roll-fall n17", "p0 roll-fall d17"} <= set(legal(state))
    assert reasons(state, "p0 roll-fall d23") == [("OR8", "other_number")]


def test_or10_stacked_offerings_show_the_top_one_only() -> None:
    state = position(pits={"17-night": [0, 1, 2]})
    lying = sorted(item for item in state.layout() if item.site == "17-night")
    assert [(i.kind, i.level, i.seen) for i in sorted(lying, key=lambda i: i.level)] == [
        ("disc white", 0, False), ("disc blue", 1, False), ("disc green", 2, True),
    ]  # fmt: skip


@pytest.mark.parametrize(("players", "times"), [(2, 2), (3, 2), (4, 2), (5, 3)])
def test_or13_the_pile_is_played_through_twice_or_with_five_players_thrice(
    players: int, times: int
) -> None:
    turn = ("p0 roll d5", "p0 roll d11", "p0 done", "dealer draw p0 n7")
    before = play(position(players, pile="n7", through=times - 2), *turn)
    assert before.outcome() is None and before.through == times - 1
    last = play(position(players, pile="n7", through=times - 1), *turn)
    assert last.outcome() is not None


def test_or14_equal_scores_share_the_place() -> None:
    state = position(hand=TRILITHONS, pits={"17-night": [1]}, all_pass_ends="on")
    state.crush(0, PITS.index("17-night"))
    play(state, "p0 done", "p1 done", "p2 done")
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.ranking == ((0,), (2,), (1,)) and outcome.scores == (21, 18, 20)


def test_or15_or16_only_own_offerings_crushed_by_oneself_enlarge_the_hand() -> None:
    state = position(pits={"17-night": [1, 1, 2]})
    play(state, "p0 roll d5", "p0 fall d11", "dealer turn n30")
    assert [state.hand_limit(seat) for seat in range(3)] == [5, 5, 5]
    assert state.scores() == (23, 16, 18)


def test_or18_trilithon_offerings_follow_the_colours_whoever_holds_them() -> None:
    match = Match(GAME, 3)
    hands = (
        ["t-red", "t-white", *(f"d{n}" for n in range(1, 9))],
        ["t-green", *(f"n{n}" for n in range(1, 10))],
        ["t-blue", "t-yellow", *(f"d{n}" for n in range(20, 28))],
    )
    for seat, cards in enumerate(hands):
        for card in cards:
            match.push(f"dealer offer p{seat} {card}")
    asked = []
    while (prompt := match.prompt) is not None and prompt.actor is Actor.PLAYER:
        asked.append(prompt.player)
        match.push(f"p{prompt.player} offer 30-day")
    assert asked == [0, 2, 1, 2, 0]
    assert match.state.own_left[:3] == [10, 10, 10]


def test_or20_a_fall_on_an_empty_pile_may_turn_up_the_cards_just_played() -> None:
    state = play(position(pile=""), "p0 roll d5", "p0 fall d11")
    outcomes = legal(state)
    assert {"dealer turn d5", "dealer turn d11"} <= set(outcomes)
    assert len(outcomes) == 65 - 3 - 10
    play(state, "dealer turn d5")
    assert state.deck.discards == [CARDS.index("d5")] and state.through == 0


def test_or21_without_any_card_the_hand_stays_short() -> None:
    state = position()
    play(state, "p0 roll d5")
    state.deck.hands[1] += state.deck.pile
    state.deck.pile = []
    state.deck.hands[1] += state.deck.discards
    state.deck.discards = []
    state.apply(Move.parse("p0 done"))
    assert (state.turn, state.phase, state.deck.hand_size(0), state.through) == (1, "turn", 4, 0)


def test_or22_colours_by_seat_and_any_player_may_start() -> None:
    assert GAME.colours(5, {}) == ("white", "blue", "green", "yellow", "red")
    for _match, moves, move in random_match(GAME, 4, GAME.complete_options(4, {}), 5):
        if move.verb == "start":
            assert sorted(m.text for m in moves) == [f"dealer start p{n}" for n in range(4)]
            break
    state = position(players=2)
    assert {item.kind for item in state.layout() if item.owner is None and item.site != "12"} \
        >= {"disc green"}  # fmt: skip


def test_texts_that_are_no_moves_here() -> None:
    state = position()
    for text in ("p3 done", "p0 roll d31", "p0 fall", "dealer turn x", "table show 1-day d1"):
        assert reasons(state, text) == [("6.3", "unknown_move")]


def test_wrong_seats_and_wrong_moments_are_named() -> None:
    state = position()
    assert reasons(state, "p1 done") == [("6.3", "wrong_player")]
    assert reasons(state, "dealer turn d1") == [("6.3", "players_turn")]
    assert reasons(state, "p0 offer 1-day") == [("6.2", "set_up_over")]
    card = CARDS[state.deck.hands[1][0]]
    assert reasons(state, f"p0 roll {card}") == [("6.3", "not_in_hand")]
    play(state, "p0 roll d5")
    assert reasons(state, "p0 roll d5") == [("6.3", "on_discards")]
    play(state, "p0 fall d11")
    assert reasons(state, "p0 done") == [("6.3", "turn_first")]
    assert reasons(state, "dealer turn d5") == [("OR20", "not_in_pile")]
    assert reasons(state, "dealer draw p0 d30") == [("6.3", "other_deal")]
    play(state, "dealer turn n30")
    assert reasons(state, "p1 done") == [("6.3", "deal_first")]
    assert reasons(state, "dealer draw p1 d30") == [("6.3", "wrong_hand")]
    start = Match(GAME, 2)
    start.push("dealer offer p0 d4")
    assert [o.code for o in start.why_not("dealer offer p0 d4")] == ["already_drawn"]


def test_scores_are_explained_line_by_line() -> None:
    state = position(players=2, pits={"17-night": [0, 1, 2]})
    play(state, "p0 roll d5", "p0 fall d11", "dealer turn n30")
    teller = Teller(GAME, "en", GAME.colours(2, {}))
    lines = [(n.player, teller.score_line(n), n.points) for n in state.explain_scores()]
    assert lines == [
        (0, "Own offerings", 18),
        (0, "White crushed", 1),
        (0, "Blue crushed", 1),
        (0, "Green crushed", 1),
        (1, "Own offerings", 18),
    ]


# -- the physical form ------------------------------------------------------------------------


def _physical(**options: str) -> Match:
    """Two players at a table; the set-up of example 9, hands dealt face down, p0 begins."""
    match = Match(GAME, 2, options, physical=True)
    for entry in _two_player_set_up(**options).log:
        match.push(entry.move)
    for text in ("p1 offer 2-night", "p0 offer 30-night", "dealer ball n12"):
        match.push(text)
    match.deal()
    match.push("dealer start p0")
    return match


def test_hidden_hands_are_dealt_without_names() -> None:
    match = _physical()
    draws = [entry.move.text for entry in match.log if entry.move.verb == "draw"]
    assert draws == [f"dealer draw p{n % 2} ?" for n in range(10)]
    assert match.state.supply(1)["card back"] == 5


def test_nobody_types_in_a_hand() -> None:
    match = Match(GAME, 2, physical=True)
    for entry in _two_player_set_up().log:
        match.push(entry.move)
    for text in ("p1 offer 2-night", "p0 offer 30-night", "dealer ball n12"):
        match.push(text)
    assert [o.code for o in match.why_not("dealer draw p0 d1")] == ["stays_hidden"]


def test_any_unseen_card_may_be_in_a_hidden_hand_and_a_seen_one_may_not() -> None:
    match = _physical()
    texts = {move.text for move in match.legal_moves()}
    assert len([t for t in texts if t.startswith("p0 roll ")]) == 60
    assert len([t for t in texts if t.startswith("p0 roll-fall ")]) == 12
    match.push("p0 roll d17")
    match.push("p0 done")
    assert [move.text for move in match.deal()] == ["dealer draw p0 ?"]
    assert [o.code for o in match.why_not("p1 roll d17")] == ["on_discards"]
    assert not match.why_not("p1 roll n17")


def test_the_referee_accepts_reverse_before_the_first_roll_and_then_insists() -> None:
    match = _physical()
    match.push("p0 reverse t-red")
    assert [o.code for o in match.why_not("p0 done")] == ["number_card_too"]
    for card in ("t-white", "t-blue", "t-green"):
        match.push(f"p0 reverse {card}")
    # the last card must be the number card
    assert [o.code for o in match.why_not("p0 reverse t-yellow")] == ["number_card_too"]
    assert not match.why_not("p0 roll d1")


def test_cards_shuffled_away_cannot_be_in_a_hand_dealt_before() -> None:
    match = _physical()
    match.push("p0 roll d5")
    state = match.state
    while state.deck.pile_size:
        state.deck.zones.draw("pile", "p0", None)
    state.deck.renew()
    assert [o.code for o in match.why_not("p0 roll d5")] == ["not_in_hand"]


@pytest.mark.parametrize("players", GAME.players)
def test_a_table_that_logs_a_digital_match_is_never_contradicted(players: int) -> None:
    for seed in range(3):
        options = {"trilithon_alone": "off" if seed else "on"}
        complete = GAME.complete_options(players, options)
        referee = Match(GAME, players, complete, physical=True)
        dealer = None
        for match, _, move in random_match(GAME, players, complete, seed):
            dealer = match
            for shown in match.state.shown(move):
                referee.push(shown)
            assert {m for m in match.state.legal_moves() if m.actor is Actor.PLAYER} <= set(
                match.state.pseudo_moves()
            )
        assert dealer is not None and referee.outcome == dealer.outcome


def test_a_player_sees_his_own_cards_only() -> None:
    state = position()
    view = state.view(0)
    assert view["hands"] == [["d5", "d11", "n2", "n29", "t-white"], 5, 5]
    assert view["pile"] == 50
    assert state.view(None)["hands"] == [5, 5, 5]
    draw = Move.parse("dealer draw p1 d3")
    assert state.public(draw, 1) == draw
    assert state.public(draw, 0) == Move.parse("dealer draw p1 ?")


# -- what always holds ------------------------------------------------------------------------


def _option_sets() -> Iterable[dict[str, str]]:
    for shared in ("on", "off"):
        for alone in ("off", "on"):
            for ends in ("off", "on"):
                yield {"shared_pits": shared, "trilithon_alone": alone, "all_pass_ends": ends}


@pytest.mark.parametrize("players", GAME.players)
def test_random_matches_conserve_everything_and_play_the_pile_through(players: int) -> None:
    random = Random(players)
    lengths = []
    for options in _option_sets():
        for _ in range(2):
            state = GAME.setup(players, options, False)
            steps = 0
            while moves := state.legal_moves():
                state.apply(state.choose(moves, random))
                steps += 1
                problems = state.problems() if steps % 5 == 0 else []
                assert not problems
                offerings = sum(state.own_left) + sum(map(sum, state.crushed))
                assert offerings == sum(map(len, state.pits)) + sum(map(sum, state.crushed))
            outcome = state.outcome()
            assert outcome is not None
            if options["all_pass_ends"] == "off":
                assert outcome.reason == "played_through"
            assert sum(outcome.scores) == 2 * sum(state.own_left[:players]) + sum(
                map(sum, state.crushed)
            )
            lengths.append(steps)
    assert 180 < sum(lengths) / len(lengths) < 320


def test_a_position_comes_back_from_json_and_a_broken_one_is_refused() -> None:
    data = json.loads(json.dumps(play(position(), "p0 roll d5").to_json()))
    assert GAME.from_json(data).to_json() == data
    broken: list[tuple[str, Any]] = [
        ("pile", []), ("ball", None), ("ball", [31, "cw"]), ("phase", "sleep"), ("turn", 7),
        ("pits", {"1-day": [9]}), ("hands", [["d99"], [], []]), ("discards", ["d5", "d5"]),
    ]  # fmt: skip
    for key, value in broken:
        with pytest.raises(StateError):
            GAME.from_json(data | {key: value})
    with pytest.raises(StateError):
        GAME.from_json([])


def test_unknown_options_and_player_counts_are_refused() -> None:
    with pytest.raises(OptionError, match="shared_pits"):
        Match(GAME, 2, {"shared_pits": "maybe"})
    with pytest.raises(OptionError, match="players"):
        Match(GAME, 1)
