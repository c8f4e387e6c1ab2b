"""A table finds another one of its club, and both play one match.

One thread hears what the other table says and what happens at this one. The record of a match goes
over as a whole whenever it changes, and every few seconds; a message that is lost, repeated or late
changes nothing. Nothing of it is needed to play on at this table.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import msgspec

from companion.club.connection import Line
from companion.club.eligibility import suits, usual
from companion.club.inviting import SILENT_S, Inviting
from companion.club.membership import Membership
from companion.club.naming import asking_subject, calls_subject, together_subject
from companion.club.public_events import Asks, Call, Calls
from companion.club.wire import (
    LARGEST,
    Declines,
    Gone,
    Here,
    Invites,
    Rests,
    Said,
    Tells,
    Who,
    Withdraws,
    heard,
    said_by,
    telling,
    told_in,
)
from companion.decoding import Unfit, decoded
from companion.journal.entries import ABANDONED, JournalError, Together
from companion.journal.events import Source, Told
from companion.journal.store import Journal
from companion.match.remote_match import Misfit, answer_to
from companion.match.session import Session
from companion.match.state import Heard
from companion.presentation.remote_table import Invitation, Pairing, TableThere, TogetherNow
from companion.settings.people import MatchSetup
from companion.signals import Signal
from hardware.supervised_thread import InboxThread
from rules.core import GameError
from rules.games import find_game, game_ids

# -- the shared match, and matches in the journal ---------------------------------------------

KNOWN_S = 30.0
"""Seconds for which an answer of the journal about a match that is not on the table is reused."""
MOST_KNOWN = 100


class SharedMatch:
    """A match on the table as this table and the other one tell it; belongs to one thread."""

    def __init__(self, session: Session, together: Together) -> None:
        self.session, self.together = session, together
        self.told: tuple[Told, ...] = tuple(session.table.record.told)
        self.wish = 0
        """Number of moves that the other table is asked to take back."""
        self.misfit = False
        """True if the other table's events cannot follow from the record here."""
        self.heard_s = float("-inf")
        self._heard = Heard.NOT
        self._theirs: Sequence[Told] = ()
        """Events last told by the other table."""

    def is_that(self, table: str, match: str) -> bool:
        """True if it is this match with this table."""
        return (self.together.table, self.together.match) == (table, match)

    def stands(self, told: tuple[Told, ...], wish: int, *, misfit: bool) -> None:
        """Sets the session's present state of it."""
        self.told, self.wish, self.misfit = told, wish, misfit

    def telling(self) -> Tells:
        """The whole record, for the other table."""
        return telling(self.together.match, self.told, self.wish, misfit=self.misfit)

    def takes(self, said: Tells) -> bool:
        """Takes the other table's record; True if it lacks something that is known here."""
        self.heard_s = time.monotonic()
        theirs = told_in(said)
        if theirs is None:
            self.know(Heard.MISFIT)
            return False
        try:
            intent = answer_to(self.told, theirs, said.wish)
        except Misfit as error:
            log.warning("table %s: %s", self.together.table, error)
            self.know(Heard.MISFIT)
            return False
        again = self.misfit and list(self._theirs) == theirs
        self._theirs = theirs
        self.know(Heard.MISFIT if again or said.misfit else Heard.THERE)
        if intent is not None and not again:
            self.session.post(intent, Source.ELSEWHERE)
        return len(theirs) < len(self.told)

    def know(self, heard: Heard) -> None:
        """Tells the session how the match stands with the other table, if that is new."""
        if self._heard is not heard:
            self._heard = heard
            self.session.other(heard)


class RestingMatches:
    """Matches with other tables that the journal keeps for later."""

    def __init__(self, journal: Path) -> None:
        self._journal = journal
        self._known: dict[str, tuple[float, bool]] = {}
        """Time the journal was asked, and whether it has the match, by match."""

    def forget(self, match: str = "") -> None:
        """Forgets the answers of the journal about this match, or about all."""
        if match:
            self._known.pop(match, None)
        else:
            self._known.clear()

    def has(self, table: str, match: str) -> bool:
        """True if the journal has this match with this table for later, or cannot be read."""
        now_s = time.monotonic()
        asked_s, kept = self._known.get(match, (float("-inf"), False))
        if now_s - asked_s < KNOWN_S:
            return kept
        try:
            with Journal(self._journal, beside=True) as journal:
                kept = any(
                    (one.header.together.match, one.header.together.table) == (match, table)
                    for one in journal.matches()
                    if one.header.together is not None and one.status != ABANDONED
                )
        except JournalError as error:
            log.warning("%s", error)
            return True
        if len(self._known) > MOST_KNOWN:
            self._known.clear()
        self._known[match] = now_s, kept
        return kept


log = logging.getLogger(__name__)

ASK_S = 600.0
"""Seconds between two questions about games of tournaments that wait for this table."""
HEART_S = 3.0
"""Seconds between two repetitions of a table's messages."""
MOST_WAITING = 200
"""Maximum number of waiting tasks; further messages are dropped."""
MOST_EACH = 60
"""Maximum number of messages of one table between two heartbeats: it may say as much as it likes,
and takes nobody's time."""
END_S = 5.0

_Deed = Callable[[], object]


def pairing_of(call: Call) -> Pairing | None:
    """A game of a tournament as screens need it; None for one that cannot be played here."""
    try:
        options = find_game(call.game).complete_options(len(call.names), call.options)
    except GameError as error:
        log.warning("a game of %s cannot be played here: %s", call.tournament, error)
        return None
    plan = MatchSetup(
        call.game, len(call.names), options, names=call.names, tips=False, pairing=call.pairing
    )
    return Pairing(call.tournament, call.round, call.board, call.here, plan)


class ClubTables:
    """The other tables of the club; implements ``companion.presentation.remote_table``."""

    def __init__(self, member: Membership, state: Path) -> None:
        self.member = member
        self._line = Line(member, lambda: self._do(self._came))
        self._lock = threading.Lock()
        self._callbacks = Signal[[]]()
        self._now = TogetherNow()
        # All below belongs to the thread.
        self._shared: SharedMatch | None = None
        self._session: Session | None = None
        """The match on the table, wherever it is played."""
        self._looking = False
        self._there: dict[str, tuple[float, bool]] = {}
        """Time it was last heard, and whether a match is going on there, by table."""
        self._inviting = Inviting(member.table, self._say)
        self._resting = RestingMatches(state / "journal.db")
        self._said_s = self._asked_s = float("-inf")
        self._lately, self._lately_s = Counter[str](), float("-inf")
        """Number of messages of each table since that time."""
        self._suited: frozenset[str] = frozenset()
        """Games that are known to suit."""
        self._pairings: tuple[Pairing, ...] = ()
        for subject in (self._subject("*", member.table), self._subject("*", "")):
            self._line.listen(subject, self._hears)
        self._line.listen(calls_subject(member.club, member.table), self._called)
        self._thread = InboxThread(
            "two tables", self._take_up, tick=self._tick, due=self._wait, last=self._rest
        )

    def start(self) -> ClubTables:
        """Begin to listen."""
        for game in game_ids():
            self._do(partial(self._learn, game))
        self._thread.start()
        self._line.start()
        return self

    def close(self) -> None:
        """Ends the connection; a match under way can be taken up again."""
        self._thread.close(END_S)
        self._line.close()

    # -- for screens ----------------------------------------------------------------------

    @property
    def own_name(self) -> str:
        """Name of this table."""
        return self.member.table

    @property
    def now(self) -> TogetherNow:
        """Current state: connection, tables and invitations."""
        with self._lock:
            return self._now

    def knows(self, game: str) -> bool:
        """True if a game is known to be playable at two tables; answers at once."""
        return game.partition("@")[0] in self._suited

    def suits(self, plan: MatchSetup) -> bool:
        """True if a match can be played at two tables: nothing hidden is dealt in it."""
        return suits(plan)

    def look(self, on: bool) -> None:
        """Starts or stops looking for tables."""

        def deed() -> None:
            self._looking, self._said_s = on, float("-inf")

        self._do(deed)

    def invite(self, table: str, plan: MatchSetup, here: tuple[int, ...]) -> None:
        """Invite a table; ``here``: the seats that stay at this one."""
        invitation = Invitation(os.urandom(12).hex(), table, plan, here)
        self._do(lambda: self._inviting.invite(invitation))

    def withdraw(self) -> None:
        """The invitation that was sent does not count any more."""
        self._do(self._inviting.withdraw)

    def refuse(self) -> None:
        """People here do not want to, or not now."""
        self._do(lambda: self._inviting.decline("no"))

    def listen(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call ``callback``, on any thread, after every change; returns how to stop that."""
        return self._callbacks.add(callback)

    # -- for the program ------------------------------------------------------------------

    def agreed(self) -> tuple[MatchSetup, Together] | None:
        """The match that both tables want to play, as this one would begin it; None: there is none.

        An invitation that was not answered counts: the caller accepts it.
        """
        now = self.now
        if now.sent is not None and now.sent.answer == "yes":
            one, hosting = now.sent, True
        elif now.received is not None:
            one, hosting = now.received, False
        else:
            return None
        return one.plan, Together(one.match, one.table, one.here, hosting)

    def follow(self, session: Session | None) -> None:
        """This match is on the table from now on, before its session runs; None: none is."""
        together = None if session is None else session.table.record.header.together
        if session is None or together is None:
            self._do(lambda: self._follow(session, None))
            return
        shared = SharedMatch(session, together)
        self._do(lambda: self._follow(session, shared))
        session.listen(lambda _view, _events: self._heed(session))

    def given_up(self, together: Together) -> None:
        """A match will not be played on at this table."""

        def deed() -> None:
            self._resting.forget(together.match)
            self._say(together.table, Gone(match=together.match))

        self._do(deed)

    # -- the thread -----------------------------------------------------------------------

    def _do(self, deed: _Deed) -> None:
        self._thread.put(deed)

    def _take_up(self, deed: _Deed) -> None:
        deed()
        self._tell()

    def _tick(self) -> None:
        self._beat()
        self._tell()

    def _wait(self) -> float | None:
        """Seconds until something is to be said again, or to be noticed; None: nothing is."""
        asked = self._inviting.sent or self._inviting.received
        now_s = time.monotonic()
        if self._shared or self._looking or asked or self._there:
            return max(self._said_s + HEART_S - now_s, 0.01)
        return max(self._asked_s + ASK_S - now_s, 0.01)

    def _beat(self) -> None:
        """Time has passed."""
        now_s = time.monotonic()
        if now_s - self._asked_s >= ASK_S:
            self._ask()
        if now_s - self._said_s >= HEART_S:
            self._said_s = now_s
            if self._looking or self._inviting.waits:
                self._speak(self._subject(self.member.table, ""), Who())
            self._inviting.say_again()
            self._tell_record()
        self._there = {
            name: there for name, there in self._there.items() if now_s - there[0] < SILENT_S
        }
        self._inviting.wait(self._there)
        shared = self._shared
        if shared is not None and now_s - shared.heard_s >= SILENT_S:
            shared.know(Heard.NOT)

    def _tell(self) -> None:
        """Publishes a changed state to the screens."""
        tables = tuple(TableThere(name, busy) for name, (_, busy) in sorted(self._there.items()))
        now = TogetherNow(
            self._line.up, tables, self._inviting.sent, self._inviting.received, self._pairings
        )
        with self._lock:
            if now == self._now:
                return
            self._now = now
        self._callbacks()

    def _learn(self, game: str) -> None:
        """Determines in advance whether a game suits."""
        try:
            if suits(usual(game)):
                self._suited |= {game}
        except GameError as error:
            log.warning("%s", error)

    # -- speaking -------------------------------------------------------------------------

    def _subject(self, table: str, to: str) -> str:
        return together_subject(self.member.club, table, to)

    def _say(self, to: str, said: Said) -> None:
        self._speak(self._subject(self.member.table, to), said)

    def _speak(self, subject: str, said: Said) -> None:
        self._line.say(subject, msgspec.json.encode(said))

    def _came(self) -> None:
        """The connection is there (again)."""
        self._said_s = self._asked_s = float("-inf")
        self._beat()

    def _ask(self) -> None:
        """Asks the club which games of tournaments wait for this table; that it is there is seen by
        that."""
        self._asked_s = time.monotonic()
        asks = Asks(v=1, number=0, matches=())
        self._line.say(
            asking_subject(self.member.club, self.member.table), msgspec.json.encode(asks)
        )

    # -- hearing --------------------------------------------------------------------------

    def _hears(self, subject: str, data: bytes) -> None:
        """Takes a message; called in the line's thread."""
        table = said_by(subject)
        now_s = time.monotonic()
        if now_s - self._lately_s > HEART_S:
            self._lately.clear()
            self._lately_s = now_s
        self._lately[table] += 1
        talkative = self._lately[table] > MOST_EACH or self._thread.waiting > MOST_WAITING
        if not table or table == self.member.table or talkative:
            # Whatever mattered is said again.
            return
        said = heard(data)
        if said is None:
            log.info("table %s said what makes no sense here", table)
            return
        self._do(lambda: self._take(table, said))

    def _called(self, _subject: str, data: bytes) -> None:
        """Hears which games of tournaments wait; called in the line's thread."""
        try:
            calls = decoded(data, Calls, most_bytes=LARGEST)
        except Unfit as error:
            log.warning("what the club says is to be played makes no sense: %s", error)
            return
        pairings = tuple(filter(None, map(pairing_of, calls.games)))

        def deed() -> None:
            self._pairings = pairings

        self._do(deed)

    def _take(self, table: str, said: Said) -> None:
        match said:
            case Who():
                self._say(table, Here(busy=self._busy))
            case Here(busy=busy):
                self._there[table] = (time.monotonic(), busy)
            case Invites():
                self._invited(table, said)
            case Withdraws(match=match):
                self._inviting.withdrawn(match)
            case Declines(match=match, why=why):
                self._inviting.answered(table, match, why)
            case Tells():
                self._told(table, said)
            case Rests(match=match) | Gone(match=match):
                shared = self._of(table, match)
                if shared is not None:
                    shared.heard_s = time.monotonic()
                    shared.know(Heard.RESTS if isinstance(said, Rests) else Heard.GONE)

    # -- the match on the table -----------------------------------------------------------

    @property
    def _busy(self) -> bool:
        """True if a match is going on at this table."""
        return self._session is not None and self._session.view.outcome is None

    def _invited(self, table: str, said: Invites) -> None:
        if self._of(table, said.match) is not None:
            # People here said yes already; the answer was lost.
            self._tell_record()
            return
        self._inviting.invited(table, said, busy=self._busy)

    def _follow(self, session: Session | None, shared: SharedMatch | None) -> None:
        self._rest()
        self._session, self._shared = session, shared
        self._resting.forget()
        if session is not None:
            self._inviting.begun("" if shared is None else shared.together.match)
            begun = session.table.record.header.pairing
            self._pairings = tuple(one for one in self._pairings if one.plan.pairing != begun)
        self._said_s = float("-inf")
        self._beat()

    def _rest(self) -> None:
        """The match on the table is put away."""
        shared, self._shared = self._shared, None
        if shared is not None:
            self._say(shared.together.table, Rests(match=shared.together.match))

    def _heed(self, session: Session) -> None:
        """Follows the record; called in the session's thread after every event."""
        table = session.table
        told, wish, misfit = table.record.told, table.rights.wish, table.rights.misfit
        shared, now = self._shared, (len(told), wish, misfit)
        known = None if shared is None or shared.session is not session else shared
        if known is not None and (len(known.told), known.wish, known.misfit) == now:
            return
        snapshot = tuple(told)

        def deed() -> None:
            if self._shared is not None and self._shared.session is session:
                self._shared.stands(snapshot, wish, misfit=misfit)
                self._tell_record()
                if misfit:
                    self._shared.know(Heard.MISFIT)

        self._do(deed)

    def _tell_record(self) -> None:
        shared = self._shared
        if shared is not None:
            self._say(shared.together.table, shared.telling())

    def _of(self, table: str, match: str) -> SharedMatch | None:
        """The match on the table, if it is this one."""
        shared = self._shared
        return shared if shared is not None and shared.is_that(table, match) else None

    def _told(self, table: str, said: Tells) -> None:
        """The other table tells its record."""
        shared = self._of(table, said.match)
        if shared is None:
            self._told_in_vain(table, said.match)
        elif shared.takes(said):
            self._tell_record()

    def _told_in_vain(self, table: str, match: str) -> None:
        """The other table plays a match that is not on this one."""
        sent, received = self._inviting.sent, self._inviting.received
        if sent is not None and (sent.table, sent.match) == (table, match):
            self._inviting.answered(table, match, "yes")
        elif received is None or received.match != match:
            rests = self._resting.has(table, match)
            self._say(table, Rests(match=match) if rests else Gone(match=match))
