"""Der Hohe Rat: what an independent reading of the rules found."""

from __future__ import annotations

import pytest

from rules.core import Move
from tests.support.hoher_rat_table import table


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
