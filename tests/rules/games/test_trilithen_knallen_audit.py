"""Trilithen Knallen: what an independent reading of the rules found, each as a claim."""

from __future__ import annotations

from rules.games.trilithen_knallen import GAME
from rules.match import Match
from tests.support.rulings import play, reasons
from tests.support.trilithen_table import position


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
