"""The words on the boxes of the shelf, and the choice of those that are shown. Free of Kivy."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from enum import StrEnum

from companion.presentation.words.translate import _
from companion.setup.shelf import Front

DAY_S = 86_400
SHORT_MIN = 30
"""Maximum length of a short match, minutes."""

_DAYS = (
    "shelf.monday",
    "shelf.tuesday",
    "shelf.wednesday",
    "shelf.thursday",
    "shelf.friday",
    "shelf.saturday",
    "shelf.sunday",
)


class Only(StrEnum):
    """Choice of the games that are shown."""

    ALL = "all"
    TWO = "two"
    SHORT = "short"
    NEW = "new"


def shown(fronts: Mapping[str, Front], played: Mapping[str, float], only: Only) -> tuple[str, ...]:
    """The games that are shown, in the order of the shelf. ``played``: see ``facts``, by game."""
    return tuple(game for game, front in fronts.items() if _fits(game, front, played, only))


def offered(fronts: Mapping[str, Front], played: Mapping[str, float]) -> tuple[Only, ...]:
    """The choices that make a difference: each shows some games, and not all of them."""
    some = [only for only in Only if 0 < len(shown(fronts, played, only)) < len(fronts)]
    return (Only.ALL, *some) if some else ()


def only_words(only: Only, count: int) -> str:
    """A choice in words; ``count``: of all games."""
    return {
        Only.ALL: _("shelf.all_count").format(count=count),
        Only.TWO: _("shelf.for_two"),
        Only.SHORT: _("shelf.quick"),
        Only.NEW: _("shelf.new"),
    }[only]


def facts(front: Front, played_s: float | None, now_s: float) -> tuple[str, ...]:
    """The lines below the name. ``played_s``: when it was played last, seconds since 1970, 0 if the
    clock was wrong then; None if it never was."""
    cover = front.cover
    who = [_("screens.count_players").format(count=_span(front.players))]
    if cover.minutes:
        who.append(_("shelf.minutes_min").format(minutes=cover.minutes))
    more = [_("shelf.age").format(age=cover.age)] if cover.age else []
    return (" · ".join(who), " · ".join([*more, _last(played_s, now_s)]))


def _fits(game: str, front: Front, played: Mapping[str, float], only: Only) -> bool:
    return {
        Only.ALL: True,
        Only.TWO: 2 in front.players,
        Only.SHORT: 0 < front.cover.minutes <= SHORT_MIN,
        Only.NEW: game not in played,
    }[only]


def _span(counts: Sequence[int]) -> str:
    if len(counts) == 1:
        return str(counts[0])
    if list(counts) == list(range(counts[0], counts[-1] + 1)):
        return f"{counts[0]}–{counts[-1]}"
    return " / ".join(map(str, counts))


def _last(played_s: float | None, now_s: float) -> str:
    if played_s is None:
        return _("shelf.not_played_yet")
    days = _day(now_s) - _day(played_s)
    if played_s <= 0 or days < 0:
        return _("shelf.played_before")
    if days == 0:
        return _("shelf.played_today")
    if days == 1:
        return _("shelf.played_yesterday")
    if days < 7:
        return _("shelf.played_day").format(day=_(_DAYS[time.localtime(played_s).tm_wday]))
    day = time.strftime(_("language.date"), time.localtime(played_s))
    return _("shelf.played_day").format(day=day)


def _day(seconds: float) -> int:
    """The number of the day on the clock of this place."""
    return int((seconds + time.localtime(seconds).tm_gmtoff) // DAY_S)
