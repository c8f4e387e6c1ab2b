"""Cards fanned below the camera: the picture with what counts, and what it is worth.

It takes the place of the tiles on the desk of a ledger (``ledger_desk``), which enters what people
accept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion.camera.fanned import Fanned
from companion.presentation.hand_cards import Helping, HelpingRow
from companion.presentation.virtual_table import Gesture, Lift
from companion.presentation.words.translate import _
from companion.ui.drawing.camera_view import CameraView
from companion.ui.theme.style import BOLD, TEXT, style
from companion.ui.widgets.base import Card, Letters, Words
from rules.texts import minus

WORD_PX, ROW_PX, SUM_PX = 17.0, 17.0, 24.0
"""Sizes at a short side of 480, px."""
FEW = 5
"""Number of rows above which they stand in two columns."""


@dataclass(frozen=True, slots=True)
class FanWords:
    """Words beside the picture."""

    do: str
    """The next step."""
    missed: str
    """Cards that lie there and are not counted; may be empty."""


class FanDesk(FloatLayout):  # type: ignore[misc]
    """Fills its place; ``show`` may be called with every frame."""

    def __init__(self, touch: Callable[[float, float], None], **kwargs: Any) -> None:
        """``touch``: hears which px of the newest picture was touched."""
        super().__init__(**kwargs)
        self._touch = touch
        self.picture = CameraView(self._gesture, size_hint=(None, None))
        self.picture.live = True
        self._tally = Card(fill="slate", line="edge", size_hint=(None, None))
        self.add_widget(self.picture)
        self.add_widget(self._tally)
        self._shown: tuple[Any, ...] = ()
        self._told: tuple[Any, ...] = ()
        self._fanned = Fanned()
        self._helping, self._words = Helping(), FanWords("", "")
        self.bind(pos=self._place, size=self._place)

    def show(self, fanned: Fanned, helping: Helping, words: FanWords) -> None:
        """Show how it stands; draws only what has changed."""
        self._fanned, self._helping, self._words = fanned, helping, words
        counts = tuple(card.counts for card in fanned.cards)
        shown = (id(fanned.picture), fanned.phase, counts, len(fanned.unread))
        if shown != self._shown:
            self._shown = shown
            # Loaded when it is first needed: many tables have no camera.
            from companion.camera.card_counter import fan_picture

            picture = fan_picture(fanned)
            if picture is not None:
                self.picture.show(picture)
                self._place()
        if (helping, words) != self._told:
            self._tell()

    def _gesture(self, gesture: Gesture) -> None:
        if isinstance(gesture, Lift) and self._fanned.picture is not None:
            height, width = self._fanned.picture.shape[:2]
            self._touch(gesture.x * width, gesture.y * height)

    def _place(self, *_: Any) -> None:
        """The picture beside the words, or above them."""
        view, tally, gap, ratio = self.picture, self._tally, style.gap, self.picture.ratio
        if self.width > self.height * 1.2:
            width = min(self.height * ratio, self.width * 0.52)
            view.size, view.pos = (width, self.height), self.pos
            tally.size = (self.width - width - gap, self.height)
            tally.pos = (self.x + width + gap, self.y)
        else:
            height = min(self.width / ratio, self.height * 0.5)
            view.size, view.pos = (self.width, height), (self.x, self.y + self.height - height)
            tally.size, tally.pos = (self.width, self.height - height - gap), self.pos
        self._tell()

    def _tell(self) -> None:
        tally = self._tally
        self._told = (self._helping, self._words)
        tally.clear_widgets()
        width, pad = tally.width - 2 * style.gap, style.gap_s
        if width < style.target:
            return
        said: list[Any] = [_paragraph(self._words.do, width, "bone")]
        if self._words.missed:
            said.append(_paragraph(f"→ {self._words.missed}", width, "ask"))
        foot = [self._sum(width)] if self._helping.rows else []
        taken = sum(row.height + pad for row in (*said, *foot)) + 2 * pad
        rows = self._rows(width, tally.height - taken - pad)
        top = tally.y + tally.height - pad
        for row in (*said, *rows):
            top -= row.height
            row.pos = (tally.x + style.gap, top)
            top -= pad if row in said else 0
            tally.add_widget(row)
        for row in foot:
            row.pos = (tally.x + style.gap, tally.y + pad)
            tally.add_widget(row)

    def _rows(self, width: float, room: float) -> list[Any]:
        """The kinds, as many as there is room for; the others as one number."""
        rows = self._helping.rows
        high = ROW_PX * 1.3 * style.factor
        columns = 1 if len(rows) <= FEW or width < 300 * style.factor else 2
        most = max(int(room / high), 1) * columns
        if len(rows) > most:
            rest = rows[most - 1 :]
            more = HelpingRow(
                _("play.others"), sum(row.number for row in rest), sum(row.points for row in rest)
            )
            rows = (*rows[: most - 1], more)
        lines = []
        for first in range(0, len(rows), columns):
            line = BoxLayout(spacing=style.gap_l, size_hint=(None, None), size=(width, high))
            each = (width - style.gap_l * (columns - 1)) / columns
            for row in rows[first : first + columns]:
                number = f"{row.number} × " if row.number else ""
                line.add_widget(_pair(f"{number}{row.name}", _added(row.points), each, ROW_PX))
            if len(rows[first:]) < columns:
                line.add_widget(Widget(size_hint=(None, None), size=(each, 0)))
            lines.append(line)
        return lines

    def _sum(self, width: float) -> Any:
        text = _("play.cards_number").format(number=len(self._helping.moves))
        points = _("play.points").format(points=_signed(self._helping.points))
        return _pair(text, points, width, SUM_PX, bold=True)


def _signed(points: int) -> str:
    return f"+{points}" if points > 0 else minus(points)


def _added(points: int) -> str:
    return _signed(points) if points else "0"


def _paragraph(text: str, width: float, tone: str) -> Any:
    size = WORD_PX * style.factor
    label = Words(text, bold=True, font_size=size, color=style.tone(tone), width=width)
    label.size_hint = (None, None)
    return label


def _pair(left: str, right: str, width: float, px: float, *, bold: bool = False) -> Any:
    """Two words at the ends of a line."""
    size, tones = px * style.factor, ("bone", "bone" if bold else "ash")
    end = Letters(
        right, font_name=BOLD if bold else TEXT, font_size=size, color=style.tone(tones[1]),
        size_hint=(None, None),
    )  # fmt: skip
    words: Sequence[Any]
    end.size = end.extent
    begin = Words(
        left, bold=bold, font_size=size, color=style.tone(tones[0]), line_height=1.0,
        width=width - end.width - style.gap_s,
    )  # fmt: skip
    begin.size_hint = (None, None)
    words = (begin, end)
    line = BoxLayout(size_hint=(None, None), size=(width, max(w.height for w in words)))
    for word in words:
        word.pos_hint = {"center_y": 0.5}
        line.add_widget(word)
    return line
