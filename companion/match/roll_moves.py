"""What a disc that was seen rolling may mean as moves of a match."""

from __future__ import annotations

from collections.abc import Sequence
from math import log

from companion.match.messages import RolledDisc
from rules.core import Move
from rules.match import Match
from rules.reading.reading import Candidate

__all__ = ["roll_candidates"]

MOST_ROLLS = 3
"""So many explanations of a roll are offered."""


def roll_candidates(match: Match, discs: Sequence[RolledDisc]) -> tuple[Candidate, ...]:
    """The legal moves that a rolling disc may have been, likeliest first; nothing changes."""
    ways: dict[tuple[Move, ...], float] = {}
    for disc in discs:
        moves = match.game.rolled(match.state, disc.crossed, disc.gates)
        if moves and _playable(match, moves):
            ways[moves] = ways.get(moves, 0.0) + disc.likely
    ranked = sorted(ways.items(), key=lambda way: -way[1])[:MOST_ROLLS]
    # As for other candidates: relative to the best.
    return tuple(
        Candidate(moves, score=log(max(likely, 1e-6) / max(ranked[0][1], 1e-6)))
        for moves, likely in ranked
    )


def _playable(match: Match, moves: Sequence[Move]) -> bool:
    trial = match.clone()
    for move in moves:
        if trial.why_not(move):
            return False
        trial.push(move)
    return True
