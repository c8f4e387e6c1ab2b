"""A match at two tables, as screens need it: who could play with us, who is invited, who invites.

The club itself is loaded only at a table that belongs to one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from companion.settings.people import MatchSetup


@dataclass(frozen=True, slots=True)
class TableThere:
    """A table of the club that is heard of now."""

    name: str
    busy: bool
    """True if a match is going on there."""


@dataclass(frozen=True, slots=True)
class Invitation:
    """A table invites another to a match."""

    match: str
    """Id of the match at both tables."""
    table: str
    """The other one."""
    plan: MatchSetup
    here: tuple[int, ...]
    """The seats that would be at this table."""
    answer: str = ""
    """Answer: empty while it waits; ``yes``; or why not: ``no`` (people there do not want to),
    ``busy`` (they are playing), ``game`` (they do not have the game), ``rules`` (they have another
    version of it), ``gone`` (nothing is heard of them any more)."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """A game of a tournament that waits for this table."""

    tournament: str
    round: int
    board: int
    here: bool
    """True if it is to be played at this table; else it may be played at any."""
    plan: MatchSetup
    """Game, players and options; all else is as the table likes it."""

    def setup(self, usual: MatchSetup) -> MatchSetup:
        """The match as it is begun here. ``usual``: how this table plays the game."""
        return replace(self.plan, physical=usual.physical, commit=usual.commit)


@dataclass(frozen=True, slots=True)
class TogetherNow:
    """State of the club's tables and of invitations."""

    connected: bool = False
    """True if the club can be reached now."""
    tables: tuple[TableThere, ...] = ()
    """The other tables that are there, by name."""
    sent: Invitation | None = None
    """Invitation of another table by this one."""
    received: Invitation | None = None
    """Invitation by another table; people here have not answered yet."""
    pairings: tuple[Pairing, ...] = ()
    """The games of tournaments that wait for this table, its own before those for any."""


NOBODY = TogetherNow()


class TwoTables(Protocol):
    """Matches at two tables of a club. Everything returns at once; ``listen`` tells what came."""

    @property
    def own_name(self) -> str:
        """Name of this table."""

    @property
    def now(self) -> TogetherNow:
        """Present state."""

    def knows(self, game: str, /) -> bool:
        """True if a game is known to be playable at two tables; answers at once."""

    def suits(self, plan: MatchSetup, /) -> bool:
        """True if a match can be played at two tables: nothing hidden is dealt in it."""

    def look(self, on: bool, /) -> None:
        """Starts or stops looking for tables."""

    def invite(self, table: str, plan: MatchSetup, here: tuple[int, ...], /) -> None:
        """Invite a table; ``here``: the seats that stay at this one."""

    def withdraw(self) -> None:
        """The invitation that was sent does not count any more."""

    def refuse(self) -> None:
        """People here do not want to, or not now."""

    def listen(self, callback: Callable[[], None], /) -> Callable[[], None]:
        """Call ``callback``, on any thread, after every change; returns how to stop that."""
