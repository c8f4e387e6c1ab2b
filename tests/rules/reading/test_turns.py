"""People play turns: whatever legal moves leave on the table accuses nobody.

``python -m benchmarks turns`` looks at hundreds of tables of every game; this is a smaller run.
"""

from __future__ import annotations

from itertools import islice

import pytest

from rules.games import find_game, game_ids
from rules.testing.pictures import Noise
from tests.support.scenes.turns import Pace, Verdict, looks_at_turns

FEW_LOOKS, MANY_LOOKS = 10, 60


@pytest.mark.parametrize("noise", [None, Noise()], ids=["clear", "noisy"])
@pytest.mark.parametrize("game_id", game_ids())
def test_a_turn_seen_at_its_end_accuses_nobody(
    game_id: str, noise: Noise | None, thorough: bool
) -> None:
    players = find_game(game_id).players[-1]
    looks = looks_at_turns(game_id, players, 1, Pace.TURN, noise)
    found = list(islice(looks, MANY_LOOKS if thorough else FEW_LOOKS))
    assert found
    for judged in found:
        assert judged.verdict is not Verdict.ACCUSED, (judged.played, judged.reading)
        if noise is None:
            assert judged.verdict is not Verdict.WRONG, (judged.played, judged.reading)
        assert len(judged.reading.candidates) <= 4


@pytest.mark.parametrize("game_id", ["dolmengoetter", "knizia_stonehenge", "rollende_steine"])
def test_several_steps_at_once_are_read_or_asked_about(game_id: str) -> None:
    looks = islice(looks_at_turns(game_id, 2, 3, Pace.STEPS), FEW_LOOKS)
    right = {Verdict.READ, Verdict.SETTLED, Verdict.ASKED}
    for judged in looks:
        assert judged.verdict in right, (judged.played, judged.reading)


def test_nothing_is_taken_for_granted_of_what_was_put_away_unseen() -> None:
    """Dolmens of two circles that score at once can have more values than are all followed."""
    looks = looks_at_turns("dolmengoetter", 4, 3, Pace.TURN)
    for judged in looks:
        shown = [move for move in judged.reading.moves if move.verb == "show"]
        assert shown == [move for move in judged.played if move in shown], judged.reading
