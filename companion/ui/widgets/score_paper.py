"""A score sheet on paper: a column for each player, the points so far above, and every line below.

It is drawn as a whole; its lines scroll where there are more than the paper has room for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from kivy.clock import Clock
from kivy.graphics import Color, InstructionGroup, Rectangle
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.scrollview import ScrollView
from kivy.uix.widget import Widget

from companion.presentation.pad import PaperLine
from companion.presentation.players import Player
from companion.presentation.theme import tokens as theme
from companion.ui.drawing.cards import extent, write
from companion.ui.drawing.faces import draw_face, seat_of
from companion.ui.drawing.ink import Round, icon_texture
from companion.ui.theme.lettering import shortened
from companion.ui.theme.style import style

INK: Final = theme.rgba(theme.PAPER_INK)
FAINT: Final = theme.mix(INK, theme.rgba(theme.PAPER), 0.32)
RULE: Final = theme.mix(INK, theme.rgba(theme.PAPER), 0.72)
WARM: Final = theme.rgba(theme.GLOW)
_TOTAL_PX, _NAME_PX, _CELL_PX, _LABEL_PX = 43.0, 20.0, 22.0, 18.0
"""Sizes of letters at a short side of 480, px."""
_LINE_PX, _LEAST_LINE_PX = 37.0, 25.0
"""Height of a line, if there is room; and where there is not."""
_FACE_PX, _FEW = 60.0, 5
"""Side of a face where there are few players."""
_LEAST_PX = 13.0
"""Least size of letters."""
_LABELS = 0.3
"""Most of the paper that labels take."""


class ScorePaper(FloatLayout):  # type: ignore[misc]
    """The sheet; ``show`` takes what is on it."""

    def __init__(self, choose: Callable[[int], None] | None = None, **kwargs: Any) -> None:
        """``choose``: called with the seat whose column was touched."""
        super().__init__(**kwargs)
        self._choose = choose
        self._players: Sequence[Player] = ()
        self._lines: Sequence[PaperLine] = ()
        self._leads: Sequence[int] = ()
        self._asked: int | None = None
        self._paper, self._rows = InstructionGroup(), _Rows(self._draw_rows)
        self.canvas.before.add(self._paper)
        self._scroll = ScrollView(
            do_scroll_x=False, size_hint=(None, None), bar_width=style.grid, bar_color=FAINT,
            bar_inactive_color=RULE,
        )  # fmt: skip
        self._scroll.add_widget(self._rows)
        self.add_widget(self._scroll)
        self._later = Clock.create_trigger(self._draw, -1)
        self.bind(pos=self._later, size=self._later)

    def show(
        self, players: Sequence[Player], lines: Sequence[PaperLine], leads: Sequence[int],
        asked: int | None,
    ) -> None:  # fmt: skip
        """``asked``: whose column is lit."""
        self._players, self._lines, self._leads = players, lines, leads
        self._asked = asked
        self._later()

    def on_touch_up(self, touch: Any) -> bool:
        """A finger that did not scroll chooses a column."""
        moved = abs(touch.x - touch.ox) + abs(touch.y - touch.oy)
        near = moved < style.target / 2 and self.collide_point(*touch.pos)
        if self._choose is not None and near and touch.grab_current is None:
            for seat in range(len(self._players)):
                left, width = self._column(seat)
                if left <= touch.x - self.x < left + width:
                    self._choose(seat)
        return bool(super().on_touch_up(touch))

    # -- where things are -----------------------------------------------------------------

    @property
    def _label_width(self) -> float:
        widest = max((extent(line.label, _LABEL_PX) for line in self._lines), default=0.0)
        return float(min(widest + 2 * style.gap_s, self.width * _LABELS))

    def _column(self, seat: int) -> tuple[float, float]:
        """Left edge, from the paper's, and width of a player's column, px."""
        left = style.gap_s + self._label_width
        width = (self.width - style.gap_s - left) / max(len(self._players), 1)
        return left + seat * width, width

    # -- drawing --------------------------------------------------------------------------

    def _draw(self, *_: Any) -> None:
        self._paper.clear()
        if self.width < style.target or not self._players:
            return
        add, unit = self._paper.add, style.factor
        radius = style.grid * 1.5
        add(Color(0, 0, 0, 0.35))
        add(Round((self.x + 3 * unit, self.y - 4 * unit), self.size, radius))
        add(Color(*theme.rgba(theme.PAPER)))
        add(Round(self.pos, self.size, radius))
        if self._asked is not None:
            left, width = self._column(self._asked)
            add(Color(*WARM[:3], 0.3))
            size = (width, self.height - 2 * style.grid)
            add(Round((self.x + left, self.y + style.grid), size, style.grid * 2))
        head = self._draw_head()
        add(Color(*INK))
        top = self.y + self.height - head
        add(Rectangle(pos=(self.x + style.gap_s, top), size=(self.width - 2 * style.gap_s, unit)))
        self._place_rows(top - style.grid)

    def _draw_head(self) -> float:
        """Faces, names and points; returns the height they take."""
        many, unit = len(self._players), style.factor
        _left, width = self._column(0)
        crowded = many > _FEW or len(self._lines) > 9
        side = min(_FACE_PX * unit * (0.66 if crowded else 1.0), width * 0.8)
        room = width - style.gap_s
        name_px = _common(_NAME_PX, [player.name for player in self._players], room)
        # Where nothing is counted, noughts would only puzzle.
        totals = [player.score if self._lines else "" for player in self._players]
        total_px = _common(_TOTAL_PX if not crowded else 32.0, totals, room)
        top = self.y + self.height - style.gap - side * 0.22
        for seat, player in enumerate(self._players):
            left, _width = self._column(seat)
            middle = self.x + left + width / 2
            at = (middle, top - side / 2)
            lit = seat == self._asked
            draw_face(self._paper, player.face, at, side, seat_of(player), glow=lit)
            if seat in self._leads:
                self._draw_crown((middle, top + side * 0.08), side * 0.5)
            low = top - side - name_px * unit * 0.7
            name = shortened(player.name, name_px * unit, room)
            write(self._paper, name, name_px, (middle, low), room, INK, centred=True)
            low -= (name_px * 0.6 + total_px * 0.56) * unit
            write(self._paper, totals[seat], total_px, (middle, low), room, INK, centred=True)
        return float(style.gap + side * 1.22 + (name_px * 1.3 + total_px * 1.1) * unit)

    def _draw_crown(self, at: tuple[float, float], side: float) -> None:
        texture = icon_texture("♛", max(round(side), 8))
        for tone, beyond in ((INK, 1.5), (WARM, 0.0)):
            self._paper.add(Color(*tone))
            size = (side + 2 * beyond, side + 2 * beyond)
            corner = (at[0] - size[0] / 2, at[1] - beyond)
            self._paper.add(Rectangle(texture=texture, pos=corner, size=size))

    def _place_rows(self, top: float) -> None:
        room = top - self.y - style.gap_s
        wanted = room / max(len(self._lines), 1)
        line = min(max(wanted, _LEAST_LINE_PX * style.factor), _LINE_PX * style.factor)
        self._scroll.pos, self._scroll.size = (self.x, self.y + style.gap_s), (self.width, room)
        self._rows.size = (self.width, max(line * len(self._lines), room))
        self._rows.line = line
        self._rows.draw()
        due = next((n for n, one in enumerate(self._lines) if one.due), len(self._lines) - 1)
        beyond = self._rows.height - room
        if beyond > 1:
            below = self._rows.height - (due + 2) * line
            self._scroll.scroll_y = min(max(below / beyond, 0.0), 1.0)

    def _draw_rows(self, group: InstructionGroup, line: float, top: float) -> None:
        unit, labels = style.factor, self._label_width
        cells = [cell for one in self._lines for cell in one.cells]
        px = _common(min(_CELL_PX, line / unit * 0.7), cells, self._column(0)[1] - style.gap_s)
        for number, one in enumerate(self._lines):
            middle = top - (number + 0.5) * line
            tone = INK if one.due else FAINT
            left = style.gap_s
            write(group, one.label, min(_LABEL_PX, px), (left, middle), labels - style.grid, tone)
            group.add(Color(*RULE))
            rule = (style.gap_s, top - (number + 1) * line)
            group.add(Rectangle(pos=rule, size=(self.width - 2 * style.gap_s, max(unit * 0.7, 1))))
            for seat, cell in enumerate(one.cells):
                left, width = self._column(seat)
                at, room = (left + width / 2, middle), width - style.gap_s
                typed = one.typed if seat == self._asked else None
                if typed is not None:
                    _draw_field(group, (left, middle, width, line))
                if said := typed or cell:
                    write(group, said, px, at, room, INK, centred=True)
                elif one.due and typed is None:
                    write(group, "–", px, at, room, RULE, centred=True)


def _common(px: float, words: Sequence[str], room: float) -> float:
    """The size in which all ``words`` fit beside each other, at most ``px``, at a short side of
    480."""
    widest = max((extent(word, px) for word in words), default=0.0)
    return max(min(px, px * room / widest), _LEAST_PX) if widest else px


def _draw_field(group: InstructionGroup, cell: tuple[float, float, float, float]) -> None:
    """The field into which is typed; ``cell``: left edge, middle, width and height of its place."""
    left, middle, width, height = cell
    inset, high = style.grid * 0.7, height * 0.86
    box = (left + inset, middle - high / 2, width - 2 * inset, high)
    group.add(Color(1, 1, 1, 1))
    group.add(Round(box[:2], box[2:], style.grid))
    group.add(Color(*theme.mix(WARM, INK, 0.25)))
    group.add(Round(box[:2], box[2:], style.grid, style.hairline))


class _Rows(Widget):  # type: ignore[misc]
    """The lines, as high as they need."""

    def __init__(self, paint: Callable[[InstructionGroup, float, float], None]) -> None:
        super().__init__(size_hint=(None, None))
        self._paint, self.line = paint, 1.0
        self._drawing = InstructionGroup()
        self.canvas.add(self._drawing)

    def draw(self) -> None:
        """Draws all lines anew."""
        self._drawing.clear()
        # Within what scrolls, places are from its own corner.
        self._paint(self._drawing, self.line, self.height)
