"""The open end of the record: the camera's conclusions may be told anew, touches not."""

from __future__ import annotations

import pytest

from companion.match.corrections.open_record import AT_ONCE_S, OpenRecord
from rules.core import Move
from rules.match import Match
from rules.reading.reading import Reading, Status, read
from rules.reading.since import Since
from rules.testing.pictures import DrawnSighting, draw
from tests.support.opferroulette import BOX, played

DONE = Move.parse("p0 done")


def told(record: Match, seen: DrawnSighting, open_record: OpenRecord) -> Reading:
    """The meaning of a look, with what may be told anew."""
    return read(record, seen, since=Since(openings=open_record.openings(record)))


def texts(reading: Reading) -> list[tuple[int, list[str]]]:
    """What is proposed or asked."""
    return [(c.takeback, [move.text for move in c.moves]) for c in reading.candidates]


def closed(before: Match, after: Match, left_s: float = 1.0) -> OpenRecord:
    """``p0 done`` was touched at 0 s below a hand that left at ``left_s``."""
    found = OpenRecord(after)
    found.closed_below_a_hand(before, DONE, after, 0.0)
    found.hand_left(left_s)
    return found


def test_a_roll_becomes_a_fall_when_the_card_for_it_is_turned() -> None:
    record = played("p0 roll d5")
    seen = draw(BOX, played("p0 roll-fall d5", "dealer turn d7").layout)
    concluded = OpenRecord(played())
    concluded.changed(record, by_camera=True)
    reading = told(record, seen, concluded)
    assert (reading.status, reading.takeback) == (Status.MOVE, 1)
    assert [m.text for m in reading.moves[:2]] == ["p0 roll-fall d5", "dealer turn d7"]


def test_what_people_touched_is_never_told_anew_without_their_word() -> None:
    record = played("p0 roll d5")
    seen = draw(BOX, played("p0 roll d7").layout)
    touched = OpenRecord(played())
    touched.changed(record, by_camera=False)
    assert told(record, seen, touched).status is Status.AMBIGUOUS


def test_a_roll_that_cannot_be_a_fall_has_no_twin() -> None:
    before = played()
    for card, twin in (("d5", "p0 roll-fall d5"), ("d11", None)):
        move = next(m for m in before.legal_moves() if m.text == f"p0 roll {card}")
        found = before.game.inference.twin(before.state, move)
        assert (found.text if found else None) == twin


@pytest.mark.parametrize("left_s", [1.0, AT_ONCE_S + 1])
def test_a_card_below_the_hand_is_theirs_who_touched_done_and_later_it_is_asked(
    left_s: float,
) -> None:
    record, seen = played("p0 done"), draw(BOX, played("p0 roll d11").layout)
    reading = told(record, seen, closed(played(), record, left_s))
    theirs = (1, ["p0 roll d11", "p0 done", "dealer draw p0 ?"])
    ways = texts(reading)
    assert ways == [theirs] if left_s < AT_ONCE_S else {theirs[0], 0} <= {w[0] for w in ways}
    assert any(way == theirs for way in ways)


def test_a_turn_in_which_something_was_done_is_opened_only_with_a_question() -> None:
    before, record = played("p0 roll d5"), played("p0 roll d5", "p0 done")
    (opening,) = (o for o in closed(before, record).openings(record) if o.then)
    assert opening.cost == 0.0


def test_nothing_is_thought_of_once_the_hand_has_left_without_a_trace_or_play_went_on() -> None:
    record = played("p0 done")
    hand = closed(played(), record)
    hand.agrees(())
    assert not any(opening.then for opening in hand.openings(record))
    hand, further = closed(played(), record), played("p0 done", "p1 roll n11")
    assert not any(opening.then for opening in hand.openings(further))
    assert not any(opening.then for opening in hand.openings(record))
