"""What the screens need of the program around them.

``companion.app.application.Application`` is the shell of the program;
``companion.match.session.Session`` and ``companion.match.looking_back.library.Recording`` are
tables.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from rules.errors import Sentence

if TYPE_CHECKING:
    from companion.camera.owner import TableCamera
    from companion.match.looking_back.library import Library
    from companion.match.private_view import Hand
    from companion.match.view import Intent, MachineNote, TableView
    from companion.presentation.phones import Phones
    from companion.presentation.remote_table import TwoTables
    from companion.settings.people import People, Plan
    from companion.setup.table_check import Bench, CheckFile
    from companion.workshop.workshop import Workshop
    from rules.core import ScoreLine
    from rules.match import Entry

__all__ = ["Shell", "TablePort", "UnfinishedMatch", "Unsubscribe"]

Unsubscribe = Callable[[], None]


@dataclass(frozen=True, slots=True)
class UnfinishedMatch:
    """A match that was not finished."""

    match_id: str
    game: str
    colours: tuple[str, ...]
    """Colour per seat, as the text files call it."""
    names: tuple[str, ...]
    """Names by seat; empty texts mean: call them by their colour."""
    scores: tuple[int, ...]
    """Empty: not known before it is taken up, or the game counts none."""
    turn: int
    saved_s: float
    """When it was last played, seconds since the epoch."""


class TablePort(Protocol):
    """One match at the table, as a screen may use it."""

    @property
    def view(self) -> TableView | None:
        """The newest picture of the table; None until there is one."""

    @property
    def score_lines(self) -> tuple[ScoreLine, ...]:
        """Where the points of the newest view come from."""

    @property
    def score_history(self) -> tuple[tuple[int, ...], ...]:
        """Points by seat before the first move and after each, once the match is over."""

    def hand(self, seat: int, /) -> Hand:
        """What only the player on ``seat`` may see."""

    def post(self, intent: Intent, /) -> None:
        """Ask for something; returns at once."""

    def subscribe(self, callback: Callable[[TableView], None], /) -> Unsubscribe:
        """Call ``callback``, on any thread, with every new view from now on."""


class Shell(Protocol):
    """The program around the screens."""

    @property
    def people(self) -> People:
        """Who played here."""

    @property
    def library(self) -> Library:
        """Matches that were played."""

    @property
    def camera(self) -> TableCamera:
        """Whether there is one, and what it sees."""

    @property
    def checked(self) -> CheckFile:
        """The last check of the table."""

    @property
    def workshop(self) -> Workshop:
        """Camera, devices, boards and reports, for the person who looks after the table."""

    @property
    def phones(self) -> Phones:
        """Phones at the table: off until somebody turns them on."""

    @property
    def together(self) -> TwoTables | None:
        """Matches with other tables; None at a table that belongs to no club."""

    def begin_together(self) -> TablePort:
        """Begin the match that this table and another one agreed on. Raises JournalError."""

    def unfinished(self) -> Sequence[UnfinishedMatch]:
        """Matches that may be resumed, the one taken up last first."""

    def last_played(self) -> Mapping[str, float]:
        """When each game was begun last, seconds since 1970 (0: the clock was wrong); games of
        which nothing was ever played are missing."""

    def games(self) -> Sequence[str]:
        """Ids of the games on the shelf, in the order of the shelf."""

    def start(self, plan: Plan, /) -> TablePort:
        """Begin a match; others stay open. With real pieces the camera is not listened to before
        ``begin``."""

    def begin(self) -> None:
        """The pieces lie ready: from now on the camera is used."""

    def pause(self) -> None:
        """Nobody plays; the match under way can be resumed, unless it was only set out."""

    def abandon(self, match_id: str, /) -> None:
        """Give up an unfinished match; it never comes back by itself."""

    def resume(self, match_id: str, /) -> TablePort:
        """Continue an unfinished match."""

    def plan_for(self, game: str, names: Sequence[str] = ()) -> Plan:
        """What was last chosen for a game, by exactly these people if they ever played it, else by
        anybody; as in the settings if it was never played."""

    def bgg_number(self, game: str, /) -> int:
        """A game's number at BoardGameGeek, as people entered it or as the game knows it; 0: it is
        not known."""

    def keep_bgg_number(self, game: str, number: int, /) -> None:
        """Remember a game's number at BoardGameGeek, from 1 to 9,999,999; 0: forget it."""

    def notices(self) -> Sequence[Sentence]:
        """What players should know about damaged files, as sentences; usually empty."""

    def machine_notes(self) -> Sequence[MachineNote]:
        """What is wrong with the computer now; usually empty."""

    def point_at(self, sites: Sequence[str], /) -> None:
        """Let lamps glow at these places until the match begins."""

    def amend(self, match_id: str, ply: int, entries: Sequence[Entry], /) -> None:
        """Put a wrong entry right: replace a record from move ``ply`` (from 1) on.

        Raises JournalError and changes nothing if the moves do not fit.
        """

    @property
    def is_new(self) -> bool:
        """Whether nothing was ever played or checked here."""

    @property
    def box_in_use(self) -> str:
        """The box of the match under way; empty if there is none."""

    def bench(self, box: str, /) -> Bench:
        """The devices for a check of the table; a match under way pauses until its end.

        ``box``: which board lies there, if no match tells.
        """
