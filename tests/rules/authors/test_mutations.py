"""The conformance suite finds faults that authors make, in sentences that say what to do."""

from __future__ import annotations

import pytest

from tests.endurance.mutations import GAMES, missed
from tests.support.faulty_games import FAULTS
from tests.support.sweep import widely


@pytest.mark.parametrize(("game", "fault"), widely(GAMES, [*FAULTS], most=9))
def test_a_planted_fault_is_found(game: str, fault: str) -> None:
    assert not missed(fault, game)
