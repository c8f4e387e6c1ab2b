"""The events of a table, as a numbered stream for people who build their own things.

Documented in ``docs/events.md``; ``VERSION`` counts changes that break readers. Every happening is
made of public data: moves as ``State.public`` tells them, and the public view.
"""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import msgspec

from companion.match.events import TableEvent
from companion.presentation.announcement import ROWS, What, fields_of, happened
from companion.presentation.views import PublicView, told_alike
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
    match: str = ""
    moves: int = 0
    """Number of first moves of the match that it may tell of."""

    @property
    def id(self) -> str:
        """The id that a returning reader names as the last one it heard."""
        return f"{self.run}.{self.number}"


class Happenings:
    """Numbers what happens, and keeps the last of it, as long as all of that is public."""

    def __init__(self) -> None:
        self._run = secrets.token_hex(4)
        self._number = 0
        self._kept: deque[Happened] = deque(maxlen=_MOST_KEPT)
        self._before: PublicView | None = None

    def opened(self, view: PublicView) -> list[Happened]:
        """A match is on the table now, a new one or one that is taken up again."""
        self._forget(view)
        self._before = view
        what = "match.started" if view.ply == 0 else "match.resumed"
        return [self._note(what, lambda teller: _about_match(view, teller), view)]

    def left(self) -> list[Happened]:
        """The match is no longer on the table."""
        before = self._before
        self._forget(None)
        self._before = None
        return [] if before is None else [self._note("match.left", _always({}), before)]

    def missed(self, count: int) -> list[Happened]:
        """The table was faster than this stream: a number of events is not told one by one."""
        view = self._before
        tell = _always({"count": count})
        return [] if view is None else [self._note("missed", tell, view)]

    def heard(self, view: PublicView, events: Sequence[TableEvent]) -> list[Happened]:
        """The stream's events for ``events``, which led to ``view``."""
        before = self._before
        self._forget(view)
        self._before, told = view, []
        moves = max(view.ply, 0 if before is None else before.ply)
        for one in happened(before, view, events):
            fields = one.row.stream
            if fields is None or (one.what is What.REFUSED and one.again):
                continue
            by_move = one.what in (What.AGREED, What.TO_SET)
            for each in one.by_move() if by_move else (one,):
                tell = partial(fields_of, fields, each, view)
                told.append(self._note(one.name, tell, view, moves))
                if by_move and view.told[each.ply - 1 : each.ply] != each.moves:
                    # Known for a moment, and forgotten with what followed at once.
                    self._kept.pop()
        return told

    def since(self, last_id: str) -> list[Happened]:
        """The events after the one with this id, as far as they are kept, and how many are not;
        none if it is of another start."""
        run, _, number = last_id.partition(".")
        if run != self._run or not number.isdecimal():
            return []
        found, last = list[Happened](), int(number)
        for one in self._kept:
            if one.number <= last:
                continue
            if gone := one.number - 1 - last:
                told = {lang: {"count": gone} for lang in LANGUAGES}
                found.append(self._made("missed", one.number - 1, one.match, told))
            found.append(one)
            last = one.number
        return found

    def _note(self, what: str, tell: _Tell, view: PublicView, moves: int = 0) -> Happened:
        self._number += 1
        told = {lang: tell(teller_of(view, lang)) for lang in LANGUAGES}
        one = self._made(what, self._number, view.public_id, told, moves)
        self._kept.append(one)
        return one

    def _made(
        self, what: str, number: int, match: str, told: Mapping[str, Json], moves: int = 0
    ) -> Happened:
        assert what in KINDS, what
        begin = {"v": VERSION, "n": number, "match": match, "what": what}
        made = {lang: msgspec.json.encode(begin | fields) for lang, fields in told.items()}
        return Happened(self._run, number, made, match, moves)

    def _forget(self, now: PublicView | None) -> None:
        """Keep of the match so far only what its public view ``now`` still tells (None: it has left
        the table). All of a match that is over may be looked back at."""
        before = self._before
        if before is None:
            return
        match, leaves = before.public_id, now is None or now.public_id != before.public_id
        if leaves and before.outcome is not None:
            return
        alike = told_alike(before, now)
        if alike is None:
            return
        kept = [one for one in self._kept if one.match != match or one.moves <= alike]
        if len(kept) < len(self._kept):
            self._kept = deque(kept, maxlen=_MOST_KEPT)


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
