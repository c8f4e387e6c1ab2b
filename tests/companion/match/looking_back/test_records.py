"""Records: results, series, best lists and courses, all from the journal."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from companion.journal.entries import FINISHED, Header
from companion.journal.events import Source
from companion.journal.store import Journal
from companion.match.events import MatchOver
from companion.match.looking_back.standings import (
    CourseError,
    Courses,
    best_list,
    is_new_record,
    players,
    results,
    series_total,
)
from companion.match.table import Table
from companion.settings.manners import Manners
from rules.games import find_game
from rules.testing.playout import random_match
from tests.support.table_setup import header, played, tap_move


def finish(journal: Journal, start: Header, seed: int) -> None:
    """Play a whole random match into the journal."""
    journal.create(start)
    game = find_game(start.game)
    options = game.complete_options(start.players, start.options)
    for _, _, move in random_match(game, start.players, options, seed):
        journal.append(start.id, played(move.text), src=Source.TOUCH)
    journal.set_status(start.id, FINISHED)


def knizia(match_id: str, names: tuple[str, str], series: str = "") -> Header:
    return replace(header(match_id), names=names, series=series, physical=False)


def rolling(match_id: str, named: str = "", **options: str) -> Header:
    return Header(
        id=match_id, game="rollende_steine", players=2, options=options, physical=False,
        seed="1", names=("Ada", "Bo"), enforcement="enforce", created_s=0.0, course=named,
    )  # fmt: skip


def test_a_series_adds_the_losers_megaliths_by_name_and_the_lower_total_leads() -> None:
    journal = Journal(":memory:")
    finish(journal, knizia("a", ("Ada", "Bo"), "s"), 1)
    finish(journal, knizia("b", ("Bo", "Ada"), "s"), 2)
    finish(journal, knizia("c", ("Ada", "Bo")), 3)
    found = results(journal)
    total = series_total(found, "s")
    assert total is not None and total.lower_wins
    expected = {"Ada": 0, "Bo": 0}
    for result in found:
        if result.header.series == "s":
            for seat, name in enumerate(result.header.names):
                expected[name] += 8 - result.outcome.scores[seat]
    assert dict(zip(total.names, total.totals, strict=True)) == expected
    assert set(total.leaders) == {n for n in expected if expected[n] == min(expected.values())}
    last = next(r for r in found if r.header.id == "b")
    assert total.next_first == last.name(last.outcome.ranking[1][0])
    assert series_total(found, "") is None


def test_players_are_counted_by_name() -> None:
    journal = Journal(":memory:")
    for number in range(3):
        finish(journal, knizia(f"m{number}", ("Ada", "Bo")), number)
    table = players(results(journal))
    assert {p.name for p in table} == {"Ada", "Bo"}
    assert sum(p.won for p in table) == 3
    assert all(p.played == 3 for p in table)


def test_best_lists_put_more_gates_before_fewer_discs_and_courses_apart() -> None:
    journal = Journal(":memory:")
    for number in range(8):
        finish(journal, rolling(f"m{number}"), number)
    finish(journal, rolling("own", "Kitchen table", course="own"), 9)
    found = results(journal)
    listed = best_list(found, "rollende_steine", "marked/2")
    ranks = [entry.achievement.rank for entry in listed]
    assert ranks == sorted(ranks)
    assert len(listed) == 8
    assert listed[0].place == 1
    own = best_list(found, "rollende_steine", "own/2/Kitchen table")
    assert [e.result.header.id for e in own] == ["own"]


def test_a_new_record_is_one_that_beats_all_before_it() -> None:
    journal = Journal(":memory:")
    best: tuple[int, ...] | None = None
    for number in range(8):
        finish(journal, rolling(f"m{number}"), number)
        found = results(journal)
        latest = next(r for r in found if r.header.id == f"m{number}")
        assert latest.achievement is not None
        assert is_new_record(found, latest) == (best is None or latest.achievement.rank < best)
        best = min(best, latest.achievement.rank) if best else latest.achievement.rank


def test_the_same_result_again_is_no_new_record() -> None:
    journal = Journal(":memory:")
    for match_id in ("first", "again"):
        finish(journal, rolling(match_id), 3)
    found = results(journal)
    assert [is_new_record(found[:1], found[0]), is_new_record(found, found[1])] == [True, False]


def test_the_table_tells_of_a_new_record() -> None:
    journal = Journal(":memory:")
    start = rolling("m1")
    journal.create(start)
    table = Table(journal, start, Manners())
    for gate in ("G1", "G2", "G3", "G4", "G5"):
        player = len(table.match.log) // 2 % 2
        table.handle(tap_move(f"p{player} roll"), 0.0)
        events = table.handle(tap_move(f"table score {gate}"), 0.0)
    assert [e.new_record for e in events if isinstance(e, MatchOver)] == [True]


def test_a_course_of_ones_own_keeps_name_notes_and_picture(tmp_path: Path) -> None:
    picture = tmp_path / "kitchen.png"
    picture.write_bytes(b"\x89PNG")
    courses = Courses(tmp_path / "courses")
    courses.keep("  Kitchen   table ", "gates in a row", picture)
    courses.keep("Attic")
    assert [c.name for c in courses.all()] == ["Kitchen table", "Attic"]
    assert courses.current() == "Attic"
    kept = courses.all()[0]
    assert (courses.folder / kept.picture).read_bytes() == b"\x89PNG"
    courses.keep("Kitchen table", "new notes")
    assert courses.all()[1].picture == kept.picture
    courses.keep("Kitchen table")
    assert (courses.current(), courses.all()[1].notes) == ("Kitchen table", "new notes")


@pytest.mark.parametrize("name", ["", "   ", "x" * 41])
def test_a_course_needs_a_name(tmp_path: Path, name: str) -> None:
    with pytest.raises(CourseError, match="name"):
        Courses(tmp_path).keep(name)


def test_wrong_pictures_and_damaged_lists_are_explained(tmp_path: Path) -> None:
    courses = Courses(tmp_path)
    (tmp_path / "notes.txt").write_text("x")
    for picture in ("notes.txt", "missing.png"):
        with pytest.raises(CourseError):
            courses.keep("Attic", picture=tmp_path / picture)
    (tmp_path / "courses.json").write_text("{")
    with pytest.raises(CourseError, match="damaged"):
        courses.all()
