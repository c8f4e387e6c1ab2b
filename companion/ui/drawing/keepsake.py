"""A picture of a match to keep: board, names, points and date; and the small print of the board
that stands for it on the screen."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from kivy.graphics import (
    Color,
    PopMatrix,
    PushMatrix,
    Rectangle,
    Rotate,
)
from kivy.uix.widget import Widget

from companion.presentation.ending import Ending
from companion.presentation.players import Player
from companion.presentation.scene import Scene
from companion.presentation.table_words import TableWords
from companion.presentation.theme import tokens as theme
from companion.presentation.words.translate import _
from companion.ui import frame_queue
from companion.ui.drawing.board import Board
from companion.ui.drawing.faces import draw_face, seat_of
from companion.ui.drawing.ink import Round
from companion.ui.drawing.sunrise import sunrise
from companion.ui.picture import picture_of
from companion.ui.theme.style import style
from companion.ui.widgets.base import Fitted, Link

_PAPER, _INK = theme.rgba(theme.PAPER), theme.rgba(theme.PAPER_INK)
_SHADOW = (0.0, 0.0, 0.0, 0.35)
_TURN = -3.0
"""Degrees by which a print lies askew."""


class Print(Link):
    """A small print of a board, with a word below it; touched it leads there."""

    def __init__(self, scene: Scene, word: str, press: Callable[[], None]) -> None:
        super().__init__(word, press, colour="ink")
        self._word.font_size = style.type_xs
        self._word.size = self._word.extent
        with self.canvas.before:
            PushMatrix()
            self._turn = Rotate(angle=_TURN)
            Color(*_SHADOW)
            self._shadow = Rectangle()
            Color(*_PAPER)
            self._paper = Rectangle()
            Color(*style.tone("night"))
            self._ground = Rectangle()
        with self.canvas.after:
            PopMatrix()
        self._board = Board(size_hint=(None, None))
        # In a frame of its own: a board takes as long as everything else of the ending.
        frame_queue.soon(partial(self._board.show, scene))
        self.add_widget(self._board)
        self.bind(pos=self._lay_out, size=self._lay_out)

    def _place(self, *_: Any) -> None:
        """The word is below the print, see ``_lay_out``."""

    def _lay_out(self, *_: Any) -> None:
        (x, y), (width, height), rim = self.pos, self.size, style.grid * 1.4
        self._turn.origin = (x + width / 2, y + height / 2)
        self._shadow.pos, self._shadow.size = (x + rim * 0.6, y - rim * 0.6), self.size
        self._paper.pos, self._paper.size = self.pos, self.size
        foot = self._word.height + style.grid
        self._ground.pos = (x + rim, y + foot)
        self._ground.size = (width - 2 * rim, height - foot - rim)
        self._board.pos, self._board.size = self._ground.pos, self._ground.size
        self._word.pos = (x + (width - self._word.width) / 2, y + style.grid / 2)


_WIDE = 1080
"""Width of a kept picture, px."""
_RIM, _LINE = 54, 92
"""px of paper around the board, and height of a line with a name."""


def keepsake(words: TableWords, ending: Ending, scene: Scene | None) -> bytes:
    """The picture of a match, which is over, as a PNG file."""
    paper = _Paper(words, ending, scene)
    return picture_of(paper)


class _Paper(Widget):  # type: ignore[misc]
    """The board as a print, below it game and day, and every player with their points."""

    def __init__(self, words: TableWords, ending: Ending, scene: Scene | None) -> None:
        board, lines = _WIDE - 2 * _RIM, len(words.players)
        high = board if scene is not None else board * 0.6
        super().__init__(size=(_WIDE, round(2.2 * _RIM + high + 84 + lines * _LINE)))
        top = self.height - _RIM
        with self.canvas.before:
            Color(*_PAPER)
            Rectangle(size=self.size)
            Color(*style.tone("night"))
            Rectangle(pos=(_RIM, top - high), size=(board, high))
        if scene is not None:
            shown = Board(size_hint=(None, None), size=(board, board), pos=(_RIM, top - board))
            shown.show(scene)
            self.add_widget(shown)
        else:
            size = (board, round(high))
            texture = sunrise(size, style.name, risen=bool(ending.winners), wreath=False)
            with self.canvas.before:
                Color(1, 1, 1, 1)
                Rectangle(texture=texture, pos=(_RIM, top - high), size=size)
        top -= high + _RIM * 0.5
        day = time.strftime(_("language.date"), time.localtime(words.view.started_s))
        self._write(f"{words.teller.game_name}, {day}", (44.0, 36.0, 30.0), board, _RIM, top - 32)
        top -= 84
        for seat in ending.order:
            self._player(words.players[seat], seat in ending.winners, top, board)
            top -= _LINE

    def _player(self, player: Player, winner: bool, top: float, room: float) -> None:
        """A line with face, name and points; gold below a winner's."""
        middle, side = top - _LINE / 2, _LINE * 0.84
        if winner:
            with self.canvas:
                Color(*theme.rgba(theme.NIGHT.dawn_fill)[:3], 0.55)
                pos, size = (_RIM - 12, middle - _LINE * 0.46), (room + 24, _LINE * 0.92)
                Round(pos, size)
        # No widget: it would wait for the next frame, and the picture is taken in this one.
        at = (_RIM + 4 + side / 2, middle)
        draw_face(self.canvas, player.face, at, side, seat_of(player))
        points = self._write(player.score, (56.0,), room / 3, 0, middle)
        points.pos = (_RIM + room - points.width - 8, points.y)
        left = _RIM + side + 28
        self._write(player.name, (46.0, 38.0, 32.0), points.x - left - 20, left, middle)

    def _write(
        self, text: str, sizes: tuple[float, ...], room: float, x: float, middle: float
    ) -> Any:
        line = Fitted(text, sizes, room, color=_INK)
        line.pos = (x, middle - line.height / 2)
        self.add_widget(line)
        return line
