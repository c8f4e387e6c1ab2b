"""Positions that are puzzles, and how puzzles are found."""

from __future__ import annotations

from random import Random

import pytest

from rules import puzzle as puzzles
from rules.games import find_game
from rules.match import Match
from rules.players.craft import Craft, craft_of
from rules.players.puzzles import Wanted, clear_turns, found, proved, settle
from rules.puzzle import SEARCHED, begin, puzzles_of
from rules.testing.puzzle import puzzle_problems

KNIZIA = "knizia_stonehenge"


class Unsolving(Craft):  # type: ignore[type-arg]
    """The craft of a player who knows the rules alone."""


def test_a_search_proves_what_solving_proves() -> None:
    puzzle = puzzles_of(KNIZIA)[0]
    match = begin(puzzle)
    proof = proved(match, Unsolving(match.game), Random(1), most=128)
    assert proof is not None and proof.kind == SEARCHED
    assert set(proof.right) == {turn.moves[0] for turn in puzzle.turns}
    assert proof.chance - proof.rest > 0.3


def test_at_the_beginning_no_move_is_clearly_the_best() -> None:
    match = Match(KNIZIA, 2)
    assert proved(match, craft_of(match.game), Random(1), most=32) is None


def test_a_turn_goes_on_by_itself_as_far_as_that_goes_without_saying() -> None:
    match = begin(puzzles_of(KNIZIA)[0])
    craft = craft_of(match.game)
    proof = proved(match, craft, Random(1))
    assert proof is not None
    for turn in clear_turns(match, craft, Random(1), proof):
        assert turn.by_itself == frozenset(range(1, len(turn.moves)))
        trial = match.clone()
        trial.push(turn.moves[0])
        assert tuple(settle(trial, craft, turn.moves[0].player or 0)) == turn.moves[1:]


def test_what_is_found_is_a_puzzle(monkeypatch: pytest.MonkeyPatch) -> None:
    game = find_game(KNIZIA)
    options = game.complete_options(2, {})
    puzzle, easy = next(filter(None, found(game, 2, options, "2", Wanted(exact=True))))
    assert 0 <= easy <= 1
    monkeypatch.setattr("rules.testing.puzzle.puzzles_of", lambda _game: (puzzle,))
    assert puzzle_problems(KNIZIA) == []
    assert puzzles.begin(puzzle).state.turn == puzzle.seat
