"""Der Hohe Rat on a real table: cards nobody may see, and who knows what."""

from __future__ import annotations

from rules.core import Move
from rules.games.hoher_rat import GAME
from rules.games.hoher_rat.components import DECK, FIELD_NUMBER
from rules.games.hoher_rat.moves import discussions
from rules.match import Match
from tests.support.hoher_rat_table import table


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
