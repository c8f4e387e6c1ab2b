"""The beginning of a match of every game on rendered frames, with hands that come and go.

The table is pushed before the third move and the lamp is switched before the fifth; pieces lie
askew and get knocked. The quick run plays one game, of many small pieces; one of few large ones
was photographed (``test_photographs``). ``python -m benchmarks whole-matches`` plays them to their
ends.
"""

from __future__ import annotations

import pytest

from rules.games import game_ids
from tests.support.scenes.sitting import Sitting

MOVES = 5
QUICK = "knizia_stonehenge"


@pytest.mark.parametrize(
    "game_id",
    [pytest.param(g, marks=() if g == QUICK else pytest.mark.thorough) for g in game_ids()],
)
def test_a_match_is_read_without_asking_though_the_table_is_pushed_and_a_lamp_switched(
    game_id: str,
) -> None:
    tally = Sitting(game_id, seed=1).play(MOVES)
    assert tally.visible + tally.alike == MOVES
    assert tally.pushes
    assert tally.lamps
    assert tally.wrong == tally.accused == 0, tally.troubles
    assert tally.read == tally.visible, tally.troubles
