"""The lines above and below the words: what state the match is in, the time, and a sign for what
waits; undo and the menu. For desks one line with what is most urgent."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from kivy.clock import Clock
from kivy.uix.behaviors import ButtonBehavior

from companion.match.view import Intent, SetClockRunning, TableState, TableView
from companion.presentation.announcement import at_head, cue_of, refusal
from companion.presentation.theme.tokens import Indicator
from companion.presentation.words.sentences import clock_text, teller_of
from companion.presentation.words.translate import _
from companion.presentation.words.troubles import chip_text, note
from companion.settings.enforcement import Enforcement
from companion.ui.shell import DeskWays
from companion.ui.theme.style import style
from companion.ui.widgets.base import Card, Letters, Link, Symbol, Words, fit_one_line, fits
from companion.ui.widgets.chip import Chip
from companion.ui.widgets.rows import BuiltRows, Row, blank, fill, key_row
from companion.ui.widgets.turn_clock import TurnClock
from rules.core import Result
from rules.telling import Teller

_CLOCK_S = 20.0


class Sign(NamedTuple):
    """A sign at the end of the line that can be touched."""

    symbol: str
    press: Callable[[], None]
    text: str = ""


class Head:
    """Fills ``line``, a horizontal box above the words of a match; its last sign leads to the aim
    and the rules, if there is room.

    ``led``: another screen says what is to be done, so that nothing stands here while all is well.
    """

    def __init__(
        self,
        line: Any,
        on_intent: Callable[[Intent], object],
        explain: Callable[[], None],
        *,
        led: bool = False,
        now_s: Callable[[], float] = time.time,
    ) -> None:
        self._line, self._led, self._now_s = line, led, now_s
        self._explain = explain
        self._view: TableView | None = None
        self._chip, self._built = Chip(), BuiltRows()
        self._clock_label = Letters(halign="right", size_hint_y=None)
        self._clock_label.bind(size=self._tell_time)
        self._turn_clock = TurnClock(lambda on: on_intent(SetClockRunning(on)))
        self._tick = Clock.schedule_interval(self._tell_time, _CLOCK_S)

    def height(self, view: TableView | None, result: Result | None) -> float:
        """Height of the line, px; 0 where it has nothing to say."""
        if view is None or not self._led or view.outcome is not None or result is not None:
            return float(2 * style.gap_l)
        # Beside a strip that says what to do, that all is well says nothing.
        quiet = at_head(view) is None and not note(view)
        well = view.state is TableState.SETTLED and view.clock is None and quiet
        return 0.0 if well else float(2 * style.gap_l)

    def show(
        self,
        view: TableView,
        result: Result | None,
        sign: Callable[[], Sign | None],
        width: float,
    ) -> None:
        """Show ``view`` across ``width`` px, and ``result`` as long as it is looked at; ``sign`` is
        asked last."""
        self._view = view
        self._line.height = self.height(view, result)
        if not self._line.height:
            self._line.clear_widgets()
            return
        state = view.state
        if state is TableState.PENDING and view.candidates:
            state = TableState.AMBIGUOUS  # There is something to choose from.
        told = chip_text(view, teller_of(view, style.lang).text("state", state.value))
        if view.outcome is not None:
            told = _("play.match_over")
        state = state if view.outcome is None else TableState.SETTLED
        call = at_head(view)
        called = None if call is None else Indicator(call.sign, *cue_of(call).value)
        self._chip.show(state, told, called)
        if result is not None:
            verdict = teller_of(view, style.lang).verdict(result)
            self._chip.tell(verdict, good=result.good)
        self._chip.pos_hint = {"center_y": 0.5}
        parts = [self._chip]
        if view.clock is not None and view.outcome is None:
            self._turn_clock.show(view.clock)
            parts.append(self._turn_clock)
        else:
            self._clock_label.font_size = style.caption
            # Its figures have nothing below their line: half a pixel goes to above them.
            self._clock_label.height = self._line.height + 1
            self._clock_label.color = style.ash
            parts.append(self._clock_label)
        gap = self._line.spacing
        # The figures and the sign keep their room; the state is told in smaller words.
        clock = self._turn_clock.least_width if self._turn_clock in parts else 0.0
        room = width - gap - clock
        self._built.begin()
        if (wanted := sign()) is not None:
            link = self._built.of(_link(wanted))
            if self._chip.width + gap + link.width > room:
                link = self._built.of(_link(wanted._replace(text="")))
            room -= gap + link.width
            parts.append(link)
        self._chip.narrow(room)
        about = self._built.of(_link(Sign("", self._explain, "?"), "bone"))
        # Beside a long state and a sign the menu has the way.
        if self._chip.width + gap + about.width <= room:
            parts.append(about)
        fill(self._line, parts)
        self._built.end()
        self._tell_time()

    def leave(self) -> None:
        """Stop the clocks; the line is no longer shown."""
        self._tick.cancel()
        self._turn_clock.show(None)

    def _tell_time(self, *_args: Any) -> None:
        """Turn and minutes, or how strict the referee is; whatever has room beside the chip."""
        view, label = self._view, self._clock_label
        if view is None or label.parent is None:
            return
        refused = view.state is TableState.ILLEGAL
        told = _mode(view.enforcement) if refused else clock_text(view, self._now_s())
        label.break_at = label.width
        fitting = (
            text
            for text in (told, told.partition(" · ")[0])
            if fits(text, label.font_size, label.width - style.gap_s)
        )
        label.text = next(fitting, "")


def _link(sign: Sign, colour: str = "ash") -> Row:
    make = partial(
        Link, sign.text, sign.press, symbol=sign.symbol, to_right=True, colour=colour,
        pos_hint={"center_y": 0.5},
    )  # fmt: skip
    return Row(("link", sign, colour), style.target, make)


class WayBack(NamedTuple):
    """The one way back: undo, or letting go of what was picked up."""

    text: str
    symbol: str
    press: Callable[[], None]


class Foot:
    """Fills ``line`` below the words: a way back and the menu, always in the same place."""

    def __init__(self, line: Any, open_menu: Callable[[], None]) -> None:
        self._line, self._open_menu, self._built = line, open_menu, BuiltRows()

    def show(
        self, back: WayBack | None, tip: Callable[[], None] | None, redo: Callable[[], None] | None
    ) -> None:
        """Offer these ways; None are not offered."""
        small = {"size_hint_x": None, "width": style.button}
        keys = [blank() if back is None else _key(back.text, back.press, back.symbol)]
        if tip is not None:
            keys.append(_key(_("play.tip"), tip, "☼", size_hint_x=0.55))
        if redo is not None:
            keys.append(key_row("", redo, symbol="↻", **small))
        keys.append(key_row("", self._open_menu, symbol="☰", **small))
        self._built.begin()
        fill(self._line, [self._built.of(key) for key in keys])
        self._built.end()


def _key(text: str, press: Callable[[], None], symbol: str, **look: Any) -> Row:
    return key_row(text, press, symbol=symbol, type_px=style.body, **look)


def _mode(enforcement: Enforcement) -> str:
    return {
        Enforcement.OFF: _("screens.only_score"),
        Enforcement.ADVISE: _("screens.advise"),
        Enforcement.ENFORCE: _("screens.apply_rules"),
        Enforcement.PENALISE: _("screens.penalise"),
    }[enforcement]


# -- at the head of a desk -----------------------------------------------------------------


class Remark(ButtonBehavior, Card):  # type: ignore[misc]
    """One line in a frame of the colour ``tone``; empty: quiet, without a frame."""

    def __init__(
        self,
        text: str,
        tone: str,
        width: float,
        height: float,
        press: Callable[[], None] | None = None,
    ) -> None:
        super().__init__(
            fill=tone or "slate", line=tone or "edge", size_hint=(None, None), size=(width, height)
        )
        if tone:
            self.tint(tone, tone, 0.16)
        else:
            self.fill = self.line = (0, 0, 0, 0)
        self.text, colour = text, tone or "ash"
        self._sign = Symbol(
            text={"stop": "⚠", "ask": "→"}.get(tone, ""), color=style.tone(colour),
            size_hint=(None, None), font_size=style.body,
        )  # fmt: skip
        self._sign.size = self._sign.extent if self._sign.text else (0, 0)
        room = width - self._sign.width - 3 * style.gap
        sizes = (style.body, style.caption)
        size = fit_one_line(text, sizes, room)
        ink = style.tone("ash") if not tone else style.bone
        self._words = Words(text, bold=True, font_size=size, color=ink, width=room, line_height=1.0)
        self.add_widget(self._sign)
        self.add_widget(self._words)
        self.bind(pos=self._place, size=self._place)
        if press is not None:
            self.bind(on_release=lambda *_: press())

    def _place(self, *_: Any) -> None:
        middle, left = self.y + self.height / 2, self.x + style.gap
        self._sign.pos = (left, middle - self._sign.height / 2)
        left += self._sign.width + (style.gap_s if self._sign.text else 0)
        self._words.pos = (left, middle - self._words.height / 2)


def urgent(
    view: TableView, teller: Teller, ways: DeskWays, width: float, height: float
) -> Remark | None:
    """The remark that goes before all others: a refusal, something that hands must do, a phone that
    asks, or what is missing; None if there is none."""
    refused, call, asks = refusal(view), at_head(view), ways.phone_asks()
    if refused is not None:
        told = refused.told(teller)
        tone = "stop" if view.state is TableState.ILLEGAL else "ask"
        return Remark(f"{told.title} – {told.do}", tone, width, height)
    if call is not None:
        return Remark(teller.call(call).title, cue_of(call).colour, width, height)
    if asks is not None:
        return Remark(_("screens.a_phone_asks"), "ask", width, height, asks)
    if missing := note(view):
        return Remark(missing, "ask", width, height, ways.open_troubles)
    return None
