"""The play screen from across the room: whose turn it is, one instruction, all points, and nothing
else.

It lies over the whole play screen; a touch anywhere leads back to it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from kivy.graphics import Color, InstructionGroup, Rectangle
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.floatlayout import FloatLayout

from companion.presentation.players import Player
from companion.presentation.table_words import TableWords, instruction
from companion.presentation.theme import tokens as theme
from companion.presentation.theme.board_look import CLEAR
from companion.presentation.theme.piece_colours import fill_of
from companion.ui.drawing.faces import face_of
from companion.ui.theme.lettering import line_width
from companion.ui.theme.style import style
from companion.ui.widgets.base import Card, Fitted, Words, fit_one_line
from companion.ui.widgets.turn_clock import SeatTime
from rules.core import Outcome

_NAMES = (190.0, 170.0, 150.0, 130.0, 112.0, 96.0, 80.0, 68.0, 56.0)
_TOLD = (58.0, 52.0, 46.0, 40.0, 34.0, 30.0)
_FIGURES = (112.0, 100.0, 90.0, 80.0, 72.0, 64.0, 54.0, 44.0, 36.0, 30.0, 24.0)
_TIME = 72.0
_LABELS = (40.0, 34.0, 28.0, 24.0, 20.0)
"""Sizes to be tried, px at a short side of 480."""
_NEAR = 54.0
"""Size of points below which players stand in two lines, likewise."""
_FACE = 34.0
"""Least side of a face that is recognised from afar, likewise."""
_POINTS = 0.39
"""The share of the height that the points take across, and upright."""
_POINTS_UPRIGHT = 0.26
_TALLER = 1.3
"""Factor by which that grows with two lines of players."""


class RoomView(ButtonBehavior, FloatLayout):  # type: ignore[misc]
    """Fills its screen; ``back`` is called when it is touched."""

    def __init__(self, words: TableWords, back: Callable[[], None], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._words = words
        self._drawing = InstructionGroup()
        self.canvas.before.add(self._drawing)
        self.bind(pos=self._build, size=self._build)
        self.bind(on_release=lambda *_: back())
        self._build()

    def on_touch_down(self, touch: Any) -> bool:
        super().on_touch_down(touch)
        # Nothing below it can be touched unseen.
        return True

    def _build(self, *_: Any) -> None:
        self.clear_widgets()
        self._drawing.clear()
        if self.width < style.target:
            return
        words, pad = self._words, style.margin
        leaders = _leaders(words.view.outcome)
        told = words.mover if words.view.outcome is None else leaders[0] if leaders else None
        wide = self.width > self.height
        cells, gap = words.players, style.gap
        for lines, taller in ((1, 1.0), (2, _TALLER)):
            points = self.height * (_POINTS if wide else _POINTS_UPRIGHT) * taller
            across = -(-len(cells) // lines)
            each = (self.width - pad - gap * (across - 1)) / across
            high = (points - pad - gap * (lines - 1)) / lines
            sizes = _common_sizes(cells, each - 2 * gap, high)
            if sizes.figure >= _NEAR * style.factor:
                break
        self._paint(None if told is None else words.players[told], points)
        for number, player in enumerate(cells):
            active = player.seat == told or player.seat in leaders
            cell = _Points(player, active=active, size_hint=(None, None), size=(each, high))
            line, column = divmod(number, across)
            cell.pos = (
                self.x + pad / 2 + column * (each + gap),
                self.y + pad / 2 + (lines - 1 - line) * (high + gap),
            )
            cell.build(sizes)
            self.add_widget(cell)
        self._write(None if told is None else words.players[told], points)

    def _paint(self, player: Player | None, points: float) -> None:
        """Paints the colour of a player, faintly, behind their name."""
        ground = _ground(player)
        for tone, low, high in (
            (style.tone("night"), 0.0, points), (ground, points, self.height),
        ):  # fmt: skip
            self._drawing.add(Color(*tone))
            self._drawing.add(Rectangle(pos=(self.x, self.y + low), size=(self.width, high - low)))

    def _write(self, player: Player | None, points: float) -> None:
        pad, unit = style.margin, style.factor
        timed = self._add_time(pad)
        room, height = self.width - 2 * pad, self.height - points - 2 * pad - timed
        text = instruction(self._words)
        title = player.name if player is not None else text
        told = text if player is not None else ""
        side = min(140.0 * unit, height * 0.5) if player is not None else 0.0
        beside = room - (side + style.gap_l * 1.5 if side else 0)
        yellow = theme.contrast(style.tone("dawn"), _ground(player)) >= CLEAR
        below = self._sentence(told, room, height * 0.42, style.dawn if yellow else style.bone)
        sizes = tuple(size * unit for size in _NAMES)
        sizes = tuple(size for size in sizes if size * 1.2 <= height - below.height) or sizes[-1:]
        name = Words(
            title, bold=True, font_size=fit_one_line(title, sizes, beside), width=beside,
            line_height=0.9,
        )  # fmt: skip
        top = self.y + points + pad + height
        whole = max(name.height, side) + style.gap + below.height
        top -= max((height - whole) / 2, 0)
        middle = top - max(name.height, side) / 2
        name.pos = (self.x + pad + room - beside, middle - name.height / 2)
        below.pos = (self.x + pad, middle - max(name.height, side) / 2 - style.gap - below.height)
        self.add_widget(name)
        self.add_widget(below)
        if player is not None:
            sign = face_of(player, side, glow=True)
            sign.pos = (self.x + pad, middle - side / 2)
            self.add_widget(sign)

    def _add_time(self, pad: float) -> float:
        """Adds the time left of the player to move, at the upper right; returns its height."""
        clock = self._words.view.clock
        if clock is None or clock.asked is None or self._words.view.outcome is not None:
            return 0.0
        time = SeatTime(clock, clock.asked, font_size=_TIME * style.factor)
        place = partial(self._place_time, pad=pad)
        time.bind(size=place)
        place(time)
        self.add_widget(time)
        return float(time.height - pad / 2)

    def _place_time(self, time: Any, *_: Any, pad: float) -> None:
        time.pos = (self.right - pad - time.width, self.top - pad / 2 - time.height)

    def _sentence(self, text: str, width: float, height: float, ink: Any) -> Any:
        """A sentence as large as it fits into the room, on up to three lines."""
        words: Any = None
        for size in _TOLD:
            words = Words(
                text, bold=True, font_size=size * style.factor, color=ink, width=width,
                line_height=1.0,
            )  # fmt: skip
            if words.height <= height:
                break
        return words


def _ground(player: Player | None) -> theme.Rgba:
    """The colour behind a player's name: faintly their own."""
    if player is None or player.token is None:
        return style.tone("slate")
    return theme.mix(style.tone("night"), fill_of(player.token, style.chosen.piece_colours), 0.22)


class _Points(Card):
    """A player's face, points and name, readable from afar."""

    def __init__(self, player: Player, *, active: bool, **kwargs: Any) -> None:
        super().__init__(
            fill="stone" if active else "slate", line="dawn" if active else "edge", **kwargs
        )
        if active:
            self.line_width = style.stroke
        self._player, self._active = player, active

    def build(self, sizes: _Sizes) -> None:
        """Write everything for the size as it is."""
        pad, side, above = style.gap, sizes.face, sizes.above
        room = self.width - 2 * pad
        name = Fitted(self._player.name, (sizes.name,), room)
        name.pos = (self.x + pad, self.y + pad * 0.6)
        left = self.height - name.height - pad * 1.2
        score = Words(
            self._player.score, bold=True, font_size=sizes.figure, width=room,
            halign="center" if above else "right",
        )  # fmt: skip
        score.pos = (self.x + pad, name.top + (left - score.height) / 2)
        self.add_widget(name)
        self.add_widget(score)
        if side:
            sign = face_of(self._player, side, glow=self._active)
            sign.pos = (self.x + pad, score.y + (score.height - side) / 2)
            if above:
                score.y = name.top
                sign.pos = (self.center_x - side / 2, self.top - pad - side)
            self.add_widget(sign)


_LINE = 1.36
"""Height of a line of figures, in their size."""


class _Sizes(NamedTuple):
    """Sizes that the cells of all players share, px."""

    name: float
    figure: float
    face: float
    """0: there is no room for one."""
    above: bool
    """True if faces are above the points, not beside them."""


def _face_sides(widest: float, room: float, left: float, figure_px: float) -> tuple[float, float]:
    """Room for a face beside points that are ``widest`` px wide, and its side: beside them or, in a
    narrow cell, above; ``room`` and ``left``: width and height for both, px."""
    beside = room - widest - style.gap
    above = left - figure_px * _LINE - style.gap
    side = min(max(beside, min(above, room)), left - style.gap_s, 80.0 * style.factor)
    return beside, side


def _common_sizes(players: Sequence[Player], room: float, height: float) -> _Sizes:
    """Names and points as large as all of them fit, with their faces if any size has room for
    those."""
    unit = style.factor
    labels, figures = ([size * unit for size in sizes] for sizes in (_LABELS, _FIGURES))
    longest = min(fit_one_line(player.name, tuple(labels), room) for player in players)
    for name in labels[labels.index(longest) :]:
        left = height - name * 1.25 - style.gap * 1.2
        fitting = tuple(size for size in figures if size * _LINE <= left) or (left * 0.7,)
        figure = min(fit_one_line(player.score, fitting, room) for player in players)
        faced = [
            (size, *_face_sides(max(line_width(p.score, size) for p in players), room, left, size))
            for size in fitting if size <= figure
        ]  # fmt: skip
        found = next((one for one in faced if one[2] >= _FACE * unit), (figure, 0.0, 0.0))
        if found[0] >= name:
            # Points matter more than names.
            break
    figure, beside, side = found
    return _Sizes(name, figure, side, side > beside)


def _leaders(outcome: Outcome | None) -> tuple[int, ...]:
    return () if outcome is None else outcome.ranking[0]
