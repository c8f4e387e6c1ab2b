"""Inserts a late entry at the point of the record where it was legal.

People see what they do and tap what cannot be seen, and often in this order: first the piece is
moved, then "discuss" is touched, which had to come before it.
"""

from __future__ import annotations

from rules.core import Actor, IllegalMove, Move
from rules.match import Match

TURNS_BACK = 2
"""A forgotten step is looked for in the open turn and in the one before it."""


def forgotten(match: Match, move: Move) -> tuple[int, tuple[Move, ...]] | None:
    """The ply (from 1) at which ``move`` was forgotten, and the moves that are right from there on.

    None if it was not: if it leaves a trace, was not allowed then, or makes illegal what was
    entered since. Only at a physical table; elsewhere what was drawn since would be known.
    """
    if not match.physical:
        return None
    trial, since = match.clone(), list[Move]()
    asked: int | None = None
    turns = 0
    for ply in range(match.ply, 0, -1):
        if match.log[ply - 1].forced:
            return None
        since.insert(0, trial.pop())
        prompt = trial.prompt
        if prompt is None or prompt.actor is not Actor.PLAYER:
            continue
        if prompt.player != asked:
            asked, turns = prompt.player, turns + 1
        if turns > TURNS_BACK:
            return None
        if prompt.player == move.player and (moves := _entered(trial, move, since)):
            return ply, moves
    return None


def _entered(before: Match, move: Move, since: list[Move]) -> tuple[Move, ...]:
    """``move``, what is dealt after it, and ``since``; empty if that is not allowed."""
    if before.why_not(move) or before.state.touches(move):
        return ()
    trial = before.clone()
    trial.push(move)
    dealt = trial.deal()
    try:
        for later in since:
            trial.push(later)
    except IllegalMove:
        return ()
    return (move, *dealt, *since)
