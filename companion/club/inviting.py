"""Invitations between two tables of a club: the one that was sent, and the one that came."""

from __future__ import annotations

import time
from collections.abc import Callable, Container
from dataclasses import replace

from companion.club.eligibility import rules_print, suits
from companion.club.wire import Declines, Invites, Said, Withdraws
from companion.presentation.remote_table import Invitation
from rules.core import GameError
from rules.games import find_game

SILENT_S = 10.0
"""Seconds of silence after which a table is not there."""


class Inviting:
    """The invitations that a table has sent and received; belongs to one thread.

    ``own``: name of this table. ``say`` sends a message to a table.
    """

    def __init__(self, own: str, say: Callable[[str, Said], None]) -> None:
        self._own, self._say = own, say
        self.sent: Invitation | None = None
        self.received: Invitation | None = None
        self._sent_s = self._received_s = 0.0

    @property
    def waits(self) -> bool:
        """True if an invitation was sent and is not answered yet."""
        return self.sent is not None and not self.sent.answer

    def invite(self, invitation: Invitation) -> None:
        """Send this one; another one that was sent no longer counts."""
        self.withdraw()
        self.sent, self._sent_s = invitation, time.monotonic()
        self.say_again()

    def say_again(self) -> None:
        """Repeats an invitation without an answer: a message may have been lost."""
        sent = self.sent
        if sent is None or sent.answer:
            return
        plan, game = sent.plan, find_game(sent.plan.game)
        there = tuple(seat for seat in range(plan.players) if seat not in sent.here)
        invites = Invites(
            match=sent.match, game=plan.game, players=plan.players,
            options=game.complete_options(plan.players, plan.options), names=plan.seats,
            enforcement=plan.enforcement, seats=there, rules=rules_print(plan.game),
        )  # fmt: skip
        self._say(sent.table, invites)

    def withdraw(self) -> None:
        """The invitation that was sent does not count any more."""
        sent, self.sent = self.sent, None
        if sent is not None:
            self._say(sent.table, Withdraws(match=sent.match))

    def withdrawn(self, match: str) -> None:
        """The other table no longer invites this one."""
        if self.received is not None and self.received.match == match:
            self.received = None

    def answered(self, table: str, match: str, answer: str) -> None:
        """The table that was invited said so."""
        sent = self.sent
        if sent is not None and (sent.table, sent.match, sent.answer) == (table, match, ""):
            # It had invited this table a moment before: its invitation is enough.
            theirs = self.received is not None and self.received.table == table
            self.sent = None if theirs and answer == "busy" else replace(sent, answer=answer)

    def invited(self, table: str, said: Invites, *, busy: bool) -> None:
        """A table invites this one; ``busy``: a match is going on here."""
        why = "busy" if busy else self._why_not(table, said)
        if why:
            self._say(table, Declines(match=said.match, why=why))
            return
        self._received_s = time.monotonic()
        self.received = Invitation(said.match, table, said.plan, tuple(sorted(set(said.seats))))

    def decline(self, why: str) -> None:
        """People here do not want to, or cannot."""
        received, self.received = self.received, None
        if received is not None:
            self._say(received.table, Declines(match=received.match, why=why))

    def begun(self, match: str) -> None:
        """A match begins at this table; ``match``: what both tables call it, empty if it is played
        at this one alone."""
        if self.received is not None and self.received.match == match:
            self.received = None
        self.decline("busy")
        if self.sent is not None and self.sent.match == match:
            self.sent = None
        self.withdraw()

    def wait(self, there: Container[str]) -> None:
        """Time has passed; ``there``: the tables that were heard not long ago."""
        now_s, sent = time.monotonic(), self.sent
        if sent is not None and now_s - self._sent_s >= SILENT_S and sent.table not in there:
            self.answered(sent.table, sent.match, "gone")
        if self.received is not None and now_s - self._received_s >= SILENT_S:
            self.received = None

    def _why_not(self, table: str, said: Invites) -> str:
        """Reason why an invitation is not even shown; empty if it is."""
        other, sent = self.received, self.sent
        if other is not None and other.table != table:
            return "busy"
        if sent is not None and not sent.answer:
            if sent.table != table or self._own < table:
                return "busy"
            # Both invited each other at the same moment: one of the two invitations is enough.
            self.withdraw()
        try:
            known = rules_print(said.game)
        except GameError:
            return "game"
        return "" if known == said.rules and said.sound and suits(said.plan) else "rules"
