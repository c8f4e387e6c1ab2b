"""Finds puzzles whose task is one turn, see ``rules.players.tasks``.

Matches are played as by people with a little experience. Where a turn can bring clearly more than
at first sight, all its ways are followed, and that is the proof.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from rules.core import Actor, Game, Move
from rules.match import Match
from rules.players.craft import Craft, craft_of
from rules.players.tasks import Task
from rules.players.ways import TooMany, Ways, tasks_by_name
from rules.puzzle import EXACT, Puzzle, Reply, Turn
from rules.testing.playout import pick

FEWEST_MOVES = 3
"""Of fewer legal moves one is soon guessed."""
TEMPTING = 12
"""Number of wrong moves that get their answer."""


def found_in_turns(
    game: Game[Any], players: int, options: Mapping[str, str], seed: str, names: Sequence[str],
    longest: int,
) -> Iterator[tuple[Puzzle, float] | None]:  # fmt: skip
    """Matches one after the other, without end: of each the first puzzle that sets one of the tasks
    ``names`` within ``longest`` moves, and how likely it is solved by guessing; None for those
    without."""
    craft, tasks, number = craft_of(game), tasks_by_name(game), 0
    while True:
        number += 1
        random = Random(f"{seed}/{number}")
        match = Match(game, players, options, seed=f"{seed}/{number}")
        yield _first(match, craft, [tasks[name] for name in names], random, longest)


def turn_puzzle(match: Match, task: Task[Any]) -> tuple[Puzzle, float] | None:
    """The puzzle that ``match`` sets now, and how likely it is solved by guessing; None if it sets
    none, or if that cannot be said."""
    state, moves = match.state, match.legal_moves()
    asked = match.prompt
    seat = asked.player if asked is not None else None
    if seat is None or len(moves) < FEWEST_MOVES or not task.begins(state, seat, moves):
        return None
    ways = Ways(task, seat)
    try:
        best = ways.worth(state)
        if best - task.reached(state, seat) < task.fewest:
            return None
        found = ways.of_moves(state)
        idea = task.first_idea(state, seat, moves)
        right = {move for move, worth in found.items() if worth == best}
        if (idea and found[idea] == best) or len(right) > len(moves) // 2:
            return None
        turns = sorted(ways.turns(match, best), key=lambda turn: len(turn.moves))
    except TooMany:
        return None
    had = task.before(state, seat)
    brings = {move: worth - had for move, worth in found.items()}
    rest = max(worth for move, worth in brings.items() if move not in right)
    why = task.reason(state, turns[0].moves)
    puzzle = Puzzle(
        game=match.game.id, number=0, players=match.players, options=dict(match.options),
        seed=str(match.seed), moves=tuple(entry.move for entry in match.log), seat=seat,
        task=task.name, turns=tuple(turns), why=(why.code, why.params), proof=EXACT,
        worth=best - had, rest=rest, replies=_replies(brings, right, idea),
    )  # fmt: skip
    return puzzle, _guessed(match, turns, 0)


# -- private ----------------------------------------------------------------------------------


def _first(
    match: Match, craft: Craft[Any], tasks: Sequence[Task[Any]], random: Random, longest: int
) -> tuple[Puzzle, float] | None:
    while match.outcome is None and match.ply < longest:
        move = match.by_itself(ends_turns=True)
        if move is None:
            legal = match.legal_moves()
            if legal[0].actor is not Actor.DEALER:
                for task in tasks:
                    if (found := turn_puzzle(match, task)) is not None:
                        return found
            move = _played(match, craft, tasks, legal, random)
        match.push(move)
    return None


def _played(
    match: Match, craft: Craft[Any], tasks: Sequence[Task[Any]], legal: list[Move],
    random: Random,
) -> Move:  # fmt: skip
    if legal[0].actor is not Actor.PLAYER:
        return pick(match.state, legal, random)
    if len(legal) == 1:
        return legal[0]
    for task in tasks:
        if (move := task.played(match.state, legal, random)) is not None:
            return move
    obvious = craft.obvious(match.state, legal)
    return obvious or craft.carry_on(match.state, legal, random)


def _replies(found: Mapping[Move, int], right: set[Move], idea: Move | None) -> dict[Move, Reply]:
    """The gains of the wrong moves that come to mind first."""
    wrong = sorted((move for move in found if move not in right), key=lambda m: (-found[m], m.text))
    kept = dict.fromkeys([*([idea] if idea else []), *wrong][: TEMPTING + 1])
    return {move: Reply(worth=found[move]) for move in sorted(kept, key=str)}


def _guessed(match: Match, turns: Sequence[Turn], at: int) -> float:
    """The chance to find one of ``turns`` by drawing every move by lot."""
    if any(at == len(turn.moves) or at in turn.by_itself for turn in turns):
        return 1.0
    match.deal()
    likely = 0.0
    for move in dict.fromkeys(turn.moves[at] for turn in turns):
        trial = match.clone()
        trial.push(move)
        on = [turn for turn in turns if turn.moves[at] == move]
        likely += _guessed(trial, on, at + 1)
    return likely / len(match.legal_moves())
