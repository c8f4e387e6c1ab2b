"""A turn closed by touch below a hand: what lies there afterwards may be of that turn."""

from __future__ import annotations

import pytest

from companion.match.corrections.early_done import AT_ONCE_S, EarlyDone
from rules.core import Move
from rules.match import Match
from rules.reading.reading import Candidate, read
from rules.testing.pictures import DrawnSighting, draw
from tests.support.opferroulette import BOX, played

DONE = Move.parse("p0 done")


def found(
    hand: EarlyDone, record: Match, seen: DrawnSighting, since: float = 1.0
) -> tuple[Candidate, ...]:
    """What a look means for a record in which ``hand`` closed a turn at 0 s."""
    return hand.found(record, read(record, seen), seen, (), since)


def closed(before: Match, after: Match) -> EarlyDone:
    """``p0 done`` was touched at 0 s."""
    hand = EarlyDone()
    hand.touched(before, DONE, after, 0.0)
    return hand


@pytest.mark.parametrize("since", [1.0, AT_ONCE_S + 1])
def test_a_card_below_the_hand_is_theirs_who_touched_done_and_later_it_is_asked(
    since: float,
) -> None:
    record, seen = played("p0 done"), draw(BOX, played("p0 roll d11").layout)
    ways = found(closed(played(), record), record, seen, since)
    told = [(way.takeback, [move.text for move in way.moves]) for way in ways]
    theirs = (1, ["p0 roll d11", "p0 done"])
    assert told == ([theirs] if since < AT_ONCE_S else [theirs, (0, ["p1 roll d11"])])


def test_a_turn_in_which_something_was_done_stays_closed() -> None:
    before, record = played("p0 roll d5"), played("p0 roll d5", "p0 done")
    seen = draw(BOX, played("p0 roll d5", "p0 done", "p1 roll d11").layout)
    assert found(closed(before, record), record, seen) == ()


def test_nothing_is_thought_of_once_the_hand_has_left_without_a_trace_or_play_went_on() -> None:
    record, seen = played("p0 done"), draw(BOX, played("p0 roll d11").layout)
    hand = closed(played(), record)
    assert found(hand, record, draw(BOX, record.layout)) == ()
    assert found(hand, record, seen) == ()
    hand, further = closed(played(), record), played("p0 done", "p1 roll n11")
    assert found(hand, further, draw(BOX, played("p0 roll d5").layout)) == ()
    assert found(hand, record, seen) == ()
