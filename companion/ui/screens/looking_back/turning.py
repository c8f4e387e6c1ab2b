"""The turning points of a match: all players' chances over time, and the moves that turned it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from kivy.clock import Clock
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion.match.looking_back.history import Recording
from companion.match.looking_back.judging import Judging
from companion.presentation.players import player_of
from companion.presentation.words.sentences import teller_of
from companion.presentation.words.translate import _
from companion.ui.drawing.chart import ChanceChart
from companion.ui.theme.style import style
from companion.ui.widgets.base import Card, Key, Link, Words, fit_one_line
from companion.ui.widgets.chip import Bar
from companion.ui.widgets.sheet import Column
from rules.players.analysis_result import (
    Judgement,
    TurningPoint,
    percent,
    what_turned,
    why_it_turned,
)
from rules.telling import Teller


class TurningPage(FloatLayout):  # type: ignore[misc]
    """``go_to`` shows the table after a move; ``back``: the way back to the moves."""

    def __init__(
        self,
        recording: Recording,
        judging: Judging,
        ply: int,
        go_to: Callable[[int], None],
        back: Callable[[], None],
        **place: Any,
    ) -> None:
        """``ply``: the move that is shown, to be marked in the chart."""
        super().__init__(**place)
        self._recording, self._judging = recording, judging
        self._go_to, self._back, self._ply = go_to, back, ply
        self._match = recording.match_at(len(recording))
        self.stopped = False
        """True if the analysis was stopped by hand."""
        self._bar: Any = None
        self._told: Any = None
        self._caption: Any = None
        self._chart: Any = None
        self._renew = Clock.create_trigger(self._build, -1)
        self._soon = Clock.create_trigger(self._changed, -1)
        self._silence = judging.listen(self._soon)
        self.begin()

    def begin(self) -> None:
        """Look back at the match, if that is not done or under way already."""
        self.stopped = False
        self._judging.begin(self._recording.header.id, self._match)
        self._renew()

    def stop(self) -> None:
        """Do not wait for it."""
        self.stopped = True
        self._judging.stop(self._recording.header.id)
        self._renew()

    def leave(self) -> None:
        """The page is no longer shown; what is under way goes on."""
        self._silence()
        self._soon.cancel()
        self._renew.cancel()
        self._drop_chart()

    # -- building -------------------------------------------------------------------------

    def _changed(self, *_: Any) -> None:
        now = self._judging.of(self._recording.header.id, self._match)
        if self._bar is None or not now.running:
            self._build()
            return
        self._bar.part = now.part
        self._told.text = _waiting(waits=now.waits)

    def _drop_chart(self) -> None:
        if self._chart is not None:
            self._chart.leave()
        self._chart = None

    def _build(self, *_args: Any) -> None:
        self._drop_chart()
        self.clear_widgets()
        self._bar = self._told = self._caption = None
        width = self.width - 2 * style.margin
        frame = BoxLayout(
            orientation="vertical", spacing=style.gap_s, size_hint=(None, None),
            size=(width, self.height - 2 * style.gap_s),
            pos=(self.x + style.margin, self.y + style.gap_s),
        )  # fmt: skip
        frame.add_widget(self._head(width))
        now = self._judging.of(self._recording.header.id, self._match)
        if now.judgement is not None:
            for widget in self._result(now.judgement, width):
                frame.add_widget(widget)
        elif now.running:
            self._told = Words(_waiting(waits=now.waits), width=width)
            self._bar = Bar(now.part, height=style.gap)
            stop = Key(_("screens.stop"), self.stop, symbol="■", height=style.target)
            frame.add_widget(Column([self._told, self._bar, stop], style.gap_l))
        else:
            again = Key(_("screens.try_again"), self.begin, symbol="↻", height=style.target)
            said = _("looking_back.stopped") if self.stopped else _trouble(now.trouble)
            frame.add_widget(Column([Words(said, width=width), again], style.gap_l))
        self.add_widget(frame)

    def _head(self, width: float) -> Any:
        line = FloatLayout(size_hint_y=None, height=style.target)
        back = Link(_("screens.go_back"), self._back, symbol="←", to_right=True)
        back.pos_hint = {"right": 1, "y": 0}
        room = width - back.width - style.gap
        told = _("looking_back.who_was_ahead")
        size = fit_one_line(told, (style.type_m, style.type_s), room)
        title = Words(told, bold=True, font_size=size, width=room)
        title.pos_hint = {"x": 0, "center_y": 0.5}
        line.add_widget(title)
        line.add_widget(back)
        return line

    def _result(self, judgement: Judgement, width: float) -> list[Widget]:
        recording = self._recording
        view = recording.view(len(recording))
        teller = teller_of(view, style.lang)
        players = [player_of(view, teller, s, supply=False) for s in range(recording.players)]
        landscape = self.width > self.height
        self._chart = ChanceChart(
            judgement, players, partial(self._pull, judgement, teller), self._go_to,
            height=self.height * (0.36 if landscape else 0.4),
        )  # fmt: skip
        self._chart.mark(self._ply)
        self._caption = Words(
            _("looking_back.touch_the_curve_to_see"),
            font_size=style.type_xs, color=style.ash, width=width,
        )  # fmt: skip
        inner = width - style.gap
        rows: list[Widget] = [
            _PointCard(number, point, teller, inner, partial(self._go_to, point.ply))
            for number, point in enumerate(judgement.turning_points, 1)
        ]
        if not rows:
            rows.append(Words(teller.text("judged", "nothing"), width=inner))
        return [self._chart, self._caption, Column(rows, style.gap_s, listing=True)]

    def _pull(self, judgement: Judgement, teller: Teller, ply: int) -> None:
        """Say below the chart what is under the finger."""
        chances = zip(teller.names, judgement.at(ply).chances, strict=False)
        stood = " · ".join(f"{name} {percent(chance)}" for name, chance in chances)
        place = _("looking_back.move_ply_of_last").format(ply=ply, last=judgement.plies)
        self._caption.text = f"{place} · {stood}"


class _PointCard(ButtonBehavior, Card):  # type: ignore[misc]
    """A turning point: its number in the chart, the move, and what would have been better."""

    def __init__(
        self,
        number: int,
        point: TurningPoint,
        teller: Teller,
        width: float,
        press: Callable[[], None],
    ) -> None:
        super().__init__(fill="stone", line="edge", size_hint_y=None)
        pad, side = style.gap * 0.8, style.type_m
        room = width - 2 * pad - side - style.gap_s
        self.text = what_turned(point, teller)
        self._number = Words(
            str(number), bold=True, font_size=style.type_m, color=style.dawn, width=side
        )
        self._words = [
            Words(self.text, bold=True, font_size=style.type_s, width=room),
            Words(why_it_turned(point, teller), font_size=style.type_xs, width=room),
        ]
        self.height = max(sum(line.height for line in self._words) + 2 * pad, style.target)
        self._pad, self._left = pad, pad + side + style.gap_s
        for words in (self._number, *self._words):
            self.add_widget(words)
        self.bind(pos=self._place, size=self._place)
        self.bind(on_release=lambda *_: press())

    def _place(self, *_: Any) -> None:
        top = self.y + self.height - self._pad
        self._number.pos = (self.x + self._pad, self.center_y - self._number.height / 2)
        for line in self._words:
            top -= line.height
            line.pos = (self.x + self._left, top)


def _waiting(*, waits: bool) -> str:
    if waits:
        return _("looking_back.it_goes_on_as_soon")
    return _("looking_back.the_match_is_being_played_out")


def _trouble(code: str) -> str:
    if code == "hand_unseen":
        return _("looking_back.nobody_ever_showed_what_the_players")
    return _("looking_back.nothing_came_of_it_this_time")
