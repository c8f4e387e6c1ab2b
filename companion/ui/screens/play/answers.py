"""The answers to a question: buttons, each a picture with words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from kivy.graphics import (
    Color,
    InstructionGroup,
    ScissorPop,
    ScissorPush,
)
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.widget import Widget

from companion.match.view import ChooseCandidate
from companion.presentation.question import Answer, Question
from companion.presentation.scene import Scene
from companion.presentation.theme.icons import ICONS
from companion.presentation.words.sentences import card_names
from companion.ui.drawing.board import Board
from companion.ui.drawing.ink import Round, disc
from companion.ui.drawing.pieces import PieceLook, draw_piece, draw_text
from companion.ui.screens.play.panel_rows import Scribe
from companion.ui.theme.lettering import Setting
from companion.ui.theme.style import style, window_part
from companion.ui.widgets.base import Card, Symbol, Words, fit_one_line
from companion.ui.widgets.rows import Row, side_by_side
from rules.box import PieceKind

_LEAST = 64.0
"""Least height of an answer."""
_HIGHEST = 230.0
_LEAST_PICTURES = (46.0, 46.0, 28.0)
"""Least heights of a picture, by the size of the words."""
_MOST_LINES = 3
"""Number of lines above which words go beside their picture."""
_SIDES = (0.42, 0.42, 0.28)
"""The share of an answer across the column that is its picture, by the size of its words."""


class _Shape(NamedTuple):
    """Sizes of an answer, px."""

    size: tuple[float, float]
    """As high as it must be, where that is more than it may."""
    words: Setting
    picture: tuple[float, float]
    upright: bool
    """True if its words are below the picture, else beside it."""


def _shape(s: Scribe, answer: Answer, size: tuple[float, float], *, upright: bool) -> _Shape:
    pad, (width, height) = style.gap_s, size
    bare = not (answer.pieces or answer.scene or answer.sign)
    # Words without a picture are in the middle.
    upright = upright or bare
    side = _SIDES[s.density.step]
    room = width - 2 * pad if upright else width * (1 - side) - 2 * pad
    words = _words(s, answer.words, room, upright=upright)
    high = words.extent[1]
    below = high + style.grid if upright else 0.0
    least = 0.0 if bare else _LEAST_PICTURES[s.density.step] * style.factor
    picture = (
        width - 2 * pad if upright else width * side - pad,
        0.0 if bare else max(height - below - 2 * pad, least),
    )
    height = max(height, least + below + 2 * pad, high + 2 * pad)
    return _Shape((width, height), words, picture, upright)


class AnswerCard(ButtonBehavior, Card):  # type: ignore[misc]
    """One answer."""

    def __init__(self, s: Scribe, answer: Answer, number: int, shape: _Shape) -> None:
        super().__init__(fill="stone", line="edge", size_hint=(None, None), size=shape.size)
        self.text, self._upright = answer.text, shape.upright
        self._words = Words(
            answer.words, bold=True, font_size=shape.words.size, width=shape.words.width,
            line_height=1.0, halign=shape.words.align,
        )  # fmt: skip
        self._picture = _picture(s, answer, shape.picture)
        self.add_widget(self._picture)
        self.add_widget(self._words)
        self._badge = InstructionGroup()
        self._number = str(number) if answer.flag else ""
        self.canvas.after.add(self._badge)
        self.bind(pos=self._place, size=self._place)
        self.bind(on_release=lambda *_: s.touches.post(ChooseCandidate(number - 1)))

    def _place(self, *_: Any) -> None:
        pad, picture, words = style.gap_s, self._picture, self._words
        picture.pos = (self.x + pad, self.y + self.height - pad - picture.height)
        if self._upright:
            room = picture.y - self.y
            words.pos = (self.x + pad, self.y + (room - words.height) / 2)
        else:
            picture.y = self.y + (self.height - picture.height) / 2
            left = picture.x + picture.width + pad * 1.5
            words.pos = (left, self.y + (self.height - words.height) / 2)
        self._draw_badge()

    def _draw_badge(self) -> None:
        """The number with which it is marked on the board."""
        self._badge.clear()
        if not self._number:
            return
        side = style.gap_l * 1.5
        left, low = self._picture.x - side * 0.25, self._picture.top - side * 0.75
        self._badge.add(Color(*style.tone("ask")))
        at = (left + side / 2, low + side / 2)
        self._badge.add(disc(at, side / 2))
        draw_text(self._badge, self._number, at, style.type_s, style.tone("night"))


class _Pieces(Widget):  # type: ignore[misc]
    """Pieces side by side, as large as there is room."""

    def __init__(self, kinds: Sequence[PieceKind], names: Callable[[str], str], **kwargs: Any):
        super().__init__(**kwargs)
        self._kinds, self._names = tuple(kinds), names
        self._drawing = InstructionGroup()
        self.canvas.add(self._drawing)
        self.bind(pos=self._draw, size=self._draw)
        self._draw()

    def _draw(self, *_: Any) -> None:
        self._drawing.clear()
        cell = self.width / len(self._kinds)
        for number, kind in enumerate(self._kinds):
            px = min(cell * 0.9 / kind.size[0], self.height / kind.size[1])
            at = (self.x + cell * (number + 0.5), self.y + self.height / 2)
            draw_piece(self._drawing, kind, at, px, PieceLook(name=self._names(kind.id)))


def answer_rows(s: Scribe, question: Question, room: float) -> list[Row]:
    """The answers in ``room`` px of height: beside each other, or below each other if they are
    long."""
    answers, gap = question.answers, style.gap_s
    across = _across(s, answers)
    each = (s.width - gap * (across - 1)) / across
    lines = -(-len(answers) // across)
    least = _LEAST * style.factor
    high = min((room - gap * (lines - 1)) / lines, _HIGHEST * style.factor)
    level = len(answers) // across * across if across > 1 else 0

    def made(height: float) -> list[Row]:
        numbered = [*enumerate(answers, 1)]
        found = []
        for first in range(0, level, across):
            line = numbered[first : first + across]
            cards = [_card(s, one, n, (each, height), upright=True) for n, one in line]
            if (most := max(card.height for card in cards)) > height:
                # All as high as the one that needs most.
                cards = [_card(s, one, n, (each, most), upright=True) for n, one in line]
            found.append(side_by_side(cards, gap))
        alone = [
            _card(s, answer, number, (s.width, height), upright=False)
            for number, answer in numbered[level:]
        ]
        return [*found, *alone]

    rows = made(max(high, least))
    # Where one needs more than its share, the others give way.
    crowded = sum(row.height for row in rows) + gap * (lines - 1) > room
    return made(least) if crowded else rows


def _card(
    s: Scribe, answer: Answer, number: int, size: tuple[float, float], *, upright: bool
) -> Row:  # fmt: skip
    shape = _shape(s, answer, size, upright=upright)
    # Another view asks another question.
    shows = ("answer", id(s.words.view), number, shape)
    return Row(shows, shape.size[1], partial(AnswerCard, s, answer, number, shape))


def _across(s: Scribe, answers: Sequence[Answer]) -> int:
    """Number of answers beside each other: two; three if one more piece would stand alone; one if
    their words are long."""
    single = all(len(answer.pieces) == 1 for answer in answers)
    for count in (3, 2):
        width = (s.width - style.gap_s * (count - 1)) / count
        fitting = all(_short(s, answer.words, width) for answer in answers)
        if fitting and len(answers) > 1 and (count == 2 or (single and len(answers) == count)):
            return count
    return 1


def _short(s: Scribe, text: str, width: float) -> bool:
    """True if words go below a picture of this width."""
    words = _words(s, text, width - 2 * style.gap_s, upright=True)
    return words.extent[1] <= words.size * _MOST_LINES * 1.3


def _words(s: Scribe, text: str, width: float, *, upright: bool) -> Setting:
    sizes = (style.body * 1.2, style.body, style.caption, style.caption * 0.9)
    # No word is broken, and one line may be larger.
    longest = max(text.split(), key=len, default="")
    size = fit_one_line(longest, sizes[1 + s.density.step :], width)
    if s.density.step == 0 and fit_one_line(text, sizes[:2], width) == sizes[0]:
        size = sizes[0]
    return Setting(text, size, width=width, align="center" if upright else "left")


def _picture(s: Scribe, answer: Answer, size: tuple[float, float]) -> Any:
    place: dict[str, Any] = {"size_hint": (None, None), "size": size}
    if answer.pieces:
        names = card_names(s.words.view, style.lang)
        return _Pieces(answer.pieces, lambda kind: names.get(kind, ""), **place)
    if answer.scene is not None:
        return Excerpt(answer.scene, answer.part, **place)
    ink: dict[str, Any] = {"font_size": min(size) * 0.6, "color": style.ask}
    if answer.sign in ICONS:
        return Symbol(text=answer.sign, **ink, **place)
    return Words(answer.sign, halign="center", **ink, **place)  # a figure


Rect = tuple[float, float, float, float]


class Excerpt(Widget):  # type: ignore[misc]
    """Shows the ``part`` (left, bottom, right, top in mm; None: all) of ``scene``, and whatever of
    the board lies around it as far as there is room."""

    def __init__(self, scene: Scene, part: Rect | None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.board = Board()
        self.board.part = part
        with self.canvas.before:
            Color(*style.tone("night", 0.55))
            self._wall = Round()
            self._frame = ScissorPush()
        self.add_widget(self.board)
        with self.canvas.after:
            ScissorPop()
            Color(*style.edge)
            self._edge = Round()
        self.bind(pos=self._place, size=self._place)
        self._place()
        self.board.show(scene)

    def _place(self, *_: Any) -> None:
        self.board.pos, self.board.size = self.pos, self.size
        self._wall.place(self.pos, self.size, style.grid)
        part = window_part(*self.to_window(self.x, self.y), *self.size)
        self._frame.pos, self._frame.size = part[:2], part[2:]
        self._edge.place(self.pos, self.size, style.grid, style.hairline * 0.55)
