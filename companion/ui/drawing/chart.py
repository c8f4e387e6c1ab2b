"""The score over time: a line per player in their own colour, with dashes and the colour's sign."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any

from kivy.graphics import (
    Color,
    InstructionGroup,
    Rectangle,
    SmoothLine,
)
from kivy.uix.widget import Widget

from companion.presentation.players import Player
from companion.presentation.theme import tokens as theme
from companion.presentation.theme.piece_colours import named_colour
from companion.ui.drawing.ink import Round, disc, text_texture
from companion.ui.drawing.pieces import PieceLook, draw_badge, draw_piece
from companion.ui.theme.style import style
from rules.players.analysis_result import Judgement

# -- pulling ----------------------------------------------------------------------------------


class Pulled(Widget):  # type: ignore[misc]
    """A widget that one finger at a time pulls at; the others do not disturb it."""

    _held: int | None = None

    @abstractmethod
    def pull(self, x: float) -> None:
        """The finger is at ``x``, px from the left of the window."""

    def let_go(self, x: float) -> None:
        """The finger leaves at ``x``."""

    def on_touch_down(self, touch: Any) -> bool:
        if not self.collide_point(*touch.pos):
            return bool(super().on_touch_down(touch))
        self._held = touch.uid
        self.pull(touch.x)
        return True

    def on_touch_move(self, touch: Any) -> bool:
        if touch.uid != self._held:
            return bool(super().on_touch_move(touch))
        self.pull(touch.x)
        return True

    def on_touch_up(self, touch: Any) -> bool:
        if touch.uid != self._held:
            return bool(super().on_touch_up(touch))
        self._held = None
        self.let_go(touch.x)
        return True


Px = tuple[float, float]

_DASHES: tuple[tuple[float, float], ...] = (
    (1.0, 0.0), (3.0, 1.6), (0.9, 1.4), (5.0, 1.2), (1.8, 1.0), (2.4, 2.6),
)  # fmt: skip
"""Length of a dash and of the gap after it, in strokes × 4; the first is unbroken."""
_LEAST_CONTRAST = 3.0


class Chart(Widget):  # type: ignore[misc]
    """``history``: points by seat before the first move and after each."""

    def __init__(
        self, history: Sequence[Sequence[int]], players: Sequence[Player], **kwargs: Any
    ) -> None:
        kwargs.setdefault("size_hint_y", None)
        super().__init__(**kwargs)
        self.history, self.players = tuple(tuple(row) for row in history), tuple(players)
        self.ply: int | None = None
        """A move to mark with an upright line, or None."""
        self._drawing = InstructionGroup()
        self.canvas.add(self._drawing)
        self.bind(pos=self._draw, size=self._draw)
        style.bind(chosen=self._draw)

    def mark(self, ply: int) -> None:
        """Mark one move."""
        self.ply = ply
        self._draw()

    def leave(self) -> None:
        """The chart is no longer shown."""
        style.unbind(chosen=self._draw)

    @property
    def span(self) -> tuple[int, int]:
        """The lowest and highest points of the scale; they differ."""
        points = [p for row in self.history for p in row] or [0]
        return min(0, *points), max(min(0, *points) + 1, *points)

    def at(self, ply: int, points: float) -> Px:
        """Point of a score."""
        left, bottom, right, top = self._inner()
        least, most = self.span
        x = left + (right - left) * ply / max(len(self.history) - 1, 1)
        return (x, bottom + (top - bottom) * (points - least) / (most - least))

    def path_of(self, seat: int) -> list[tuple[int, int]]:
        """The corners of a seat's line: (move, points)."""
        return steps_of([row[seat] for row in self.history])

    def told(self, points: int) -> str:
        """Points as they stand at the scale."""
        return str(points)

    def _inner(self) -> tuple[float, float, float, float]:
        small = round(style.type_xs)
        least, most = self.span
        words = max(text_texture(self.told(n), small, "text").width for n in (least, most))
        names = (text_texture(player.name, small, "text").width for player in self.players)
        right = self.x + self.width - max(names, default=0) - style.gap_l - style.gap - style.gap_s
        edge = small * 0.6
        return (
            self.x + words + style.gap_s, self.y + edge,
            max(right, self.x + self.width * 0.5), self.y + self.height - edge,
        )  # fmt: skip

    def _draw(self, *_: Any) -> None:
        self._drawing.clear()
        if len(self.history) < 2 or min(self.size) < style.target:
            return
        self._draw_scale()
        self._draw_below()
        if self.ply is not None:
            self._line([self.at(self.ply, self.span[0]), self.at(self.ply, self.span[1])], "ash")
        seats = range(len(self.history[0]))
        for seat in seats:
            self._draw_seat(seat)
        self._draw_names()

    def _draw_scale(self) -> None:
        left, _bottom, right, _top = self._inner()
        least, most = self.span
        for points in sorted({least, 0, most}):
            y = self.at(0, points)[1]
            self._line([(left, y), (right, y)], "edge")
            self._text(self.told(points), (left - style.gap_s, y), "ash", to_left=True)

    def _draw_below(self) -> None:
        """Draws what lies below the lines."""

    def _draw_seat(self, seat: int) -> None:
        steps = self.path_of(seat)
        # Lines that coincide are set a little apart, so that none hides another.
        shift = (seat - (len(self.history[0]) - 1) / 2) * style.stroke * 0.9
        path = [(x, y + shift) for x, y in (self.at(ply, points) for ply, points in steps)]
        unit = style.stroke * 4
        dash, gap = _DASHES[seat % len(_DASHES)]
        pieces = dashes_of(path, dash * unit, gap * unit) if gap else [path]
        ink = _ink(self.players[seat])
        if theme.contrast(ink, style.tone("night")) < _LEAST_CONTRAST:
            # A black line in a dark room, or a white one on limestone, lies on a wider one.
            self._strokes(pieces, style.tone("bone"), style.stroke * 0.95)
            self._strokes(pieces, ink, style.stroke * 0.45)
        else:
            self._strokes(pieces, ink, style.stroke * 0.6)
        changes = [(p, s) for (p, s), (_, before) in zip(steps[1:], steps, strict=False)
                   if s != before]  # fmt: skip
        for ply, points in changes[-1:] + changes[:: max(1, len(changes) // 6)]:
            x, y = self.at(ply, points)
            self._mark(seat, (x, y + shift))
        self._mark(seat, path[-1])

    def _strokes(self, pieces: Sequence[Sequence[Px]], ink: theme.Rgba, width: float) -> None:
        self._drawing.add(Color(*ink))
        for piece in pieces:
            flat = [c for point in piece for c in point]
            self._drawing.add(SmoothLine(points=flat, width=width, joint="round", cap="round"))

    def _draw_names(self) -> None:
        """Names at the ends of their lines, pushed apart where they would lie on each other."""
        small = round(style.type_xs)
        ends = sorted(
            (self.at(len(self.history) - 1, points)[1], seat)
            for seat, points in enumerate(self.history[-1])
        )
        high = small * 1.25
        ys: list[float] = []
        for y, _seat in ends:
            ys.append(max(y, ys[-1] + high) if ys else max(y, self.y + high / 2))
        over = ys[-1] - (self.y + self.height - high / 2)
        ys = [y - max(over, 0) for y in ys]
        right = self._inner()[2]
        for y, (_end, seat) in zip(ys, ends, strict=True):
            self._mark(seat, (right + style.gap * 1.25, y), 1.25)
            at = (right + style.gap * 1.25 + style.gap, y)
            self._text(self.players[seat].name, at, "bone")

    def _line(self, points: Sequence[Px], tone: str) -> None:
        self._drawing.add(Color(*style.tone(tone)))
        flat = [c for point in points for c in point]
        self._drawing.add(SmoothLine(points=flat, width=style.hairline * 0.6))

    def _text(self, text: str, at: Px, tone: str, *, to_left: bool = False) -> None:
        word = text_texture(text, round(style.type_xs), "text")
        x = at[0] - word.width if to_left else at[0]
        self._drawing.add(Color(*style.tone(tone)))
        corner = (round(x), round(at[1] - word.height / 2))
        self._drawing.add(Rectangle(texture=word, pos=corner, size=word.size))

    def _mark(self, seat: int, at: Px, size: float = 1.0) -> None:
        """The player's piece with the sign of its colour, or a badge of it."""
        player = self.players[seat]
        if player.token is not None:
            px = style.grid * 2.9 * size / max(player.token.size)
            draw_piece(self._drawing, player.token, at, px, PieceLook(mark=False))
            return
        draw_badge(self._drawing, player.colour, _ink(player), at, style.grid * 2.9 * size)


def steps_of(points: Sequence[int]) -> list[tuple[int, int]]:
    """The corners of a line that rises in steps: (move, points)."""
    corners = [(0, points[0])]
    for ply, now in enumerate(points[1:], 1):
        if now != corners[-1][1]:
            corners += [(ply, corners[-1][1]), (ply, now)]
    corners.append((len(points) - 1, points[-1]))
    return list(dict.fromkeys(corners))


def dashes_of(path: Sequence[Px], dash: float, gap: float) -> list[list[Px]]:
    """Cut a path into dashes; lengths in px. Kivy's own dashes are one pixel wide."""
    pieces: list[list[Px]] = [[path[0]]]
    left, drawn = dash, True
    for start, end in pairwise(path):
        length = ((end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2) ** 0.5
        gone = 0.0
        while length - gone > left:
            gone += left
            part = gone / length
            point = (start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part)
            if drawn:
                pieces[-1].append(point)
            else:
                pieces.append([point])
            drawn = not drawn
            left = dash if drawn else gap
        left -= length - gone
        if drawn:
            pieces[-1].append(end)
    return [piece for piece in pieces if len(piece) > 1]


def _ink(player: Player) -> theme.Rgba:
    """A player's own colour: that of their pieces, or of the colour's name, else one by seat."""
    choice = style.chosen.piece_colours
    if player.token is not None or named_colour(player.colour, choice):
        return player.tone(choice)
    return style.tone(("dawn", "ask", "ok", "bone", "stop", "ash")[player.seat % 6])


# -- chances ----------------------------------------------------------------------------------


class ChanceChart(Pulled, Chart):
    """``on_pull`` hears the move below a finger, ``on_go`` the one that it leaves."""

    def __init__(
        self,
        judgement: Judgement,
        players: Sequence[Player],
        on_pull: Callable[[int], None],
        on_go: Callable[[int], None],
        **kwargs: Any,
    ) -> None:
        moments = {one.ply: one.chances for one in judgement.moments}
        last, history = judgement.moments[0].chances, []
        for ply in range(judgement.plies + 1):
            last = moments.get(ply, last)
            history.append([round(100 * chance) for chance in last])
        self.judgement, self._on_pull, self._on_go = judgement, on_pull, on_go
        super().__init__(history, players, **kwargs)

    @property
    def span(self) -> tuple[int, int]:
        """Percents."""
        return (0, 100)

    def told(self, points: int) -> str:
        """Chances as they stand at the scale."""
        return f"{points}\u00a0%"

    def path_of(self, seat: int) -> list[tuple[int, int]]:
        """A line from moment to moment."""
        first = self.judgement.moments[0]
        path = [(one.ply, round(100 * one.chances[seat])) for one in self.judgement.moments]
        return path if first.ply == 0 else [(0, path[0][1]), *path]

    def ply_at(self, x: float) -> int:
        """The move at a place, px from the left of the window."""
        left, right = self.at(0, 0)[0], self.at(self.judgement.plies, 0)[0]
        part = (x - left) / max(right - left, 1.0)
        return max(0, min(round(part * self.judgement.plies), self.judgement.plies))

    def let_go(self, x: float) -> None:
        self._on_go(self._near(x))

    def _near(self, x: float) -> int:
        """The move at a place; a turning point is wide enough for a finger."""
        wide = style.target * 0.3
        points = [(abs(self.at(p.ply, 0)[0] - x), p.ply) for p in self.judgement.turning_points]
        near = min(points, default=(wide, 0))
        return near[1] if near[0] < wide else self.ply_at(x)

    def pull(self, x: float) -> None:
        ply = self._near(x)
        if ply != self.ply:
            self.mark(ply)
            self._on_pull(ply)

    def _inner(self) -> tuple[float, float, float, float]:
        left, bottom, right, top = super()._inner()
        return (left, bottom, right, top - style.type_xs)

    def _draw_below(self) -> None:
        """Numbered upright lines at the turning points."""
        for number, point in enumerate(self.judgement.turning_points, 1):
            x, y = self.at(point.ply, 100)
            self._line([self.at(point.ply, 0), (x, y + style.grid)], "dawn")
            self._text(str(number), (x - style.type_xs * 0.3, y + style.type_xs), "dawn")


# -- a line to pull along ----------------------------------------------------------------------


class Scrubber(Pulled):
    """A number from 0 to ``last``; ``on_pull`` hears each new one while it is pulled.

    ``marks``: places worth stopping at, drawn as notches above the line.
    """

    def __init__(
        self, last: int, on_pull: Callable[[int], None], marks: Iterable[int] = (), **kwargs: Any
    ) -> None:
        kwargs.setdefault("size_hint_y", None)
        kwargs.setdefault("height", style.target)
        super().__init__(**kwargs)
        self.last, self.value, self.marks = last, 0, tuple(marks)
        self._on_pull = on_pull
        self._drawing = InstructionGroup()
        self.canvas.add(self._drawing)
        self.bind(pos=self._draw, size=self._draw)

    def show(self, value: int) -> None:
        """Stand at ``value``."""
        self.value = max(0, min(value, self.last))
        self._draw()

    def at(self, value: int) -> float:
        """Position of a value, px from the left of the window."""
        room = self.width - style.target * 0.5
        return float(self.x + style.target * 0.25 + room * value / max(self.last, 1))

    def pull(self, x: float) -> None:
        room = max(self.width - style.target * 0.5, 1)
        value = round((x - self.x - style.target * 0.25) / room * self.last)
        value = max(0, min(value, self.last))
        if value != self.value:
            self.show(value)
            self._on_pull(value)

    def _draw(self, *_: Any) -> None:
        add, middle = self._drawing.add, self.y + self.height / 2
        self._drawing.clear()
        left, here, right = self.at(0), self.at(self.value), self.at(self.last)
        thick = style.grid * 1.25
        for start, end, tone in ((left, right, "edge"), (left, here, "dawn")):
            add(Color(*style.tone(tone)))
            add(Round((start, middle - thick / 2), (max(end - start, 0.1), thick)))
        add(Color(*style.tone("stop")))
        for mark in self.marks:
            x = self.at(mark)
            add(SmoothLine(points=[x, middle + thick, x, middle + style.gap], width=style.hairline))
        reach = style.gap
        add(Color(*style.tone("dawn")))
        add(disc((here, middle), reach))
        add(Color(*style.tone("night")))
        add(disc((here, middle), reach * 0.45, style.stroke * 0.6))
