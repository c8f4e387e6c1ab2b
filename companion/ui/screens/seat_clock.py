"""Where a clock is chosen before a match: none, one for each player, or a sand timer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from kivy.uix.widget import Widget

from companion.presentation.setting_up.clocks import kind_words, time_words
from companion.presentation.words.translate import _
from companion.settings.clocks import INCREMENTS_S, TIMES_S, ClockKind, ClockPlan, clock_plan
from companion.ui.widgets.choice import AnswerRow, Choice

__all__ = ["clock_rows"]

Pick = Callable[[str], None]
"""Hears the text of the clock that was chosen; empty: none."""


def clock_rows(chosen: str, pick: Pick, width: float) -> list[Widget]:
    """The kinds of clocks, and the times of the one that is ``chosen``."""
    plan = clock_plan(chosen)
    kind = None if plan is None else plan.kind
    rows: list[Widget] = []
    for one in (None, *ClockKind):
        title, text = kind_words(one)
        press = partial(_take, one, plan, pick)
        rows.append(AnswerRow(title, text, one is kind, press, width))
    if plan is not None:
        rows += _times(plan, pick, width)
    return rows


def _take(kind: ClockKind | None, plan: ClockPlan | None, pick: Pick) -> None:
    """A kind was touched; the times that were chosen for it stay."""
    if kind is None:
        pick("")
    elif plan is None or plan.kind is not kind:
        pick(str(ClockPlan.first(kind)))


def _times(plan: ClockPlan, pick: Pick, width: float) -> list[Widget]:
    def changed(name: str, value: Any) -> None:
        pick(str(replace(plan, **{name: value})))

    known = sorted({*TIMES_S[plan.kind], plan.seconds})
    times = [(time_words(seconds), seconds) for seconds in known]
    text = _("seats.when_it_is_up")
    rows: list[Widget] = [
        Choice(_("seats.time"), text, times, plan.seconds, partial(changed, "seconds"), width)
    ]
    if plan.kind is ClockKind.PLAYER:
        back = [(f"+{seconds} s", seconds) for seconds in INCREMENTS_S]
        text = _("seats.whoever_is_quick_gets_time_back")
        pressed = partial(changed, "increment_s")
        rows.append(
            Choice(_("seats.after_each_turn"), text, back, plan.increment_s, pressed, width)
        )
    return rows
