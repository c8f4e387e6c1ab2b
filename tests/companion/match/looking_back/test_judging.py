"""Looking back in the background: kept, stopped, made to wait, and what goes wrong."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.journal.store import Journal
from companion.match.looking_back.judgements import Judgements
from companion.match.looking_back.judging import Judging
from rules.match import Match
from rules.players.analysis_result import Judgement, Moment
from tests.support.library import OPENING, finished
from tests.support.waiting import until

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
