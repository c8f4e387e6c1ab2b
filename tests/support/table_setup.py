"""A table with a journal in memory, and pictures of its board, for the tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from companion.journal.entries import Header
from companion.journal.events import MovePlayed
from companion.journal.store import Journal
from companion.match.events import TableEvent
from companion.match.messages import Message, Seen
from companion.match.table import Table
from companion.match.view import PlayMove, TableState
from companion.settings.manners import Manners
from rules.box import load_box
from rules.core import Move
from rules.reading.sighting import EMPTY, Glimpse, SiteBelief, Stray, looks

BOX = load_box("knizia_stonehenge")


def header(
    match_id: str = "m1", enforcement: str = "enforce", clock: str = "", **options: str
) -> Header:
    """Header of a test match."""
    return Header(
        id=match_id,
        game="knizia_stonehenge",
        players=2,
        options={"hidden": "off", "hidden_early_claim": "off", "hints": "off"} | options,
        physical=True,
        seed="1",
        names=("", ""),
        enforcement=enforcement,
        created_s=1_700_000_000.0,
        clock=clock,
    )


def played(text: str) -> MovePlayed:
    """This move was taken into the record."""
    return MovePlayed(Move.parse(text))


def tap_move(text: str) -> PlayMove:
    """A finger plays this move."""
    return PlayMove(Move.parse(text))


@dataclass
class Look:
    """A sighting of ``table``."""

    table: dict[str, str]
    hand: bool = False
    strays: Sequence[Stray] = ()
    sites: dict[str, SiteBelief] = field(init=False)

    def __post_init__(self) -> None:
        self.sites = {}
        for site in BOX.sites:
            kind = self.table.get(site)
            seen = {EMPTY: 0.0} if kind is None else {(Glimpse(kind),): 0.0, EMPTY: -9.0}
            self.sites[site] = SiteBelief(seen)


class Hands:
    """Plays at a table: lays pieces, lets time pass, taps."""

    def __init__(
        self, enforcement: str = "enforce", manners: Manners | None = None, clock: str = ""
    ) -> None:
        self.journal = Journal(":memory:")
        self.journal.create(header(enforcement=enforcement, clock=clock))
        self.manners = manners or Manners()
        self.table = Table(self.journal, self.journal.header("m1"), self.manners)
        self.board: dict[str, str] = {}
        self.now = 100.0
        self.events: list[TableEvent] = []

    def send(self, message: Message, after_s: float = 0.0) -> list[TableEvent]:
        """Hand a message over after some seconds."""
        self.now += after_s
        events = self.table.handle(message, self.now)
        self.events += events
        return events

    def look(self, after_s: float = 0.0, hand: bool = False) -> list[TableEvent]:
        """The camera looks at the board as it is."""
        return self.send(Seen(Look(dict(self.board), hand)), after_s)

    def hold_still(self, seconds: float = 5.0) -> None:
        """The camera looks ten times a second for a while."""
        for _ in range(int(seconds * 10)):
            self.look(0.1)

    def lay(self, site: str, kind: str, seconds: float = 2.0) -> None:
        """A hand lays a piece and leaves."""
        self.look(0.1, hand=True)
        self.board[site] = kind
        self.look(0.1, hand=True)
        self.hold_still(seconds)

    def take(self, site: str, seconds: float = 2.0) -> None:
        """A hand takes a piece away and leaves."""
        self.look(0.1, hand=True)
        del self.board[site]
        self.hold_still(seconds)

    @property
    def moves(self) -> list[str]:
        """The record."""
        return [entry.move.text for entry in self.table.match.log]

    def shows(self, state: TableState) -> bool:
        """True if this is the visible state."""
        return self.table.state is state

    def record_matches_board(self) -> bool:
        """True if the record wants what lies there."""
        wanted = {site: look[0].kind for site, look in looks(self.table.match.layout).items()}
        return wanted == self.board
