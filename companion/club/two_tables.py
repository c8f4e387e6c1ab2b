"""A table finds another one of its club, and both play one match.

One thread hears what the other table says and what happens at this one. The record of a match goes
over as a whole whenever it changes, and every few seconds; a message that is lost, repeated or late
changes nothing. Nothing of it is needed to play on at this table.
"""

from __future__ import annotations

import logging
import os
import queue
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import msgspec

from companion.club.between import (
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
from companion.club.connection import Line
from companion.club.membership import Membership
from companion.club.naming import together_subject
from companion.club.suited import rules_print, suits, usual
from companion.journal.entries import ABANDONED, JournalError, Together
from companion.journal.events import Source, Told
from companion.journal.store import Journal
from companion.match.callbacks import Callbacks
from companion.match.elsewhere import Misfit, answer_to
from companion.match.session import Session
from companion.match.state import Heard
from companion.settings.people import Plan
from companion.ui.model.together import Invitation, TableThere, TogetherNow
from hardware.worker import Worker
from rules.core import GameError
from rules.games import find_game, game_ids

__all__ = ["ClubTables"]

log = logging.getLogger(__name__)

HEART_S = 3.0
"""So often a table says again what it has said."""
SILENT_S = 10.0
"""A table that has said nothing for so long is not there."""
KNOWN_S = 30.0
"""So long it is believed what the journal said of a match that is not on the table."""
MOST_WAITING = 200
"""If more waits to be dealt with, somebody talks too much."""
END_S = 5.0

_Deed = Callable[[], object]


@dataclass
class _Shared:
    """The match on the table, which is played at another one too."""

    session: Session
    together: Together
    told: tuple[Told, ...]
    wish: int = 0
    misfit: bool = False
    heard_s: float = float("-inf")
    heard: Heard = Heard.NOT
    theirs: Sequence[Told] = field(default_factory=list)
    """What the other table told last."""


class ClubTables:
    """This table among the others of its club; implements ``companion.ui.model.together``."""

    def __init__(self, member: Membership, state: Path) -> None:
        self.member, self._path = member, state / "journal.db"
        self._line = Line(member, lambda: self._do(self._came))
        self._inbox: queue.SimpleQueue[_Deed | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._callbacks = Callbacks()
        self._now = TogetherNow()
        # All below belongs to the thread.
        self._shared: _Shared | None = None
        self._session: Session | None = None
        """The match on the table, wherever it is played."""
        self._looking = False
        self._there: dict[str, tuple[float, bool]] = {}
        """By table: when it was heard, and whether a match is going on there."""
        self._sent: Invitation | None = None
        self._received: Invitation | None = None
        self._sent_s = self._received_s = 0.0
        self._resting: dict[str, tuple[float, bool]] = {}
        """By match that is not on the table: when the journal was asked, and whether it has it."""
        self._said_s = float("-inf")
        self._suited: frozenset[str] = frozenset()
        """Games that are known to suit."""
        for subject in (self._subject("*", member.table), self._subject("*", "")):
            self._line.listen(subject, self._hears)
        self._thread = Worker(self._run, "two tables")

    def start(self) -> ClubTables:
        """Begin to listen."""
        for game in game_ids():
            self._do(partial(self._learn, game))
        self._thread.start()
        self._line.start()
        return self

    def close(self) -> None:
        """Speak to nobody any more; a match under way can be taken up again."""
        self._inbox.put(None)
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join(END_S)
        self._line.close()

    # -- for screens ----------------------------------------------------------------------

    @property
    def own_name(self) -> str:
        """What this table is called."""
        return self.member.table

    @property
    def now(self) -> TogetherNow:
        """How things stand."""
        with self._lock:
            return self._now

    def knows(self, game: str) -> bool:
        """Whether a game is known to be one that can be played so; answers at once."""
        return game.partition("@")[0] in self._suited

    def suits(self, plan: Plan) -> bool:
        """Whether a match can be played at two tables: nothing hidden is dealt in it."""
        return suits(plan)

    def look(self, on: bool) -> None:
        """Somebody looks for tables, or does so no more."""

        def deed() -> None:
            self._looking, self._said_s = on, float("-inf")

        self._do(deed)

    def invite(self, table: str, plan: Plan, here: tuple[int, ...]) -> None:
        """Invite a table; ``here``: the seats that stay at this one."""
        self._do(lambda: self._invite(Invitation(os.urandom(12).hex(), table, plan, here)))

    def withdraw(self) -> None:
        """The invitation that was sent does not count any more."""
        self._do(self._withdraw)

    def refuse(self) -> None:
        """People here do not want to, or not now."""
        self._do(lambda: self._decline("no"))

    def listen(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call ``callback``, on any thread, after every change; returns how to stop that."""
        return self._callbacks.add(callback)

    # -- for the program ------------------------------------------------------------------

    def agreed(self) -> tuple[Plan, Together] | None:
        """The match that both tables want to play, as this one would begin it; None: there is none.

        Somebody's invitation that was not answered counts: whoever asks says yes.
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
        shared = _Shared(session, together, tuple(session.table.record.told))
        self._do(lambda: self._follow(session, shared))
        session.listen(lambda _view, _events: self._heed(session))

    def given_up(self, together: Together) -> None:
        """A match will not be played on at this table."""

        def deed() -> None:
            self._resting.pop(together.match, None)
            self._say(together.table, Gone(match=together.match))

        self._do(deed)

    # -- the thread -----------------------------------------------------------------------

    def _do(self, deed: _Deed) -> None:
        self._inbox.put(deed)

    def _run(self) -> None:
        while True:
            try:
                deed = self._inbox.get(timeout=self._wait())
            except queue.Empty:
                self._beat()
            else:
                if deed is None:
                    self._rest()
                    return
                deed()
            self._tell()

    def _wait(self) -> float | None:
        """Seconds until something is to be said again, or to be noticed; None: nothing is."""
        if self._shared or self._looking or self._sent or self._received or self._there:
            return max(self._said_s + HEART_S - time.monotonic(), 0.01)
        return None

    def _beat(self) -> None:
        """Time has passed."""
        now_s = time.monotonic()
        if now_s - self._said_s >= HEART_S:
            self._said_s = now_s
            if self._looking or (self._sent is not None and not self._sent.answer):
                self._speak(self._subject(self.member.table, ""), Who())
            if self._sent is not None and not self._sent.answer:
                self._say_invitation(self._sent)
            self._tell_record()
        self._there = {
            name: there for name, there in self._there.items() if now_s - there[0] < SILENT_S
        }
        sent = self._sent
        if sent is not None and now_s - self._sent_s >= SILENT_S and sent.table not in self._there:
            self._answered(sent.table, sent.match, "gone")
        if self._received is not None and now_s - self._received_s >= SILENT_S:
            self._received = None
        shared = self._shared
        if shared is not None and now_s - shared.heard_s >= SILENT_S:
            self._know(shared, Heard.NOT)

    def _tell(self) -> None:
        """Let screens know what is new."""
        tables = tuple(TableThere(name, busy) for name, (_, busy) in sorted(self._there.items()))
        now = TogetherNow(self._line.up, tables, self._sent, self._received)
        with self._lock:
            if now == self._now:
                return
            self._now = now
        self._callbacks()

    def _learn(self, game: str) -> None:
        """Find out whether a game suits, before anybody asks."""
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
        self._said_s = float("-inf")
        self._beat()

    # -- hearing --------------------------------------------------------------------------

    def _hears(self, subject: str, data: bytes) -> None:
        """Called in the line's thread."""
        table = said_by(subject)
        if not table or table == self.member.table or self._inbox.qsize() > MOST_WAITING:
            # Whatever mattered is said again.
            return
        said = heard(data)
        if said is None:
            log.info("table %s said what makes no sense here", table)
            return
        self._do(lambda: self._take(table, said))

    def _take(self, table: str, said: Said) -> None:
        match said:
            case Who():
                self._say(table, Here(busy=self._busy))
            case Here(busy=busy):
                self._there[table] = (time.monotonic(), busy)
            case Invites():
                self._invited(table, said)
            case Withdraws(match=match):
                if self._received is not None and self._received.match == match:
                    self._received = None
            case Declines(match=match, why=why):
                self._answered(table, match, why)
            case Tells():
                self._told(table, said)
            case Rests(match=match) | Gone(match=match):
                shared = self._of(table, match)
                if shared is not None:
                    shared.heard_s = time.monotonic()
                    self._know(shared, Heard.RESTS if isinstance(said, Rests) else Heard.GONE)

    # -- invitations ----------------------------------------------------------------------

    def _invite(self, invitation: Invitation) -> None:
        self._withdraw()
        self._sent, self._sent_s = invitation, time.monotonic()
        self._say_invitation(invitation)

    def _say_invitation(self, sent: Invitation) -> None:
        plan, game = sent.plan, find_game(sent.plan.game)
        there = tuple(seat for seat in range(plan.players) if seat not in sent.here)
        invites = Invites(
            match=sent.match, game=plan.game, players=plan.players,
            options=game.complete_options(plan.players, plan.options), names=plan.seats,
            enforcement=plan.enforcement, seats=there, rules=rules_print(plan.game),
        )  # fmt: skip
        self._say(sent.table, invites)

    def _withdraw(self) -> None:
        sent, self._sent = self._sent, None
        if sent is not None:
            self._say(sent.table, Withdraws(match=sent.match))

    def _answered(self, table: str, match: str, answer: str) -> None:
        sent = self._sent
        if sent is not None and (sent.table, sent.match, sent.answer) == (table, match, ""):
            self._sent = replace(sent, answer=answer)

    def _invited(self, table: str, said: Invites) -> None:
        shared = self._of(table, said.match)
        if shared is not None:
            # People here said yes already; the answer was lost.
            self._tell_record()
            return
        why = self._why_not(table, said)
        if why:
            self._say(table, Declines(match=said.match, why=why))
            return
        self._received_s = time.monotonic()
        self._received = Invitation(said.match, table, said.plan, tuple(sorted(set(said.seats))))

    def _why_not(self, table: str, said: Invites) -> str:
        """Why an invitation is not even shown; empty if it is."""
        other, sent = self._received, self._sent
        if self._busy or (other is not None and other.table != table):
            return "busy"
        if sent is not None and not sent.answer:
            if sent.table != table or self.member.table < table:
                return "busy"
            # Both invited each other at the same moment: one of the two invitations is enough.
            self._withdraw()
        try:
            known = rules_print(said.game)
        except GameError:
            return "game"
        return "" if known == said.rules and said.sound and suits(said.plan) else "rules"

    def _decline(self, why: str) -> None:
        received, self._received = self._received, None
        if received is not None:
            self._say(received.table, Declines(match=received.match, why=why))

    # -- the match on the table -----------------------------------------------------------

    @property
    def _busy(self) -> bool:
        """Whether a match is going on at this table."""
        return self._session is not None and self._session.view.outcome is None

    def _follow(self, session: Session | None, shared: _Shared | None) -> None:
        self._rest()
        self._session, self._shared = session, shared
        self._resting.clear()
        busy = session is not None
        if busy and self._received is not None:
            accepted = shared is not None and shared.together.match == self._received.match
            if accepted:
                self._received = None
            else:
                self._decline("busy")
        if busy and self._sent is not None:
            if shared is not None and shared.together.match == self._sent.match:
                self._sent = None
            else:
                self._withdraw()
        self._said_s = float("-inf")
        self._beat()

    def _rest(self) -> None:
        """The match on the table is put away."""
        shared, self._shared = self._shared, None
        if shared is not None:
            self._say(shared.together.table, Rests(match=shared.together.match))

    def _heed(self, session: Session) -> None:
        """Called in the session's thread after everything that happened."""
        table = session.table
        told, wish, misfit = table.record.told, table.wish, table.misfit
        shared, now = self._shared, (len(told), wish, misfit)
        known = None if shared is None or shared.session is not session else shared
        if known is not None and (len(known.told), known.wish, known.misfit) == now:
            return
        snapshot = tuple(told)

        def deed() -> None:
            if self._shared is not None and self._shared.session is session:
                self._shared.told, self._shared.wish = snapshot, wish
                self._shared.misfit = misfit
                self._tell_record()
                if misfit:
                    self._know(self._shared, Heard.MISFIT)

        self._do(deed)

    def _tell_record(self) -> None:
        shared = self._shared
        if shared is not None:
            told = telling(shared.together.match, shared.told, shared.wish)
            self._say(shared.together.table, told)

    def _of(self, table: str, match: str) -> _Shared | None:
        """The match on the table, if it is this one."""
        shared = self._shared
        if shared is None or (shared.together.table, shared.together.match) != (table, match):
            return None
        return shared

    def _told(self, table: str, said: Tells) -> None:
        """The other table tells its record."""
        shared = self._of(table, said.match)
        if shared is None:
            self._told_in_vain(table, said.match)
            return
        shared.heard_s = time.monotonic()
        theirs = told_in(said)
        if theirs is None:
            self._know(shared, Heard.MISFIT)
            return
        try:
            intent = answer_to(shared.told, theirs, said.wish)
        except Misfit as error:
            log.warning("table %s: %s", table, error)
            self._know(shared, Heard.MISFIT)
            return
        again = shared.misfit and list(shared.theirs) == theirs
        shared.theirs = theirs
        self._know(shared, Heard.MISFIT if again else Heard.THERE)
        if intent is not None and not again:
            shared.session.post(intent, Source.ELSEWHERE)
        if len(theirs) < len(shared.told):
            self._tell_record()

    def _told_in_vain(self, table: str, match: str) -> None:
        """The other table plays a match that is not on this one."""
        sent = self._sent
        if sent is not None and (sent.table, sent.match) == (table, match):
            self._answered(table, match, "yes")
            return
        received = self._received
        if received is not None and received.match == match:
            return
        said = Rests(match=match) if self._kept(table, match) else Gone(match=match)
        self._say(table, said)

    def _kept(self, table: str, match: str) -> bool:
        """Whether the journal has a match for later."""
        now_s = time.monotonic()
        asked_s, kept = self._resting.get(match, (float("-inf"), False))
        if now_s - asked_s < KNOWN_S:
            return kept
        try:
            with Journal(self._path, beside=True) as journal:
                kept = any(
                    (one.header.together.match, one.header.together.table) == (match, table)
                    for one in journal.matches()
                    if one.header.together is not None and one.status != ABANDONED
                )
        except JournalError as error:
            log.warning("%s", error)
            return True
        if len(self._resting) > 100:
            self._resting.clear()
        self._resting[match] = now_s, kept
        return kept

    @staticmethod
    def _know(shared: _Shared, heard: Heard) -> None:
        if shared.heard is not heard:
            shared.heard = heard
            shared.session.other(heard)
