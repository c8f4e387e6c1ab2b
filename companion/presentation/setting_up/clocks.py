"""The clock of a match in words, as it is chosen before. Free of Kivy."""

from __future__ import annotations

from companion.presentation.words.translate import _
from companion.settings.clocks import ClockKind, ClockPlan

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
