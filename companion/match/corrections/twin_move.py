"""Corrects a recorded move that later evidence shows to be its look-alike.

Some moves look alike until the next one is made: a ball that rolls to a field, and one that will
fall there. The likelier is recorded at once, so that nobody waits; when the next look tells that
it was the other, the record follows without a question. What people touched is never rethought.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from math import inf

from rules.core import Move
from rules.match import Match
from rules.reading.reading import Candidate, Reading, Status, read
from rules.reading.sighting import Sighting

_RETHINK = (Status.MOVE, Status.AMBIGUOUS, Status.ILLEGAL, Status.UNCLEAR)


@dataclass(frozen=True, slots=True)
class _Otherwise:
    """The record as it would be if its last visible move had been its twin."""

    takeback: int
    twin: Move
    match: Match


class TwinMoves:
    """Second thoughts about one table."""

    def __init__(self, match: Match) -> None:
        self._touched = match.ply
        """So much of the record people agreed to by touch, or before this program began."""
        self._thought: tuple[Reading, Candidate | None] | None = None

    def changed(self, match: Match, *, by_camera: bool) -> None:
        """The record is ``match`` now; ``by_camera``: nobody touched anything for that."""
        self._touched = min(self._touched, match.ply) if by_camera else match.ply

    def better(
        self, match: Match, reading: Reading, sighting: Sighting, awaiting: Collection[str]
    ) -> Candidate | None:
        """What explains a look better than ``reading`` does, if the last move was its twin."""
        if self._thought is None or self._thought[0] is not reading:
            self._thought = reading, self._rethink(match, reading, sighting, awaiting)
        return self._thought[1]

    def _rethink(
        self, match: Match, reading: Reading, sighting: Sighting, awaiting: Collection[str]
    ) -> Candidate | None:
        if reading.status not in _RETHINK or reading.doubt in ("hand", "board_lost"):
            return None
        other = self._otherwise(match)
        if other is None:
            return None
        then = read(other.match, sighting, awaiting)
        if then.status is not Status.MOVE:
            return None
        better = Candidate((other.twin, *then.moves), other.takeback)
        told = reading.against if reading.status in (Status.MOVE, Status.AMBIGUOUS) else inf
        # A question about nothing else need not be put.
        same = any(_same(better, candidate) for candidate in reading.candidates[:1])
        return better if same or then.against < told else None

    def _otherwise(self, match: Match) -> _Otherwise | None:
        trial = match.clone()
        while trial.ply > self._touched and not trial.log[-1].forced:
            move = trial.pop()
            twin = trial.game.inference.twin(trial.state, move)
            if twin is not None:
                takeback = match.ply - trial.ply
                trial.push(twin)
                trial.deal()
                return _Otherwise(takeback, twin, trial)
            if trial.state.touches(move):
                return None
        return None


def _same(one: Candidate, other: Candidate) -> bool:
    return (one.takeback, one.moves[:2]) == (other.takeback, other.moves[:2])
