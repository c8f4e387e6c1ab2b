"""The first steps of a game: the play screen as it is, and above it what to touch, and why."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.clock import Clock
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.match.practice.sandbox import Tutorial
from companion.presentation.boxes import box_of
from companion.presentation.touching import Picked, targets
from companion.presentation.words.sentences import teller_of
from companion.presentation.words.translate import _
from companion.ui.screens.guided import GuidedScreen
from companion.ui.theme.style import style
from companion.ui.widgets.base import Key, Words
from companion.ui.widgets.page import beside, head
from rules.lesson import lesson_of

_PATIENCE_S = 0.3
"""Seconds after which a touch is judged: a list passes it on only a moment later."""


class LessonScreen(GuidedScreen):
    """The lesson of ``game``. ``play``: it is to be played now; ``leave``: back to the shelf;
    ``puzzles``: its puzzles; None: it has none.

    ``ended``: it is told how one wins, and nothing is to be touched on the board any more.
    """

    def __init__(
        self,
        game: str,
        play: Callable[[], None],
        leave: Callable[[], None],
        puzzles: Callable[[], None] | None = None,
        **kwargs: Any,
    ) -> None:
        self.steps = Tutorial(lesson_of(game))
        self._play, self._puzzles = play, puzzles
        self._before: tuple[object, ...] = ()
        super().__init__(self.steps, leave, **kwargs)

    @property
    def astray(self) -> bool:
        """True if the last touch was not the one that is meant."""
        return self.calling

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
        """The screen is no longer shown; the match is forgotten."""
        Clock.unschedule(self._look_after)
        super().leave()

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
        self.calling = self._reached() == self._before
        self._build_strip()

    def _reached(self) -> tuple[object, ...]:
        """Progress of the lesson; the same after a touch that led nowhere."""
        table, fingers = self.table, self.table.fingers
        return (
            self.steps.number, fingers.picked, fingers.chosen, fingers.offer, table.result,
            table.sheet, getattr(table.desk, "picking", None), getattr(table.desk, "reader", None),
        )  # fmt: skip

    # -- building -------------------------------------------------------------------------

    def sentences(self) -> tuple[str, str]:
        """Result of the last touch, and the next step."""
        lang, number, step = style.lang, self.steps.number, self.steps.step
        told = self.steps.lesson.steps[number - 1].after[lang] if number else ""
        asked = "" if step is None else step.say[lang]
        if self.astray:
            return _("lessons.not_there"), asked
        return told, asked

    def keys(self, wide: float) -> list[Any]:
        shelf = self._to_shelf(wide)
        if self.steps.step is None:
            return [shelf, self._key(_("lessons.next"), self.skip, wide, primary=True)]
        return [shelf, self._key(_("screens.skip"), self.skip, wide)]

    def last_page(self) -> Any:
        """Three sentences, and the way to a match of one's own."""
        width = self.width - 2 * style.margin
        frame = BoxLayout(
            orientation="vertical", spacing=style.gap, size_hint=(None, None),
            size=(width, self.height - 2 * style.gap_l),
            pos=(self.x + style.margin, self.y + style.gap_l),
        )  # fmt: skip
        view = self.steps.view
        frame.add_widget(
            head(teller_of(view, style.lang).game_name, _("lessons.how_to_win"), width)
        )
        frame.add_widget(Widget())
        for number, sentence in enumerate(self.steps.lesson.win[style.lang], 1):
            frame.add_widget(_numbered(number, sentence, width))
        frame.add_widget(Widget())
        narrow = 0.7 if self._puzzles is None else 1.0
        shelf = Key(_("screens.to_the_shelf"), self._leave, symbol="←", size_hint_x=narrow)
        keys = [shelf, Key(_("lessons.play_now"), self._play, symbol="▶", primary=True)]
        if self._puzzles is not None:
            keys.insert(1, Key(_("screens.puzzles"), self._puzzles, symbol="✦"))
        frame.add_widget(beside(*keys))
        return frame


def _numbered(number: int, sentence: str, width: float) -> Any:
    """A sentence behind its number."""
    indent = style.target
    figure = Words(
        str(number), bold=True, font_size=style.type_l, color=style.dawn, width=indent,
        line_height=1.0,
    )  # fmt: skip
    words = Words(sentence, font_size=style.type_m, width=width - indent)
    line = BoxLayout(size_hint_y=None, height=max(words.height, figure.height))
    for label in (figure, words):
        label.pos_hint = {"center_y": 0.5}
        line.add_widget(label)
    return line
