"""The program around the screens, and the destinations of their touches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from rules.errors import Sentence

if TYPE_CHECKING:
    from pathlib import Path

    from companion.camera.card_counter import CardWatch
    from companion.camera.owner import TableCamera
    from companion.match.hands import Hand
    from companion.match.looking_back.library import Library
    from companion.match.view import Intent, MachineNote, TableView
    from companion.presentation.choosing import Tile
    from companion.presentation.phones import Phones
    from companion.presentation.remote_table import TwoTables
    from companion.settings.people import MatchSetup, People
    from companion.setup.table_check import Bench, CheckFile
    from companion.workshop.workshop import Workshop
    from rules.core import ScoreLine
    from rules.match import Entry

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
    """Time it was last played, seconds since the epoch."""


class TablePort(Protocol):
    """One match at the table, as a screen may use it."""

    @property
    def view(self) -> TableView | None:
        """The newest picture of the table; None until there is one."""

    @property
    def score_lines(self) -> tuple[ScoreLine, ...]:
        """Sources of the points of the newest view."""

    @property
    def score_history(self) -> tuple[tuple[int, ...], ...]:
        """Points by seat before the first move and after each, once the match is over."""

    def hand(self, seat: int, /) -> Hand:
        """The private view of ``seat``."""

    def post(self, intent: Intent, /) -> None:
        """Posts an intent; returns at once."""

    def settle(self, timeout_s: float, /) -> bool:
        """Waits until everything that was posted has been dealt with, at most so long; True if it
        has."""

    def subscribe(self, callback: Callable[[TableView], None], /) -> Unsubscribe:
        """Call ``callback``, on any thread, with every new view from now on."""


class Shell(Protocol):
    """The program around the screens."""

    @property
    def people(self) -> People:
        """Earlier players."""

    @property
    def library(self) -> Library:
        """Matches that were played."""

    @property
    def camera(self) -> TableCamera:
        """The camera: whether there is one, and what it sees."""

    @property
    def checked(self) -> CheckFile:
        """The last check of the table."""

    @property
    def workshop(self) -> Workshop:
        """Camera, devices, boards and reports, for the person who looks after the table."""

    @property
    def phones(self) -> Phones:
        """Phones at the table: off until they are turned on."""

    @property
    def together(self) -> TwoTables | None:
        """Matches with other tables; None at a table that belongs to no club."""

    def begin_together(self) -> TablePort:
        """Begin the match that this table and another one agreed on. Raises JournalError."""

    def unfinished(self) -> Sequence[UnfinishedMatch]:
        """Matches that may be resumed, the one taken up last first."""

    def last_played(self) -> Mapping[str, float]:
        """Time each game was begun last, seconds since 1970 (0: the clock was wrong); games of
        which nothing was ever played are missing."""

    def options_played(self, game: str, /) -> Sequence[Mapping[str, str]]:
        """Options of the last matches of a game, the newest first."""

    def games(self) -> Sequence[str]:
        """Ids of the games on the shelf, in the order of the shelf."""

    def start(self, plan: MatchSetup, /) -> TablePort:
        """Begin a match; others stay open. With real pieces the camera is not listened to before
        ``begin``."""

    def begin(self) -> None:
        """The pieces lie ready: from now on the camera is used."""

    def pause(self) -> None:
        """Closes the table; the match under way can be resumed, unless it was only set out."""

    def abandon(self, match_id: str, /) -> None:
        """Give up an unfinished match; it never comes back by itself."""

    def resume(self, match_id: str, /) -> TablePort:
        """Continue an unfinished match."""

    def plan_for(self, game: str, names: Sequence[str] = ()) -> MatchSetup:
        """Last setup chosen for a game, by exactly these people if they ever played it, else by
        any; as in the settings if it was never played."""

    def bgg_number(self, game: str, /) -> int:
        """A game's number at BoardGameGeek, as people entered it or as the game knows it; 0: it is
        not known."""

    def keep_bgg_number(self, game: str, number: int, /) -> None:
        """Remember a game's number at BoardGameGeek, from 1 to 9,999,999; 0: forget it."""

    def notices(self) -> Sequence[Sentence]:
        """Notices for players on damaged files, as sentences; usually empty."""

    def machine_notes(self) -> Sequence[MachineNote]:
        """Present problems of the computer; usually empty."""

    def point_at(self, sites: Sequence[str], /) -> None:
        """Lights the lamps of these sites until the match begins."""

    def amend(self, match_id: str, ply: int, entries: Sequence[Entry], /) -> None:
        """Put a wrong entry right: replace a record from move ``ply`` (from 1) on.

        Raises JournalError and changes nothing if the moves do not fit.
        """

    @property
    def is_new(self) -> bool:
        """True if nothing was ever played or checked here."""

    @property
    def can_check(self) -> bool:
        """True if there is a camera or a device to check."""

    @property
    def box_in_use(self) -> str:
        """The box of the match under way; empty if there is none."""

    def bench(self, box: str, /) -> Bench:
        """The devices for a check of the table; a match under way pauses until its end.

        ``box``: which board lies there, if no match tells.
        """


@dataclass(frozen=True, slots=True)
class Ways:
    """Destinations of a play screen; None is not offered."""

    leave: Callable[[], None] | None = None
    """Back to the shelf."""
    again: Callable[[], None] | None = None
    """A new match of the same game."""
    language: Callable[[], None] | None = None
    theme: Callable[[], None] | None = None
    """Both switch it everywhere."""
    table_setup: Callable[[], None] | None = None
    workshop: Callable[[], None] | None = None
    page: Callable[[str], None] | None = None
    """Opens this page of the workshop."""
    review: Callable[[str], None] | None = None
    """Look back at the match with this id."""
    export: Callable[[str], None] | None = None
    """Take the match with this id along."""
    keep: Callable[[str, bytes], Path] | None = None
    """Keeps a PNG picture of the match with this id and returns its file; raises JournalError."""
    moment: Callable[[], str] | None = None
    """Saves what is seen and believed now and returns what went wrong, or nothing."""
    cards: Callable[[str], CardWatch] | None = None
    """Counts cards of this box below the camera; None without one."""
    hand: Callable[[int], Hand] | None = None
    """The hand of a seat, for that player's eyes only."""
    phones: Phones | None = None
    """The players' phones."""
    open_phones: Callable[[], None] | None = None
    """The page with their codes."""


@dataclass(frozen=True, slots=True)
class DeskWays:
    """Destinations of touches of a desk: a surface that takes the place of board and words.

    What is None is not offered.
    """

    post: Callable[[Intent], None]
    open_menu: Callable[[], None]
    open_troubles: Callable[[], None]
    explain: Callable[[], None]
    """Opens the aim, how points are made, and the rules."""
    cards: Callable[[str], CardWatch] | None = None
    """Counts the cards of a box below the camera; None without one."""
    hand: Callable[[int], Hand] | None = None
    """The hand of a seat, for that player's eyes only."""
    cover: Callable[[], None] | None = None
    """Hides what is one player's secret until they say again that they are alone."""
    covered: Callable[[], bool] = lambda: False
    """True if it is hidden now."""
    uncover: Callable[[], None] | None = None
    """The player asked says that they are alone."""
    on_phone: Callable[[], bool] = lambda: False
    """True if the player asked decides on a phone."""
    choose_here: Callable[[], None] | None = None
    """Lets them decide on this screen instead."""
    phone_asks: Callable[[], Callable[[], None] | None] = lambda: None
    """Opens the question about a phone that waits for a seat; None if none does."""
    slip: Callable[[], None] = lambda: None
    """The last touch did nothing."""


@dataclass(frozen=True, slots=True)
class Touches:
    """Destinations of touches on the words beside the board; None is not offered."""

    post: Callable[[Intent], None]
    pick_kind: Callable[[str], None]
    """A piece in front of a player was touched: its kind."""
    touch_tile: Callable[[Tile], None]
    uncover: Callable[[], None]
    """The player is alone with the secret moves."""
    choose_here: Callable[[], None]
    """The player decides on this screen, although they have a phone."""
    again: Callable[[], None] | None
    """A new match is wanted; None: none can be played here."""
    open_rule: Callable[[str], None]
    open_moves: Callable[[], None]
    open_picker: Callable[[], None]
    """Cards are to be chosen."""
    touch_card: Callable[[str], None]
    """A card of the hand beside the board was touched."""
    choose_kind: Callable[[str], None]
    """The places of this kind are touched next."""
    say_part: Callable[[str], None]
    """The choice made besides the cards that were chosen there."""
    open_chart: Callable[[], None]
    ending: Callable[[], None] | None
    """Back from the board to the end of the match."""
    review: Callable[[], None] | None
    export: Callable[[], None] | None


@dataclass(frozen=True, slots=True)
class ShelfWays:
    """Destinations of the shelf."""

    choose: Callable[[str], None]
    """A game was taken from the shelf."""
    open_matches: Callable[[], None]
    """The matches that can be taken up again."""
    records: Callable[[], None]
    workshop: Callable[[], None]
    notices: Callable[[], None]
    """Troubles that players should know before they play on."""
    language: Callable[[], None]
    theme: Callable[[], None]
    """Both switch it everywhere."""
    lessons: Callable[[str], None] | None = None
    """The first steps of a game; None: there are none."""
    virtual: Callable[[], None] | None = None
    """The virtual table; None: it is not offered."""
    tournament: Callable[[], None] | None = None
    """The games of tournaments that wait for this table."""


@dataclass(frozen=True, slots=True)
class OpenWays:
    """Destinations of the list of open matches; each but ``shelf`` gets the id of a match."""

    resume: Callable[[str], None]
    review: Callable[[str], None]
    give_up: Callable[[str], None]
    shelf: Callable[[], None]
    """A new match is wanted, or nothing is open any more."""
