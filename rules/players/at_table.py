"""What a player chose in a world in which every card has a name, as hands can do it at a table
where nobody has seen that card: there the move leaves it open (``?``)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rules.core import Move
from rules.hidden import UNSEEN
from rules.players.player import Choice, Thought

__all__ = ["as_legal"]


def as_legal(choice: Choice, moves: Sequence[Move]) -> Choice:
    """``choice`` with the legal ``moves`` that it stands for."""
    if choice.move in moves:
        return choice
    thoughts: dict[Move, Thought] = {}
    for one in choice.thoughts:
        # Of several that are the same for hands, the one tried most often comes first.
        move = _open(one.move, moves)
        thoughts.setdefault(move, one._replace(move=move))
    return replace(choice, move=_open(choice.move, moves), thoughts=tuple(thoughts.values()))


def _open(move: Move, moves: Sequence[Move]) -> Move:
    """The legal move that leaves open what ``move`` names; itself if there is none."""
    return next((legal for legal in moves if _stands_for(legal, move)), move)


def _stands_for(legal: Move, move: Move) -> bool:
    same = (legal.actor, legal.player, legal.verb) == (move.actor, move.player, move.verb)
    return same and len(legal.args) == len(move.args) and all(
        one in (other, UNSEEN) for one, other in zip(legal.args, move.args, strict=True)
    )  # fmt: skip
