"""The play of Trilithen Knallen: what is remembered, what may be hidden, and why."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from rules.core import Move
from rules.games.trilithen_knallen import GAME
from rules.games.trilithen_knallen.components import DAY_CARD, DISPLAY, SPOTS, UNBOUND
from rules.games.trilithen_knallen.moves import MEANING
from rules.games.trilithen_knallen.state import Phase, TrilithenState
from rules.match import Match
from rules.players import Budget, Reason, SeatView, find_player
from rules.players.crafts.trilithen_knallen import Demolition
from rules.players.crafts.trilithen_knallen.memory import (
    Memory,
    forgetful,
    hand_is_known,
    whereabouts,
)
from rules.players.crafts.trilithen_knallen.promise import Recall, aims, candidates
from rules.telling import Teller
from rules.texts import LANGUAGES
from tests.support.dealt_decisions import decisions
from tests.support.rulings import play
from tests.support.trilithen_table import NEEDED, SPOTS_OF_Q, position

CRAFT = Demolition(GAME)
NAME = "trilithen_knallen"


def seen(match: Match, seat: int) -> dict[str, str]:
    """Cards by spot as a seat remembers them."""
    spots = Memory(SeatView.of(match, seat)).spots
    return {SPOTS[n]: DISPLAY[one.card] for n, one in enumerate(spots) if one.card != UNBOUND}


def view_of(state: TrilithenState, *moves: str) -> SeatView:
    """The view of p0, who saw ``moves``, of a position laid out."""
    options = GAME.complete_options(state.players, {})
    told = tuple(Move.parse(text) for text in moves)
    return SeatView(NAME, state.players, options, False, 0, state.view(0), told)


# -- memory ---------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3])
def test_what_is_remembered_lies_where_it_is_remembered(players: int) -> None:
    known, own_looks = 0, 0
    for match in decisions(NAME, players, seed=3, every=11):
        for seat in range(players):
            display = match.state
            for spot, one in enumerate(Memory(SeatView.of(match, seat)).spots):
                if one.card == UNBOUND:
                    # Shown to all, it would be remembered.
                    assert not display.seen_by_all[spot]
                    assert not display.peeked[spot] >> seat & 1
                    continue
                known += 1
                own_looks += not one.public
                assert display.card[spot] == one.card
                assert one.public == display.seen_by_all[spot]
    assert known > 100
    assert own_looks


def test_a_swap_moves_what_is_remembered() -> None:
    moves = ["p0 flip A1", "dealer show A1 t-white", "p0 swap A1 A4", "p0 flip A2",
             "dealer show A2 n3"]  # fmt: skip
    state = position(changing="1")
    spots = Memory(view_of(state, *moves)).spots
    assert [spot for spot, one in enumerate(spots) if one.card != UNBOUND] == [1, 3]
    assert DISPLAY[spots[3].card] == "t-white"


def test_a_spot_that_shows_another_card_later_was_moved_by_hands() -> None:
    moves = ["p0 flip A1", "dealer show A1 n3", "p1 flip A1", "dealer show A1 n5", "p1 flip A7",
             "dealer show A7 n3"]  # fmt: skip
    spots = Memory(view_of(position(), *moves)).spots
    known = {n: DISPLAY[one.card] for n, one in enumerate(spots) if one.card != UNBOUND}
    assert known == {0: "n5", 6: "n3"}


def test_others_secret_looks_are_remembered_without_their_cards() -> None:
    spots = Memory(view_of(position(), "p1 peek A5", "dealer show A5 ?")).spots
    assert spots[4].card == UNBOUND
    assert spots[4].peeked == 1 << 1
    own = Memory(view_of(position(), "p0 peek A5", "dealer show A5 n7")).spots
    assert (DISPLAY[own[4].card], own[4].public) == ("n7", False)


def test_people_forget_the_oldest_first_and_for_good() -> None:
    order = [f"A{n}" for n in range(1, 11)]
    cards = [name for name in DISPLAY if name.startswith("n")]
    moves: list[str] = []
    for spot, card in zip(order, cards, strict=False):
        moves += [f"p0 flip {spot}", f"dealer show {spot} {card}"]
    late, early, share = 0, 0, 0
    for turn in range(60):
        # Another number of moves before: another memory.
        view = view_of(position(), *["p0 done"] * turn, *moves)
        kept = {
            spot for spot, one in enumerate(Memory(forgetful(view, 0.5)).spots)
            if one.card != UNBOUND
        }  # fmt: skip
        share += len(kept)
        early, late = early + len(kept & set(range(5))), late + len(kept & set(range(5, 10)))
        again = forgetful(forgetful(view, 0.5), 1.0)
        assert Memory(again).spots == Memory(forgetful(view, 0.5)).spots
    assert 0.4 < share / 600 < 0.7
    assert early < 0.6 * late
    view = view_of(position(), *moves)
    assert forgetful(view, 1.0) is view
    assert all(one.card == UNBOUND for one in Memory(forgetful(view, 0.0)).spots)


def test_without_memory_only_what_lies_open_is_known() -> None:
    """TK23: a tip is worked out from a view that forgets, and names no card."""
    match = next(m for m in decisions(NAME, 3, seed=1, every=1) if m.ply > 200 and m.prompt)
    seat = match.state.turn
    view = SeatView.of(match, seat, remembers=False)
    up = [spot for spot, up in enumerate(match.state.up) if up]
    spots = Memory(view).spots
    assert [spot for spot, one in enumerate(spots) if one.card != UNBOUND] == up
    choice = find_player("druid").choose(view, match.legal_moves(), Budget(playouts=4), Random(1))
    assert choice.move in match.legal_moves()


# -- worlds ---------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 5])
def test_every_card_may_lie_where_it_really_lies(players: int) -> None:
    random, renewed = Random(2), 0
    for match in decisions(NAME, players, seed=5, every=19):
        seat = match.ply % players
        view, deck = SeatView.of(match, seat), match.state.deck
        cards = whereabouts(view)
        for place, lying in [("pile", deck.pile), ("out", deck.gone)] + [
            (f"p{n}", hand) for n, hand in enumerate(deck.hands)
        ]:
            assert cards.size(place) == len(lying)
            assert all(cards.may_lie(place, card) for card in lying), place
            renewed += place == "pile" and not all(cards.may_lie("pile", card) for card in range(30)
                                                   if card not in deck.discards)  # fmt: skip
        world = CRAFT.states(view)(random)
        assert world.view(seat) == view.state
        assert world.problems() == []
        assert world.loose == []
    assert renewed, "own cards, and those that were in hands when the pile was renewed"


def test_a_world_of_a_real_table_names_every_card_where_it_may_lie() -> None:
    random = Random(5)
    for match in decisions(NAME, 3, seed=2, every=17, physical=True):
        view = SeatView.of(match, 1)
        world = CRAFT.states(view)(random)
        assert world.problems() == []
        for seat, hand in enumerate(world.deck.hands):
            assert set(hand) <= set(match.state.deck.playable(seat))
            assert len(hand) == match.state.deck.hand_size(seat)
        for spot, known in enumerate(match.state.seen_by_all):
            assert not known or world.card[spot] == match.state.card[spot]
        assert not hand_is_known(view)


# -- what looks promising -------------------------------------------------------------------


def test_aims_are_the_rams_that_the_rules_allow() -> None:
    compared = 0
    for match in decisions(NAME, 3, seed=7, every=1, most=300):
        for move in match.legal_moves():
            if move.verb != "place":
                continue
            _, colour, _, place = MEANING[move.text]
            after = match.state.clone()
            after.apply(move)
            if after.phase is Phase.PLACE:
                continue
            allowed = {(reach[2], reach[3]) for reach in after.rams}
            assert {(one.target, one.distance) for one in aims(match.state, colour, place)} == (
                allowed
            )
            compared += 1
    assert compared > 100


def test_the_chance_of_a_ram_counts_what_is_remembered() -> None:
    state = position()
    assert Recall(state, 0).chance((2, 3, 4, 0)) == pytest.approx((3 / 15) * (3 / 14) * (3 / 13)
                                                                 * (3 / 12))  # fmt: skip
    for spot, name in zip(SPOTS_OF_Q, NEEDED, strict=True):
        number = SPOTS.index(spot)
        state.bind(number, DISPLAY.index(name))
        state.seen_by_all[number] = True
    assert Recall(state, 0).chance((2, 3, 4, 0)) == 1
    assert Recall(state, 0).chance((2, 2)) == pytest.approx(2 / 11)
    state.seen_by_all[SPOTS.index("A7")] = False
    state.peeked[SPOTS.index("A7")] = 1 << 1
    assert Recall(state, 1).chance((2, 3, 4, 0)) == 1
    assert Recall(state, 0).chance((2, 3, 4, 0)) == pytest.approx(3 / 12)


def test_a_remembered_card_that_fits_is_turned_and_else_one_never_seen() -> None:
    state = play(position(), "p0 place white d1 2", "p0 ram white cw")
    state.bind(6, DISPLAY.index("n9"))
    state.bind(0, DISPLAY.index("n1"))
    state.seen_by_all[6] = state.seen_by_all[0] = True
    assert [move.text for move in candidates(state, state.legal_moves())] == ["p0 flip A7"]
    state.seen_by_all[6] = False
    assert [move.text for move in candidates(state, state.legal_moves())] == ["p0 flip A2"]


def test_who_has_more_left_to_lose_hopes_for_more() -> None:
    points = [{"white": 10, "blue": 6}, {"blue": 4}, {"green": 10}]
    hopes = CRAFT.estimate(position(points=points))
    assert hopes[0] > hopes[2] > hopes[1]
    assert sum(hopes) == pytest.approx(1)


# -- why ------------------------------------------------------------------------------------


def reasons_of(match: Match) -> Iterator[Reason]:
    seat = match.legal_moves()[0].player
    assert seat is not None
    view = SeatView.of(match, seat)
    world = CRAFT.states(view)(Random(match.ply))
    for move in match.legal_moves():
        reason = CRAFT.reason(view, world, move)
        if reason is not None:
            yield reason


def test_reasons_never_name_a_card_or_a_spot_of_the_display() -> None:
    """TK23: neither in any words."""
    codes = set()
    for match in decisions(NAME, 3, seed=11, every=3):
        for reason in reasons_of(match):
            codes.add(reason.code)
            assert {str(value) for value in reason.values.values()}.isdisjoint(
                {*DISPLAY, *SPOTS, *DAY_CARD}
            )
    assert {"reaches", "rams_far", "first_colour", "next_colour", "looks"} <= codes
    for lang in LANGUAGES:
        teller = Teller(GAME, lang, GAME.colours(3, {}))
        said = teller.text("reasons", "reaches", target="blue", number=4)
        assert "4" in said


def test_reasons_of_rams_and_places() -> None:
    state, view = position(), view_of(position())
    near = CRAFT.reason(view, state, Move.parse("p0 place white d1 2"))
    assert near == Reason.of("reaches_two", targets="blue,green")
    state = play(state, "p0 place white d1 2")
    assert CRAFT.reason(view, state, Move.parse("p0 ram white cw")) == Reason.of(
        "rams_far", target="blue", number=3
    )
    few = [{"white": 10, "blue": 8}, {"blue": 2}, {"green": 10}]
    weak = play(position(points=few), "p0 place white d1 2")
    assert CRAFT.reason(view, weak, Move.parse("p0 ram white cw")) == Reason.of(
        "throws_off", target="blue"
    )
