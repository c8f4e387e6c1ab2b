"""The events of a table, as a numbered stream for people who build their own things.

Documented in ``docs/events.md``; ``VERSION`` counts changes that break readers. Every happening is
made of public data: moves as ``State.public`` tells them, and the public view.
"""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import msgspec

from companion.match.events import TableEvent
from companion.presentation.announcement import ROWS, What, fields_of, happened
from companion.presentation.views import PublicView
from companion.presentation.words.sentences import teller_of
from rules.telling import Teller
from rules.texts import LANGUAGES

VERSION: Final = 1
_MOST_KEPT: Final = 500
"""Number of events that are kept for readers that come back."""

Json = dict[str, Any]
_Tell = Callable[[Teller], Json]
"""Writes the fields of a happening in a language."""


@dataclass(frozen=True, slots=True)
class Happened:
    """One numbered happening."""

    run: str
    """Numbers begin anew with every start of the table's program; this tells the starts apart."""
    number: int
    told: dict[str, bytes]
    """UTF-8 JSON by language."""

    @property
    def id(self) -> str:
        """The id that a returning reader names as the last one it heard."""
        return f"{self.run}.{self.number}"


class Happenings:
    """Numbers what happens, and keeps the last of it."""

    def __init__(self) -> None:
        self._run = secrets.token_hex(4)
        self._number = 0
        self._kept: deque[Happened] = deque(maxlen=_MOST_KEPT)
        self._before: PublicView | None = None

    def opened(self, view: PublicView) -> list[Happened]:
        """A match is on the table now, a new one or one that is taken up again."""
        self._before = view
        what = "match.started" if view.ply == 0 else "match.resumed"
        return [self._note(what, lambda teller: _about_match(view, teller), view)]

    def left(self) -> list[Happened]:
        """The match is no longer on the table."""
        before, self._before = self._before, None
        return [] if before is None else [self._note("match.left", _always({}), before)]

    def missed(self, count: int) -> list[Happened]:
        """The table was faster than this stream: a number of events is not told one by one."""
        view = self._before
        tell = _always({"count": count})
        return [] if view is None else [self._note("missed", tell, view)]

    def heard(self, view: PublicView, events: Sequence[TableEvent]) -> list[Happened]:
        """The stream's events for ``events``, which led to ``view``."""
        before, self._before = self._before, view
        told = []
        for one in happened(before, view, events):
            fields = one.row.stream
            if fields is None or (one.what is What.REFUSED and one.again):
                continue
            each = one.by_move() if one.what in (What.AGREED, What.TO_SET) else (one,)
            told += [self._note(one.name, partial(fields_of, fields, e, view), view) for e in each]
        return told

    def since(self, last_id: str) -> list[Happened]:
        """The events kept after the one with this id; none if it is of another start."""
        run, _, number = last_id.partition(".")
        if run != self._run or not number.isdecimal():
            return []
        return [one for one in self._kept if one.number > int(number)]

    def _note(self, what: str, tell: _Tell, view: PublicView) -> Happened:
        assert what in KINDS, what
        self._number += 1
        begin = {"v": VERSION, "n": self._number, "match": view.public_id, "what": what}
        told = {
            lang: msgspec.json.encode(begin | tell(teller_of(view, lang))) for lang in LANGUAGES
        }
        one = Happened(self._run, self._number, told)
        self._kept.append(one)
        return one


# -- private ----------------------------------------------------------------------------------


def _about_match(view: PublicView, teller: Teller) -> Json:
    return {
        "game": view.game, "game_name": teller.game_name, "ply": view.ply,
        "players": [{"seat": n, "name": teller.seat(n)} for n in range(view.players)],
    }  # fmt: skip


def _always(fields: Json) -> _Tell:
    return lambda _teller: fields


KINDS: Final = (
    "match.started", "match.resumed", "match.left", "missed",
    *(row.name or what.value for what, row in ROWS.items() if row.stream is not None),
)  # fmt: skip
"""All values of ``what``."""
