"""A puzzle under way, on a match that is never saved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum

from companion.match.events import TableEvent
from companion.match.practice.sandbox import SandboxMatch, moves_of
from companion.match.view import Intent, PlayMove, TableView
from rules.core import Actor, Move
from rules.players.ways import still_brings
from rules.puzzle import Puzzle, Reply, begin


class Stage(StrEnum):
    """Stage of work on a puzzle."""

    ASKED = "asked"
    WRONG = "wrong"
    """Another move was made, and answered; it can be tried again."""
    SOLVED = "solved"
    SHOWN = "shown"
    """The solution was asked for."""


class PuzzleSession(SandboxMatch):
    """A puzzle in which every legal move may be touched, and its consequence is seen at once."""

    def __init__(self, puzzle: Puzzle) -> None:
        match = begin(puzzle)
        super().__init__(*self._begun(f"puzzle-{puzzle.game}-{puzzle.number}", match))
        self.puzzle = puzzle
        self.stage = Stage.ASKED
        self.tried: Move | None = None
        """The wrong move that was made."""
        self.reply: Reply | None = None
        """Reply to the player's move, if it is known."""
        self._done: tuple[Move, ...] = ()
        """The moves made so far, all of them right."""

    @property
    def made(self) -> tuple[Move, ...]:
        """The right moves made so far."""
        return self._done

    @property
    def view(self) -> TableView:
        """The table; nothing can be touched once it is decided."""
        view = super().view
        asked = self.stage is Stage.ASKED
        return replace(
            view,
            legal=view.legal if asked else (),
            hints=(),
            usual=view.usual if asked and self._done else None,
            can_undo=False,
            can_redo=False,
        )

    def post(self, intent: Intent) -> Sequence[TableEvent]:
        """Make the moves of ``intent``, as long as the puzzle is open; others do nothing."""
        happened: list[TableEvent] = []
        for move in moves_of(intent):
            if self.stage is not Stage.ASKED or move not in super().view.legal:
                break
            happened += self._make(move)
        self._tell()
        return happened

    def again(self) -> None:
        """Returns to the beginning."""
        self._begin_anew()
        self._tell()

    def show(self) -> None:
        """Make the moves that solve it."""
        self._begin_anew()
        self.stage = Stage.SHOWN
        self._play(self.puzzle.turns[0].moves)
        self._tell()

    # -- private --------------------------------------------------------------------------

    def _begin_anew(self) -> None:
        self.close()
        self._set_out()
        self.stage, self._done, self.tried, self.reply = Stage.ASKED, (), None, None

    def _make(self, move: Move) -> list[TableEvent]:
        turns = [
            turn for turn in self.puzzle.turns
            if turn.moves[: len(self._done) + 1] == (*self._done, move)
        ]  # fmt: skip
        if not turns:
            self.tried = move
            self.reply = None if self._done else self.puzzle.replies.get(move)
            if self.reply is None:
                brings = still_brings(self.puzzle, self._table.match, move)
                self.reply = None if brings is None else Reply(worth=brings)
            self.stage = Stage.WRONG
            return self._play((move, *(self.reply.moves if self.reply else ())))
        line, length = turns[0], len(self._done) + 1
        while length < len(line.moves) and length in line.by_itself:
            length += 1
        happened = self._play(line.moves[len(self._done) : length])
        self._done = line.moves[:length]
        if length == len(line.moves):
            self.stage = Stage.SOLVED
        return happened

    def _play(self, moves: Sequence[Move]) -> list[TableEvent]:
        """Make ``moves``, apart from those that the table made by itself."""
        happened: list[TableEvent] = []
        match = self._table.match
        own = match.ply
        for move in moves:
            log = match.log
            while own < len(log) and log[own].move.actor is not Actor.PLAYER:
                own += 1
            if own < len(log) and log[own].move == move:
                own += 1
                continue
            if match.outcome is not None:
                break
            happened += self._do(PlayMove(move))
            own = own + 1
        return happened
