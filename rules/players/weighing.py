"""Weighing single moves of a decision against each other, each with as much care as the others.

A search tries most often what looks best, so what it says of the rest is vague. To say how much one
move is better than another, each is looked at alone.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from math import sqrt
from random import Random
from typing import Any

from rules.core import Move
from rules.players.craft import Craft, RulesPosition
from rules.players.player import Budget
from rules.players.position import Key, Position
from rules.players.search import Found, Node, search
from rules.players.view import SeatView

Z_95 = 1.96


@dataclass(frozen=True, slots=True)
class Weight:
    """The value of a move."""

    move: Move
    chance: float
    """Chance of its seat after it, 0 … 1."""
    tries: int
    node: Node
    """The search tree below it."""

    @property
    def doubt(self) -> float:
        """Margin of error of the chance, at 95 %."""
        return Z_95 * sqrt(_variance(self.chance, self.tries))


class Scales:
    """A decision of the seat of ``view``, known as it knows it."""

    def __init__(
        self, craft: Craft[Any], view: SeatView, random: Random, needed: Collection[Move] = ()
    ) -> None:
        """``needed``: moves that must be weighed, even if the craft finds them not worth a look."""
        self._craft, worlds = craft, craft.worlds(view)
        first = worlds(random)
        keys = {first.move(key): key for key in tuple(first.keys())}
        self._own = keys.keys() >= set(needed)
        if not self._own:
            states, whole = craft.states(view), not craft.hides(view)

            def worlds(dealt: Random) -> Position:
                return RulesPosition(craft, states(dealt), view.seat, open=whole)

            keys = {key: key for key in (*worlds(random).keys(), *needed)}
        self.worlds, self.keys = worlds, keys
        """The moves that are worth a look, in the form of the worlds."""

    def look_ahead(self, budget: Budget, random: Random) -> Found:
        """All moves at once."""
        return self._search(budget, random, list(self.keys.values()))

    def weigh(self, move: Move, budget: Budget, random: Random) -> Weight:
        """One move alone."""
        found = self._search(budget, random, [self.keys[move]])
        (node,) = found.root.children.values()
        return Weight(move, node.mean, node.visits, node)

    def _search(self, budget: Budget, random: Random, only: list[Key]) -> Found:
        if self._own:
            return self._craft.look_ahead(self.worlds, budget, random, only, None)
        return search(self.worlds, budget, random, only=only)


def doubt_between(one: Weight, other: Weight) -> float:
    """Margin of error of the difference of two chances, at 95 %."""
    return sqrt(one.doubt**2 + other.doubt**2)


def _variance(chance: float, tries: int) -> float:
    """Of a mean of results between 0 and 1, at most; two more of each keep it from being 0."""
    likely = (chance * tries + 2) / (tries + 4)
    return likely * (1 - likely) / tries
