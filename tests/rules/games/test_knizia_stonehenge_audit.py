"""Knizia's Stonehenge: what an independent reading of the rules found."""

from __future__ import annotations

import pytest

from rules.match import Match
from tests.support.rulings import reasons


@pytest.mark.parametrize("secret", [1, 6])
@pytest.mark.parametrize("asked", [1, 6])
def test_a_second_hidden_stone_is_refused_without_telling_the_first(
    secret: int, asked: int
) -> None:
    match = Match("knizia_stonehenge", 2, {"hidden": "on"})
    match.push(f"p0 place {secret} A")
    assert reasons(match, f"p0 place {asked} B") == [("1.4", "already_placed")]


def test_with_open_stones_everything_against_a_stone_is_told() -> None:
    match = Match("knizia_stonehenge", 2)
    match.push("p0 place 6 A")
    assert reasons(match, "p0 place 6 B") == [("1.4", "already_placed"), ("1.4", "no_such_stone")]


def test_in_turn_a_hidden_stone_that_is_gone_is_refused() -> None:
    match = Match("knizia_stonehenge", 2, {"hidden": "on"})
    for move in ("p0 place 6 A", "p0 done", "p1 place 1 B", "p1 done"):
        match.push(move)
    assert reasons(match, "p0 place 6 C") == [("1.4", "no_such_stone")]
