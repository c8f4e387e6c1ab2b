"""A game by an author who wrote rules and nothing for the camera: pieces come, are taken, and go to
and fro, and nobody who keeps to the rules is accused."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import pytest

from benchmarks.turns import tally
from rules.box import load_box
from rules.core import Move
from rules.games import find_game
from rules.match import Match
from rules.reading.reading import MISSING, Status, read
from rules.reading.since import Since
from rules.testing.pictures import Noise, draw
from tests.support.morris import PLACED, placed
from tests.support.scenes.evenings.judge import Verdict as Judged
from tests.support.scenes.evenings.outcomes import outcomes_of
from tests.support.scenes.evenings.situations import LEGAL
from tests.support.scenes.hookless import HOOKLESS, hookless
from tests.support.scenes.turns import Pace, Verdict, looks_at_turns
from tests.support.sweep import widely

LOOKS = 40


@pytest.mark.parametrize(("game_id", "pace"), widely([*HOOKLESS], [*Pace]))
def test_turns_are_read_without_a_hook(game_id: str, pace: Pace, *, thorough: bool) -> None:
    looks = LOOKS * 5 if thorough else LOOKS
    with hookless(game_id):
        for noise in (None, Noise()):
            told = tally(game_id, pace, noise, looks, first=300)
            assert not told.share(Verdict.ACCUSED, Verdict.WRONG, Verdict.ASKED_AMISS)
            # What stones may have done by many ways people say themselves; only in noise is a look
            # not understood at all, and the next one is.
            assert noise or not told.failed
            assert told.share(Verdict.READ) >= 85
            assert told.share(Verdict.READ, Verdict.SETTLED) >= 90


@pytest.mark.parametrize("game_id", HOOKLESS)
def test_hands_are_understood_without_a_hook(game_id: str, *, thorough: bool) -> None:
    good = {Judged.RIGHT, Judged.TOLD, Judged.ASKED, Judged.WAITS}
    with hookless(game_id):
        found = [
            outcome
            for seed in range(300, 305 if thorough else 301)
            for outcome in outcomes_of(game_id, 2, seed, [*LEGAL], each=1)
        ]
    told = Counter(outcome.verdict for outcome in found)
    assert good.issuperset(told), [outcome for outcome in found if outcome.verdict not in good]
    assert told[Judged.RIGHT] > 0.8 * told.total()


@pytest.mark.parametrize(
    ("hands_s", "status", "doubt"), [(1.0, Status.ILLEGAL, ""), (6.0, Status.PENDING, MISSING)]
)
def test_out_of_turn_is_refused_unless_hands_had_time_for_a_turn_to_and_fro(
    hands_s: float, status: Status, doubt: str
) -> None:
    with hookless("nine_mens_morris"):
        match = placed_and_moving()
        truth = match.clone()
        for move in ("p0 move a7 a4", "p1 move c3 d3", "p0 move a4 a7"):
            truth.push(move)
        since = Since(hands_s=hands_s, elapsed_s=20.0)
        reading = read(match, draw(load_box(match.game.box), truth.layout), since=since)
        assert (reading.status, reading.doubt) == (status, doubt)


@pytest.mark.parametrize(("hands_s", "asked"), [(1.0, True), (8.0, False)])
def test_a_turn_is_taken_back_unless_hands_had_time_to_go_there_and_back_meanwhile(
    hands_s: float, asked: bool
) -> None:
    with hookless("nine_mens_morris"):
        match = placed_and_moving()
        box, before = load_box(match.game.box), match.layout
        match.push("p0 move a7 a4")
        reading = read(match, draw(box, before), since=Since(hands_s=hands_s, elapsed_s=20.0))
        assert [c.takeback for c in reading.candidates] == ([1] if asked else [])
        assert asked or (reading.status, reading.doubt) == (Status.PENDING, MISSING)


def test_a_stone_that_flew_twice_may_have_been_anywhere_in_between() -> None:
    with hookless("nine_mens_morris"):
        seen = looks_at_turns("nine_mens_morris", 2, 98500, Pace.STEPS)
        judged = next(islice(seen, 28, None))
        assert judged.verdict is Verdict.SETTLED and judged.reading.doubt == MISSING, judged


def test_where_a_stone_was_taken_another_may_have_come() -> None:
    with hookless("nine_mens_morris"):
        match = placed(find_game("nine_mens_morris"), "g7 c3 f6 c4 a1 c5")
        match.push("p1 take g7")
        placed_then = ("a4", "d3", "f2", "b2", "d6", "e4", "e5", "d1", "g4", "b6", "a7")
        for number, point in enumerate(placed_then):
            match.push(f"p{number % 2} place {point}")
        truth = match.clone()
        for move in ("p0 take d3", "p1 place f4", "p0 move e5 d5", "p1 move c3 d3"):
            truth.push(move)
        reading = read(match, draw(load_box(match.game.box), truth.layout))
        assert match.why_not(Move.parse("p0 take c3"))
        assert reading.status in (Status.AMBIGUOUS, Status.PENDING)


def placed_and_moving() -> Match:
    """All stones of Nine Men's Morris are placed, and white is to move."""
    match = placed(find_game("nine_mens_morris"), PLACED + " f6")
    for move in ("p0 take b4", "p1 place b4"):
        match.push(move)
    return match
