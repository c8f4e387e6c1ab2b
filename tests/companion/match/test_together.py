"""One question to all players at once: each answers unheard, until the last has."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.journal.store import Journal
from companion.match.table import Table
from companion.match.view import PlayMove, Undo
from companion.presentation.announcement import EVERYWHERE, Cue, What, happened, standing
from companion.presentation.words.sentences import teller_of
from companion.settings.manners import Manners
from companion.ui.screens.play.privacy import Privacy
from companion.web.move_requests import Asked, judge
from rules.core import Move
from rules.games import add_games, find_game
from rules.players import SeatView
from rules.testing.conformance import check_game
from tests.support.elsewhere import elsewhere
from tests.support.phone_pictures import public_json, seat_json, table_of, taken

FISTS = Path(__file__).parents[2] / "support/fists"
SHAPES = ("rock", "paper", "scissors")


@pytest.fixture(autouse=True)
def fists() -> Iterator[None]:
    """Rock, paper, scissors is known."""
    with elsewhere():
        add_games(FISTS)
        yield


def answer(table: Table, *moves: str) -> None:
    """Enter answers at the table."""
    for move in moves:
        table.handle(PlayMove(Move.parse(move)), 0.0)


def by_phone(table: Table, seat: int, move: str, since: int) -> int:
    """Send an answer from the phone of ``seat``; returns the status."""
    snapshot = taken(table)
    verdict = judge(Asked(snapshot.public_id, since, [move]), seat, snapshot, "en")
    if verdict.post is not None:
        table.handle(verdict.post, 0.0)
    return verdict.status


def told(table: Table, seat: int | None) -> str:
    """Everything that a seat's phone hears, or the public page, but for what may be chosen."""
    snapshot = taken(table)
    page = public_json(snapshot, "en") if seat is None else seat_json(snapshot, seat, "en")
    log = [move.text for move in table.view().told]
    return json.dumps([page if seat is None else page["public"], log, table.match.state.view(seat)])


def test_the_game_conforms() -> None:
    assert check_game(find_game("fists"), matches=6).problems == []


@pytest.mark.parametrize("physical", [False, True])
def test_the_screen_asks_one_after_the_other_and_covers_what_is_chosen(physical: bool) -> None:
    table, privacy = table_of("fists", 3, physical=physical), Privacy(None)
    for seat in range(3):
        view = table.view()
        privacy.show(view)
        assert view.asked == seat and view.secret and privacy.covered
        privacy.uncover()
        assert not privacy.covered
        assert {move.player for move in view.legal} == {seat}
        answer(table, f"p{seat} show {SHAPES[seat]}")
    assert table.match.log[-1].move.text == "dealer reveal rock paper scissors"
    assert table.view().asked == 0


@pytest.mark.parametrize("physical", [False, True])
def test_phones_answer_in_any_order_and_nobody_hears_an_answer_before_the_last(
    physical: bool,
) -> None:
    table = table_of("fists", 3, physical=physical)
    since = len(table.record.told)
    for seat, shape in ((2, "rock"), (0, "paper")):
        mine = taken(table).seat(seat)
        assert mine.may_play and {move.player for move in mine.legal} == {seat}
        # The page that was answered on knows nothing of the others' answers.
        assert by_phone(table, seat, f"p{seat} show {shape}", since) == 202
    chosen = table.match.state.chosen
    assert chosen == ["paper", "", "rock"]
    assert table.view().asked == 1
    for who in (None, 1):
        heard = told(table, who)
        assert not any(f'"{shape}"' in heard for shape in SHAPES), heard
        assert "p2 show ?" in heard
    assert by_phone(table, 1, "p2 show paper", since) == 422
    assert by_phone(table, 1, "p1 show rock", since) == 202
    assert table.match.scores == (1, 0, 0)
    assert "dealer reveal paper rock rock" in told(table, None)
    assert by_phone(table, 1, "p1 show paper", since) == 409, "that round is over"


def test_those_who_are_to_answer_still_are_called_out_and_whoever_thinks_again_is_not() -> None:
    table, before = table_of("fists", 3), None
    heard: list[list[str]] = []
    for move in ("", "p1 show rock", "p1 show paper", "p0 show rock", "p2 show rock"):
        if move:
            answer(table, move)
        view = table.view()
        made = happened(before, view, [])
        heard.append([one.told(teller_of(view, "en")).title for one in made if not one.again
                      and one.what in (What.TURN, What.CALLED)])  # fmt: skip
        before = view
    assert heard == [
        ["Still awaited: Ada, Bo and Cleo"], ["Still awaited: Ada and Cleo"], [],
        ["Still awaited: Cleo"], ["Still awaited: Ada, Bo and Cleo"],
    ]  # fmt: skip
    lamps = [one.places for one in standing(view) if one.what is What.CALLED]
    assert lamps == [{EVERYWHERE: Cue.HINT}]
    alone = table_of("fists", 3, computers=("druid", "druid", ""))
    assert alone.view().calls == ()


def test_an_answer_can_be_changed_or_taken_back_until_the_last_is_in() -> None:
    table = table_of("fists", 3)
    answer(table, "p1 show rock", "p1 show paper", "p0 show scissors")
    assert table.match.state.chosen == ["scissors", "paper", ""]
    table.handle(Undo(), 0.0)
    assert table.match.state.chosen == ["", "paper", ""]
    answer(table, "p0 show rock", "p2 show rock")
    assert table.match.scores == (0, 1, 0)


def test_answers_are_kept_before_they_are_heard_and_survive_the_power(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.db")
    table = table_of("fists", 3, journal=journal)
    answer(table, "p2 show rock", "p0 show paper")
    journal.close()
    again = Journal(tmp_path / "journal.db")
    resumed = Table(again, again.header("m1"), Manners())
    assert resumed.match.state.chosen == ["paper", "", "rock"]
    assert '"rock"' not in told(resumed, 1) and resumed.view().asked == 1
    answer(resumed, "p1 show scissors")
    assert resumed.match.log[-1].move.text == "dealer reveal paper scissors rock"
    again.close()


def test_computer_players_answer_without_knowing_and_nobody_waits_for_them() -> None:
    table = table_of("fists", 3, computers=("druid", "", ""))
    assert table.view().thinks == 0
    assert by_phone(table, 2, "p2 show rock", len(table.record.told)) == 202
    view = SeatView.of(table.match, 0)
    assert view.state["chosen"] == ["", "", "?"] and "rock" not in view.moves[-1].text
