"""Opferroulette: what an independent reading of the rules found."""

from __future__ import annotations

from rules.core import Move
from rules.games.opferroulette.state import OpferrouletteState
from tests.support.opferroulette_table import position
from tests.support.rulings import play


def _objections(state: OpferrouletteState, move: str) -> list[tuple[str, str]]:
    return [(o.rule, o.code) for o in state.violations(Move.parse(move))]


def test_a_second_colour_is_refused_by_the_rule_of_one_colour() -> None:
    state = play(position(hand="d5 d11 n2 n6 t-white"), "p0 roll d5")
    assert _objections(state, "p0 roll n2") == [("6.3", "other_colour")]
    assert _objections(state, "p0 fall n2") == [("6.3", "other_colour")]


def test_or1_is_cited_where_black_is_one_of_the_two_colours() -> None:
    state = play(position(hand="d5 d11 n2 n6 t-white"), "p0 roll d5")
    assert _objections(state, "p0 roll n6") == [("OR1", "other_colour")]
    state = play(position(hand="d5 d11 n2 n6 t-white"), "p0 roll n6")
    assert _objections(state, "p0 roll d5") == [("OR1", "other_colour")]


def test_a_card_of_another_colour_is_not_said_to_roll() -> None:
    """The sentence of ``other_number`` ends with: the card may roll the ball."""
    state = play(position(hand="d5 d11 n2 n6 t-white"), "p0 roll d5")
    assert _objections(state, "p0 roll-fall n2") == [("6.3", "other_colour")]
