"""The front of a box on the shelf: its cover, its name, for whom it is, when it was played last."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from kivy.clock import Clock
from kivy.core.text import Label as CoreLabel
from kivy.graphics import Color, InstructionGroup, Rectangle, SmoothRoundedRectangle
from kivy.uix.behaviors import ButtonBehavior

from companion.presentation.words.translate import _
from companion.ui import frame_queue
from companion.ui.drawing.cover_pictures import CoverPictures
from companion.ui.theme.style import BOLD, style
from companion.ui.widgets.base import Card, Key, Words, fit_one_line

__all__ = ["BoxFront", "BoxWords", "lettering", "level"]


@dataclass(frozen=True, slots=True)
class BoxWords:
    """What is written on a box."""

    title: str
    facts: tuple[str, ...]
    """Lines below the title."""


class BoxFront(ButtonBehavior, Card):  # type: ignore[misc]
    """A box to be taken from the shelf. ``learn``: what its lesson does; None: it has none.

    ``at_once``: the cover stands in the first frame; otherwise it may come a little later.
    """

    def __init__(
        self,
        game: str,
        words: BoxWords,
        press: Callable[[], None],
        size: tuple[float, float],
        pictures: CoverPictures,
        sizes: tuple[float, float],
        *,
        learn: Callable[[], None] | None = None,
        at_once: bool = True,
    ) -> None:
        """``sizes``: see ``lettering``."""
        super().__init__(fill="slate", line="edge", size_hint=(None, None), size=size)
        self.game, self.text = game, words.title
        self._pictures, self._asked, self._at_once = pictures, False, at_once
        self._drawing = InstructionGroup()
        self.canvas.before.add(self._drawing)
        self._lines = _lines(words, size[0] - 2 * style.gap, sizes)
        self.words_height = sum(line.height for line in self._lines)
        """Room that is kept for the words, px."""
        self.learn: Any = None
        """The key of its lesson, if it has one."""
        for line in self._lines:
            self.add_widget(line)
        if learn is not None:
            self.learn = Key(
                _("shelf.learn_in_60_seconds"), learn, height=style.target, size_hint=(None, None),
                width=size[0] - 2 * style.gap_s,
            )  # fmt: skip
            self.add_widget(self.learn)
        self._box: tuple[int, int, int, int] = (0, 0, 1, 1)
        """Where the picture is: x, y, width and height in whole px, so that it stays sharp."""
        self._texture: Any = None
        # Once per frame: a layout moves it four times.
        self._later = Clock.create_trigger(self._place, -1)
        self.bind(pos=self._later, size=self._later, state=self._later)
        self.bind(on_release=lambda *_: press())
        self._later()

    @property
    def pictured(self) -> bool:
        """Whether its picture is shown."""
        return self._texture is not None

    def _place(self, *_: Any) -> None:
        at = self.y + style.gap_s
        if self.learn is not None:
            self.learn.pos = (self.x + style.gap_s, at)
            at += self.learn.height + style.gap_s
        spare = self.words_height - sum(line.height for line in self._lines)
        floor, at = at, at + spare / 2
        for line in reversed(self._lines):
            line.pos = (self.x + style.gap, at)
            at += line.height
        at = floor + self.words_height
        low, top = round(at + style.gap_s), round(self.y + self.height)
        left, right = round(self.x), round(self.x + self.width)
        self._box = (left, low, max(right - left, 1), max(top - low, 1))
        self._draw()

    def _draw(self) -> None:
        x, y, width, height = self._box
        group, radius = self._drawing, self.rounding
        if self._at_once and self.get_root_window() is not None:
            self._texture = self._pictures.of(
                self.game, (width, height), round(radius), below=False
            )
        elif self._texture is None and not self._asked:
            self._asked = True
            frame_queue.soon(self._fetch)
        group.clear()
        if self._texture is not None:
            group.add(Color())
            group.add(Rectangle(texture=self._texture, pos=(x, y), size=(width, height)))
        if self.state == "down":
            group.add(Color(*style.tone("dawn", 0.25)))
            group.add(SmoothRoundedRectangle(pos=self.pos, size=self.size, radius=[radius] * 4))

    def _fetch(self) -> None:
        self._asked, self._at_once = False, True
        if self.get_root_window() is not None:
            self._place()


def lettering(boxes: Sequence[BoxWords], width: float) -> tuple[float, float]:
    """One size of type (px) for all titles, and one for all facts, on boxes ``width`` px wide.

    A title that is too long for one line even in the smallest size takes two.
    """
    room, small = width - 2 * style.gap, style.type_s
    titles = (style.type_m * 0.96, style.type_m * 0.86, small * 1.12, small)
    label = CoreLabel(font_name=BOLD, font_size=small)
    short = [box.title for box in boxes if label.get_extents(box.title)[0] <= room]
    told = (small * 1.12, small * 1.04, small * 0.96, small * 0.88)
    return (
        min((fit_one_line(title, titles, room) for title in short), default=small),
        min((fit_one_line(f, told, room) for box in boxes for f in box.facts), default=small),
    )


def level(boxes: Sequence[BoxFront]) -> None:
    """The covers of ``boxes`` end at the same height."""
    highest = max((box.words_height for box in boxes), default=0.0)
    for box in boxes:
        box.words_height = highest


def _lines(words: BoxWords, width: float, sizes: tuple[float, float]) -> list[Any]:
    """Title and facts; a title of two lines is smaller."""
    size = fit_one_line(words.title, (sizes[0], style.type_s), width)
    lines = [Words(words.title, bold=True, font_size=size, width=width, line_height=1.05)]
    for number, fact in enumerate(words.facts):
        ink = style.ash if number else style.bone
        lines.append(Words(fact, font_size=sizes[1], color=ink, width=width, line_height=1.1))
    return lines
