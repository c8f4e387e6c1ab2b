"""Legal moves after a hypothetical sequence, for touches that enter several moves at once.

It is tried with the match itself, so it ends where a move would bring to light what only making it
may tell: nobody may read hidden things by asking what would be allowed after it.
"""

from __future__ import annotations

from collections.abc import Sequence

from rules.core import Actor, Move, Objection
from rules.match import Entry, Match, reveals


class MoveLookahead:
    """Looks ahead from a match that is not changed any more; it may be kept by other threads."""

    def __init__(self, match: Match) -> None:
        self._match = match

    def after(self, moves: Sequence[Move]) -> tuple[Move, ...]:
        """Every legal move after ``moves``, sorted; none if one of them is not allowed, or tells
        more than its player says."""
        trial = self._match.clone()
        for move in moves:
            if trial.why_not(move) or _tells(trial, move):
                return ()
            trial.play(Entry(move))
        return tuple(trial.legal_moves())

    def refusal(self, moves: Sequence[Move]) -> tuple[Objection, ...] | None:
        """Objections to the first of ``moves`` that is not allowed, one after the other; empty: all
        are. None: that depends on what another of them brings to light."""
        trial = self._match.clone()
        for left, move in zip(range(len(moves) - 1, -1, -1), moves, strict=True):
            if objections := trial.why_not(move):
                return tuple(objections)
            if left and _tells(trial, move):
                return None
            trial.play(Entry(move))
        return ()


def _tells(match: Match, move: Move) -> bool:
    # What came of the table's chance is said by people, and asked of nobody else.
    return move.actor is Actor.PLAYER and reveals(match.state, move, match.players)
