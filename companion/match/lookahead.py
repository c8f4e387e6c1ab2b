"""Legal moves after a hypothetical sequence, for touches that enter several moves at once."""

from __future__ import annotations

from collections.abc import Sequence

from rules.core import Move, Objection
from rules.match import Match


class MoveLookahead:
    """Looks ahead from a match that is not changed any more; it may be kept by other threads."""

    def __init__(self, match: Match) -> None:
        self._match = match

    def after(self, moves: Sequence[Move]) -> tuple[Move, ...]:
        """Every legal move after ``moves``, sorted; none if one of them is not allowed."""
        trial = self._match
        for move in moves:
            if trial.why_not(move):
                return ()
            trial = trial.clone() if trial is self._match else trial
            trial.push(move)
        return tuple(trial.legal_moves())

    def why_not(self, moves: Sequence[Move], move: Move) -> tuple[Objection, ...]:
        """Objections to ``move`` after ``moves``, which are legal; empty if it is allowed."""
        trial = self._match.clone()
        for before in moves:
            trial.push(before)
        return tuple(trial.why_not(move))
