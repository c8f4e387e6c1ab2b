"""The keys that say who takes a seat: a person, or one of the computer players."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from companion.presentation.words.translate import _
from companion.ui.theme.style import style
from companion.ui.widgets.base import Key
from companion.ui.widgets.choice import mark_chosen
from companion.ui.widgets.sideways import Sideways, peeking
from companion.words.player_names import player_name

__all__ = ["company_keys"]

_WIDE = 2.4
"""Width of a key in targets, where not all have room beside each other."""
_PEEK = 0.5


def company_keys(
    players: Sequence[str], sitting: str, pick: Callable[[str], None], width: float
) -> Any:
    """A row of keys; ``sitting``: who sits there now, empty for a person."""
    answers = [(_("seats.person"), ""), *((player_name(one, style.lang), one) for one in players)]
    count, gap = len(answers), style.gap_s
    each = (width - gap * (count - 1)) / count
    if each < style.target * 1.9:
        each = peeking(width, style.target * _WIDE, count, gap, style.target * _PEEK)
    keys = []
    for words, player in answers:
        key = Key(words, partial(pick, player), height=style.target, size_hint_x=None, width=each)
        mark_chosen(key, player == sitting)
        keys.append(key)
    return Sideways(keys, gap, width, style.target)
