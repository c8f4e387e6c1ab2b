"""Handles "done" tapped before the camera has seen the move.

Whoever lays a card with one hand and touches "done" with the other has not passed; but the record
can only take the touch for that, and the card would become the next player's. So when the hand has
left and something has changed, the record is tried without the touch. If the hand left at once,
what lies there is theirs who touched; later somebody else may have played, and it is asked.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from rules.core import Actor, Move
from rules.match import Match
from rules.reading.reading import Candidate, Reading, Status, read
from rules.reading.sighting import Sighting

AT_ONCE_S = 4.0
"""Hardly anybody has closed a turn, drawn cards and left the next one to somebody else sooner."""

_CHANGED = (Status.MOVE, Status.AMBIGUOUS, Status.ILLEGAL, Status.UNCLEAR)


@dataclass(slots=True)
class _Closed:
    """A touch that closed a turn in which nothing had been done."""

    move: Move
    before: Match
    """The record without it."""
    until: int
    """Length of the record with it, and with all that followed by itself."""
    at_s: float
    """When it was touched, in monotonic seconds."""
    left_s: float | None = None
    """When the hand had left."""
    found: tuple[Reading, tuple[Candidate, ...]] | None = field(default=None)
    """What came of the last reading."""

    def still(self, match: Match) -> bool:
        """Whether nothing has happened since."""
        return match.ply == self.until and match.log[self.before.ply].move == self.move


class EarlyDone:
    """The last such touch at one table."""

    def __init__(self) -> None:
        self._closed: _Closed | None = None

    def touched(self, before: Match, move: Move, match: Match, now: float) -> None:
        """``move`` was touched while a hand was over the board, and led from ``before``, which
        stays as it is, to ``match``."""
        self._closed = None
        if _closes(before, move, match) and not _has_begun(before, move):
            self._closed = _Closed(move, before, match.ply, now)

    def found(
        self,
        match: Match,
        reading: Reading,
        sighting: Sighting,
        awaiting: Collection[str],
        since: float,
    ) -> tuple[Candidate, ...]:
        """What may be meant by the look that ``reading`` is about: one explanation that is better,
        or several to ask about; empty if the touch has nothing to do with it. ``since``: from when
        on (monotonic seconds) the look has meant that."""
        closed = self._closed
        if closed is None or reading.doubt in ("hand", "board_lost"):
            return ()
        if not closed.still(match) or reading.status is Status.SETTLED:
            # Play went on, or nothing had been done below that hand.
            self._closed = None
            return ()
        if closed.left_s is None:
            closed.left_s = since
        if reading.status not in _CHANGED:
            return ()
        if closed.found is None or closed.found[0] is not reading:
            closed.found = reading, _without(closed, match, reading, sighting, awaiting)
        return closed.found[1]


def _without(
    closed: _Closed,
    match: Match,
    reading: Reading,
    sighting: Sighting,
    awaiting: Collection[str],
) -> tuple[Candidate, ...]:
    """The explanations of a look, if the turn had not been closed before it."""
    then = read(closed.before, sighting, awaiting)
    if then.status is not Status.MOVE or {m.player for m in then.moves} - {
        closed.move.player,
        None,
    }:
        return ()
    moves = then.moves if closed.move in then.moves else _and_closed(closed, then.moves)
    better = Candidate(moves, match.ply - closed.before.ply)
    at_once = closed.left_s is not None and closed.left_s - closed.at_s < AT_ONCE_S
    return (better,) if at_once else (better, *reading.candidates)


def _and_closed(closed: _Closed, moves: tuple[Move, ...]) -> tuple[Move, ...]:
    """``moves`` and what was touched, unless the turn ends without it."""
    trial = closed.before.clone()
    for move in moves:
        trial.push(move)
    dealt = trial.deal()
    return moves if trial.why_not(closed.move) else (*moves, *dealt, closed.move)


def _closes(before: Match, move: Move, match: Match) -> bool:
    """Whether a touch left no trace and passed the turn on."""
    prompt = match.prompt
    passed = prompt is None or prompt.player != move.player or prompt.actor is not Actor.PLAYER
    return passed and not before.state.touches(move)


def _has_begun(before: Match, move: Move) -> bool:
    """Whether whoever closes their turn with ``move`` has done something in it."""
    last = next((e.move for e in reversed(before.log) if e.move.player is not None), None)
    decided = last is not None and last.actor is Actor.PLAYER
    return last is not None and decided and last.player == move.player
