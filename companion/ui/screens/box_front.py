"""The front of a game's box on the shelf: its board, its name, how many may play."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.clock import Clock
from kivy.core.text import Label as CoreLabel
from kivy.graphics import Color, InstructionGroup, Rectangle, SmoothEllipse, SmoothRoundedRectangle
from kivy.uix.behaviors import ButtonBehavior

from companion.ui import later
from companion.ui.drawing.front_pictures import FrontPictures
from companion.ui.theme.style import style
from companion.ui.widgets.base import Card, Words, fit_one_line

__all__ = ["BoxFront"]


_GROUND = "stone"
"""Colour of the front, below the picture."""


class BoxFront(ButtonBehavior, Card):  # type: ignore[misc]
    """A box to be taken from the shelf; a picture that was never drawn comes a little later."""

    def __init__(
        self,
        game: str,
        title: str,
        players: str,
        press: Callable[[], None],
        size: tuple[float, float],
        pictures: FrontPictures,
    ) -> None:
        super().__init__(fill="slate", line="edge", size_hint=(1, None), height=size[1])
        self.game, self.text = game, title
        self.rounding = style.radius * 0.6
        self._spine = 7 * style.factor
        self._drawing = InstructionGroup()
        self.canvas.before.add(self._drawing)
        inner = size[0] - self._spine - 2 * style.gap_s
        self._players = Words(
            players, font_size=style.type_xs, bold=True, color=style.ash, width=0.4 * inner,
            line_height=1.0, halign="right",
        )  # fmt: skip
        sizes = tuple(style.type_s * part for part in (1.0, 0.92, 0.85, 0.78, 0.7, 0.64))
        self._title = Words(
            title, bold=True, font_size=fit_one_line(title, sizes, inner), width=inner,
            line_height=1.0, halign="center",
        )  # fmt: skip
        for widget in (self._title, self._players):
            self.add_widget(widget)
        self._pictures, self._asked = pictures, False
        self._box: tuple[int, int, int, int] = (0, 0, 1, 1)
        """Where the picture is: x, y, width and height in whole px, so that it stays sharp."""
        # Once per frame: a layout moves it four times.
        self._later = Clock.create_trigger(self._place, -1)
        self.bind(pos=self._later, size=self._later, state=self._later)
        self.bind(on_release=lambda *_: press())

    @property
    def pictured(self) -> bool:
        """Whether its picture is shown."""
        return self._pictures.kept(self.game, self._box[2:], _GROUND) is not None

    def _place(self, *_: Any) -> None:
        left = self.x + self._spine
        wide = self.width - self._spine
        edge = style.gap_s
        self._title.pos = (left + (wide - self._title.width) / 2, self.y + edge * 0.8)
        bottom = self._title.y + self._title.height + edge * 0.4
        top = self.y + self.height - edge
        # The number is beside the picture, not on it.
        number = _words_width(self._players)
        aside = edge + number + 17 * style.factor
        size = (max(round(wide - edge - aside), 1), max(round(top - bottom), 1))
        self._box = (round(left + edge), round(bottom), *size)
        self._players.pos = (
            self.x + self.width - edge - self._players.width, top - self._players.height
        )  # fmt: skip
        self._draw(left, wide, number)

    def _draw(self, left: float, wide: float, number: float) -> None:
        group, radius = self._drawing, self.rounding
        group.clear()
        group.add(Color(*style.tone("edge")))
        group.add(SmoothRoundedRectangle(pos=self.pos, size=self.size, radius=[radius] * 4))
        front = {"pos": (left, self.y), "size": (wide, self.height), "radius": [radius] * 4}
        group.add(Color(*style.tone(_GROUND)))
        group.add(SmoothRoundedRectangle(**front))
        self._draw_picture()
        # One pawn beside the number says what the number counts.
        self._draw_pawn(number)
        if self.state == "down":
            group.add(Color(*style.tone("edge", 0.35)))
            group.add(SmoothRoundedRectangle(**front))

    def _draw_picture(self) -> None:
        x, y, width, height = self._box
        texture = self._pictures.kept(self.game, (width, height), _GROUND)
        if texture is not None:
            self._drawing.add(Color())
            self._drawing.add(Rectangle(texture=texture, pos=(x, y), size=(width, height)))
        elif not self._asked:
            self._asked = True
            later.soon(self._fetch)

    def _fetch(self) -> None:
        self._asked = False
        if self.get_root_window() is not None:
            self._pictures.draw(self.game, self._box[2:], _GROUND)
            self._place()

    def _draw_pawn(self, number: float) -> None:
        group, unit = self._drawing, style.factor
        x = self.x + self.width - style.gap_s - number - 10 * unit
        y = self._players.y + self._players.height / 2
        group.add(Color(*style.ash))
        group.add(SmoothEllipse(pos=(x - 2.6 * unit, y + 0.6 * unit), size=(5.2 * unit,) * 2))
        group.add(
            SmoothRoundedRectangle(
                pos=(x - 4.4 * unit, y - 5.6 * unit), size=(8.8 * unit, 6.2 * unit),
                radius=[3 * unit, 3 * unit, 1 * unit, 1 * unit],
            )
        )  # fmt: skip


def _words_width(words: Any) -> float:
    """How wide the words are in one line, px."""
    label = CoreLabel(font_name=words.font_name, font_size=words.font_size)
    return float(label.get_extents(words.text)[0])
