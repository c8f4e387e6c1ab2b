"""A small season through the pages and the tables' wire, reckoned once more from nothing."""

from __future__ import annotations

from pathlib import Path

from tests.endurance.season import Plan, played
from tests.support.club import Servers, Writing, pages

SMALL = Plan(people=7, evenings=3, duels=3, threes=2, matches=20, wrong=4, tables=2, seed=5)


def test_tables_and_ratings_of_a_season_are_those_of_who_was_where(
    club: Servers, tmp_path: Path
) -> None:
    club.make([f"table-{number}" for number in range(1, SMALL.tables + 1)])
    with Writing(club), pages(club) as address:
        figures = played(SMALL, club, address, tmp_path)
    assert not any(figures["differences"].values()), figures["differences"]
    assert (figures["matches"], figures["corrected"]) == (20, 4)
    assert figures["from_tables"] > figures["typed"] > 0
