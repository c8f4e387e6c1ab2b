"""The two kinds of chance: a program that deals, and a table that shows what came."""

from __future__ import annotations

from collections.abc import Collection
from random import Random
from typing import Protocol, TypeVar

from rules.core import Actor, Move, State

S = TypeVar("S", bound=State)


class Chance(Protocol):
    """The source of answers where the rules ask chance."""

    @property
    def physical(self) -> bool:
        """True if hidden things lie on a real table."""

    def answer(self, state: State, ply: int) -> Move | None:
        """The move of a DEALER decision, None if the table must show it."""


class Dealer:
    """Deals by program. The answer depends only on seed and move number.

    So taking a move back and making it again draws the same card, and a match resumed from its
    journal goes on as it would have.
    """

    physical = False

    def __init__(self, seed: int | str) -> None:
        self.seed = seed

    def answer(self, state: State, ply: int) -> Move | None:
        """A random outcome by the game's weights; None at a decision that is not the dealer's."""
        prompt = state.prompt()
        if prompt is None or prompt.actor is not Actor.DEALER:
            return None
        moves = sorted(state.legal_moves(), key=lambda move: move.text)
        if len(moves) == 1:
            return moves[0]
        random = Random(f"{self.seed}/{ply}")
        return random.choices(moves, weights=state.weights(moves))[0]


class Referee:
    """Waits until the table shows it; makes only the moves that say nothing.

    For seats whose cards exist in the program only (``Match.dealt``) a dealer draws, and it throws
    the dice if it ``throws``.
    """

    physical = True

    def __init__(
        self, dealer: Dealer | None = None, dealt: Collection[int] = (), *, throws: bool = False
    ) -> None:
        self.dealer, self.dealt, self.throws = dealer, frozenset(dealt), throws

    def answer(self, state: State, ply: int) -> Move | None:
        """The only possible move of a DEALER decision, None where people must say what came."""
        prompt = state.prompt()
        if prompt is None or prompt.actor is not Actor.DEALER:
            return None
        ours = prompt.player in self.dealt or (self.throws and state.throw() is not None)
        if self.dealer is not None and ours:
            return self.dealer.answer(state, ply)
        moves = state.legal_moves()
        return moves[0] if len(moves) == 1 else None
