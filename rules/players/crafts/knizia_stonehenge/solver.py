"""Endgames of Stonehenge with open stones, solved exactly: who wins, and by which stones."""

from __future__ import annotations

from rules.players.crafts.knizia_stonehenge.position import Stones, after
from rules.players.position import OVER, Key

__all__ = ["MOST_EMPTY", "winner", "winning"]

MOST_EMPTY = 6
"""With more empty fields solving takes minutes."""


def winning(position: Stones) -> list[Key]:
    """The stones with which the player to move wins against every answer; empty if none does.

    Meant for up to ``MOST_EMPTY`` empty fields.
    """
    me, known = position.turn, dict[tuple[object, ...], int]()
    keys = position.keys()
    return [key for key in keys if _winner(after(position, key), known) == me]


def winner(position: Stones) -> int:
    """Who wins if nobody errs from here on."""
    return _winner(position.clone(), {})


def _winner(position: Stones, known: dict[tuple[object, ...], int]) -> int:
    """``position`` is used up."""
    if position.actor() == OVER:
        return position.winner
    place = (
        position.turn, tuple(position.empty), tuple(position.hands), tuple(position.sums[0]),
        tuple(position.sums[1]), tuple(position.claimed), tuple(position.last),
    )  # fmt: skip
    found = known.get(place)
    if found is not None:
        return found
    me = position.turn
    keys = sorted(position.keys(), key=position.gain, reverse=True)
    found = 1 - me
    for key in keys:
        if _winner(after(position, key), known) == me:
            found = me
            break
    known[place] = found
    return found
