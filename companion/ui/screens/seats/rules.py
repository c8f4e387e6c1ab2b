"""The rules of a match, on a page of their own before it begins: referee, clock, house rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from kivy.uix.widget import Widget

from companion.presentation.setting_up.choices import house_rules_of
from companion.presentation.setting_up.company import Playing, playing_of, tips_possible
from companion.presentation.words.translate import _
from companion.settings.clocks import INCREMENTS_S, TIMES_S, ClockKind, ClockPlan, clock_plan
from companion.settings.enforcement import Enforcement
from companion.settings.manners import Commit
from companion.settings.people import MatchSetup
from companion.ui.theme.style import style
from companion.ui.widgets.base import Words
from companion.ui.widgets.choice import AnswerRow, Choice
from rules.telling import Teller

# -- the clock --------------------------------------------------------------------------------

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


Change = Callable[..., None]
"""Changes the plan by what it holds: ``change(tips=False)``."""


def rules_rows(plan: MatchSetup, teller: Teller, change: Change, width: float) -> list[Widget]:
    """Rows of all choices."""

    def pick(name: str, value: Any) -> None:
        change(**{name: value})

    rows: list[Widget] = [_subtitle(_("seats.when_a_rule_is_broken"), width)]
    for mode in Enforcement:
        title, text = mode_words(mode)
        chosen = mode is plan.enforcement
        rows.append(AnswerRow(title, text, chosen, partial(pick, "enforcement", mode), width))
    if playing_of(plan) is Playing.CAMERA:
        rows.append(_subtitle(_("seats.when_a_move_counts"), width))
        for commit in Commit:
            title, text = _commit(commit)
            chosen = commit == plan.commit
            rows.append(AnswerRow(title, text, chosen, partial(pick, "commit", commit), width))
    if plan.players > 1:
        rows.append(_subtitle(_("screens.clock"), width))
        rows += clock_rows(plan.clock, partial(pick, "clock"), width)
    if tips_possible(plan):
        rows.append(_subtitle(_("seats.tips"), width))
        for allowed in (True, False):
            title, text = _tips(allowed=allowed)
            chosen = allowed is plan.tips
            rows.append(AnswerRow(title, text, chosen, partial(pick, "tips", allowed), width))
    if rules := house_rules_of(plan):
        rows.append(_subtitle(_("seats.house_rules"), width))
    rows += [_option(plan, name, known, teller, change, width) for name, known in rules.items()]
    return rows


def _option(
    plan: MatchSetup,
    name: str,
    known: tuple[str, ...],
    teller: Teller,
    change: Change,
    width: float,
) -> Widget:
    def pick(value: str) -> None:
        change(options={**plan.options, name: value})

    title, text = teller.option(name)
    chosen = plan.options.get(name, known[0])
    answers = [(teller.option_value(name, value), value) for value in known]
    return Choice(title, text, answers, chosen, pick, width)


def _subtitle(text: str, width: float) -> Words:
    return Words(text, color=style.ash, font_size=style.type_s, width=width)


def rules_line(plan: MatchSetup, teller: Teller) -> str:
    """Referee, clock and house rules of a match, in one line."""
    changed = [
        teller.option(name)[0]
        for name, values in house_rules_of(plan).items()
        if plan.options.get(name, values[0]) != values[0]
    ]
    told = [_("seats.referee_mode").format(mode=mode_words(plan.enforcement)[0])]
    if plan.players > 1 and (clock := clock_plan(plan.clock)) is not None:
        told.append(_("seats.clock_time").format(time=clock_words(clock)))
    if len(changed) > 1:
        told.append(_("seats.count_house_rules").format(count=len(changed)))
    return " · ".join([*told, *changed] if len(changed) == 1 else told)


def mode_words(mode: Enforcement) -> tuple[str, str]:
    """Name of a strictness, and what it means."""
    return {
        Enforcement.OFF: (_("screens.only_score"), _("seats.whatever_is_played_counts")),
        Enforcement.ADVISE: (
            _("screens.advise"), _("seats.a_breach_is_explained"),
        ),
        Enforcement.ENFORCE: (
            _("screens.apply_rules"), _("seats.a_breach_is_explained_and_must"),
        ),
        Enforcement.PENALISE: (
            _("screens.penalise"), _("seats.as_before"),
        ),
    }[mode]  # fmt: skip


def _tips(*, allowed: bool) -> tuple[str, str]:
    if allowed:
        return _("seats.on_request"), _("seats.whoever_is_to_move_may_ask")
    return _("screens.none"), _("seats.in_this_match_heelstone_gives")


def _commit(commit: str) -> tuple[str, str]:
    if commit == Commit.BUTTON:
        return _("seats.by_a_button"), _("seats.a_move_counts_when_somebody_touches")
    return _("seats.when_all_is_still"), _("seats.a_move_counts_as_soon")


# -- the clock in words ------------------------------------------------------------------------


_FIRM = "\N{NO-BREAK SPACE}"


def kind_words(kind: ClockKind | None) -> tuple[str, str]:
    """A name of a kind of clock, and one sentence about it; None: no clock."""
    return {
        None: (_("seats.no_clock"), _("seats.everybody_takes_the_time_they_need")),
        ClockKind.PLAYER: (
            _("seats.a_clock_for_each_player"), _("seats.everybody_has_the_same_time"),
        ),
        ClockKind.TURN: (
            _("seats.a_sand_timer"), _("seats.everybody_has_the_same_time_for_every_turn"),
        ),
    }[kind]  # fmt: skip


def time_words(seconds: int) -> str:
    """Some time: ``15 min`` or ``30 s``."""
    whole = seconds >= 60 and seconds % 60 == 0
    return f"{seconds // 60}{_FIRM}min" if whole else f"{seconds}{_FIRM}s"


def clock_words(plan: ClockPlan) -> str:
    """A clock in a few letters: ``15 min + 10 s``; a sand timer: ``60 s per turn``."""
    told = time_words(plan.seconds)
    if plan.kind is ClockKind.TURN:
        return _("seats.time_per_turn").format(time=told)
    return f"{told} + {plan.increment_s}{_FIRM}s" if plan.increment_s else told
