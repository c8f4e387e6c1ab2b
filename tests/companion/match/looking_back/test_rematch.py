"""The next match: the same once more, and who begins it."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from companion.match.looking_back.rematch import next_first, rematch_of
from companion.match.view import TableView
from rules.core import Outcome
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
    assert (plan.physical, plan.commit) == (True, "stillness")
    colours = match.game.colours(2, plan.options)
    assert dict(zip(plan.names, colours, strict=True)) == {"Anna": "black", "Jonas": "brown"}
    assert {**match.options, **plan.options} == plan.options, "nothing else is changed"


def test_without_a_series_rule_everybody_stays_where_he_is() -> None:
    match = Match("rollende_steine", 2)
    view = view_of(match, names=("Mia", "Ole"))
    assert next_first(view) is None
    assert rematch_of(view).names == ("Mia", "Ole")


@pytest.mark.parametrize("began_by", ["none", "p0", "p1", "p0,p2"])
@pytest.mark.parametrize(
    ("ranking", "begins"),
    [
        (((1,), (0,), (2,)), {"p2"}),
        (((2,), (0, 1)), {"p0"}),
        (((0, 2), (1,)), {"p1"}),
        (((0, 1, 2),), {"p0", "p1", "p2"}),
    ],
)
def test_dominion_is_begun_by_the_last_result_whatever_the_match_before_was_begun_by(
    began_by: str, ranking: tuple[tuple[int, ...], ...], begins: set[str]
) -> None:
    """DO16: the player to the left of the winner of the last match."""
    match = Match("dominion", 3, {"last_winners": began_by})
    outcome = Outcome("three_piles", ranking, (1, 1, 1))
    view = replace(view_of(match, names=("Ada", "Ben", "Cem")), outcome=outcome)
    plan = rematch_of(view)
    assert plan.names == ("Ada", "Ben", "Cem")
    follows = Match("dominion", 3, plan.options)
    drawn = {move.args[0] for move in follows.legal_moves()}
    assert drawn == begins, "the lot, or the first draw"
    announced = next_first(view)
    assert announced is None or {f"p{announced}"} == begins
