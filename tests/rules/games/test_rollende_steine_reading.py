"""Rollende Steine: what the camera makes of cushions and marks, and what leaves no trace."""

from __future__ import annotations

from rules.box import load_box
from rules.games.rollende_steine import GAME
from rules.match import Match
from rules.reading.reading import Reading, Status, read
from rules.reading.sighting import Glimpse
from rules.testing.pictures import DrawnSighting, clear, draw

BOX = load_box(GAME.box).for_game(GAME.id)


def _real(players: int, *moves: str) -> Match:
    match = Match(GAME, players, physical=True)
    for move in moves:
        match.push(move)
    return match


def _seen(match: Match, **changed: str) -> Reading:
    sites = dict(draw(BOX, match.layout).sites)
    for site, kinds in changed.items():
        sites[site] = clear(tuple(Glimpse(kind) for kind in kinds.split(", ") if kind))
    return read(match, DrawnSighting(sites))


def _moves(reading: Reading) -> list[str]:
    assert reading.status is Status.MOVE
    return [move.text for move in reading.moves]


def test_what_leaves_no_trace_is_told_by_what_follows() -> None:
    match = _real(2)
    assert _moves(_seen(match, board="bar blue")) == ["p0 roll", "table miss", "p1 cushion"]
    assert _moves(_seen(match, G2="trilithon white")) == ["p0 roll", "table score G2"]


def test_alone_each_cushion_and_each_mark_comes_as_early_as_it_can() -> None:
    seen = _seen(_real(1), board="bar white, bar white", G4="trilithon white")
    assert _moves(seen) == ["p0 cushion", "table score G4", "p0 cushion"]


def test_marks_that_came_together_were_made_by_one_disc() -> None:
    missed = _real(2, "p0 roll", "table miss", "p1 roll", "table miss", "p0 roll")
    both = _seen(missed, G1="trilithon white", G5="trilithon white")
    assert _moves(both) == ["table score G1,G5"]


def test_the_last_gates_do_not_end_the_match_before_a_cushion_lies() -> None:
    missed = _real(1, "p0 roll", "table miss", "p0 roll", "table score G1,G2")
    marks = dict.fromkeys(("G3", "G4", "G5"), "trilithon white")
    moves = _moves(_seen(missed, board="bar white, bar white", **marks))
    assert moves.count("p0 cushion") == 2
    assert "score" in moves[-1]


def test_cushions_on_their_way_and_marks_of_any_colour_are_no_matter() -> None:
    laid = _real(2, "p0 cushion", "table score G1,G3", "p1 cushion", "table miss")
    assert _seen(laid, board="").status is Status.SETTLED
    assert _seen(laid, G3="trilithon red").status is Status.SETTLED
    assert _seen(laid, G1="trilithon red").status is Status.UNCLEAR


def test_in_chosen_colours_cushions_count_for_whose_they_are() -> None:
    match = Match(GAME, 2, {"colours": "blue,white"}, physical=True)
    assert _moves(_seen(match, board="bar blue")) == ["p0 cushion"]
