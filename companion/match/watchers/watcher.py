"""The interface of parts of a table that hear of all that happens and call to players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from companion.match.events import TableEvent
from companion.match.messages import Message
from companion.match.view import TableState
from rules.core import Call
from rules.match import Match
from rules.reading.dice import Trays


@dataclass(frozen=True, slots=True)
class Happened:
    """One message at a table, and all that came of it."""

    message: Message
    events: Sequence[TableEvent]
    match: Match
    """The match as agreed now."""
    state: TableState
    clear: bool
    """True if a camera has the board in sight."""
    trays: Trays
    """Contents of trays."""
    now: float
    """Monotonic seconds."""


class Watcher(Protocol):
    """Kept by a table for as long as the match is open."""

    @property
    def calls(self) -> tuple[tuple[int, Call], ...]:
        """The calls that apply now, each with the number of moves when it came."""

    def deadline(self) -> float | None:
        """Time (monotonic seconds) at which time alone changes something; ``heed`` is called
        then, with a ``Tick``."""

    def heed(self, happened: Happened) -> None:
        """Takes one message. Raises JournalError if something could not be written down."""
