"""Die Dolmengötter: what an independent reading of the rules found."""

from __future__ import annotations

import pytest

from rules.games.dolmengoetter import GAME
from rules.match import Match
from tests.support.rulings import reasons

HEXAGON = (
    "dealer start p0", "p0 druid W1", "p1 druid X1", "p0 druid W2",
    "p1 druid X2", "p0 druid X3", "p1 druid W3",
    "p0 walk W1 V1", "p0 stone W1", "p1 walk X1 Y1", "p1 stone X1",
    "p0 walk W2 V2", "p0 stone W2",
)  # fmt: skip
"""p0 has the right to put a dolmen on top in K12."""


def _match(*moves: str) -> Match:
    match = Match(GAME, 2)
    for move in HEXAGON + moves:
        match.push(move)
    return match


@pytest.mark.parametrize("secret", [1, 4])
@pytest.mark.parametrize("asked", [1, 4])
def test_dg21_a_refused_dolmen_does_not_tell_which_one_was_built(secret: int, asked: int) -> None:
    match = _match(f"p0 dolmen K12 top {secret}")
    assert reasons(match, f"p0 dolmen K12 top {asked}") == [("7.6", "right_used")]
    assert reasons(match, f"p0 dolmen K01 top {asked}") == [("7.6", "no_new_stone")]


def test_with_a_right_a_value_that_is_all_built_is_refused() -> None:
    match = _match("p0 dolmen K12 top 4", "p1 walk X2 Y2", "p1 stone X2", "p1 keep K12")
    match.push("p0 walk X3 X4")
    match.push("p0 stone X3")
    assert reasons(match, "p0 dolmen K12 top 4") == [("7.1", "no_such_value")]
    assert reasons(match, "p0 dolmen K12 under 3") == [("7.6", "only_top")]


def test_without_any_dolmen_the_empty_supply_is_the_reason() -> None:
    match = _match()
    match.state.values[1] = [0] * 5
    match.state.dolmens[1] = 0
    assert reasons(match, "p1 dolmen K12 top 1") == [("7.1", "no_such_value")]
