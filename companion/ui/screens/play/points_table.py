"""The points of a finished match, row by row, with a column for each player."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kivy.graphics import Color, InstructionGroup, Mesh, SmoothLine

from companion.presentation.ending import Ending, Sign
from companion.presentation.players import Player
from companion.presentation.theme import tokens as theme
from companion.presentation.theme.board_look import line_tone
from companion.ui.drawing.faces import face_of
from companion.ui.drawing.ink import Round
from companion.ui.drawing.pieces import PieceLook, draw_piece
from companion.ui.theme.lettering import line_width
from companion.ui.theme.style import TEXT, style
from companion.ui.widgets.base import Card, Fitted, fit_one_line, fits
from rules.box import PieceKind
from rules.texts import minus

_HEAD, _ROW, _SUM = 84.0, 44.0, 48.0
"""Heights of faces with names, of a row at most, and of the sum, at a short side of 480, px."""
_LOW_HEAD, _LEAST_ROW = 62.0, 22.0
"""Height of faces with names where rows would be lower than this."""
_LABELS = {1: 0.6, 2: 0.48, 3: 0.4, 4: 0.36}
"""Most of the width that the words at the left take, by number of players."""
_MANY_LABELS = 0.35


class PointsTable(Card):
    """The rows of an ``ending`` and their sum, called ``points``, for ``players`` by seat;
    ``winners`` are the seats whose columns stand out."""

    def __init__(
        self, ending: Ending, players: Sequence[Player], points: str, size: tuple[float, float]
    ) -> None:
        super().__init__(size_hint=(None, None), size=size)
        self._ending, self._shown = ending, float(len(ending.rows))
        self._signs, self._rules = InstructionGroup(), InstructionGroup()
        self.canvas.before.add(self._rules)
        self.canvas.add(self._signs)
        self._pad = style.gap
        head = self._share_height()
        self._write_rows(points, len(players))
        self._write_sums()
        self._write_heads(players, head)
        cells = [cell for row in self._cells for cell in row]
        for part in (*self._labels, *cells, self._title, *self._sums, *self._faces, *self._names):
            self.add_widget(part)
        self.bind(pos=self._place, size=self._place)
        self._place()

    def _share_height(self) -> float:
        """Sets the heights of rows and of the sum; the most that is left for the heads, px."""
        unit, rows, left = style.factor, self._ending.rows, self.height - 2 * style.gap_s
        head, self._sum_height = _HEAD * unit, _SUM * unit
        if rows and (left - head - self._sum_height) / len(rows) < _LEAST_ROW * unit:
            head = _LOW_HEAD * unit
        self._row = min((left - head - self._sum_height) / max(len(rows), 1), _ROW * unit)
        # Without rows there is more room for faces.
        free = left - (self._sum_height if self._ending.scores else 0.0)
        return float(head if rows else free)

    def _write_rows(self, points: str, players: int) -> None:
        """The labels at the left, of one size and as wide as they need, and the figures."""
        rows, room = self._ending.rows, self.width - 2 * self._pad
        letters = min(style.body, self._row * 0.7)
        self._sign = self._row * 0.66 if any(row.sign for row in rows) else 0.0
        beside = self._sign + style.gap_s if self._sign else 0.0
        wanted = max((line_width(row.label, letters) for row in rows), default=0.0) + style.gap
        title = self._ending.origin or (points if rows else "")
        wanted = max(wanted + beside, line_width(title, style.body) + style.gap) if title else 0.0
        self._left = min(wanted, room * _LABELS.get(players, _MANY_LABELS))
        self._column = (room - self._left) / players
        words = self._left - beside - style.grid
        sizes = tuple(letters * step for step in (1.0, 0.92, 0.84, 0.76))
        one_size = min((fit_one_line(row.label, sizes, words) for row in rows), default=letters)
        self._labels = [Fitted(row.label, (one_size,), words, font_name=TEXT) for row in rows]
        self._cells = [[self._figure(n, letters * 1.05) for n in row.points] for row in rows]
        self._title = Fitted(title, (style.body, style.caption), self._left - style.grid)

    def _write_sums(self) -> None:
        """The sums, of one size; those of the winners stand out."""
        scores, largest = self._ending.scores, min(style.figure * 0.8, self._sum_height * 0.76)
        sizes = (largest, largest * 0.85, largest * 0.7, style.type_s, style.type_xs)
        told = [minus(points) for points in scores]
        one_size = min((fit_one_line(points, sizes, self._room) for points in told), default=0.0)
        self._sums = [self._figure(points, one_size) for points in scores]
        for seat in self._ending.winners:
            if seat < len(self._sums):
                self._sums[seat].color = style.dawn

    def _write_heads(self, players: Sequence[Player], most: float) -> None:
        """The names, of one size, and above them faces in what they leave of ``most`` px."""
        sizes = (style.caption, style.caption * 0.85, style.type_xs)
        named = [player.name for player in players]
        one_size = min(fit_one_line(name, sizes, self._room) for name in named)
        # Names that are wider than their columns stand on two lines by turns.
        self._lines = 1 if all(fits(name, one_size, self._room) for name in named) else 2
        self._names = [
            Fitted(name, (one_size,), self._room_for_name(self._ending.order.index(seat)))
            for seat, name in enumerate(named)
        ]
        foot = self._lines * self._names[0].height + style.grid
        self._head_height = most
        if not self._ending.rows:
            self._head_height = min(most, self._column * 0.9 + foot)
        side = min(self._head_height - foot, self._column * 0.9)
        self._faces = [face_of(player, side) for player in players]

    def show(self, rows: float) -> None:
        """Show the first ``rows`` rows; of a part of one the points are coming to the sum."""
        if rows == self._shown:
            return
        self._shown = rows
        self._place()

    def _figure(self, number: int, *sizes: float) -> Any:
        colour = style.bone if number else style.ash
        return Fitted(minus(number), sizes, self._room, color=colour)

    @property
    def _room(self) -> float:
        """Width for words and figures in a column, px."""
        return float(self._column - style.grid)

    def _room_for_name(self, place: int) -> float:
        """Width for the name in a column, px: on two lines as far as the middles of the columns
        beside it, and never beyond the edge."""
        middle = (place + 0.5) * self._column + self._pad
        edges = (
            middle + self._left,
            len(self._ending.order) * self._column + 2 * self._pad - middle,
        )
        return float(min(self._lines * self._column, *(2 * edge for edge in edges)) - style.grid)

    def _place(self, *_: Any) -> None:
        unit, order = style.factor, self._ending.order
        free = self.height - 2 * style.gap_s - self._head_height - self._row * len(self._labels)
        free -= self._sum_height if self._ending.scores else 0.0
        top = self.y + self.height - style.gap_s - max(free, 0.0) / 2
        whole = int(self._shown)
        before, after = self._ending.counted(whole), self._ending.counted(whole + 1)
        part = min((self._shown - whole) * 2, 1.0)
        foot = top - self._head_height - self._row * len(self._labels)
        for place, seat in enumerate(order):
            middle = self.x + self._pad + self._left + (place + 0.5) * self._column
            face, name = self._faces[seat], self._names[seat]
            face.pos = (middle - face.width / 2, top - face.height - unit)
            line = place % self._lines
            name.pos = (middle - name.width / 2, face.y - (line + 1) * name.height - unit)
            for number, cells in enumerate(self._cells):
                cell = cells[seat]
                cell.opacity = 1.0 if number < self._shown else 0.0
                cell.pos = (middle - cell.width / 2, self._middle(number, top) - cell.height / 2)
            if seat < len(self._sums):
                points = self._sums[seat]
                told = minus(round(before[seat] + (after[seat] - before[seat]) * part))
                points.fit(self._room, told)
                points.pos = (
                    middle - points.width / 2,
                    foot - (self._sum_height + points.height) / 2,
                )
        left = self.x + self._pad + (self._sign + style.gap_s if self._sign else 0.0)
        for number, label in enumerate(self._labels):
            label.pos = (left, self._middle(number, top) - label.height / 2)
        self._title.pos = (self.x + self._pad, foot - (self._sum_height + self._title.height) / 2)
        self._draw(top, foot)

    def _middle(self, number: int, top: float) -> float:
        return float(top - self._head_height - (number + 0.5) * self._row)

    def _draw(self, top: float, foot: float) -> None:
        """Draws the columns of the winners, lines between rows, signs, and a frame around what
        decided the match."""
        lines, ending, unit = self._rules, self._ending, style.factor
        lines.clear()
        self._signs.clear()
        left, right = self.x + self._pad, self.x + self.width - self._pad
        columns = {
            seat: left + self._left + n * self._column for n, seat in enumerate(ending.order)
        }
        honoured = ending.winners if len(ending.winners) < len(ending.order) else ()
        for seat in honoured:
            lines.add(Color(*style.tone("dawn", 0.13)))
            size = (self._column - 4 * unit, self.height - style.gap_s)
            pos = (columns[seat] + 2 * unit, self.y + style.gap_s / 2)
            lines.add(Round(pos, size, style.radius * 0.7))
        for number in range(len(self._labels)):
            y = self._middle(number, top) + self._row / 2
            lines.add(Color(*style.tone("edge")))
            lines.add(SmoothLine(points=[left, y, right, y], width=style.hairline * 0.5))
        if self._labels:
            lines.add(Color(*style.tone("dawn")))
            lines.add(SmoothLine(points=[left, foot, right, foot], width=style.hairline * 0.8))
        for number, row in enumerate(ending.rows):
            at = (left + self._sign / 2, self._middle(number, top))
            if row.sign is not None:
                draw_sign(self._signs, row.sign, at, self._sign)
        if ending.row is not None and self._shown >= len(ending.rows):
            y, seat = self._middle(ending.row, top), ending.winners[0]
            wide, high = min(self._column - 6 * unit, 64 * unit), self._row - 2 * unit
            x = columns[seat] + (self._column - wide) / 2
            lines.add(Color(*style.tone("dawn")))
            frame = ((x, y - high / 2), (wide, high), style.radius * 0.6)
            lines.add(Round(*frame, style.stroke * 0.5))


def draw_sign(group: InstructionGroup, sign: Sign, at: tuple[float, float], side: float) -> None:
    """Adds a piece, or the outline of a place, centred at ``at`` within ``side`` px."""
    if isinstance(sign, PieceKind):
        draw_piece(group, sign, at, side / max(sign.size), PieceLook(mark=sign.shape != "card"))
        return
    across, up = zip(*sign.points, strict=True)
    wide, high = max(across) - min(across), max(up) - min(up)
    middle = ((max(across) + min(across)) / 2, (max(up) + min(up)) / 2)
    px = side / max(wide, high, 1)
    points = [(at[0] + (x - middle[0]) * px, at[1] + (y - middle[1]) * px) for x, y in sign.points]
    flat = [c for point in points for c in point]
    tone = line_tone(theme.body(sign.colour), style.palette)
    group.add(Color(*tone))
    if sign.kind == "line":
        group.add(SmoothLine(points=flat, width=max(style.stroke * 0.7, 1.2)))
        return
    vertices = [v for x, y in points for v in (x, y, 0, 0)]
    group.add(Mesh(vertices=vertices, indices=range(len(points)), mode="triangle_fan"))
    group.add(SmoothLine(points=flat, close=True, width=1.0))
