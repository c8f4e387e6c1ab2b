"""All ways through a turn, followed to their end: how much of a task (``rules.players.tasks``) it
can surely bring, and every turn that brings as much."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import Any, Generic

from rules.core import Actor, Game, Move, S
from rules.match import Match
from rules.players.craft import craft_of
from rules.players.tasks import Luck, Task
from rules.puzzle import Puzzle, Turn, begin

AT_ONCE = 1_000
"""Most positions that are looked at while people wait."""
MOST_TURNS = 40


class TooMany(Exception):
    """There are too many ways through a turn to follow all of them."""


class Ways(Generic[S]):
    """All ways through the turn of ``seat``."""

    def __init__(self, task: Task[S], seat: int, most: int | None = None) -> None:
        self.task, self.seat = task, seat
        self._most = most or task.most
        self._known: dict[Hashable, int] = {}

    def worth(self, state: S) -> int:
        """The most that can surely be reached from here in this turn; raises TooMany."""
        key = self.task.same(state)
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= self._most:
                raise TooMany
            self._known[key] = found = self._worth(state)
        return found

    def after(self, state: S, move: Move) -> int:
        """The same after ``move``."""
        trial = state.clone()
        ends = self.task.ends(state, move)
        trial.apply(move)
        return self.task.reached(trial, self.seat) if ends else self.worth(trial)

    def of_moves(self, state: S) -> dict[Move, int]:
        """The amount that is left after every legal move."""
        return {move: self.after(state, move) for move in state.legal_moves()}

    def turns(self, match: Match, goal: int) -> list[Turn]:
        """Every turn that reaches ``goal``, none longer than it must be; raises TooMany."""
        found: list[Turn] = []
        for turn in self._turns(match, goal, []):
            found.append(turn)
            if len(found) > MOST_TURNS:
                raise TooMany
        # Chance may bring the same position again by another way.
        return list(dict.fromkeys(found))

    # -- private --------------------------------------------------------------------------

    def _worth(self, state: S) -> int:
        task, moves = self.task, state.legal_moves()
        reached = task.reached(state, self.seat)
        if not moves:
            return reached
        if moves[0].actor is Actor.DEALER and task.luck is not Luck.ENDS:
            if task.luck is Luck.WORST:
                return min(self.after(state, move) for move in moves)
            return self.after(state, moves[0])
        # The result of a disc is entered by people: it is no seat's move.
        if moves[0].actor is not Actor.TABLE and moves[0].player != self.seat:
            return reached
        tried = task.worth_a_look(state, self.seat, moves)
        return max([reached, *(self.after(state, move) for move in tried)])

    def _turns(self, match: Match, goal: int, line: list[Move]) -> Iterator[Turn]:
        state = match.state
        if line and self.task.reached(state, self.seat) >= goal:
            rest = self.task.settle(state, self.seat)
            marked = range(len(line), len(line) + len(rest))
            yield Turn((*line, *rest), frozenset(marked))
            return
        for move in match.legal_moves():
            own = move.actor is Actor.TABLE or move.player == self.seat
            if not own or self.after(state, move) < goal:
                continue
            trial = match.clone()
            trial.push(move)
            while (chance := trial.next_chance()) is not None and self.task.luck is not Luck.ENDS:
                trial.push(chance)
            yield from self._turns(trial, goal, [*line, move])


def task_of(puzzle: Puzzle, match: Match) -> Task[Any] | None:
    """The task of one turn that ``puzzle`` sets; None if it asks for chances."""
    return tasks_by_name(match.game).get(puzzle.task)


def still_brings(puzzle: Puzzle, match: Match, move: Move) -> int | None:
    """The amount that the turn of ``puzzle`` can still bring after ``move`` in ``match``, which has
    come this far; None if it asks for chances, or there are too many ways to say at once."""
    task = task_of(puzzle, match)
    if task is None:
        return None
    had = task.before(begin(puzzle).state, puzzle.seat)
    try:
        return Ways(task, puzzle.seat, AT_ONCE).after(match.state, move) - had
    except TooMany:
        return None


def tasks_by_name(game: Game[Any]) -> Mapping[str, Task[Any]]:
    """The tasks that a turn of ``game`` can be set."""
    return {made.name: made() for made in craft_of(game).tasks()}
