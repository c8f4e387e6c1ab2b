"""Findings of the suite that come of many answers, or of the box alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.box import Box, load_box
from rules.core import Outcome
from rules.games.knizia_stonehenge import GAME
from rules.testing.endings import check_ties
from rules.testing.metadata import check_material
from rules.testing.report import Report
from rules.testing.statistics import Habits


@pytest.mark.parametrize(
    ("rankings", "told"),
    [
        ([((0,), (1,))] * 4, 4),
        ([((0,), (1,))] * 3, 0),
        ([((0,), (1,))] * 9 + [((1,), (0,))], 0),
        ([((0, 1),)] * 9, 0),
    ],
)
def test_ties_that_the_lower_seat_always_wins_are_odd(
    rankings: list[tuple[tuple[int, ...], ...]], told: int
) -> None:
    report = Report("some")
    for ranking in rankings:
        check_ties(GAME, Outcome("some", ranking, (7, 7)), report)
    assert report.habits.by_seat == told


def test_a_move_that_names_a_piece_and_never_turns_it_is_told() -> None:
    habits = Habits()
    for number in range(12):
        habits.stayed("reverse", [str(number)])
        habits.stayed("roll", [str(number)] if number else [])
    told = [said for said, _ in habits.found(40)]
    assert any("'reverse' always names" in one for one in told)
    assert not any("'roll'" in one for one in told)


def test_questions_that_only_real_cards_change_are_told() -> None:
    habits = Habits()
    habits.with_cards.update({True: 9, False: 3})
    assert any("others with real pieces" in told for told, _ in habits.found(40))
    habits.with_cards[False] = 30
    assert not habits.found(40)


def test_a_place_beside_the_line_that_names_it_is_told() -> None:
    box = load_box(GAME.box).for_game(GAME.id)
    line = next(one for one in box.strokes if one.kind == "line" and one.sites)
    site = box.sites[line.sites[0]]
    moved = replace(site, at=(site.at[0] + 3 * site.radius, site.at[1] + 3 * site.radius))
    assert not any("from the line" in told for told in problems(box))
    sites = {**box.sites, site.id: moved}
    assert any(f"{site.id} is" in told for told in problems(replace(box, sites=sites)))


def problems(box: Box) -> list[str]:
    """Everything said of a box file."""
    report = Report("some")
    check_material(GAME, box, report)
    return report.problems
