"""The match on the table that is played at another table too, and those that lie in the journal."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from pathlib import Path

from companion.club.wire import Tells, telling, told_in
from companion.journal.entries import ABANDONED, JournalError, Together
from companion.journal.events import Source, Told
from companion.journal.store import Journal
from companion.match.elsewhere import Misfit, answer_to
from companion.match.session import Session
from companion.match.state import Heard

__all__ = ["RestingMatches", "SharedMatch"]

log = logging.getLogger(__name__)

KNOWN_S = 30.0
"""So long it is believed what the journal said of a match that is not on the table."""
MOST_KNOWN = 100


class SharedMatch:
    """A match on the table as this table and the other one tell it; belongs to one thread."""

    def __init__(self, session: Session, together: Together) -> None:
        self.session, self.together = session, together
        self.told: tuple[Told, ...] = tuple(session.table.record.told)
        self.wish = 0
        """How many moves the other table is asked to let go."""
        self.misfit = False
        """What the other table told cannot follow from the record here."""
        self.heard_s = float("-inf")
        self._heard = Heard.NOT
        self._theirs: Sequence[Told] = ()
        """What the other table told last."""

    def is_that(self, table: str, match: str) -> bool:
        """Whether it is this match with this table."""
        return (self.together.table, self.together.match) == (table, match)

    def stands(self, told: tuple[Told, ...], wish: int, *, misfit: bool) -> None:
        """What the session says of it now."""
        self.told, self.wish, self.misfit = told, wish, misfit

    def telling(self) -> Tells:
        """The whole record, for the other table."""
        return telling(self.together.match, self.told, self.wish)

    def takes(self, said: Tells) -> bool:
        """The other table tells its record; whether it lacks something that is known here."""
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
        self.know(Heard.MISFIT if again else Heard.THERE)
        if intent is not None and not again:
            self.session.post(intent, Source.ELSEWHERE)
        return len(theirs) < len(self.told)

    def know(self, heard: Heard) -> None:
        """How it stands with the other table; the session is told if that is new."""
        if self._heard is not heard:
            self._heard = heard
            self.session.other(heard)


class RestingMatches:
    """Matches with other tables that the journal keeps for later."""

    def __init__(self, journal: Path) -> None:
        self._journal = journal
        self._known: dict[str, tuple[float, bool]] = {}
        """By match: when the journal was asked, and whether it has it."""

    def forget(self, match: str = "") -> None:
        """What was known of this match, or of all, may have changed."""
        if match:
            self._known.pop(match, None)
        else:
            self._known.clear()

    def has(self, table: str, match: str) -> bool:
        """Whether the journal has this match with this table for later; one that cannot be read may
        have it."""
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
