"""Changes to the record, each with what follows from it by itself.

Moves that are agreed, taken back or told anew lead to cards that are dealt, turns and matches that
end, and pieces that hands must still set. All of it is written down before it is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from companion.journal.events import Source, Told
from companion.match.computer_seats import ComputerSeats
from companion.match.conclusion import Judge
from companion.match.corrections.forced_entry import ForcedEntries
from companion.match.corrections.open_record import OpenRecord
from companion.match.events import MatchOver, MovesCommitted, MovesUndone, Penalised, TableEvent
from companion.match.observation import Observation
from companion.match.permissions import Rights
from companion.match.record import MatchRecord
from companion.match.remote_match import Seats
from companion.match.view import TableState
from rules.core import Move, Objection
from rules.reading.reading import Candidate


@dataclass(slots=True)
class Unanswered:
    """Touches and questions that wait for an answer, or for a hand to leave."""

    refusal: tuple[Move, tuple[Objection, ...]] | None = None
    """A touch against the rules, and the reasons."""
    rolled: tuple[Candidate, ...] = ()
    """Possible results of a disc that was seen rolling, until one is entered."""
    held: tuple[Move, Source] | None = None
    """A touch below a hand that follows from what that hand does, and its source."""

    def agreed(self, moves: Sequence[Move]) -> None:
        """Forget what does not matter any more, now that ``moves`` are in the record."""
        self.overtaken()
        if self.held is not None and self.held[0] in moves:
            self.held = None  # The camera saw it as well.

    def overtaken(self) -> None:
        """Forget what was asked about a record that is another one now."""
        self.refusal, self.rolled = None, ()


class Changes:
    """Changes to one table's record; what happened is appended to ``events``."""

    def __init__(
        self,
        record: MatchRecord,
        company: ComputerSeats,
        rights: Rights,
        sight: Observation,
        judge: Judge,
    ) -> None:
        self._record, self._company, self._rights = record, company, rights
        self._sight, self._judge = sight, judge
        self.waiting = Unanswered()
        self.open = OpenRecord(record.match)
        self.unjudged = ForcedEntries()
        """Moves the camera took in against the rules, until something says it better."""
        self.events: list[TableEvent] = []

    def commit(
        self, moves: Sequence[Move], src: Source, *, force: bool = False, joined: bool = False
    ) -> None:
        """Add ``moves`` that people here decide, ``force``: even against the rules; ``joined``: one
        step to take back. Raises IllegalMove and DecidedElsewhere."""
        record = self._record
        self._rights.decide(moves, force=force)
        if not force and (same := self.unjudged.same_by(record.match, moves)):
            self.take_back(same, src)
        self.agree(record.commit(moves, src, force=force, joined=joined))

    def agree(self, agreed: MovesCommitted) -> None:
        """Tell of moves that are in the record now, and let what follows from them happen."""
        self.tell(agreed)
        self.waiting.agreed(agreed.moves)
        match = self._record.match
        since = match.ply - len(agreed.moves)
        self.follow_up(agreed.src)
        by_camera = agreed.src is Source.CAMERA
        self.open.changed(match, by_camera=by_camera, hidden=self._sight.hidden)
        self.unjudged.agreed(since, match, self._sight.seen, by_camera=by_camera)

    def take_back(self, number: int, src: Source) -> None:
        """Take the last ``number`` moves back."""
        took = self._record.take_back(number, src)
        self.open.changed(self._record.match, by_camera=src is Source.CAMERA)
        self.waiting.rolled = ()
        elsewhere = src is Source.ELSEWHERE
        self.tell(took, by_hand=src is Source.CAMERA, elsewhere=elsewhere)

    def amend(self, ply: int, moves: Sequence[Move], src: Source) -> None:
        """Tell move ``ply`` anew, and play again what followed it. Raises DecidedElsewhere."""
        self._rights.amend(ply, moves)
        took, agreed, over = self._record.amend(ply, moves, src)
        self.waiting.overtaken()
        self.tell(took)
        self.events.append(agreed)
        self.follow_up(src, over)
        self.open.changed(self._record.match, by_camera=False)

    def follow(self, told: Sequence[Told]) -> bool:
        """Let the record say what was decided at the other table; True if some of it was forced.
        Raises Misfit."""
        found = self._rights.follow(told)
        for event in found:
            self.tell(event, elsewhere=True)
        self.waiting.overtaken()
        match = self._record.match
        self.open.changed(match, by_camera=False)
        self.unjudged.agreed(match.ply, match, self._sight.seen, by_camera=False)
        self.follow_up(Source.ELSEWHERE)
        return any(isinstance(event, MovesCommitted) and event.forced for event in found)

    def penalise(self, player: int, reason: Objection) -> None:
        """Note that ``player`` broke a rule."""
        self._record.penalise(player, reason)
        self.events.append(Penalised(player, reason))

    def follow_up(self, src: Source, over: MatchOver | None = None) -> None:
        """Let happen what follows from the record by itself; ``over``: it is over already."""
        self.deal()
        over = over or self._record.close(src)
        if over is not None:
            self.events.append(over)

    def deal(self) -> None:
        """Deal what is due, and end turns in which nothing is left to decide."""
        # With a camera a turn stays open until the next move closes it: what hands do meanwhile
        # is still judged as this player's. Not so if the next move is made on another board.
        asked = self._seats.at_this_table
        ends_turns = self._closes_turns or self._judge.state is TableState.BLIND
        self._dealt(self._record.deal(ends_turns=ends_turns, asked=asked))
        while self._closes_turns and (ended := self._record.end_turn(asked)) is not None:
            self.events.append(ended)
            self._dealt(self._record.deal(ends_turns=self._closes_turns, asked=asked))

    def tell(
        self, event: MovesCommitted | MovesUndone, *, by_hand: bool = False, elsewhere: bool = False
    ) -> None:
        """Tell of a change; hands must follow it unless they made it."""
        src = event.src if isinstance(event, MovesCommitted) else None
        if src is Source.COMPUTER:
            elsewhere = True
        elif src not in (None, Source.DEALER):
            self._company.recovers()
        if not by_hand and src is not Source.CAMERA:
            self._sight.await_hands(event.sites, elsewhere=elsewhere)
        self.events.append(event)

    # -- private --------------------------------------------------------------------------

    @property
    def _seats(self) -> Seats:
        return self._rights.seats

    @property
    def _closes_turns(self) -> bool:
        return self._seats.close_turns(self._record.match, self._record.legal)

    def _dealt(self, happened: Iterable[MovesCommitted]) -> None:
        """Tell what followed by itself."""
        for event in happened:
            self.events.append(event)
            # Nothing on the table tells hands what cards that lie nowhere have led to.
            if self._record.match.dealt or self._sight.seen is not None:
                self._sight.also_await(event.sites)
