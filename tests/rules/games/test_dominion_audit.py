"""Dominion: what an independent reading of the rules found."""

from __future__ import annotations

from rules.core import Move
from rules.games.dominion import GAME
from tests.support.dominion_table import Table


def _table(*seats: str, cards: str) -> Table:
    """A kingdom with the cards named, filled up with cards that ask nobody."""
    rest = "festival gardens laboratory market smithy village woodcutter adventurer council-room"
    kingdom = list(dict.fromkeys([*cards.split(), *rest.split(), "chancellor"]))[:10]
    return Table(*seats, kingdom=kingdom)


def _objections(table: Table, move: str) -> list[tuple[str, str]]:
    return [(o.rule, o.code) for o in table.state.violations(Move.parse(move))]


def test_cellar_and_chapel_are_not_said_to_demand_a_card() -> None:
    """Any number may be none: ``done`` is the answer, ``none`` only its wrong name."""
    for card in ("cellar", "chapel"):
        table = _table(f"{card} copper×2", "", cards="cellar chapel").play(f"p0 play {card}")
        assert _objections(table, "p0 none") == [(f"8.4-{card}", "answer_first")]
        assert _objections(table, "p0 done") == []


def test_a_hand_without_a_fitting_card_is_not_asked_for_one() -> None:
    """DO13: such a hand answers ``none``; no objection says that a card must be chosen."""
    for card in ("mine", "moneylender", "throne-room"):
        table = _table(f"{card} estate", "", cards="mine moneylender throne-room")
        table.play(f"p0 play {card}")
        assert table.legal == ["p0 none"]
        assert _objections(table, "p0 done") == [(f"8.4-{card}", "answer_first")]


def test_a_hand_without_victory_cards_is_not_asked_for_one() -> None:
    """DO27: it is shown."""
    table = _table("bureaucrat", "copper curse", cards="bureaucrat").play("p0 play bureaucrat")
    assert table.legal == ["p1 show copper,curse"]
    assert _objections(table, "p1 none") == [("8.4-bureaucrat", "answer_first")]


def test_a_must_is_still_named_where_the_hand_can_follow_it() -> None:
    """DO14."""
    table = _table("mine copper", "", cards="mine").play("p0 play mine")
    assert _objections(table, "p0 done") == [("DO14", "not_optional")]
    assert _objections(table, "p0 none") == [("DO14", "must_choose")]


def test_who_answers_out_of_order_is_sent_to_the_page_of_the_card() -> None:
    """In p0's turn p1 answers first; 8.2 alone would say that nobody but p0 is due."""
    table = _table("militia", "copper×4", "gold×4", cards="militia").play("p0 play militia")
    assert _objections(table, "p2 discard gold") == [("8.4-militia", "wrong_player")]
    assert _objections(table, "p0 done") == [("8.4-militia", "wrong_player")]
    feast = _table("feast", "", cards="feast").play("p0 play feast")
    assert _objections(feast, "p1 done") == [("8.4-feast", "wrong_player")]
    naming = GAME.setup(2, GAME.complete_options(2, {"kingdom": "choose"}), physical=False)
    found = naming.violations(Move.parse("p1 kingdom moat"))
    assert [(o.rule, o.code) for o in found] == [("DO11", "wrong_player")]


def test_out_of_turn_without_a_question_cites_the_turn() -> None:
    table = _table("copper", "copper", cards="moat")
    assert _objections(table, "p1 done") == [("8.2", "wrong_player")]
