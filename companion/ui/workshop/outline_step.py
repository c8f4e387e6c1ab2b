"""The outline of your own board, proposed by looking, corrected with a finger."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.presentation.words.translate import _
from companion.ui.drawing.layout_view import Fingers, LayoutView, Outline, handle_px
from companion.ui.theme.style import style
from companion.ui.widgets.base import Key, Words
from companion.ui.widgets.page import beside
from companion.ui.workshop.page import BenchPage, Frame

Point = tuple[float, float]

ROOM = 0.88
"""Share of the room that the picture takes: fingers need some at its corners."""
REACH = 1.6
"""Distance by which a finger may miss the middle of a handle, per radius."""


class Outlined(Protocol):
    """A board whose outline is shown and changed; its steps can be taken back."""

    @property
    def outline(self) -> tuple[Point, ...]: ...

    def set_outline(self, outline: Sequence[Point]) -> None: ...

    def move_outline(self, number: int, to: Point) -> None: ...

    def grip(self) -> None: ...

    def release(self) -> None: ...

    def undo(self) -> None: ...


class OutlineStep:
    """Shows the picture of a board with its outline, until a person says that it is right."""

    def __init__(
        self, page: BenchPage, board: Outlined, picture: Any, size_mm: Point,
        look: Callable[[], Sequence[str]], done: Callable[[bool], None],
    ) -> None:  # fmt: skip
        """``picture``: of the board from above, height × width × 3, and its ``size_mm``. ``look``
        finds the outline in it and returns the names of the sides where it is only guessed.
        ``done``: whether the outline is right, or the step was given up."""
        self._page, self._board = page, board
        self._picture, self._size, self._look, self._done = picture, size_mm, look, done
        self._before = board.outline
        self._steps = 0
        self._held: int | None = None
        self._from: Point = (0.0, 0.0)
        self._unsure: Sequence[str] = ()
        if not board.outline:
            self._propose()

    def fill(self, frame: Frame, width: float) -> None:
        """Put the page's widgets into ``frame``."""
        area, self._column, self._room = self._page.split(frame, width, 0.6)
        if not self._page.host.landscape:
            # The picture matters most; the keys need only what they need.
            self._column.size_hint_y = 0.8
        self.view = LayoutView(
            Fingers(self._down, self._drag, lambda *_: None, self._up), pos_hint={"x": 0, "y": 0}
        )
        self.view.zoom = ROOM
        self.view.show_picture(self._picture, self._size)
        area.add_widget(self.view)
        self._write()

    def _write(self) -> None:
        self._show()
        small, room = style.target, self._room
        box = BoxLayout(orientation="vertical", spacing=style.gap_s, pos_hint={"x": 0, "y": 0})
        box.add_widget(Words(_("own_board.where_does_the_board_end"), bold=True, width=room))
        text, tone = _("own_board.drag_the_corners_until_the_line"), "ash"
        box.add_widget(Words(text, font_size=style.type_xs, color=style.tone(tone), width=room))
        if self._unsure:
            sides = ", ".join(_(f"own_board.sides.{side}") for side in self._unsure)
            text = "! " + _("own_board.no_edge_can_be_seen_here").format(sides=sides)
            box.add_widget(Words(text, font_size=style.type_xs, color=style.bone, width=room))
        box.add_widget(Widget())
        whole = Key(_("own_board.the_stickers_lie_on_the_board"), self._all_is_board, height=small)
        box.add_widget(whole)
        back = Key(_("screens.undo"), self._undo, symbol="↺", height=small)
        back.disabled = not self._steps
        again = Key(_("own_board.look_again"), self._look_again, symbol="◎", height=small)
        box.add_widget(beside(back, again))
        right = Key(
            _("own_board.that_is_right"),
            lambda: self._done(True),
            symbol="✓",
            primary=True,
            height=small,
        )
        box.add_widget(beside(Key(_("screens.cancel"), self._give_up, height=small), right))
        self._column.clear_widgets()
        self._column.add_widget(box)

    def _show(self) -> None:
        self.view.show_outline(Outline(self._board.outline, True, self._held))

    # -- what keys do -----------------------------------------------------------------------

    def _propose(self) -> None:
        self._unsure = self._look()

    def _look_again(self) -> None:
        before = self._board.outline
        self._board.grip()
        self._propose()
        self._board.release()
        self._steps += self._board.outline != before
        self._write()

    def _all_is_board(self) -> None:
        self._board.set_outline(())
        self._done(True)

    def _undo(self) -> None:
        self._board.undo()
        self._steps -= 1
        self._write()

    def _give_up(self) -> None:
        while self._steps:
            self._board.undo()
            self._steps -= 1
        self._board.set_outline(self._before)
        self._done(False)

    # -- what fingers do --------------------------------------------------------------------

    def _down(self, at: Point) -> bool:
        reach = REACH * handle_px() / self.view.px_per_mm
        near = [(math.dist(at, corner), n) for n, corner in enumerate(self._board.outline)]
        away, number = min(near, default=(math.inf, 0))
        self._board.grip()
        self._held = number if away <= reach else None
        if self._held is not None:
            self._from = self._board.outline[self._held]
            self._show()
        return self._held is not None

    def _drag(self, start: Point, now: Point) -> None:
        assert self._held is not None
        to = (self._from[0] + now[0] - start[0], self._from[1] + now[1] - start[1])
        self._board.move_outline(self._held, to)
        self._show()

    def _up(self, at: Point, tapped: bool) -> None:
        held, self._held = self._held, None
        self._board.release()
        if held is not None and self._board.outline[held] != self._from:
            self._steps += 1
        self._write()
