"""A step without a trace that is tapped late goes where it was made."""

from __future__ import annotations

from companion.match.corrections.late_entry import forgotten
from rules.core import Move
from rules.match import Match


def rat(*moves: str) -> Match:
    """Der Hohe Rat with two players at a real table."""
    match = Match("hoher_rat", 2, physical=True)
    match.follow()
    for text in ("dealer start p0", *moves):
        match.push(text)
        match.follow()
    return match


def test_a_pondering_tapped_after_the_turn_was_closed_goes_before_its_end() -> None:
    match = rat("p0 done")
    ply, moves = forgotten(match, Move.parse("p0 ponder")) or (0, ())
    assert match.log[ply - 1].move.text == "p0 done"
    assert (moves[0].text, moves[-1].text) == ("p0 ponder", "p0 done")
    assert [move.verb for move in moves[1:-1]] == ["draw"] * 3


def test_what_leaves_a_trace_or_was_never_allowed_is_not_forgotten() -> None:
    match = rat("p0 done")
    assert forgotten(match, Move.parse("p0 seat d5 5 white")) is None
    assert forgotten(match, Move.parse("p0 consult ?")) is None
    digital = Match("hoher_rat", 2)
    assert forgotten(digital, Move.parse("p0 ponder")) is None


def test_it_goes_into_the_last_turn_of_the_player_who_forgot_it() -> None:
    match = rat("p0 done", "p1 done", "p0 done")
    ply, _ = forgotten(match, Move.parse("p1 ponder")) or (0, ())
    assert match.log[ply - 1].move.text == "p1 done"
