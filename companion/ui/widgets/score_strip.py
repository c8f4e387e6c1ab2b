"""All players' points side by side, always in the same place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from kivy.clock import Clock
from kivy.graphics import Color, InstructionGroup
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout

from companion.match.view import ClockView
from companion.presentation.players import Player
from companion.ui.drawing.faces import draw_face, seat_of
from companion.ui.drawing.ink import Round
from companion.ui.theme.lettering import Setting, line_width
from companion.ui.theme.style import style
from companion.ui.widgets.base import Card, Fitted, fit_one_line, fits
from companion.ui.widgets.rows import Press, Row
from companion.ui.widgets.turn_clock import SeatTime

_HEIGHT, _LOW = 72.0, 48.0
"""Heights at a short side of 480, px: with names below the figures, and without."""
_FACES = (40.0, 34.0, 28.0, 24.0, 22.0, 16.0)
"""Sides of faces to be tried, so that the figures beside them stay large."""
_TIMED = 100.0
"""Width of a cell that has room for a name and a time, at a short side of 480, px."""
_LINE = 1.25
"""Height of a line of figures, in font sizes."""
_LEAST = 54.0
"""Width of a cell for the smallest face and two figures, at a short side of 480, px."""
_PAD = 0.75
"""Margin within a cell, in small gaps."""
_STONE = 1.75
"""Height of a stone of the way to the points that win, in steps of the grid."""


class Sizes(NamedTuple):
    """Sizes that all cells of a strip share, px: none seems to matter more than another."""

    face: float
    """Side of the faces."""
    said: tuple[float, ...]
    """Letters of the points, or of names in their place: what they should have, then smaller."""
    names: tuple[float, ...]
    """The same of the names below."""


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
        sizes: Sizes,
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
        room = width - 2 * _PAD * style.gap_s
        # A name and figures below each other need all of the height; without points the name
        # stands in the place of the figures.
        self._below = bool(player.score) and not low
        self._room = 0.0 if low else room
        named = " + ".join(one.name for one in side)
        self.name = Fitted(named if self._below else "", sizes.names, room)
        self._portrait = sizes.face
        beside = room - len(side) * (sizes.face + style.grid)
        self.score = Fitted(player.score or named, sizes.said, beside)
        for label in (self.name, self.score):
            self.add_widget(label)
        self.time: SeatTime | None = None
        """Time left of the player, if they play with a clock and there is room for it."""
        self._later = Clock.create_trigger(self._place, -1)
        self.bind(pos=self._later, size=self._later)
        self.bind(on_release=lambda *_: press())
        self._place()

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
        pad = _PAD * style.gap_s
        top = self.height - (_way_height() if self.player.goal else 0.0)
        middle = self.y + (self._foot + top) / 2
        middle -= style.grid * 0.5 if self.time is not None else 0.0
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
        high, inset, goal = _STONE * style.grid, self.rounding * 0.6, self.player.goal
        step = (self.width - 2 * inset) / goal
        gap = min(step * 0.25, style.grid * 0.5)
        top = self.y + self.height - high - style.grid
        for number in range(goal):
            made = number < int(self.player.score)
            tone = (style.dawn if self.active else style.bone) if made else style.edge
            self._drawing.add(Color(*tone))
            at = (self.x + inset + number * step + gap / 2, top)
            self._drawing.add(Round(at, (step - gap, high), gap))


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
    sizes = _sizes([[players[one] for one in seats] for seats in sides], widths, low=low)
    for seats, each in zip(sides, widths, strict=True):
        order = sorted(seats, key=lambda one: one != mover)
        shown = order.index(looked_at) if looked_at in order else -1
        then = Press(press, (order[min(shown + 1, len(order) - 1)],))
        state = {"active": mover in seats, "chosen": shown >= 0, "low": low}
        side = [players[one] for one in seats]
        make = partial(ScoreCell, players[order[0]], side, then, each, sizes, **state)
        looks = tuple(player.look for player in side)
        cells.append(
            Row(("cell", order[0], looks, then, each, sizes, *state.values()), height, make)
        )

    def build(*cells: Any) -> Any:
        line = BoxLayout(spacing=gap, size_hint=(None, None), size=(width, height))
        for cell in cells:
            line.add_widget(cell)
        return line

    return Row(("points", width), height, build, tuple(cells))


def _way_height() -> float:
    """Height of the way to the points that win, with the room above it, px."""
    return float((_STONE + 1) * style.grid)


def _sizes(sides: Sequence[Sequence[Player]], widths: Sequence[float], *, low: bool) -> Sizes:
    """The sizes in which all sides fit into cells of these ``widths``."""
    small = (style.type_s, style.type_xs)
    rooms = [width - 2 * _PAD * style.gap_s for width in widths]
    named = [" + ".join(one.name for one in side) for side in sides]
    names = small[small.index(min(map(fit_one_line, named, [small] * len(rooms), rooms))) :]
    scored, goal = bool(sides[0][0].score), bool(sides[0][0].goal)
    said = [side[0].score or name for side, name in zip(sides, named, strict=True)]
    foot = Setting(named[0], names[0]).extent[1] if scored and not low else 0.0
    height = strip_height(low=low) - foot - style.grid - (_way_height() if goal else 0.0)
    sizes = (style.figure, style.type_l, style.type_m, style.type_s)
    sizes = tuple(size for size in sizes if size * _LINE <= height) if scored else small
    for face in (min(side * style.factor, height) for side in _FACES):
        beside = [room - len(side) * (face + style.grid)
                  for side, room in zip(sides, rooms, strict=True)]  # fmt: skip
        size = min(map(fit_one_line, said, [sizes] * len(beside), beside))
        if size >= min(style.type_m, sizes[0]) and all(map(fits, said, [size] * len(said), beside)):
            break
    return Sizes(face, sizes[sizes.index(size) :], names)


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
