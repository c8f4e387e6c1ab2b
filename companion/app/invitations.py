"""A table without a screen plays a match with another one: it invites, or waits to be invited."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from companion.app.application import Application
from companion.journal.entries import JournalError
from companion.settings.people import Plan

__all__ = ["STEP_S", "Meeting"]

log = logging.getLogger(__name__)

STEP_S = 0.3
"""So often it is looked whether the other table has answered."""
AGAIN_S = 20.0
"""A table that plays, or is not heard, is invited again after this."""
_NEVER = {"no": "declined_no", "game": "declined_game", "rules": "declined_rules"}


@dataclass
class Meeting:
    """A match with ``table``: of ``plan`` and with the seats ``here``, or as it invites us if there
    is no plan. Raises JournalError at a table that belongs to no club."""

    house: Application
    table: str
    plan: Plan | None = None
    here: tuple[int, ...] = ()
    clock: Callable[[], float] = time.monotonic
    _asked_s: float = field(default=float("-inf"), init=False)

    def __post_init__(self) -> None:
        tables = self.house.neighbours.join_tables()
        if tables is None:
            raise JournalError("in_no_club")
        if self.plan is not None and not tables.suits(self.plan):
            raise JournalError("not_for_two_tables", game=self.plan.game)
        self._tables = tables

    def begun(self) -> bool:
        """Whether the match is on this table now; to be asked again until it is.

        Raises JournalError if the other table does not play along.
        """
        now = self._tables.now
        if self.plan is None:
            ready = now.received is not None and now.received.table == self.table
        else:
            sent = now.sent
            answer = "" if sent is None else sent.answer
            if answer in _NEVER:
                self._tables.withdraw()
                raise JournalError(_NEVER[answer], table=self.table)
            again = sent is None or answer in ("busy", "gone")
            if again and self.clock() - self._asked_s >= AGAIN_S:
                log.info("table %s is invited", self.table)
                self._asked_s = self.clock()
                self._tables.invite(self.table, self.plan, self.here)
            ready = answer == "yes"
        if ready:
            log.info("a match with table %s", self.table)
            self.house.begin_together()
            self.house.begin()
        return ready
