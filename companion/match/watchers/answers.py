"""The call to those whose answers to one question to all are awaited."""

from __future__ import annotations

from itertools import takewhile

from companion.match.computer_seats import ComputerSeats
from companion.match.record import MatchRecord
from companion.match.view import AWAITED
from companion.match.watchers.watcher import Happened
from rules.core import Call
from rules.match import answers_in_secret


class AnswersWatcher:
    """Names the people who are to answer still, if several are asked at once."""

    def __init__(self, record: MatchRecord, company: ComputerSeats) -> None:
        self._record, self._company = record, company

    @property
    def calls(self) -> tuple[tuple[int, Call], ...]:
        """The call to them, if there is one, with the number of moves before they were asked.
        Nobody waits for computer players, and open answers are seen, as are those missing."""
        match, prompt = self._record.match, self._record.match.prompt
        if prompt is None or not answers_in_secret(match.game, match.state):
            return ()
        people = set(prompt.together).difference(self._company.deciding)
        seats = tuple(seat for seat in prompt.together if seat in people and prompt.awaits(seat))
        if len(people) < 2 or not seats:
            return ()
        # Whoever thinks again is not called out anew.
        answers = takewhile(lambda one: one.move.player in prompt.together, reversed(match.log))
        since = match.ply - sum(1 for _ in answers)
        return ((since, Call(AWAITED, seats, hands=False, sign="◷")),)

    def deadline(self) -> None:
        """Time alone changes nothing."""

    def heed(self, happened: Happened) -> None:
        """Nothing is remembered: the record says who has answered."""
