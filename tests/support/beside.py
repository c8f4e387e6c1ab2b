"""A match at a table with real cards in which the program deals for some, made of a dealt match.

What people do with their real cards is taken from a match in which the program deals everything,
as a table shows it; the seats that are dealt to play the same in both.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from random import Random

from rules.core import Actor, Move
from rules.match import Match


def beside(
    game: str, players: int, dealt: Collection[int], seed: int,
    options: Mapping[str, str] | None = None,
) -> Iterator[tuple[Match, Match]]:  # fmt: skip
    """The dealt match and the one with real cards, after each move of the first until its end; who
    is dealt to must be able to do the same in both, and must draw the same."""
    whole = Match(game, players, options, seed=seed)
    mixed = Match(game, players, options, physical=True, seed=seed, dealt=dealt)
    random = Random(seed)
    while whole.outcome is None:
        legal, move = whole.legal_moves(), whole.next_chance()
        drawn = move is not None
        if move is None:
            move = whole.state.choose(legal, random)
        if _whose(move) not in dealt:
            for shown in whole.state.shown(move):
                mixed.push(shown)
        else:
            assert mixed.legal_moves() == legal
            assert mixed.next_chance() == (move if drawn and move.verb != "start" else None)
            mixed.push(move)
        whole.push(move)
        yield whole, mixed


def _whose(move: Move) -> int | None:
    """Seat whose cards are drawn, or who plays; None if neither."""
    if move.actor is Actor.PLAYER:
        return move.player
    seat = move.args[0] if move.args else ""
    return int(seat[1:]) if seat[:1] == "p" and move.verb != "start" else None
