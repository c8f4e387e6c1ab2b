"""The first steps of a game: the play screen as it is, and above it what to touch, and why."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.clock import Clock
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.match.first_steps import FirstSteps
from companion.match.view import Intent, TableView
from companion.ui.model.boxes import box_of
from companion.ui.model.touching import Picked, targets
from companion.ui.model.ways import Ways
from companion.ui.screens.play.screen import PlayScreen
from companion.ui.theme.style import style
from companion.ui.widgets.base import Card, Key, Words
from companion.ui.widgets.page import GroundedPage, beside, head
from companion.ui.words.sentences import teller_of
from companion.ui.words.translate import _
from rules.lesson import lesson_of

__all__ = ["LessonScreen"]

STRIP, STRIP_UPRIGHT = 74.0, 146.0
"""Height of what is said, at a short side of 480."""
_SHARES = (1.0, 0.94, 0.88, 0.82, 0.76, 0.7, 0.62)
"""Sizes of what is said, as shares of a text's."""
_PATIENCE_S = 0.3
"""A list passes a touch on a moment later; before that nobody knows whether it did something."""


class LessonScreen(GroundedPage):
    """The lesson of ``game``. ``play``: it is to be played now; ``leave``: back to the shelf."""

    def __init__(
        self, game: str, play: Callable[[], None], leave: Callable[[], None], **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.steps = FirstSteps(lesson_of(game))
        self._play, self._leave = play, leave
        self.ended = False
        """Whether it is told how one wins, and nothing is to be touched on the board any more."""
        self.astray = False
        """Whether the last touch was not the one that is meant."""
        ways = Ways(leave=leave, hand=self.steps.hand)
        self.table = PlayScreen(self._ask, ways, embedded=True)
        self._before: tuple[object, ...] = ()
        self._strip: Any = None
        self._renew = Clock.create_trigger(self._build, -1)
        # A size given at once would otherwise never be passed on to the children.
        self._trigger_layout()
        self.page.bind(size=self._resized)
        style.bind(lang=self._renew, name=self._renew, text=self._renew)
        self.steps.subscribe(self._show)
        self._show(self.steps.view)

    # -- what touches do ------------------------------------------------------------------

    def skip(self) -> None:
        """Leave out what is left of it."""
        self.ended = True
        self._renew()

    def on_touch_down(self, touch: Any) -> bool:
        """Touches of the table may go astray."""
        if not self.ended and self.table.collide_point(*touch.pos):
            self._before = self._reached()
            Clock.schedule_once(self._look_after, _PATIENCE_S)
        return bool(super().on_touch_down(touch))

    def leave(self) -> None:
        """It is no longer shown; the match is forgotten."""
        style.unbind(lang=self._renew, name=self._renew, text=self._renew)
        Clock.unschedule(self._look_after)
        self.table.leave()
        self.steps.close()

    def _ask(self, intent: Intent) -> None:
        self.steps.post(intent)

    def _look_after(self, _passed: float) -> None:
        """A while after a touch: whether it led anywhere."""
        table, step = self.table, self.steps.step
        view = table.view
        if step is None or view is None:
            return
        held, offer = table.fingers.picked, table.fingers.offer
        if held != Picked() and not targets(view, box_of(view), held) and offer is None:
            # Something else was picked up: nothing would glow any more.
            table.let_go()
        self.astray = self._reached() == self._before
        self._build_strip()

    def _reached(self) -> tuple[object, ...]:
        """How far one is; the same after a touch that led nowhere."""
        table, fingers = self.table, self.table.fingers
        return (
            self.steps.number, fingers.picked, fingers.chosen, fingers.offer, table.result,
            table.sheet, getattr(table.desk, "picking", None), getattr(table.desk, "reader", None),
        )  # fmt: skip

    # -- building -------------------------------------------------------------------------

    def _show(self, view: TableView) -> None:
        self.table.show(view, self.steps.score_lines, self.steps.score_history)
        self.astray = False
        self._build_strip()

    def _resized(self, *_: Any) -> None:
        style.use_size(self.width, self.height)
        self._renew()

    @property
    def landscape(self) -> bool:
        """Whether the screen is wider than high."""
        return bool(self.width > self.height)

    def _build(self, *_: Any) -> None:
        if self.width < style.target:
            return
        self.page.clear_widgets()
        self._strip = None
        if self.ended:
            self.page.add_widget(self._how_to_win())
            return
        height = self.height - self._strip_height
        self.table.size_hint, self.table.size = (None, None), (self.width, height)
        self.table.pos = self.pos
        self.page.add_widget(self.table)
        self._build_strip()

    @property
    def _strip_height(self) -> float:
        return float((STRIP if self.landscape else STRIP_UPRIGHT) * style.factor)

    def _build_strip(self) -> None:
        """What is said now, and the keys beside or below it."""
        if self.ended or self.width < style.target:
            return
        if self._strip is not None:
            self.page.remove_widget(self._strip)
        height, edge = self._strip_height, style.margin * 0.8
        keys = self._keys()
        strip = Card(
            fill="slate", line="slate", size_hint=(None, None), size=(self.width, height),
            pos=(self.x, self.y + self.height - height),
        )  # fmt: skip
        strip.rounding = 0
        across = sum(key.width for key in keys) + style.gap_s * (len(keys) - 1)
        line = BoxLayout(spacing=style.gap_s, size_hint=(None, None), size=(across, style.target))
        for key in keys:
            line.add_widget(key)
        inner = self.width - 2 * edge
        line.x = self.x + edge + inner - across
        if self.landscape:
            room = (inner - across - style.gap, height - 2 * style.grid)
            line.y = strip.y + (height - style.target) / 2
            middle = strip.y + height / 2
        else:
            room = (inner, height - style.target - 3 * style.gap_s)
            line.y = strip.y + style.gap_s
            middle = strip.y + style.target + 2 * style.gap_s + room[1] / 2
        words = self._said(*room)
        words.pos = (self.x + edge, middle - words.height / 2)
        strip.add_widget(words)
        strip.add_widget(line)
        self._strip = strip
        self.page.add_widget(strip)

    def _said(self, width: float, height: float) -> Any:
        """What came of the last touch, and what is to be touched now, as large as fits."""
        told, asked = self._sentences()
        for share in _SHARES:
            size = style.body * share
            look = {"width": width, "font_size": size, "line_height": 1.0}
            lines = [Words(told, color=style.tone("bone", 0.8), **look)] if told else []
            if asked:
                ink = style.tone("ask" if self.astray else "bone")
                lines.append(Words(asked, bold=True, color=ink, **look))
            spacing = style.grid * 0.5
            needed = sum(line.height for line in lines) + spacing * (len(lines) - 1)
            if needed <= height:
                break
        column = BoxLayout(
            orientation="vertical", spacing=spacing, size_hint=(None, None), size=(width, needed)
        )
        for line in lines:
            column.add_widget(line)
        return column

    def _sentences(self) -> tuple[str, str]:
        """What came of the last touch, and what is to be touched now."""
        lang, number, step = style.lang, self.steps.number, self.steps.step
        told = self.steps.lesson.steps[number - 1].after[lang] if number else ""
        asked = "" if step is None else step.say[lang]
        if self.astray:
            return _("Not there. Touch what glows:"), asked
        return told, asked

    def _keys(self) -> list[Any]:
        shape = {"height": style.target, "size_hint_x": None}
        wide = (124.0 if self.landscape else 150.0) * style.factor
        shelf = Key(_("To the shelf"), self._leave, symbol="←", width=wide, **shape)
        if self.steps.step is None:
            return [shelf, Key(_("Next"), self.skip, primary=True, width=wide, **shape)]
        return [shelf, Key(_("Skip"), self.skip, width=wide, **shape)]

    def _how_to_win(self) -> Any:
        """Three sentences, and the way to a match of one's own."""
        width = self.width - 2 * style.margin
        frame = BoxLayout(
            orientation="vertical", spacing=style.gap, size_hint=(None, None),
            size=(width, self.height - 2 * style.gap_l),
            pos=(self.x + style.margin, self.y + style.gap_l),
        )  # fmt: skip
        view = self.steps.view
        frame.add_widget(head(teller_of(view, style.lang).game_name, _("How to win"), width))
        frame.add_widget(Widget())
        for number, sentence in enumerate(self.steps.lesson.win[style.lang], 1):
            frame.add_widget(_numbered(number, sentence, width))
        frame.add_widget(Widget())
        shelf = Key(_("To the shelf"), self._leave, symbol="←", size_hint_x=0.7)
        frame.add_widget(beside(shelf, Key(_("Play now"), self._play, symbol="▶", primary=True)))
        return frame


def _numbered(number: int, sentence: str, width: float) -> Any:
    """A sentence behind its number."""
    indent = style.target
    figure = Words(
        str(number), bold=True, font_size=style.type_l, color=style.dawn, width=indent,
        line_height=1.0,
    )  # fmt: skip
    words = Words(sentence, font_size=style.type_m * 0.95, width=width - indent)
    line = BoxLayout(size_hint_y=None, height=max(words.height, figure.height))
    for label in (figure, words):
        label.pos_hint = {"center_y": 0.5}
        line.add_widget(label)
    return line
