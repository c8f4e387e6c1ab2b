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
from companion.ui.drawing.faces import draw_face, seat_of
from companion.ui.theme.lettering import line_width
from companion.ui.theme.style import style
from companion.ui.widgets.base import Card, Fitted, fit_one_line, fits
from companion.ui.widgets.rows import Press, Row
from companion.ui.widgets.turn_clock import SeatTime

_HEIGHT, _LOW = 72.0, 48.0
"""Heights at a short side of 480, px: with names below the figures, and without."""
_FACES = (40.0, 34.0, 28.0, 24.0, 22.0)
"""Sides of faces to be tried, so that the figures beside them stay large."""
_TIMED = 100.0
"""Width of a cell that has room for a name and a time, at a short side of 480, px."""
_LINE = 1.25
"""Height of a line of figures, in font sizes."""
_LEAST = 50.0
"""Width of a cell for a face and two figures, at a short side of 480, px."""


class ScoreCell(ButtonBehavior, Card):  # type: ignore[misc]
    """One side: its faces, points and names, and its way to the points that win at once.
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
        self._drawing = InstructionGroup()
        self.canvas.add(self._drawing)
        pad = style.gap_s * 0.75
        room = width - 2 * pad
        # A name and figures below each other need all of the height; without points the name
        # stands in the place of the figures.
        self._below = bool(player.score) and not low
        self._room = 0.0 if low else room
        self._named = " + ".join(one.name for one in side)
        small = (style.type_s, style.type_xs)
        self.name = Fitted(self._named if self._below else "", small, room)
        left = height - self._foot - style.grid
        said = player.score or self._named
        sizes = (style.figure, style.type_l, style.type_m, style.type_s)
        sizes = tuple(size for size in sizes if size * _LINE <= left) if player.score else small
        self._portrait, beside = self._shares(said, sizes, room, left)
        self.score = Fitted(said, sizes, beside)
        for label in (self.name, self.score):
            self.add_widget(label)
        self.time: SeatTime | None = None
        """Time left of the player, if they play with a clock and there is room for it."""
        self._later = Clock.create_trigger(self._place, -1)
        self.bind(pos=self._later, size=self._later)
        self.bind(on_release=lambda *_: press())
        self._place()

    def _shares(
        self, said: str, sizes: tuple[float, ...], room: float, height: float
    ) -> tuple[float, float]:
        """Side of the faces, and the room that they leave for what is ``said``, px."""
        count, found = len(self.side), list[tuple[float, float, float]]()
        for face in (min(side * style.factor, height) for side in _FACES):
            beside = room - count * (face + style.grid)
            found.append((fit_one_line(said, sizes, beside), face, beside))
            if found[-1][0] >= min(style.type_m, sizes[0]) and fits(said, found[-1][0], beside):
                break
        _size, face, beside = found[-1]
        return face, beside

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
            self.time = SeatTime(clock, self.player.seat, font_size=style.type_s)
            self.time.bind(size=self._fit_name)
            self.add_widget(self.time)
        self._fit_name()

    def _fit_name(self, *_: Any) -> None:
        """The name in the room that the time leaves."""
        taken = 0.0 if self.time is None else self.time.width + style.grid
        self.name.fit(self._room - taken)
        self._place()

    @property
    def _foot(self) -> float:
        """Height of the line of the name, px."""
        return float(self.name.height)

    def _place(self, *_: Any) -> None:
        pad = style.gap_s * 0.75
        middle = self.y + self._foot + (self.height - self._foot) / 2
        middle -= style.grid * 0.5 if self.time is not None or self.player.goal else 0.0
        step = self._portrait + style.grid
        left = self.x + self.width - pad - self.score.width
        if not self.player.score:
            left = self.x + pad + step * len(self.side)
        self.score.pos = (left, middle - self.score.height / 2)
        self.name.pos = (self.x + pad, self.y + style.grid * 0.6)
        if self.time is None:
            self.name.x = self.x + (self.width - self.name.width) / 2
        else:
            # On the line of the name.
            level = self.name.y - (self.time.height - self.name.height) * 0.65
            if not self._below:
                level = middle - self.time.height / 2
            self.time.pos = (self.x + self.width - pad - self.time.width, level)
        self._drawing.clear()
        if self.player.goal:
            self._draw_way()
        for number, one in enumerate(self.side):
            at = (self.x + pad + self._portrait / 2 + step * number, middle)
            glow = self.active and one.seat == self.player.seat
            draw_face(self._drawing, one.face, at, self._portrait, seat_of(one), glow=glow)

    def _draw_way(self) -> None:
        """A stone for each point of the goal along the upper edge; those that are made stand in
        light."""
        high, inset, goal = style.grid * 1.75, self.rounding * 0.6, self.player.goal
        step = (self.width - 2 * inset) / goal
        gap = min(step * 0.25, style.grid * 0.5)
        top = self.y + self.height - high - style.grid
        for number in range(goal):
            made = number < int(self.player.score)
            tone = (style.dawn if self.active else style.bone) if made else style.edge
            self._drawing.add(Color(*tone))
            at = (self.x + inset + number * step + gap / 2, top)
            self._drawing.add(
                SmoothRoundedRectangle(pos=at, size=(step - gap, high), radius=[gap] * 4)
            )


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
) -> Row:
    """A line of ``width`` px with a cell for every one of ``sides``. Touches of it look at one of
    them after the other, whoever is to move first."""
    gap, height = style.gap_s * 0.75, strip_height(low=low)
    widths = _widths(
        [[players[one].name for one in seats] for seats in sides], width - gap * (len(sides) - 1)
    )
    cells = []
    for seats, each in zip(sides, widths, strict=True):
        order = sorted(seats, key=lambda one: one != mover)
        shown = order.index(looked_at) if looked_at in order else -1
        then = Press(press, (order[min(shown + 1, len(order) - 1)],))
        state = {"active": mover in seats, "chosen": shown >= 0, "low": low}
        side = [players[one] for one in seats]
        make = partial(ScoreCell, players[order[0]], side, then, each, **state)
        looks = tuple(player.look for player in side)
        cells.append(Row(("cell", order[0], looks, then, each, *state.values()), height, make))

    def build(*cells: Any) -> Any:
        line = BoxLayout(spacing=gap, size_hint=(None, None), size=(width, height))
        for cell in cells:
            line.add_widget(cell)
        return line

    return Row(("points", width), height, build, tuple(cells))


def seat_places(strip: Any) -> dict[int, tuple[float, float]]:
    """Middle of each player's cell, by seat, px."""
    cells = [cell for cell in strip.children if isinstance(cell, ScoreCell)]
    return {player.seat: tuple(cell.center) for cell in cells for player in cell.side}


def _widths(names: Sequence[Sequence[str]], room: float) -> list[float]:
    """Widths of cells: equal ones, but a long name gets from short ones what it lacks, px."""
    each = room / len(names)
    needs = [
        max(style.gap_s * 1.75 + line_width(" + ".join(side), style.type_xs), _LEAST * style.factor)
        for side in names
    ]
    lack = sum(max(need - each, 0) for need in needs)
    spare = sum(max(each - need, 0) for need in needs)
    given = min(lack, spare)
    return [
        each + (need - each) * (given / lack if need > each else given / spare) if given else each
        for need in needs
    ]


def show_times(strip: Any, clock: ClockView | None) -> None:
    """Shows the time left of all players in the cells of a strip; None: no time."""
    for cell in strip.children:
        cell.show_time(clock)
