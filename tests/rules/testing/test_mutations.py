"""The conformance suite finds faults that authors make, in sentences that say what to do."""

from __future__ import annotations

import pytest

from tests.endurance.mutations import GAMES, missed
from tests.support.faulty_games import FAULTS
from tests.support.sweep import widely

HIDDEN = [pytest.param(GAMES[2], fault, marks=pytest.mark.thorough) for fault in FAULTS]


@pytest.mark.parametrize(("game", "fault"), widely(GAMES[:2], [*FAULTS], most=9) + HIDDEN)
def test_a_planted_fault_is_found(game: str, fault: str) -> None:
    assert not missed(fault, game)
