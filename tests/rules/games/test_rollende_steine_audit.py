"""Rollende Steine: what an independent reading of the rules found."""

from __future__ import annotations

from itertools import combinations

import pytest

from rules.games.rollende_steine import GAME, GATES
from rules.match import Match


def _lost(gates: tuple[str, ...]) -> Match:
    """One player passes ``gates`` with the first disc and misses with all the others."""
    match = Match(GAME, 1)
    for move in ("p0 roll", "table score " + ",".join(gates), *["p0 roll", "table miss"] * 49):
        match.push(move)
    return match


@pytest.mark.parametrize(
    "gates", [gates for size in range(1, 6) for gates in combinations(GATES, size)]
)
def test_rs8_the_record_counts_gates_whichever_they_are(gates: tuple[str, ...]) -> None:
    match = Match(GAME, 1)
    match.push("p0 roll")
    match.push("table score " + ",".join(gates))
    achievement = match.state.achievement()
    assert achievement is not None
    assert achievement.rank == (-len(gates), 1)
    assert dict(achievement.values) == {"course": "marked", "gates": len(gates), "discs": 1}


def test_example_four_is_remembered_with_four_gates_and_fifty_discs() -> None:
    match = _lost(("G1", "G2", "G3", "G5"))
    assert match.outcome is not None
    assert match.outcome.reason == "out_of_discs"
    achievement = match.state.achievement()
    assert achievement is not None
    assert dict(achievement.values) == {"course": "marked", "gates": 4, "discs": 50}


def test_rs8_four_gates_are_a_better_record_than_one() -> None:
    four = _lost(("G1", "G2", "G3", "G4")).state.achievement()
    one = _lost(("G5",)).state.achievement()
    assert four is not None
    assert one is not None
    assert four.rank < one.rank
