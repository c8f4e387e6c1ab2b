"""Looking back at a match: chances over time, and the decisions that turned it."""

from __future__ import annotations

import io
import json
import threading
from functools import cache
from itertools import pairwise
from random import Random

import pytest

from rules.core import GameError, StateError
from rules.match import Match
from rules.players import Budget
from rules.players.analysis import judge
from rules.players.analysis_result import Judgement
from rules.players.analysis_server import PAUSE, judge_lines, order
from rules.testing.playout import pick


def played(seed: int) -> Match:
    """A match of people who play at random."""
    match, random = Match("knizia_stonehenge", 2, seed=seed), Random(seed)
    while match.outcome is None:
        match.push(pick(match.state, match.legal_moves(), random))
    return match


@cache
def first_judged() -> Judgement:
    """The first match, looked back at closely enough."""
    return judged(played(1), 120)


def judged(match: Match, playouts: int) -> Judgement:
    """The match, looked back at."""
    *_, last = judge(match, Budget(playouts=playouts), 1)
    assert last.judgement is not None
    return last.judgement


def test_the_move_that_gave_a_won_match_away_turned_it() -> None:
    # With its 5 on C brown would have been all but sure of the match; it put its 1 on H.
    match = played(1)
    found = first_judged()
    point = next(one for one in found.turning_points if one.ply == 36)
    assert point.played == match.log[35].move and point.gain < -0.3
    assert point.seat == point.played.player
    trial = Match("knizia_stonehenge", 2, seed=1)
    trial.replay(match.log[:35])
    assert point.other in trial.legal_moves()
    trial.push(point.other)


def test_chances_are_told_at_the_first_choice_of_every_turn_and_end_as_the_match_did() -> None:
    match = played(1)
    found = judged(match, 10)
    assert found.plies == match.ply
    assert [one.ply for one in found.moments] == sorted({one.ply for one in found.moments})
    seats = [match.log[one.ply].move.player for one in found.moments[:-1]]
    assert all(before != seat for before, seat in pairwise(seats)), "once a turn"
    assert 15 < len(found.moments) <= found.decisions + 1
    assert all(0 <= chance <= 1 for one in found.moments for chance in one.chances)
    assert match.outcome is not None
    (winner,) = match.outcome.ranking[0]
    assert found.at(match.ply).chances[winner] == 1 and sum(found.at(match.ply).chances) == 1


def test_at_most_three_points_are_told_one_a_turn_in_the_order_of_time() -> None:
    points = first_judged().turning_points
    plies = [one.ply for one in points]
    assert 0 < len(points) <= 3 and plies == sorted(set(plies))
    assert all(abs(one.gain) > one.doubt for one in points)


def test_the_same_match_is_judged_alike_and_is_not_changed() -> None:
    match = played(2)
    before = match.dump()
    assert judged(match, 20) == judged(match, 20)
    assert match.dump() == before


def test_a_judgement_is_kept_whole_and_one_of_another_format_is_refused() -> None:
    found = first_judged()
    data = json.loads(json.dumps(found.to_json()))
    assert Judgement.from_json(data).to_json() == found.to_json()
    assert [one.played for one in Judgement.from_json(data).turning_points] == [
        one.played for one in found.turning_points
    ]
    for wrong in ({**data, "format": 0}, {**data, "moments": []}, {"format": 1}):
        with pytest.raises(StateError):
            Judgement.from_json(wrong)


def test_while_a_match_goes_on_nobody_looks_back_at_it() -> None:
    with pytest.raises(GameError):
        judge(Match("knizia_stonehenge", 2), Budget(playouts=1))


def lines_of(said: io.StringIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in said.getvalue().splitlines()]


class Talk:
    """The lines for the process; they end when ``end`` is set."""

    def __init__(self, *lines: str) -> None:
        self._lines, self.end = lines, threading.Event()

    def __iter__(self):  # type: ignore[no-untyped-def]
        yield from self._lines
        assert self.end.wait(20)


def test_the_process_tells_every_step_and_then_the_judgement() -> None:
    match, answers = played(3), io.StringIO()
    first = {**order(match, 0.01, "7"), "playouts": 5}
    talk = Talk(json.dumps(first))
    judge_lines(talk, answers)
    talk.end.set()
    *steps, last = lines_of(answers)
    assert [step["done"] for step in steps] == sorted({int(str(s["done"])) for s in steps})
    told = last["judgement"]
    assert isinstance(told, dict) and Judgement.from_json(told).plies == match.ply


def test_the_process_waits_when_told_to_and_ends_with_its_input() -> None:
    match, answers = played(3), io.StringIO()
    talk = Talk(json.dumps({**order(match, 0.01, "7"), "playouts": 900}), PAUSE)
    work = threading.Thread(target=judge_lines, args=(talk, answers))
    work.start()
    work.join(0.3)
    assert work.is_alive()
    talk.end.set()
    work.join(20)
    assert not work.is_alive()
    assert not any("judgement" in line for line in lines_of(answers))


@pytest.mark.parametrize("line", ["", "[]", "{}", '{"match": 3}', "nonsense"])
def test_what_is_no_match_is_answered_with_an_error(line: str) -> None:
    answers = io.StringIO()
    judge_lines([line], answers)
    (told,) = lines_of(answers)
    assert told["error"]
