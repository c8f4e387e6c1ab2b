"""Records, rematches and matches judged later."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.journal.entries import FINISHED, Header
from companion.journal.events import Source
from companion.journal.store import Journal
from companion.match.events import MatchOver
from companion.match.looking_back.judgements import Judgements
from companion.match.looking_back.judging import Judging
from companion.match.looking_back.rematch import next_first, rematch_of
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
from companion.match.view import TableView
from companion.settings.manners import Manners
from rules.core import Outcome
from rules.games import find_game
from rules.match import Match
from rules.players.analysis_result import Judgement, Moment
from rules.testing.playout import random_match
from tests.support.library import OPENING, finished
from tests.support.table_setup import header, played, tap_move
from tests.support.ui_harness import view_of
from tests.support.waiting import until


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


JUDGEMENT = Judgement(44, (Moment(0, (0.5, 0.5), 3), Moment(44, (0.0, 1.0), 0)), (), 19)


@pytest.fixture(scope="module")
def match() -> Match:
    """A match that is over."""
    journal = Journal(":memory:")
    played = finished(journal).match.clone()
    journal.close()
    return played


@pytest.fixture
def judging(tmp_path: Path) -> Iterator[Judging]:
    judging = Judging(Judgements(tmp_path / "kept"), whole_s=0.1)
    yield judging
    judging.close()


def test_a_match_is_judged_once_and_known_from_then_on(
    judging: Judging, match: Match, tmp_path: Path
) -> None:
    parts = []
    judging.listen(lambda: parts.append(judging.of("m1", match).part))
    judging.begin("m1", match)
    until(lambda: not judging.of("m1", match).running)
    found = judging.of("m1", match).judgement
    assert found is not None and found.plies == match.ply
    assert parts == sorted(parts) and any(0 < part < 1 for part in parts)
    later = Judging(Judgements(tmp_path / "kept"))
    assert later.of("m1", match).judgement == Judgement.from_json(found.to_json())
    later.begin("m1", match)
    assert not later.of("m1", match).running


def test_a_record_that_was_put_right_is_judged_anew(match: Match, tmp_path: Path) -> None:
    kept = Judgements(tmp_path)
    kept.keep("m1", match, JUDGEMENT)
    assert kept.of("m1", match) == JUDGEMENT
    other = match.clone()
    other.pop()
    assert kept.of("m1", other) is None
    assert kept.of("m2", match) is None


def test_what_was_kept_may_be_lost_or_damaged(match: Match, tmp_path: Path) -> None:
    Judgements(tmp_path).keep("m1", match, JUDGEMENT)
    (file,) = tmp_path.iterdir()
    for damage in ("", "{", "[]", '{"format": 99}'):
        file.write_text(damage, encoding="utf-8")
        assert Judgements(tmp_path).of("m1", match) is None
    file.unlink()
    assert Judgements(tmp_path).of("m1", match) is None


def test_where_nothing_can_be_kept_it_is_known_until_the_end(match: Match, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    kept = Judgements(tmp_path / "file")
    kept.keep("m1", match, JUDGEMENT)
    assert kept.of("m1", match) == JUDGEMENT


def test_somebody_may_not_want_to_wait(match: Match) -> None:
    judging = Judging(Judgements(None), whole_s=600)
    judging.begin("m1", match)
    judging.stop("m2")
    assert judging.of("m1", match).running
    judging.stop("m1")
    assert judging.of("m1", match).judgement is None and not judging.of("m1", match).running
    judging.begin("m1", match)
    assert judging.of("m1", match).running, "it can be begun again"
    judging.close()


def test_it_waits_while_somebody_plays(judging: Judging, match: Match) -> None:
    judging.pause(True)
    judging.begin("m1", match)
    assert judging.of("m1", match).waits
    judging.pause(False)
    assert not judging.of("m1", match).waits
    until(lambda: judging.of("m1", match).judgement is not None)


def test_a_process_that_dies_is_told(match: Match) -> None:
    judging = Judging(Judgements(None), whole_s=600)
    judging.begin("m1", match)
    assert judging._work is not None and judging._work._process is not None
    judging._work._process.kill()
    until(lambda: judging.of("m1", match).trouble == "ended")
    judging.begin("m1", match)
    assert judging.of("m1", match).running
    judging.close()


def test_nobody_looks_back_at_a_match_that_goes_on(judging: Judging) -> None:
    match = Match("knizia_stonehenge", 2)
    for move in OPENING:
        match.push(move)
    judging.begin("m1", match)
    assert not judging.of("m1", match).running
