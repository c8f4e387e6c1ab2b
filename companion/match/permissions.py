"""Permission checks for computer seats and shared matches."""

from __future__ import annotations

from collections.abc import Sequence

from companion.journal.entries import Together
from companion.journal.events import Source, Told
from companion.match.computer_seats import ComputerSeats
from companion.match.events import MovesCommitted, MovesUndone
from companion.match.record import MatchRecord
from companion.match.remote_match import DecidedElsewhere, Misfit, Seats, may_force
from rules.core import Move
from rules.match import Match
from rules.reading.reading import Candidate, Reading, Status


class Rights:
    """Checks what people at this table may add to a record and take from it; ``together``: the
    other table of the match."""

    def __init__(
        self, record: MatchRecord, company: ComputerSeats, together: Together | None
    ) -> None:
        self._record, self._company = record, company
        self._here = () if together is None else together.here
        self.misfit = False
        """True if the other table's events cannot follow from the record here."""

    @property
    def seats(self) -> Seats:
        """Seats at this table, and those for which computer players decide."""
        return Seats(self._here, self._company.deciding)

    @property
    def wish(self) -> int:
        """As in ``Fold``."""
        return self._record.wish

    def decide(self, moves: Sequence[Move], *, force: bool = False) -> None:
        """Make sure that people here decide all of ``moves``; ``force``: even against the rules.
        Raises DecidedElsewhere."""
        match, seats = self._record.match, self.seats
        prompt = match.prompt
        if prompt is not None and prompt.together and not seats.here:
            people = set(prompt.together) - seats.computers
            if all(move.player in people for move in moves):
                return  # They need not wait for a computer player that is asked as well.
        if moves and seats.computer(match) is not None:
            raise DecidedElsewhere("decided_by_computer")
        if len(seats.own(match, moves)) < len(moves):
            raise DecidedElsewhere("decided_elsewhere")
        if force:
            self._force(match, moves)

    def _force(self, before: Match, moves: Sequence[Move]) -> None:
        trial = before.clone()
        for move in () if may_force(self._record.header) else moves:
            if trial.why_not(move):
                raise DecidedElsewhere("forced_here")
            trial.push(move)

    def ours(self, candidate: Candidate) -> bool:
        """True if people here decide all moves of an explanation."""
        match, seats = self._record.match, self.seats
        if not seats.here and not seats.computers:
            return True
        if not seats.asked(match):
            return False
        if not seats.own_last(self._record.played, candidate.takeback):
            return False
        before = _before(match, candidate.takeback)
        return len(seats.own(before, candidate.moves)) == len(candidate.moves)

    def led(self, reading: Reading) -> bool:
        """True if nobody at this table may decide what hands seem to have done."""
        match, seats = self._record.match, self.seats
        if not seats.asked(match):
            return True
        if not seats.computers:
            return False
        if reading.status is Status.MOVE and reading.takeback:
            return not all(map(self.ours, reading.candidates))
        if reading.status is Status.MOVE:
            return not seats.own(match, reading.moves)
        if reading.status is Status.AMBIGUOUS:
            return not any(map(self.ours, reading.candidates))
        return reading.refused is not None and reading.refused.player in seats.computers

    def let_go(self, number: int, src: Source) -> bool:
        """True if the last moves may be taken back here and now; if the other table is to move, it
        is asked for it first. A phone takes nothing back of which anybody learnt something: that is
        for all at the table to see. Raises DecidedElsewhere if they are not of this table."""
        if src is Source.PHONE and self._record.reveals(number):
            return False
        if not self.seats.own_last(self._record.played, number):
            raise DecidedElsewhere("taken_back_elsewhere")
        if self.seats.at_this_table(self._record.match):
            return True
        if not self.wish:
            # Another number could cross the answer on its way.
            self._record.wish_back(number)
        return False

    def amend(self, ply: int, moves: Sequence[Move]) -> None:
        """Make sure that people here decided what is replaced, and decide what replaces it; raises
        DecidedElsewhere."""
        number = max(self._record.match.ply - ply + 1, 0)
        if not self.seats.here:
            return
        if not self.ours(Candidate(tuple(moves), number)):
            raise DecidedElsewhere("taken_back_elsewhere")
        self._force(_before(self._record.match, number), moves)

    def follow(self, told: Sequence[Told]) -> list[MovesCommitted | MovesUndone]:
        """Adds to the record what was decided at the other table; raises Misfit."""
        try:
            found = self._record.follow(told, granted=self.wish)
        except Misfit:
            self.misfit = True
            raise
        self.misfit = False
        return list(found)

    def grants(self, number: int) -> bool:
        """True if a number of moves may be taken back because the other table wishes it."""
        played, seats = self._record.played, self.seats
        possible = seats.asked(self._record.match) and 0 < number <= len(played)
        return possible and seats.theirs_last(played, number)


def _before(match: Match, number: int) -> Match:
    """The match before its last ``number`` moves."""
    before = match.clone()
    for _ in range(number):
        before.pop()
    return before
