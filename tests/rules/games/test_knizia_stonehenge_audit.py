"""Knizia's Stonehenge: what an independent reading of the rules found."""

from __future__ import annotations

import pytest

from rules.match import Match


def _codes(match: Match, move: str) -> list[tuple[str, str]]:
    return [(objection.rule, objection.code) for objection in match.why_not(move)]


@pytest.mark.parametrize("secret", [1, 6])
@pytest.mark.parametrize("asked", [1, 6])
def test_a_second_hidden_stone_is_refused_without_telling_the_first(
    secret: int, asked: int
) -> None:
    match = Match("knizia_stonehenge", 2, {"hidden": "on"})
    match.push(f"p0 place {secret} A")
    assert _codes(match, f"p0 place {asked} B") == [("1.4", "already_placed")]


def test_with_open_stones_everything_against_a_stone_is_told() -> None:
    match = Match("knizia_stonehenge", 2)
    match.push("p0 place 6 A")
    assert _codes(match, "p0 place 6 B") == [("1.4", "already_placed"), ("1.4", "no_such_stone")]


def test_in_turn_a_hidden_stone_that_is_gone_is_refused() -> None:
    match = Match("knizia_stonehenge", 2, {"hidden": "on"})
    for move in ("p0 place 6 A", "p0 done", "p1 place 1 B", "p1 done"):
        match.push(move)
    assert _codes(match, "p0 place 6 C") == [("1.4", "no_such_stone")]
