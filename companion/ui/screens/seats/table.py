"""A table seen from above with its seats around it; seats are touched."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from kivy.graphics import Color, InstructionGroup
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion.presentation.boxes import game_box
from companion.presentation.players import token_of
from companion.presentation.scene import bare_scene
from companion.presentation.theme import tokens as theme
from companion.presentation.theme.piece_colours import named_colour
from companion.ui.drawing.board import Board
from companion.ui.drawing.ink import Round, disc
from companion.ui.drawing.pieces import PieceLook, draw_badge, draw_piece, draw_text
from companion.ui.theme.style import TEXT, style
from companion.ui.widgets.base import Card, Fitted, Words, fit_one_line
from rules.box import Box


class Swatch(Widget):  # type: ignore[misc]
    """A player's colour: one of the pieces, with the sign of the colour."""

    def __init__(self, box: Box, colour: str, word: str, side: float) -> None:
        """``word``: the colour in the language; its first letter is shown if it has no sign."""
        super().__init__(size_hint=(None, None), size=(side, side))
        self._kind = token_of(box, colour)
        self._word, self._colour = word, colour
        self._drawing = InstructionGroup()
        self.canvas.add(self._drawing)
        self.bind(pos=self._draw, size=self._draw)
        self._draw()

    def _draw(self, *_: Any) -> None:
        group, at, side = self._drawing, self.center, self.width
        group.clear()
        choice = style.chosen.piece_colours
        if self._kind is None and (colour := named_colour(self._colour, choice)):
            draw_badge(group, self._colour, theme.rgba(colour), at, side)
            return
        if self._kind is not None:
            px = side / max(self._kind.size)
            draw_piece(group, self._kind, at, px, PieceLook(mark=False))
            return
        group.add(Color(*style.ash))
        group.add(disc(at, side * 0.46, style.hairline * 0.8))
        draw_text(group, self._word[:1], at, side * 0.5, style.tone("bone"))


class SeatKey(ButtonBehavior, Card):  # type: ignore[misc]
    """One seat: face and name."""

    def __init__(
        self,
        face: Widget,
        name: str,
        text: str,
        press: Callable[[], None],
        size: tuple[float, float],
        *,
        chosen: bool = False,
    ) -> None:
        super().__init__(
            fill="stone", line="dawn" if chosen else "edge", size_hint=(None, None), size=size
        )
        self.text = name
        self._portrait = face
        self.add_widget(face)
        room = size[0] - face.width - 2.6 * style.gap_s
        self._words = [
            Fitted(name, (style.type_s, style.type_xs), room),
            Fitted(text, (style.type_xs,), room, color=style.ash, font_name=TEXT),
        ]
        for words in self._words:
            self.add_widget(words)
        self.bind(pos=self._place, size=self._place)
        self.bind(on_release=lambda *_: press())
        self._place()

    def _place(self, *_: Any) -> None:
        middle = self.y + self.height / 2
        self._portrait.pos = (self.x + style.gap_s, middle - self._portrait.height / 2)
        left = self.x + 1.6 * style.gap_s + self._portrait.width
        top = middle + sum(words.height for words in self._words) / 2
        for words in self._words:
            top -= words.height
            words.pos = (left, top)


class ColourKey(ButtonBehavior, Card):  # type: ignore[misc]
    """A colour of the box that can be chosen: a piece above its name."""

    def __init__(
        self, swatch: Swatch, word: str, press: Callable[[], None], width: float, *, chosen: bool
    ) -> None:
        super().__init__(
            fill="stone", line="dawn" if chosen else "edge", size_hint=(None, None),
            size=(width, style.target),
        )  # fmt: skip
        self.text, self._swatch = word, swatch
        small = fit_one_line(word, (style.type_xs,), width - style.gap_s)
        self._word = Words(
            word, color=style.bone if chosen else style.ash, font_size=small, width=width,
            halign="center", line_height=1.0,
        )  # fmt: skip
        self.add_widget(swatch)
        self.add_widget(self._word)
        self.bind(pos=self._place, size=self._place)
        self.bind(on_release=lambda *_: press())

    def _place(self, *_: Any) -> None:
        swatch, word = self._swatch, self._word
        rest = (self.height - swatch.height - word.height) / 3
        word.pos = (self.x, self.y + rest)
        swatch.pos = (self.x + (self.width - swatch.width) / 2, self.y + 2 * rest + word.height)


class SeatTable(FloatLayout):  # type: ignore[misc]
    """The table with the game's board on it, and ``seats`` clockwise from the near side, or where
    ``places`` on the board (mm from its middle) are nearest to them."""

    def __init__(
        self,
        game: str,
        seats: Sequence[SeatKey],
        places: Sequence[tuple[float, float]] | None = None,
    ) -> None:
        super().__init__()
        self._seats = tuple(seats)
        count = len(seats)
        self._edges = [_around(number, count) for number in range(count)]
        if places is not None:
            self._edges = [_to_edge(*place) for place in places]
        with self.canvas.before:
            self._fill = Color(*style.tone("slate"))
            self._top = Round()
            Color(*style.tone("edge"))
            self._rim = Round()
        self._board = Board(size_hint=(None, None))
        self._board.show(bare_scene(game_box(game)))
        self.add_widget(self._board)
        for seat in self._seats:
            self.add_widget(seat)
        self.bind(pos=self._arrange, size=self._arrange)

    def _arrange(self, *_: Any) -> None:
        if not self._seats:
            return
        wide, high = self._seats[0].size
        middle = (self.x + self.width / 2, self.y + self.height / 2)
        reach = ((self.width - wide) / 2, (self.height - high) / 2)
        inset = (wide * 0.34, high * 0.5)
        corner = (self.x + inset[0], self.y + inset[1])
        size = (self.width - 2 * inset[0], self.height - 2 * inset[1])
        self._top.place(corner, size, style.radius * 3)
        self._rim.place(corner, size, style.radius * 3, style.hairline * 0.7)
        for number, seat in enumerate(self._seats):
            across, up = self._edges[number]
            seat.pos = (
                middle[0] + across * reach[0] - wide / 2,
                middle[1] + up * reach[1] - high / 2,
            )
        side = self._room(wide, high)
        self._board.size = side
        self._board.pos = (middle[0] - side[0] / 2, middle[1] - side[1] / 2)

    def _room(self, wide: float, high: float) -> tuple[float, float]:
        """The middle of the table that no seat covers."""
        sides = any(abs(across) > 0.6 for across, _up in self._edges)
        width = self.width - (2 * wide if sides else wide) - 2 * style.gap
        return (max(width, 1), max(self.height - 2 * high - 2 * style.gap, 1))


def _around(number: int, count: int) -> tuple[float, float]:
    """Position of a seat, −1 to 1 across and up: clockwise from the near side of the table."""
    angle = -math.pi / 2 - number * 2 * math.pi / count
    return _to_edge(math.cos(angle), math.sin(angle))


def _to_edge(across: float, up: float) -> tuple[float, float]:
    """A direction from the middle as a place on the edge of the table, −1 to 1."""
    # Onto the edge of the table rather than onto a circle, so that seats stay apart.
    far = max(abs(across), abs(up))
    return (across / far, up / far)
