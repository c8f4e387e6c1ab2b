"""What happens at a table, as a numbered stream for people who build their own things.

Documented in ``docs/events.md``; ``VERSION`` counts changes that break readers. Every happening is
made of what everybody may know: moves as ``State.public`` tells them, and the public view.
"""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import msgspec

from companion.journal.events import Source
from companion.match.events import Agreed, Differs, Over, Penalised, TableEvent, TimeUp, TookBack
from companion.presentation.views import PublicView
from companion.presentation.words.sentences import teller_of
from rules.core import Move, Outcome
from rules.games import find_game
from rules.telling import Teller
from rules.texts import LANGUAGES

__all__ = ["KINDS", "VERSION", "Happened", "Happenings"]

VERSION: Final = 1
KINDS: Final = (
    "match.started", "match.resumed", "turn.started", "move.agreed", "move.taken_back",
    "entry.amended", "move.refused", "breach.noted", "time.up", "score.changed", "table.state",
    "table.differs", "match.won", "match.ended", "match.left", "missed",
)  # fmt: skip
"""Everything that ``what`` may say."""
_MOST_KEPT: Final = 500
"""So many are kept for readers that come back."""

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
        """What a reader that comes back names as the last one it heard."""
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
        """The table was faster than this stream; so much is not told one by one."""
        view = self._before
        tell = _always({"count": count})
        return [] if view is None else [self._note("missed", tell, view)]

    def heard(self, view: PublicView, events: Sequence[TableEvent]) -> list[Happened]:
        """What ``events`` mean, which led to ``view``."""
        before, self._before = self._before, view
        told = [self._note(what, tell, view) for what, tell in _of_events(view, events)]
        told += [self._note(what, tell, view) for what, tell in _of_views(before, view)]
        # How it ended is told last.
        told += [self._note(what, tell, view) for what, tell in _of_end(view, events)]
        return told

    def since(self, last_id: str) -> list[Happened]:
        """What was kept after the one with this id; nothing if it is of another start."""
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


_Told = tuple[str, _Tell]


def _about_match(view: PublicView, teller: Teller) -> Json:
    return {
        "game": view.game, "game_name": teller.game_name, "ply": view.ply,
        "players": [{"seat": n, "name": teller.seat(n)} for n in range(view.players)],
    }  # fmt: skip


def _of_events(view: PublicView, events: Sequence[TableEvent]) -> Iterator[_Told]:
    plies = _plies_after(view, events)
    took = False
    for event, ply in zip(events, plies, strict=True):
        match event:
            case Agreed(moves, src):
                first = ply - len(moves) + 1
                if took and src is not Source.DEALER:
                    yield "entry.amended", _always({"ply": first})
                for number, move in enumerate(moves, first):
                    yield "move.agreed", _move(number, move)
                took = False
            case TookBack(moves):
                yield "move.taken_back", _taken_back(ply, moves)
                took = True
            case Penalised(player):
                yield "breach.noted", partial(_seat, player)
            case TimeUp(player):
                yield "time.up", partial(_seat, player)
            case Differs():
                yield "table.differs", _always({})


def _plies_after(view: PublicView, events: Sequence[TableEvent]) -> list[int]:
    """How many moves there were after each event; the last one led to ``view``."""
    plies, ply = [], view.ply
    for event in reversed(events):
        plies.append(ply)
        if isinstance(event, Agreed):
            ply -= len(event.moves)
        elif isinstance(event, TookBack):
            ply += len(event.moves)
    return plies[::-1]


def _of_views(before: PublicView | None, view: PublicView) -> Iterator[_Told]:
    """What can be told by comparing how everybody saw the table before and now."""
    if view.objections and (before is None or before.objections != view.objections):
        yield "move.refused", lambda teller: _refused(view, teller)
    if before is None or before.state is not view.state:
        yield "table.state", _always({"state": str(view.state)})
    if view.counts_points and (before is None or before.scores != view.scores):
        yield "score.changed", _always({"scores": list(view.scores)})
    asked = view.asked
    if asked is not None and (before is None or (view.turn, asked) != (before.turn, before.asked)):
        yield "turn.started", lambda teller: {"turn": view.turn} | _seat(asked, teller)


def _of_end(view: PublicView, events: Sequence[TableEvent]) -> Iterator[_Told]:
    for event in events:
        if not isinstance(event, Over):
            continue
        if event.outcome.reason not in find_game(view.game).lost_together:
            yield "match.won", partial(_won, event.outcome)
        yield "match.ended", partial(_ended, event.outcome)


def _won(outcome: Outcome, teller: Teller) -> Json:
    seats = list(outcome.ranking[0])
    return {"seats": seats, "names": [teller.seat(seat) for seat in seats]}


def _ended(outcome: Outcome, teller: Teller) -> Json:
    return {**outcome.to_json(), "text": str(teller.outcome(outcome))}


def _always(fields: Json) -> _Tell:
    return lambda _teller: fields


def _seat(seat: int, teller: Teller) -> Json:
    return {"seat": seat, "name": teller.seat(seat)}


def _move(ply: int, move: Move) -> _Tell:
    return lambda teller: {
        "ply": ply, "seat": move.player, "move": move.text, "text": teller.move(move),
    }  # fmt: skip


def _taken_back(ply: int, moves: Sequence[Move]) -> _Tell:
    return lambda teller: {
        "ply": ply, "moves": [move.text for move in moves],
        "texts": [teller.move(move) for move in moves],
    }  # fmt: skip


def _refused(view: PublicView, teller: Teller) -> Json:
    told = teller.objection(view.objections[0])
    return {"title": told.title, "text": told.text, "do": told.do, "rule": told.rule}
