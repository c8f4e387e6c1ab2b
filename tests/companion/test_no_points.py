"""A game that is won, lost or drawn and counts nothing: nowhere are points shown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app.authoring.new_game import new_game
from companion.match.looking_back.history import score_history
from companion.mqtt.public import public_table
from companion.outputs.display_lines import display_lines
from companion.presentation.ending import ending_of
from companion.presentation.players import player_of
from companion.presentation.views import public_view
from companion.web.public_page import public_page
from hardware.displays.segments import Digits
from rules.core import Outcome
from rules.games import add_games
from rules.match import Match
from rules.telling import Teller
from rules.testing.conformance import check_game
from tests.support.elsewhere import elsewhere
from tests.support.faulty_hooks import replaced
from tests.support.ui_harness import view_of


@pytest.fixture
def match(tmp_path: Path) -> Iterator[Match]:
    """The game that every author begins with, just won by the first player."""
    with elsewhere():
        new_game("moon_rings", tmp_path)
        add_games(tmp_path)
        match = Match("moon_rings", 2)
        for number, place in enumerate(["a2", "a1", "b2", "b1", "c2"]):
            match.push(f"p{number % 2} set {place}")
        yield match


def test_nobody_sees_a_figure(match: Match) -> None:
    view = view_of(match)
    teller = Teller(match.game, "en", match.colours)
    assert [player_of(view, teller, seat).score for seat in (0, 1)] == ["", ""]
    ending = ending_of(view, tuple(match.state.explain_scores()), teller)
    assert (ending.rows, ending.scores, ending.ahead) == ((), (), "")
    assert score_history(match) == ()
    page = public_page(public_view(view, "m"), "en")
    assert [player.score for player in page.players] == ["", ""]
    assert [player.score for player in public_table(public_view(view, "m"), "en").players] == [
        None,
        None,
    ]


@pytest.mark.parametrize(("columns", "rows"), [(8, 1), (16, 2), (20, 4), (3, 1)])
def test_a_display_has_names_and_no_noughts(match: Match, columns: int, rows: int) -> None:
    teller = Teller(match.game, "en", match.colours, ("Ada", "Ben"))
    match.pop()
    for view in (view_of(match), view_of(match, outcome=Outcome("row", ((0,), (1,)), (0, 0)))):
        lines = display_lines(view, teller, columns, rows)
        assert any(lines)
        assert len(lines) <= rows
        assert "0" not in "".join(lines)


def test_four_digits_say_whose_turn_it_is(match: Match) -> None:
    teller = Teller(match.game, "en", match.colours)
    match.pop()
    assert display_lines(view_of(match), teller, 4, 1, Digits(4, colon=True)) == ["A"]
    match.pop()
    assert display_lines(view_of(match), teller, 4, 1, Digits(4, colon=True)) == ["b"]


def test_the_list_of_matches_says_who_won() -> None:
    from companion.presentation.words.translate import speaking
    from companion.ui.screens.looking_back.records import won_by

    with speaking("en"):
        names = ("Ada", "Ben", "Cem")
        assert won_by(names, Outcome("row", ((1,), (0, 2)), (0, 0, 0)), ()) == (
            "Won by Ben; Ada · Cem"
        )
        assert won_by(names, Outcome("full", ((0, 1, 2),), (0, 0, 0)), ()) == "Ada · Ben · Cem"


def test_who_says_that_nothing_counts_must_count_nothing(match: Match) -> None:
    sound = check_game(match.game, matches=1)
    assert (sound.problems, sound.hints) == ([], [])
    found = check_game(replaced(match.game, scores=lambda state: (1, 0)), matches=1).problems
    assert any("counts no points, but there are scores (1, 0)" in told for told in found)


def test_points_that_only_say_who_won_are_hinted_at(match: Match) -> None:
    class Winning(type(match.game)):  # type: ignore[misc]
        counts_points = True

    told = check_game(Winning()).hints
    assert len(told) == 1
    assert told[0].endswith("counts_points = False")
