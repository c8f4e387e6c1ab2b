"""All players' points side by side, always in the same place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, InstructionGroup, SmoothRoundedRectangle
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout

from companion.match.view import ClockView
from companion.presentation.players import Player
from companion.presentation.theme.piece_colours import fill_of
from companion.ui.drawing.pieces import PieceLook, draw_piece
from companion.ui.theme.style import BOLD, style
from companion.ui.widgets.base import Card, Letters, drawn, fit_one_line, fits
from companion.ui.widgets.turn_clock import SeatTime

_HEIGHT, _LOW = 72.0, 48.0
"""Heights at a short side of 480, px: with names below the figures, and without."""
_NARROW = 70.0
"""Width of a cell below which there is no room for a piece beside the figure."""
_TIMED = 100.0
"""Width of a cell that has room for a name and a time, at a short side of 480, px."""
_LINE = 1.25
"""Height of a line of figures, in font sizes."""
_LETTERS = 3
"""Least number of letters by which a cut name is recognised."""


class ScoreCell(ButtonBehavior, Card):  # type: ignore[misc]
    """One side: its pieces, points and names, and its way to the points that win at once.
    ``active``: it is the turn of ``player``, one of them; ``chosen``: what lies in front of them is
    shown."""

    def __init__(
        self,
        player: Player,
        side: Sequence[Player],
        press: Callable[[], None],
        width: float,
        *,
        active: bool,
        chosen: bool,
        low: bool,
    ) -> None:
        height = strip_height(low=low)
        super().__init__(
            fill="stone" if active else "slate",
            line="dawn" if active else "ask" if chosen else "edge",
            size_hint=(None, None), size=(width, height),
        )  # fmt: skip
        if active:
            self.line_width = style.stroke * 0.6
        self.player, self.side, self.active = player, side, active
        self._tokens = [one.token for one in side if one.token is not None]
        self._drawing = InstructionGroup()
        self.canvas.add(self._drawing)
        self._token = 18.0 * style.factor
        pad = style.gap_s * 0.75
        room = width - 2 * pad
        narrow = width < _NARROW * style.factor
        self._beside = bool(self._tokens) and not narrow
        beside = room - self._step * len(self._tokens) if self._beside else room
        # A name and figures below each other need all of the height; without points the name
        # stands in the place of the figures.
        self._below = bool(player.score) and not low
        self._room = 0.0 if low else room
        self.name = self._label(self._named(room) if self._below else "", style.caption)
        left = height - self._foot - style.grid * narrow
        figure = min(style.figure, left / _LINE)
        sizes: tuple[float, ...] = (
            figure,
            figure * 0.88,
            figure * 0.75,
            figure * 0.65,
            figure * 0.55,
        )
        if player.score:
            said = player.score
        else:
            said, sizes = self._named(beside), (style.body, style.caption)
        self.score = self._label(said, fit_one_line(said, sizes, beside))
        self.time: SeatTime | None = None
        """Time left of the player, if they play with a clock and there is room for it."""
        self._later = Clock.create_trigger(self._place, -1)
        self.bind(pos=self._later, size=self._later)
        self.bind(on_release=lambda *_: press())
        self._place()

    @property
    def _step(self) -> float:
        """Distance of pieces beside each other, px."""
        return float(self._token + style.grid)

    def _named(self, room: float) -> str:
        """The names of the side, together or cut as there is room for them."""
        between = " + "
        names = [one.name for one in self.side]
        if fits(between.join(names), style.caption, room):
            return between.join(names)
        # As wide as the sign between them, and halved.
        each = room / len(names) - style.caption * 0.75 * (len(names) - 1)
        return between.join(_cut(name, each) for name in names)

    def _label(self, text: str, px: float) -> Any:
        label = Letters(
            text=text, font_name=BOLD, font_size=px, color=style.bone, size_hint=(None, None)
        )
        label.size = drawn(label) if text else (0, 0)
        self.add_widget(label)
        return label

    def show_time(self, clock: ClockView | None) -> None:
        """Show what is left of the player's time, beside the name."""
        if clock is None or self._room < _TIMED * style.factor:
            if self.time is None:
                return
            self.time.rest()
            self.remove_widget(self.time)
            self.time = None
        elif self.time is not None:
            self.time.show(clock, self.player.seat)
            return
        else:
            self.time = SeatTime(clock, self.player.seat, font_size=style.body)
            self.time.bind(size=self._fit_name)
            self.add_widget(self.time)
        self._fit_name()

    def _fit_name(self, *_: Any) -> None:
        """The name in the room that the time leaves."""
        taken = 0.0 if self.time is None else self.time.width + style.grid
        self.name.text = self._named(self._room - taken) if self._below else ""
        self.name.size = drawn(self.name) if self.name.text else (0, 0)
        self._place()

    @property
    def _foot(self) -> float:
        """Height of the line of the name, px."""
        return self.name.height if self.name.text else 0.0

    def _place(self, *_: Any) -> None:
        pad = style.gap_s * 0.75
        foot = self._foot
        lower = 0.0 if self._beside or not self._tokens else style.grid
        lower -= style.grid if self.time is not None else 0.0
        middle = self.y + foot + (self.height - foot - lower) / 2
        left = self.x + self.width - pad - self.score.width
        if not self.player.score:
            taken = self._step * len(self._tokens) + style.grid
            left = self.x + pad + (taken if self._beside else 0.0)
        self.score.pos = (left, middle - self.score.height / 2)
        self.name.pos = (self.x + pad, self.y + style.grid * 0.6)
        if self.time is not None:
            # On the line of the name.
            level = self.name.y - (self.time.height - self.name.height) * 0.65
            if not self._below:
                level = middle - self.time.height / 2
            self.time.pos = (self.x + self.width - pad - self.time.width, level)
        self._drawing.clear()
        if self._tokens and not self._beside:
            # Pieces that have no room: their colour, along the upper edge.
            self._draw_band(fill_of(self._tokens[0], style.chosen.piece_colours))
            return
        for number, kind in enumerate(self._tokens):
            at = (self.x + pad + self._token / 2 + self._step * number, middle)
            px = self._token / max(kind.size)
            draw_piece(self._drawing, kind, at, px, PieceLook(mark=False))
        if self.player.way is not None:
            self._draw_band(style.edge)
            self._draw_band(style.dawn if self.active else style.bone, self.player.way)

    def _draw_band(self, colour: Sequence[float], part: float = 1.0) -> None:
        """A band along the upper edge, or the first ``part`` of it."""
        high, inset = style.grid * 1.5, self.rounding * 0.7
        wide = (self.width - 2 * inset) * part
        self._drawing.add(Color(*colour))
        self._drawing.add(
            SmoothRoundedRectangle(
                pos=(self.x + inset, self.y + self.height - high - style.grid * 0.75),
                size=(wide, high), radius=[min(high, wide) / 2] * 4,
            )
        )  # fmt: skip


def _cut(name: str, room: float) -> str:
    """Beginning of a name, as many letters as there is room for."""
    if fits(name, style.caption, room):
        return name
    for length in range(len(name) - 1, _LETTERS - 1, -1):
        short = name[:length].rstrip() + "."
        if fits(short, style.caption, room):
            return short
    return name[:_LETTERS]


def strip_height(*, low: bool) -> float:
    """Height of the strip, px; ``low``: without names below the figures."""
    return float((_LOW if low else _HEIGHT) * style.factor)


def score_strip(
    players: Sequence[Player],
    sides: Sequence[Sequence[int]],
    mover: int | None,
    looked_at: int | None,
    press: Callable[[int], None],
    width: float,
    *,
    low: bool,
) -> Any:
    """A line of ``width`` px with a cell for every one of ``sides``. Touches of it look at one of
    them after the other, whoever is to move first."""
    gap = style.gap_s * 0.75
    each = (width - gap * (len(sides) - 1)) / len(sides)
    line = BoxLayout(spacing=gap, size_hint=(None, None), size=(width, strip_height(low=low)))
    for seats in sides:
        order = sorted(seats, key=lambda one: one != mover)
        shown = order.index(looked_at) if looked_at in order else -1
        then = order[min(shown + 1, len(order) - 1)]
        line.add_widget(
            ScoreCell(
                players[order[0]], [players[one] for one in seats], partial(press, then), each,
                active=mover in seats, chosen=shown >= 0, low=low,
            )
        )  # fmt: skip
    return line


def show_times(strip: Any, clock: ClockView | None) -> None:
    """Shows the time left of all players in the cells of a strip; None: no time."""
    for cell in strip.children:
        cell.show_time(clock)
