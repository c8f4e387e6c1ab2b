"""A match has one record, however often the camera looks: once a turn, after each step, or twice a
second while hands change place after place."""

from __future__ import annotations

import pytest

from rules.games import find_game
from tests.support.scenes.rhythms import Rhythm, kept_record
from tests.support.sweep import widely

MATCHES = [
    ("dolmengoetter", 7200, 66),
    ("hoher_rat", 7000, 60),
    ("knizia_stonehenge", 7000, 40),
    ("opferroulette", 37018, 116),
    ("opferroulette", 34000, 62),
    ("rollende_steine", 37019, 60),
    ("trilithen_knallen", 7001, 60),
]


@pytest.mark.parametrize(("match", "rhythm"), widely(MATCHES, list(Rhythm), most=len(Rhythm)))
def test_a_match_has_one_record_however_often_it_is_looked_at(
    match: tuple[str, int, int], rhythm: Rhythm, *, thorough: bool
) -> None:
    game_id, seed, moves = match
    counts = find_game(game_id).players
    limit = 120 if thorough else moves
    kept = kept_record(game_id, counts[seed % len(counts)], seed, rhythm, limit=limit)
    assert kept.turns > 1
    assert (kept.differences, kept.accused) == ([], 0)
