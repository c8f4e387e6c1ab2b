"""What a turn of Der Hohe Rat can be played for: the longest block that persuading can join."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import ClassVar

from rules.core import Move
from rules.games.hoher_rat.components import faction_of
from rules.games.hoher_rat.moves import decode
from rules.games.hoher_rat.state import BLOCK, RatState
from rules.players.player import Reason
from rules.players.tasks import Luck, Task

__all__ = ["TASKS", "BlockNow", "LongestBlock"]


class LongestBlock(Task[RatState]):
    """The longest block that a turn can leave. After the action the cards drawn cannot be used any
    more, so they do not matter."""

    name: ClassVar[str] = "longest_block"
    luck: ClassVar[Luck] = Luck.ANY
    fewest: ClassVar[int] = 2
    most: ClassVar[int] = 3_000

    def begins(self, state: RatState, seat: int, moves: Sequence[Move]) -> bool:
        if state.acted or state.pending or self.largest(state, seat) < _BEGUN:
            return False
        # There must be something to join by words.
        return any(move.verb == "persuade" for move in moves)

    def reached(self, state: RatState, seat: int) -> int:
        # With sixteen the match is over.
        return min(BLOCK, self.largest(state, seat))

    def largest(self, state: RatState, seat: int) -> int:
        """The largest block of the player's faction."""
        return state.largest_block(faction_of(seat))

    def worth_a_look(self, state: RatState, seat: int, moves: Sequence[Move]) -> Sequence[Move]:
        # New cards cannot be played in the same turn.
        return [move for move in moves if move.verb not in ("done", "ponder", "consult")]

    def ends(self, state: RatState, move: Move) -> bool:
        return move.verb == "done"

    def first_idea(self, state: RatState, seat: int, moves: Sequence[Move]) -> Move:
        """What makes the longest block at once."""

        def at_once(move: Move) -> int:
            trial = state.clone()
            trial.apply(move)
            return self.largest(trial, seat)

        return max(moves, key=lambda move: (at_once(move), move.text))

    def reason(self, state: RatState, turn: Sequence[Move]) -> Reason:
        steps = [step for move in turn if (step := decode(move.text)) is not None]
        words = sum(step.verb == "persuade" for step in steps)
        if steps[0].verb == "discuss":
            return Reason.of("talks_first", number=words)
        if steps[0].verb == "seat":
            return Reason.of("sits_first", number=words)
        if any(step.verb == "seat" for step in steps):
            return Reason.of("words_first", number=words)
        return Reason.of("in_this_order", number=words)

    def same(self, state: RatState) -> Hashable:
        return (
            tuple(state.ring), tuple(map(tuple, state.arguments)), state.acted, state.vote,
            tuple(state.pending), tuple(state.followers), tuple(state.spokesmen), state.turn,
            None if state.acted else tuple(state.hands), state.winner, tuple(state.heap),
        )  # fmt: skip


class BlockNow(LongestBlock):
    """A block of sixteen, and with it the match."""

    name: ClassVar[str] = "block_now"
    fewest: ClassVar[int] = 1

    def reached(self, state: RatState, seat: int) -> int:
        return int(self.largest(state, seat) >= BLOCK)


TASKS = (BlockNow, LongestBlock)

_BEGUN = 4
"""From so many pieces on a block is worth making longer."""
