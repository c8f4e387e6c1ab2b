"""What the camera took for one move is its twin, if the next look says so."""

from __future__ import annotations

from companion.match.corrections.twin_move import TwinMoves
from rules.reading.reading import read
from rules.testing.pictures import draw
from tests.support.opferroulette import BOX, played


def test_a_roll_becomes_a_fall_when_the_card_for_it_is_turned() -> None:
    record = played("p0 roll d5")
    seen = draw(BOX, played("p0 roll-fall d5", "dealer turn d7").layout)
    thoughts = TwinMoves(played())
    thoughts.changed(record, by_camera=True)
    better = thoughts.better(record, read(record, seen), seen, ())
    assert better is not None and better.takeback == 1
    assert [m.text for m in better.moves[:2]] == ["p0 roll-fall d5", "dealer turn d7"]


def test_what_people_touched_is_never_rethought() -> None:
    record = played("p0 roll d5")
    seen = draw(BOX, played("p0 roll-fall d5", "dealer turn d7").layout)
    thoughts = TwinMoves(played())
    thoughts.changed(record, by_camera=False)
    assert thoughts.better(record, read(record, seen), seen, ()) is None


def test_a_roll_that_cannot_be_a_fall_has_no_twin() -> None:
    before = played()
    for card, twin in (("d5", "p0 roll-fall d5"), ("d11", None)):
        move = next(m for m in before.legal_moves() if m.text == f"p0 roll {card}")
        found = before.game.inference.twin(before.state, move)
        assert (found.text if found else None) == twin
