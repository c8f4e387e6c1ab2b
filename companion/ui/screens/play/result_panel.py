"""A result, large: the card or piece that was revealed, what it was to be, and what follows.

It takes the place of the words beside the board until it is put away.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from kivy.graphics import Color, InstructionGroup
from kivy.uix.widget import Widget

from companion.match.view import SET_ELSEWHERE, SET_FOR_COMPUTER
from companion.presentation.theme import tokens as theme
from companion.presentation.theme.piece_colours import fill_of
from companion.ui.drawing.ink import Round
from companion.ui.drawing.pieces import PieceLook, draw_piece, draw_text
from companion.ui.screens.play.panel_rows import Scribe, computer_rows, last_move
from companion.ui.screens.play.panels import Panel, ready_key
from companion.ui.theme.style import style
from companion.ui.widgets.base import as_is, fit_one_line
from companion.ui.widgets.rows import (
    Row,
    below_each_other,
    blank,
    key_row,
    side_by_side,
    words_row,
)
from rules.box import Box, PieceKind
from rules.core import Result
from rules.telling import Teller

_LEAST_PX, _HIGHEST_PX = 96.0, 230.0
"""Height of the drawing at a short side of 480."""
_ABREAST = 260.0
"""Width from which facts stand abreast, likewise."""
_STEPS = (1.0, 0.9, 0.8, 0.7, 0.6)
"""Sizes of the words that are tried, as shares of the usual one."""


def result_panel(s: Scribe, result: Result, put_away: Callable[[], None]) -> Panel:
    """The panel for a ``result`` that was not put away yet.

    Where the next player's secrets come after it, it stays until they say that they are there: both
    see it, and one touch does.
    """
    words = s.words
    rows = result_rows(result, words.box, words.teller, s.width, s.room)
    if s.covered and not s.on_phone:
        return Panel(rows, [ready_key(s)], points=False)
    told = words.teller.result(result)
    if result.code == SET_FOR_COMPUTER and words.view.computed is not None:
        rows = [*computer_rows(s), words_row(told.text, s.width, font_size=style.body)]
    elif result.code == SET_ELSEWHERE:
        rows += last_move(s)
    key = key_row(told.do, put_away, primary=True, type_px=style.body)
    return Panel(rows, [key], points=False)


def result_rows(result: Result, box: Box, teller: Teller, width: float, room: float) -> list[Row]:
    """Rows for the column, ``width`` px wide and together ``room`` px high at most."""
    rows: list[Row] = []
    for step in _STEPS:
        rows, fits = _rows(result, box, teller, width, room, step)
        if fits:
            break
    return rows


def _rows(
    result: Result, box: Box, teller: Teller, width: float, room: float, step: float
) -> tuple[list[Row], bool]:
    """The rows with words of this size, a share of the usual one, and whether they fit."""
    told, kind = teller.result(result), box.kinds.get(result.kind)
    sizes = tuple(style.title * share * step for share in (1.0, 0.84, 0.75))
    size = fit_one_line(told.title, sizes, width)
    rows = [words_row(told.title, width, bold=True, font_size=size, line_height=1.02)]
    after: list[Row] = []
    text = partial(words_row, told.text, font_size=style.body * step, line_height=1.08)
    # Without figures the text has their place beside a picture.
    abreast = kind is not None and not result.facts and width > 1.5 * _ABREAST * style.factor
    if told.text and not abreast:
        after.append(text(width))
    left = room - sum(row.height for row in (*rows, *after)) - style.gap * (len(after) + 1)
    if kind is None:
        facts = _facts(result, box, teller, width, step, upright=False)
        return [*rows, *([] if facts is None else [facts]), *after], left >= 0
    height = min(max(left, _LEAST_PX * style.factor * step), _HIGHEST_PX * style.factor)
    wide = _width_of(kind, height)
    picture = Row(
        ("turned up", kind.id, result.good, result.note, height), height,
        partial(TurnedUp, kind, teller, result, height),
    )  # fmt: skip
    beside_it = width - wide - style.gap_l
    narrow = beside_it < _ABREAST * style.factor
    facts = _facts(result, box, teller, beside_it, step, upright=narrow)
    told_beside = text(beside_it) if abreast else facts or blank()
    row = side_by_side([picture, told_beside], style.gap_l, level="top")
    return [*rows, row, *after], row.height <= left + 1


# -- facts ------------------------------------------------------------------------------------


def _facts(
    result: Result, box: Box, teller: Teller, width: float, step: float, *, upright: bool
) -> Row | None:
    """Labels with figures, below each other beside a picture, else side by side."""
    told = teller.facts(result)
    if not told:
        return None
    each = width if upright else (width - style.gap) / len(told)
    blocks = [
        _fact(label, figure, _swatch_of(str(value), box), each, step)
        for (label, figure), (_key, value) in zip(told, result.facts, strict=True)
    ]
    if upright:
        return below_each_other(blocks, style.gap_s)
    return side_by_side(blocks, style.gap)


def _fact(label: str, figure: str, swatch: PieceKind | None, width: float, step: float) -> Row:
    size = fit_one_line(label, _smaller(style.caption * step), width)
    rows = [words_row(label, width, font_size=size, tone="ash", line_height=1.0)]
    first, _, rest = figure.partition(" ")
    if first.lstrip("+−-").isdigit():
        rows.append(_figure(first, rest, width, step))
        return below_each_other(rows, 0)
    side = style.body * 1.1 * step if swatch is not None else 0.0
    room = width - side - (style.gap_s if side else 0)
    size = fit_one_line(figure, _smaller(style.type_m * step), room)
    words = words_row(figure, room, bold=True, font_size=size, line_height=1.0)
    if swatch is not None:
        make = partial(_Swatch, swatch, size_hint=(None, None), size=(side, side))
        words = side_by_side([Row(("swatch", swatch.id), side, make), words])
    return below_each_other([*rows, words], 0)


def _smaller(size: float) -> tuple[float, ...]:
    return tuple(size * share for share in (1.0, 0.85, 0.72, 0.6))


def _figure(first: str, rest: str, width: float, step: float) -> Row:
    """A large number and what belongs to it, on one line."""
    large = style.figure * step
    for size in _smaller(style.type_m * step):
        text = f"[b]{as_is(first)}[/b]"
        if rest:
            text += f" [size={round(size)}]{as_is(rest)}[/size]"
        words = words_row(text, width, markup=True, font_size=large, line_height=1.0)
        if words.height < 2 * large:
            break
    return words


def _swatch_of(value: str, box: Box) -> PieceKind | None:
    """A round piece of the colour that a fact names."""
    kinds = [kind for kind in box.kinds.values() if kind.owner == value and value]
    return next((kind for kind in kinds if kind.shape in ("disc", "octagon")), None)


class _Swatch(Widget):  # type: ignore[misc]
    """A piece as a sign of its colour."""

    def __init__(self, kind: PieceKind, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._kind, self._drawing = kind, InstructionGroup()
        self.canvas.add(self._drawing)
        self.bind(pos=self._draw, size=self._draw)

    def _draw(self, *_: Any) -> None:
        self._drawing.clear()
        at = (self.x + self.width / 2, self.y + self.height / 2)
        draw_piece(self._drawing, self._kind, at, min(self.size) / max(self._kind.size))


# -- the card ---------------------------------------------------------------------------------


def _width_of(kind: PieceKind, height: float) -> float:
    """Width of a card or piece ``height`` px high, its ring included."""
    ring, (wide, high) = style.grid * 1.5, kind.size
    shape = min(max(wide / high, 0.72), 1.3) if kind.shape == "card" else 1.0
    return float((height - 2 * ring) * shape + 2 * ring)


class TurnedUp(Widget):  # type: ignore[misc]
    """A card or piece, ``height`` px high, in a ring that says whether it is good."""

    def __init__(self, kind: PieceKind, teller: Teller, result: Result, height: float) -> None:
        super().__init__(size_hint=(None, None), size=(_width_of(kind, height), height))
        self.kind, self.name = kind, teller.kind(kind.id)
        note = teller.word(result.note) if result.note else ""
        self._note = "" if note in self.name else note
        self._tone = "ok" if result.good else "stop"
        self._drawing = InstructionGroup()
        self.canvas.add(self._drawing)
        self.bind(pos=self._draw, size=self._draw)
        self._draw()

    def _draw(self, *_: Any) -> None:
        group, ring = self._drawing, style.grid * 1.5
        group.clear()
        at = (self.x + self.width / 2, self.y + self.height / 2)
        size = (self.width - 2 * ring, self.height - 2 * ring)
        if self.kind.shape == "card":
            self._draw_card(at, size)
        else:
            px = min(size[0] / self.kind.size[0], size[1] / self.kind.size[1])
            draw_piece(group, self.kind, at, px, PieceLook())
        group.add(Color(*style.tone(self._tone)))
        inner = (self.width - 2, self.height - 2)
        group.add(Round((self.x + 1, self.y + 1), inner, style.radius, style.stroke * 0.7))

    def _draw_card(self, at: tuple[float, float], size: tuple[float, float]) -> None:
        """Its number in the middle, what it is called above, its colour below."""
        group, (width, height) = self._drawing, size
        fill = fill_of(self.kind, style.chosen.piece_colours)
        light, dark = style.tone("rim_light"), style.tone("rim_dark")
        ink = max(light, dark, key=lambda tone: theme.contrast(fill, tone))
        group.add(Color(*fill))
        corner = (at[0] - width / 2, at[1] - height / 2)
        group.add(Round(corner, size, style.radius * 0.7))
        number = self.kind.mark if self.kind.mark.isdigit() else ""
        words = [w for w in self.name.split() if w != number]
        line = height * 0.16
        if not number:
            self._draw_words(at, width, height, [*words, self._note] if self._note else words, ink)
            return
        draw_text(group, number, at, min(height * 0.42, width * 0.62), ink)
        self._fitted(" ".join(words), (at[0], at[1] + height / 2 - line * 0.95), width, line, ink)
        if self._note:
            low = (at[0], at[1] - height / 2 + line * 0.95)
            self._fitted(self._note, low, width, line, ink)

    def _draw_words(
        self,
        at: tuple[float, float],
        width: float,
        height: float,
        words: list[str],
        ink: theme.Rgba,
    ) -> None:  # fmt: skip
        """A name, one word per line."""
        line = min(height * 0.8 / max(len(words), 1), height * 0.2)
        top = at[1] + line * (len(words) - 1) / 2
        for number, word in enumerate(words):
            self._fitted(word, (at[0], top - line * number), width, line * 0.8, ink)

    def _fitted(
        self, text: str, at: tuple[float, float], width: float, size: float, ink: theme.Rgba
    ) -> None:
        """A line of words as large as the card is wide."""
        size = fit_one_line(text, tuple(size * step for step in (1, 0.85, 0.7, 0.58)), width * 0.9)
        draw_text(self._drawing, text, at, size, ink)
