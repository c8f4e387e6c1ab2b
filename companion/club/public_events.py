"""The public event format that a table sends to its club.

The club gets the numbered events of the journal, but each move as it was public when it was made,
and no seed. Nothing hidden is ever sent, not even when the match is over: a move may be taken back
then, and some games never say what lay where. Moves that turn something up at once are sent with
``shown``, what a table with real pieces would log for them, so that the rules can replay them
without knowing more than was seen.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Annotated, Any, Final, Literal

import msgspec

from companion.club.naming import ClubError, subject
from companion.decoding import MOST_BYTES, Moment, Name, Players, Seat, fitted
from companion.journal.entries import Header
from companion.journal.events import (
    LAST_OPENING,
    LONGEST_MS,
    Event,
    MovePlayed,
    TipGiven,
    to_row,
)
from companion.journal.fold import Fold
from companion.presentation.faces import faces_of
from companion.settings.enforcement import Enforcement
from rules.printable import harmless

VERSION: Final = 1
"""Version of every message to the club."""
MOST_EVENTS = 100_000
"""Most events of a match; an evening has some hundred."""

# -- messages, as the club reads them ---------------------------------------------------------
#
# Whatever the club's programs calculate with is bounded here, at the door. What a newer table says
# beyond that is not kept.

_Text = Annotated[str, msgspec.Meta(max_length=200)]
_Count = Annotated[int, msgspec.Meta(ge=0, le=MOST_EVENTS)]
_Key = Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{24})?$")]
_Points = Annotated[int, msgspec.Meta(ge=-1_000_000, le=1_000_000)]
_Clock = Annotated[int, msgspec.Meta(ge=0, le=LONGEST_MS)]
_Seats = Annotated[tuple[Seat, ...], msgspec.Meta(max_length=16)]
_Names = Annotated[tuple[Name, ...], msgspec.Meta(max_length=16)]
_Moves = Annotated[tuple[_Text, ...], msgspec.Meta(min_length=1, max_length=100)]


class _Together(msgspec.Struct):
    match: Name
    table: Name
    here: _Seats
    hosting: bool


class ToldHeader(msgspec.Struct, omit_defaults=True):
    """``public_header`` as it arrives."""

    game: Name
    players: Players
    options: Annotated[dict[Name, Name], msgspec.Meta(max_length=40)]
    physical: bool
    names: _Names
    enforcement: Enforcement
    created: Moment
    series: Name = ""
    course: Name = ""
    commit: Name = ""
    clock: Name = ""
    board: str = ""
    together: _Together | None = None
    computers: _Names = ()
    tips: bool = True
    faces: _Names = ()
    pairing: Name = ""

    def __post_init__(self) -> None:
        """Raises ValueError for more people than seats, or a face too few or too many."""
        if max(len(self.names), len(self.computers)) > self.players:
            raise ValueError("more names than players")
        if len(self.faces) not in (0, self.players):
            raise ValueError("not a face for each player")


class ToldEnd(msgspec.Struct):
    """The outcome of a match."""

    reason: Name
    ranking: Annotated[tuple[_Seats, ...], msgspec.Meta(max_length=16)]
    scores: Annotated[tuple[_Points, ...], msgspec.Meta(max_length=16)]


class _Move(msgspec.Struct):
    move: _Text
    forced: bool = False
    joined: bool = False
    shown: _Moves | None = None


class _TakenBack(msgspec.Struct):
    count: Annotated[int, msgspec.Meta(ge=1, le=MOST_EVENTS)]


class _Penalty(msgspec.Struct):
    player: Seat
    rule: Name
    code: Name


class _Amended(msgspec.Struct):
    ply: _Count
    moves: _Count


class _Stickers(msgspec.Struct):
    groups: Annotated[tuple[Name, ...], msgspec.Meta(max_length=100)]
    have: bool


class _Opened(msgspec.Struct):
    number: Annotated[int, msgspec.Meta(ge=1, le=LAST_OPENING)]


class _ClockStood(msgspec.Struct):
    left: Annotated[tuple[_Clock, ...], msgspec.Meta(max_length=16)]
    turn: Seat | None


class _Tip(msgspec.Struct):
    player: Seat


_BODIES: Mapping[str, type[msgspec.Struct]] = {
    "move": _Move, "takeback": _TakenBack, "penalty": _Penalty, "amended": _Amended,
    "stickers": _Stickers, "opened": _Opened, "clock": _ClockStood, "tip": _Tip, "wish": _TakenBack,
    "end": ToldEnd,
}  # fmt: skip


class _Told(msgspec.Struct):
    v: Literal[1]


class ToldBegun(_Told):
    """A match that began."""

    header: ToldHeader
    replaces: _Key = ""


class ToldEvent(_Told):
    """An event of a match."""

    seq: Annotated[int, msgspec.Meta(ge=1, le=MOST_EVENTS)]
    t: Moment
    type: Annotated[str, msgspec.Meta(max_length=16)]
    src: Annotated[str, msgspec.Meta(max_length=16)]
    body: dict[str, Any]

    def __post_init__(self) -> None:
        """Raises Unfit for the body of another type; one of an unknown type changes nothing."""
        if self.type in _BODIES:
            fitted(self.body, _BODIES[self.type])


class ToldStands(_Told):
    """Position of a match."""

    status: Literal["open", "finished", "abandoned"]


class Asks(_Told):
    """A question: how much of these matches is stored?"""

    number: _Count
    matches: Annotated[tuple[_Key, ...], msgspec.Meta(max_length=200)]


class Answer(_Told):
    """The answer: of each match that is known there, the number of events, and how it stands."""

    number: int
    stored: dict[str, tuple[_Count, Name]]


class Call(msgspec.Struct, frozen=True):
    """A game of a tournament that waits for a table."""

    pairing: Name
    """The club's name of it; a match that is begun as such is its result."""
    tournament: Name
    round: Annotated[int, msgspec.Meta(ge=1, le=1_000)]
    board: Annotated[int, msgspec.Meta(ge=1, le=1_000)]
    game: Name
    options: Annotated[dict[Name, Name], msgspec.Meta(max_length=40)]
    names: Annotated[tuple[Name, ...], msgspec.Meta(min_length=2, max_length=16)]
    """In the order of the seats."""
    here: bool = True
    """False: it may be played at any table."""


class Calls(_Told):
    """All games that wait for one table."""

    games: Annotated[tuple[Call, ...], msgspec.Meta(max_length=64)]


@dataclass(frozen=True, slots=True)
class Letter:
    """One message to the club."""

    subject: str
    id: str
    """The same for the same content: a message sent twice counts once."""
    body: bytes


def match_key(match_id: str, key: bytes, edition: int = 1) -> str:
    """Id of a match in its club.

    The journal's id must not leave the table: it can deal the cards of an old match. ``key``: the
    table's own. ``edition``: how often the journal's record of the match was replaced by another.
    """
    return blake2b(f"{match_id}/{edition}".encode(), key=key, digest_size=12).hexdigest()


def public_header(header: Header, key: bytes) -> dict[str, Any]:
    """Header of a match without what only the table may know."""
    told = header.to_json()
    del told["seed"], told["id"]
    # Who is told only what everybody sees knows no card that was dealt, as of a real one.
    told.pop("dealt", None)
    # An old record may hold names that are not shown anywhere.
    told["names"] = [harmless(name) for name in header.names]
    named = (*header.names, *("",) * (header.players - len(header.names)))
    told["faces"] = list(faces_of(named, header.computers))
    told["series"] = match_key(header.series, key) if header.series else ""
    return told


class PublicForm:
    """A match as its club is told of it. Raises JournalError for an unknown game, ClubError for a
    message longer than the club reads."""

    def __init__(
        self, header: Header, key: bytes, club: str, table: str, edition: int = 1, again: int = 0
    ) -> None:
        """``again``: how often the club asked for it again; the broker must not take that for what
        it has had already."""
        self.header, self._key, self._club, self._table = header, key, club, table
        self.edition, self._again = edition, again
        self.match = match_key(header.id, key, edition)
        self.seq = 0
        """Number of the last event that was taken."""
        self._fold = Fold(header)

    def begun(self) -> Letter:
        """The match itself."""
        told: dict[str, Any] = {"header": public_header(self.header, self._key)}
        if self.edition > 1:
            told["replaces"] = match_key(self.header.id, self._key, self.edition - 1)
        return self._letter("begun", f"{self.match}.0", told)

    def take(self, event: Event) -> Letter:
        """The next event; raises GameError if it does not fit."""
        letter = self._letter("event", f"{self.match}.{event.seq}", self.event(event))
        self._fold.take(event.what)
        self.seq = event.seq
        return letter

    def event(self, event: Event) -> dict[str, Any]:
        """Public form of the next event, before it is taken."""
        type, body = to_row(event.what)
        told = {"seq": event.seq, "t": event.t_utc, "type": type, "src": event.src.value}
        if isinstance(event.what, MovePlayed):
            body = self._public(event.what, body)
        elif isinstance(event.what, TipGiven):
            # What was advised tells what somebody holds.
            body = {"player": event.what.player}
        return {**told, "body": dict(body)}

    def stands(self, status: str, number: int) -> Letter:
        """Message on how the match stands after the last event; ``number`` counts such messages."""
        told = {"seq": self.seq, "status": status}
        return self._letter("stands", f"{self.match}.{self.seq}.{status}.{number}", told)

    def _public(self, what: MovePlayed, body: Mapping[str, Any]) -> dict[str, Any]:
        match = self._fold.match
        public = match.state.public(what.move, None)
        told = {**body, "move": public.text}
        if not match.physical or match.dealt:
            shown = [move.text for move in match.state.shown(what.move)]
            if shown != [public.text]:
                told["shown"] = shown
        return told

    def _letter(self, what: str, id: str, told: Mapping[str, Any]) -> Letter:
        body = json.dumps({"v": VERSION, **told}, ensure_ascii=False, separators=(",", ":"))
        # A name may hold half of a letter, which no encoding knows.
        data = body.encode("utf-8", "replace")
        if len(data) > MOST_BYTES:
            raise ClubError("club_match_too_long", match=self.header.id)
        if self._again:
            id += f".again{self._again}"
        return Letter(subject(self._club, self._table, self.match, what), id, data)
