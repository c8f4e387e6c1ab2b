"""An in-memory match for tutorials, puzzles and looking back; it is never saved."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from companion.journal.entries import Header
from companion.journal.events import MovePlayed, Source
from companion.journal.store import Journal
from companion.match.events import TableEvent
from companion.match.hands import Hand
from companion.match.layout_diff import sites_of
from companion.match.table import Table
from companion.match.view import Intent, PlayMove, PlayMoves, TableState, TableView
from companion.settings.enforcement import Enforcement
from companion.settings.manners import Manners
from companion.signals import Signal
from rules.box import load_box
from rules.core import Move, ScoreLine
from rules.lesson import Lesson, Step, begin, runs_of
from rules.match import Match


class SandboxMatch:
    """Begins as ``header`` says with the moves ``played``, and goes on by touch.

    Is played on like a ``companion.ui.shell.TablePort``, and needs neither thread nor file.
    """

    @classmethod
    def _begun(cls, name: str, match: Match) -> tuple[Header, list[MovePlayed]]:
        """Header and events of a match that has begun on the screen; ``name``: its id."""
        header = Header(
            id=name, game=match.game.id, players=match.players, options=match.options,
            physical=False, seed=str(match.seed), names=("",) * match.players,
            enforcement=Enforcement.ENFORCE.value, created_s=time.time(),
        )  # fmt: skip
        return header, [MovePlayed(entry.move, entry.forced) for entry in match.log]

    def __init__(
        self, header: Header, played: Sequence[MovePlayed], manners: Manners | None = None
    ) -> None:
        # Whoever tries something out decides for everybody, and nobody thinks along.
        self._header = replace(header, computers=(), tips=False)
        self._played, self._manners = tuple(played), manners or Manners()
        self._published = Signal[[TableView]]()
        self._set_out()

    @property
    def view(self) -> TableView:
        """The table as it is now; everything is entered by touch."""
        view = self._table.view()
        # Nobody watches it, so it is never out of sight either.
        state = TableState.SETTLED if view.state is TableState.BLIND else view.state
        can_undo = self._table.match.ply > self.start
        return replace(view, state=state, blind_reason="", can_undo=can_undo)

    @property
    def score_lines(self) -> tuple[ScoreLine, ...]:
        """Sources of the points."""
        return self._table.score_lines

    @property
    def score_history(self) -> tuple[tuple[int, ...], ...]:
        """The points over time."""
        return self._table.score_history

    def hand(self, seat: int) -> Hand:
        """The private view of ``seat``."""
        return self._table.hands[seat]

    def post(self, intent: Intent) -> Sequence[TableEvent]:
        """Do it at once; returns what happened."""
        happened = self._do(intent)
        self._tell()
        return happened

    def subscribe(self, callback: Callable[[TableView], None]) -> Callable[[], None]:
        """Call ``callback`` with every new view; returns how to stop that."""
        return self._published.add(callback)

    def close(self) -> None:
        """Forget it."""
        self._journal.close()

    def _set_out(self) -> None:
        """Begin, or begin anew."""
        self._journal = Journal(":memory:")
        self._journal.create(self._header)
        self._journal.append(self._header.id, *self._played, src=Source.IMPORT)
        self._table = Table(self._journal, self._header, self._manners)
        self.start = self._table.match.ply
        """Moves that it began with, and what chance had to add at once."""

    def _do(self, intent: Intent) -> Sequence[TableEvent]:
        """Handles an intent without telling listeners."""
        return self._table.handle(intent, time.monotonic())

    def _tell(self) -> None:
        self._published(self.view)


def moves_of(intent: Intent) -> tuple[Move, ...]:
    """Moves that a touch enters; none if it is about something else."""
    match intent:
        case PlayMove(move):
            return (move,)
        case PlayMoves(moves):
            return moves
    return ()


# -- tutorials --------------------------------------------------------------------------------


class Tutorial(SandboxMatch):
    """A lesson under way: nothing may be touched but what its step is about."""

    def __init__(self, lesson: Lesson) -> None:
        match = begin(lesson)
        super().__init__(*self._begun(f"lesson-{lesson.game}", match))
        self.lesson = lesson
        self._box = load_box(match.game.box).for_game(lesson.game)
        self.number = 0
        """Number of steps taken."""

    @property
    def step(self) -> Step | None:
        """The step that is to be touched now; None after the last one."""
        steps = self.lesson.steps
        return steps[self.number] if self.number < len(steps) else None

    @property
    def view(self) -> TableView:
        """The table, as if nothing but the step were possible."""
        view = super().view
        wanted = () if self.step is None else self.step.touch
        legal = tuple(move for move in view.legal if move in wanted)
        usual = view.usual
        if wanted and not (view.places.get(wanted[0]) or sites_of(wanted[0], self._box)):
            # A key stands out; on the board its places do.
            usual = wanted[0]
        return replace(
            view,
            legal=legal,
            hints=(),
            usual=usual if usual in legal else None,
            can_undo=False,
            can_redo=False,
        )

    def post(self, intent: Intent) -> Sequence[TableEvent]:
        """Take the step, or several at once, if that is what ``intent`` does; else nothing
        happens."""
        happened: list[TableEvent] = []
        for move in moves_of(intent):
            step = self.step
            if step is None or move not in self.view.legal:
                break
            self.number += 1
            for run in runs_of(self._table.match, step, move):
                happened += self._do(PlayMoves(run) if run[1:] else PlayMove(run[0]))
        if happened:
            self._tell()
        return happened
