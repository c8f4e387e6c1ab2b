"""The wire format of two tables that share a match.

Each message says all there is to say, so it does no harm if one is lost, comes twice or comes late.
What another table says is bounded and checked before anything else looks at it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, cast

import msgspec

from companion.club.naming import ClubError, checked_name
from companion.decoding import Name, Seat, Unfit, decoded
from companion.journal.events import (
    MISFIT,
    EntryAmended,
    MovePlayed,
    TakenBack,
    Told,
    from_row,
    to_row,
)
from companion.settings.enforcement import Enforcement
from companion.settings.people import MatchSetup, clean_name

VERSION = 1
LARGEST = 128 * 1024
"""Maximum size of a message, bytes; the longest match ever told took a twelfth of that."""

_Id = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{24}$")]
_Row = tuple[Annotated[str, msgspec.Meta(max_length=16)], dict[str, Any]]


class _Said(msgspec.Struct, frozen=True, kw_only=True, tag_field="what"):
    v: int = VERSION


class Who(_Said, frozen=True, tag="who"):
    """Asks which tables are there."""


class Here(_Said, frozen=True, tag="here"):
    """This table is."""

    busy: bool
    """True if a match is going on."""


class Invites(_Said, frozen=True, tag="invites"):
    """Do you play this with us?"""

    match: _Id
    game: Name
    players: Annotated[int, msgspec.Meta(ge=2, le=16)]
    options: Annotated[dict[Name, Name], msgspec.Meta(max_length=40)]
    names: Annotated[tuple[Name, ...], msgspec.Meta(max_length=16)]
    enforcement: Enforcement
    seats: Annotated[tuple[Seat, ...], msgspec.Meta(min_length=1, max_length=15)]
    """Seats of the table that is invited."""
    rules: Name
    """See ``companion.club.eligibility.rules_print``."""

    @property
    def plan(self) -> MatchSetup:
        """The match as it would be set up at the table that is invited."""
        return MatchSetup(
            self.game, self.players, dict(self.options), self.enforcement,
            tuple(clean_name(name) for name in self.names),
        )  # fmt: skip

    @property
    def sound(self) -> bool:
        """True if both tables would have a seat."""
        return set(self.seats) < set(range(self.players))


class Withdraws(_Said, frozen=True, tag="withdraws"):
    """The invitation does not count any more."""

    match: _Id


class Declines(_Said, frozen=True, tag="declines"):
    """Declines an invitation."""

    match: _Id
    why: Annotated[str, msgspec.Meta(pattern="^(no|busy|game|rules)$")]


class Tells(_Said, frozen=True, tag="tells"):
    """The match is on the table, and this is its record."""

    match: _Id
    told: Annotated[tuple[_Row, ...], msgspec.Meta(max_length=20_000)]
    wish: Annotated[int, msgspec.Meta(ge=0, le=20_000)] = 0
    """Number of its last moves that the table asks to be allowed to take back."""
    misfit: bool = False
    """True if the table refuses what it was told last."""


class Rests(_Said, frozen=True, tag="rests"):
    """The match was put away for later."""

    match: _Id


class Gone(_Said, frozen=True, tag="gone"):
    """The match is not played here any more."""

    match: _Id


Said = Who | Here | Invites | Withdraws | Declines | Tells | Rests | Gone


def heard(data: bytes) -> Said | None:
    """A message as it was meant; None for what makes no sense, or is of another version."""
    try:
        said = decoded(data, cast(type[Said], Said), most_bytes=LARGEST)
    except Unfit:
        return None
    return said if said.v == VERSION else None


def telling(match: str, told: Sequence[Told], wish: int, *, misfit: bool) -> Tells:
    """The record of a match as a message."""
    rows = (to_row(what) for what in told)
    told_rows = tuple((type, dict(body)) for type, body in rows)
    return Tells(match=match, told=told_rows, wish=wish, misfit=misfit)


def told_in(said: Tells) -> list[Told] | None:
    """The record in a message; None if it makes no sense."""
    found: list[Told] = []
    try:
        for type, body in said.told:
            what = from_row(type, body)
            if not isinstance(what, MovePlayed | TakenBack | EntryAmended):
                return None
            found.append(what)
    except MISFIT:
        return None
    return found


def said_by(subject: str) -> str:
    """The table that speaks under a subject, which the broker has made sure of; empty: none."""
    parts = subject.split(".")
    if len(parts) < 6 or parts[0] != "club" or parts[2] != "table" or parts[4] != "together":
        return ""
    try:
        return checked_name(parts[3])
    except ClubError:
        return ""
