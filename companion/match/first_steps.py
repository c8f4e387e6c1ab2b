"""The first steps of a game, touched on a match that nobody keeps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.match.events import TableEvent
from companion.match.layout_diff import sites_of
from companion.match.sandbox import SandboxMatch, moves_of
from companion.match.view import Intent, TableView, TapMove
from rules.box import load_box
from rules.lesson import Lesson, Step, begin

__all__ = ["FirstSteps"]


class FirstSteps(SandboxMatch):
    """A lesson under way: nothing may be touched but what its step is about."""

    def __init__(self, lesson: Lesson) -> None:
        match = begin(lesson)
        super().__init__(*self._begun(f"lesson-{lesson.game}", match))
        self.lesson = lesson
        self._box = load_box(match.game.box).for_game(lesson.game)
        self.number = 0
        """How many steps were taken."""

    @property
    def step(self) -> Step | None:
        """What is to be touched now; None after the last one."""
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
            # Nobody else is there who must not look.
            secret=False,
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
            for each in (move, *step.then):
                happened += self._do(TapMove(each))
        if happened:
            self._tell()
        return happened
