"""Two tables of a club with real sessions, which find each other at a real broker."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from unittest.mock import patch

from companion.club.connection import Line
from companion.club.membership import Membership
from companion.club.two_tables import ClubTables
from companion.journal.entries import Header, Together, new_match_id
from companion.journal.store import Journal
from companion.match.session import Session
from companion.match.table import Table
from companion.match.view import PlayMove, TableView
from companion.settings.manners import Manners
from companion.settings.people import MatchSetup
from rules.core import Move
from rules.games import find_game
from tests.support.waiting import until

MANNERS = Manners(commit_s=0.05, quiet_s=0.05, reason_s=0.1, desync_s=0.2)


@dataclass
class Place:
    """One table; ``away`` and ``back`` are its network, ``kill`` and ``resume`` its program."""

    member: Membership
    state: Path
    tables: ClubTables = field(init=False)
    line: Line = field(init=False)
    session: Session | None = None
    match_id: str = ""

    def __post_init__(self) -> None:
        self.state.mkdir(parents=True, exist_ok=True)
        self.journal = Journal(self.state / "journal.db")
        self.tables = self._connected()

    def _connected(self) -> ClubTables:
        """The tables of the club, over a line that can be cut."""

        def noted(member: Membership, came: Callable[[], object]) -> Line:
            self.line = Line(member, came)
            return self.line

        with patch("companion.club.two_tables.Line", noted):
            return ClubTables(self.member, self.state).start()

    @property
    def view(self) -> TableView:
        assert self.session is not None
        return self.session.view

    def tap(self, *moves: str) -> None:
        """People enter moves by touch."""
        assert self.session is not None
        for move in moves:
            self.session.post(PlayMove(Move.parse(move)))
        assert self.session.settle()

    def begin(self) -> Session:
        """Begin the match that was agreed on."""
        agreed = self.tables.agreed()
        assert agreed is not None
        plan, together = agreed
        header = header_of(plan, together)
        self.journal.create(header)
        return self.open(header)

    def open(self, header: Header) -> Session:
        """Put a match on the table."""
        self.match_id = header.id
        self.session = Session(Table(self.journal, header, MANNERS))
        self.tables.follow(self.session)
        return self.session.start()

    def rest(self) -> None:
        """Put the match away."""
        self.tables.follow(None)
        if self.session is not None:
            self.session.close()
        self.session = None

    def away(self) -> None:
        """The network is gone: nothing is said or heard any more."""
        self.line.close()

    def kill(self) -> None:
        """The program is gone, in the middle of whatever it did; the journal is left."""
        self.line.close()
        self.tables.close()
        if self.session is not None:
            self.session.close()
        self.session = None
        self.journal.close()

    def resume(self) -> Session:
        """The program begins again and takes the match up."""
        self.__post_init__()
        return self.open(self.journal.header(self.match_id))

    def back(self) -> None:
        """The network is back; the session was not disturbed."""
        session = self.session
        self.tables.close()
        self.tables = self._connected()
        if session is not None:
            self.tables.follow(session)

    def close(self) -> None:
        if self.session is not None:
            self.rest()
        self.tables.close()
        self.journal.close()


def header_of(plan: MatchSetup, together: Together) -> Header:
    """Header that the program would write down of a match that was agreed on."""
    game = find_game(plan.game)
    return Header(
        id=new_match_id(), game=plan.game, players=plan.players,
        options=game.complete_options(plan.players, plan.options), physical=True, seed="x",
        names=plan.seats, enforcement=plan.enforcement.value, created_s=1.0, together=together,
    )  # fmt: skip


@contextmanager
def place(member: Membership, state: Path) -> Iterator[Place]:
    """A table of a club."""
    made = Place(member, state)
    try:
        yield made
    finally:
        made.close()


def agree(host: Place, guest: Place, plan: MatchSetup, here: tuple[int, ...] = (0,)) -> None:
    """One table invites the other, people there say yes, and both begin."""
    host.tables.look(True)
    name = guest.member.table
    assert until(lambda: any(one.name == name for one in host.tables.now.tables))
    host.tables.look(False)
    host.tables.invite(name, plan, here)
    assert until(lambda: guest.tables.now.received is not None)
    guest.begin()
    assert until(lambda: answer(host) == "yes")
    host.begin()


def answer(host: Place) -> str:
    """Answer to the invitation that was sent."""
    sent = host.tables.now.sent
    return "" if sent is None else sent.answer


def played(*places: Place) -> bool:
    """True if all have the same record by now."""
    views = [one.view for one in places]
    logs = [list(one.session.table.record.told) for one in places if one.session is not None]
    return all(log == logs[0] for log in logs) and len({view.ply for view in views}) == 1


def named(plan: MatchSetup, *names: str) -> MatchSetup:
    """The same with players' names."""
    return replace(plan, names=names)
