"""The next match: the same once more, and who begins it."""

from __future__ import annotations

import random

from companion.match.rematch import next_first, rematch_of
from companion.match.view import TableView
from rules.match import Match
from tests.support.ui_harness import view_of


def over(names: tuple[str, str] = ("Anna", "Jonas")) -> tuple[Match, TableView]:
    match, chance = Match("knizia_stonehenge", 2, physical=True), random.Random(4)
    while match.outcome is None:
        claims = [move for move in match.legal_moves() if move.verb == "claim"]
        match.push(chance.choice(claims or match.legal_moves()))
    return match, view_of(match, names=names, series="s1", hold_s=0.8)


def test_the_loser_begins_the_next_match_of_a_series() -> None:
    match, view = over()
    assert match.outcome is not None
    assert next_first(view) == match.outcome.ranking[1][0]


def test_whoever_begins_sits_on_the_first_seat() -> None:
    match, view = over()
    first = next_first(view)
    plan = rematch_of(view)
    assert first is not None
    assert plan.names[0] == ("Anna", "Jonas")[first]
    assert sorted(plan.names) == ["Anna", "Jonas"]
    assert (plan.game, plan.players, plan.series) == ("knizia_stonehenge", 2, "s1")
    assert (plan.options, plan.physical, plan.commit) == (match.options, True, "stillness")


def test_without_a_series_rule_everybody_stays_where_he_is() -> None:
    match = Match("rollende_steine", 2)
    view = view_of(match, names=("Mia", "Ole"))
    assert next_first(view) is None
    assert rematch_of(view).names == ("Mia", "Ole")
