"""A record of what a table was last told, so that a wrong call can be rehearsed elsewhere.

A session lets its ``Recall`` hear every message. ``scene`` writes the last of them as the lines of
a scene (``companion.match.rehearsing.scene``): first the match up to there, then what was seen and
touched. Sites, pieces, moves and seconds are all that it contains; nothing in it is private.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile
from typing import Any

from companion.journal.entries import Header
from companion.journal.fold import begin
from companion.match.messages import ComputerPlays, Message, Seen
from companion.match.rehearsing.scene import Pressed
from companion.match.table import Table
from companion.match.view import (
    Amend,
    AutoDeal,
    BoardIsRight,
    CameraIsWrong,
    ChooseCandidate,
    PlayAnyway,
    PlayMove,
    PlayMoves,
    Redo,
    Undo,
)
from rules.match import Entry, Match
from rules.reading.sighting import EMPTY, Look, Stray, looks

MOST_NOTES = 80
"""How much is remembered: two or three turns."""
LONGEST_S = 60.0
"""A table at which nothing happens for longer is not waited for in a scene."""

Json = Any
Step = Mapping[str, Json]
"""A line of a scene."""


@dataclass(frozen=True, slots=True)
class _Saw:
    """The things on the table."""

    lying: Mapping[str, Look]
    hand: bool = False
    hidden: tuple[str, ...] = ()
    strays: tuple[Stray, ...] = ()


@dataclass(frozen=True, slots=True)
class _Note:
    """Something that the table was told."""

    at_s: float
    before: tuple[Entry, ...]
    """The record when it was told."""
    what: _Saw | Step


class Recall:
    """The last things that one table was told. ``hear`` is called by the session's thread only;
    ``scene`` by anybody."""

    def __init__(self, table: Table) -> None:
        self._header: Header = table.record.header
        self._begin = table.match.log
        self._notes: tuple[_Note, ...] = ()
        self._saw: _Saw | None = None

    def hear(self, message: Message, table: Table, now: float) -> None:
        """Remember a message that ``table`` is about to get at ``now`` (monotonic seconds)."""
        if isinstance(message, Amend):
            # The record is about to be another one; what led to the old one explains nothing.
            self._notes, self._saw = (), None
            return
        told = self._seen(message) if isinstance(message, Seen) else _touched(message, table)
        if told:
            new = [_Note(now, table.match.log, what) for what in told]
            self._notes = (*self._notes, *new)[-MOST_NOTES:]

    def scene(self, name: str, now: float) -> list[Step]:
        """Everything until ``now`` as the lines of a scene called ``name``."""
        notes = self._notes
        before = notes[0].before if notes else self._begin
        match = begin(self._header)
        return [
            self._heading(name),
            *_replayed(match, before, free=self._header.enforcement == "off"),
            {"setup": True, "for": 1},
            *_steps(notes, looks(match.layout), now),
        ]

    def _heading(self, name: str) -> Step:
        header = self._header
        return {
            "scene": name,
            "game": header.game,
            "players": header.players,
            "options": dict(header.options),
            "enforcement": header.enforcement,
            # Other cards would be dealt from another seed.
            **({"dealt": list(header.dealt), "seed": header.seed} if header.dealt else {}),
        }

    def _seen(self, seen: Seen) -> Sequence[_Saw]:
        """A look, if anything about it is new."""
        if seen.blind:
            return ()
        sighting, last = seen.sighting, self._saw or _Saw({})
        if sighting.hand:
            # What is below a hand is only guessed at.
            saw = replace(last, hand=True, hidden=(), strays=())
        else:
            beliefs = sighting.sites.items()
            hidden = {site for site, belief in beliefs if belief.occluded}
            lying = {site: belief.best for site, belief in beliefs if site not in hidden}
            kept = {site: look for site, look in last.lying.items() if site in hidden}
            saw = _Saw(lying | kept, False, tuple(sorted(hidden)), tuple(sighting.strays))
        if saw == self._saw:
            return ()
        self._saw = saw
        return (saw,)


def _touched(message: Message, table: Table) -> Sequence[Step]:
    """A touch as lines of a scene; none for what changes no record."""
    match message:
        case PlayMove(move):
            return ({"tap": move.text},)
        case PlayMoves(moves):
            return [{"tap": move.text} for move in moves]
        case ComputerPlays(moves, _why, since) if since == len(table.record.told):
            # In a scene there are no computer players; somebody touches their moves.
            return [{"tap": move.text} for move in moves]
        case AutoDeal():
            return [{"tap": move.text} for move in table.record.dealt_for_people()]
        case Undo(count):
            # In a scene every move has a touch of its own.
            return ({"press": Pressed.UNDO.value},) * table.record.decisions_in(count)
        case Redo():
            joined = takewhile(lambda entry: entry.joined, reversed(table.match.undone[:-1]))
            return ({"press": Pressed.REDO.value},) * (1 + len(list(joined)))
        case PlayAnyway():
            return ({"press": Pressed.ANYWAY.value},)
        case CameraIsWrong():
            return ({"press": Pressed.CAMERA_IS_WRONG.value},)
        case BoardIsRight():
            return ({"press": Pressed.BOARD_IS_RIGHT.value},)
        case ChooseCandidate(index):
            chosen = table.view().candidates[index : index + 1]
            return [{"answer": [move.text for move in each.moves]} for each in chosen]
    return ()


def _replayed(match: Match, entries: Sequence[Entry], *, free: bool) -> Iterator[Step]:
    """The touches that lead to a record, played in ``match``; ``free``: nothing is refused."""
    for entry in entries:
        # What is dealt automatically comes by itself.
        if match.next_chance() != entry.move:
            yield {"tap": entry.move.text}
            if entry.forced and not free:
                yield {"press": Pressed.ANYWAY.value}
        match.play(entry)


def _steps(notes: Sequence[_Note], lying: Mapping[str, Look], now: float) -> Iterator[Step]:
    """Looks and touches, with the time between; ``lying``: what lay there before."""
    if not notes:
        return
    saw = _Saw(lying)
    ends = [*(later.at_s for _, later in pairwise(notes)), now]
    for note, end_s in zip(notes, ends, strict=True):
        lasted = round(min(max(end_s - note.at_s, 0.0), LONGEST_S), 2)
        if isinstance(note.what, _Saw):
            yield _look(saw, note.what, lasted)
            saw = note.what
        else:
            yield note.what
            if lasted:
                yield _look(saw, saw, lasted)


def _look(before: _Saw, saw: _Saw, lasted: float) -> Step:
    sites = sorted(before.lying.keys() | saw.lying.keys())
    table = {
        site: as_pieces(saw.lying.get(site, EMPTY))
        for site in sites
        if saw.lying.get(site, EMPTY) != before.lying.get(site, EMPTY)
    }
    strays = [{"kind": s.kind, "at": [round(mm, 1) for mm in s.at_mm]} for s in saw.strays]
    return {
        "look": table,
        "for": lasted,
        **({"hand": True} if saw.hand else {}),
        **({"hidden": list(saw.hidden)} if saw.hidden else {}),
        **({"strays": strays} if strays else {}),
    }


def as_pieces(look: Look) -> list[Json]:
    """A look as the pieces of a scene's line."""
    pieces: list[Json] = []
    for glimpse, count in Counter(look).items():
        if not glimpse.pose and count == 1:
            pieces.append(glimpse.kind)
            continue
        pose = {"pose": glimpse.pose} if glimpse.pose else {}
        pieces.append({"kind": glimpse.kind, **pose, **({"count": count} if count > 1 else {})})
    return pieces
