"""What the screens need of the program around them.

The session and the journal implement these protocols; screens import nothing of either.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from companion.view import Enforcement, Intent, TableView
from rules.core import ScoreLine

__all__ = ["MatchSummary", "Shell", "TablePort", "Unsubscribe"]

Unsubscribe = Callable[[], None]


@dataclass(frozen=True, slots=True)
class MatchSummary:
    """A match that was not finished."""

    match_id: str
    game: str
    colours: tuple[str, ...]
    """Colour per seat, as the text files call it."""
    names: tuple[str, ...]
    """Names by seat; empty texts mean: call them by their colour."""
    scores: tuple[int, ...]
    turn: int
    saved_s: float
    """When it was played last, seconds since the epoch."""


class TablePort(Protocol):
    """One match at the table, as a screen may use it."""

    @property
    def view(self) -> TableView | None:
        """The newest picture of the table; None until there is one."""

    @property
    def score_lines(self) -> tuple[ScoreLine, ...]:
        """Where the points of the newest view come from."""

    def post(self, intent: Intent, /) -> None:
        """Ask for something; returns at once."""

    def subscribe(self, callback: Callable[[TableView], None], /) -> Unsubscribe:
        """Call ``callback``, on any thread, with every new view from now on."""


class Shell(Protocol):
    """The program around the screens."""

    def unfinished(self) -> Sequence[MatchSummary]:
        """Matches that may be resumed, the latest first."""

    def games(self) -> Sequence[str]:
        """Ids of the games on the shelf, in the order of the shelf."""

    def start(
        self,
        game: str,
        players: int,
        options: Mapping[str, str],
        enforcement: Enforcement,
        names: Sequence[str],
        physical: bool,
    ) -> TablePort:
        """Begin a match."""

    def resume(self, match_id: str, /) -> TablePort:
        """Go on with an unfinished match."""
