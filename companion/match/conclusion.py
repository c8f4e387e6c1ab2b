"""Conclusions from what a camera saw: when a reading counts, and what the table does about it.

A ``Judge`` decides and remembers; it records nothing. ``companion.match.table`` carries it out.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.match.events import Asked, BoardOutOfSync, Refused, TableEvent
from companion.match.observation import ELSEWHERE, wait_to_ask, wait_to_tell
from companion.match.state import TableState
from companion.settings.enforcement import Enforcement
from companion.settings.manners import Commit, Manners
from rules.core import Move
from rules.reading.reading import Reading, Status

IN_HAND = 2
"""Maximum number of places that differ because a piece is in a hand, or on its way."""
IN_DISORDER = 4
"""If more places differ, the board is put right before anything is said about rules."""


@dataclass(frozen=True, slots=True)
class Conclusion:
    """The table's answer to a reading, besides the state that it is in now."""

    moves: tuple[Move, ...] = ()
    """Moves to be taken into the record …"""
    force: bool = False
    """… even against the rules."""
    event: TableEvent | None = None
    """The thing to be told."""
    agrees: bool = False
    """True if hands have done all that the record says."""


NOTHING = Conclusion()


class Judge:
    """Judges readings at one table, and remembers what was said about the present one."""

    def __init__(self, manners: Manners, enforcement: Enforcement) -> None:
        self._manners, self._enforcement = manners, enforcement
        self.state = TableState.BLIND
        """The state that the last reading put the table into."""
        self.told = False
        """True if it was said why this reading is refused."""
        self._advised: tuple[Move, ...] = ()
        """Enforcement ``advise``: what was explained and is recorded as soon as play goes on."""
        self._disorder = False
        """True if too much lies differently to be on its way in a hand."""

    def forget_advice(self) -> None:
        """The record has moved on: what was explained is no longer recorded."""
        self._advised = ()

    def conclude(self, reading: Reading, age: float, wait_s: float, *, still: bool) -> Conclusion:
        """The answer to a reading that has lasted ``age`` seconds, of which a move waits
        ``wait_s``; ``still``: nothing needs to."""
        manners = self._manners
        if reading.doubt == ELSEWHERE:
            # Whatever was meant, nobody at this table may decide it.
            return self.differ(reading) if age >= manners.reason_s else NOTHING
        match reading.status:
            case Status.UNCLEAR if reading.doubt == "hand":
                self._enter(TableState.HAND)
            case Status.UNCLEAR if reading.doubt == "match_over":
                self._enter(TableState.SETTLED)
            case Status.UNCLEAR:
                return self.differ(reading) if age >= manners.desync_s and not still else NOTHING
            case Status.SETTLED | Status.PENDING:
                self._enter(TableState(reading.status.value))
                return Conclusion(agrees=True)
            case Status.MOVE if self.state is TableState.DESYNC and self._disorder:
                # The camera may propose here, and never commits: somebody must agree by touch.
                pass
            case Status.MOVE:
                self._enter(TableState.PROPOSED)
                if manners.commit is Commit.STILLNESS and age >= wait_s:
                    return Conclusion(reading.moves)
            case Status.AMBIGUOUS:
                if age >= wait_to_ask(reading, manners) and self._enter(TableState.AMBIGUOUS):
                    return Conclusion(event=Asked(reading.candidates))
            case Status.ILLEGAL if self._enforcement is Enforcement.OFF:
                # It may still be put right, and then it never counts.
                if age >= manners.reason_s and reading.anyway:
                    return Conclusion(reading.anyway, force=True)
                return self.differ(reading) if age >= manners.reason_s else NOTHING
            case Status.ILLEGAL:
                return self._refuse(reading, age)
        return NOTHING

    def _refuse(self, reading: Reading, age: float) -> Conclusion:
        manners = self._manners
        if self._advised and set(self._advised) < set(reading.anyway):
            # It was said, and play went on all the same.
            advised, self._advised = self._advised, ()
            return Conclusion(advised, force=True)
        wait_s = wait_to_tell(reading, manners)
        if age < (wait_s if reading.owed else manners.quiet_s):
            if reading.owed:
                self._enter(TableState.PENDING)
            return NOTHING
        # One misplaced piece is a matter of rules; several are a board in disorder.
        if len(reading.fixes) > IN_DISORDER:
            return self.differ(reading)
        self._enter(TableState.ILLEGAL)
        if age < wait_s or self.told:
            return NOTHING
        self.told = True
        if self._enforcement is Enforcement.ADVISE:
            self._advised = reading.anyway
        sites = tuple(fix.site for fix in reading.fixes)
        return Conclusion(event=Refused(reading.objections, sites))

    def differ(self, reading: Reading) -> Conclusion:
        """Guides the board back to the record; nobody is accused."""
        self._disorder = len(reading.fixes) > IN_HAND
        if not self._enter(TableState.DESYNC):
            return NOTHING
        return Conclusion(event=BoardOutOfSync(tuple(fix.site for fix in reading.fixes)))

    def _enter(self, state: TableState) -> bool:
        changed = state is not self.state
        self.state = state
        return changed
