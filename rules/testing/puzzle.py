"""Checks of a game's puzzles: every move in them is legal, every turn that solves one ends it, and
there are words for all of it."""

from __future__ import annotations

from collections.abc import Iterator

from rules.core import Actor, GameError, Move
from rules.match import Match
from rules.players.ways import tasks_by_name
from rules.puzzle import Puzzle, begin, puzzles_of
from rules.telling import Teller
from rules.texts import AUTHORED

CLEAR = 0.05
"""Least lead of a solution over all other moves."""


def puzzle_problems(game: str) -> list[str]:
    """Faults of the puzzles of ``game``, as sentences."""
    try:
        return [
            f"puzzle {puzzle.number}: {problem}"
            for puzzle in puzzles_of(game)
            for problem in _problems(puzzle)
        ]
    except GameError as error:
        return [str(error)]


def _problems(puzzle: Puzzle) -> Iterator[str]:
    try:
        match = begin(puzzle)
        legal = match.legal_moves()
        asked = match.prompt
        if not legal or asked is None or asked.player != puzzle.seat:
            yield f"it is not the turn of seat {puzzle.seat}"
            return
        for turn in puzzle.turns:
            yield from _played(match, turn.moves, puzzle)
        right = {turn.moves[0] for turn in puzzle.turns}
        if len(right) >= len(legal):
            yield "every move solves it"
        for move, reply in puzzle.replies.items():
            if move in right:
                yield f"a right move is answered: {move}"
            if reply.worth > puzzle.rest + 0.005:
                yield f"{move} is better than the best of the others"
            yield from _played(match, (move, *reply.moves), puzzle)
        if puzzle.worth - puzzle.rest < CLEAR:
            yield "the solution is not clearly better"
        yield from _wording(puzzle, match)
    except GameError as error:
        yield str(error)


def _played(match: Match, moves: tuple[Move, ...], puzzle: Puzzle) -> Iterator[str]:
    trial = match.clone()
    for move in moves:
        # Chance answers between the moves of a turn.
        if move.actor is not Actor.DEALER:
            trial.deal()
        if trial.outcome is None and move not in set(trial.legal_moves()):
            yield f"{move} is not legal"
            return
        trial.push(move)
    if puzzle.task == "win" and moves == puzzle.turns[0].moves:
        outcome = trial.outcome
        if outcome is None or puzzle.seat not in outcome.ranking[0]:
            yield "the turn that wins does not win"


def _wording(puzzle: Puzzle, match: Match) -> Iterator[str]:
    code, params = puzzle.why
    for lang in AUTHORED:
        teller = Teller(match.game, lang, match.colours)
        amounts = {"player": puzzle.seat, "best": round(puzzle.worth), "got": round(puzzle.rest)}
        said = [teller.text("puzzles", puzzle.task, **amounts)]
        if puzzle.task in tasks_by_name(match.game):
            said.append(teller.text("puzzles", f"{puzzle.task}_less", **amounts))
        if not all([*said, teller.text("reasons", code, **dict(params))]):
            yield f"something is not said in {lang}"
