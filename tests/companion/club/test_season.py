"""A small season through the pages and the tables' wire, reckoned once more from nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.endurance.season import Plan, club, played

SMALL = Plan(people=7, evenings=3, duels=3, threes=2, matches=20, wrong=4, tables=2, seed=5)


@pytest.mark.thorough
def test_tables_and_ratings_of_a_season_are_those_of_who_was_where(tmp_path: Path) -> None:
    # A club of its own: nobody else's matches count in its season.
    with club(SMALL) as (servers, address):
        figures = played(SMALL, servers, address, tmp_path)
    assert not any(figures["differences"].values()), figures["differences"]
    assert (figures["matches"], figures["corrected"]) == (20, 4)
    assert figures["from_tables"] > figures["typed"] > 0
