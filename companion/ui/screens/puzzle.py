"""The puzzles of a game, one after the other, on the table as it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.match.practice.puzzle_session import PuzzleSession, Stage
from companion.presentation.words.sentences import teller_of
from companion.presentation.words.translate import _
from companion.ui.screens.guided import GuidedScreen
from companion.ui.theme.style import style
from companion.ui.widgets.base import Key, Words
from companion.ui.widgets.page import beside, head
from rules.core import Actor
from rules.players.analysis_result import percent
from rules.puzzle import EXACT, puzzles_of


class PuzzleScreen(GuidedScreen):
    """The puzzles of ``game``. ``play``: it is to be played now; ``leave``: back to where one came
    from.

    ``ended``: all of them have been seen.
    """

    def __init__(
        self, game: str, play: Callable[[], None], leave: Callable[[], None], **kwargs: Any
    ) -> None:
        self.puzzles = puzzles_of(game)
        self.number = 0
        """Number of the puzzle that is shown, from 0."""
        self.solved: set[int] = set()
        """Numbers of those that were solved."""
        self._play = play
        super().__init__(self._set_out(), leave, **kwargs)

    # -- what touches do ------------------------------------------------------------------

    def again(self) -> None:
        """Try it once more."""
        self.table.let_go()
        self.puzzling.again()

    def show_me(self) -> None:
        """Show the solution."""
        self.table.let_go()
        self.puzzling.show()

    def next(self) -> None:
        """On to the next one, or to the end."""
        if self.puzzling.stage is Stage.SOLVED:
            self.solved.add(self.number)
        if self.number + 1 >= len(self.puzzles):
            self.ended = True
        else:
            self.number += 1
            self._put_away()
            self._lay_out(self._set_out())
            self._show(self.match.view)
        self._renew()

    # -- what is said ---------------------------------------------------------------------

    def sentences(self) -> tuple[str, str]:
        puzzling, view = self.puzzling, self.puzzling.view
        puzzle, teller = puzzling.puzzle, teller_of(view, style.lang)
        if puzzling.stage is Stage.ASKED:
            place = _("lessons.puzzle_number_of_count").format(
                number=puzzle.number, count=len(self.puzzles)
            )
            return place, self._told(puzzle.task, puzzle.rest)
        if puzzling.stage is Stage.WRONG:
            return self._answered(), self._left()
        code, params = puzzle.why
        move = puzzle.turns[0].moves[0]
        told = f"{teller.move(move)} – {teller.text('reasons', code, **dict(params))}."
        if puzzling.stage is Stage.SHOWN:
            return told, _("lessons.this_is_the_solution")
        # Why another one is just as good was never worked out.
        return told if puzzling.made[0] == move else "", _("lessons.that_is_right")

    def _answered(self) -> str:
        """The others' answer to a wrong move."""
        puzzling = self.puzzling
        teller = teller_of(puzzling.view, style.lang)
        tried, reply = puzzling.tried, puzzling.reply
        assert tried is not None
        others = [
            move for move in (reply.moves if reply else ())
            if move.player != tried.player and move.actor is Actor.PLAYER and move.verb != "done"
        ]  # fmt: skip
        if not others:
            return teller.move(tried)
        return _("lessons.the_answer").format(moves=teller.list([*map(teller.move, others)]))

    def _left(self) -> str:
        """The best result that is left after a wrong move."""
        puzzling = self.puzzling
        puzzle, reply = puzzling.puzzle, puzzling.reply
        left = puzzle.rest if reply is None else reply.worth
        less = f"{puzzle.task}_less"
        if teller_of(puzzling.view, style.lang).has("puzzles", less):
            return self._told(less, left)
        if puzzle.proof == EXACT:
            return _("lessons.then_it_can_no_longer")
        best = percent(puzzle.worth)
        if reply is None:
            told = _("lessons.that_leaves_at_most_left_instead")
        else:
            told = _("lessons.that_leaves_left_instead_of_best")
        return told.format(left=percent(left), best=best)

    def _told(self, code: str, got: float) -> str:
        """The task, or the result instead."""
        puzzling = self.puzzling
        puzzle, teller = puzzling.puzzle, teller_of(puzzling.view, style.lang)
        best = round(puzzle.worth)
        return teller.text("puzzles", code, player=puzzle.seat, best=best, got=round(got))

    # -- building -------------------------------------------------------------------------

    @property
    def puzzling(self) -> PuzzleSession:
        """The puzzle under way."""
        match = self.match
        assert isinstance(match, PuzzleSession)
        return match

    def keys(self, wide: float) -> list[Any]:
        stage = self.puzzling.stage
        if stage is Stage.ASKED:
            return [self._to_shelf(wide), self._key(_("lessons.show_me"), self.show_me, wide)]
        if stage is Stage.WRONG:
            again = self._key(_("screens.try_again"), self.again, wide, primary=True)
            return [self._key(_("lessons.show_me"), self.show_me, wide), again]
        return [self._to_shelf(wide), self._key(_("lessons.next"), self.next, wide, primary=True)]

    def last_page(self) -> Any:
        """The number of solved puzzles, and the way to a match."""
        width = self.width - 2 * style.margin
        frame = BoxLayout(
            orientation="vertical", spacing=style.gap, size_hint=(None, None),
            size=(width, self.height - 2 * style.gap_l),
            pos=(self.x + style.margin, self.y + style.gap_l),
        )  # fmt: skip
        told = _("lessons.solved_of_count_solved").format(
            solved=len(self.solved), count=len(self.puzzles)
        )
        name = teller_of(self.match.view, style.lang).game_name
        frame.add_widget(head(name, told, width))
        frame.add_widget(Widget())
        said = _("lessons.each_of_them_came_up")
        frame.add_widget(Words(said, width=width))
        frame.add_widget(Widget())
        shelf = Key(_("screens.to_the_shelf"), self._leave, symbol="←", size_hint_x=0.7)
        frame.add_widget(
            beside(shelf, Key(_("lessons.play_now"), self._play, symbol="▶", primary=True))
        )
        return frame

    def _set_out(self) -> PuzzleSession:
        return PuzzleSession(self.puzzles[self.number])
